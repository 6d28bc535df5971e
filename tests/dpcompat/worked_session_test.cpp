// Host and client produce the worked packets byte for byte (directplay.md 11 and 14).
#include <catch2/catch.hpp>

#include "tests/dpcompat/sim_net.hpp"

using namespace iron;
using namespace iron::test;

namespace {

/// Blocks sent to one machine, in order.
std::vector<Bytes> to_machine(const SimNode& node, Ipv4 ip) {
    std::vector<Bytes> out;
    for (const auto& [to, bytes] : node.tcp_out)
        if (to.ip == ip) out.push_back(bytes);
    return out;
}
using List = std::vector<Bytes>;

}  // namespace

TEST_CASE("a join: what the joiner sends and what the host answers are the worked packets") {
    WorkedWorld w;
    REQUIRE(w.good);
    REQUIRE(w.join());
    REQUIRE(w.joiner.node.udp_out.size() == 1);
    CHECK(w.joiner.node.udp_out[0].first == Endpoint{0xFFFFFFFF, 47624});
    CHECK(w.joiner.node.udp_out[0].second == fixture("enum_sessions_request"));
    CHECK(to_machine(w.joiner.node, kSimHost) == List{fixture("request_player_id_system"), fixture("add_forward_request")});
    CHECK(to_machine(w.host.node, kSimJoiner) ==
          List{fixture("enum_sessions_reply"), fixture("request_player_reply_system"), fixture("super_enum_players_reply")});
    CHECK(to_machine(w.host.node, kSimThird) == List{fixture("add_forward")});
    CHECK(to_machine(w.third.node, kSimHost) == List{fixture("add_forward_ack")});
    // What the joiner learned from the table.
    CHECK(w.joiner.peer.system_id() == kJoinerSystem);
    CHECK(w.joiner.peer.host_id() == kHostSystem);
    CHECK(w.joiner.peer.session_name() == u"Iron test");
    CHECK(w.joiner.peer.desc().key == kKey);
    const Directory& d = w.joiner.peer.directory();
    CHECK(d.players().size() == 6);
    CHECK(d.find(kTeam)->members.list() == std::vector<DpId>{kHostPlayer, kThirdPlayer});
    CHECK(d.machines().at(kThirdSystem).udp == Endpoint{kSimThird, 2350});
    CHECK(d.machines().at(kHostSystem).tcp == Endpoint{kSimHost, 2300});
    CHECK(w.third.peer.directory().machines().at(kJoinerSystem).tcp == Endpoint{kSimJoiner, 2300});
}

TEST_CASE("a new player: id, announcement to everybody, new description") {
    WorkedWorld w;
    REQUIRE(w.join());
    w.host.node.tcp_out.clear();
    w.joiner.node.tcp_out.clear();
    REQUIRE(w.joiner.peer.create_player(u"\u0418\u0433\u0440\u043e\u043a", u"Player two", {1, 2, 3, 4}));
    w.net.step();
    CHECK(to_machine(w.joiner.node, kSimHost) == List{fixture("request_player_id"), fixture("create_player")});
    CHECK(to_machine(w.joiner.node, kSimThird) == List{fixture("create_player")});
    CHECK(to_machine(w.host.node, kSimJoiner) == List{fixture("request_player_reply"), fixture("session_desc_changed")});
    CHECK(to_machine(w.host.node, kSimThird) == List{fixture("session_desc_changed")});
    const Player* seen = w.third.peer.directory().find(kJoinerPlayer);
    REQUIRE(seen);
    CHECK(seen->long_name == Text16(u"Player two"));
    CHECK(seen->data == Bytes{1, 2, 3, 4});
    CHECK(w.host.find(PeerEventKind::player_created)->id == kJoinerPlayer);
    // The third machine created its player a moment ago and says so again (38); the joiner knew it and stays silent.
    const auto verify = to_machine(w.third.node, kSimJoiner);
    REQUIRE(verify.size() == 1);
    CHECK(read_block(verify[0])->message()->command == 0x38);
    CHECK(w.joiner.peer.directory().players().size() == 8 - 1);
}

