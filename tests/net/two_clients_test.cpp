// Two clients over real ENet: the same world on both, orders, leaving, pause, chat
// (net-messages.md 12).
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;
using client::net::CommandDraft;

namespace {

/// The mirror of `id` at the place of the world, within half a unit of the stream and its dead band.
bool at_world_place(const Arena& arena, const ClientSession& client, world::ObjectId id) {
    const auto* mirror = client.mirrors().find(id.raw);
    for (const auto& object : arena.world->snapshot()->objects)
        if (object.id == id)
            return mirror != nullptr && std::fabs(mirror->current.position.x - object.position.x) < 0.3f &&
                   std::fabs(mirror->current.position.y - object.position.y) < 0.3f;
    return false;
}

}  // namespace

TEST_CASE("two clients join and see the same mirrors and equal view hashes") {
    Arena arena;
    REQUIRE(arena.start_two());
    REQUIRE(arena.ticks(120));
    for (ClientSession& client : arena.clients) {
        REQUIRE(arena.until([&] { return client.stats().hashes_compared >= 3; }));
        CHECK(client.stats().hashes_different == 0);
        CHECK(client.mirrors().all().size() == 6);
        CHECK(client.players().size() == 2);
        CHECK(client.server_name() == "toy server");
        CHECK(client.mission_key() == "missions/toy.01");
        CHECK(client.match_id() == 99);
    }
    CHECK(arena.clients[0].player_number() == 1);
    CHECK(arena.clients[1].player_number() == 2);
    CHECK(arena.clients[0].clan() == 0);
    CHECK(arena.clients[1].clan() == 1);
    CHECK(arena.clients[0].mirrors().view_hash() == arena.clients[1].mirrors().view_hash());
    const auto* mirror = arena.clients[1].mirrors().find(ToyWorld::unit(0, 1).raw);
    REQUIRE(mirror != nullptr);
    CHECK(mirror->prototype_key == "units\\toy_0.dat");
    CHECK(mirror->owner == 1);
    CHECK(mirror->current.position == Vec3{100, 110, 0});
    CHECK(mirror->parts.size() == 1);
    CHECK(mirror->properties.at(0).words == std::array<std::uint32_t, 4>{1, 2, 3, 4});
}

TEST_CASE("a move order moves the unit on both clients and only its sender gets the result") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]), boris(arena.clients[1]);
    const auto unit = ToyWorld::unit(0, 0);
    const std::uint32_t sequence = arena.clients[0].send(move_order(unit, 130, 100));
    CHECK(sequence == 1);
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::result) != nullptr; }));
    CHECK(anna.find(SessionEventKind::result)->code == protocol::ResultCode::ok);
    CHECK(anna.find(SessionEventKind::result)->sequence == 1);
    REQUIRE(arena.ticks(180));  // 30 wu at 10 wu/s take 150 ticks
    REQUIRE(arena.until([&] { return at_world_place(arena, arena.clients[0], unit) && at_world_place(arena, arena.clients[1], unit); }));
    CHECK(std::fabs(arena.clients[1].mirrors().find(unit.raw)->current.position.x - 130.0f) < 0.3f);
    CHECK(anna.count(SessionEventKind::result) == 1);
    CHECK(boris.count(SessionEventKind::result) == 0);
    CHECK(anna.count(SessionEventKind::order) == 1);
    CHECK(boris.count(SessionEventKind::order) == 0);  // orders of others are nobody's business
    CHECK(arena.clients[0].unanswered() == 0);
}

TEST_CASE("an order for a unit of the other player is refused") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog boris(arena.clients[1]);
    arena.clients[1].send(move_order(ToyWorld::unit(0, 0), 500, 500));
    REQUIRE(arena.until([&] { return boris.find(SessionEventKind::result) != nullptr; }));
    CHECK(boris.find(SessionEventKind::result)->code == protocol::ResultCode::not_owner);
}

