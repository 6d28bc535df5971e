#include "shared/content/areals.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace iron::content {
namespace {

/// A square in units of the finest cell.
struct Square {
    std::uint32_t x = 0, y = 0, side = 1;
    auto operator<=>(const Square&) const = default;
};

/// What the ground inside a square is like.
struct Ground {
    bool blocked = false;   ///< somewhere wet, steep or outside
    bool all_blocked = true;
    float uneven = 0;       ///< largest distance from the plane through the corners, wu
};

class Decomposition {
public:
    Decomposition(const Land& land, const ArealOptions& options) : land_(land), options_(options) {
        cells_ = options.base_cells << options.levels;
        cell_ = land.size().extent() / static_cast<float>(cells_);
    }

    Result<asset::LandMap> run() {
        split_all();
        asset::LandMap map;
        map.cells_x = map.cells_y = options_.grid;
        for (const Square& s : squares_) map.areals.push_back(areal(s));
        if (map.areals.empty()) return fail("land_authoring", "no walkable ground");
        asset::link_areals(map);
        // The extent is the whole land: it equals the terrain's box (terrain.md 7.3).
        IRON_CHECK(asset::build_areal_grid(map, options_.grid, options_.grid, asset::areal_bounds(map)));
        return map;
    }

private:
    Vec3 corner(std::uint32_t x, std::uint32_t y) const {
        const float wx = static_cast<float>(x) * cell_, wy = static_cast<float>(y) * cell_;
        return {wx, wy, land_.ground(wx, wy)};
    }

    Ground look(const Square& s) const {
        Ground out;
        const float x0 = static_cast<float>(s.x) * cell_, y0 = static_cast<float>(s.y) * cell_;
        const float side = static_cast<float>(s.side) * cell_;
        const int n = static_cast<int>(s.side) * 4;
        const float a = corner(s.x, s.y).z, b = corner(s.x + s.side, s.y).z;
        const float c = corner(s.x + s.side, s.y + s.side).z, d = corner(s.x, s.y + s.side).z;
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const float u = (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
                const float v = (static_cast<float>(j) + 0.5f) / static_cast<float>(n);
                const float x = x0 + u * side, y = y0 + v * side;
                const float z = land_.ground(x, y);
                const bool bad = land_.normal(x, y).z < options_.slope_cos ||
                                 (land_.plan().water >= 0 && !land_.plan().lakes.empty() && z < land_.plan().water + 0.3f);
                out.blocked = out.blocked || bad;
                out.all_blocked = out.all_blocked && bad;
                const float plane = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v;
                const float off = z > plane ? z - plane : plane - z;
                out.uneven = std::max(out.uneven, off);
            }
        }
        return out;
    }

    void split_all() {
        const std::uint32_t start = 1u << options_.levels;
        // Blocked squares are split first (they decide where one can walk), then the roughest.
        struct Open {
            float priority;
            Square square;
            bool operator<(const Open& o) const {
                return priority != o.priority ? priority < o.priority : square > o.square;
            }
        };
        std::priority_queue<Open> open;
        const auto push = [&](const Square& s) {
            const Ground g = look(s);
            if (g.all_blocked) return;
            const bool can = s.side > 1;
            if (g.blocked && !can) return;
            if (can && (g.blocked || g.uneven > options_.uneven_wu)) {
                open.push({g.blocked ? 1e6f + static_cast<float>(s.side) : g.uneven, s});
                return;
            }
            squares_.insert(s);
        };
        for (std::uint32_t x = 0; x < options_.base_cells; ++x)
            for (std::uint32_t y = 0; y < options_.base_cells; ++y) push({x * start, y * start, start});
        while (!open.empty()) {
            const Open top = open.top();
            open.pop();
            const bool must = top.priority >= 1e6f;
            if (!must && options_.limit != 0 && squares_.size() + open.size() + 3 > options_.limit) {
                squares_.insert(top.square);
                continue;
            }
            const std::uint32_t h = top.square.side / 2;
            for (const std::uint32_t dx : {0u, h})
                for (const std::uint32_t dy : {0u, h}) push({top.square.x + dx, top.square.y + dy, h});
        }
    }

    /// Is (x, y) a corner of some square? Then a larger neighbour gets a vertex there.
    bool is_corner(std::uint32_t x, std::uint32_t y) {
        if (corners_.empty())
            for (const Square& s : squares_)
                for (const std::uint32_t dx : {0u, s.side})
                    for (const std::uint32_t dy : {0u, s.side}) corners_.insert({s.x + dx, s.y + dy});
        return corners_.count({x, y}) != 0;
    }

    asset::Areal areal(const Square& s) {
        asset::Areal out;
        const auto add = [&](std::uint32_t x, std::uint32_t y) { out.vertices.push_back(corner(x, y)); };
        for (std::uint32_t k = 0; k < s.side; ++k)
            if (k == 0 || is_corner(s.x + k, s.y)) add(s.x + k, s.y);
        for (std::uint32_t k = 0; k < s.side; ++k)
            if (k == 0 || is_corner(s.x + s.side, s.y + k)) add(s.x + s.side, s.y + k);
        for (std::uint32_t k = 0; k < s.side; ++k)
            if (k == 0 || is_corner(s.x + s.side - k, s.y + s.side)) add(s.x + s.side - k, s.y + s.side);
        for (std::uint32_t k = 0; k < s.side; ++k)
            if (k == 0 || is_corner(s.x, s.y + s.side - k)) add(s.x, s.y + s.side - k);
        const float half = static_cast<float>(s.side) * cell_ * 0.5f;
        const float cx = static_cast<float>(s.x) * cell_ + half, cy = static_cast<float>(s.y) * cell_ + half;
        out.anchor = {cx, cy, land_.ground(cx, cy)};
        out.area = static_cast<float>(s.side) * cell_ * static_cast<float>(s.side) * cell_;
        const Vec3 a = corner(s.x, s.y), b = corner(s.x + s.side, s.y);
        const Vec3 c = corner(s.x + s.side, s.y + s.side), d = corner(s.x, s.y + s.side);
        const Vec3 n = cross(c - a, d - b);
        out.normal = n * (1.0f / length(n));
        out.links.assign(out.vertices.size(), {});
        return out;
    }

    const Land& land_;
    ArealOptions options_;
    std::uint32_t cells_ = 0;
    float cell_ = 1;
    std::set<Square> squares_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> corners_;
};

}  // namespace

Result<asset::LandMap> make_areals(const Land& land, const ArealOptions& options) {
    return Decomposition(land, options).run();
}

}  // namespace iron::content