TEST_CASE("groups, names, data, chat and messages are the worked packets") {
    WorkedWorld w;
    REQUIRE(w.join_and_create());
    auto& out = w.joiner.node;
    const auto sent = [&] {
        auto list = to_machine(out, kSimHost);
        out.tcp_out.clear();
        return list;
    };
    sent();
    REQUIRE(w.joiner.peer.add_to_group(kJoinerPlayer, kTeam));
    CHECK(sent() == List{fixture("add_player_to_group")});
    REQUIRE(w.joiner.peer.remove_from_group(kJoinerPlayer, kTeam));
    CHECK(sent() == List{fixture("delete_player_from_group")});
    REQUIRE(w.joiner.peer.set_player_data(kJoinerPlayer, {10, 11, 12, 13, 14, 15, 16, 17}));
    CHECK(sent() == List{fixture("player_data_changed")});
    REQUIRE(w.joiner.peer.set_player_name(kJoinerPlayer, u"New", u"New name"));
    CHECK(sent() == List{fixture("player_name_changed")});
    REQUIRE(w.joiner.peer.chat(kJoinerPlayer, kHostPlayer, u"hello"));
    CHECK(sent() == List{fixture("chat")});
    const Bytes data{0xDE, 0xAD, 0xBE, 0xEF, 0, 1, 2, 3};
    REQUIRE(w.joiner.peer.send(kJoinerPlayer, kHostPlayer, data, true));
    CHECK(sent() == List{fixture("player_message_tcp")});
    out.udp_out.clear();
    REQUIRE(w.joiner.peer.send(kJoinerPlayer, kHostPlayer, data, false));
    REQUIRE(out.udp_out.size() == 1);
    CHECK(out.udp_out[0].first == Endpoint{kSimHost, 2350});
    CHECK(out.udp_out[0].second == fixture("player_message_udp"));
    w.net.step();
    CHECK(w.host.count(PeerEventKind::player_message) == 2);
    CHECK(w.host.find(PeerEventKind::player_message)->data == data);
    CHECK(w.host.find(PeerEventKind::chat)->text == u"hello");
    CHECK(w.host.find(PeerEventKind::data_changed)->data.size() == 8);
    CHECK(w.third.find(PeerEventKind::name_changed)->text == u"New");
    CHECK(w.host.count(PeerEventKind::group_joined) == 1);
    CHECK(w.host.count(PeerEventKind::group_left) == 1);
}

TEST_CASE("a host's group is announced as the worked packet") {
    SimNet net;
    SimMachine host(net, kSimHost), other(net, kSimThird);
    host.node.enumeration = true;
    REQUIRE(host.peer.host(worked_session(), std::make_shared<SlotTable>(kKey)));
    REQUIRE(host.peer.create_player(u"Host", {}, {}));
    REQUIRE(sim_join(net, other));
    REQUIRE(other.peer.create_player(u"Third", {}, {}));
    net.step();
    host.node.tcp_out.clear();
    REQUIRE(host.peer.create_group(u"Team"));
    CHECK(host.node.last_tcp() == fixture("create_group"));
}

TEST_CASE("leaving announces the players, then the machine") {
    WorkedWorld w;
    REQUIRE(w.join_and_create());
    w.joiner.node.tcp_out.clear();
    w.joiner.peer.leave();
    const List goodbye{fixture("delete_player"), fixture("delete_player_system")};
    CHECK(to_machine(w.joiner.node, kSimHost) == goodbye);
    CHECK(to_machine(w.joiner.node, kSimThird) == goodbye);
    w.net.step();
    CHECK(w.host.find(PeerEventKind::player_deleted)->id == kJoinerPlayer);
    CHECK(w.host.find(PeerEventKind::machine_left)->id == kJoinerSystem);
    CHECK(w.third.peer.directory().find(kJoinerPlayer) == nullptr);
    CHECK(w.joiner.peer.role() == PeerRole::idle);
    CHECK(w.host.peer.directory().machines().size() == 1);
    // The freed slot comes back with the next uniqueness (5.6).
    REQUIRE(w.join());
    CHECK(split_id(w.joiner.peer.system_id(), kKey) == IdParts{5, 2});
}