TEST_CASE("made, captured and killed objects appear, change hands and vanish on both clients") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]), boris(arena.clients[1]);
    CommandDraft make;
    make.order = protocol::OrderCode::produce;
    make.at_x = make.at_y = 50 * 256;
    arena.clients[0].send(make);
    const auto made = ToyWorld::unit(0, 3), taken = ToyWorld::unit(1, 0), victim = ToyWorld::unit(0, 2);
    REQUIRE(arena.until([&] { return arena.clients[1].mirrors().find(made.raw) != nullptr; }));

    CommandDraft capture;
    capture.order = protocol::OrderCode::capture;
    capture.subjects = {ToyWorld::unit(0, 0).raw};
    capture.target = taken.raw;
    arena.clients[0].send(capture);
    REQUIRE(arena.until([&] { return boris.find(SessionEventKind::owner_changed) != nullptr; }));
    CHECK(arena.clients[1].mirrors().find(taken.raw)->owner == 1);
    CHECK(arena.clients[1].mirrors().all().size() == 7);  // no second object

    CommandDraft destroy;
    destroy.order = protocol::OrderCode::self_destruct;
    destroy.subjects = {victim.raw};
    arena.clients[0].send(destroy);
    REQUIRE(arena.until([&] { return boris.find(SessionEventKind::mirror_killed) != nullptr; }));
    CHECK(boris.find(SessionEventKind::mirror_killed)->reason == 4);
    REQUIRE(arena.ticks(60));
    CHECK(arena.clients[1].mirrors().find(victim.raw) == nullptr);
    CHECK(arena.clients[1].mirrors().was_removed(victim.raw));
    CHECK(arena.clients[0].mirrors().view_hash() == arena.clients[1].mirrors().view_hash());
    for (ClientSession& c : arena.clients) CHECK(c.stats().hashes_different == 0);
}

TEST_CASE("a player who joins a running match gets the state of that moment") {
    ArenaOptions options{toy_room(), {}, 3, nullptr};
    options.room.session.start_with = 1;
    Arena arena(std::move(options));
    arena.join("anna");
    REQUIRE(arena.until([&] { return arena.clients[0].phase() == SessionPhase::running; }));
    arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 120, 100));
    CommandDraft destroy;
    destroy.order = protocol::OrderCode::self_destruct;
    destroy.subjects = {ToyWorld::unit(0, 1).raw};
    arena.clients[0].send(destroy);
    REQUIRE(arena.ticks(150));
    arena.join("boris");
    REQUIRE(arena.until([&] { return arena.clients[1].applied_tick() > 150; }));
    CHECK(arena.clients[1].phase() == SessionPhase::running);
    CHECK(arena.clients[1].mirrors().all().size() == 5);
    CHECK(arena.clients[1].mirrors().find(ToyWorld::unit(0, 1).raw) == nullptr);
    CHECK(arena.clients[1].mirrors().find(ToyWorld::unit(0, 0).raw)->current.position.x == 120.0f);
    CHECK(arena.clients[1].mirrors().view_hash() == arena.clients[0].mirrors().view_hash());
    CHECK(arena.clients[1].stats().hashes_different == 0);
}

TEST_CASE("who leaves is gone at once, for the others and for the world") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    arena.clients[1].leave();
    CHECK(arena.clients[1].phase() == SessionPhase::ended);
    CHECK_FALSE(arena.clients[1].ending());
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::player_removed) != nullptr; }));
    CHECK(anna.find(SessionEventKind::player_removed)->player == 2);
    CHECK(anna.find(SessionEventKind::player_removed)->reason == 0);
    REQUIRE(arena.ticks(2));
    CHECK(arena.world->session_log == "0:1 0:2 1:2 ");  // joined 1, joined 2, left 2
    CHECK(arena.clients[0].players().size() == 1);
}

TEST_CASE("a connection that breaks leaves a lost player and after the grace he is removed") {
    ArenaOptions options{toy_room(), {}, 3, nullptr};
    options.host.limits.lost_after_ms = 200;
    options.room.session.limits.grace_ms = 500;
    Arena arena(std::move(options));
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    arena.clients.pop_back();  // no goodbye
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::player_status) != nullptr; }));
    CHECK(anna.find(SessionEventKind::player_status)->reason == 2);  // lost
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::player_removed) != nullptr; }));
    CHECK(anna.find(SessionEventKind::player_removed)->reason == 1);
    REQUIRE(arena.ticks(2));
    CHECK(arena.world->session_log == "0:1 0:2 2:2 ");
}

