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

/// The six faces around a grid point, as offsets of their other two corners.
constexpr int kFaces[6][4] = {{1, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, -1, 0}, {-1, 0, -1, -1}, {-1, -1, 0, -1}, {0, -1, 1, 0}};

/// A face may have two materials, and a point shows its own fully only where a face of that
/// material alone touches it. So patches keep apart from each other (grass between them), thin ends
/// of patches go, and thin gaps of grass are filled. `border` points along the edge stay as they are.
void settle(std::vector<Surface>& surfaces, std::uint32_t points, std::uint32_t border) {
    const auto n = static_cast<std::int64_t>(points), rim = static_cast<std::int64_t>(border);
    const auto at = [&](std::int64_t i, std::int64_t j) -> Surface& {
        return surfaces[static_cast<std::size_t>(std::clamp<std::int64_t>(j, 0, n - 1) * n + std::clamp<std::int64_t>(i, 0, n - 1))];
    };
    const auto rank = [](Surface s) {
        switch (s) {
            case Surface::rock: return 5;
            case Surface::sand: return 4;
            case Surface::dirt: return 3;
            case Surface::scree: return 2;
            case Surface::meadow: return 1;
            default: return 0;
        }
    };
    const auto pure = [&](std::int64_t i, std::int64_t j) {
        // Inside the border everything is one material, whose fine points are not drawn.
        const auto inside = [&](std::int64_t u, std::int64_t v) { return u >= rim && v >= rim && u < n - rim && v < n - rim; };
        if (!inside(i, j)) return true;
        for (const auto& f : kFaces)
            if (inside(i + f[0], j + f[1]) && inside(i + f[2], j + f[3]) && at(i + f[0], j + f[1]) == at(i, j) &&
                at(i + f[2], j + f[3]) == at(i, j))
                return true;
        return false;
    };
    const auto everywhere = [&](auto&& visit) {
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t i = 0; i < n; ++i) visit(i, j);
    };
    const auto separate = [&] {
        const std::vector<Surface> before = surfaces;
        everywhere([&](std::int64_t i, std::int64_t j) {
            for (std::int64_t dj = -2; dj <= 2; ++dj)
                for (std::int64_t di = -2; di <= 2; ++di) {
                    if (i + di < 0 || j + dj < 0 || i + di >= n || j + dj >= n) continue;
                    if (rank(before[static_cast<std::size_t>((j + dj) * n + i + di)]) > rank(at(i, j)) && rank(at(i, j)) > 0) at(i, j) = Surface::grass;
                }
        });
    };
    const auto trim = [&] {
        for (bool changed = true; changed;) {
            changed = false;
            everywhere([&](std::int64_t i, std::int64_t j) {
                if (at(i, j) == Surface::grass || pure(i, j)) return;
                at(i, j) = Surface::grass;
                changed = true;
            });
        }
    };
    const auto fill = [&] {
        everywhere([&](std::int64_t i, std::int64_t j) {
            if (at(i, j) != Surface::grass || pure(i, j)) return;
            for (const auto& f : kFaces)
                if (at(i + f[0], j + f[1]) != Surface::grass) at(i, j) = at(i + f[0], j + f[1]);
        });
    };
    for (int round = 0; round < 4; ++round) {
        separate();
        trim();
        fill();
    }
    trim();
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
    skip_.assign(static_cast<std::size_t>(size.tiles) * size.tiles, 1);
    if (size.thrifty)
        for (std::uint32_t tx = 0; tx < size.tiles; ++tx)
            for (std::uint32_t ty = 0; ty < size.tiles; ++ty)
                if (is_rim(tx, ty)) thin_tile(tx, ty);
    choose_surfaces();
    if (size.thrifty) choose_plain_tiles();
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

float Land::coarse_ground(float x, float y, std::uint32_t skip) const {
    const LandSize& size = plan_.size;
    const float step = size.step() * static_cast<float>(skip);
    const auto quads = static_cast<std::int32_t>(size.tiles * size.quads / skip);
    const float gx = clamp_f(x / step, 0, static_cast<float>(quads)), gy = clamp_f(y / step, 0, static_cast<float>(quads));
    const std::int32_t i = std::min(floor_i32(gx), quads - 1), j = std::min(floor_i32(gy), quads - 1);
    const float fx = gx - static_cast<float>(i), fy = gy - static_cast<float>(j);
    const auto at = [&](std::int32_t di, std::int32_t dj) {
        return point(static_cast<std::uint32_t>(i + di) * skip, static_cast<std::uint32_t>(j + dj) * skip);
    };
    const float a = at(0, 0), b = at(1, 0), c = at(1, 1), d = at(0, 1);
    // Triangles (a, b, c) and (a, c, d), a = lower left corner.
    return fx >= fy ? a + (b - a) * fx + (c - b) * fy : a + (d - a) * fy + (c - d) * fx;
}

float Land::ground(float x, float y) const { return coarse_ground(x, y, 1); }

bool Land::is_rim(std::uint32_t tx, std::uint32_t ty) const {
    return std::min(tx, ty) == 0 || std::max(tx, ty) == plan_.size.tiles - 1;
}

void Land::thin_tile(std::uint32_t tx, std::uint32_t ty) {
    // The in-between points move onto the coarser surface, those on the tile's border too: both
    // tessellations are the same ground and no crack opens to a finer neighbour.
    skip_[tx * plan_.size.tiles + ty] = 2;
    const std::uint32_t q = plan_.size.quads;
    for (std::uint32_t j = ty * q; j <= (ty + 1) * q; ++j)
        for (std::uint32_t i = tx * q; i <= (tx + 1) * q; ++i)
            if (i % 2 != 0 || j % 2 != 0)
                heights_[index(i, j)] = coarse_ground(static_cast<float>(i) * plan_.size.step(), static_cast<float>(j) * plan_.size.step(), 2);
}