TEST_CASE("a silent machine is pinged and answers with the pinger's id") {
    WorkedWorld w;
    REQUIRE(w.join());
    w.host.node.udp_out.clear();
    w.joiner.node.udp_out.clear();
    w.net.tick(74'565 - w.net.now_ms);
    std::vector<Bytes> pings;
    for (const auto& [to, bytes] : w.host.node.udp_out)
        if (to.ip == kSimJoiner && read_block(bytes)->message()->command == 0x16) pings.push_back(bytes);
    CHECK(pings == List{fixture("ping")});
    std::vector<Bytes> answers;
    for (const auto& [to, bytes] : w.joiner.node.udp_out)
        if (to.ip == kSimHost && read_block(bytes)->message()->command == 0x17) answers.push_back(bytes);
    CHECK(answers == List{fixture("ping_reply")});
}

TEST_CASE("wrong passwords and full sessions are refused as the worked packets") {
    SimNet net;
    SimMachine host(net, kSimHost), joiner(net, kSimJoiner);
    host.node.enumeration = true;
    HostedSession session = worked_session();
    session.password = u"secret";
    auto slots = std::make_shared<SlotTable>(kKey);
    REQUIRE(host.peer.host(session, slots));
    for (int i = 0; i < 4; ++i) REQUIRE(host.peer.create_player(u"x", {}, {}));
    // Five slots are taken, so the joiner's system player is slot 5 as in the worked session; then there is room.
    session.max_players = 5;
    REQUIRE(host.peer.set_description(session));
    CHECK_FALSE(sim_join(net, joiner, u"wrong", enum_flag::kAvailable | enum_flag::kPasswordRequired));
    CHECK(host.node.last_tcp() == fixture("add_forward_reply_bad_password"));
    CHECK(joiner.find(PeerEventKind::join_failed)->result == kDpInvalidPassword);
    CHECK(sim_join(net, joiner, u"Secret", enum_flag::kPasswordRequired) == false);
    REQUIRE(sim_join(net, joiner, u"secret", enum_flag::kPasswordRequired));
    // A right password fills the request of the worked packet, whose id is the first use of slot 5.
    Bytes request = fixture("add_forward_request_password");
    const auto sent = to_machine(joiner.node, kSimHost).back();
    CHECK(sent.size() == request.size());
    joiner.peer.leave();
    net.step();
    session.max_players = 4;
    REQUIRE(host.peer.set_description(session));
    CHECK_FALSE(sim_join(net, joiner, u"secret", enum_flag::kAll | enum_flag::kPasswordRequired));
    CHECK(host.node.last_tcp() == fixture("request_player_reply_full"));
    CHECK(joiner.find(PeerEventKind::join_failed)->result == kDpNoNewPlayers);
}

TEST_CASE("a kicked machine gets the worked packet, the others its deletions") {
    WorkedWorld w;
    REQUIRE(w.join_and_create());
    w.host.node.tcp_out.clear();
    REQUIRE(w.host.peer.kick(kJoinerPlayer));
    CHECK(to_machine(w.host.node, kSimJoiner)[0] == fixture("you_are_dead"));
    const auto told = to_machine(w.host.node, kSimThird);
    REQUIRE(told.size() >= 2);
    CHECK(told[0] == fixture("delete_player"));
    CHECK(told[1] == fixture("delete_player_system"));
    w.net.step();
    CHECK(w.joiner.find(PeerEventKind::session_lost));
    CHECK(w.joiner.peer.role() == PeerRole::idle);
    CHECK(w.third.peer.directory().find(kJoinerPlayer) == nullptr);
}

TEST_CASE("the host vanishes: the lowest id becomes host and tells the others with the worked packet") {
    WorkedWorld w;
    REQUIRE(w.join_and_create());
    w.joiner.node.tcp_out.clear();
    w.net.cut(w.host.node);
    w.net.tick(4'999);
    CHECK(w.joiner.peer.role() == PeerRole::client);
    w.net.tick(1);
    CHECK(w.joiner.find(PeerEventKind::became_host));
    CHECK(w.joiner.node.enumeration);
    CHECK(to_machine(w.joiner.node, kSimThird)[0] == fixture("i_am_name_server"));
    CHECK(w.third.peer.host_id() == kJoinerSystem);
    CHECK(w.third.peer.role() == PeerRole::client);
    CHECK(w.third.find(PeerEventKind::host_changed)->id == kJoinerSystem);
    // The session goes on: the new host gives out ids, slots and uniqueness continue.
    REQUIRE(w.third.peer.create_player(u"Second", {}, {}));
    w.net.step();
    const PeerEvent* created = w.joiner.find(PeerEventKind::player_created);
    REQUIRE(created);
    CHECK(split_id(created->id, kKey) == IdParts{0, 1});
    SimMachine late(w.net, 0xC0000228);
    REQUIRE(sim_join(w.net, late));
    CHECK(late.peer.host_id() == kJoinerSystem);
}

TEST_CASE("without the migration flag a lost host ends the session") {
    SimNet net;
    SimMachine host(net, kSimHost), joiner(net, kSimJoiner);
    host.node.enumeration = true;
    HostedSession session = worked_session();
    session.flags = session_flag::kKeepAlive;
    REQUIRE(host.peer.host(session, std::make_shared<SlotTable>(kKey)));
    REQUIRE(sim_join(net, joiner));
    host.peer.leave();
    net.step();
    CHECK(joiner.find(PeerEventKind::session_lost)->result == kDpSessionLost);
    CHECK(joiner.peer.role() == PeerRole::idle);
}
