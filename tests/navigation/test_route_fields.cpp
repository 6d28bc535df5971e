#include <catch2/catch.hpp>

#include "server/navigation/route_fields.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::navigation;
using namespace synthetic;

namespace {

struct Net {
    ArealMap map;
    Obstacles obstacles;
    RouteFields routes;

    explicit Net(MapSpec spec, RouteFields::Limits limits = {}) : map(ArealMap::build(make_map(spec), 1).value()) {
        obstacles.finish(16);
        routes.configure(&map, &obstacles, std::move(limits));
    }
    std::uint32_t at(float x, float y) const { return map.locate(x, y, 0).value(); }
};

MapSpec walled() {
    MapSpec spec;
    spec.areal_size = 16;
    spec.walkable = [](int i, int j) { return i != 8 || j == 12; };  // a wall with one gap
    return spec;
}

}  // namespace

TEST_CASE("a field leads through the gap, with integer costs") {
    Net net(walled());
    const std::uint16_t c = net.routes.mobility_of(0.7f, 2.5f, false);
    const std::uint32_t goal = net.at(200, 8), start = net.at(8, 8);
    const auto field = compute_route_field(net.map, net.routes.passability(c), goal);
    const auto route = route_of(field, start);
    REQUIRE_FALSE(route.empty());
    CHECK(route.front() == start);
    CHECK(route.back() == goal);
    const std::uint32_t gap = net.at(136, 200);
    CHECK(std::find(route.begin(), route.end(), gap) != route.end());
    // 12 areals across and 12 up and 12 down again, 16 wu = 1600 each.
    CHECK(field.cost[start] == 36u * 1600u);
    CHECK(field.next[goal] == goal);
    CHECK(route_of(field, goal) == std::vector<std::uint32_t>{goal});
}

TEST_CASE("an unreachable goal gives an empty route") {
    MapSpec spec = walled();
    spec.walkable = [](int i, int) { return i != 8; };
    Net net(spec);
    const std::uint16_t c = net.routes.mobility_of(0.7f, 2.5f, false);
    const auto field = compute_route_field(net.map, net.routes.passability(c), net.at(200, 8));
    CHECK(route_of(field, net.at(8, 8)).empty());
    CHECK_FALSE(field.reaches(net.at(8, 8)));
    CHECK(field.cost[net.at(8, 8)] == 0xFFFFFFFFu);
    CHECK(net.routes.passability(c).component[net.at(8, 8)] != net.routes.passability(c).component[net.at(200, 8)]);
}

TEST_CASE("a next areal is replaced only on strictly lower cost: ties keep the first, by (cost, id)") {
    MapSpec spec;
    spec.tiles = 1;
    spec.areal_size = 16;  // 4 x 4
    Net net(spec);
    const std::uint16_t c = net.routes.mobility_of(0.7f, 1, false);
    const auto field = compute_route_field(net.map, net.routes.passability(c), 0);
    // Areal (i, j) is number 4 i + j. From (1, 1) = 5 both 1 and 4 cost the same; 1 is taken from the
    // frontier first and stays.
    CHECK(field.next[5] == 1);
    CHECK(field.next[15] == 11);
    const auto again = compute_route_field(net.map, net.routes.passability(c), 0);
    CHECK(again.next == field.next);
    CHECK(again.cost == field.cost);
}

TEST_CASE("steep and listed areals are not walkable on the ground, flyers do not care") {
    MapSpec spec;
    spec.tiles = 1;
    auto raw = make_map(spec);
    raw.areals[5].class_id = 9;
    raw.areals[6].normal = {0.8f, 0, 0.6f};
    const auto map = ArealMap::build(raw, 1).value();
    Obstacles none;
    RouteFields routes;
    RouteFields::Limits limits;
    limits.nonwalkable_classes = {9};
    routes.configure(&map, &none, limits);
    const auto ground = routes.mobility_of(0.7f, 2, false), flyer = routes.mobility_of(0.7f, 2, true);
    CHECK_FALSE(routes.passability(ground).walkable[5]);
    CHECK_FALSE(routes.passability(ground).walkable[6]);
    CHECK(routes.passability(ground).walkable[7]);
    CHECK(routes.passability(flyer).walkable[5]);
    const auto blocked = compute_route_field(map, routes.passability(ground), 5);
    CHECK_FALSE(blocked.reaches(5));
}

