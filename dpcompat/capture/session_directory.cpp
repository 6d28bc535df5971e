#include "dpcompat/capture/session_directory.hpp"

namespace iron::dpcompat {

std::uint32_t SessionDirectory::create(const Guid& instance, const Machine& host) {
    CapturedSession session;
    session.number = static_cast<std::uint32_t>(sessions_.size() + 1);
    session.instance = instance;
    session.host = host;
    sessions_.push_back(std::move(session));
    return sessions_.back().number;
}

std::uint32_t SessionDirectory::by_instance(const Guid& instance) const {
    for (const CapturedSession& s : sessions_)
        if (!instance.is_zero() && s.instance == instance) return s.number;
    return 0;
}

void SessionDirectory::enter(std::uint32_t session, const Machine& machine) {
    current_[machine] = session;
    sessions_[session - 1].machines.insert(machine);
}

void SessionDirectory::learn_desc(CapturedSession& s, const SessionDesc& desc, const std::optional<Text16>& name) {
    if (s.instance.is_zero()) s.instance = desc.instance;
    s.application = desc.application;
    s.key = desc.key;
    s.flags = desc.flags;
    s.max_players = desc.max_players;
    s.user = desc.user;
    if (name) s.name = *name;
}

void SessionDirectory::learn_sockets(CapturedSession& s, const SpData& data, const Machine& sender) {
    // 0.0.0.0 stands for the sender's own address.
    const Ipv4 tcp_ip = data.tcp.endpoint.ip == 0 ? sender.ip : data.tcp.endpoint.ip;
    const Ipv4 udp_ip = data.udp.endpoint.ip == 0 ? sender.ip : data.udp.endpoint.ip;
    if (data.udp.endpoint.port != 0 && data.tcp.endpoint.port != 0)
        s.udp_ports[{udp_ip, data.udp.endpoint.port}] = {tcp_ip, data.tcp.endpoint.port};
}

template <class Packed>
void SessionDirectory::learn_player(CapturedSession& s, const Packed& p, DpId system_id, bool group, const Machine& sender) {
    CapturedPlayer& known = s.players[p.id];
    known.id = p.id;
    known.system = !group && (p.flags & player_flag::kSystem) != 0;
    known.host = known.system && (p.flags & player_flag::kNameServer) != 0;
    known.system_id = known.system ? p.id : system_id;
    known.group = group;
    known.left = false;
    if (p.short_name) known.short_name = *p.short_name;
    if (p.long_name) known.long_name = *p.long_name;
    if (p.sp_data) learn_sockets(s, *p.sp_data, sender);
}

std::uint32_t SessionDirectory::learn(const Machine& from, const Machine& to, const Message& m, std::uint64_t) {
    if (m.code() == Command::enum_sessions) return 0;
    if (const auto* reply = m.as<EnumSessionsReplyBody>()) {
        std::uint32_t number = by_instance(reply->desc.instance);
        if (number == 0) number = create(reply->desc.instance, from);
        enter(number, from);
        learn_desc(sessions_[number - 1], reply->desc, reply->name);
        return number;
    }
    // The description names the session; everything else belongs to the session its machines are in.
    std::uint32_t number = 0;
    const auto* table = m.as<SuperEnumReplyBody>();
    const auto* old_table = m.as<EnumPlayersReplyBody>();
    const auto* desc_change = m.as<SessionDescChangedBody>();
    const SessionDesc* desc = table ? &table->desc : old_table ? &old_table->desc : desc_change ? &desc_change->desc : nullptr;
    const auto known = [&](const Machine& machine) {
        const auto found = current_.find(machine);
        return found == current_.end() ? 0u : found->second;
    };
    if (desc != nullptr) {
        number = by_instance(desc->instance);
        const std::uint32_t open = known(from);
        if (number == 0 && open != 0 && sessions_[open - 1].instance.is_zero()) number = open;
        if (number == 0) number = create(desc->instance, from);
    } else if (m.code() == Command::request_player_id || m.code() == Command::add_forward_request) {
        number = known(to);  // the host's session, not the one the joiner may have left
    } else {
        number = known(from) != 0 ? known(from) : known(to);
    }
    if (number == 0) number = create({}, m.code() == Command::request_player_id ? to : from);
    enter(number, from);
    if (to.port != 0) enter(number, to);
    CapturedSession& s = sessions_[number - 1];
    if (desc != nullptr) learn_desc(s, *desc, table ? table->name : old_table ? old_table->name : desc_change->name);

    if (table != nullptr) {
        s.host = from;
        for (const auto& p : table->players) learn_player(s, p, p.version_or_system, false, from);
        for (const auto& p : table->groups) learn_player(s, p, p.version_or_system, true, from);
    } else if (old_table != nullptr) {
        s.host = from;
        for (const auto& p : old_table->players) learn_player(s, p, p.system_id, false, from);
        for (const auto& p : old_table->groups) learn_player(s, p, p.system_id, true, from);
    } else if (const auto* created = m.as<CreateBody>()) {
        learn_player(s, created->player, created->player.system_id, m.code() == Command::create_group, from);
    } else if (const auto* request = m.as<AddForwardRequestBody>()) {
        s.key = request->key;
        learn_player(s, request->player, request->player.system_id, false, from);
    } else if (const auto* forward = m.as<AddForwardBody>()) {
        learn_player(s, forward->player, forward->player.system_id, false, from);
    } else if (const auto* named = m.as<NameChangedBody>()) {
        if (const auto p = s.players.find(named->id); p != s.players.end()) {
            p->second.short_name = named->short_name.value_or(Text16());
            p->second.long_name = named->long_name.value_or(Text16());
        }
    } else if (const auto* server = m.as<NameServerBody>()) {
        s.host = from;
        for (auto& [id, p] : s.players) p.host = p.system && id == server->system_id;
        if (server->sp_data) learn_sockets(s, *server->sp_data, from);
    } else if (m.code() == Command::delete_player || m.code() == Command::delete_group) {
        const auto* gone = m.as<MembershipBody>();
        const DpId id = m.code() == Command::delete_player ? gone->player : gone->group;
        for (auto& [other, p] : s.players)
            if (other == id || (p.system_id == id && !p.group)) p.left = true;
    }
    return number;
}

std::uint32_t SessionDirectory::of_machines(const Machine& from, const Machine& to) {
    for (const Machine& m : {from, to})
        if (const auto found = current_.find(m); found != current_.end()) {
            enter(found->second, from);
            return found->second;
        }
    return 0;
}

std::optional<Machine> SessionDirectory::machine_of_udp(const Endpoint& socket) const {
    for (auto s = sessions_.rbegin(); s != sessions_.rend(); ++s)
        if (const auto found = s->udp_ports.find(socket); found != s->udp_ports.end()) return found->second;
    return {};
}

std::uint32_t SessionDirectory::of_udp(const Endpoint& socket) const {
    for (auto s = sessions_.rbegin(); s != sessions_.rend(); ++s)
        if (s->udp_ports.contains(socket)) return s->number;
    return 0;
}

std::uint32_t SessionDirectory::of_datagram(const Endpoint& from, const Endpoint& to, ByteView data) const {
    std::uint32_t by_port = 0;
    for (auto s = sessions_.rbegin(); s != sessions_.rend(); ++s) {
        if (!s->udp_ports.contains(from) && !s->udp_ports.contains(to)) continue;
        if (by_port == 0) by_port = s->number;
        if (s->has_flag(session_flag::kNoMessageId)) return s->number;
        if (data.size() < 8) continue;
        const auto sender = load_le<std::uint32_t>(data.data()), receiver = load_le<std::uint32_t>(data.data() + 4);
        if (s->players.contains(sender) && (receiver == kIdAll || s->players.contains(receiver))) return s->number;
    }
    return by_port != 0 && sessions_[by_port - 1].has_flag(session_flag::kDirectPlayProtocol) ? by_port : 0;
}

}  // namespace iron::dpcompat
