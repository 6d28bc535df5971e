// What a host refuses (directplay.md 13), and its timers (10). Raw packets from machines that keep no rules.
#include <catch2/catch.hpp>

#include "dpcompat/session/enumeration.hpp"
#include "tests/dpcompat/sim_net.hpp"

using namespace iron;
using namespace iron::test;

namespace {

struct Rules {
    WorkedWorld w;
    Rules() { REQUIRE(w.join_and_create()); }
    SimMachine& host() { return w.host; }
    /// A raw block on the joiner's connection.
    void from_joiner(const Bytes& block) {
        const auto id = w.net.connections.at({&w.joiner.node, Endpoint{kSimHost, 2300}});
        host().peer.on_block(id, kSimJoiner, block);
    }
};

}  // namespace

TEST_CASE("a machine may not speak for the player of another one") {
    Rules r;
    const auto third = [](const char* name, std::size_t at) { return changed(fixture(name), at, {0x05, 0x92, 0x6b, 0x1f}); };
    r.from_joiner(changed(third("create_player", 32), 56, {0x05, 0x92, 0x6b, 0x1f}));
    CHECK(r.host().rejected("ownership") == 1);
    r.from_joiner(third("player_message_tcp", 20));
    CHECK(r.host().rejected("ownership") == 2);
    CHECK(r.host().count(PeerEventKind::player_message) == 0);
    // The third failure in a minute closes the connection.
    CHECK(r.w.host.node.dropped.empty());
    r.from_joiner(third("player_data_changed", 32));
    CHECK(r.host().rejected("ownership") == 3);
    CHECK(r.w.host.node.dropped.size() == 1);
    CHECK(r.host().peer.directory().find(kThirdPlayer)->data.empty());
}

TEST_CASE("only its machine or the host removes a player") {
    Rules r;
    r.from_joiner(changed(fixture("delete_player"), 32, {0x05, 0x92, 0x6b, 0x1f}));
    r.from_joiner(changed(fixture("delete_player"), 32, {0x06, 0x92, 0x6b, 0x1f}));
    CHECK(r.host().rejected("ownership") == 2);
    CHECK(r.host().peer.directory().find(kThirdPlayer));
    CHECK(r.host().peer.role() == PeerRole::host);
}

TEST_CASE("messages of the host are a lie when a client sends them") {
    for (const char* name : {"session_desc_changed", "enum_sessions_reply", "request_player_reply", "you_are_dead", "add_forward",
                             "super_enum_players_reply", "add_forward_reply_bad_password"}) {
        INFO(name);
        Rules r;
        r.from_joiner(fixture(name));
        CHECK(r.host().rejected("role") == 1);
        CHECK(r.host().peer.desc().current_players == 0);
        CHECK(r.host().peer.role() == PeerRole::host);
    }
}

TEST_CASE("a second name server is told that it is dead") {
    Rules r;
    r.w.host.node.tcp_out.clear();
    r.from_joiner(changed(fixture("i_am_name_server"), 28, {0x06, 0x92, 0x6b, 0x1f}));
    CHECK(r.host().rejected("role") == 1);
    CHECK(r.w.host.node.last_tcp() == fixture("you_are_dead"));
}

TEST_CASE("nothing but questions is accepted before a complete join") {
    SimNet net;
    SimMachine host(net, kSimHost);
    REQUIRE(host.peer.host(worked_session(), std::make_shared<SlotTable>(kKey)));
    const auto raw = [&](ConnectionId id, const Bytes& block) { host.peer.on_block(id, kSimJoiner, block); };
    raw(1, fixture("create_player"));
    raw(2, fixture("player_message_tcp"));
    raw(3, fixture("request_player_id"));
    raw(4, fixture("add_forward_request"));
    raw(5, fixture("add_forward_ack"));
    CHECK(host.rejected("order") == 5);
    CHECK(host.peer.directory().players().size() == 1);
    CHECK(host.node.tcp_out.empty());
    // The join request needs the id that was given to this machine, once.
    raw(6, fixture("request_player_id_system"));
    REQUIRE(host.node.tcp_out.size() == 1);
    const DpId id = read_block(host.node.last_tcp())->message()->as<RequestReplyBody>()->id;
    CHECK(split_id(id, kKey) == IdParts{1, 1});
    raw(6, fixture("request_player_id_system"));
    CHECK(read_block(host.node.last_tcp())->message()->as<RequestReplyBody>()->id == id);
    host.peer.on_block(7, kSimThird, fixture("add_forward_request"));
    CHECK(host.rejected("order") == 6);
}

TEST_CASE("a connection belongs to one header port") {
    Rules r;
    r.from_joiner(changed(fixture("player_message_tcp"), 6, {0x08, 0xfd}));
    CHECK(r.host().rejected("port") == 1);
    CHECK(r.host().count(PeerEventKind::player_message) == 0);
}

