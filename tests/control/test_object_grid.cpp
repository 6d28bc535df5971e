#include <catch2/catch.hpp>

#include <algorithm>

#include "server/control/object_grid.hpp"
#include "shared/base/rng.hpp"

using namespace iron;
using namespace iron::control;

TEST_CASE("near visits every item in reach once, in the given order inside a cell") {
    ObjectGrid grid;
    grid.configure({0, 0}, {200, 100}, 16);
    Rng rng(5, 1);
    std::vector<std::uint32_t> slots;
    std::vector<Vec2> places;
    for (std::uint32_t i = 0; i < 300; ++i) {
        slots.push_back(i);
        places.push_back({rng.unit() * 260 - 30, rng.unit() * 160 - 30});  // some outside the grid
    }
    grid.rebuild(slots, places);
    for (int round = 0; round < 50; ++round) {
        const Vec2 p{rng.unit() * 200, rng.unit() * 100};
        std::vector<std::uint32_t> seen;
        grid.near(p, 20, [&](std::uint32_t slot) { seen.push_back(slot); });
        auto sorted = seen;
        std::sort(sorted.begin(), sorted.end());
        CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
        for (std::uint32_t i = 0; i < 300; ++i) {
            const Vec2 d = places[i] - p;
            if (dot(d, d) <= 400) CHECK(std::binary_search(sorted.begin(), sorted.end(), i));
        }
    }
    std::vector<std::uint32_t> same_cell;
    grid.rebuild(std::vector<std::uint32_t>{7, 3, 9}, std::vector<Vec2>{{5, 5}, {6, 6}, {7, 7}});
    grid.near({6, 6}, 1, [&](std::uint32_t slot) { same_cell.push_back(slot); });
    CHECK(same_cell == std::vector<std::uint32_t>{7, 3, 9});
    grid.rebuild({}, {});
    grid.near({6, 6}, 500, [&](std::uint32_t) { FAIL("empty"); });
}
