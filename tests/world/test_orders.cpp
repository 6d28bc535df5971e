#include <catch2/catch.hpp>

#include "server/behavior/orders.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {

struct Field {
    MissionMaker maker;
    std::unique_ptr<World> w;
    std::unique_ptr<Driver> d;

    explicit Field(int units = 3, MapSpec spec = {}) : maker(std::move(spec)) {
        maker.clan("red").clan("blue");
        for (int i = 0; i < units; ++i) maker.unit(0, 30.0f + 10.0f * static_cast<float>(i), 30);
        maker.unit(1, 220, 220);
    }
    void start() {
        w = make_world(maker);
        d = std::make_unique<Driver>(*w);
    }
    std::uint8_t result() {
        d->run(1);
        return d->last(EventKind::command_result)->code;
    }
    const ObjectView& at(std::uint32_t i) const { return view(*w->snapshot(), unit_id(1, i)); }
    Vec2 place(std::uint32_t i) const { return {at(i).position.x, at(i).position.y}; }
};

}  // namespace

TEST_CASE("every command gets exactly one result with its sequence") {
    Field f;
    f.start();
    f.d->move(1, {unit_id(1, 0)}, 100, 100);
    f.d->command(1, Order::attack, {unit_id(1, 0)}).target = unit_id(2, 0);
    f.d->command(1, Order::stop, {unit_id(1, 9)});
    f.d->run(1);
    std::vector<std::pair<std::uint32_t, int>> got;
    for (const auto& e : f.d->events)
        if (e.kind == EventKind::command_result) got.emplace_back(e.sequence, e.code);
    CHECK(got == std::vector<std::pair<std::uint32_t, int>>{{1, 0}, {2, 7}, {3, 2}});
}

TEST_CASE("reasons to refuse a command") {
    Field f;
    f.maker.block(0, 150, 150, 4, 4);
    f.start();
    f.d->move(1, {unit_id(2, 0)}, 100, 100);
    CHECK(f.result() == 1);  // not_owner
    f.d->move(1, {unit_id(1, 77)}, 100, 100);
    CHECK(f.result() == 2);  // no_object
    f.d->move(1, {unit_id(1, 0)}, 10001, 100);
    CHECK(f.result() == 5);  // out_of_range
    f.d->move(1, {unit_id(1, 0)}, -1, 100);
    CHECK(f.result() == 5);
    f.d->move(1, {}, 10, 10);
    CHECK(f.result() == 12);  // malformed: nobody to obey
    f.d->command(1, static_cast<Order>(200), {unit_id(1, 0)});
    CHECK(f.result() == 12);
    f.d->move(1, {ObjectId::make(1, 3, 0)}, 10, 10);
    CHECK(f.result() == 7);  // a building does not move
    f.d->command(1, Order::follow, {unit_id(1, 0)}).target = unit_id(1, 0);
    CHECK(f.result() == 4);  // bad_target: itself
    f.d->command(1, Order::follow, {unit_id(1, 0)}).target = unit_id(1, 50);
    CHECK(f.result() == 4);
    f.d->command(1, Order::patrol, {unit_id(1, 0)});
    CHECK(f.result() == 4);  // no points and no such path
    f.d->command(9, Order::stop, {unit_id(1, 0)});
    CHECK(f.result() == 7);  // no such clan
    f.d->command(1, Order::set_stance, {unit_id(1, 0)}).param = 4;
    CHECK(f.result() == 12);
    f.d->move(1, std::vector<ObjectId>(129, unit_id(1, 0)), 10, 10);
    CHECK(f.result() == 12);
}

TEST_CASE("subjects that fail are left out and counted") {
    Field f;
    f.start();
    f.d->move(1, {unit_id(1, 0), unit_id(2, 0), unit_id(1, 1), unit_id(1, 99)}, 100, 100);
    CHECK(f.result() == 0);
    CHECK(f.d->last(EventKind::command_result)->taken == 2);
    CHECK(f.d->last(EventKind::command_result)->left_out == 2);
}

TEST_CASE("orders reach 200 wu from the living hero, and everywhere without one") {
    Field f;
    f.maker.unit(0, 30, 60, 0.6f, kHero);
    f.maker.unit(0, 30, 235);
    f.maker.unit(0, 200, 200);  // sqrt(170^2 + 140^2) = 220 wu from the hero
    f.start();
    const ObjectId hero = unit_id(1, 4 - 1), near = unit_id(1, 4), far = unit_id(1, 5);
    REQUIRE(view(*f.w->snapshot(), hero).fixed->scheme_type == kHero);
    f.d->move(1, {near}, 100, 100);
    CHECK(f.result() == 0);
    f.d->move(1, {far}, 100, 100);
    CHECK(f.result() == 13);  // out_of_command
    f.d->command(1, Order::stop, {far});
    CHECK(f.result() == 0);   // never limited
    f.d->session(SessionAct::admin_kill, 0, 0, hero);
    f.d->run(1);
    f.d->move(1, {far}, 100, 100);
    CHECK(f.result() == 0);
}

