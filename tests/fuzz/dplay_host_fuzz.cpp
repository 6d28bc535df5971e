// A host that gets anything: blocks on several connections, datagrams, enumerations, time. Input: records of
// kind (low 2 bits), source (next 2 bits), u16 length, bytes. The host stays a host, its table stays bounded, and
// nothing is sent to an address that did not speak first.
#include <cstdlib>
#include <set>

#include "dpcompat/session/peer.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

struct Net final : Transport {
    std::set<Ipv4> spoke;
    std::uint16_t tcp_port() const override { return 2300; }
    std::uint16_t udp_port() const override { return 2350; }
    void send_tcp(const Endpoint& to, Bytes) override { check(to); }
    void send_udp(const Endpoint& to, Bytes) override { check(to); }
    void close_to(const Endpoint&) override {}
    void drop(ConnectionId) override {}
    Status open_enumeration() override { return {}; }
    void check(const Endpoint& to) const {
        if (!spoke.contains(to.ip) || to.port < 1024) std::abort();
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Net net;
    SessionPeer host(net, {});
    HostedSession session;
    session.instance.bytes[0] = 1;
    session.name = u"fuzz";
    session.max_players = 4;
    session.flags = session_flag::kKeepAlive;
    if (!host.host(session, std::make_shared<SlotTable>(0x1F6A9206)) || !host.create_player(u"Host", {}, {})) std::abort();
    std::uint64_t now = 1000;
    host.on_tick(now);
    for (std::size_t at = 0; at + 3 <= size;) {
        const std::uint8_t head = data[at];
        const std::size_t length = std::min<std::size_t>(load_le<std::uint16_t>(data + at + 1), size - at - 3);
        const ByteView bytes(data + at + 3, length);
        at += 3 + length;
        const Ipv4 from = 0xC0000214 + (head >> 2 & 3);
        net.spoke.insert(from);
        switch (head & 3) {
            case 0:
                if (check_block(bytes, true, {})) host.on_block(1 + (head >> 2 & 3), from, bytes);
                break;
            case 1: host.on_datagram({from, 2350}, bytes); break;
            case 2: host.on_enumeration({from, 3000}, bytes); break;
            case 3: host.on_tick(now += length * 100); break;
        }
        if (host.role() != PeerRole::host || host.directory().players().size() > 1300) std::abort();
        (void)host.take_events();
    }
    return 0;
}
