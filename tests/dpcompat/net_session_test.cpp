// Host and client against each other over real sockets on free loopback ports.
#include <catch2/catch.hpp>

#include <set>

#include "dpcompat/session/udp_socket.hpp"
#include "shared/base/rng.hpp"
#include "tests/dpcompat/net_machine.hpp"

using namespace iron;
using namespace iron::test;

namespace {

HostedSession open_session(std::uint32_t flags = session_flag::kMigrateHost | session_flag::kKeepAlive) {
    HostedSession s;
    s.instance = random_guid();
    s.name = u"loopback";
    s.max_players = 4;
    s.flags = flags;
    return s;
}

struct Host : NetMachine {
    explicit Host(NetContext& n, const HostedSession& session = open_session(), PeerSettings s = {}) : NetMachine(n, local_ports(true), std::move(s)) {
        if (auto hosted = peer->host(session, std::make_shared<SlotTable>(make_session_key(random_word()))); !hosted)
            throw std::runtime_error(hosted.error().to_string());
    }
    std::uint16_t port() const { return transport->enum_port(); }
};

}  // namespace

TEST_CASE("enumerate, join, create a player, send both ways, leave: over real sockets") {
    NetContext net;
    Host host(net);
    const DpId host_player = [&] {
        REQUIRE(host.peer->create_player(u"Host", u"Host", {1}));
        return host.find(PeerEventKind::player_created)->id;
    }();
    NetMachine joiner(net);
    REQUIRE(joiner.join(host.port()));
    CHECK(joiner.peer->session_name() == u"loopback");
    CHECK(joiner.peer->directory().find(host_player)->data == Bytes{1});
    const DpId id = joiner.create(u"\u0418\u0433\u0440\u043e\u043a", {9, 8, 7});
    REQUIRE(id != 0);
    REQUIRE(host.until([&] { return host.peer->directory().find(id) != nullptr; }));
    CHECK(host.peer->directory().find(id)->data == Bytes{9, 8, 7});

    const Bytes large(200'000, 5), small{1, 2, 3};
    REQUIRE(joiner.peer->send(id, host_player, large, true));
    REQUIRE(joiner.peer->send(id, kIdAll, small, false));
    REQUIRE(host.until([&] { return host.count(PeerEventKind::player_message) == 2; }));
    for (const PeerEvent& e : host.seen)
        if (e.kind == PeerEventKind::player_message) CHECK(e.data == (e.guaranteed ? large : small));
    REQUIRE(host.peer->send(host_player, id, small, true));
    REQUIRE(host.peer->send(host_player, id, Bytes(20'000, 4), false));
    REQUIRE(joiner.until([&] { return joiner.count(PeerEventKind::player_message) == 2; }));
    REQUIRE(host.peer->chat(host_player, kIdAll, u"hello"));
    REQUIRE(joiner.until_event(PeerEventKind::chat));
    CHECK(joiner.find(PeerEventKind::chat)->text == u"hello");

    HostedSession changed = open_session();
    changed.name = u"renamed";
    REQUIRE(host.peer->set_description(changed));
    REQUIRE(joiner.until([&] { return joiner.peer->session_name() == u"renamed"; }));

    CHECK(joiner.peer->counters().rejected.empty());
    joiner.peer->leave();
    REQUIRE(host.until_event(PeerEventKind::machine_left));
    CHECK(host.peer->directory().find(id) == nullptr);
    CHECK(host.peer->counters().rejected.empty());
}

TEST_CASE("three machines: announced to each other, and the session survives its host") {
    NetContext net;
    PeerSettings quick;
    quick.closed_grace_ms = 0;
    auto host = std::make_unique<Host>(net, open_session(), quick);
    NetMachine a(net, local_ports(), quick), b(net, local_ports(), quick);
    REQUIRE(a.join(host->port()));
    REQUIRE(b.join(host->port()));
    const DpId pa = a.create(u"A"), pb = b.create(u"B");
    REQUIRE(pa != 0);
    REQUIRE(pb != 0);
    REQUIRE(a.until([&] { return a.peer->directory().find(pb) && b.peer->directory().find(pa); }));
    REQUIRE(a.peer->send(pa, pb, Bytes{1}, true));
    REQUIRE(a.peer->send(pa, pb, Bytes{2}, false));
    REQUIRE(b.until([&] { return b.count(PeerEventKind::player_message) == 2; }));

    host->peer->leave();
    NetMachine& heir = a.peer->system_id() < b.peer->system_id() ? a : b;
    NetMachine& other = &heir == &a ? b : a;
    REQUIRE(heir.until_event(PeerEventKind::became_host));
    REQUIRE(other.until_event(PeerEventKind::host_changed));
    CHECK(other.peer->host_id() == heir.peer->system_id());
    const std::uint16_t port = heir.transport->enum_port();
    REQUIRE(port != 0);
    NetMachine late(net, local_ports(), quick);
    REQUIRE(late.join(port));
    CHECK(late.peer->directory().find(pa));
    CHECK(late.peer->directory().find(pb));
    CHECK(late.peer->desc().instance == other.peer->desc().instance);
    REQUIRE(late.create(u"C") != 0);
    REQUIRE(other.until([&] { return other.peer->directory().normal_count() == 3; }));
}

TEST_CASE("a host that dies without a word is noticed by its closed connections") {
    NetContext net;
    PeerSettings quick;
    quick.closed_grace_ms = 100;
    auto host = std::make_unique<Host>(net, open_session(session_flag::kKeepAlive), quick);
    NetMachine joiner(net, local_ports(), quick);
    REQUIRE(joiner.join(host->port()));
    host.reset();
    REQUIRE(joiner.until_event(PeerEventKind::session_lost));
}

TEST_CASE("passwords, full sessions and two sessions of one machine") {
    NetContext net;
    HostedSession secret = open_session();
    secret.password = u"pass";
    secret.max_players = 1;
    Host host(net, secret);
    NetMachine joiner(net);
    CHECK_FALSE(joiner.join(host.port(), u"no", enum_flag::kPasswordRequired));
    CHECK(joiner.find(PeerEventKind::join_failed)->result == kDpInvalidPassword);
    REQUIRE(joiner.join(host.port(), u"pass", enum_flag::kPasswordRequired));
    REQUIRE(joiner.create(u"one") != 0);
    CHECK(joiner.create(u"two") == 0);
    CHECK(joiner.find(PeerEventKind::player_failed)->result == kDpNoNewPlayers);

    // Another session on the same machine has its own GUID and ports.
    Host second(net);
    NetMachine other(net);
    REQUIRE(other.join(second.port()));
    CHECK(other.peer->desc().instance != joiner.peer->desc().instance);
    CHECK(other.find(PeerEventKind::session_found)->found->host.port != joiner.find(PeerEventKind::session_found)->found->host.port);
}

TEST_CASE("garbage on every port leaves the session alive") {
    NetContext net;
    Host host(net);
    NetMachine joiner(net);
    REQUIRE(joiner.join(host.port()));
    Rng rng(8, 8);
    auto noise = std::make_shared<UdpSocket>(net.io());
    REQUIRE(noise->bind(asio::ip::address_v4(kLocal), 0, 0, false, false));
    for (int i = 0; i < 50; ++i) {
        Bytes bytes(rng.below(200));
        for (auto& b : bytes) b = static_cast<std::uint8_t>(rng.next());
        noise->send({kLocal, host.transport->udp_port()}, bytes);
        noise->send({kLocal, host.port()}, bytes);
    }
    noise->close();
    // A block with a wrong token closes its connection.
    NetMachine rude(net);
    rude.transport->send_tcp({kLocal, host.transport->tcp_port()}, Bytes(64, 0xEE));
    REQUIRE(host.until([&] { return host.peer->counters().rejected.contains("token") || host.peer->counters().rejected.contains("size"); }));
    REQUIRE(joiner.create(u"alive") != 0);
}

TEST_CASE("a taken enumeration port is named with its likely owner") {
    NetContext net;
    Host host(net);
    TransportSettings t = local_ports(true);
    t.enum_port = host.port();
    const auto again = SocketTransport::open(net, t);
    REQUIRE_FALSE(again);
    CHECK(again.error().code() == "port_in_use");
    CHECK(again.error().message().find("dplaysvr.exe") != std::string::npos);
}

namespace {

/// Two sockets between two machines: each machine announces the socket behind which the other one reaches it. Loses,
/// doubles and swaps datagrams by a fixed stream.
struct LossyWire {
    std::shared_ptr<UdpSocket> for_a, for_b;  ///< what stands for A and for B
    Endpoint a, b;                            ///< the real sockets
    Rng rng{77, 1};
    std::uint64_t passed = 0, lost = 0;
    std::optional<Bytes> held_a, held_b;
    std::uint32_t loss_percent = 0;

    explicit LossyWire(NetContext& net) : for_a(std::make_shared<UdpSocket>(net.io())), for_b(std::make_shared<UdpSocket>(net.io())) {
        for (auto& s : {for_a, for_b})
            if (!s->bind(asio::ip::address_v4(kLocal), 0, 0, false, false)) throw std::runtime_error("no port for the wire");
        // What B sends to A's stand-in leaves from B's stand-in towards A.
        for_a->receive([this](const Endpoint&, ByteView bytes) { pass(*for_b, a, bytes, held_a); });
        for_b->receive([this](const Endpoint&, ByteView bytes) { pass(*for_a, b, bytes, held_b); });
    }
    ~LossyWire() {
        for_a->close();
        for_b->close();
    }
    void pass(UdpSocket& from, const Endpoint& to, ByteView bytes, std::optional<Bytes>& held) {
        if (rng.below(100) < loss_percent) {
            ++lost;
            return;
        }
        if (loss_percent != 0 && rng.below(10) == 0 && !held) {
            held = Bytes(bytes.begin(), bytes.end());
            return;
        }
        ++passed;
        from.send(to, bytes);
        if (held) from.send(to, *std::exchange(held, {}));
    }
};

}  // namespace

TEST_CASE("through a wire that loses datagrams guaranteed traffic is whole and the rest is never damaged") {
    NetContext net;
    LossyWire wire(net);
    TransportSettings ta = local_ports(true), tb = local_ports();
    ta.advertised_udp_port = wire.for_a->port();
    tb.advertised_udp_port = wire.for_b->port();
    PeerSettings pinging;
    pinging.ping_period_ms = 200;
    pinging.pings_until_dead = 1000;
    NetMachine host(net, ta, pinging), joiner(net, tb, pinging);
    // The transports tell the advertised ports; the wire needs the real ones, which the first datagram shows.
    wire.loss_percent = 0;
    REQUIRE(host.peer->host(open_session(), std::make_shared<SlotTable>(make_session_key(1234567))));
    wire.a = {kLocal, host.transport->bound_udp_port()};
    wire.b = {kLocal, joiner.transport->bound_udp_port()};
    REQUIRE(joiner.join(host.transport->enum_port()));
    REQUIRE(host.peer->create_player(u"H", {}, {}));
    const DpId h = host.find(PeerEventKind::player_created)->id, j = joiner.create(u"J");
    REQUIRE(joiner.until([&] { return joiner.peer->directory().find(h) != nullptr && host.peer->directory().find(j) != nullptr; }));

    wire.loss_percent = 30;
    std::set<Bytes> sent;
    for (std::uint8_t i = 0; i < 100; ++i) {
        Bytes data(20, i);
        sent.insert(data);
        REQUIRE(joiner.peer->send(j, h, data, false));
        REQUIRE(joiner.peer->send(j, h, data, true));
        net.poll(1);
    }
    REQUIRE(host.until([&] {
        host.find(PeerEventKind::player_message);
        return std::count_if(host.seen.begin(), host.seen.end(), [](const PeerEvent& e) { return e.kind == PeerEventKind::player_message && e.guaranteed; }) == 100;
    }));
    std::uint8_t next = 0;
    std::size_t datagrams = 0;
    for (const PeerEvent& e : host.seen) {
        if (e.kind != PeerEventKind::player_message) continue;
        if (e.guaranteed) CHECK(e.data == Bytes(20, next++));
        else ++datagrams;
        CHECK(sent.contains(e.data));
    }
    CHECK(wire.lost > 0);
    CHECK(datagrams + wire.lost <= 100 + wire.lost);
    CHECK(datagrams < 100);
    // Lost pings do not end the session, answered ones measure it.
    REQUIRE(host.until([&] { return host.peer->directory().machines().begin()->second.round_trip_ms.has_value(); }));
    CHECK(host.peer->role() == PeerRole::host);
}
