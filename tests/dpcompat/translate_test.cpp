// An original plays on a server of this project through the bridge. Server and clients are the real ones; the
// original is our own session client; the message map is invented and only for tests.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "dpcompat/bridge/bridge.hpp"
#include "tests/dpcompat/net_machine.hpp"
#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;

namespace {

struct Mixed {
    Arena arena;
    NetContext net;
    std::unique_ptr<Bridge> bridge;

    explicit Mixed(bool with_map = false, std::uint32_t start_with = 3) : arena([&] {
        ArenaOptions o{toy_room(), {}, 3, nullptr};
        o.room.session.clans = {0, 1, 2};
        o.room.session.start_with = start_with;
        // The bridge of this test has no game directory, so the room asks for the empty one.
        o.room.session.content_list = mission::write_manifest({});
        o.room.session.fingerprint = mission::fingerprint({});
        return o;
    }()) {
        BridgeSettings s;
        s.mode = BridgeMode::translate;
        s.address = "127.0.0.1";
        s.tcp_first = s.tcp_last = s.udp_first = s.udp_last = s.enum_port = 0;
        s.server = "127.0.0.1:" + std::to_string(arena.host->port());
        if (with_map) {
            s.map_file = fixture_path("synthetic_map.toml").string();
            s.allow_synthetic = true;
        }
        auto opened = Bridge::open(net, s);
        if (!opened) throw std::runtime_error(opened.error().to_string());
        bridge = std::move(*opened);
    }
    bool until(const std::function<bool()>& condition) {
        return pump_until(
            [&] {
                net.poll(0);
                bridge->pump();
                arena.pump();
            },
            condition);
    }
    client::net::ConnectSettings modern(const std::string& name) {
        client::net::ConnectSettings s = arena.settings(name);
        s.manifest = {};
        return s;
    }
    /// Joins a DirectPlay client and gives it a player; the world runs meanwhile.
    DpId enter(NetMachine& m, const Text16& name, Bytes data = {}) {
        if (!m.peer->enumerate({kLocal, bridge->enum_port()}, enum_flag::kAvailable)) return 0;
        if (!until([&] { return m.find(PeerEventKind::session_found) != nullptr; })) return 0;
        if (!m.peer->join(*m.find(PeerEventKind::session_found)->found, {})) return 0;
        if (!until([&] { return m.peer->role() == PeerRole::client; })) return 0;
        if (!m.peer->create_player(name, name, std::move(data))) return 0;
        DpId id = 0;
        until([&] {
            m.find(PeerEventKind::joined);
            for (const PeerEvent& e : m.seen)
                if (e.kind == PeerEventKind::player_created && m.peer->owns(e.id)) id = e.id;
            return id != 0;
        });
        return id;
    }
};

const client::net::PlayerInfo* player_named(const ClientSession& s, const std::string& name) {
    for (const auto& p : s.players())
        if (p.name == name) return &p;
    return nullptr;
}

}  // namespace

TEST_CASE("an original joins the server, people of both kinds see each other, chat crosses, leaving shows") {
    Mixed w;
    ClientSession& anna = w.arena.join(w.modern("anna"));
    NetMachine original(w.net);
    const DpId id = w.enter(original, u"\u0418\u0433\u0440\u043e\u043a", {7, 7});
    REQUIRE(id != 0);
    const std::string igrok = "\xD0\x98\xD0\xB3\xD1\x80\xD0\xBE\xD0\xBA";
    REQUIRE(w.until([&] { return player_named(anna, igrok) != nullptr; }));
    CHECK(player_named(anna, igrok)->data == Bytes{7, 7});
    REQUIRE(w.until([&] { return original.peer->directory().normal_count() == 2; }));
    const PeerEvent* seen = nullptr;
    original.find(PeerEventKind::joined);
    for (const PeerEvent& e : original.seen)
        if (e.kind == PeerEventKind::player_created && e.text == u"anna") seen = &e;
    REQUIRE(seen);
    const DpId anna_id = seen->id;

    REQUIRE(original.peer->chat(id, anna_id, u"\u041f\u0440\u0438\u0432\u0435\u0442"));
    EventLog log(anna);
    REQUIRE(w.until([&] { return log.find(SessionEventKind::text) != nullptr; }));
    CHECK(log.find(SessionEventKind::text)->text == "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82");
    anna.chat("hello original");
    REQUIRE(w.until([&] { return original.find(PeerEventKind::chat) != nullptr; }));
    CHECK(original.find(PeerEventKind::chat)->text == u"hello original");
    CHECK(original.find(PeerEventKind::chat)->id == anna_id);

    REQUIRE(original.peer->set_player_data(id, {1, 2, 3}));
    REQUIRE(w.until([&] { return player_named(anna, igrok)->data == Bytes{1, 2, 3}; }));
    anna.set_player_data({5});
    REQUIRE(w.until([&] { return original.find(PeerEventKind::data_changed) != nullptr; }));
    CHECK(original.peer->directory().find(anna_id)->data == Bytes{5});

    // An opaque payload is not looked into; it is counted.
    REQUIRE(original.peer->send(id, kIdAll, Bytes{0xB8, 0x0B, 0, 0, 0, 0, 'x', 0}, true));
    REQUIRE(w.until([&] { return nlohmann::json::parse(w.bridge->status_json())["translation"]["opaque"] == 1; }));

    anna.leave();
    REQUIRE(w.until([&] { return original.find(PeerEventKind::player_deleted) != nullptr; }));
    CHECK(original.find(PeerEventKind::player_deleted)->id == anna_id);
}

