// Route fields: from every areal the next one on the way to a goal areal, shared by all units of a
// mobility class. Source: simulation.md 6.4 (DD-SIM-10, DD-SIM-11).
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <vector>

#include "server/navigation/areal_map.hpp"
#include "server/navigation/obstacles.hpp"
#include "server/world/ids.hpp"

namespace iron::navigation {

/// Units that can go the same ways: slope limit, radius rounded up, flyer.
struct MobilityClass {
    float min_normal_z = 0.7f;       ///< cos(slope limit)
    std::uint16_t radius_steps = 1;  ///< radius rounded up to steps of rules.pathfind.radius_class
    bool flyer = false;
    bool operator==(const MobilityClass&) const = default;
};

/// What a field is for. Ordered, so that ties in the cache are settled.
struct RouteKey {
    std::uint32_t goal = kNoAreal;
    std::uint32_t revision = 0;
    std::uint16_t mobility = 0;  ///< index of a mobility class
    auto operator<=>(const RouteKey&) const = default;
};

struct RouteField {
    std::vector<std::uint32_t> next;  ///< per areal: neighbour toward the goal; the goal itself: itself; else kNoAreal
    std::vector<std::uint32_t> cost;  ///< hundredths of a world unit; 0xFFFFFFFF = unreachable
    bool reaches(std::uint32_t areal) const { return next[areal] != kNoAreal; }
};

/// Which areals and edges a mobility class may use; derived from map, obstacles and class.
struct Passability {
    std::vector<std::uint8_t> walkable;  ///< per areal
    std::vector<std::uint8_t> closed;    ///< per edge of ArealMap
    std::vector<std::uint32_t> component;  ///< per areal: lowest areal id it is connected with; kNoAreal if not walkable
};

/// Dijkstra from the goal with the frontier ordered by (cost, areal id); a next areal is replaced only on
/// strictly lower cost. A goal that is not walkable reaches nothing.
RouteField compute_route_field(const ArealMap& map, const Passability& pass, std::uint32_t goal);

/// The areals from `start` to the goal; empty = unreachable. Never longer than the map.
std::vector<std::uint32_t> route_of(const RouteField& field, std::uint32_t start);

/// All fields of one world. Keys with their last use and waiting requests are state, contents derived.
class RouteFields {
public:
    struct Limits {
        std::uint32_t per_tick = 8, kept = 256;
        float radius_class = 0.5f;
        std::vector<std::uint32_t> nonwalkable_classes;
    };
    struct Entry {
        RouteKey key;
        world::Tick last_use = 0;
        RouteField field;      ///< derived
        bool computed = false; ///< derived
    };

    void configure(const ArealMap* map, const Obstacles* obstacles, Limits limits);
    /// Index of the class of a unit; classes are numbered in order of appearance.
    std::uint16_t mobility_of(float slope_limit_cos, float radius, bool flyer);
    /// After obstacles changed: revision + 1, passability is computed again on demand.
    void map_changed();
    std::uint32_t revision() const { return revision_; }

    /// The field, touching its last use, or null: then the request waits until `compute_waiting`.
    const RouteField* request(const RouteKey& key, world::Tick now);
    /// The field without touching anything, or null.
    const RouteField* peek(const RouteKey& key) const;
    /// At most `per_tick` waiting requests, in request order; then the least recently used leave.
    void compute_waiting(world::Tick now);
    const Passability& passability(std::uint16_t mobility);

    const std::vector<Entry>& entries() const { return entries_; }  ///< ascending by key
    const std::deque<RouteKey>& waiting() const { return waiting_; }
    const std::vector<MobilityClass>& classes() const { return classes_; }
    std::deque<RouteKey>& mutable_waiting() { return waiting_; }

private:
    struct ClassData {
        Passability pass;
        std::uint32_t revision = 0xFFFFFFFFu;
    };
    const ArealMap* map_ = nullptr;
    const Obstacles* obstacles_ = nullptr;
    Limits limits_;
    std::uint32_t revision_ = 1;
    std::vector<MobilityClass> classes_;
    std::vector<ClassData> data_;
    std::vector<Entry> entries_;
    std::deque<RouteKey> waiting_;
    std::vector<RouteKey> waiting_keys_;  ///< derived: the same keys in order, for look-ups
    std::vector<std::uint32_t> scratch_;
};

}  // namespace iron::navigation
