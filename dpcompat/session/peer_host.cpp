// The host: ids, joins, the player table, enumeration replies. Source: directplay.md 4, 11.1-11.4.
#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {

SessionDesc SessionPeer::State::current_desc() const {
    SessionDesc out = desc;
    out.current_players = static_cast<std::uint32_t>(directory.normal_count());
    out.name_pointer = out.password_pointer = 0;
    return out;
}

bool SessionPeer::State::full(bool with_reservations) const {
    if (desc.max_players == 0) return false;
    std::size_t count = directory.normal_count();
    if (with_reservations)
        for (const auto& [id, r] : reservations) count += r.kind == IdKind::player ? 1 : 0;
    return count >= desc.max_players;
}

void SessionPeer::on_enumeration(const Endpoint& from, ByteView datagram) {
    State& s = *state_;
    const auto request = s.gate.admit(from, datagram, s.now_ms);
    if (!request) {
        s.reject(request.error());
        return;
    }
    answer_enumeration(from, request->header, request->body);
}

void SessionPeer::answer_enumeration(const Endpoint& from, const SpHeader& header, const EnumSessionsBody& request) {
    State& s = *state_;
    if (s.role != PeerRole::host) return;
    ++s.counters.received[static_cast<std::uint16_t>(Command::enum_sessions)];
    if (!s.settings.answer_any_game && !request.application.is_zero() && request.application != s.settings.application) return;
    const bool closed = s.full(false) || (s.desc.flags & (session_flag::kNewPlayersDisabled | session_flag::kJoinDisabled)) != 0;
    if (!enumeration_shows(s.desc.flags, s.password, closed, request)) return;
    // The port comes from the header, the address from the socket, whatever the header says (directplay.md 1.2).
    const Endpoint asker{from.ip, header.address.endpoint.port};
    if (s.directory.machine_by_tcp(asker) == nullptr) s.strangers[asker] = s.now_ms;
    s.send(asker, Command::enum_sessions_reply, EnumSessionsReplyBody{s.current_desc(), s.name.empty() ? std::nullopt : std::optional(s.name)});
}

Status SessionPeer::State::on_request_id(const Sender& from, const Message& m) {
    const std::uint32_t flags = m.as<RequestIdBody>()->flags;
    const bool group = m.code() == Command::request_group_id;
    const bool system = !group && (flags & player_flag::kSystem) != 0;
    const auto answer = [&](DpId id, HResult result) {
        RequestReplyBody body;
        body.id = id;
        body.result = result;
        if (from.machine == nullptr) strangers[from.tcp] = now_ms;
        send(from.tcp, Command::request_player_reply, body);
    };
    if (system) {
        // The same machine again: it lost its session without telling.
        if (from.machine != nullptr) lose_machine(from.machine->system_id, true);
        for (const auto& [id, r] : reservations)
            if (r.machine == from.tcp && r.kind == IdKind::system && !joins.contains(id)) {
                answer(id, kDpOk);
                return {};
            }
        const bool closed = full(true) || (desc.flags & session_flag::kJoinDisabled) != 0 ||
                            directory.machines().size() + joins.size() >= settings.max_machines;
        const DpId id = closed ? 0 : slots->take();
        if (id != 0) reservations[id] = {from.tcp, IdKind::system, now_ms};
        answer(id, id == 0 ? kDpNoNewPlayers : kDpOk);
        return {};
    }
    if (from.machine == nullptr) return fail("dp_order", "a player before its machine");
    std::size_t open = 0;
    for (const auto& [id, r] : reservations) open += r.machine == from.tcp ? 1 : 0;
    if (open >= 16) return fail("dp_count", "too many ids without players");
    const bool closed = !group && (full(true) || (desc.flags & session_flag::kNewPlayersDisabled) != 0);
    const DpId id = closed ? 0 : slots->take();
    if (id != 0) reservations[id] = {from.tcp, group ? IdKind::group : IdKind::player, now_ms};
    answer(id, id == 0 ? kDpNoNewPlayers : kDpOk);
    return {};
}

Status SessionPeer::State::reserved(const Sender& from, DpId id, IdKind kind) {
    const auto found = reservations.find(id);
    if (found == reservations.end() || found->second.machine != from.tcp || found->second.kind != kind)
        return fail("dp_order", "an id that was not given to this machine");
    return {};
}

