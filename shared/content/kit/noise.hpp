// Tileable lattice noise from integer hashes: the same value on every compiler and CPU.
#pragma once

#include <cstdint>

#include "shared/base/math.hpp"

namespace iron::content {

/// Uniform in [0, 1) for a lattice point.
float hash01(std::uint64_t seed, std::int32_t x, std::int32_t y);

/// Smooth value noise in [0, 1]. `period` > 0 repeats the lattice after that many cells.
float value_noise(std::uint64_t seed, float x, float y, std::int32_t period = 0);

/// Sum of `octaves` value noises, each of half the amplitude and double the frequency, in [0, 1].
float fbm(std::uint64_t seed, float x, float y, int octaves, std::int32_t period = 0);

/// Ridged variant: bright thin crests, in [0, 1].
float ridged(std::uint64_t seed, float x, float y, int octaves, std::int32_t period = 0);

/// Distances to the nearest and second nearest feature point of a cell pattern, and a stable
/// value of the nearest cell in [0, 1).
struct Cells {
    float nearest = 0, second = 0, id = 0;
};
Cells cells(std::uint64_t seed, float x, float y, std::int32_t period = 0);

constexpr float clamp01(float v) { return v < 0 ? 0.0f : v > 1 ? 1.0f : v; }
constexpr float mix(float a, float b, float t) { return a + (b - a) * t; }
/// Hermite step from 0 at `a` to 1 at `b`; a > b gives a falling step.
constexpr float smooth_step(float a, float b, float v) {
    const float t = clamp01((v - a) / (b - a));
    return t * t * (3.0f - 2.0f * t);
}

}  // namespace iron::content
