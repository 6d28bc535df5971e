// Quaternions, 3x4 matrices and bounds of models; four operations and sqrt only, so that the
// simulation may use them. Source: models.md 3.2, 8.1, 9.5.
#pragma once

#include <array>

#include "shared/base/math.hpp"

namespace iron::asset {

/// Rotation as stored by models; not necessarily of unit length.
struct Quat {
    float w = 1, x = 0, y = 0, z = 0;
    bool operator==(const Quat&) const = default;
};

/// Local pose of a node: position in the parent's space and rotation.
struct Pose {
    Vec3 position;
    Quat rotation;
    bool operator==(const Pose&) const = default;
};

/// Row-major 3x4 matrix for column vectors; translation in elements 3, 7, 11 (models.md 9.5).
struct Mat34 {
    std::array<float, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    bool operator==(const Mat34&) const = default;
};

/// Matrix of a pose by the table of models.md 9.5: the rotation of the conjugate of q.
Mat34 pose_matrix(const Pose& pose);
/// Rotation (and scale) in the left 3x3 part and a translation.
Mat34 make_matrix(const Mat3& linear, Vec3 translation);
Mat34 operator*(const Mat34& a, const Mat34& b);
Vec3 transform_point(const Mat34& m, Vec3 p);
Vec3 transform_direction(const Mat34& m, Vec3 v);

/// Axis-aligned box; `empty()` before the first add.
struct Aabb {
    Vec3 min, max;
    bool valid = false;

    bool empty() const { return !valid; }
    void add(Vec3 p);
    void add(const Aabb& b);
    Vec3 centre() const { return (min + max) * 0.5f; }
    Vec3 extent() const { return max - min; }
};
/// Box around the eight transformed corners; an empty box stays empty.
Aabb transform_box(const Mat34& m, const Aabb& box);

struct BoundingSphere {
    Vec3 centre;
    float radius = 0;
};
/// Grows by the largest of the three axis scales (models.md 3.2).
BoundingSphere transform_sphere(const Mat34& m, const BoundingSphere& sphere);

}  // namespace iron::asset
