// The ground: height and ray queries over the LOD 0 faces of the landscape.
// Source: simulation.md 6.1, 6.2 (exact rules), 2 (height scale), 27 (cell lists); terrain.md 8.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shared/base/error.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {
struct LandMesh;
}

namespace iron::navigation {

struct RayHit {
    float distance = 0;  ///< in lengths of the direction vector
    Vec3 point;
    std::uint32_t face = 0;  ///< face number in the mesh
};

class Surface {
public:
    /// Copies the LOD 0 faces with heights times `height_scale`. Error `no_surface` if there is none.
    static Result<Surface> build(const asset::LandMesh& mesh, float height_scale);

    /// Largest z of the faces over or under (x, y); nullopt = no surface.
    std::optional<float> height_at(float x, float y) const;
    /// Nearest face hit with 0 <= distance <= max_distance; a face must share a bit with a non-zero
    /// `query_mask`. Equal distance: lowest face number.
    std::optional<RayHit> ray(Vec3 origin, Vec3 direction, float max_distance,
                              std::uint32_t query_mask = 0) const;

    /// The same over all faces without the index, for tests.
    std::optional<float> height_at_reference(float x, float y) const;
    std::optional<RayHit> ray_reference(Vec3 origin, Vec3 direction, float max_distance,
                                        std::uint32_t query_mask = 0) const;

    Vec2 low() const { return {min_.x, min_.y}; }
    Vec2 high() const { return {max_.x, max_.y}; }
    float max_z() const { return max_.z; }
    std::size_t face_count() const { return faces_.size(); }

private:
    struct Face {
        Vec3 a, b, c;
        std::uint32_t flags = 0, number = 0;

    };
    static bool height_of(const Face& face, float x, float y, float& z);
    static bool hit_of(const Face& face, Vec3 origin, Vec3 direction, float& distance);
    std::int32_t cell_x(float x) const;
    std::int32_t cell_y(float y) const;

    std::vector<Face> faces_;  ///< ascending number
    Vec3 min_, max_;
    float cell_ = 8;
    std::int32_t cells_x_ = 1, cells_y_ = 1;
    std::vector<std::uint32_t> cell_start_, cell_faces_;
};

/// DD-SIM-03: the scale whose heights fit the placed objects better (lower median of the error); `tie` for
/// equal medians or fewer than `min_objects` samples. Samples without ground under them do not count.
struct ScaleChoice {
    float scale = 1;
    std::uint32_t samples = 0;
};
ScaleChoice choose_height_scale(const Surface& raw, const std::vector<Vec3>& objects,
                                const float (&candidates)[2], std::uint32_t min_objects, float tie);

}  // namespace iron::navigation
