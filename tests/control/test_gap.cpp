// Movement through a gap in a wall: the check values of simulation.md 28.3.
#include <catch2/catch.hpp>

#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {

struct Outcome {
    std::size_t arrived = 0, failed = 0;
    float seconds = 0;
};

/// 30 units of radius 2.5 before a wall at y = 128, 4 wu thick, in 6 columns 6.5 wu apart, first row 30 wu
/// before the gap; goals as far behind it.
Outcome run(float gap, bool both_ways, bool one_point) {
    MapSpec spec;
    spec.areal_size = 16;
    MissionMaker m(spec);
    m.clan("red");
    const float left = 128 - gap / 2, right = 128 + gap / 2;
    m.block(0, left / 2, 128, left / 2, 2);
    m.block(0, (right + 256) / 2, 128, (256 - right) / 2, 2);
    std::vector<ObjectId> there, back;
    const std::uint32_t first = both_ways ? 15 : 30;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const std::uint32_t k = i < first ? i : i - first;
        const float x = 128 + (static_cast<float>(k % 6) - 2.5f) * 6.5f, off = 30 + static_cast<float>(k / 6) * 6.5f;
        m.unit(0, x, i < first ? 128 - off : 128 + off).orientation.z = i < first ? 0.0f : kPi;
        (i < first ? there : back).push_back(unit_id(1, i));
    }
    auto w = make_world(m);
    Driver d(*w);
    const float depth = both_ways ? 6.5f : 9.75f;  // half of the block of slots
    d.move(1, there, 128, 128 + 30 + (one_point ? 0 : depth), one_point ? kSingleGoal : 0);
    if (both_ways) d.move(1, back, 128, 128 - 30 - depth);
    Outcome out;
    while (out.seconds < 180 && out.arrived + out.failed < 30) {
        d.run(1);
        out.arrived = d.count(EventKind::order_done);
        out.failed = d.count(EventKind::order_failed);
        out.seconds = static_cast<float>(w->tick()) / 50;
    }
    return out;
}

}  // namespace

TEST_CASE("thirty units pass a gap of two unit widths one way within a minute") {
    const Outcome o = run(10, false, false);
    CHECK(o.arrived == 30);
    CHECK(o.failed == 0);
    CHECK(o.seconds <= 60);
}

TEST_CASE("fifteen against fifteen pass the gap within two minutes") {
    const Outcome o = run(10, true, false);
    CHECK(o.arrived == 30);
    CHECK(o.seconds <= 120);
}

TEST_CASE("a gap of 1.2 unit widths is passed one way and both ways within two minutes") {
    const Outcome one = run(6, false, false), both = run(6, true, false);
    CHECK(one.arrived == 30);
    CHECK(one.seconds <= 120);
    CHECK(both.arrived == 30);
    CHECK(both.seconds <= 120);
}

TEST_CASE("thirty units sent to one point behind the gap all arrive") {
    const Outcome o = run(10, false, true);
    CHECK(o.arrived == 30);
    CHECK(o.seconds <= 120);
}
