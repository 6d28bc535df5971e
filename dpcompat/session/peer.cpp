#include "dpcompat/session/peer.hpp"

#include <random>

#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {
namespace {

constexpr std::size_t kMaxGuaranteed = kMaxSpSize - 28, kMaxDatagram = 65'507 - 8, kFragmentPiece = 8 * 1024;
constexpr std::uint32_t kNotHosted = session_flag::kMulticastServer | session_flag::kClientServer | session_flag::kSecureServer |
                                     session_flag::kDirectPlayProtocol | session_flag::kNoMessageId;

std::optional<Text16> maybe(const Text16& text) { return text.empty() ? std::nullopt : std::optional(text); }

Status check_name(const Text16& name, std::size_t most) {
    if (name.size() > most) return fail("dp_string", "a name of " + std::to_string(name.size()) + " units");
    if (name.find(u'\0') != Text16::npos) return fail("dp_string", "a name with a zero unit");
    return {};
}

Status check_session(const HostedSession& s) {
    if (s.flags & kNotHosted) return fail("bad_setting", "a session flag that is not hosted: " + std::to_string(s.flags & kNotHosted));
    if ((s.flags & session_flag::kPrivate) && !s.password) return fail("bad_setting", "a private session needs a password");
    if (s.password && s.password->size() > kMaxPasswordUnits) return fail("bad_setting", "the password is too long");
    if (s.instance.is_zero()) return fail("bad_setting", "a session needs an instance GUID");
    return check_name(s.name, kMaxSessionNameUnits);
}

std::uint32_t flags_of(const HostedSession& s) {
    // The library sets this one itself (directplay.md 5.5).
    return s.password ? s.flags | session_flag::kPasswordRequired : s.flags & ~session_flag::kPasswordRequired;
}

}  // namespace

std::uint32_t make_session_key(std::uint32_t random) {
    const std::uint32_t high = 0x1000 + (random >> 16) % 0xE000;
    return high << 16 | (random & 0xFFFF);
}

std::uint32_t random_word() {
    static std::random_device device;
    return device();
}

Guid random_guid() {
    Guid out;
    for (std::size_t i = 0; i < 16; i += 4) {
        const std::uint32_t word = random_word();
        for (std::size_t k = 0; k < 4; ++k) out.bytes[i + k] = static_cast<std::uint8_t>(word >> (8 * k));
    }
    out.bytes[7] = static_cast<std::uint8_t>((out.bytes[7] & 0x0F) | 0x40);
    out.bytes[8] = static_cast<std::uint8_t>((out.bytes[8] & 0x3F) | 0x80);
    return out;
}

SessionPeer::SessionPeer(Transport& transport, PeerSettings settings)
    : state_(std::make_unique<State>(*this, transport, std::move(settings))) {}
SessionPeer::~SessionPeer() = default;

// ---- sending

void SessionPeer::State::send(const Endpoint& tcp, Command command, Body body) {
    const Message message = make_message(command, std::move(body), settings.version);
    ++counters.sent[message.command];
    if (self.on_sent) self.on_sent(tcp, false, message);
    transport.send_tcp(tcp, frame_message(message, transport.tcp_port()));
}

void SessionPeer::State::send_udp(const PeerMachine& machine, Command command, Body body) {
    const Message message = make_message(command, std::move(body), settings.version);
    ++counters.sent[message.command];
    if (self.on_sent) self.on_sent(machine.udp, true, message);
    transport.send_udp(machine.udp, frame_message(message, transport.tcp_port()));
}

void SessionPeer::State::send_to_all(Command command, const Body& body) {
    for (const auto& [id, machine] : directory.machines()) send(machine.tcp, command, body);
}

SpData SessionPeer::State::own_sockets() const {
    SpData out;
    out.tcp.endpoint.port = transport.tcp_port();
    out.udp.endpoint.port = transport.udp_port();
    return out;
}

PackedPlayer SessionPeer::State::packed(const Player& p) const {
    PackedPlayer out;
    out.flags = p.system ? player_flag::kSystem | player_flag::kLocal : player_flag::kLocal;
    out.id = p.id;
    out.system_id = p.system_id;
    out.version = settings.version;
    out.parent = p.parent;
    out.short_name = p.short_name;
    out.long_name = p.long_name;
    if (!p.group) out.sp_data = own_sockets();
    out.data = p.data;
    out.ids.assign(p.members.begin(), p.members.end());
    return out;
}

