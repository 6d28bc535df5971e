#include <catch2/catch.hpp>

#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {

MissionMaker small_mission() {
    MissionMaker m;
    m.clan("red").clan("blue");
    m.unit(0, 40, 40);
    m.unit(0, 60, 40);
    m.unit(1, 200, 200);
    m.block(0, 120, 120, 6, 6);
    return m;
}

}  // namespace

TEST_CASE("a world begins at tick 0 with every placed object in the snapshot") {
    auto m = small_mission();
    auto w = make_world(m);
    CHECK(w->tick() == 0);
    REQUIRE(w->snapshot()->objects.size() == 4);
    // Owner half, class and index in registration order per (owner, class).
    CHECK(view(*w->snapshot(), unit_id(1, 0)).position.x == 40);
    CHECK(view(*w->snapshot(), unit_id(1, 1)).position.x == 60);
    CHECK(view(*w->snapshot(), unit_id(2, 0)).position.x == 200);
    CHECK(view(*w->snapshot(), ObjectId::make(1, 3, 0)).position.x == 120);
}

TEST_CASE("units come before buildings in registration, pure file order on request") {
    MissionMaker m;
    m.clan("red");
    m.block(0, 120, 120, 6, 6);
    m.unit(0, 40, 40).order = 5;
    m.unit(0, 60, 40).order = 3;
    auto blueprint = m.build();
    auto w = World::create(blueprint, test_rules(), 1).value();
    CHECK(view(*w->snapshot(), ObjectId::make(1, 3, 0)).registration == 3);
    CHECK(view(*w->snapshot(), unit_id(1, 0)).position.x == 60);  // lower order word first
    WorldOptions options;
    options.file_order = true;
    auto f = World::create(blueprint, test_rules(), 1, options).value();
    CHECK(view(*f->snapshot(), ObjectId::make(1, 3, 0)).registration == 1);
    CHECK(view(*f->snapshot(), unit_id(1, 0)).position.x == 40);
}

TEST_CASE("a unit moves to its goal and reports the course of the order") {
    auto m = small_mission();
    auto w = make_world(m);
    Driver d(*w);
    d.move(1, {unit_id(1, 0)}, 150, 60);
    d.run(1);
    REQUIRE(d.last(EventKind::command_result));
    CHECK(d.last(EventKind::command_result)->code == 0);
    CHECK(d.last(EventKind::command_result)->taken == 1);
    CHECK(d.count(EventKind::order_started) == 1);
    d.run(1500);
    CHECK(d.count(EventKind::order_done) == 1);
    const auto& v = view(*w->snapshot(), unit_id(1, 0));
    const Vec2 off{v.position.x - 150, v.position.y - 60};
    CHECK(length(off) <= 2.5f);
    CHECK(length(v.velocity) == 0);
}

TEST_CASE("the same log gives the same hashes over ten thousand ticks") {
    const auto run = [](std::vector<Hash256>& hashes) {
        auto m = small_mission();
        for (int i = 0; i < 12; ++i) m.unit(0, 20.0f + 8.0f * static_cast<float>(i), 20);
        auto w = make_world(m, 99);
        Driver d(*w);
        for (std::uint32_t t = 0; t < 10000; ++t) {
            if (t % 700 == 3) d.move(1, {unit_id(1, 0), unit_id(1, 3), unit_id(1, 5), unit_id(1, 8)}, 60.0f + static_cast<float>(t % 130), 200);
            if (t % 900 == 50) d.move(1, {unit_id(1, 1), unit_id(1, 4)}, 220, 30.0f + static_cast<float>(t % 150), kAppend);
            d.run(1);
            if (t % 50 == 0) hashes.push_back(w->state_hash().total);
        }
    };
    std::vector<Hash256> a, b;
    run(a);
    run(b);
    CHECK(a == b);
    CHECK(a.front() != a.back());
}

TEST_CASE("several worlds interleaved give the same hashes as each alone") {
    const auto drive = [](Driver& d, std::uint32_t t, float goal) {
        if (t == 5) d.move(1, {unit_id(1, 0), unit_id(1, 1)}, goal, goal);
        d.run(1);
    };
    const auto alone = [&](std::uint64_t seed, float goal) {
        auto m = small_mission();
        auto w = make_world(m, seed);
        Driver d(*w);
        for (std::uint32_t t = 0; t < 400; ++t) drive(d, t, goal);
        return w->state_hash();
    };
    auto ma = small_mission(), mb = small_mission();
    auto wa = make_world(ma, 1), wb = make_world(mb, 2);
    Driver da(*wa), db(*wb);
    for (std::uint32_t t = 0; t < 400; ++t) {
        drive(da, t, 200);
        drive(db, t, 100);
    }
    CHECK(wa->state_hash() == alone(1, 200));
    CHECK(wb->state_hash() == alone(2, 100));
    CHECK(wa->state_hash().total != wb->state_hash().total);
}

