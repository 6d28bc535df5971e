// Time: pings, grace, timeouts; what happens when a machine or the host is gone. Source: directplay.md 10-12.
#include <algorithm>

#include "dpcompat/session/peer_state.hpp"

namespace iron::dpcompat {

void SessionPeer::on_closed(ConnectionId id, Ipv4) {
    State& s = *state_;
    const auto found = s.connections.find(id);
    if (found == s.connections.end()) return;
    const auto machine = found->second.machine;
    s.connections.erase(found);
    if (!machine) return;
    for (const auto& [other, connection] : s.connections)
        if (connection.machine == machine) return;
    if (PeerMachine* m = s.directory.machine_by_tcp(*machine)) {
        m->closed = true;
        m->closed_ms = s.now_ms;
    }
}

void SessionPeer::on_unreachable(const Endpoint& to) {
    State& s = *state_;
    s.strangers.erase(to);
    if (s.role == PeerRole::joining && to == s.host_tcp) {
        s.join_failed(kDpNoConnection);
        return;
    }
    for (auto it = s.joins.begin(); it != s.joins.end(); ++it)
        if (it->second.machine.tcp == to) {
            s.joins.erase(it);
            break;
        }
    if (const PeerMachine* m = s.directory.machine_by_tcp(to)) s.lose_machine(m->system_id, true);
    else if (s.slots) s.release_machine_ids(to);
}

void SessionPeer::on_tick(std::uint64_t now_ms) {
    state_->now_ms = now_ms;
    state_->tick();
}

void SessionPeer::State::lose_machine(DpId system_id, bool tell) {
    const PeerMachine* found = directory.machine(system_id);
    if (found == nullptr) return;
    const PeerMachine machine = *found;
    const bool was_host = system_id == host_system;
    const std::vector<Player> gone = directory.remove(system_id);
    assemblers.erase(machine.tcp);
    departed[machine.udp] = {machine.tcp, now_ms, 0};
    transport.close_to(machine.tcp);
    if (role == PeerRole::host) {
        release_machine_ids(machine.tcp);
        // Nobody waits for the acknowledgement of a machine that is gone.
        std::vector<DpId> complete;
        for (auto& [id, join] : joins)
            if (join.waiting.erase(system_id) != 0 && join.waiting.empty()) complete.push_back(id);
        if (tell)
            for (const Player& p : gone)
                if (!p.group) send_to_all(Command::delete_player, MembershipBody{p.id, 0});
        removed(gone);
        for (DpId id : complete) complete_join(id);
        return;
    }
    removed(gone);
    if (was_host) host_lost();
    else if (role == PeerRole::waiting_for_host) choose_host();
}

void SessionPeer::State::session_lost() {
    for (const auto& [id, machine] : directory.machines()) transport.close_to(machine.tcp);
    directory.clear();
    requests.clear();
    joins.clear();
    reservations.clear();
    slots.reset();
    role = PeerRole::idle;
    own_system = host_system = 0;
    host_tcp = {};
    event({PeerEventKind::session_lost, 0, 0, {}, {}, kDpSessionLost, false, {}});
}

void SessionPeer::State::host_lost() {
    host_system = 0;
    host_tcp = {};
    if (!(desc.flags & session_flag::kMigrateHost)) {
        session_lost();
        return;
    }
    role = PeerRole::waiting_for_host;
    // Everybody is asked for a sign of life at once.
    for (auto& [id, machine] : directory.machines()) {
        machine.unanswered = 0;
        machine.pinged_ms = now_ms;
        send_udp(machine, Command::ping, PingBody{own_system, static_cast<std::uint32_t>(now_ms)});
    }
    choose_host();
}

void SessionPeer::State::choose_host() {
    DpId lowest = own_system;
    for (const auto& [id, machine] : directory.machines()) lowest = std::min(lowest, id);
    if (lowest == own_system) become_host();
}

void SessionPeer::State::become_host() {
    role = PeerRole::host;
    host_system = own_system;
    directory.find(own_system)->flags = player_flag::kSystem | player_flag::kNameServer | player_flag::kInGroup;
    // The ids of the old host go on: key and id give slot and uniqueness.
    slots = std::make_shared<SlotTable>(desc.key);
    for (const auto& [id, p] : directory.players()) slots->adopt(id);
    for (Request& r : requests) {
        // What we waited for, we can now give ourselves.
        if (const DpId id = slots->take(); id != 0) add_own(r, id);
    }
    requests.clear();
    if (auto opened = transport.open_enumeration(); !opened) reject(opened.error());
    for (const auto& [id, machine] : directory.machines()) {
        NameServerBody body;
        body.to = id;
        body.system_id = own_system;
        body.sp_data = own_sockets();
        send(machine.tcp, Command::i_am_name_server, body);
    }
    event({PeerEventKind::became_host, own_system, 0, {}, {}, kDpOk, false, {}});
    announce_desc();
}

Status SessionPeer::State::on_name_server(const Sender& from, const NameServerBody& body) {
    if (from.machine == nullptr) return fail("dp_order", "a name server before a complete join");
    if (role == PeerRole::host) {
        send(from.tcp, Command::you_are_dead, EmptyBody{});
        return fail("dp_role", "there is a host already");
    }
    if (body.system_id != from.machine->system_id) return fail("dp_ownership", "a name server in the name of another machine");
    if (!(desc.flags & session_flag::kMigrateHost)) return fail("dp_role", "this session does not change its host");
    // The next host is the lowest of those that are left; the old one may still be in our table.
    DpId lowest = own_system;
    for (const auto& [id, machine] : directory.machines())
        if (id != host_system) lowest = std::min(lowest, id);
    if (lowest != body.system_id) return fail("dp_role", "another machine is next");
    if (host_system != 0 && host_system != body.system_id) {
        const DpId old = std::exchange(host_system, 0);
        if (const PeerMachine* m = directory.machine(old)) {
            transport.close_to(m->tcp);
            departed[m->udp] = {m->tcp, now_ms, 0};
        }
        removed(directory.remove(old));
    }
    host_system = body.system_id;
    host_tcp = from.tcp;
    role = PeerRole::client;
    if (Player* p = directory.find(host_system)) p->flags |= player_flag::kNameServer;
    event({PeerEventKind::host_changed, host_system, 0, {}, {}, kDpOk, false, {}});
    for (Request& r : requests) r.sent = false;
    next_request();
    return {};
}

Status SessionPeer::State::on_ping(const Sender& from, bool request, const PingBody& body) {
    if (from.machine == nullptr) {
        // A stranger: only somebody who was here lately is told, once a minute; else a forged datagram would make us
        // open connections (directplay.md 11.5).
        const auto left = departed.find(from.socket);
        if (role == PeerRole::host && from.udp && left != departed.end() && (left->second.told_ms == 0 || now_ms - left->second.told_ms >= 60'000)) {
            left->second.told_ms = now_ms == 0 ? 1 : now_ms;
            strangers[left->second.tcp] = now_ms;
            send(left->second.tcp, Command::you_are_dead, EmptyBody{});
        }
        return fail("dp_id", "a ping from nobody here");
    }
    if (!request) {
        from.machine->unanswered = 0;
        from.machine->round_trip_ms = static_cast<std::uint32_t>(now_ms) - body.tick_ms;
        return {};
    }
    if (body.id != from.machine->system_id) return fail("dp_ownership", "a ping in the name of another machine");
    send_udp(*from.machine, Command::ping_reply, body);
    return {};
}

void SessionPeer::State::tick() {
    // Client: requests that got no answer.
    if (role == PeerRole::joining && now_ms - join_since_ms >= settings.request_timeout_ms) join_failed(kDpTimeout);
    if (!requests.empty() && requests.front().sent && now_ms - requests.front().since_ms >= settings.request_timeout_ms) {
        requests.pop_front();
        event({PeerEventKind::player_failed, 0, 0, {}, {}, kDpTimeout, false, {}});
        next_request();
    }
    if (role == PeerRole::host) {
        std::vector<DpId> complete;
        for (const auto& [id, join] : joins)
            if (now_ms - join.since_ms >= settings.forward_timeout_ms) complete.push_back(id);
        for (DpId id : complete) complete_join(id);
        std::erase_if(reservations, [&](const auto& r) {
            if (joins.contains(r.first) || now_ms - r.second.since_ms < settings.reservation_ms) return false;
            slots->release(r.first);
            return true;
        });
    }
    std::erase_if(strangers, [&](const auto& entry) {
        if (now_ms - entry.second < 30'000) return false;
        if (directory.machine_by_tcp(entry.first) == nullptr) transport.close_to(entry.first);
        return true;
    });
    std::erase_if(departed, [&](const auto& d) { return now_ms - d.second.left_ms >= 60'000; });
    for (auto& [endpoint, assembler] : assemblers) assembler.expire(now_ms);

    std::vector<DpId> lost;
    const bool keep_alive = (desc.flags & session_flag::kKeepAlive) != 0;
    for (auto& [id, m] : directory.machines()) {
        if (m.closed && now_ms - m.closed_ms >= settings.closed_grace_ms) {
            lost.push_back(id);
            continue;
        }
        const bool mine_to_ping = role == PeerRole::waiting_for_host ||
                                  (keep_alive && (role == PeerRole::host || (role == PeerRole::client && id == host_system)));
        if (!mine_to_ping || now_ms - std::max(m.heard_ms, m.pinged_ms) < settings.ping_period_ms) continue;
        if (m.unanswered >= settings.pings_until_dead) {
            lost.push_back(id);
            continue;
        }
        ++m.unanswered;
        m.pinged_ms = now_ms;
        send_udp(m, Command::ping, PingBody{own_system, static_cast<std::uint32_t>(now_ms)});
    }
    for (DpId id : lost) lose_machine(id, true);
}

}  // namespace iron::dpcompat
