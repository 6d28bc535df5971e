// Who is not let in, and what he is told (net-messages.md 7.3).
#include <catch2/catch.hpp>

#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;

namespace {

/// Joins with `settings` and returns the error the session ends with.
Error refusal(Arena& arena, client::net::ConnectSettings settings) {
    ClientSession& client = arena.join(std::move(settings));
    REQUIRE(arena.until([&] { return client.phase() == SessionPhase::ended; }));
    REQUIRE(client.ending());
    return *client.ending();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("another protocol version is refused and both versions are named") {
    Arena arena;
    auto settings = arena.settings("anna");
    settings.version = {7, 3};
    const Error error = refusal(arena, std::move(settings));
    CHECK(error.code() == "rejected_version");
    CHECK(contains(error.message(), "7.3"));
    CHECK(contains(error.message(), protocol::to_string(protocol::kVersion)));
    CHECK(arena.room->session().players().all().empty());
}

TEST_CASE("other content is refused and the first difference is named") {
    Arena arena;
    SECTION("a file with other bytes") {
        auto settings = arena.settings("anna");
        settings.manifest.files[1].digest = sha256(as_bytes("modified"));
        const Error error = refusal(arena, std::move(settings));
        CHECK(error.code() == "rejected_fingerprint");
        CHECK(contains(error.message(), "objects.rlb: contents differ"));
    }
    SECTION("a file of another size before it") {
        auto settings = arena.settings("anna");
        settings.manifest.files[0].size = 11;
        settings.manifest.files[1].digest = sha256(as_bytes("modified"));
        const Error error = refusal(arena, std::move(settings));
        CHECK(contains(error.message(), "behavior.ini: sizes differ (11 and 10 bytes)"));
    }
    SECTION("a file the server does not have") {
        auto settings = arena.settings("anna");
        settings.manifest.files.push_back({"zz_mod.rlb", 1, {}});
        CHECK(contains(refusal(arena, std::move(settings)).message(), "zz_mod.rlb"));
    }
}

TEST_CASE("a long content list arrives in chunks and the difference in its last file is found") {
    mission::ContentManifest big;
    for (int i = 0; i < 2000; ++i) big.files.push_back({"units/" + std::to_string(100000 + i) + ".dat", 1, {}});
    ArenaOptions options{toy_room(), {}, 1, nullptr};
    options.room.session.content_list = mission::write_manifest(big);
    options.room.session.fingerprint = mission::fingerprint(big);
    REQUIRE(options.room.session.content_list.size() > 5 * 16384);
    Arena arena(std::move(options));
    auto settings = arena.settings("anna");
    settings.manifest = big;
    settings.manifest.files.back().size = 2;
    CHECK(contains(refusal(arena, std::move(settings)).message(), "units/101999.dat: sizes differ"));
}

TEST_CASE("a wrong password is refused and the right one is taken") {
    ArenaOptions options{toy_room(), {}, 1, nullptr};
    options.room.session.password = "sesame";
    options.room.session.start_with = 1;
    Arena arena(std::move(options));
    CHECK(refusal(arena, arena.settings("anna")).code() == "rejected");
    auto settings = arena.settings("anna");
    settings.password = "Sesame";
    CHECK(contains(refusal(arena, std::move(settings)).message(), "password"));
    settings = arena.settings("anna");
    settings.password = "sesame";
    ClientSession& client = arena.join(std::move(settings));
    CHECK(arena.until([&] { return client.phase() == SessionPhase::running; }));
}

TEST_CASE("a full match refuses another player but takes a spectator") {
    Arena arena;
    REQUIRE(arena.start_two());
    const Error error = refusal(arena, arena.settings("clara"));
    CHECK(error.code() == "rejected");
    CHECK(contains(error.message(), "no place"));
    auto settings = arena.settings("clara");
    settings.role = protocol::Role::spectator;
    ClientSession& spectator = arena.join(std::move(settings));
    REQUIRE(arena.until([&] { return spectator.mirrors().all().size() == 6; }));
    CHECK(spectator.player_number() == 0x0100);
    CHECK(spectator.clan() == 0xFF);
    EventLog events(spectator);
    spectator.send(move_order(ToyWorld::unit(0, 0), 1, 1));
    REQUIRE(arena.until([&] { return events.find(SessionEventKind::result) != nullptr; }));
    CHECK(events.find(SessionEventKind::result)->code == protocol::ResultCode::not_available);
    CHECK(arena.world->executed == 0);
}

TEST_CASE("a name in use is refused, in any letter case") {
    ArenaOptions options{toy_room(), {}, 1, nullptr};
    options.room.session.start_with = 1;
    Arena arena(std::move(options));
    arena.join("Anna");
    REQUIRE(arena.until([&] { return arena.clients[0].phase() == SessionPhase::running; }));
    CHECK(contains(refusal(arena, arena.settings("aNNA")).message(), "name"));
}

TEST_CASE("the clan of a wish is given while it is free") {
    ArenaOptions options{toy_room(), {}, 1, nullptr};
    options.room.session.start_with = 1;
    Arena arena(std::move(options));
    auto settings = arena.settings("anna");
    settings.clan_wish = 1;
    ClientSession& anna = arena.join(std::move(settings));
    REQUIRE(arena.until([&] { return anna.phase() == SessionPhase::running; }));
    CHECK(anna.player_number() == 2);
    CHECK(anna.clan() == 1);
    settings = arena.settings("boris");
    settings.clan_wish = 1;
    ClientSession& boris = arena.join(std::move(settings));
    REQUIRE(arena.until([&] { return boris.phase() == SessionPhase::running; }));
    CHECK(boris.clan() == 0);
}

TEST_CASE("a port in use is reported with its number") {
    Arena arena;
    net::HostSettings settings;
    settings.address = "127.0.0.1";
    settings.port = arena.host->port();
    const auto second = net::EnetHost::open(settings);
    REQUIRE_FALSE(second);
    CHECK(second.error().code() == "port_in_use");
    CHECK(contains(second.error().message(), std::to_string(settings.port)));
}

TEST_CASE("an address that is none is refused before anything is opened") {
    net::HostSettings settings;
    settings.address = "no such host.invalid";
    CHECK(net::EnetHost::open(settings).error().code() == "bad_address");
    client::net::ConnectSettings connect;
    connect.port = 0;
    CHECK(ClientSession::start(connect).error().code() == "bad_address");
    connect.port = 9;
    connect.player_name = "";
    CHECK(ClientSession::start(connect).error().code() == "bad_setting");
}

TEST_CASE("nobody answering is an ending with the address") {
    client::net::ConnectSettings settings;
    {
        net::HostSettings listen;
        listen.address = "127.0.0.1";
        auto host = net::EnetHost::open(listen);
        REQUIRE(host);
        settings.port = (*host)->port();  // free again after this block
    }
    settings.connect_timeout_ms = 50;
    auto client = ClientSession::start(settings);
    REQUIRE(client);
    REQUIRE(pump_until([&] { client->pump(1); }, [&] { return client->phase() == SessionPhase::ended; }));
    CHECK(client->ending()->code() == "connection_failed");
    CHECK(contains(client->ending()->message(), std::to_string(settings.port)));
}

TEST_CASE("more handshakes than allowed from one address are not even looked at") {
    net::HostSettings listen;
    listen.address = "127.0.0.1";
    listen.handshakes_per_second = 2;
    auto host = net::EnetHost::open(listen);
    REQUIRE(host);
    std::vector<ClientSession> clients;
    for (int i = 0; i < 4; ++i) {
        client::net::ConnectSettings settings;
        settings.port = (*host)->port();
        auto client = ClientSession::start(settings);
        REQUIRE(client);
        clients.push_back(std::move(*client));
    }
    std::vector<net::HostEvent> events;
    const auto pump = [&] {
        for (auto& c : clients) c.pump(0);
        REQUIRE((*host)->poll(0, 1000, events));  // the clock stands: one second for all
    };
    REQUIRE(pump_until(pump, [&] { return (*host)->counters().handshakes_refused >= 2; }));
    CHECK((*host)->connection_count() <= 2);
}
