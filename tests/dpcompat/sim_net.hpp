// Machines without sockets: what each sends is kept, and handed to the others by step(). Time is virtual.
#pragma once

#include <deque>
#include <functional>

#include "dpcompat/session/peer.hpp"
#include "tests/dpcompat/fixture.hpp"

namespace iron::test {

using namespace iron::dpcompat;

struct SimNet;

/// One machine's network; addresses as in the worked session.
struct SimNode final : Transport {
    SimNet& net;
    Ipv4 ip;
    std::uint16_t tcp = 2300, udp = 2350;
    TransportEvents* events = nullptr;
    bool enumeration = false, cut = false;
    std::vector<std::pair<Endpoint, Bytes>> tcp_out, udp_out;  ///< everything sent
    std::vector<Endpoint> closed;
    std::vector<ConnectionId> dropped;

    SimNode(SimNet& n, Ipv4 address) : net(n), ip(address) {}
    std::uint16_t tcp_port() const override { return tcp; }
    std::uint16_t udp_port() const override { return udp; }
    void send_tcp(const Endpoint& to, Bytes block) override;
    void send_udp(const Endpoint& to, Bytes datagram) override;
    void close_to(const Endpoint& to) override;
    void drop(ConnectionId connection) override { dropped.push_back(connection); }
    Status open_enumeration() override {
        enumeration = true;
        return {};
    }
    /// The newest block to that address, or nothing.
    Bytes last_tcp() const { return tcp_out.empty() ? Bytes{} : tcp_out.back().second; }
};

struct SimNet {
    std::uint64_t now_ms = 1000;
    std::deque<std::function<void()>> pending;
    std::vector<std::unique_ptr<SimNode>> nodes;
    std::map<std::pair<SimNode*, Endpoint>, ConnectionId> connections;
    ConnectionId next = 1;
    std::function<bool(Ipv4 from, Ipv4 to)> lose_udp;

