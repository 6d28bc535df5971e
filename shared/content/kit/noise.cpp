#include "shared/content/kit/noise.hpp"

#include "shared/base/rng.hpp"

namespace iron::content {
namespace {

std::int32_t wrap(std::int32_t v, std::int32_t period) {
    if (period <= 0) return v;
    v %= period;
    return v < 0 ? v + period : v;
}

float smooth(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

}  // namespace

float hash01(std::uint64_t seed, std::int32_t x, std::int32_t y) {
    const std::uint64_t key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32) |
                              static_cast<std::uint32_t>(y);
    const std::uint64_t h = splitmix64(splitmix64(seed) ^ key * 0x9E3779B97F4A7C15ull);
    return static_cast<float>(h >> 40) * 0x1p-24f;
}

float value_noise(std::uint64_t seed, float x, float y, std::int32_t period) {
    const std::int32_t ix = floor_i32(x), iy = floor_i32(y);
    const float fx = smooth(x - static_cast<float>(ix)), fy = smooth(y - static_cast<float>(iy));
    const std::int32_t x0 = wrap(ix, period), x1 = wrap(ix + 1, period);
    const std::int32_t y0 = wrap(iy, period), y1 = wrap(iy + 1, period);
    const float a = mix(hash01(seed, x0, y0), hash01(seed, x1, y0), fx);
    const float b = mix(hash01(seed, x0, y1), hash01(seed, x1, y1), fx);
    return mix(a, b, fy);
}

float fbm(std::uint64_t seed, float x, float y, int octaves, std::int32_t period) {
    float sum = 0, amplitude = 0.5f, total = 0, scale = 1;
    for (int i = 0; i < octaves; ++i) {
        sum += amplitude * value_noise(seed + static_cast<std::uint64_t>(i) * 131, x * scale,
                                       y * scale, period);
        total += amplitude;
        amplitude *= 0.5f;
        scale *= 2.0f;
        period *= 2;
    }
    return sum / total;
}

float ridged(std::uint64_t seed, float x, float y, int octaves, std::int32_t period) {
    float sum = 0, amplitude = 0.5f, total = 0, scale = 1;
    for (int i = 0; i < octaves; ++i) {
        const float n = value_noise(seed + static_cast<std::uint64_t>(i) * 137, x * scale,
                                    y * scale, period) * 2.0f - 1.0f;
        const float r = 1.0f - (n < 0 ? -n : n);
        sum += amplitude * r * r;
        total += amplitude;
        amplitude *= 0.5f;
        scale *= 2.0f;
        period *= 2;
    }
    return sum / total;
}

Cells cells(std::uint64_t seed, float x, float y, std::int32_t period) {
    const std::int32_t ix = floor_i32(x), iy = floor_i32(y);
    Cells out{8.0f, 8.0f, 0.0f};
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::int32_t cx = wrap(ix + dx, period), cy = wrap(iy + dy, period);
            const float px = static_cast<float>(ix + dx) + hash01(seed, cx, cy);
            const float py = static_cast<float>(iy + dy) + hash01(seed + 1, cx, cy);
            const float d = (px - x) * (px - x) + (py - y) * (py - y);
            if (d < out.nearest) {
                out.second = out.nearest;
                out.nearest = d;
                out.id = hash01(seed + 2, cx, cy);
            } else if (d < out.second) {
                out.second = d;
            }
        }
    }
    out.nearest = sqrt_f(out.nearest);
    out.second = sqrt_f(out.second);
    return out;
}

}  // namespace iron::content
