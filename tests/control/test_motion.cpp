#include <catch2/catch.hpp>

#include "server/control/motion.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {
struct Scene {
    MissionMaker maker;
    std::unique_ptr<World> w;
    std::unique_ptr<Driver> d;
    explicit Scene(MapSpec spec = {}) : maker(std::move(spec)) { maker.clan("red").clan("blue"); }
    void start() {
        w = make_world(maker);
        d = std::make_unique<Driver>(*w);
    }
    const ObjectView& at(std::uint32_t i, PlayerNumber p = 1) const { return view(*w->snapshot(), unit_id(p, i)); }
};
}  // namespace

TEST_CASE("forward is +Y at yaw 0 and turns to the left with it") {
    CHECK(control::forward_of(0) == Vec2{0, 1});
    CHECK(control::forward_of(kHalfPi).x == Approx(-1));
    CHECK(control::yaw_of({0, 1}) == Approx(0).margin(1e-6));
    CHECK(control::yaw_of({-1, 0}) == Approx(kHalfPi));
    CHECK(control::yaw_of({1, 0}) == Approx(-kHalfPi));
}

TEST_CASE("a unit accelerates by 5 wu/s2 up to 10 wu/s on a straight line") {
    Scene s;
    s.maker.unit(0, 104, 20);  // the middle of its column of areals: a straight way
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 104, 220);
    // The order arrives in tick 1, is planned and steered in it; the field is ready in tick 2.
    s.d->run(2);
    const float first = length(s.at(0).velocity);
    CHECK(first <= 0.1001f);
    s.d->run(50);
    CHECK(length(s.at(0).velocity) == Approx(first + 5.0f).margin(0.12f));
    s.d->run(100);
    CHECK(length(s.at(0).velocity) == Approx(10).margin(0.01));
    CHECK(s.at(0).position.x == Approx(104).margin(0.01));
}

TEST_CASE("turning takes the turn rate, and more than 60 degrees are turned on the spot") {
    Scene s;
    s.maker.unit(0, 136, 136);
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 24, 136);  // a quarter turn to the left
    s.d->run(12);
    const float yaw = s.at(0).yaw;
    // 1.2 rad/s: at most 12 ticks of 0.024 rad.
    CHECK(yaw > 0.2f);
    CHECK(yaw <= 12 * 0.024f + 1e-4f);
    CHECK(s.at(0).position == Vec3{136, 136, 0});
    s.d->run(80);
    CHECK(s.at(0).yaw == Approx(kHalfPi).margin(0.12));  // the arc of the last 60 degrees is made good
    CHECK(s.at(0).position.x < 136);
}

TEST_CASE("units brake before their goal and come to rest") {
    Scene s;
    s.maker.unit(0, 100, 20);
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 100, 120);
    float last_speed = 0, top = 0;
    for (int t = 0; t < 900; ++t) {
        s.d->run(1);
        last_speed = length(s.at(0).velocity);
        top = std::max(top, last_speed);
    }
    CHECK(top > 9.5f);
    CHECK(last_speed == 0);
    CHECK(s.at(0).position.y <= 120.5f);
    CHECK(s.at(0).position.y >= 117.4f);
}

TEST_CASE("z follows the ground and pitch and roll its slope") {
    MapSpec spec;
    spec.height = [](float, float y) { return 0.3f * y; };  // climbs along +Y
    Scene s(spec);
    s.maker.unit(0, 100, 40);
    s.maker.unit(0, 140, 40).orientation.z = kHalfPi;  // faces -X, the slope is on its right
    s.maker.unit(0, 180, 40, 0.6f, kHero);
    s.start();
    CHECK(s.at(0).position.z == Approx(12));
    s.d->run(60);
    const float angle = 0.29145679f;  // atan(0.3)
    CHECK(s.at(0).orientation.x == Approx(angle).margin(2e-3));
    CHECK(s.at(0).orientation.y == Approx(0).margin(2e-3));
    CHECK(s.at(1).orientation.x == Approx(0).margin(2e-3));
    CHECK(s.at(1).orientation.y == Approx(-angle).margin(2e-3));
    CHECK(s.at(2).orientation.x == 0);
    s.d->move(1, {unit_id(1, 0)}, 100, 200);
    s.d->run(300);
    const auto& v = s.at(0);
    CHECK(v.position.z == Approx(0.3f * v.position.y).margin(1e-3));
    // Uphill the limit is v_max * (1 - 0.5 sin(slope)); sin = 0.28735.
    CHECK(length(Vec2{v.velocity.x, v.velocity.y}) == Approx(10 * (1 - 0.5f * 0.28735f)).margin(0.1));
}

TEST_CASE("tilt turns the local up axis into the surface normal") {
    for (auto [sx, sy] : {std::pair{0.4f, 0.0f}, {0.0f, -0.7f}, {0.3f, 0.5f}}) {
        const Vec2 tilt = control::tilt_of(sx, sy);
        const Vec3 up = rotation_zyx({tilt.x, tilt.y, 0}) * Vec3{0, 0, 1};
        const float len = std::sqrt(1 + sx * sx + sy * sy);
        CHECK(up.x == Approx(-sx / len).margin(1e-5));
        CHECK(up.y == Approx(-sy / len).margin(1e-5));
        CHECK(up.z == Approx(1 / len).margin(1e-5));
    }
}

namespace {
/// Two plateaus, 20 wu apart in height, with nothing between them at y = 100.
void put_cliff(MissionMaker& maker) {
    asset::LandMesh mesh;
    mesh.columns = 1;
    mesh.tiles.resize(1);
    mesh.tiles[0].slots[0] = 0;
    mesh.slots.resize(1);
    mesh.slots[0].triangle_count = 4;
    for (auto [y0, y1, z] : {std::array{0.0f, 100.0f, 0.0f}, {100.0f, 256.0f, 20.0f}}) {
        const auto base = static_cast<std::uint16_t>(mesh.positions.size());
        for (Vec3 p : {Vec3{0, y0, z}, {256, y0, z}, {256, y1, z}, {0, y1, z}}) mesh.positions.push_back(p);
        for (auto [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}}) {
            asset::LandFace f;
            f.vertices = {static_cast<std::uint16_t>(base + a), static_cast<std::uint16_t>(base + b), static_cast<std::uint16_t>(base + c)};
            mesh.faces.push_back(f);
        }
    }
    maker.mesh = std::make_shared<asset::LandMesh>(mesh);
}
}  // namespace

TEST_CASE("a step higher than the limit is refused and reported; the unit gives up after its tries") {
    Scene s;
    put_cliff(s.maker);
    s.maker.unit(0, 104, 60);
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 104, 140);
    s.d->run(600);
    CHECK(s.at(0).position.y < 100.1f);
    CHECK(s.at(0).position.y > 99);
    CHECK(s.at(0).position.z == 0);
    std::size_t reports = 0;
    for (const auto& e : s.d->events) reports += e.kind == EventKind::diagnostic && e.text == "BEH_NONWALKABLE_EXIT";
    CHECK(reports > 0);
    CHECK(reports <= 12);  // once per second
    s.d->run(5000);
    REQUIRE(s.d->last(EventKind::order_failed));
    CHECK(s.d->last(EventKind::order_failed)->code == 17);  // blocked
    CHECK(s.at(0).behaviour_state == 1);
}
