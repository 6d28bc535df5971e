#include <catch2/catch.hpp>

#include "server/navigation/areal_map.hpp"
#include "shared/base/rng.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::navigation;
using namespace synthetic;

TEST_CASE("a point is found in its areal, borders count as inside, holes are a miss") {
    MapSpec spec;
    spec.areal_size = 32;
    spec.walkable = [](int i, int j) { return !(i == 1 && j == 1); };
    const auto map = ArealMap::build(make_map(spec), 1).value();
    CHECK(map.size() == 63);
    const auto at = map.locate(16, 16, 0);
    REQUIRE(at);
    CHECK(map.anchor(*at).x == 16);
    CHECK(map.locate(0, 0, 0));
    CHECK(map.locate(32, 16, 0));
    CHECK_FALSE(map.locate(48, 48, 0));
    CHECK_FALSE(map.locate(-1, 10, 0));
    // A point on a common border belongs to the lower id (equal distance to both planes).
    CHECK(map.locate(32, 16, 0) == std::min(map.locate(31, 16, 0), map.locate(33, 16, 0)));
}

TEST_CASE("the grid never changes the areal of a point") {
    MapSpec spec;
    spec.areal_size = 8;
    spec.walkable = [](int i, int j) { return (i * 7 + j * 3) % 5 != 0; };
    const auto map = ArealMap::build(make_map(spec), 1).value();
    Rng rng(3, 1);
    for (int i = 0; i < 2000; ++i) {
        const float x = rng.unit() * 270 - 7, y = rng.unit() * 270 - 7;
        CHECK(map.locate(x, y, 0) == map.locate_reference(x, y, 0));
    }
}

TEST_CASE("of overlapping areals the one with the nearer plane wins") {
    asset::LandMap raw;
    for (float z : {0.0f, 10.0f}) {
        asset::Areal a;
        a.anchor = {8, 8, z};
        a.vertices = {{0, 0, z}, {16, 0, z}, {16, 16, z}, {0, 16, z}};
        raw.areals.push_back(a);
    }
    REQUIRE(asset::build_areal_grid(raw, 4, 4, asset::areal_bounds(raw)));
    const auto map = ArealMap::build(raw, 1).value();
    CHECK(map.locate(5, 5, 2) == 0u);
    CHECK(map.locate(5, 5, 8) == 1u);
    CHECK(map.locate(5, 5, 5) == 0u);  // a tie: the lower id
}

TEST_CASE("neighbours are sorted, without the areal itself and without doubles; the longest edge counts") {
    asset::LandMap raw;
    asset::Areal a;
    a.anchor = {5, 5, 0};
    a.vertices = {{0, 0, 0}, {10, 0, 0}, {10, 2, 0}, {10, 9, 0}, {0, 10, 0}};
    a.links = {{2, 0}, {1, 0}, {1, 1}, {0, 0}, {-1, -1}};
    raw.areals.push_back(a);
    for (int i = 0; i < 2; ++i) {
        asset::Areal b;
        b.anchor = {25, 5, 0};
        b.vertices = {{20, 0, 0}, {30, 0, 0}, {30, 10, 0}};
        b.links.resize(3);
        raw.areals.push_back(b);
    }
    REQUIRE(asset::build_areal_grid(raw, 4, 4, asset::areal_bounds(raw)));
    const auto map = ArealMap::build(raw, 1).value();
    REQUIRE(map.edges(0).size() == 2);
    CHECK(map.edges(0)[0].to == 1);
    CHECK(map.edges(0)[1].to == 2);
    CHECK(map.edges(0)[0].a == Vec2{10, 2});  // 7 wu against 2 wu
    CHECK(map.edges(0)[0].b == Vec2{10, 9});
    CHECK(map.edges(0)[0].cost == 2000);      // 20 wu
}

TEST_CASE("normals follow the height scale") {
    asset::LandMap raw;
    asset::Areal a;
    a.vertices = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
    a.normal = {0.6f, 0, 0.8f};
    raw.areals.push_back(a);
    REQUIRE(asset::build_areal_grid(raw, 1, 1, asset::areal_bounds(raw)));
    // Slope 0.75 becomes 0.375 when heights are halved: nz = 1 / sqrt(1 + 0.375^2).
    CHECK(ArealMap::build(raw, 0.5f)->normal(0).z == Approx(0.936329f));
}
