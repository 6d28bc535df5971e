// Originals, played by our own session client, meet each other through the bridge.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "dpcompat/bridge/bridge.hpp"
#include "dpcompat/bridge/relay.hpp"
#include "tests/dpcompat/net_machine.hpp"
#include "tests/dpcompat/temp_folder.hpp"

using namespace iron;
using namespace iron::test;

namespace {

BridgeSettings local_bridge() {
    BridgeSettings s;
    s.address = "127.0.0.1";
    s.tcp_first = s.tcp_last = s.udp_first = s.udp_last = s.enum_port = 0;
    s.session_name = "bridge";
    return s;
}

struct World {
    NetContext net;
    std::unique_ptr<Bridge> bridge;
    explicit World(BridgeSettings s = local_bridge()) {
        auto opened = Bridge::open(net, std::move(s));
        if (!opened) throw std::runtime_error(opened.error().to_string());
        bridge = std::move(*opened);
        net.every(5, [this] { bridge->pump(); });
    }
};

std::vector<Bytes> payloads(NetMachine& m) {
    m.find(PeerEventKind::player_message);
    std::vector<Bytes> out;
    for (const PeerEvent& e : m.seen)
        if (e.kind == PeerEventKind::player_message) out.push_back(e.data);
    return out;
}

}  // namespace

TEST_CASE("two originals in sessions of their own see each other and exchange payloads byte for byte") {
    World w;
    NetMachine a(w.net), b(w.net);
    REQUIRE(a.join(w.bridge->enum_port()));
    CHECK(a.peer->session_name() == u"bridge");
    const DpId pa = a.create(u"Anna", {1, 2});
    REQUIRE(pa != 0);
    REQUIRE(a.until([&] { return w.bridge->players() == 1; }));
    REQUIRE(b.join(w.bridge->enum_port()));
    CHECK(b.peer->desc().instance != a.peer->desc().instance);
    CHECK(b.peer->desc().key == a.peer->desc().key);
    // The same player has the same id in both sessions, owned by the bridge in the other one.
    const Player* seen = b.peer->directory().find(pa);
    REQUIRE(seen);
    CHECK(seen->short_name == Text16(u"Anna"));
    CHECK(seen->data == Bytes{1, 2});
    CHECK(seen->system_id == b.peer->host_id());
    const DpId pb = b.create(u"Boris");
    REQUIRE(pb != 0);
    CHECK(pb != pa);
    REQUIRE(a.until([&] { return a.peer->directory().find(pb) != nullptr; }));
    // One remote machine only: the bridge (directplay.md 15.2).
    CHECK(a.peer->directory().machines().size() == 1);
    CHECK(b.peer->directory().machines().size() == 1);

    Bytes odd(3000);
    for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = static_cast<std::uint8_t>(i * 31);
    REQUIRE(a.peer->send(pa, pb, odd, true));
    REQUIRE(b.until([&] { return !payloads(b).empty(); }));
    CHECK(payloads(b)[0] == odd);
    CHECK(b.find(PeerEventKind::player_message)->id == pa);
    CHECK(b.find(PeerEventKind::player_message)->other == pb);
    REQUIRE(b.peer->send(pb, kIdAll, Bytes{7}, false));
    REQUIRE(a.until([&] { return !payloads(a).empty(); }));
    CHECK_FALSE(a.find(PeerEventKind::player_message)->guaranteed);
    CHECK(a.find(PeerEventKind::player_message)->other == kIdAll);

    REQUIRE(a.peer->chat(pa, pb, u"hi"));
    REQUIRE(b.until_event(PeerEventKind::chat));
    REQUIRE(a.peer->set_player_name(pa, u"Anja", u"Anja"));
    REQUIRE(b.until_event(PeerEventKind::name_changed));
    CHECK(b.peer->directory().find(pa)->short_name == Text16(u"Anja"));
    REQUIRE(a.peer->set_player_data(pa, {9}));
    REQUIRE(b.until_event(PeerEventKind::data_changed));

    CHECK(a.peer->counters().rejected.empty());
    a.peer->leave();
    REQUIRE(b.until_event(PeerEventKind::player_deleted));
    CHECK(b.find(PeerEventKind::player_deleted)->id == pa);
    CHECK(b.peer->role() == PeerRole::client);
    CHECK(w.bridge->players() == 1);
    CHECK(b.peer->counters().rejected.empty());
}

