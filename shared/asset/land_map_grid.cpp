// Geometry of areals: grid, links, point location (terrain.md 7.3 - 7.5).
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>

#include "shared/asset/land_map.hpp"

namespace iron::asset {

namespace {

constexpr std::uint32_t kMaxHits = 1024;
constexpr std::uint32_t kMaxGridIds = 1u << 22;
constexpr std::uint64_t kMaxCells = 1u << 24;

MapRect bounds_of(std::span<const Vec3> vertices) {
    MapRect r;
    bool first = true;
    for (const Vec3& v : vertices) {
        r.x0 = first ? v.x : std::min(r.x0, v.x);
        r.x1 = first ? v.x : std::max(r.x1, v.x);
        r.y0 = first ? v.y : std::min(r.y0, v.y);
        r.y1 = first ? v.y : std::max(r.y1, v.y);
        first = false;
    }
    return r;
}

double extent_or_one(float low, float high) {
    const double w = static_cast<double>(high) - static_cast<double>(low);
    return w > 0 && is_finite(w) ? w : 1.0;
}

struct Range {
    std::uint32_t first = 0, end = 0;
};
/// Cells whose closed interval meets [low, high].
Range cells_meeting(float low, float high, float origin, double extent, std::uint32_t cells) {
    const auto border = [&](std::uint32_t k) { return static_cast<double>(origin) + extent * k / cells; };
    // First cell whose upper border reaches low; the last whose lower border is not above high.
    std::uint32_t a = 0, b = cells;
    while (a < b) {
        const std::uint32_t mid = a + (b - a) / 2;
        if (border(mid + 1) < static_cast<double>(low)) a = mid + 1;
        else b = mid;
    }
    const std::uint32_t first = a;
    a = 0, b = cells;
    while (a < b) {
        const std::uint32_t mid = a + (b - a) / 2;
        if (border(mid) <= static_cast<double>(high)) a = mid + 1;
        else b = mid;
    }
    return {first, std::max(first, a)};
}

std::uint32_t cell_index(float v, float origin, double extent, std::uint32_t cells) {
    const double f = (static_cast<double>(v) - static_cast<double>(origin)) / extent * cells;
    const std::int64_t i = floor_i64(f);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, std::int64_t{cells} - 1));
}

}  // namespace

MapRect areal_bounds(const LandMap& map) {
    MapRect out;
    bool first = true;
    for (const auto& a : map.areals) {
        if (a.vertices.empty()) continue;
        const MapRect r = bounds_of(a.vertices);
        out = first ? r
                    : MapRect{std::min(out.x0, r.x0), std::min(out.y0, r.y0), std::max(out.x1, r.x1),
                              std::max(out.y1, r.y1)};
        first = false;
    }
    return out;
}

Status build_areal_grid(LandMap& map, std::uint32_t cells_x, std::uint32_t cells_y,
                        const MapRect& extent) {
    const std::uint64_t cells = std::uint64_t{cells_x} * cells_y;
    if (cells == 0) return fail("land_map_empty_grid", "ArealMap Cells are empty");
    if (cells > kMaxCells) return fail("land_map_bad_cell", "more than 2^24 grid cells");
    if (map.areals.size() > 65535)
        return fail("land_map_too_many_areals", "more than 65 535 areals");
    const double w = extent_or_one(extent.x0, extent.x1), h = extent_or_one(extent.y0, extent.y1);

    std::vector<std::pair<Range, Range>> covered;
    covered.reserve(map.areals.size());
    std::vector<std::uint32_t> start(static_cast<std::size_t>(cells) + 1, 0);
    std::uint64_t total = 0;
    for (const auto& a : map.areals) {
        const MapRect r = bounds_of(a.vertices);
        Range x, y;
        if (!a.vertices.empty()) {
            x = cells_meeting(r.x0, r.x1, extent.x0, w, cells_x);
            y = cells_meeting(r.y0, r.y1, extent.y0, h, cells_y);
        }
        covered.push_back({x, y});
        total += std::uint64_t{x.end - x.first} * (y.end - y.first);
        if (total >= kMaxGridIds) return fail("land_map_bad_cell", "2^22 or more areal ids in the grid");
        for (std::uint32_t cx = x.first; cx < x.end; ++cx)
            for (std::uint32_t cy = y.first; cy < y.end; ++cy)
                if (++start[static_cast<std::size_t>(cx) * cells_y + cy + 1] >= kMaxHits)
                    return fail("land_map_bad_cell", "a grid cell meets 1024 or more areals");
    }
    for (std::size_t n = 0; n < cells; ++n) start[n + 1] += start[n];
    std::vector<std::uint16_t> ids(static_cast<std::size_t>(total));
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    for (std::size_t id = 0; id < covered.size(); ++id) {
        const auto& [x, y] = covered[id];
        for (std::uint32_t cx = x.first; cx < x.end; ++cx)
            for (std::uint32_t cy = y.first; cy < y.end; ++cy)
                ids[next[static_cast<std::size_t>(cx) * cells_y + cy]++] = static_cast<std::uint16_t>(id);
    }
    map.cells_x = cells_x;
    map.cells_y = cells_y;
    map.cell_start = std::move(start);
    map.cell_ids = std::move(ids);
    return {};
}