// ---- calls

Status SessionPeer::host(const HostedSession& session, std::shared_ptr<SlotTable> slots, std::optional<DpId> system_id) {
    State& s = *state_;
    if (s.role != PeerRole::idle) return fail("dp_order", "already in a session");
    IRON_CHECK(check_session(session));
    const DpId id = system_id ? *system_id : slots->take();
    if (id == 0) return fail("dp_count", "no free id");
    s.slots = std::move(slots);
    s.role = PeerRole::host;
    s.own_system = s.host_system = id;
    Player system;
    system.id = system.system_id = id;
    system.system = true;
    system.borrowed = system_id.has_value();
    system.flags = player_flag::kSystem | player_flag::kNameServer | player_flag::kInGroup;
    s.directory.add(std::move(system));
    s.desc = {};
    s.desc.application = s.settings.application;
    s.desc.instance = session.instance;
    s.desc.key = s.slots->key();
    return set_description(session);
}

Status SessionPeer::set_description(const HostedSession& session) {
    State& s = *state_;
    if (s.role != PeerRole::host) return fail("dp_role", "only the host describes the session");
    IRON_CHECK(check_session(session));
    s.desc.flags = flags_of(session);
    s.desc.max_players = session.max_players;
    s.desc.user = session.user;
    s.name = session.name;
    s.password = session.password;
    s.announce_desc();
    return {};
}

Status SessionPeer::kick(DpId id) {
    State& s = *state_;
    if (s.role != PeerRole::host) return fail("dp_role", "only the host removes machines");
    PeerMachine* machine = s.directory.machine_of(id);
    if (machine == nullptr) return fail("dp_id", "no such remote player");
    s.send(machine->tcp, Command::you_are_dead, EmptyBody{});
    s.lose_machine(machine->system_id, true);
    return {};
}

Status SessionPeer::enumerate(const Endpoint& target, std::uint32_t flags, const std::optional<Text16>& password) {
    State& s = *state_;
    if (s.role == PeerRole::host) return fail("dp_role", "a host does not look for sessions");
    s.enumerating_until_ms = s.now_ms + 5'000;
    const Message message = make_message(Command::enum_sessions, EnumSessionsBody{s.settings.application, flags, password}, s.settings.version);
    ++s.counters.sent[message.command];
    if (on_sent) on_sent(target, true, message);
    s.transport.send_udp(target, frame_message(message, s.transport.tcp_port()));
    return {};
}

Status SessionPeer::join(const FoundSession& session, const Text16& password) {
    State& s = *state_;
    if (s.role != PeerRole::idle) return fail("dp_order", "already in a session");
    IRON_CHECK(check_name(password, kMaxPasswordUnits));
    s.role = PeerRole::joining;
    s.host_tcp = session.host;
    s.desc = session.desc;
    s.name = session.name;
    s.join_password = password;
    s.join_since_ms = s.now_ms;
    s.own_system = 0;
    s.send(session.host, Command::request_player_id, RequestIdBody{player_flag::kSystem | player_flag::kLocal});
    return {};
}

Status SessionPeer::State::place(Request request, std::optional<DpId> id) {
    if (role == PeerRole::host) {
        const DpId given = id ? *id : slots->take();
        if (given == 0) return fail("dp_count", "no free id");
        add_own(request, given, id.has_value());
        return {};
    }
    if (role != PeerRole::client || id) return fail("dp_order", "not in a session");
    requests.push_back(std::move(request));
    next_request();
    return {};
}

Status SessionPeer::create_player(const Text16& short_name, const Text16& long_name, Bytes data, std::optional<DpId> id) {
    State& s = *state_;
    IRON_CHECK(check_name(short_name, kMaxNameUnits));
    IRON_CHECK(check_name(long_name, kMaxNameUnits));
    if (data.size() > kMaxPlayerData) return fail("dp_size", "player data of " + std::to_string(data.size()) + " bytes");
    return s.place({State::IdKind::player, short_name, long_name, std::move(data), s.now_ms, false}, id);
}

