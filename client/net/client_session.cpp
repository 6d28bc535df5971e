#include "client/net/client_session.hpp"

#include <algorithm>
#include <chrono>

#include "client/net/client_session_impl.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"

namespace iron::client::net {

namespace {
constexpr std::uint32_t kContentListWaitMs = 3000;
// A whole join burst may wait for its TickEnd; the client trusts its server that far.
constexpr std::size_t kWaitingBytes = 32u << 20;
}  // namespace

std::uint64_t local_now_ms() {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

ClientSession::ClientSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ClientSession::ClientSession(ClientSession&&) noexcept = default;
ClientSession& ClientSession::operator=(ClientSession&&) noexcept = default;
ClientSession::~ClientSession() = default;

Result<ClientSession> ClientSession::start(ConnectSettings settings) {
    const std::string& name = settings.player_name;
    if (name.empty() || name.size() > protocol::kMaxNameBytes || !protocol::is_clean_text(name))
        return fail("bad_setting", "a player's name is 1 to 64 bytes of UTF-8 without control characters");
    if (settings.player_data.size() > 1024) return fail("bad_setting", "player data has at most 1024 bytes");
    if (settings.password && settings.password->size() > protocol::kMaxNameBytes)
        return fail("bad_setting", "a password has at most 64 bytes");
    transport::LinkSettings link;
    link.max_peers = 1;
    link.max_waiting_bytes = kWaitingBytes;
    IRON_TRY(transport::EnetLink opened, transport::EnetLink::outgoing(link));
    auto impl = std::make_unique<Impl>(std::move(settings), std::move(opened));
    impl->own_fingerprint = mission::fingerprint(impl->settings.manifest);
    IRON_TRY(impl->server, impl->link.connect(impl->settings.address, impl->settings.port));
    impl->started_ms = local_now_ms();
    return ClientSession(std::move(impl));
}

void ClientSession::Impl::end(std::string code, std::string message) {
    if (phase == SessionPhase::ended) return;
    phase = SessionPhase::ended;
    ending = Error(std::move(code), std::move(message));
    link.close_gently(server);
    link.flush();
}

void ClientSession::Impl::protocol_error(const Error& error) {
    write(Channel::control, [&](auto& b) {
        return protocol::CreateGoodbye(b, protocol::GoodbyeReason::protocol_error,
                                       b.CreateString(error.code()));
    });
    end("protocol_error", "the server sent something that is not allowed: " + error.to_string());
}

void ClientSession::pump(std::uint32_t wait_ms) {
    Impl& s = *impl_;
    if (s.phase == SessionPhase::ended) {
        // What was queued before the end (Goodbye) still goes out.
        std::vector<transport::LinkEvent> ignored;
        static_cast<void>(s.link.poll(wait_ms, ignored));
        return;
    }
    s.store.sweep(s.applied_tick);
    s.send_due(local_now_ms());
    std::vector<transport::LinkEvent> arrived;
    if (auto polled = s.link.poll(wait_ms, arrived); !polled)
        return s.end("connection_lost", polled.error().message());
    for (const transport::LinkEvent& event : arrived)
        if (s.phase != SessionPhase::ended) s.receive(event);
    if (s.phase == SessionPhase::ended) return;

    const std::uint64_t now = local_now_ms();
    if (s.refused_text && now - s.refused_ms > kContentListWaitMs) return s.finish_refusal();
    if ((s.phase == SessionPhase::connecting || s.phase == SessionPhase::handshake) &&
        now - s.started_ms > s.settings.connect_timeout_ms && !s.refused_text)
        return s.end("connection_failed", "no answer from " + s.settings.address + ":" +
                                              std::to_string(s.settings.port));
    s.send_due(now);
    s.link.flush();
}

SessionPhase ClientSession::phase() const { return impl_->phase; }
const std::optional<Error>& ClientSession::ending() const { return impl_->ending; }
const std::string& ClientSession::server_name() const { return impl_->server_name; }
std::uint16_t ClientSession::player_number() const { return impl_->player; }
const std::string& ClientSession::mission_key() const { return impl_->mission; }
const Hash256& ClientSession::rules_hash() const { return impl_->rules; }
std::uint64_t ClientSession::match_id() const { return impl_->match_id; }
std::uint64_t ClientSession::public_seed() const { return impl_->public_seed; }
const std::vector<PlayerInfo>& ClientSession::players() const { return impl_->players; }
bool ClientSession::paused() const { return impl_->paused; }
std::uint32_t ClientSession::step_ms() const { return impl_->step_ms; }
std::uint16_t ClientSession::scale_percent() const { return impl_->scale; }
std::uint16_t ClientSession::ping_ms() const { return impl_->ping_ms; }
const MirrorStore& ClientSession::mirrors() const { return impl_->store; }
std::uint64_t ClientSession::applied_tick() const { return impl_->applied_tick; }
std::uint64_t ClientSession::newest_state_tick() const { return impl_->newest_state; }
const SessionStats& ClientSession::stats() const { return impl_->stats; }
std::size_t ClientSession::unanswered() const { return impl_->unanswered.size(); }

std::uint8_t ClientSession::clan() const {
    for (const PlayerInfo& player : impl_->players)
        if (player.number == impl_->player) return player.clan;
    return 0xFF;
}

double ClientSession::estimated_tick() const {
    const Impl& s = *impl_;
    const auto known = static_cast<double>(s.known_tick);
    if (s.paused || s.phase != SessionPhase::running) return known;
    const auto since = static_cast<double>(local_now_ms() - s.known_tick_ms);
    return known + since * s.scale / 100.0 / s.step_ms;
}

std::vector<SessionEvent> ClientSession::take_events() { return std::exchange(impl_->events, {}); }

void ClientSession::leave() {
    Impl& s = *impl_;
    if (s.phase == SessionPhase::ended) return;
    s.write(Channel::control, [&](auto& b) {
        return protocol::CreateGoodbye(b, protocol::GoodbyeReason::left, b.CreateString(""));
    });
    s.link.close_gently(s.server);
    s.link.flush();
    s.phase = SessionPhase::ended;
}

void ClientSession::lose_state_packets(std::function<bool()> filter) { impl_->lose_state = std::move(filter); }

void ClientSession::lose_datagrams(std::function<bool()> filter) {
    impl_->link.set_datagram_filter(
        [filter = std::move(filter)](ByteView, transport::DatagramSource) { return !filter(); });
}

void ClientSession::send_raw(std::uint8_t channel, ByteView bytes) {
    impl_->link.send(impl_->server, static_cast<Channel>(channel), bytes);
}

}  // namespace iron::client::net
