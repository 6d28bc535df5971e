// Static outlines on the ground: buildings as polygons, trees, stones and buildings without a basement
// as circles. Source: simulation.md 12 (DD-SIM-26), 6.4 (closed portals). Derived from the registered
// objects whenever the set of buildings changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/world/ids.hpp"
#include "shared/base/math.hpp"

namespace iron::navigation {

struct Outline {
    world::ObjectId id;
    Vec2 centre;
    float bound = 0;               ///< radius around the centre that holds everything; of a circle: its radius
    std::uint32_t first = 0, count = 0;  ///< polygon points; count 0 = circle
    float z0 = 0, z1 = 0;          ///< vertical extent, wu
    bool building = false;
};

/// Signed distance to an outline (negative inside) and the direction out of it.
struct Clearance {
    float distance = 0;
    Vec2 normal{1, 0};
};

class Obstacles {
public:
    void clear();
    void add_circle(world::ObjectId id, Vec2 centre, float radius, float z0, float z1, bool building);
    /// At least three points, not repeated at the end; fewer are ignored.
    void add_polygon(world::ObjectId id, std::span<const Vec2> points, float z0, float z1, bool building);
    /// Sorts by id and builds the grid.
    void finish(float cell_size);

    std::span<const Outline> all() const { return outlines_; }
    std::span<const Vec2> points(const Outline& o) const { return std::span(points_).subspan(o.first, o.count); }
    bool empty() const { return outlines_.empty(); }

    Clearance clearance(const Outline& outline, Vec2 p) const;
    /// Indices of outlines whose bounds come within `reach` of the segment's box, ascending; the list is
    /// cleared first.
    void near(Vec2 a, Vec2 b, float reach, std::vector<std::uint32_t>& out) const;
    /// How far a disc can move from `from` along the unit vector `direction` before it touches an outline
    /// of `candidates`, at most `length`. Outlines it touches already only stop it when it moves into them.
    float cast_disc(std::span<const std::uint32_t> candidates, Vec2 from, Vec2 direction, float length,
                    float radius) const;
    /// True when a disc at `p` touches no outline.
    bool is_free(Vec2 p, float radius, std::vector<std::uint32_t>& scratch) const;
    /// True when every point of the segment is within `radius` of a building.
    bool covers(Vec2 a, Vec2 b, float radius, std::vector<std::uint32_t>& scratch) const;

private:
    float cast_one(const Outline& o, Vec2 from, Vec2 direction, float length, float radius) const;

    std::vector<Outline> outlines_;
    std::vector<Vec2> points_;
    float cell_ = 16;
    Vec2 low_{};
    std::int32_t cells_x_ = 0, cells_y_ = 0;
    std::vector<std::uint32_t> cell_start_, cell_items_;
};

}  // namespace iron::navigation