Status SessionPeer::create_group(const Text16& group_name, std::optional<DpId> id) {
    State& s = *state_;
    IRON_CHECK(check_name(group_name, kMaxNameUnits));
    return s.place({State::IdKind::group, group_name, {}, {}, s.now_ms, false}, id);
}

Status SessionPeer::State::check_own(DpId id, bool group) const {
    const Player* p = directory.find(id);
    if (p == nullptr || p->system_id != own_system || p->system || p->group != group) return fail("dp_ownership", "not one of our own");
    return {};
}

bool SessionPeer::owns(DpId id) const { return bool(state_->check_own(id, false)); }

Status SessionPeer::delete_player(DpId id) {
    State& s = *state_;
    IRON_CHECK(s.check_own(id, false));
    s.send_to_all(Command::delete_player, MembershipBody{id, 0});
    s.removed(s.directory.remove(id));
    return {};
}

Status SessionPeer::delete_group(DpId id) {
    State& s = *state_;
    IRON_CHECK(s.check_own(id, true));
    s.send_to_all(Command::delete_group, MembershipBody{0, id});
    s.removed(s.directory.remove(id));
    return {};
}

Status SessionPeer::add_to_group(DpId player, DpId group) {
    State& s = *state_;
    Player *p = s.directory.find(player), *g = s.directory.find(group);
    if (p == nullptr || p->group || g == nullptr || !g->group) return fail("dp_id", "no such player or group");
    if (p->system_id != s.own_system && g->system_id != s.own_system) return fail("dp_ownership", "neither player nor group is our own");
    g->members.insert(player);
    s.send_to_all(Command::add_player_to_group, MembershipBody{player, group});
    return {};
}

Status SessionPeer::remove_from_group(DpId player, DpId group) {
    State& s = *state_;
    Player *p = s.directory.find(player), *g = s.directory.find(group);
    if (p == nullptr || g == nullptr || !g->members.contains(player)) return fail("dp_id", "no such member");
    if (p->system_id != s.own_system && g->system_id != s.own_system) return fail("dp_ownership", "neither player nor group is our own");
    g->members.erase(player);
    s.send_to_all(Command::delete_player_from_group, MembershipBody{player, group});
    return {};
}

Status SessionPeer::set_player_data(DpId id, Bytes data) {
    State& s = *state_;
    IRON_CHECK(s.check_own(id, false));
    if (data.size() > kMaxPlayerData) return fail("dp_size", "player data of " + std::to_string(data.size()) + " bytes");
    s.directory.find(id)->data = data;
    s.send_to_all(Command::player_data_changed, DataChangedBody{id, std::move(data)});
    return {};
}

Status SessionPeer::set_player_name(DpId id, const Text16& short_name, const Text16& long_name) {
    State& s = *state_;
    IRON_CHECK(s.check_own(id, false));
    IRON_CHECK(check_name(short_name, kMaxNameUnits));
    IRON_CHECK(check_name(long_name, kMaxNameUnits));
    Player& p = *s.directory.find(id);
    p.short_name = maybe(short_name);
    p.long_name = maybe(long_name);
    s.send_to_all(Command::player_name_changed, NameChangedBody{id, p.short_name, p.long_name});
    return {};
}

Status SessionPeer::State::post(PeerMachine& machine, const PlayerMessage& message, bool guaranteed) {
    ++counters.data_out;
    counters.data_bytes_out += message.data.size();
    if (self.on_sent) self.on_sent(guaranteed ? machine.tcp : machine.udp, !guaranteed, message);
    if (guaranteed) {
        transport.send_tcp(machine.tcp, frame_player_message(message, transport.tcp_port()));
        return {};
    }
    const Bytes bare = write_bare_player_message(message);
    if (message.data.size() > kMaxDatagram) {
        for (PacketBody& piece : split_message(bare, random_guid(), kFragmentPiece)) send_udp(machine, Command::packet, std::move(piece));
        return {};
    }
    // Data that would be taken for a system message travels in a wrapper (directplay.md 2.2).
    if (has_play(bare, kSpHeaderBytes)) {
        send_udp(machine, Command::player_wrapper, WrapperBody{bare});
        return {};
    }
    transport.send_udp(machine.udp, bare);
    return {};
}