TEST_CASE("an original that vanishes leaves its place to the next one") {
    World w;
    auto a = std::make_unique<NetMachine>(w.net);
    REQUIRE(a->join(w.bridge->enum_port()));
    REQUIRE(a->create(u"A") != 0);
    NetMachine b(w.net);
    REQUIRE(b.join(w.bridge->enum_port()));
    REQUIRE(b.until([&] { return w.bridge->originals() == 2; }));
    a.reset();  // only closes; the grace is five seconds
    REQUIRE(b.until([&] { return w.bridge->originals() == 1 && w.bridge->players() == 0; }));
    NetMachine c(w.net);
    REQUIRE(c.join(w.bridge->enum_port()));
    REQUIRE(c.create(u"C") != 0);
    REQUIRE(b.until([&] { return b.peer->directory().normal_count() == 1; }));
}

TEST_CASE("groups reach the others, messages to them go to their members") {
    World w;
    NetMachine a(w.net), b(w.net), c(w.net);
    for (NetMachine* m : {&a, &b, &c}) REQUIRE(m->join(w.bridge->enum_port()));
    const DpId pa = a.create(u"A"), pb = b.create(u"B"), pc = c.create(u"C");
    REQUIRE(a.until([&] { return a.peer->directory().find(pc) && b.peer->directory().find(pa) && c.peer->directory().find(pb); }));
    REQUIRE(a.peer->create_group(u"team"));
    REQUIRE(b.until([&] { return b.find(PeerEventKind::group_created) != nullptr && a.find(PeerEventKind::group_created) != nullptr; }));
    const DpId group = a.find(PeerEventKind::group_created)->id;
    REQUIRE(a.peer->add_to_group(pb, group));
    REQUIRE(b.until([&] { return b.peer->directory().find(group) && b.peer->directory().find(group)->members.contains(pb); }));
    REQUIRE(a.peer->send(pa, group, Bytes{5}, true));
    REQUIRE(b.until([&] { return payloads(b).size() == 1; }));
    CHECK(payloads(c).empty());
}

TEST_CASE("the session is full when the match is") {
    BridgeSettings s = local_bridge();
    s.max_players = 1;
    World w(s);
    NetMachine a(w.net), b(w.net);
    REQUIRE(a.join(w.bridge->enum_port()));
    REQUIRE(a.create(u"A") != 0);
    REQUIRE(a.until([&] { return w.bridge->players() == 1; }));
    REQUIRE(b.peer->enumerate({kLocal, w.bridge->enum_port()}, enum_flag::kAll));
    REQUIRE(b.until_event(PeerEventKind::session_found));
    CHECK(b.find(PeerEventKind::session_found)->found->desc.current_players == 1);
    REQUIRE(b.peer->join(*b.find(PeerEventKind::session_found)->found, {}));
    REQUIRE(b.until_event(PeerEventKind::join_failed));
    CHECK(b.find(PeerEventKind::join_failed)->result == kDpNoNewPlayers);
}