TEST_CASE("datagrams count only from the announced socket") {
    Rules r;
    r.host().peer.on_datagram({kSimJoiner, 2351}, fixture("player_message_udp"));
    r.host().peer.on_datagram({0xC0000299, 2350}, fixture("player_message_udp"));
    CHECK(r.host().rejected("ownership") == 2);
    r.host().peer.on_datagram({kSimJoiner, 2350}, fixture("player_message_udp"));
    CHECK(r.host().count(PeerEventKind::player_message) == 1);
    r.host().peer.on_datagram({kSimJoiner, 2350}, changed(fixture("ping_reply"), 0, {0x25}));
    CHECK(r.host().rejected("size") == 1);
    r.host().peer.on_datagram({kSimJoiner, 2350}, changed(fixture("player_message_udp"), 4, {0x05}));
    CHECK(r.host().rejected("id") == 1);
}

TEST_CASE("a stranger's ping makes the host open no connection, a former member's one a minute") {
    Rules r;
    r.w.host.node.tcp_out.clear();
    r.host().peer.on_datagram({0xC0000299, 2350}, fixture("ping_reply"));
    CHECK(r.w.host.node.tcp_out.empty());
    r.w.joiner.peer.leave();
    r.w.net.step();
    r.w.host.node.tcp_out.clear();
    for (int i = 0; i < 3; ++i) r.host().peer.on_datagram({kSimJoiner, 2350}, fixture("ping_reply"));
    REQUIRE(r.w.host.node.tcp_out.size() == 1);
    CHECK(r.w.host.node.tcp_out[0].first == Endpoint{kSimJoiner, 2300});
    CHECK(r.w.host.node.last_tcp() == fixture("you_are_dead"));
}

TEST_CASE("which requests a session answers: the table of the page") {
    const std::optional<Text16> none, secret = Text16(u"secret");
    const auto asked = [](std::uint32_t flags, std::optional<Text16> password = {}) { return EnumSessionsBody{kGameGuid, flags, password}; };
    using enum_flag::kAll, enum_flag::kAvailable, enum_flag::kPasswordRequired;
    // open / closed / protected, as rows of 4.1
    CHECK(enumeration_shows(0, none, false, asked(0)));
    CHECK_FALSE(enumeration_shows(0, none, true, asked(0)));
    CHECK_FALSE(enumeration_shows(0, none, true, asked(kAvailable)));
    CHECK_FALSE(enumeration_shows(0, secret, false, asked(kAvailable)));
    CHECK(enumeration_shows(0, none, true, asked(kAll)));
    CHECK_FALSE(enumeration_shows(0, secret, false, asked(kAll)));
    CHECK_FALSE(enumeration_shows(0, none, true, asked(kAvailable | kPasswordRequired)));
    CHECK(enumeration_shows(0, secret, false, asked(kAvailable | kPasswordRequired)));
    CHECK(enumeration_shows(0, secret, true, asked(kAll | kPasswordRequired)));
    // A right password shows a protected session; a private one needs it.
    CHECK(enumeration_shows(0, secret, false, asked(0, Text16(u"secret"))));
    CHECK_FALSE(enumeration_shows(0, secret, false, asked(0, Text16(u"Secret"))));
    CHECK_FALSE(enumeration_shows(session_flag::kPrivate, secret, false, asked(kAll | kPasswordRequired)));
    CHECK(enumeration_shows(session_flag::kPrivate, secret, false, asked(0, Text16(u"secret"))));
}

TEST_CASE("enumeration is limited by address and in total, and knows other games") {
    SimNet net;
    SimMachine host(net, kSimHost);
    REQUIRE(host.peer.host(worked_session(), std::make_shared<SlotTable>(kKey)));
    const Bytes request = fixture("enum_sessions_request");
    for (int i = 0; i < 9; ++i) host.peer.on_enumeration({kSimJoiner, 3000}, request);
    CHECK(host.node.tcp_out.size() == 5);
    CHECK(host.rejected("rate") == 4);
    // The answer goes to the port of the header, never to the source port or the header's address.
    CHECK(host.node.tcp_out[0].first == Endpoint{kSimJoiner, 2300});
    for (std::uint32_t i = 0; i < 100; ++i) host.peer.on_enumeration({0x0A000000 + i, 3000}, request);
    CHECK(host.node.tcp_out.size() == 50);
    net.now_ms += 1000;
    host.peer.on_tick(net.now_ms);
    host.node.tcp_out.clear();
    host.peer.on_enumeration({kSimJoiner, 3000}, changed(request, 28, {0x02}));
    CHECK(host.node.tcp_out.empty());
    Bytes any = request;
    std::fill(any.begin() + 28, any.begin() + 44, std::uint8_t{0});
    host.peer.on_enumeration({kSimJoiner, 3000}, any);
    CHECK(host.node.tcp_out.size() == 1);
    Bytes other = fixture("ping");
    host.peer.on_enumeration({kSimJoiner, 3000}, other);
    CHECK(host.rejected("order") == 1);
}