TEST_CASE("a failure after the n-th registration releases exactly n objects") {
    for (std::uint32_t n : {0u, 1u, 3u}) {
        auto m = small_mission();
        WorldOptions options;
        options.fail_registration = n;
        WorldReport report;
        auto w = World::create(m.build(), test_rules(), 1, options, &report);
        REQUIRE_FALSE(w);
        CHECK(w.error().code() == "registration_failed");
        CHECK(report.constructed == 4);
        CHECK(report.registered == n);
        CHECK(report.released == n);
    }
}

TEST_CASE("a failure before registration leaves nothing registered") {
    auto m = small_mission();
    m.mission.objects[2].position.x = std::numeric_limits<float>::quiet_NaN();
    WorldReport report;
    auto w = World::create(m.build(), test_rules(), 1, {}, &report);
    REQUIRE_FALSE(w);
    CHECK(w.error().code() == "non_finite");
    CHECK(report.registered == 0);
    CHECK(report.released == 0);
}

TEST_CASE("input of another tick or out of order is refused and changes nothing") {
    auto m = small_mission();
    auto w = make_world(m);
    const StateHash before = w->state_hash();
    InputFrame f;
    f.tick = 2;
    CHECK(w->step(f).error().code() == "bad_tick");
    f.tick = 1;
    f.commands.resize(2);
    f.commands[0].player = 2;
    f.commands[1].player = 1;
    CHECK(w->step(f).error().code() == "input_not_sorted");
    CHECK(w->state_hash() == before);
}

TEST_CASE("a pause takes effect after its tick, answers commands and keeps the tick") {
    auto m = small_mission();
    auto w = make_world(m);
    Driver d(*w);
    d.move(1, {unit_id(1, 0)}, 150, 60);
    d.run(20);
    d.session(SessionAct::pause);
    d.run(1);
    CHECK(w->paused());
    CHECK(w->tick() == 21);
    const StateHash held = w->state_hash();
    d.move(1, {unit_id(1, 1)}, 100, 100);
    d.run(1);
    CHECK(w->tick() == 21);
    CHECK(w->snapshot()->events.size() == 1);
    CHECK(w->snapshot()->events[0].code == 10);
    CHECK(w->state_hash() == held);
    d.session(SessionAct::resume);
    d.run(1);
    CHECK(w->tick() == 22);
    CHECK_FALSE(w->paused());
}

TEST_CASE("a forced kill reports, and the object is gone after the tick") {
    auto m = small_mission();
    auto w = make_world(m);
    Driver d(*w);
    d.session(SessionAct::admin_kill, 0, 0, unit_id(1, 1));
    d.run(1);
    CHECK(d.count(EventKind::killed) == 1);
    CHECK(w->snapshot()->objects.size() == 3);
    // Its commands are answered, not executed.
    d.move(1, {unit_id(1, 1)}, 100, 100);
    d.run(1);
    CHECK(d.last(EventKind::command_result)->code == 2);
}

TEST_CASE("a player who leaves hands robots and buildings to the neutral clan and the hero dies") {
    auto m = small_mission();
    m.clan("grey", asset::ClanMode::neutral);
    m.unit(0, 80, 40, 0.6f, kHero);
    auto w = make_world(m);
    Driver d(*w);
    d.session(SessionAct::player_left, 1);
    d.run(1);
    CHECK(d.count(EventKind::killed) == 1);
    CHECK(d.count(EventKind::owner_changed) == 3);
    for (const auto& o : w->snapshot()->objects) CHECK(o.owner != 1);
    CHECK(view(*w->snapshot(), unit_id(1, 0)).owner == 3);
    // The number is not used again.
    d.move(1, {unit_id(1, 0)}, 100, 100);
    d.run(1);
    CHECK(d.last(EventKind::command_result)->code == 7);
}

