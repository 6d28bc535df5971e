// Lost packets: the state stream converges, reliable messages arrive once and in order
// (net-messages.md 12).
#include <cmath>

#include <catch2/catch.hpp>

#include "protocol/state_stream.hpp"
#include "shared/base/rng.hpp"
#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;

namespace {

std::function<bool()> one_of_five(std::uint64_t seed) {
    return [rng = std::make_shared<Rng>(seed, 1)] { return rng->below(5) == 0; };
}

/// Largest distance of a mirror from the world's object, wu.
float worst_error(const Arena& arena, const ClientSession& client) {
    float worst = 0;
    for (const auto& object : arena.world->snapshot()->objects) {
        const auto* mirror = client.mirrors().find(object.id.raw);
        if (mirror == nullptr) return 1e9f;
        const Vec3 d = mirror->current.position - object.position;
        worst = std::max(worst, std::sqrt(d.x * d.x + d.y * d.y));
    }
    return worst;
}

}  // namespace

TEST_CASE("with every fifth state packet lost the mirrors still converge to the world") {
    Arena arena;
    REQUIRE(arena.start_two());
    arena.clients[0].lose_state_packets(one_of_five(1));
    arena.clients[1].lose_state_packets(one_of_five(2));
    for (std::uint32_t i = 0; i < 3; ++i) {
        arena.clients[0].send(move_order(ToyWorld::unit(0, i), 140, 300.0f + 10.0f * static_cast<float>(i)));
        arena.clients[1].send(move_order(ToyWorld::unit(1, i), 260, 300.0f + 10.0f * static_cast<float>(i)));
    }
    REQUIRE(arena.ticks(400));
    CHECK(worst_error(arena, arena.clients[0]) < 3.0f);  // while they drive: at most a few packets old
    REQUIRE(arena.ticks(800));                           // 200 wu at 10 wu/s take 1000 ticks
    for (ClientSession& c : arena.clients) {
        REQUIRE(arena.until([&] { return worst_error(arena, c) < 0.3f; }));
        CHECK(c.stats().state_packets > 100);
    }
}

TEST_CASE("every decoded view equals the one the server remembers, bit for bit, in spite of loss") {
    Arena arena;
    REQUIRE(arena.start_two());
    arena.clients[0].lose_state_packets(one_of_five(3));
    arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 160, 180));
    const session::ConnectionId connection = arena.room->session().players().find(1)->connection;
    std::uint64_t last = 0, compared = 0;
    const auto compare = [&] {
        const std::uint64_t tick = arena.clients[0].newest_state_tick();
        if (tick == last) return compared > 150;
        last = tick;
        const protocol::View* view = arena.room->sender().sent_view(connection, tick);
        if (view == nullptr) return false;
        for (const protocol::ViewEntry& entry : view->entries) {
            const auto* mirror = arena.clients[0].mirrors().find(entry.id);
            REQUIRE(mirror != nullptr);
            REQUIRE(mirror->current.position.x * 32.0f == static_cast<float>(entry.state.x));
            REQUIRE(mirror->current.position.y * 32.0f == static_cast<float>(entry.state.y));
            REQUIRE(mirror->current.velocity.x * 32.0f == static_cast<float>(entry.state.vx));
        }
        ++compared;
        return compared > 150;
    };
    CHECK(arena.until(compare));
}

TEST_CASE("with every fifth datagram lost both ways every order is executed exactly once") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]), boris(arena.clients[1]);
    arena.host->lose_datagrams(one_of_five(4));
    arena.clients[0].lose_datagrams(one_of_five(5));
    arena.clients[1].lose_datagrams(one_of_five(6));
    // Server time stands still while packets travel slowly, so that the rate limit of commands is not met.
    for (std::uint32_t i = 0; i < 20; ++i) {
        arena.clients[0].send(move_order(ToyWorld::unit(0, i % 3), 110.0f + static_cast<float>(i), 100));
        arena.clients[1].send(move_order(ToyWorld::unit(1, i % 3), 210.0f + static_cast<float>(i), 100));
        for (int k = 0; k < 5; ++k) arena.pump();
    }
    REQUIRE(arena.until([&] {
        return anna.count(SessionEventKind::result) >= 20 && boris.count(SessionEventKind::result) >= 20;
    }));
    arena.host->lose_datagrams({});
    for (ClientSession& c : arena.clients) c.lose_datagrams([] { return false; });
    REQUIRE(arena.ticks(100));
    CHECK(anna.count(SessionEventKind::result) == 20);
    CHECK(boris.count(SessionEventKind::result) == 20);
    CHECK(arena.world->executed + 0 == 40);
    const std::uint64_t goal = arena.world->tick();
    REQUIRE(arena.until([&] { return arena.clients[0].applied_tick() >= goal && arena.clients[1].applied_tick() >= goal; }));
    CHECK(arena.clients[0].mirrors().view_hash() == arena.clients[1].mirrors().view_hash());
    CHECK(arena.clients[0].stats().hashes_different + arena.clients[1].stats().hashes_different == 0);
}

TEST_CASE("a teleport is shown as a jump, not as a fast drive") {
    Arena arena;
    REQUIRE(arena.start_two());
    client::net::CommandDraft jump;
    jump.order = protocol::OrderCode::board;
    jump.subjects = {ToyWorld::unit(0, 0).raw};
    jump.at_x = jump.at_y = 900 * 256;
    arena.clients[0].send(jump);
    const std::uint32_t id = ToyWorld::unit(0, 0).raw;
    REQUIRE(arena.until([&] { return arena.clients[1].mirrors().find(id)->current.position.x == 900.0f; }));
    CHECK(arena.clients[1].mirrors().find(id)->previous.position.x == 900.0f);
}

TEST_CASE("a client whose view differs is told everything again and agrees afterwards") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    auto& peers = arena.room->session().peers();
    peers.begin()->second.feed.model.mirrors.begin()->second.owner = 77;  // as if a message had been lost
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::view_mismatch) != nullptr; }));
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::view_restored) != nullptr; }));
    CHECK(arena.clients[0].mirrors().all().size() == 6);
    REQUIRE(arena.ticks(60));
    CHECK(worst_error(arena, arena.clients[0]) < 0.3f);
    CHECK(arena.clients[1].stats().hashes_different == 0);
}

TEST_CASE("a state packet never exceeds the datagram limit and a crowd catches up in several packets") {
    ArenaOptions options{toy_room(), {}, 300, nullptr};
    Arena arena(std::move(options));
    REQUIRE(arena.start_two());
    for (std::uint32_t first = 0; first < 256; first += 128) {
        client::net::CommandDraft draft = move_order(ToyWorld::unit(0, 0), 500, 2000);
        draft.subjects.clear();
        for (std::uint32_t i = 0; i < 128; ++i) draft.subjects.push_back(ToyWorld::unit(0, first + i).raw);
        REQUIRE(arena.clients[0].send(draft) != 0);
    }
    REQUIRE(arena.ticks(100));
    const auto& stats = arena.clients[1].stats();
    CHECK(stats.state_packets > 20);
    CHECK(stats.state_bytes / stats.state_packets <= 1200);
    CHECK(worst_error(arena, arena.clients[1]) < 8.0f);
    CHECK(arena.room->sender().counters().waiting > 0);  // there really was more to say than room
}