TEST_CASE("an original that leaves or is lost leaves the server") {
    Mixed w;
    ClientSession& anna = w.arena.join(w.modern("anna"));
    NetMachine original(w.net);
    REQUIRE(w.enter(original, u"guest") != 0);
    REQUIRE(w.until([&] { return player_named(anna, "guest") != nullptr; }));
    EventLog log(anna);
    original.peer->leave();
    REQUIRE(w.until([&] { return log.find(SessionEventKind::player_removed) != nullptr || log.find(SessionEventKind::player_status) != nullptr; }));
    // Without an original nobody looks at the server, and nobody needs to.
    REQUIRE(w.until([&] { return w.bridge->players() == 0; }));
    NetMachine next(w.net);
    REQUIRE(w.enter(next, u"next") != 0);
    REQUIRE(w.until([&] { return next.peer->directory().normal_count() == 2; }));
}

TEST_CASE("with a map the known messages act on the server and the unknown ones stay opaque") {
    Mixed w(true, 2);
    ClientSession& anna = w.arena.join(w.modern("anna"));
    NetMachine original(w.net);
    const DpId id = w.enter(original, u"guest");
    REQUIRE(id != 0);
    REQUIRE(w.until([&] { return anna.phase() == SessionPhase::running; }));
    EventLog log(anna);
    REQUIRE(original.peer->send(id, kIdAll, Bytes{0xB8, 0x0B, 0, 0, 0, 0, 'h', 'i', 0}, true));
    REQUIRE(w.until([&] { return log.find(SessionEventKind::text) != nullptr; }));
    CHECK(log.find(SessionEventKind::text)->text == "hi");
    REQUIRE(original.peer->send(id, kIdAll, Bytes{0xBA, 0x0B, 0, 0, 1}, true));
    REQUIRE(w.until([&] { return anna.paused(); }));
    // The answer of the map in the other direction.
    anna.chat("back");
    REQUIRE(w.until([&] { return original.find(PeerEventKind::player_message) != nullptr; }));
    const Bytes line = original.find(PeerEventKind::player_message)->data;
    CHECK(line.size() == 4 + 2 + 5);
    CHECK(load_le<std::uint32_t>(line.data()) == 4000);
    // Unknown number, and a known one with another layout.
    REQUIRE(original.peer->send(id, kIdAll, Bytes{1, 2, 3, 4, 5}, true));
    REQUIRE(original.peer->send(id, kIdAll, Bytes{0xBA, 0x0B, 0, 0, 1, 1}, true));
    REQUIRE(w.until([&] { return nlohmann::json::parse(w.bridge->status_json())["translation"]["opaque"] == 2; }));
    const auto status = nlohmann::json::parse(w.bridge->status_json());
    CHECK(status["translation"]["map_mismatch"] == 1);
    CHECK(status["translation"]["synthetic_map"] == true);
    CHECK(status["translation"]["by_name"]["test chat"] == 1);
    CHECK(status["verified"] == "no original client verified");
}

TEST_CASE("a server that refuses ends the original's session") {
    Mixed w;
    ClientSession& anna = w.arena.join(w.modern("anna"));
    REQUIRE(w.until([&] { return anna.clan() != 0xFF; }));
    NetMachine original(w.net);
    REQUIRE(w.enter(original, u"anna") != 0);  // the name is taken
    REQUIRE(w.until([&] { return original.find(PeerEventKind::session_lost) != nullptr; }));
}
