// The client: joining and asking for ids. Source: directplay.md 4, 11.2-11.4.
#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {

Status SessionPeer::State::on_found(const Sender& from, const EnumSessionsReplyBody& body) {
    if (now_ms >= enumerating_until_ms) return fail("dp_order", "a session nobody asked for");
    if (!settings.application.is_zero() && body.desc.application != settings.application) return fail("dp_application", "another game");
    if (self.on_received) self.on_received(from.tcp, false, make_message(Command::enum_sessions_reply, body));
    PeerEvent e;
    e.kind = PeerEventKind::session_found;
    e.found = FoundSession{from.tcp, body.desc, body.name.value_or(Text16())};
    event(std::move(e));
    return {};
}

void SessionPeer::State::join_failed(HResult result) {
    transport.close_to(host_tcp);
    directory.clear();
    role = PeerRole::idle;
    own_system = host_system = 0;
    host_tcp = {};
    event({PeerEventKind::join_failed, 0, 0, {}, {}, result, false, {}});
}

void SessionPeer::State::next_request() {
    if (requests.empty() || requests.front().sent || role != PeerRole::client) return;
    const PeerMachine* host = directory.machine(host_system);
    if (host == nullptr) return;
    Request& r = requests.front();
    r.sent = true;
    r.since_ms = now_ms;
    send(host->tcp, r.kind == IdKind::group ? Command::request_group_id : Command::request_player_id, RequestIdBody{player_flag::kLocal});
}

Status SessionPeer::State::on_reply(const Sender&, const RequestReplyBody& body) {
    if (role == PeerRole::joining) {
        if (own_system != 0) return fail("dp_order", "a second id for the same join");
        if (body.result != kDpOk || body.id == 0) {
            join_failed(body.result == kDpOk ? kDpCantCreatePlayer : body.result);
            return {};
        }
        own_system = body.id;
        join_since_ms = now_ms;
        AddForwardRequestBody request;
        request.id = own_system;
        Player system;
        system.id = system.system_id = own_system;
        system.system = true;
        request.player = packed(system);
        request.password = join_password;
        request.key = desc.key;
        send(host_tcp, Command::add_forward_request, request);
        return {};
    }
    if (role != PeerRole::client || requests.empty() || !requests.front().sent) return fail("dp_order", "an id nobody asked for");
    const Request request = std::move(requests.front());
    requests.pop_front();
    if (body.result != kDpOk || body.id == 0) {
        event({PeerEventKind::player_failed, 0, 0, {}, {}, body.result == kDpOk ? kDpCantCreatePlayer : body.result, false, {}});
    } else if (directory.find(body.id) != nullptr) {
        return fail("dp_id", "an id that is in use");
    } else {
        add_own(request, body.id);
    }
    next_request();
    return {};
}

void SessionPeer::State::learn_machine(DpId system_id, const std::optional<SpData>& sockets, std::uint32_t version, Ipv4 sender_ip,
                                       const Endpoint* tcp) {
    if (system_id == own_system || !sockets) return;
    PeerMachine m;
    m.system_id = system_id;
    m.tcp = sockets->tcp.endpoint;
    m.udp = sockets->udp.endpoint;
    if (m.tcp.ip == 0) m.tcp.ip = sender_ip;
    if (m.udp.ip == 0) m.udp.ip = sender_ip;
    if (tcp != nullptr) m.tcp = *tcp;
    m.version = static_cast<std::uint16_t>(version);
    m.heard_ms = now_ms;
    directory.add_machine(m);
}

void SessionPeer::State::joined(const SessionDesc& table_desc, const std::optional<Text16>& table_name) {
    desc = table_desc;
    name = table_name.value_or(Text16());
    role = PeerRole::client;
    Player own;
    own.id = own.system_id = own_system;
    own.system = true;
    own.flags = player_flag::kSystem | player_flag::kInGroup;
    directory.add(std::move(own));
    event({PeerEventKind::joined, own_system, host_system, name, {}, kDpOk, false, {}});
}