TEST_CASE("a reservation without its player is released after fifteen seconds") {
    WorkedWorld w;
    REQUIRE(w.join());
    const auto id = w.net.connections.at({&w.joiner.node, Endpoint{kSimHost, 2300}});
    // Two places are left (4 at most, 2 there); reservations count.
    for (int i = 0; i < 3; ++i) w.host.peer.on_block(id, kSimJoiner, fixture("request_player_id"));
    CHECK(w.host.node.last_tcp() == fixture("request_player_reply_full"));
    w.net.pending.clear();
    w.net.tick(15'000);
    w.host.peer.on_block(id, kSimJoiner, fixture("request_player_id"));
    CHECK(read_block(w.host.node.last_tcp())->message()->as<RequestReplyBody>()->result == kDpOk);
}

TEST_CASE("the host waits fifteen seconds for acknowledgements, then goes on") {
    WorkedWorld w;
    w.third.node.events = nullptr;  // reachable, but it never answers
    auto deaf = std::make_unique<SimMachine>(w.net, kSimThird);
    deaf->node.events = nullptr;
    REQUIRE(w.joiner.peer.enumerate({0xFFFFFFFF, kEnumPort}, enum_flag::kAvailable));
    w.net.step();
    const auto found = *w.joiner.find(PeerEventKind::session_found)->found;
    // The third machine's rules are replaced by nobody: blocks to it must not count as unreachable.
    struct Mute final : TransportEvents {
        void on_block(ConnectionId, Ipv4, ByteView) override {}
        void on_bad_stream(ConnectionId, Ipv4, const Error&) override {}
        void on_closed(ConnectionId, Ipv4) override {}
        void on_datagram(const Endpoint&, ByteView) override {}
        void on_enumeration(const Endpoint&, ByteView) override {}
        void on_unreachable(const Endpoint&) override {}
        void on_tick(std::uint64_t) override {}
    } mute;
    w.third.node.events = &mute;
    REQUIRE(w.joiner.peer.join(found));
    w.net.step();
    const auto tables = [&] {
        return std::count_if(w.host.node.tcp_out.begin(), w.host.node.tcp_out.end(), [](const auto& b) { return b.second == fixture("super_enum_players_reply"); });
    };
    CHECK(tables() == 0);
    w.host.peer.on_tick(w.net.now_ms + 14'999);
    CHECK(tables() == 0);
    w.host.peer.on_tick(w.net.now_ms + 15'000);
    CHECK(tables() == 1);
}

TEST_CASE("a machine that answers no ping is dead after eight of them") {
    WorkedWorld w;
    REQUIRE(w.join_and_create());
    // Its connections stay, but it is silent.
    w.net.lose_udp = [](Ipv4 from, Ipv4 to) { return from == kSimJoiner || to == kSimJoiner; };
    w.joiner.node.cut = true;
    int periods = 0;
    while (w.host.peer.directory().machines().contains(kJoinerSystem) && periods < 20) {
        w.net.tick(35'000);
        ++periods;
    }
    CHECK(periods == 9);
    CHECK(w.host.peer.directory().machines().contains(kThirdSystem));
    CHECK(w.third.peer.directory().find(kJoinerPlayer) == nullptr);
}

TEST_CASE("unknown commands are counted and carried, secured sessions refused") {
    Rules r;
    const Bytes unknown = frame_message(make_message(static_cast<Command>(0x33), UnknownBody{{1, 2, 3}}), 2300);
    r.from_joiner(unknown);
    CHECK(r.host().peer.counters().unknown_commands == 1);
    const PeerEvent* e = r.host().find(PeerEventKind::unknown_command);
    REQUIRE(e);
    CHECK(e->result == 0x33);
    CHECK(e->data == Bytes(unknown.begin() + 20, unknown.end()));
    r.from_joiner(frame_message(make_message(Command::negotiate, AuthTokenBody{kJoinerSystem, {1}}), 2300));
    CHECK(r.host().rejected("unsupported") == 1);
}

TEST_CASE("fragments make one message, over both transports, and the waiting form is acknowledged") {
    Rules r;
    r.from_joiner(fixture("packet_fragment_0"));
    r.host().peer.on_datagram({kSimJoiner, 2350}, fixture("packet_fragment_1"));
    CHECK(r.host().find(PeerEventKind::data_changed)->data.size() == 60);
    r.w.host.node.udp_out.clear();
    r.host().peer.on_datagram({kSimJoiner, 2350}, fixture("packet2_data"));
    REQUIRE(r.w.host.node.udp_out.size() == 1);
    CHECK(r.w.host.node.udp_out[0].second == fixture("packet2_ack"));
}

TEST_CASE("a large datagram travels in fragments, data that looks like a message in a wrapper") {
    Rules r;
    const Bytes large(100'000, 9);
    REQUIRE(r.w.joiner.peer.send(kJoinerPlayer, kHostPlayer, large, false));
    r.w.net.step();
    CHECK(r.host().find(PeerEventKind::player_message)->data == large);
    CHECK_FALSE(r.host().find(PeerEventKind::player_message)->guaranteed);
    Bytes tricky(40, 1);
    std::memcpy(tricky.data() + 12, "play", 4);
    r.w.joiner.node.udp_out.clear();
    REQUIRE(r.w.joiner.peer.send(kJoinerPlayer, kHostPlayer, tricky, false));
    CHECK(read_block(r.w.joiner.node.udp_out.back().second)->message()->command == 0x19);
    r.w.net.step();
    CHECK(r.host().find(PeerEventKind::player_message)->data == tricky);
    CHECK(r.w.joiner.peer.send(kJoinerPlayer, kHostPlayer, Bytes(0xFFFFF - 27), true).error().code() == "dp_size");
}

TEST_CASE("a message to everybody travels once a machine, to a group once a machine with members") {
    Rules r;
    auto& out = r.w.joiner.node.tcp_out;
    out.clear();
    REQUIRE(r.w.joiner.peer.send(kJoinerPlayer, kIdAll, Bytes{1}, true));
    CHECK(out.size() == 2);
    out.clear();
    REQUIRE(r.w.joiner.peer.send(kJoinerPlayer, kTeam, Bytes{1}, true));
    CHECK(out.size() == 2);
    r.w.net.step();
    CHECK(r.w.host.count(PeerEventKind::player_message) == 2);
    CHECK(r.w.third.find(PeerEventKind::player_message)->other == kTeam);
}

TEST_CASE("settings that are not hosted are refused before anything opens") {
    SimNet net;
    SimMachine host(net, kSimHost);
    for (std::uint32_t flag : {session_flag::kSecureServer, session_flag::kClientServer, session_flag::kMulticastServer,
                               session_flag::kDirectPlayProtocol, session_flag::kNoMessageId, session_flag::kPrivate}) {
        HostedSession s = worked_session();
        s.flags |= flag;
        CHECK(host.peer.host(s, std::make_shared<SlotTable>(kKey)).error().code() == "bad_setting");
    }
    CHECK(host.peer.role() == PeerRole::idle);
    CHECK(make_session_key(0) == 0x10000000);
    CHECK(make_session_key(0xFFFFFFFF) >> 16 <= 0xEFFF);
}

TEST_CASE("slots are reused lowest first with growing uniqueness") {
    SlotTable slots(kKey);
    const DpId a = slots.take(), b = slots.take();
    CHECK(a == kHostSystem);
    CHECK(b == kHostPlayer);
    slots.release(a);
    CHECK_FALSE(slots.taken(a));
    CHECK(split_id(slots.take(), kKey) == IdParts{0, 2});
    SlotTable other(kKey);
    other.adopt(kJoinerSystem);
    CHECK(other.take() == kHostSystem);
    other.release(kJoinerSystem);
    for (int i = 1; i < 5; ++i) other.take();
    CHECK(split_id(other.take(), kKey) == IdParts{5, 2});
}

TEST_CASE("a session client gives up when nobody answers") {
    SimNet net;
    SimMachine joiner(net, kSimJoiner);
    struct Mute final : TransportEvents {
        void on_block(ConnectionId, Ipv4, ByteView) override {}
        void on_bad_stream(ConnectionId, Ipv4, const Error&) override {}
        void on_closed(ConnectionId, Ipv4) override {}
        void on_datagram(const Endpoint&, ByteView) override {}
        void on_enumeration(const Endpoint&, ByteView) override {}
        void on_unreachable(const Endpoint&) override {}
        void on_tick(std::uint64_t) override {}
    } mute;
    SimNode& silent = net.add(kSimHost);
    silent.events = &mute;
    FoundSession found;
    found.host = {kSimHost, 2300};
    REQUIRE(joiner.peer.join(found));
    net.tick(4'999);
    CHECK(joiner.peer.role() == PeerRole::joining);
    net.tick(1);
    CHECK(joiner.find(PeerEventKind::join_failed)->result == kDpTimeout);
    found.host = {0xC0000263, 2300};
    REQUIRE(joiner.peer.join(found));
    net.step();
    CHECK(joiner.count(PeerEventKind::join_failed) == 2);
    CHECK(joiner.find(PeerEventKind::join_failed)->result == kDpNoConnection);
}