TEST_CASE("append queues up to eight orders, front goes before and resumes") {
    Field f(1);
    f.start();
    const ObjectId u = unit_id(1, 0);
    for (int i = 0; i < 8; ++i) {
        f.d->move(1, {u}, 40.0f + 10.0f * static_cast<float>(i), 60, kAppend);
        CHECK(f.result() == 0);
    }
    f.d->move(1, {u}, 10, 10, kAppend);
    CHECK(f.result() == 8);  // queue_full
    f.d->run(3000);
    CHECK(f.d->count(EventKind::order_done) == 8);
    CHECK(length(f.place(0) - Vec2{110, 60}) < 2.6f);

    f.d->move(1, {u}, 200, 60);
    f.d->run(50);
    f.d->move(1, {u}, 110, 90, kFront);
    f.d->run(2500);
    CHECK(length(f.place(0) - Vec2{200, 60}) < 2.6f);
    CHECK(f.d->count(EventKind::order_done) == 10);
}

TEST_CASE("stop cancels the order and keeps the stance") {
    Field f(1);
    f.start();
    f.d->command(1, Order::set_stance, {unit_id(1, 0)}).param = 3;
    f.d->move(1, {unit_id(1, 0)}, 200, 30);
    f.d->run(60);
    f.d->command(1, Order::stop, {unit_id(1, 0)});
    f.d->run(100);
    CHECK(f.d->count(EventKind::order_cancelled) == 1);
    CHECK(f.at(0).order == 0);
    CHECK(f.at(0).stance == 3);
    CHECK(length(f.at(0).velocity) == 0);
    CHECK(f.place(0).x < 100);
}

TEST_CASE("hold position keeps its place when own units push past") {
    Field f(2);
    f.start();
    f.d->command(1, Order::hold_position, {unit_id(1, 1)});
    f.d->run(1);
    const Vec2 before = f.place(1);
    CHECK((f.at(1).flags & kHoldsPosition) != 0);
    f.d->move(1, {unit_id(1, 0)}, 80, 30);
    f.d->run(800);
    CHECK(f.place(1) == before);
    CHECK(length(f.place(0) - Vec2{80, 30}) < 2.6f);
    CHECK(f.d->count(EventKind::order_failed) == 0);
}

TEST_CASE("a follower keeps its distance and ends when the target is gone") {
    Field f(2);
    f.start();
    f.d->command(1, Order::follow, {unit_id(1, 0)}).target = unit_id(1, 1);
    f.d->move(1, {unit_id(1, 1)}, 200, 100);
    f.d->run(2000);
    // Sum of radii + 4 wu, one wu of hysteresis, and what it needs to stop.
    CHECK(length(f.place(0) - f.place(1)) < 11.0f);
    CHECK(f.at(0).order == static_cast<std::uint8_t>(Order::follow));
    f.d->session(SessionAct::admin_kill, 0, 0, unit_id(1, 1));
    f.d->run(3);
    REQUIRE(f.d->last(EventKind::order_failed));
    CHECK(f.d->last(EventKind::order_failed)->code == 23);  // target_lost
}

TEST_CASE("a patrol visits its points in order and back again") {
    Field f(1);
    f.start();
    auto& c = f.d->command(1, Order::patrol, {unit_id(1, 0)});
    c.points = {pos(60, 30), pos(60, 60), pos(90, 60)};
    std::vector<int> visited;
    const Vec2 points[] = {{60, 30}, {60, 60}, {90, 60}};
    for (int t = 0; t < 4000; ++t) {
        f.d->run(1);
        for (int i = 0; i < 3; ++i)
            if (length(f.place(0) - points[i]) < 2.5f && (visited.empty() || visited.back() != i)) visited.push_back(i);
    }
    REQUIRE(visited.size() >= 6);
    visited.resize(6);
    CHECK(visited == std::vector<int>{0, 1, 2, 1, 0, 1});
    CHECK(f.d->count(EventKind::order_done) == 0);
}

TEST_CASE("a patrol may take a path of the mission by its id") {
    Field f(1);
    f.maker.mission.paths.push_back({42, {{60, 30, 0}, {60, 60, 0}}});
    f.start();
    f.d->command(1, Order::patrol, {unit_id(1, 0)}).param = 42;
    CHECK(f.result() == 0);
    f.d->run(200);
    CHECK(f.at(0).order_point == Vec2{60, 30});
}