Status SessionPeer::State::on_table(const Sender& from, const SuperEnumReplyBody& body) {
    if (role != PeerRole::joining || own_system == 0) return fail("dp_order", "no join is under way");
    DpId host = 0;
    for (const SuperPackedPlayer& p : body.players)
        if ((p.flags & player_flag::kSystem) && (p.flags & player_flag::kNameServer)) host = p.id;
    if (host == 0 || host == own_system) return fail("dp_structure", "a table without a host");
    host_system = host;
    for (const SuperPackedPlayer& p : body.players) {
        if (p.id == own_system) continue;
        const bool system = (p.flags & player_flag::kSystem) != 0;
        Player player;
        player.id = p.id;
        player.system = system;
        player.system_id = system ? p.id : p.version_or_system;
        player.flags = p.flags & ~player_flag::kLocal;
        player.short_name = p.short_name;
        player.long_name = p.long_name;
        player.data = p.data;
        directory.add(std::move(player));
        // The host is where we found it; the others are where the host says.
        if (system) learn_machine(p.id, p.sp_data, p.version_or_system, from.tcp.ip, p.id == host ? &from.tcp : nullptr);
    }
    for (const SuperPackedPlayer& g : body.groups) {
        Player group;
        group.id = g.id;
        group.group = true;
        group.system_id = g.version_or_system;
        group.flags = g.flags & ~player_flag::kLocal;
        group.short_name = g.short_name;
        group.long_name = g.long_name;
        group.data = g.data;
        group.members.insert(g.ids.begin(), g.ids.end());
        group.parent = g.parent.value_or(0);
        directory.add(std::move(group));
    }
    joined(body.desc, body.name);
    return {};
}

Status SessionPeer::State::on_old_table(const Sender& from, const EnumPlayersReplyBody& body) {
    if (role != PeerRole::joining || own_system == 0) return fail("dp_order", "no join is under way");
    DpId host = 0;
    for (const PackedPlayer& p : body.players)
        if ((p.flags & player_flag::kSystem) && (p.flags & player_flag::kNameServer)) host = p.id;
    if (host == 0 || host == own_system) return fail("dp_structure", "a table without a host");
    host_system = host;
    for (const auto* list : {&body.players, &body.groups})
        for (const PackedPlayer& p : *list) {
            if (p.id == own_system) continue;
            Player player;
            player.id = p.id;
            player.group = list == &body.groups;
            player.system = !player.group && (p.flags & player_flag::kSystem) != 0;
            player.system_id = player.system ? p.id : p.system_id;
            player.flags = p.flags & ~player_flag::kLocal;
            player.short_name = p.short_name;
            player.long_name = p.long_name;
            player.data = p.data;
            player.members.insert(p.ids.begin(), p.ids.end());
            player.parent = p.parent;
            const bool system = player.system;
            directory.add(std::move(player));
            if (system) learn_machine(p.id, p.sp_data, p.version, from.tcp.ip, p.id == host ? &from.tcp : nullptr);
        }
    joined(body.desc, body.name);
    return {};
}

Status SessionPeer::State::on_forward(const Sender& from, const AddForwardBody& body) {
    if (role != PeerRole::client) return fail("dp_order", "not in a session");
    if (body.player.id != body.id || !(body.player.flags & player_flag::kSystem) || !body.player.sp_data)
        return fail("dp_structure", "a forward without a machine");
    if (body.id == own_system || body.id == host_system) return fail("dp_id", "a forward of somebody who is here");
    if (directory.find(body.id) == nullptr) {
        Player system;
        system.id = system.system_id = body.id;
        system.system = true;
        system.flags = body.player.flags & ~player_flag::kLocal;
        system.created_ms = now_ms;
        directory.add(std::move(system));
        learn_machine(body.id, body.player.sp_data, body.player.version, from.tcp.ip);
        event({PeerEventKind::machine_joined, body.id, 0, {}, {}, kDpOk, false, {}});
    }
    send(from.tcp, Command::add_forward_ack, AddForwardAckBody{body.id});
    return {};
}

}  // namespace iron::dpcompat
