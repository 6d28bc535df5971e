// The areal graph: which areal a point is in, who its neighbours are, across which edge.
// Source: simulation.md 6.3, 6.4 (DD-SIM-09, DD-SIM-11); terrain.md 7.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shared/base/error.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {
struct LandMap;
}

namespace iron::navigation {

inline constexpr std::uint32_t kNoAreal = 0xFFFFFFFFu;

/// One neighbour of an areal; cost in hundredths of a world unit between the anchors.
struct ArealEdge {
    std::uint32_t to = 0;
    std::uint32_t cost = 0;
    Vec2 a, b;  ///< ends of the shared edge, counter-clockwise around the owning areal
};

class ArealMap {
public:
    /// Error `no_areals` for an empty map. Heights and normals are scaled like the landscape.
    static Result<ArealMap> build(const asset::LandMap& map, float height_scale);

    std::uint32_t size() const { return static_cast<std::uint32_t>(anchors_.size()); }
    Vec3 anchor(std::uint32_t areal) const { return anchors_[areal]; }
    Vec3 normal(std::uint32_t areal) const { return normals_[areal]; }
    std::uint32_t class_id(std::uint32_t areal) const { return classes_[areal]; }
    std::span<const Vec2> polygon(std::uint32_t areal) const {
        return std::span(vertices_).subspan(first_vertex_[areal], first_vertex_[areal + 1] - first_vertex_[areal]);
    }
    /// Neighbours without duplicates and without the areal itself, ascending by id. Of several shared
    /// edges the longest counts (ties: lowest edge index).
    std::span<const ArealEdge> edges(std::uint32_t areal) const {
        return std::span(edges_).subspan(first_edge_[areal], first_edge_[areal + 1] - first_edge_[areal]);
    }
    /// Position of `edges(areal)` in the list of all edges.
    std::uint32_t first_edge(std::uint32_t areal) const { return first_edge_[areal]; }
    std::uint32_t edge_count() const { return static_cast<std::uint32_t>(edges_.size()); }
    /// The edge from one areal to its neighbour, or null.
    const ArealEdge* edge(std::uint32_t from, std::uint32_t to) const;

    /// Of all areals of the grid cell that contain the point (border tolerance 1e-4) the one whose plane
    /// is nearest to z, ties lowest id; if none does, all areals are tried the same way. nullopt = a miss.
    std::optional<std::uint32_t> locate(float x, float y, float z) const;
    /// The full test without the grid, for tests.
    std::optional<std::uint32_t> locate_reference(float x, float y, float z) const;
    bool contains(std::uint32_t areal, float x, float y) const;

private:
    struct Box { float x0, y0, x1, y1; };
    float plane_distance(std::uint32_t areal, float x, float y, float z) const;
    static std::uint32_t cell_index(float value, float low, float span, std::uint32_t cells);

    std::vector<Vec3> anchors_, normals_;
    std::vector<std::uint32_t> classes_, first_vertex_, first_edge_;
    std::vector<Vec2> vertices_;
    std::vector<ArealEdge> edges_;
    std::vector<Box> boxes_;
    Box extent_{};
    std::uint32_t cells_x_ = 0, cells_y_ = 0;
    std::vector<std::uint32_t> cell_start_;
    std::vector<std::uint16_t> cell_ids_;
};

}  // namespace iron::navigation