TEST_CASE("mobility classes round the radius up to half units") {
    Net net(walled());
    CHECK(net.routes.mobility_of(0.7f, 2.1f, false) == 0);
    CHECK(net.routes.mobility_of(0.7f, 2.5f, false) == 0);
    CHECK(net.routes.mobility_of(0.7f, 2.6f, false) == 1);
    CHECK(net.routes.mobility_of(0.7f, 2.5f, true) == 2);
    CHECK(net.routes.classes()[0].radius_steps == 5);
}

TEST_CASE("at most eight fields are computed per tick, in request order; the rest waits") {
    Net net(walled());
    const auto c = net.routes.mobility_of(0.7f, 2, false);
    for (std::uint32_t g = 0; g < 10; ++g) CHECK(net.routes.request({g, 1, c}, 1) == nullptr);
    CHECK(net.routes.request({3, 1, c}, 1) == nullptr);  // asked twice, waits once
    CHECK(net.routes.waiting().size() == 10);
    net.routes.compute_waiting(1);
    CHECK(net.routes.entries().size() == 8);
    CHECK(net.routes.waiting().size() == 2);
    CHECK(net.routes.request({7, 1, c}, 2) != nullptr);
    CHECK(net.routes.request({8, 1, c}, 2) == nullptr);
    net.routes.compute_waiting(2);
    CHECK(net.routes.request({8, 1, c}, 3) != nullptr);
}

TEST_CASE("the least recently used field leaves first") {
    RouteFields::Limits limits;
    limits.kept = 3;
    Net net(walled(), limits);
    const auto c = net.routes.mobility_of(0.7f, 2, false);
    for (std::uint32_t g = 0; g < 3; ++g) net.routes.request({g, 1, c}, 1);
    net.routes.compute_waiting(1);
    net.routes.request({0, 1, c}, 5);
    net.routes.request({2, 1, c}, 6);
    net.routes.request({9, 1, c}, 7);
    net.routes.compute_waiting(7);
    CHECK(net.routes.entries().size() == 3);
    CHECK(net.routes.peek({1, 1, c}) == nullptr);
    CHECK(net.routes.peek({0, 1, c}) != nullptr);
    CHECK(net.routes.peek({9, 1, c}) != nullptr);
}

TEST_CASE("a building over the whole shared edge closes a portal, a smaller one does not") {
    MapSpec spec;
    spec.tiles = 1;
    Net net(spec);
    const auto c = net.routes.mobility_of(0.7f, 2, false);
    const auto closed = [&](std::uint32_t from, std::uint32_t to) {
        const auto edges = net.map.edges(from);
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (edges[i].to == to) return net.routes.passability(c).closed[net.map.first_edge(from) + i] != 0;
        return false;
    };
    CHECK_FALSE(closed(0, 4));
    // The edge between (0, 0) and (1, 0) is x = 16, y = 0..16.
    const Vec2 half[] = {{14, 0}, {18, 0}, {18, 8}, {14, 8}};
    net.obstacles.add_polygon(world::ObjectId::make(1, 3, 0), half, 0, 10, true);
    net.obstacles.finish(16);
    net.routes.map_changed();
    CHECK_FALSE(closed(0, 4));  // y 10..16 stays open beyond the radius of 2
    const Vec2 more[] = {{14, 7}, {18, 7}, {18, 14.5f}, {14, 14.5f}};
    net.obstacles.add_polygon(world::ObjectId::make(1, 3, 1), more, 0, 10, true);
    net.obstacles.finish(16);
    net.routes.map_changed();
    CHECK(closed(0, 4));
    CHECK(closed(4, 0));
    CHECK_FALSE(closed(1, 5));
    // Trees are no buildings.
    net.obstacles.clear();
    net.obstacles.add_circle(world::ObjectId::make(0, 10, 0), {16, 8}, 12, 0, 10, false);
    net.obstacles.finish(16);
    net.routes.map_changed();
    CHECK_FALSE(closed(0, 4));
}