TEST_CASE("a pause takes effect two ticks after the request and commands are answered in it") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]), boris(arena.clients[1]);
    arena.clients[1].request_pause(true);
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::pause_changed) != nullptr; }));
    REQUIRE(arena.until([&] { return arena.world->paused(); }));
    CHECK(arena.world->tick() == anna.find(SessionEventKind::pause_changed)->tick);
    REQUIRE(arena.until([&] { return arena.clients[0].paused() && arena.clients[1].paused(); }));
    const std::uint64_t stood = arena.world->tick();
    arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 500, 500));
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::result) != nullptr; }));
    CHECK(anna.find(SessionEventKind::result)->code == protocol::ResultCode::paused);
    CHECK(arena.world->tick() == stood);
    arena.clients[1].request_pause(false);
    REQUIRE(arena.ticks(10));
    REQUIRE(arena.until([&] { return !arena.clients[0].paused(); }));
    CHECK(boris.count(SessionEventKind::pause_changed) == 2);
}

TEST_CASE("chat arrives as one clean line and not more of it than allowed") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog boris(arena.clients[1]);
    arena.clients[0].chat("  hello\xE2\x80\xAE   there ");  // with a right-to-left override
    REQUIRE(arena.until([&] { return boris.find(SessionEventKind::text) != nullptr; }));
    CHECK(boris.find(SessionEventKind::text)->text == "hello there");
    CHECK(boris.find(SessionEventKind::text)->player == 1);
    for (int i = 0; i < 30; ++i) arena.clients[0].chat("again " + std::to_string(i));
    EventLog anna(arena.clients[0]);
    REQUIRE(arena.until([&] {
        return anna.find(SessionEventKind::text, [](const SessionEvent& e) { return e.player == 0; }) != nullptr;
    }));
    CHECK(boris.count(SessionEventKind::text) <= 11);
}

TEST_CASE("a line to one player does not reach another") {
    ArenaOptions options{toy_room(), {}, 3, nullptr};
    options.room.session.clans = {0, 1, 2};
    Arena arena(std::move(options));
    REQUIRE(arena.start_two());
    arena.join("clara");
    REQUIRE(arena.until([&] { return arena.clients[2].phase() == SessionPhase::running; }));
    EventLog boris(arena.clients[1]), clara(arena.clients[2]);
    arena.clients[0].chat("for boris", 2);
    arena.clients[0].chat("for all");
    REQUIRE(arena.until([&] { return clara.count(SessionEventKind::text) == 1 && boris.count(SessionEventKind::text) == 2; }));
    CHECK(clara.find(SessionEventKind::text)->text == "for all");
}

TEST_CASE("the server says goodbye when it stops") {
    Arena arena;
    REQUIRE(arena.start_two());
    REQUIRE(arena.room->close(protocol::GoodbyeReason::server_shutdown, "the server stops"));
    REQUIRE(arena.until([&] { return arena.clients[0].phase() == SessionPhase::ended && arena.clients[1].phase() == SessionPhase::ended; }));
    CHECK(arena.clients[0].ending()->code() == "server_closed");
    CHECK(arena.clients[0].ending()->message().find("the server stops") != std::string::npos);
}

TEST_CASE("a removed player is told why and the world is told that he is gone") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    REQUIRE(arena.room->session().remove_player(2, "bad manners", arena.now_ms));
    REQUIRE(arena.until([&] { return arena.clients[1].phase() == SessionPhase::ended; }));
    CHECK(arena.clients[1].ending()->code() == "kicked");
    CHECK(arena.clients[1].ending()->message().find("bad manners") != std::string::npos);
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::player_removed) != nullptr; }));
    CHECK(anna.find(SessionEventKind::player_removed)->reason == 2);
    REQUIRE(arena.ticks(2));
    CHECK(arena.world->session_log == "0:1 0:2 3:2 ");
}