Status SessionPeer::send(DpId from, DpId to, ByteView data, bool guaranteed) {
    State& s = *state_;
    IRON_CHECK(s.check_own(from, false));
    if (data.size() > kMaxGuaranteed) return fail("dp_size", "a message of " + std::to_string(data.size()) + " bytes");
    const PlayerMessage message{from, to, Bytes(data.begin(), data.end())};
    if (to == kIdAll) {
        for (auto& [id, machine] : s.directory.machines()) IRON_CHECK(s.post(machine, message, guaranteed));
        return {};
    }
    const Player* target = s.directory.find(to);
    if (target == nullptr || target->system) return fail("dp_id", "no such player or group");
    std::set<DpId> machines;
    if (target->group) {
        for (DpId member : target->members)
            if (const Player* p = s.directory.find(member)) machines.insert(p->system_id);
    } else {
        machines.insert(target->system_id);
    }
    for (DpId id : machines)
        if (PeerMachine* machine = s.directory.machine(id)) IRON_CHECK(s.post(*machine, message, guaranteed));
    return {};
}

Status SessionPeer::chat(DpId from, DpId to, const Text16& text) {
    State& s = *state_;
    IRON_CHECK(s.check_own(from, false));
    IRON_CHECK(check_name(text, kMaxChatUnits));
    // One copy per destination player (directplay.md 4.14).
    const auto copy = [&](const Player& p) {
        if (PeerMachine* machine = s.directory.machine(p.system_id)) s.send(machine->tcp, Command::chat, ChatBody{from, p.id, 1, text});
    };
    if (to == kIdAll) {
        for (const auto& [id, p] : s.directory.players())
            if (!p.system && !p.group && p.system_id != s.own_system) copy(p);
        return {};
    }
    const Player* target = s.directory.find(to);
    if (target == nullptr || target->system) return fail("dp_id", "no such player or group");
    if (!target->group) {
        copy(*target);
        return {};
    }
    for (DpId member : target->members)
        if (const Player* p = s.directory.find(member); p && p->system_id != s.own_system) copy(*p);
    return {};
}

Status SessionPeer::carry(ByteView bytes, bool guaranteed) {
    State& s = *state_;
    IRON_TRY(const Message message, read_message(bytes));
    for (const auto& [id, machine] : s.directory.machines()) {
        ++s.counters.sent[message.command];
        if (on_sent) on_sent(guaranteed ? machine.tcp : machine.udp, !guaranteed, message);
        const Bytes block = frame_message(message, s.transport.tcp_port());
        if (guaranteed) s.transport.send_tcp(machine.tcp, block);
        else s.transport.send_udp(machine.udp, block);
    }
    return {};
}

void SessionPeer::leave() {
    State& s = *state_;
    if (s.role == PeerRole::idle) return;
    for (const auto& [id, p] : s.directory.players())
        if (p.system_id == s.own_system && !p.system && !p.group) s.send_to_all(Command::delete_player, MembershipBody{id, 0});
    if (s.own_system != 0) s.send_to_all(Command::delete_player, MembershipBody{s.own_system, 0});
    for (const auto& [id, machine] : s.directory.machines()) s.transport.close_to(machine.tcp);
    if (s.role == PeerRole::joining) s.transport.close_to(s.host_tcp);
    for (const auto& [id, p] : s.directory.players()) s.release(p);
    if (s.slots)
        for (const auto& [id, r] : s.reservations) s.slots->release(id);
    s.directory.clear();
    s.requests.clear();
    s.reservations.clear();
    s.joins.clear();
    s.slots.reset();
    s.role = PeerRole::idle;
    s.own_system = s.host_system = 0;
}

// ---- reading

PeerRole SessionPeer::role() const { return state_->role; }
DpId SessionPeer::system_id() const { return state_->own_system; }
DpId SessionPeer::host_id() const { return state_->host_system; }
const SessionDesc& SessionPeer::desc() const { return state_->desc; }
const Text16& SessionPeer::session_name() const { return state_->name; }
const Directory& SessionPeer::directory() const { return state_->directory; }
std::vector<PeerEvent> SessionPeer::take_events() { return std::exchange(state_->events, {}); }
const PeerCounters& SessionPeer::counters() const { return state_->counters; }

}  // namespace iron::dpcompat
