#include <catch2/catch.hpp>

#include "client/view/interpolation.hpp"
#include "shared/base/math.hpp"

using namespace iron::client::view;

namespace {

StateSample sample(double ms, float x, float yaw = 0) {
    StateSample out;
    out.time_ms = ms;
    out.position = {x, 0, 0};
    out.yaw = yaw;
    return out;
}

}  // namespace

TEST_CASE("half way between two samples is half way in place and angle") {
    const StateSample at = blend(sample(1000, 10, 0.2f), sample(1040, 14, 0.6f), 1020);
    CHECK(at.position.x == Approx(12.0f));
    CHECK(at.yaw == Approx(0.4f));
}

TEST_CASE("angles turn along the shorter arc across the seam") {
    // From 170 to -170 degrees: 20 degrees over 180, not 340 back.
    const float a = 170.0f * iron::kPi / 180.0f;
    const StateSample at = blend(sample(0, 0, a), sample(100, 0, -a), 50);
    CHECK(std::abs(at.yaw) == Approx(iron::kPi).margin(1e-5));
    const StateSample quarter = blend(sample(0, 0, a), sample(100, 0, -a), 25);
    CHECK(quarter.yaw == Approx(175.0f * iron::kPi / 180.0f));
}

TEST_CASE("the fraction is clamped to the two samples") {
    CHECK(blend(sample(0, 1), sample(40, 2), -500).position.x == Approx(1.0f));
    CHECK(blend(sample(0, 1), sample(40, 2), 500).position.x == Approx(2.0f));
}

TEST_CASE("a jump of more than 20 wu is not interpolated") {
    const StateSample before = blend(sample(0, 0), sample(40, 20.5f), 39);
    CHECK(before.position.x == Approx(0.0f));
    CHECK(blend(sample(0, 0), sample(40, 20.5f), 40).position.x == Approx(20.5f));
    CHECK(blend(sample(0, 0), sample(40, 19.5f), 20).position.x == Approx(9.75f));
}

TEST_CASE("a sample marked absolute is not interpolated however near it is") {
    StateSample b = sample(40, 1);
    b.teleported = true;
    CHECK(blend(sample(0, 0), b, 39).position.x == Approx(0.0f));
    CHECK(blend(sample(0, 0), b, 40).position.x == Approx(1.0f));
}

TEST_CASE("a track extrapolates 100 ms along the velocity and then freezes") {
    SampleTrack track;
    StateSample last = sample(1000, 5);
    last.velocity = {10, 0, 0};
    track.push(sample(960, 4.6f));
    track.push(last);
    CHECK(track.at(1050)->position.x == Approx(5.5f));
    CHECK(track.at(1100)->position.x == Approx(6.0f));
    CHECK(track.at(2000)->position.x == Approx(6.0f));
}

TEST_CASE("a track shows its first sample before anything is known about the past") {
    SampleTrack track;
    CHECK_FALSE(track.at(0).has_value());
    track.push(sample(1000, 3));
    track.push(sample(1040, 4));
    CHECK(track.at(10)->position.x == Approx(3.0f));
}

TEST_CASE("a track keeps the newest samples and ignores late ones") {
    SampleTrack track;
    for (int i = 0; i < 100; ++i) track.push(sample(i * 40.0, static_cast<float>(i)));
    track.push(sample(40.0, 999));
    CHECK(track.newest()->position.x == Approx(99.0f));
    CHECK(track.at(98.5 * 40)->position.x == Approx(98.5f));
    // Samples before the kept ones are answered by the oldest kept one.
    CHECK(track.at(0)->position.x == Approx(static_cast<float>(100 - SampleTrack::kLimit)));
}

TEST_CASE("the server clock runs evenly when packets arrive unevenly") {
    ServerClock clock;
    clock.arrived(5000, 100);
    double last = clock.now(100);
    double worst = 0;
    for (int i = 1; i <= 200; ++i) {
        const double local = 100 + i * 16.0;
        // Every third packet is 30 ms late.
        if (i % 3 == 0) clock.arrived(5000 + i * 16.0 - 30.0, local);
        else clock.arrived(5000 + i * 16.0, local);
        const double now = clock.now(local);
        CHECK(now >= last);
        worst = std::max(worst, std::abs((now - last) - 16.0));
        last = now;
    }
    CHECK(worst < 1.0);  // at most 5 % of a frame of 16 ms
    CHECK(last == Approx(5000 + 200 * 16.0).margin(5.0));
}

TEST_CASE("the server clock follows a jump of more than a second at once") {
    ServerClock clock;
    clock.arrived(1000, 0);
    clock.now(0);
    clock.arrived(60'000, 20);
    CHECK(clock.now(20) == Approx(60'000).margin(1.0));
}
