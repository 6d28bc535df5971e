#include <catch2/catch.hpp>

#include "server/navigation/corridor.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::navigation;
using namespace synthetic;

namespace {
float distance_to_box(Vec2 p, Vec2 low, Vec2 high) {
    const float dx = std::max({low.x - p.x, 0.0f, p.x - high.x}), dy = std::max({low.y - p.y, 0.0f, p.y - high.y});
    return length(Vec2{dx, dy});
}
}  // namespace

TEST_CASE("portals shrink by radius and clearance, by the radius, or to their middle") {
    auto p = shrink_portal({0, 0}, {20, 0}, 2, 2);
    CHECK(p.left == Vec2{4, 0});
    CHECK(p.right == Vec2{16, 0});
    p = shrink_portal({0, 0}, {10, 0}, 2, 2);  // 2 wu would remain, 4 are needed
    CHECK(p.left == Vec2{2, 0});
    CHECK(p.right == Vec2{8, 0});
    p = shrink_portal({0, 0}, {3, 0}, 2, 2);
    CHECK(p.left == Vec2{1.5f, 0});
    CHECK(p.right == Vec2{1.5f, 0});
}

TEST_CASE("the string is straight through open portals and bends at corners") {
    // Portals across the way along +X; left is +Y.
    const std::vector<Portal> open{{{10, 5}, {10, -5}}, {{20, 5}, {20, -5}}};
    CHECK(pull_string({0, 0}, open, {30, 0}) == std::vector<Vec2>{{0, 0}, {30, 0}});
    const std::vector<Portal> left_turn{{{10, 5}, {10, -5}}, {{20, 25}, {20, 15}}, {{30, 5}, {30, -5}}};
    CHECK(pull_string({0, 0}, left_turn, {40, 0}) == std::vector<Vec2>{{0, 0}, {10, 5}, {20, 15}, {30, 5}, {40, 0}});
    const std::vector<Portal> right_turn{{{10, 5}, {10, -5}}, {{20, -15}, {20, -25}}, {{30, 5}, {30, -5}}};
    CHECK(pull_string({0, 0}, right_turn, {40, 0}) == std::vector<Vec2>{{0, 0}, {10, -5}, {20, -15}, {30, -5}, {40, 0}});
    // The first portal is wide enough for the straight line to the corner of the second.
    const std::vector<Portal> wide{{{10, 9}, {10, -9}}, {{20, 25}, {20, 15}}, {{30, 9}, {30, -9}}};
    CHECK(pull_string({0, 0}, wide, {40, 0}) == std::vector<Vec2>{{0, 0}, {20, 15}, {40, 0}});
    const std::vector<Portal> narrow{{{10, 3}, {10, 3}}};
    CHECK(pull_string({0, 0}, narrow, {20, 0}) == std::vector<Vec2>{{0, 0}, {10, 3}, {20, 0}});
    CHECK(pull_string({0, 0}, {}, {20, 0}) == std::vector<Vec2>{{0, 0}, {20, 0}});
    CHECK(pull_string({0, 0}, {}, {0, 0}) == std::vector<Vec2>{{0, 0}});
    // An S: both corners.
    const std::vector<Portal> s{{{10, 25}, {10, 15}}, {{20, -15}, {20, -25}}};
    CHECK(pull_string({0, 0}, s, {30, 0}) == std::vector<Vec2>{{0, 0}, {10, 15}, {20, -15}, {30, 0}});
}

TEST_CASE("a line is led around a building at the wanted distance, the shorter way") {
    Obstacles obstacles;
    const Vec2 box[] = {{40, -10}, {60, -10}, {60, 4}, {40, 4}};
    obstacles.add_polygon(world::ObjectId::make(1, 3, 0), box, 0, 10, true);
    obstacles.finish(16);
    const auto line = avoid_outlines({{0, 0}, {100, 0}}, obstacles, 2.5f, 2);
    REQUIRE(line.size() > 2);
    for (std::size_t i = 1; i < line.size(); ++i)
        for (int k = 0; k <= 50; ++k) {
            const Vec2 p = line[i - 1] + (line[i] - line[i - 1]) * (static_cast<float>(k) / 50);
            CHECK(distance_to_box(p, {40, -10}, {60, 4}) > 2.49f);
        }
    for (Vec2 p : line) CHECK(p.y >= -0.01f);  // above is shorter
    // A free line is left alone.
    CHECK(avoid_outlines({{0, 20}, {100, 20}}, obstacles, 2.5f, 2).size() == 2);
}

