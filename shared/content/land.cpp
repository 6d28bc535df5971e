#include "shared/content/land.hpp"

#include <algorithm>

#include "shared/content/kit/noise.hpp"

namespace iron::content {
namespace {

float clamp_f(float v, float lo, float hi) { return v < lo ? lo : v > hi ? hi : v; }
/// 1 inside `radius`, falling smoothly to 0 at radius + blend.
float inside(Vec2 p, Vec2 centre, float radius, float blend) {
    return 1.0f - smooth_step(radius, radius + blend, length(p - centre));
}

}  // namespace

float segment_distance(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = b - a;
    const float len2 = dot(d, d);
    const float t = len2 > 0 ? clamp01(dot(p - a, d) / len2) : 0.0f;
    return length(p - (a + d * t));
}

Land::Land(const LandPlan& plan) : plan_(plan) {
    const LandSize& size = plan_.size;
    const std::uint32_t n = size.points();
    heights_.resize(static_cast<std::size_t>(n) * n);
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i)
            heights_[j * n + i] = shape(static_cast<float>(i) * size.step(), static_cast<float>(j) * size.step());
    smooth_roads();
    choose_surfaces();
}

float Land::shape(float x, float y) const {
    const Vec2 p{x, y};
    const auto rolling = [&](float u, float v) {
        return plan_.base + plan_.roll * (fbm(plan_.seed, u / plan_.roll_wave, v / plan_.roll_wave, 3) - 0.5f) * 2.0f;
    };
    float h = rolling(x, y);
    float edge = std::min(std::min(x, y), std::min(plan_.size.extent() - x, plan_.size.extent() - y));
    const float crest = ridged(plan_.seed + 11, x / 90.0f, y / 90.0f, 3);
    h += plan_.rim * smooth_step(plan_.size.extent() * 0.075f, 0.0f, edge) * (0.45f + 0.8f * crest);
    for (const Hill& hill : plan_.hills) {
        // The outline wobbles so that hills do not look like domes.
        const float wobble = 0.75f + 0.5f * fbm(plan_.seed + 21, x / 60.0f, y / 60.0f, 2);
        const float d = length(p - hill.centre) / (hill.radius * wobble);
        if (d >= 1) continue;
        const float k = smooth_step(1.0f, 0.0f, d);
        h += hill.height * k * (1.0f - hill.rough + hill.rough * 1.6f * ridged(plan_.seed + 31, x / 70.0f, y / 70.0f, 3));
    }
    for (const Lake& lake : plan_.lakes) {
        const float wobble = 0.8f + 0.45f * fbm(plan_.seed + 41, x / 50.0f, y / 50.0f, 2);
        const float k = inside(p, lake.centre, lake.radius * wobble * 0.55f, lake.radius * wobble * 0.75f);
        h = mix(h, plan_.water - lake.depth, k);
    }
    for (const Pad& pad : plan_.pads)
        h = mix(h, rolling(pad.centre.x, pad.centre.y), inside(p, pad.centre, pad.radius, pad.blend));
    return h;
}

void Land::smooth_roads() {
    const LandSize& size = plan_.size;
    const std::uint32_t n = size.points();
    // Along a road the ground takes the mean of its surroundings, a few times over.
    for (int pass = 0; pass < 6; ++pass) {
        std::vector<float> next = heights_;
        for (std::uint32_t j = 1; j + 1 < n; ++j) {
            for (std::uint32_t i = 1; i + 1 < n; ++i) {
                const float d = road_distance(static_cast<float>(i) * size.step(), static_cast<float>(j) * size.step());
                const float k = 0.8f * (1.0f - smooth_step(size.step() * 0.6f, size.step() * 1.8f, d));
                if (k <= 0) continue;
                const float mean = (point(i - 1, j) + point(i + 1, j) + point(i, j - 1) + point(i, j + 1)) * 0.25f;
                next[j * n + i] = mix(point(i, j), mean, k);
            }
        }
        heights_ = std::move(next);
    }
    if (plan_.water < 0) return;
    // Roads stay dry.
    for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i)
            if (road_distance(static_cast<float>(i) * size.step(), static_cast<float>(j) * size.step()) < size.step())
                heights_[j * n + i] = std::max(heights_[j * n + i], plan_.water + 1.0f);
}