void Land::choose_plain_tiles() {
    // One material, no road, no water, and hardly any relief at the scale of a quad.
    const LandSize& size = plan_.size;
    for (std::uint32_t tx = 0; tx < size.tiles; ++tx) {
        for (std::uint32_t ty = 0; ty < size.tiles; ++ty) {
            if (is_rim(tx, ty)) continue;
            const Surface own = surface(tx * size.quads, ty * size.quads);
            bool plain = true;
            for (std::uint32_t j = ty * size.quads; j <= (ty + 1) * size.quads && plain; ++j) {
                for (std::uint32_t i = tx * size.quads; i <= (tx + 1) * size.quads && plain; ++i) {
                    const float x = static_cast<float>(i) * size.step(), y = static_cast<float>(j) * size.step();
                    const float off = point(i, j) - coarse_ground(x, y, 2);
                    plain = surface(i, j) == own && off < 2.4f && off > -2.4f && road_distance(x, y) > size.step() && !wet(x, y);
                }
            }
            plain = plain && borders_pure(tx, ty);
            if (plain) thin_tile(tx, ty);
        }
    }
}

bool Land::borders_pure(std::uint32_t tx, std::uint32_t ty) const {
    // The in-between points of the border stay in the neighbours' faces: there each needs a face of
    // its own material (settle).
    const auto q = static_cast<std::int64_t>(plan_.size.quads);
    const std::int64_t x0 = tx * q, y0 = ty * q;
    for (std::int64_t k = 1; k < q; k += 2) {
        const std::int64_t border[4][4] = {{x0 + k, y0, 0, -1}, {x0 + k, y0 + q, 0, 1}, {x0, y0 + k, -1, 0}, {x0 + q, y0 + k, 1, 0}};
        for (const auto& b : border) {
            const Surface own = surface(static_cast<std::uint32_t>(b[0]), static_cast<std::uint32_t>(b[1]));
            bool pure = false;
            for (const auto& f : kFaces) {
                // A face lies outside when its two other corners do, or lie on the border line.
                const std::int64_t out = (f[0] + f[2]) * b[2] + (f[1] + f[3]) * b[3];
                if (out <= 0) continue;
                pure = pure || (surface(static_cast<std::uint32_t>(b[0] + f[0]), static_cast<std::uint32_t>(b[1] + f[1])) == own &&
                                surface(static_cast<std::uint32_t>(b[0] + f[2]), static_cast<std::uint32_t>(b[1] + f[3])) == own);
            }
            if (!pure) return false;
        }
    }
    return true;
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

Surface Land::surface_near(float x, float y) const {
    const float step = plan_.size.step(), last = static_cast<float>(plan_.size.points() - 1);
    const auto i = static_cast<std::uint32_t>(trunc_i32(clamp_f(x / step + 0.5f, 0, last)));
    const auto j = static_cast<std::uint32_t>(trunc_i32(clamp_f(y / step + 0.5f, 0, last)));
    return surface(i, j);
}

void Land::choose_surfaces() {
    const LandSize& size = plan_.size;
    const std::uint32_t n = size.points();
    surface_.assign(static_cast<std::size_t>(n) * n, Surface::grass);
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const float x = static_cast<float>(i) * size.step(), y = static_cast<float>(j) * size.step();
            const float e = size.step() * 0.6f;
            const float sx = (ground(x + e, y) - ground(x - e, y)) / (2 * e), sy = (ground(x, y + e) - ground(x, y - e)) / (2 * e);
            const float steep = 1.0f / sqrt_f(1.0f + sx * sx + sy * sy);
            const float patch = fbm(plan_.seed + 51, x / plan_.patch_wave, y / plan_.patch_wave, 3);
            Surface s = patch > 0.56f ? Surface::meadow : patch < 0.36f ? Surface::dirt : Surface::grass;
            const float ragged = fbm(plan_.seed + 52, x / 40.0f, y / 40.0f, 2) - 0.5f;
            if (steep + 0.02f * ragged < 0.945f && ragged > 0.02f) s = Surface::scree;
            if (steep + 0.04f * ragged < 0.92f) s = Surface::rock;
            for (const Lake& lake : plan_.lakes)
                if (length(Vec2{x, y} - lake.centre) < lake.radius * 1.7f && ground(x, y) < plan_.water + 2.2f) s = Surface::sand;
            for (const Pad& pad : plan_.pads)
                if (length(Vec2{x, y} - pad.centre) < pad.radius * (0.85f + 0.9f * ragged) && s != Surface::sand) s = Surface::dirt;
            // The coarse tiles of the rim are bare rock: a fade would need their finer points.
            if (size.thrifty && std::min(std::min(i, j), std::min(n - 1 - i, n - 1 - j)) < size.quads) s = Surface::rock;
            surface_[index(i, j)] = s;
        }
    }
    const std::uint32_t rim = size.thrifty ? size.quads : 0;
    settle(surface_, n, rim);
    const std::uint32_t skip = size.quads / size.coarse, m = size.tiles * size.coarse + 1;
    coarse_surface_.clear();
    for (std::uint32_t j = 0; j < m; ++j)
        for (std::uint32_t i = 0; i < m; ++i) coarse_surface_.push_back(surface(i * skip, j * skip));
    settle(coarse_surface_, m, rim / skip);
}

}  // namespace iron::content