TEST_CASE("unknown commands are carried to the others and counted; the status proves nothing it has not seen") {
    const TempFolder folder;
    BridgeSettings s = local_bridge();
    s.record = (folder.path() / "match.i3dlog").string();
    s.host_player = "bridge";
    World w(s);
    std::vector<std::string> lines;
    w.bridge->on_log = [&](const std::string& level, const std::string& text) { lines.push_back(level + " " + text); };
    NetMachine a(w.net), b(w.net);
    REQUIRE(a.join(w.bridge->enum_port()));
    REQUIRE(b.join(w.bridge->enum_port()));
    const DpId pa = a.create(u"A");
    REQUIRE(pa != 0);
    const Bytes unknown = write_message(make_message(static_cast<Command>(0x33), UnknownBody{{0xCA, 0xFE}}));
    REQUIRE(a.peer->carry(unknown, true));
    REQUIRE(b.until_event(PeerEventKind::unknown_command));
    CHECK(b.find(PeerEventKind::unknown_command)->data == unknown);
    REQUIRE(a.peer->send(pa, kIdAll, Bytes{1, 2, 3}, true));
    REQUIRE(b.until([&] { return !payloads(b).empty(); }));
    CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& l) { return l.starts_with("warn unknown command 51") && l.find("cafe") != std::string::npos; }));

    const auto status = nlohmann::json::parse(w.bridge->status_json());
    CHECK(status["verified"] == "no original client verified");
    CHECK(status["mode"] == "native");
    CHECK(status["unknown_commands"]["0x33 UNKNOWN"] == 1);
    CHECK(status["messages"]["0x05 REQUESTPLAYERID"]["evidence"] == "exchanged with Wine, not with the game");
    for (const auto& m : status["messages"]) CHECK(m["proven_with_the_game"] == false);
    CHECK(status["payloads"]["carried"] == 1);
    CHECK(status["netzip"]["profile"] == "opaque");
    CHECK(status["players"].size() == 2);

    REQUIRE(w.bridge->stop());
    REQUIRE(a.until_event(PeerEventKind::session_lost));
    const auto log = read_native_log(s.record);
    REQUIRE(log);
    const auto data = std::count_if(log->begin(), log->end(), [](const NativeRecord& r) { return (r.kind & 0xFFFF) == kNativePlayerData; });
    CHECK(data == 2);  // in from A, out to B
    for (const NativeRecord& r : *log)
        if ((r.kind & 0xFFFF) == kNativePlayerData) CHECK(Bytes(r.bytes.begin() + 8, r.bytes.end()) == Bytes{1, 2, 3});
}

TEST_CASE("the relay passes a whole session on and records it") {
    const TempFolder folder;
    NetContext net;
    NetMachine host(net, local_ports(true));
    HostedSession session;
    session.instance = random_guid();
    session.name = u"original";
    session.max_players = 4;
    REQUIRE(host.peer->host(session, std::make_shared<SlotTable>(kKey)));
    REQUIRE(host.peer->create_player(u"Host", u"Host", {4, 3}));
    const DpId h = host.find(PeerEventKind::player_created)->id;

    BridgeSettings s = local_bridge();
    s.mode = BridgeMode::relay;
    s.relay = "127.0.0.1:" + std::to_string(host.transport->enum_port());
    s.record = (folder.path() / "relay.i3dlog").string();
    auto relay = Relay::open(net, s);
    REQUIRE(relay);
    NetMachine client(net);
    REQUIRE(client.join((*relay)->enum_port()));
    CHECK(client.peer->session_name() == u"original");
    CHECK(client.peer->desc().instance == session.instance);
    // The client knows the relay's ports, the host too: neither can reach the other past it.
    CHECK(client.find(PeerEventKind::session_found)->found->host.port == (*relay)->client_side_tcp());
    CHECK(host.peer->directory().machines().begin()->second.tcp.port == (*relay)->host_side_tcp());
    const DpId c = client.create(u"Client");
    REQUIRE(c != 0);
    REQUIRE(host.until([&] { return host.peer->directory().find(c) != nullptr; }));
    REQUIRE(client.peer->send(c, h, Bytes{1, 1}, true));
    REQUIRE(client.peer->send(c, h, Bytes{2, 2}, false));
    REQUIRE(host.until([&] { return payloads(host).size() == 2; }));
    REQUIRE(host.peer->send(h, c, Bytes{3, 3}, true));
    REQUIRE(host.peer->send(h, c, Bytes{4, 4}, false));
    REQUIRE(client.until([&] { return payloads(client).size() == 2; }));
    client.peer->leave();
    REQUIRE(host.until_event(PeerEventKind::machine_left));
    CHECK(host.peer->counters().rejected.empty());
    CHECK((*relay)->counters().opaque == 4);
    CHECK((*relay)->counters().unreadable == 0);
    REQUIRE((*relay)->stop());
    const auto log = read_native_log(s.record);
    REQUIRE(log);
    std::vector<Bytes> data;
    for (const NativeRecord& r : *log)
        if ((r.kind & 0xFFFF) == kNativePlayerData) data.emplace_back(r.bytes.begin() + 8, r.bytes.end());
    CHECK(data == std::vector<Bytes>{{1, 1}, {2, 2}, {3, 3}, {4, 4}});
    CHECK(std::any_of(log->begin(), log->end(), [](const NativeRecord& r) { return r.kind == 0x29 && r.direction == NativeDirection::from_host; }));
}
