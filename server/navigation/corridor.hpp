// The local path: portals of the next areals, a string pulled through them, points along it.
// Source: simulation.md 8 (DD-SIM-15).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "server/navigation/areal_map.hpp"
#include "server/navigation/obstacles.hpp"
#include "server/navigation/route_fields.hpp"

namespace iron::navigation {

inline constexpr std::size_t kLocalPoints = 32;

/// A gate between two areals, already shrunk; seen along the route, `left` is on the left hand.
struct Portal {
    Vec2 left, right;
};

/// Steps 2 of DD-SIM-15: both ends move in by radius + clearance if at least 2 radii remain between them,
/// else by the radius; an edge shorter than 2 radii becomes its midpoint.
Portal shrink_portal(Vec2 left, Vec2 right, float radius, float clearance);

/// The shortest line from start to goal through the portals (start and goal included, no doubles).
std::vector<Vec2> pull_string(Vec2 start, const std::vector<Portal>& portals, Vec2 goal);

/// Points of a unit: what remains of its way, at most kLocalPoints.
struct LocalPath {
    std::array<Vec2, kLocalPoints> points{};
    std::uint8_t count = 0;
    std::uint8_t index = 0;      ///< next point
    bool reaches_goal = false;   ///< the last point is the final goal
    float tail = 0;              ///< wu from points[count-1] to the goal, estimated by areal costs
    /// wu from `points[i]` to the end of the points, plus the tail.
    float remaining_from(std::uint8_t i) const;
    bool operator==(const LocalPath&) const = default;
};

struct LocalPathRules {
    std::uint32_t portals = 16, min_points = 3;
    float step_dist = 2, clearance = 2;
};

/// Builds the path of a unit at `start` in `areal`. `field` leads to the areal of `goal`. Where the string
/// cuts through building outlines it is led around them. An areal from which the goal is not reached gives
/// count 0.
LocalPath build_local_path(const ArealMap& map, const RouteField& field, const Obstacles& obstacles, Vec2 start,
                           std::uint32_t areal, Vec2 goal, float radius, const LocalPathRules& rules);

/// Leads a polyline around building outlines that come closer than `radius`: the shorter way around their
/// convex hull grown by radius + clearance. Outlines that hold an end of the line are left alone.
std::vector<Vec2> avoid_outlines(const std::vector<Vec2>& line, const Obstacles& obstacles, float radius,
                                 float clearance);

}  // namespace iron::navigation