    SimNode& add(Ipv4 ip) {
        nodes.push_back(std::make_unique<SimNode>(*this, ip));
        return *nodes.back();
    }
    SimNode* at(const Endpoint& tcp) {
        for (auto& n : nodes)
            if (n->ip == tcp.ip && n->tcp == tcp.port && n->events && !n->cut) return n.get();
        return nullptr;
    }
    void step() {
        while (!pending.empty()) {
            auto action = std::move(pending.front());
            pending.pop_front();
            action();
        }
    }
    void tick(std::uint64_t ms) {
        now_ms += ms;
        for (auto& n : nodes)
            if (n->events && !n->cut) n->events->on_tick(now_ms);
        step();
    }
    /// The machine vanishes: its connections close, nothing reaches it.
    void cut(SimNode& node) {
        node.cut = true;
        for (auto it = connections.begin(); it != connections.end();) {
            if (it->first.first != &node) {
                ++it;
                continue;
            }
            if (SimNode* to = at(it->first.second)) to->events->on_closed(it->second, node.ip);
            it = connections.erase(it);
        }
    }
};

inline void SimNode::send_tcp(const Endpoint& to, Bytes block) {
    tcp_out.emplace_back(to, block);
    net.pending.push_back([this, to, block] {
        SimNode* other = net.at(to);
        if (cut) return;
        if (other == nullptr) {
            if (events) events->on_unreachable(to);
            return;
        }
        auto [slot, fresh] = net.connections.try_emplace({this, to}, net.next);
        if (fresh) ++net.next;
        other->events->on_block(slot->second, ip, block);
    });
}
inline void SimNode::send_udp(const Endpoint& to, Bytes datagram) {
    udp_out.emplace_back(to, datagram);
    net.pending.push_back([this, to, datagram] {
        if (cut || (net.lose_udp && net.lose_udp(ip, to.ip))) return;
        for (auto& n : net.nodes) {
            if (!n->events || n->cut || n.get() == this) continue;
            const bool here = n->ip == to.ip || to.ip == 0xFFFFFFFF;
            if (here && to.port == n->udp) n->events->on_datagram({ip, udp}, datagram);
            if (here && to.port == kEnumPort && n->enumeration) n->events->on_enumeration({ip, udp}, datagram);
        }
    });
}
inline void SimNode::close_to(const Endpoint& to) {
    closed.push_back(to);
    net.pending.push_back([this, to] {
        const auto found = net.connections.find({this, to});
        if (found == net.connections.end()) return;
        const ConnectionId id = found->second;
        net.connections.erase(found);
        if (SimNode* other = net.at(to)) other->events->on_closed(id, ip);
    });
}

/// A machine with its rules.
struct SimMachine {
    SimNode& node;
    SessionPeer peer;
    std::vector<PeerEvent> seen;
    explicit SimMachine(SimNet& net, Ipv4 ip, PeerSettings settings = {}) : node(net.add(ip)), peer(node, std::move(settings)) {
        node.events = &peer;
        peer.on_tick(net.now_ms);
    }
    const PeerEvent* find(PeerEventKind kind) {
        for (PeerEvent& e : peer.take_events()) seen.push_back(std::move(e));
        for (auto it = seen.rbegin(); it != seen.rend(); ++it)
            if (it->kind == kind) return &*it;
        return nullptr;
    }
    std::size_t count(PeerEventKind kind) {
        find(kind);
        return static_cast<std::size_t>(std::count_if(seen.begin(), seen.end(), [&](const PeerEvent& e) { return e.kind == kind; }));
    }
    std::uint64_t rejected(const std::string& reason) const {
        const auto& r = peer.counters().rejected;
        const auto found = r.find(reason);
        return found == r.end() ? 0 : found->second;
    }
};

/// The session of the worked packets, as its host describes it.
inline HostedSession worked_session() {
    HostedSession s;
    s.instance = *parse_guid("{5A3C0F9E-7B21-4D66-9A10-0C55D2E4B801}");
    s.name = u"Iron test";
    s.max_players = 4;
    s.flags = session_flag::kMigrateHost | session_flag::kKeepAlive;
    s.user = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
    return s;
}

inline constexpr Ipv4 kSimHost = 0xC000020A, kSimJoiner = 0xC0000214, kSimThird = 0xC000021E;

/// Finds the host's session and joins it; true when it worked.
inline bool sim_join(SimNet& net, SimMachine& joiner, const Text16& password = {}, std::uint32_t flags = enum_flag::kAvailable) {
    if (!joiner.peer.enumerate({0xFFFFFFFF, kEnumPort}, flags)) return false;
    net.step();
    const PeerEvent* found = joiner.find(PeerEventKind::session_found);
    if (found == nullptr || !joiner.peer.join(*found->found, password)) return false;
    net.step();
    return joiner.peer.role() == PeerRole::client;
}

/// Host with its player, the third machine with its player, the team group: the state before the joiner comes.
struct WorkedWorld {
    SimNet net;
    SimMachine host{net, kSimHost}, third{net, kSimThird}, joiner{net, kSimJoiner};
    bool good = true;
    WorkedWorld() {
        host.node.enumeration = true;
        auto check = [&](bool ok) { good = good && ok; };
        check(bool(host.peer.host(worked_session(), std::make_shared<SlotTable>(kKey))));
        check(bool(host.peer.create_player(u"Host", u"Host player", {1, 2, 3, 4})));
        check(sim_join(net, third));
        check(bool(third.peer.create_player(u"Third", {}, {})));
        net.step();
        check(bool(host.peer.create_group(u"Team")));
        check(bool(host.peer.add_to_group(kHostPlayer, kTeam)));
        check(bool(host.peer.add_to_group(kThirdPlayer, kTeam)));
        net.step();
        host.node.tcp_out.clear();
        third.node.tcp_out.clear();
        joiner.node.tcp_out.clear();
    }
    bool join() { return sim_join(net, joiner); }
    bool join_and_create() {
        if (!join()) return false;
        const bool sent = bool(joiner.peer.create_player(u"\u0418\u0433\u0440\u043e\u043a", u"Player two", {1, 2, 3, 4}));
        net.step();
        return sent && joiner.peer.owns(kJoinerPlayer);
    }
};

}  // namespace iron::test
