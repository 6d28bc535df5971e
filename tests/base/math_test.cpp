#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "shared/base/math.hpp"

using namespace iron;

TEST_CASE("sine, cosine and tangent agree with the exact functions") {
    for (int i = -4000; i <= 4000; ++i) {
        const float a = static_cast<float>(i) * 0.0123f;
        CHECK(std::abs(det_sin(a) - std::sin(static_cast<double>(a))) < 6e-8);
        CHECK(std::abs(det_cos(a) - std::cos(static_cast<double>(a))) < 6e-8);
    }
    CHECK(det_sin(0.0f) == 0.0f);
    CHECK(det_cos(0.0f) == 1.0f);
    CHECK(std::abs(det_tan(0.785f) - std::tan(0.785)) < 1e-6);
    CHECK(det_sin(std::numeric_limits<float>::infinity()) == 0.0f);
    CHECK(det_cos(1e30f) == 1.0f);
}

TEST_CASE("atan2 covers all quadrants, axes and its half-open range") {
    for (int i = 0; i < 720; ++i) {
        const double a = (i - 359.5) * 3.14159265358979 / 360.0;
        const float y = static_cast<float>(std::sin(a) * 3.0), x = static_cast<float>(std::cos(a) * 3.0);
        CHECK(std::abs(det_atan2(y, x) - std::atan2(static_cast<double>(y), static_cast<double>(x))) < 3e-7);
    }
    CHECK(det_atan2(0.0f, 0.0f) == 0.0f);
    CHECK(det_atan2(0.0f, -1.0f) == kPi);
    CHECK(det_atan2(-0.0f, -1.0f) == kPi);
    CHECK(det_atan2(-1e-30f, -1.0f) == kPi);
    CHECK(det_atan2(1.0f, 0.0f) == kHalfPi);
    CHECK(det_atan2(-1.0f, 0.0f) == -kHalfPi);
}

TEST_CASE("angles wrap into (-pi, pi]") {
    CHECK(wrap_angle(kPi) == kPi);
    CHECK(wrap_angle(-kPi) == kPi);
    CHECK(wrap_angle(0.5f) == 0.5f);
    for (int i = -50; i <= 50; ++i) {
        const float w = wrap_angle(static_cast<float>(i));
        REQUIRE((w > -kPi && w <= kPi));
        CHECK(std::abs(std::sin(static_cast<double>(w)) - std::sin(static_cast<double>(i))) < 2e-6);
    }
}

TEST_CASE("float to integer saturates, never wraps, and the original helper keeps the low word") {
    CHECK(trunc_i32(1e30) == std::numeric_limits<std::int32_t>::max());
    CHECK(trunc_i32(-1e30) == std::numeric_limits<std::int32_t>::min());
    CHECK(trunc_i64(std::nan("")) == 0);
    CHECK(trunc_i32(-1.9) == -1);
    CHECK(floor_i32(-1.5) == -2);
    CHECK(floor_i32(-2.0) == -2);
    CHECK(floor_i32(2.9) == 2);
    CHECK(round_i64(2.5) == 3);
    CHECK(round_i64(-2.5) == -3);
    CHECK(round_i64(2.4999) == 2);
    CHECK(trunc_low32(500.2857) == 500u);
    CHECK(trunc_low32(-1.0) == 0xFFFFFFFFu);
    CHECK(trunc_low32(4294967296.0 + 7) == 7u);
}

TEST_CASE("placement rotation gives the published matrix (mission.md 2.7)") {
    const Mat3 m = rotation_zyx({0.1f, 0.2f, 0.3f});
    const float want[3][3] = {{0.936293f, -0.275096f, 0.218351f},
                              {0.289629f, 0.956425f, -0.036957f},
                              {-0.198669f, 0.097843f, 0.975170f}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) CHECK(std::abs(m.m[r][c] - want[r][c]) < 1e-5f);
    const Vec3 v = rotation_zyx({0, 0, kHalfPi}) * Vec3{4, 3, 2};
    CHECK(std::abs(v.x + 3) < 1e-5f);
    CHECK(std::abs(v.y - 4) < 1e-5f);
}