TEST_CASE("in a campaign the objects of a player who left go to an allied player, else the AI keeps them") {
    auto m = small_mission();
    m.mission.clans[0].relations.push_back({"blue", 1, 1});
    WorldOptions options;
    options.mode = GameMode::campaign;
    auto w = World::create(m.build(), test_rules(), 1, options).value();
    Driver d(*w);
    d.session(SessionAct::player_joined, 1, 0);
    d.session(SessionAct::player_joined, 2, 1);
    d.run(1);
    d.session(SessionAct::player_left, 1);
    d.run(1);
    CHECK(d.count(EventKind::owner_changed) == 3);
    for (const auto& o : w->snapshot()->objects) CHECK(o.owner == 2);
    d.session(SessionAct::player_left, 2);
    d.run(1);
    CHECK(d.count(EventKind::owner_changed) == 3);
    CHECK(w->state().clans[1].ai_plays);
}

TEST_CASE("no tick reports a forbidden operation") {
    auto m = small_mission();
    auto w = make_world(m);
    Driver d(*w);
    d.move(1, {unit_id(1, 0), unit_id(1, 1)}, 120, 118);
    d.session(SessionAct::admin_kill, 0, 0, unit_id(2, 0));
    d.run(300);
    CHECK(w->state().phases.violations() == 0);
    // Outside of a tick nothing may be created or freed.
    auto& s = w->mutable_state();
    CHECK(s.store.create({}).error().code() == "phase_forbidden");
    CHECK(s.phases.violations() == 1);
}

TEST_CASE("any commands at all keep the world sound, and each is answered once") {
    MissionMaker m;
    m.clan("red").clan("blue").clan("beasts", asset::ClanMode::environment);
    for (int i = 0; i < 10; ++i) m.unit(i % 2, 60.0f + 12.0f * static_cast<float>(i), 70);
    m.unit(0, 90, 90, 0.6f, kHero);
    m.unit(2, 150, 150);
    m.block(0, 120, 120, 6, 6);
    auto w = make_world(m, 5);
    Rng rng(11, 1);
    std::uint32_t sequence[4] = {0, 0, 0, 0};
    const auto any_id = [&] {
        return ObjectId::make(static_cast<PlayerNumber>(rng.below(4)), rng.below(2) ? 4 : 3, rng.below(8));
    };
    const auto any_pos = [&]() -> Pos2 {
        if (rng.below(8) == 0) return {static_cast<std::int32_t>(rng.next()), static_cast<std::int32_t>(rng.next())};
        return pos(rng.unit() * 260 - 2, rng.unit() * 260 - 2);
    };
    for (int t = 0; t < 1500; ++t) {
        InputFrame f;
        f.tick = w->tick() + 1;
        for (PlayerNumber p = 0; p < 4; ++p)
            for (std::uint32_t n = rng.below(3); n > 0; --n) {
                Command c;
                c.player = p;
                c.sequence = ++sequence[p];
                c.order = static_cast<std::uint8_t>(rng.below(40));
                c.flags = static_cast<std::uint8_t>(rng.below(64));
                for (std::uint32_t k = rng.below(6); k > 0; --k) c.subjects.push_back(any_id());
                c.target = any_id();
                c.at = any_pos();
                c.yaw = static_cast<std::int16_t>(rng.next());
                c.param = rng.below(4) ? rng.below(4) : rng.next();
                for (std::uint32_t k = rng.below(4); k > 0; --k) c.points.push_back(any_pos());
                f.commands.push_back(std::move(c));
            }
        ManualInput manual;
        manual.player = static_cast<PlayerNumber>(rng.below(3));
        manual.object = any_id();
        manual.move_x = static_cast<std::int8_t>(rng.next());
        manual.move_y = static_cast<std::int8_t>(rng.next());
        manual.turn = static_cast<std::int8_t>(rng.next());
        manual.buttons = rng.next();
        f.manual.push_back(manual);
        REQUIRE(w->step(f));
        std::size_t results = 0;
        for (const auto& e : w->snapshot()->events) results += e.kind == EventKind::command_result;
        REQUIRE(results == f.commands.size());
        for (const auto& o : w->snapshot()->objects) {
            REQUIRE(is_finite(o.position));
            REQUIRE(is_finite(o.orientation));
            REQUIRE(is_finite(o.velocity));
            REQUIRE(length(Vec2{o.velocity.x, o.velocity.y}) < 300);
        }
    }
    CHECK(w->state().phases.violations() == 0);
}