float Land::ground(float x, float y) const {
    const LandSize& size = plan_.size;
    const auto last = static_cast<std::int32_t>(size.points()) - 2;
    const float gx = clamp_f(x / size.step(), 0, static_cast<float>(last + 1));
    const float gy = clamp_f(y / size.step(), 0, static_cast<float>(last + 1));
    const std::int32_t i = std::min(floor_i32(gx), last), j = std::min(floor_i32(gy), last);
    const float fx = gx - static_cast<float>(i), fy = gy - static_cast<float>(j);
    const auto at = [&](std::int32_t di, std::int32_t dj) {
        return point(static_cast<std::uint32_t>(i + di), static_cast<std::uint32_t>(j + dj));
    };
    const float a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
    // Triangles (a, b, c) and (a, c, d), a = lower left corner.
    return fx >= fy ? a + (b - a) * fx + (c - b) * fy : a + (d - a) * fy + (c - d) * fx;
}

float Land::height(float x, float y) const {
    float h = ground(x, y);
    if (plan_.water >= 0 && !plan_.lakes.empty()) h = std::max(h, plan_.water);
    return h;
}

bool Land::wet(float x, float y) const {
    return !plan_.lakes.empty() && ground(x, y) < plan_.water;
}

Vec3 Land::normal(float x, float y) const {
    const LandSize& size = plan_.size;
    const auto last = static_cast<std::int32_t>(size.points()) - 2;
    const float gx = clamp_f(x / size.step(), 0, static_cast<float>(last + 1));
    const float gy = clamp_f(y / size.step(), 0, static_cast<float>(last + 1));
    const auto i = static_cast<std::uint32_t>(std::min(floor_i32(gx), last));
    const auto j = static_cast<std::uint32_t>(std::min(floor_i32(gy), last));
    const bool lower = gx - static_cast<float>(i) >= gy - static_cast<float>(j);
    const float a = point(i, j), b = point(i + 1, j), c = point(i + 1, j + 1), d = point(i, j + 1);
    const float sx = (lower ? b - a : c - d) / size.step(), sy = (lower ? c - b : d - a) / size.step();
    const float l = sqrt_f(sx * sx + sy * sy + 1.0f);
    return {-sx / l, -sy / l, 1.0f / l};
}

float Land::road_distance(float x, float y) const {
    float best = 1e9f;
    for (const Road& road : plan_.roads)
        for (std::size_t i = 1; i < road.points.size(); ++i)
            best = std::min(best, segment_distance({x, y}, road.points[i - 1], road.points[i]) - road.width * 0.5f);
    return best;
}

void Land::choose_surfaces() {
    const LandSize& size = plan_.size;
    const std::uint32_t n = size.tiles * size.quads;
    surface_.assign(static_cast<std::size_t>(n) * n, Surface::grass);
    blend_.assign(surface_.size(), 0xFF);
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const float x = (static_cast<float>(i) + 0.5f) * size.step(), y = (static_cast<float>(j) + 0.5f) * size.step();
            const float h = ground(x, y);
            const float steep = std::min(normal(x + 0.2f * size.step(), y - 0.2f * size.step()).z,
                                         normal(x - 0.2f * size.step(), y + 0.2f * size.step()).z);
            const float patch = fbm(plan_.seed + 51, x / 75.0f, y / 75.0f, 3);
            Surface s = patch > 0.56f ? Surface::meadow : patch < 0.40f ? Surface::dirt : Surface::grass;
            if (steep < 0.93f) s = Surface::scree;
            if (steep < 0.84f) s = Surface::rock;
            if (!plan_.lakes.empty() && h < plan_.water + 2.2f) s = Surface::sand;
            for (const Pad& pad : plan_.pads)
                if (length(Vec2{x, y} - pad.centre) < pad.radius * 0.8f && s != Surface::sand) s = Surface::dirt;
            surface_[quad(i, j)] = s;
        }
    }
    // The second selector names the neighbour a face fades into.
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const Surface own = surface(i, j);
            const std::int32_t steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            for (const auto& s : steps) {
                const auto u = static_cast<std::int64_t>(i) + s[0], v = static_cast<std::int64_t>(j) + s[1];
                if (u < 0 || v < 0 || u >= n || v >= n) continue;
                const Surface other = surface(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v));
                if (other > own) blend_[quad(i, j)] = static_cast<std::uint8_t>(other);
            }
        }
    }
}

}  // namespace iron::content
