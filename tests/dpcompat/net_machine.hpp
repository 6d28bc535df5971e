// Machines with real sockets on 127.0.0.1, all on one context. Nothing sleeps: waiting has a condition and a deadline.
#pragma once

#include <chrono>
#include <functional>

#include "dpcompat/session/peer.hpp"
#include "dpcompat/session/socket_transport.hpp"
#include "tests/dpcompat/fixture.hpp"

namespace iron::test {

using namespace iron::dpcompat;

inline constexpr Ipv4 kLocal = 0x7F000001;

/// Runs the context until `condition` holds; false after twenty seconds.
inline bool run_until(NetContext& net, const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        net.poll(20);
    }
    return true;
}

inline TransportSettings local_ports(bool enumeration = false) {
    TransportSettings t;
    t.address = "127.0.0.1";
    t.tcp_first = t.tcp_last = t.udp_first = t.udp_last = t.enum_port = 0;
    t.enumeration = enumeration;
    return t;
}

struct NetMachine {
    NetContext& net;
    std::unique_ptr<SocketTransport> transport;
    std::unique_ptr<SessionPeer> peer;
    std::vector<PeerEvent> seen;

    explicit NetMachine(NetContext& n, TransportSettings t = local_ports(), PeerSettings s = {}) : net(n) {
        auto opened = SocketTransport::open(n, std::move(t));
        if (!opened) throw std::runtime_error(opened.error().to_string());
        transport = std::move(*opened);
        peer = std::make_unique<SessionPeer>(*transport, std::move(s));
        transport->start(*peer);
    }
    const PeerEvent* find(PeerEventKind kind) {
        for (PeerEvent& e : peer->take_events()) seen.push_back(std::move(e));
        for (auto it = seen.rbegin(); it != seen.rend(); ++it)
            if (it->kind == kind) return &*it;
        return nullptr;
    }
    std::size_t count(PeerEventKind kind) {
        find(kind);
        return static_cast<std::size_t>(std::count_if(seen.begin(), seen.end(), [&](const PeerEvent& e) { return e.kind == kind; }));
    }
    bool until(const std::function<bool()>& condition) { return run_until(net, condition); }
    bool until_event(PeerEventKind kind) {
        return until([&] { return find(kind) != nullptr; });
    }
    /// Asks the enumeration port, joins what answers.
    bool join(std::uint16_t enum_port, const Text16& password = {}, std::uint32_t flags = enum_flag::kAvailable) {
        const std::size_t known = count(PeerEventKind::session_found);
        if (!peer->enumerate({kLocal, enum_port}, flags)) return false;
        if (!until([&] { return count(PeerEventKind::session_found) > known; })) return false;
        if (!peer->join(*find(PeerEventKind::session_found)->found, password)) return false;
        return until([&] { return peer->role() == PeerRole::client || peer->role() == PeerRole::idle; }) && peer->role() == PeerRole::client;
    }
    /// A player of this machine; its id, or 0.
    DpId create(const Text16& name, Bytes data = {}) {
        const std::size_t known = count(PeerEventKind::player_created);
        if (!peer->create_player(name, name, std::move(data))) return 0;
        DpId id = 0;
        until([&] {
            count(PeerEventKind::player_created);
            for (std::size_t i = 0, n = 0; i < seen.size(); ++i)
                if (seen[i].kind == PeerEventKind::player_created && n++ >= known && peer->owns(seen[i].id)) id = seen[i].id;
            return id != 0 || find(PeerEventKind::player_failed) != nullptr;
        });
        return id;
    }
};

}  // namespace iron::test