std::uint32_t cell_of_point(const LandMap& map, const MapRect& extent, float x, float y) {
    if (map.cells_x == 0 || map.cells_y == 0) return 0;
    return cell_index(x, extent.x0, extent_or_one(extent.x0, extent.x1), map.cells_x) * map.cells_y +
           cell_index(y, extent.y0, extent_or_one(extent.y0, extent.y1), map.cells_y);
}

float polygon_area(std::span<const Vec3> vertices) {
    double twice = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 a = vertices[i], b = vertices[(i + 1) % vertices.size()];
        twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
    }
    return static_cast<float>((twice < 0 ? -twice : twice) * 0.5);
}

bool polygon_contains(std::span<const Vec3> vertices, float px, float py) {
    const double x = px, y = py;
    bool inside = false;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3 p = vertices[i], q = vertices[(i + 1) % vertices.size()];
        const double ax = p.x, ay = p.y, bx = q.x, by = q.y;
        const double side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        if (side == 0 && x >= std::min(ax, bx) && x <= std::max(ax, bx) && y >= std::min(ay, by) &&
            y <= std::max(ay, by))
            return true;
        // A half-open rule on y, so that a vertex is crossed once.
        if ((ay > y) != (by > y) && (by > ay ? side > 0 : side < 0)) inside = !inside;
    }
    return inside;
}

std::optional<std::uint32_t> locate_areal(const LandMap& map, const MapRect& extent, float x, float y) {
    const std::size_t cell = cell_of_point(map, extent, x, y);
    if (cell + 1 < map.cell_start.size()) {
        std::optional<std::uint32_t> best;
        for (std::uint32_t i = map.cell_start[cell]; i < map.cell_start[cell + 1]; ++i) {
            const std::uint32_t id = map.cell_ids[i];
            if ((!best || id < *best) && polygon_contains(map.areals[id].vertices, x, y)) best = id;
        }
        if (best) return best;
    }
    // The grid's extent is not certain for foreign maps: a miss falls back to all areals (7.3).
    for (std::uint32_t id = 0; id < map.areals.size(); ++id)
        if (polygon_contains(map.areals[id].vertices, x, y)) return id;
    return std::nullopt;
}

void link_areals(LandMap& map) {
    using Key = std::array<std::uint32_t, 6>;
    const auto key_of = [](Vec3 a, Vec3 b) {
        const auto bits = [](float v) { return std::bit_cast<std::uint32_t>(v + 0.0f); };  // -0 -> 0
        return Key{bits(a.x), bits(a.y), bits(a.z), bits(b.x), bits(b.y), bits(b.z)};
    };
    std::map<Key, std::vector<ArealLink>> edges;
    for (std::size_t id = 0; id < map.areals.size(); ++id) {
        const auto& v = map.areals[id].vertices;
        for (std::size_t e = 0; e < v.size(); ++e)
            edges[key_of(v[e], v[(e + 1) % v.size()])].push_back(
                {static_cast<std::int32_t>(id), static_cast<std::int32_t>(e)});
    }
    for (std::size_t id = 0; id < map.areals.size(); ++id) {
        Areal& a = map.areals[id];
        a.links.resize(a.vertices.size() + std::size_t{a.polygon_count} * 3);
        for (std::size_t e = 0; e < a.vertices.size(); ++e) {
            a.links[e] = {};
            const auto found = edges.find(key_of(a.vertices[(e + 1) % a.vertices.size()], a.vertices[e]));
            if (found == edges.end()) continue;
            for (const ArealLink& other : found->second)
                if (static_cast<std::size_t>(other.areal) != id) {
                    a.links[e] = other;
                    break;
                }
        }
        a.area = polygon_area(a.vertices);
    }
}

}  // namespace iron::asset
