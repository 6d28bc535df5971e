#include <catch2/catch.hpp>

#include "server/navigation/obstacles.hpp"

using namespace iron;
using namespace iron::navigation;

namespace {
Obstacles square_and_circle() {
    Obstacles o;
    const Vec2 square[] = {{10, 10}, {20, 10}, {20, 20}, {10, 20}};
    o.add_circle(world::ObjectId::make(0, 10, 1), {50, 15}, 3, 0, 5, false);
    o.add_polygon(world::ObjectId::make(0, 3, 0), square, 0, 10, true);
    o.finish(16);
    return o;
}
}  // namespace

TEST_CASE("clearance is signed and points outward") {
    const Obstacles o = square_and_circle();
    const Outline& square = o.all()[0];  // ascending id: class 3 before class 10
    REQUIRE(square.building);
    auto c = o.clearance(square, {5, 15});
    CHECK(c.distance == Approx(5));
    CHECK(c.normal.x == Approx(-1));
    c = o.clearance(square, {18, 15});
    CHECK(c.distance == Approx(-2));
    CHECK(c.normal.x == Approx(1));
    c = o.clearance(square, {23, 24});  // corner: 3-4-5
    CHECK(c.distance == Approx(5));
    CHECK(c.normal.y == Approx(0.8f));
    c = o.clearance(square, {20, 15});  // on the border
    CHECK(c.distance == Approx(0).margin(1e-5));
    CHECK(c.normal.x == Approx(1));
    c = o.clearance(o.all()[1], {50, 10});
    CHECK(c.distance == Approx(2));
    CHECK(c.normal.y == Approx(-1));
}

TEST_CASE("a disc is cast to the first touch: faces, corners, circles") {
    const Obstacles o = square_and_circle();
    const std::uint32_t all[] = {0, 1};
    CHECK(o.cast_disc(all, {0, 15}, {1, 0}, 30, 2) == Approx(8));
    CHECK(o.cast_disc(all, {0, 15}, {-1, 0}, 30, 2) == 30);
    CHECK(o.cast_disc(all, {0, 22.5f}, {1, 0}, 30, 2) == 30);      // passes above
    CHECK(o.cast_disc(all, {0, 21}, {1, 0}, 30, 2) == Approx(10 - std::sqrt(3.0f)));  // corner (10, 20)
    CHECK(o.cast_disc(all, {40, 15}, {1, 0}, 30, 2) == Approx(5));
    // Touching already: only moves into it are stopped.
    CHECK(o.cast_disc(all, {8, 15}, {1, 0}, 5, 2) == 0);
    CHECK(o.cast_disc(all, {8, 15}, {0, 1}, 5, 2) == 5);
    CHECK(o.cast_disc(all, {8, 15}, {-1, 0}, 5, 2) == 5);
}

TEST_CASE("near finds every outline once, ascending") {
    const Obstacles o = square_and_circle();
    std::vector<std::uint32_t> found;
    o.near({0, 0}, {100, 30}, 0, found);
    CHECK(found == std::vector<std::uint32_t>{0, 1});
    o.near({46, 15}, {46, 15}, 2, found);
    CHECK(found == std::vector<std::uint32_t>{1});
    o.near({-500, -500}, {-400, -400}, 1, found);
    CHECK(found.empty());
    CHECK(o.is_free({30, 15}, 5, found));
    CHECK_FALSE(o.is_free({24, 15}, 5, found));
}
