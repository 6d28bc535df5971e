#include "dpcompat/bridge/bridge.hpp"

#include <algorithm>

#include "dpcompat/bridge/bridge_impl.hpp"

namespace iron::dpcompat {

Bridge::Bridge(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) { impl_->owner = this; }
Bridge::~Bridge() = default;

void Bridge::Impl::log(const std::string& level, const std::string& text) const {
    if (owner != nullptr && owner->on_log) owner->on_log(level, text);
}

void Bridge::Impl::pump_soon() {
    if (*pump_due || stopping) return;
    *pump_due = true;
    net.post([this, due = std::weak_ptr<bool>(pump_due)] {
        const auto alive = due.lock();
        if (!alive) return;
        *alive = false;
        owner->pump();
    });
}

HostedSession Bridge::Impl::session() const {
    HostedSession s;
    s.instance = random_guid();
    s.name = to_text16(settings.session_name);
    if (!settings.session_password.empty()) s.password = to_text16(settings.session_password);
    s.max_players = settings.max_players;
    s.flags = settings.session_flags;
    s.user = settings.user;
    return s;
}

Seat* Bridge::Impl::seat_of(std::uint32_t number) {
    for (auto& seat : seats)
        if (seat->number == number) return seat.get();
    return nullptr;
}

Status Bridge::Impl::open_seat() {
    auto seat = std::make_unique<Seat>();
    seat->number = next_seat++;
    TransportSettings t;
    t.address = settings.address;
    t.tcp_first = settings.tcp_first;
    t.tcp_last = settings.tcp_last;
    t.udp_first = settings.udp_first;
    t.udp_last = settings.udp_last;
    IRON_TRY(seat->transport, SocketTransport::open(net, t));
    PeerSettings p;
    p.lan_only = settings.lan_only;
    p.max_machines = 1;
    seat->peer = std::make_unique<SessionPeer>(*seat->transport, p);
    IRON_CHECK(seat->peer->host(session(), slots, system_id));
    // Everybody who is here already is a player of the bridge in the new session.
    for (const auto& [id, player] : players) IRON_CHECK(seat->peer->create_player(player.short_name, player.long_name, player.data, id));
    for (const auto& [id, group] : groups) {
        IRON_CHECK(seat->peer->create_group(group.name, id));
        for (DpId member : group.members) (void)seat->peer->add_to_group(member, id);
    }
    (void)seat->peer->take_events();
    const std::uint32_t number = seat->number;
    seat->peer->on_received = [this, number](const Endpoint&, bool udp, const std::variant<Message, PlayerMessage>& content) {
        recorder.message(NativeDirection::to_host, number, udp, content);
    };
    seat->peer->on_sent = [this, number](const Endpoint&, bool udp, const std::variant<Message, PlayerMessage>& content) {
        recorder.message(NativeDirection::from_host, number, udp, content);
    };
    // What one original sends must not wait for a timer.
    seat->peer->on_event = [this] { pump_soon(); };
    seat->transport->start(*seat->peer);
    log("info", "session " + std::to_string(number) + " waits at TCP " + std::to_string(seat->transport->tcp_port()) + ", UDP " +
                    std::to_string(seat->transport->udp_port()));
    seats.push_back(std::move(seat));
    return {};
}

/// One session always waits, as long as there is room.
void Bridge::Impl::ensure_seat() {
    const bool waiting = std::any_of(seats.begin(), seats.end(), [](const auto& s) { return !s->taken(); });
    if (waiting || stopping) return;
    if (auto opened = open_seat(); !opened) log("warn", "no further session: " + opened.error().to_string());
}

void Bridge::Impl::close_empty_seats() {
    // The newest empty one stays: its GUID is the one enumerations show.
    bool keep = true;
    for (auto it = seats.end(); it != seats.begin();) {
        --it;
        if ((*it)->taken()) continue;
        if (std::exchange(keep, false)) continue;
        Seat& seat = **it;
        const PeerCounters& c = seat.peer->counters();
        for (const auto& [command, count] : c.received) past_received[command] += count;
        for (const auto& [command, count] : c.sent) past_sent[command] += count;
        for (const auto& [reason, count] : c.rejected) past_rejected[reason] += count;
        seat.peer->leave();
        it = seats.erase(it);
    }
}

void Bridge::Impl::on_enumeration(const Endpoint& from, ByteView datagram) {
    const auto request = gate.admit(from, datagram, net.now_ms());
    if (!request) {
        std::string reason = request.error().code();
        ++rejected_requests[reason.starts_with("dp_") ? reason.substr(3) : reason];
        return;
    }
    ensure_seat();  // the one that waited may have been taken a moment ago
    for (auto& seat : seats)
        if (!seat->taken()) {
            seat->peer->answer_enumeration(from, request->header, request->body);
            return;
        }
}

Result<std::unique_ptr<Bridge>> Bridge::open(NetContext& net, BridgeSettings settings) {
    auto impl = std::make_unique<Impl>(net, std::move(settings));
    Impl& i = *impl;
    i.started_ms = net.now_ms();
    IRON_TRY(i.profile, load_profile(i.settings.profiles_folder, i.settings.profile));
    if (i.settings.mode == BridgeMode::translate) {
        IRON_TRY(i.translator, Translator::create(i.settings));
        i.connect_translator();
    }
    if (!i.settings.record.empty()) {
        IRON_TRY(i.recorder, NativeRecorder::create(i.settings.record, "native recording of a bridge; payloads are opaque, addresses and passwords are blanked"));
    }
    i.gate = EnumerationGate({5, 50, i.settings.lan_only});
    i.slots = std::make_shared<SlotTable>(make_session_key(random_word()));
    i.system_id = i.slots->take();
    if (!i.settings.host_player.empty()) {
        i.host_player = i.slots->take();
        i.players[i.host_player] = {i.host_player, 0, 0, to_text16(i.settings.host_player), {}, {}};
    }
    Impl* raw = impl.get();
    IRON_TRY(i.enumeration, EnumerationSocket::open(net, i.settings.address, i.settings.enum_port, i.settings.reuse_address,
                                                    [raw](const Endpoint& from, ByteView bytes) { raw->on_enumeration(from, bytes); }));
    IRON_CHECK(i.open_seat());
    return std::unique_ptr<Bridge>(new Bridge(std::move(impl)));
}

void Bridge::pump() {
    Impl& i = *impl_;
    if (i.stopping) return;
    // An event may open or close sessions; the list is looked at anew after each.
    for (std::size_t n = 0; n < i.seats.size(); ++n) {
        Seat& seat = *i.seats[n];
        for (const PeerEvent& e : seat.peer->take_events()) i.event(seat, e);
    }
    if (i.translator) i.translator->pump();
    i.ensure_seat();
    i.close_empty_seats();
}

Status Bridge::stop() {
    Impl& i = *impl_;
    i.stopping = true;
    if (i.translator) i.translator->leave_all();
    for (auto& seat : i.seats) {
        (void)seat->peer->take_events();
        seat->peer->leave();
    }
    return i.recorder.close();
}

std::uint16_t Bridge::enum_port() const { return impl_->enumeration->port(); }
std::uint16_t Bridge::tcp_port() const {
    for (const auto& seat : impl_->seats)
        if (!seat->taken()) return seat->transport->tcp_port();
    return 0;
}
std::uint16_t Bridge::udp_port() const {
    for (const auto& seat : impl_->seats)
        if (!seat->taken()) return seat->transport->udp_port();
    return 0;
}
std::size_t Bridge::originals() const {
    std::size_t n = 0;
    for (const auto& seat : impl_->seats) n += seat->peer->directory().machines().size();
    return n;
}
std::size_t Bridge::players() const { return impl_->players.size(); }
std::string Bridge::status_json() const { return impl_->status(); }

}  // namespace iron::dpcompat