Status SessionPeer::State::on_join(const Sender& from, const AddForwardRequestBody& body) {
    if (from.machine != nullptr || joins.contains(body.id)) return fail("dp_order", "this machine has joined already");
    IRON_CHECK(reserved(from, body.id, IdKind::system));
    if (body.player.id != body.id || !(body.player.flags & player_flag::kSystem)) return fail("dp_id", "a join with another player");
    if (!body.player.sp_data) return fail("dp_structure", "a machine without sockets");
    if (settings.strict_key && body.key != desc.key) return fail("dp_key", "a join request for another session");
    const Endpoint udp{from.tcp.ip, body.player.sp_data->udp.endpoint.port};
    if (udp.port < 1024) return fail("dp_port", "UDP port " + std::to_string(udp.port));
    if (directory.machine_by_udp(udp) != nullptr) return fail("dp_ownership", "the UDP socket of another machine");
    if (body.password.value_or(Text16()) != password.value_or(Text16())) {
        send(from.tcp, Command::add_forward_reply, ResultBody{kDpInvalidPassword});
        reservations.erase(body.id);
        slots->release(body.id);
        return {};
    }
    PendingJoin join;
    join.machine.system_id = body.id;
    join.machine.tcp = from.tcp;
    join.machine.udp = udp;
    join.machine.version = static_cast<std::uint16_t>(body.player.version);
    join.machine.heard_ms = now_ms;
    join.player = body.player;
    join.since_ms = now_ms;
    strangers.erase(from.tcp);
    // The others learn the joiner with its observed address.
    AddForwardBody forward;
    forward.id = body.id;
    forward.player = body.player;
    forward.player.flags = player_flag::kSystem | player_flag::kInGroup;
    forward.player.sp_data->tcp.endpoint = from.tcp;
    forward.player.sp_data->udp.endpoint = udp;
    for (const auto& [id, machine] : directory.machines()) {
        join.waiting.insert(id);
        send(machine.tcp, Command::add_forward, forward);
    }
    joins.insert_or_assign(body.id, std::move(join));
    if (joins.at(body.id).waiting.empty()) complete_join(body.id);
    return {};
}

Status SessionPeer::State::on_forward_ack(const Sender& from, DpId id) {
    const auto found = joins.find(id);
    if (found == joins.end() || found->second.waiting.erase(from.machine->system_id) == 0)
        return fail("dp_order", "an acknowledgement nobody waits for");
    if (found->second.waiting.empty()) complete_join(id);
    return {};
}

SuperEnumReplyBody SessionPeer::State::table_for(const PendingJoin& join) const {
    SuperEnumReplyBody out;
    out.desc = current_desc();
    if (!name.empty()) out.name = name;
    const auto entry = [&](const Player& p, std::uint32_t flags, std::uint32_t version, std::optional<SpData> sockets) {
        SuperPackedPlayer e;
        e.flags = flags;
        e.id = p.id;
        e.version_or_system = p.system ? version : p.system_id;
        e.short_name = p.short_name;
        e.long_name = p.long_name;
        e.data = p.data;
        e.sp_data = sockets;
        return e;
    };
    const auto sockets_of = [](const PeerMachine& m) {
        SpData d;
        d.tcp.endpoint = m.tcp;
        d.udp.endpoint = m.udp;
        return d;
    };
    constexpr std::uint32_t kRemoteSystem = player_flag::kSystem | player_flag::kInGroup;
    // Order and flags of the captured tables (directplay.md 4.8): the joiner, the host, its players, the others.
    Player joiner;
    joiner.id = joiner.system_id = join.machine.system_id;
    joiner.system = true;
    out.players.push_back(entry(joiner, kRemoteSystem, join.machine.version, sockets_of(join.machine)));
    const Player* own = directory.find(own_system);
    out.players.push_back(entry(*own, kRemoteSystem | player_flag::kNameServer | player_flag::kLocal, settings.version, own_sockets()));
    for (const auto& [id, p] : directory.players())
        if (!p.system && !p.group && p.system_id == own_system)
            out.players.push_back(entry(p, player_flag::kInGroup | player_flag::kLocal, 0, own_sockets()));
    for (const auto& [machine_id, m] : directory.machines()) {
        if (const Player* p = directory.find(machine_id)) out.players.push_back(entry(*p, kRemoteSystem, m.version, sockets_of(m)));
        for (const auto& [id, p] : directory.players())
            if (!p.system && !p.group && p.system_id == machine_id) out.players.push_back(entry(p, player_flag::kInGroup, 0, sockets_of(m)));
    }
    for (const auto& [id, p] : directory.players()) {
        if (!p.group) continue;
        SuperPackedPlayer e = entry(p, player_flag::kInGroup, 0, {});
        e.ids.assign(p.members.begin(), p.members.end());
        e.parent = p.parent;
        out.groups.push_back(std::move(e));
    }
    return out;
}

void SessionPeer::State::complete_join(DpId id) {
    const auto found = joins.find(id);
    if (found == joins.end()) return;
    const PendingJoin join = std::move(found->second);
    joins.erase(found);
    reservations.erase(id);
    const SuperEnumReplyBody table = table_for(join);
    Player system;
    system.id = system.system_id = id;
    system.system = true;
    system.flags = player_flag::kSystem | player_flag::kInGroup;
    system.short_name = join.player.short_name;
    system.long_name = join.player.long_name;
    system.data = join.player.data;
    system.created_ms = now_ms;
    directory.add(std::move(system));
    directory.add_machine(join.machine);
    send(join.machine.tcp, Command::super_enum_players_reply, table);
    event({PeerEventKind::machine_joined, id, 0, {}, {}, kDpOk, false, {}});
}

void SessionPeer::State::announce_desc() {
    if (role != PeerRole::host || (desc.flags & session_flag::kNoSessionDescMessages)) return;
    send_to_all(Command::session_desc_changed, SessionDescChangedBody{current_desc(), name.empty() ? std::nullopt : std::optional(name), {}});
}

void SessionPeer::State::release_machine_ids(const Endpoint& tcp) {
    std::erase_if(reservations, [&](const auto& r) {
        if (r.second.machine != tcp) return false;
        slots->release(r.first);
        return true;
    });
}

}  // namespace iron::dpcompat
