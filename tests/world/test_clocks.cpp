#include <catch2/catch.hpp>

#include "server/world/clock.hpp"
#include "server/world/step_accumulator.hpp"
#include "shared/base/rng.hpp"

using namespace iron;
using namespace iron::world;

TEST_CASE("95 ms with a 20 ms step and at most 3 steps: 3 ticks, 35 ms dropped, then 10 + 10 ms one tick") {
    auto a = StepAccumulator::create(20, 3).value();
    CHECK(a.advance(95) == 3);
    CHECK(a.dropped_ms() == 35);
    CHECK(a.dropped_frames() == 1);
    CHECK(a.advance(10) == 0);
    CHECK(a.advance(10) == 1);
    CHECK(a.dropped_ms() == 35);
}

TEST_CASE("the remainder is kept, also in fractions of a millisecond") {
    auto a = StepAccumulator::create(20).value();
    CHECK(a.advance(39) == 1);
    CHECK(a.advance(1) == 1);
    // 150 percent of 7 ms are 10.5 ms.
    CHECK(a.advance(7, 150) == 0);
    CHECK(a.advance(7, 150) == 1);
    CHECK(a.advance(0) == 0);
    CHECK(a.until_next_ms() == 19);  // exactly 1 ms is kept
}

TEST_CASE("a pause accumulates nothing, a zero step is a configuration error") {
    auto a = StepAccumulator::create(20).value();
    CHECK(a.advance(1000, 100, true) == 0);
    CHECK(a.advance(20) == 1);
    CHECK(StepAccumulator::create(0).error().code() == "bad_step");
    CHECK(StepAccumulator::create(20, 0).error().code() == "bad_step");
}

TEST_CASE("exactly the maximum drops nothing") {
    auto a = StepAccumulator::create(20, 8).value();
    CHECK(a.advance(160) == 8);
    CHECK(a.dropped_frames() == 0);
}

TEST_CASE("game time is a product of ticks") {
    GameClock c;
    for (int i = 0; i < 150; ++i) c.advance();
    CHECK(c.game_time_ms() == 3000);
}
