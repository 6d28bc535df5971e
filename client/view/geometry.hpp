// Boxes, rays and view volumes of the client. Presentation only: never used by the simulation.
#pragma once

#include <array>
#include <limits>
#include <optional>

#include <glm/glm.hpp>

#include "shared/base/math.hpp"

namespace iron::client::view {

inline glm::vec3 to_glm(Vec3 v) { return {v.x, v.y, v.z}; }
inline Vec3 from_glm(glm::vec3 v) { return {v.x, v.y, v.z}; }

/// Axis-aligned box in world units; empty until it is expanded.
struct Box {
    glm::vec3 min{std::numeric_limits<float>::max()};
    glm::vec3 max{std::numeric_limits<float>::lowest()};

    bool empty() const { return min.x > max.x; }
    glm::vec3 center() const { return empty() ? glm::vec3{0} : (min + max) * 0.5f; }
    glm::vec3 size() const { return empty() ? glm::vec3{0} : max - min; }
    float radius() const { return glm::length(size()) * 0.5f; }
    void add(glm::vec3 p) {
        min = glm::min(min, p);
        max = glm::max(max, p);
    }
    void add(const Box& other) {
        if (other.empty()) return;
        add(other.min);
        add(other.max);
    }
    std::array<glm::vec3, 8> corners() const;
    /// The box around the eight transformed corners.
    Box transformed(const glm::mat4& matrix) const;
};

/// A half line; `direction` has length 1.
struct Ray {
    glm::vec3 origin{0};
    glm::vec3 direction{0, 1, 0};
    glm::vec3 at(float t) const { return origin + direction * t; }
};

/// Distance along the ray to the box (0 from inside), or nothing.
std::optional<float> hit_box(const Ray& ray, const Box& box);
/// Distance along the ray to the triangle, either side, or nothing.
std::optional<float> hit_triangle(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c);

/// The six planes of a projection * view matrix, pointing inward.
struct Frustum {
    std::array<glm::vec4, 6> planes{};
    static Frustum from_matrix(const glm::mat4& view_projection);
    /// False only if the box is certainly outside.
    bool may_see(const Box& box) const;
    bool may_see(glm::vec3 center, float radius) const;
};

/// The placement matrix of mission.md 2.7: Rz * Ry * Rx * scale, then translation.
glm::mat4 placement_matrix(glm::vec3 position, glm::vec3 euler_rad, glm::vec3 scale);

/// Angle moved into (-pi, pi].
float wrap_rad(float rad);
/// a + (b - a) * t along the shorter arc.
float mix_angle(float a, float b, float t);

}  // namespace iron::client::view