TEST_CASE("six units to one point get a block of slots, the leaders in front") {
    Field f(6);
    f.start();
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < 6; ++i) slots.push_back(f.w->state().store.slot_of(unit_id(1, i)));
    // Facing +Y: the units stand in a row, so all have the same projection and ids decide the rows.
    const auto goals = iron::behavior::formation_slots(f.w->state(), slots, {100, 100}, true, 0);
    // ceil(sqrt(12)) = 4 columns, 2 rows, spacing 2 * 2.5 + 1.5 = 6.5.
    CHECK(goals[0].y == Approx(103.25f));
    CHECK(goals[3].y == Approx(103.25f));
    CHECK(goals[4].y == Approx(96.75f));
    CHECK(goals[0].x == Approx(100 - 9.75f));
    CHECK(goals[3].x == Approx(100 + 9.75f));
    CHECK(goals[4].x == Approx(100 - 3.25f));
    CHECK(goals[5].x == Approx(100 + 3.25f));
}

TEST_CASE("keep together drives at the speed of the slowest") {
    Field f(1);
    f.maker.unit(0, 30, 50, 2.5f, kBuilder);  // 7 wu/s against 10
    f.start();
    f.d->move(1, {unit_id(1, 0), unit_id(1, 1)}, 200, 40, kKeepTogether);
    float fastest = 0;
    for (int t = 0; t < 600; ++t) {
        f.d->run(1);
        fastest = std::max(fastest, length(f.at(0).velocity));
    }
    CHECK(fastest > 6.5f);
    CHECK(fastest < 7.01f);
}

TEST_CASE("a given yaw is taken at the goal") {
    Field f(1);
    f.start();
    f.d->move(1, {unit_id(1, 0)}, 90, 30, kYawGiven);
    f.d->next.commands.back().yaw = 16384;  // a quarter turn to the left: faces -X
    f.d->run(900);
    CHECK(f.d->count(EventKind::order_done) == 1);
    CHECK(std::abs(f.at(0).yaw - 1.5708f) < 0.06f);
}

TEST_CASE("a goal without areal and a goal that cannot be reached fail as unreachable") {
    MapSpec spec;
    // A wall of missing areals from edge to edge at x = 112..144, and a hole.
    spec.walkable = [](int i, int j) { return i != 7 && i != 8 && !(i == 3 && j == 3); };
    Field f(2, spec);
    f.start();
    f.d->move(1, {unit_id(1, 0)}, 56, 56);
    f.d->run(5);
    REQUIRE(f.d->last(EventKind::order_failed));
    CHECK(f.d->last(EventKind::order_failed)->code == 16);
    f.d->move(1, {unit_id(1, 1)}, 200, 30);
    f.d->run(5);
    CHECK(f.d->count(EventKind::order_failed) == 2);
    CHECK(f.d->last(EventKind::order_failed)->code == 16);
}

TEST_CASE("the hero can be driven by hand and stops when the stick is let go") {
    Field f(1);
    f.maker.unit(0, 60, 60, 0.6f, kHero);
    f.start();
    const ObjectId hero = unit_id(1, 1);
    f.d->command(1, Order::take_control, {unit_id(1, 0)}).param = 1;
    CHECK(f.result() == 13);  // only the hero for now
    f.d->command(1, Order::take_control, {hero}).param = 1;
    CHECK(f.result() == 0);
    CHECK((view(*f.w->snapshot(), hero).flags & kManual) != 0);
    ManualInput m;
    m.player = 1;
    m.object = hero;
    m.move_y = 127;
    f.d->next.manual = {m};
    f.d->run(1);
    f.d->run(11);
    const Vec3 mid = view(*f.w->snapshot(), hero).position;
    CHECK(mid.y > 60.2f);
    CHECK(mid.x == Approx(60).margin(0.01));
    f.d->run(100);  // the input is held for 240 ms only
    CHECK(length(view(*f.w->snapshot(), hero).velocity) == 0);
    f.d->command(1, Order::take_control, {hero}).param = 0;
    f.d->run(1);
    CHECK((view(*f.w->snapshot(), hero).flags & kManual) == 0);
}

TEST_CASE("a goal inside a building is taken beside it") {
    Field f(4);
    f.maker.block(0, 136, 136, 8, 8);
    f.start();
    f.d->move(1, {unit_id(1, 0), unit_id(1, 1), unit_id(1, 2)}, 136, 136);
    f.d->run(3000);
    CHECK(f.d->count(EventKind::order_done) == 3);
    CHECK(f.d->count(EventKind::order_failed) == 0);
    for (std::uint32_t i = 0; i < 3; ++i) CHECK(length(f.place(i) - Vec2{136, 136}) < 25);
}