TEST_CASE("a start that touches the building is led away from it") {
    Obstacles obstacles;
    const Vec2 box[] = {{40, -10}, {60, -10}, {60, 10}, {40, 10}};
    obstacles.add_polygon(world::ObjectId::make(1, 3, 0), box, 0, 10, true);
    obstacles.finish(16);
    const auto line = avoid_outlines({{37.6f, 2}, {70, 0}}, obstacles, 2.5f, 2);
    REQUIRE(line.size() > 3);
    CHECK(line[1].x < 37.6f);
    CHECK(line.back() == Vec2{70, 0});
}

TEST_CASE("a local path has points every step, at most 32, and knows what remains") {
    MapSpec spec;
    const ArealMap map = ArealMap::build(make_map(spec), 1).value();
    Obstacles none;
    RouteFields routes;
    routes.configure(&map, &none, {});
    const auto c = routes.mobility_of(0.7f, 2.5f, false);
    const auto field = compute_route_field(map, routes.passability(c), map.locate(40, 8, 0).value());
    const LocalPath near = build_local_path(map, field, none, {8, 8}, map.locate(8, 8, 0).value(), {40, 8}, 2.5f, {});
    CHECK(near.reaches_goal);
    CHECK(near.count == 16);
    CHECK(near.points[0] == Vec2{10, 8});
    CHECK(near.points[15] == Vec2{40, 8});
    CHECK(near.remaining_from(0) == Approx(30));

    const auto far_field = compute_route_field(map, routes.passability(c), map.locate(248, 8, 0).value());
    const LocalPath far = build_local_path(map, far_field, none, {8, 8}, map.locate(8, 8, 0).value(), {248, 8}, 2.5f, {});
    CHECK_FALSE(far.reaches_goal);
    CHECK(far.count == kLocalPoints);
    CHECK(far.remaining_from(0) == Approx(238).margin(2));

    const LocalPath tiny = build_local_path(map, field, none, {39, 8}, map.locate(40, 8, 0).value(), {40, 8}, 2.5f, {});
    CHECK(tiny.count == 3);  // the least number of points
}

TEST_CASE("the path goes through what a building leaves of a portal") {
    MapSpec spec;
    const ArealMap map = ArealMap::build(make_map(spec), 1).value();
    Obstacles obstacles;
    // Covers x = 16 for y 4..12; the unit of radius 2 has 0..2 or 14..16 to choose from.
    const Vec2 box[] = {{15, 3}, {17, 3}, {17, 12}, {15, 12}};
    obstacles.add_polygon(world::ObjectId::make(1, 3, 0), box, 0, 10, true);
    obstacles.finish(16);
    RouteFields routes;
    routes.configure(&map, &obstacles, {});
    const auto c = routes.mobility_of(0.7f, 2, false);
    const auto field = compute_route_field(map, routes.passability(c), map.locate(24, 8, 0).value());
    const LocalPath path = build_local_path(map, field, obstacles, {8, 8}, map.locate(8, 8, 0).value(), {24, 8}, 2, {});
    REQUIRE(path.count > 3);
    Vec2 last{8, 8};
    for (std::uint8_t i = 0; i < path.count; ++i) {
        for (int k = 0; k <= 10; ++k) {
            const Vec2 p = last + (path.points[i] - last) * (static_cast<float>(k) / 10);
            CHECK(distance_to_box(p, {15, 3}, {17, 12}) > 1.98f);
        }
        last = path.points[i];
    }
    CHECK(last == Vec2{24, 8});
}
