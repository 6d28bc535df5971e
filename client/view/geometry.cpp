#include "client/view/geometry.hpp"

#include <cmath>

namespace iron::client::view {

std::array<glm::vec3, 8> Box::corners() const {
    std::array<glm::vec3, 8> out;
    for (int i = 0; i < 8; ++i)
        out[static_cast<std::size_t>(i)] = {(i & 1) ? max.x : min.x, (i & 2) ? max.y : min.y,
                                            (i & 4) ? max.z : min.z};
    return out;
}

Box Box::transformed(const glm::mat4& matrix) const {
    Box out;
    if (empty()) return out;
    for (glm::vec3 corner : corners()) out.add(glm::vec3(matrix * glm::vec4(corner, 1.0f)));
    return out;
}

std::optional<float> hit_box(const Ray& ray, const Box& box) {
    if (box.empty()) return std::nullopt;
    float near = 0.0f, far = std::numeric_limits<float>::max();
    for (int axis = 0; axis < 3; ++axis) {
        const float d = ray.direction[axis], o = ray.origin[axis];
        if (std::abs(d) < 1e-9f) {
            if (o < box.min[axis] || o > box.max[axis]) return std::nullopt;
            continue;
        }
        float t0 = (box.min[axis] - o) / d, t1 = (box.max[axis] - o) / d;
        if (t0 > t1) std::swap(t0, t1);
        near = std::max(near, t0);
        far = std::min(far, t1);
        if (near > far) return std::nullopt;
    }
    return near;
}

std::optional<float> hit_triangle(const Ray& ray, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const glm::vec3 ab = b - a, ac = c - a;
    const glm::vec3 p = glm::cross(ray.direction, ac);
    const float det = glm::dot(ab, p);
    if (std::abs(det) < 1e-9f) return std::nullopt;
    const glm::vec3 s = ray.origin - a;
    const float u = glm::dot(s, p) / det;
    if (u < -1e-4f || u > 1.0001f) return std::nullopt;
    const glm::vec3 q = glm::cross(s, ab);
    const float v = glm::dot(ray.direction, q) / det;
    if (v < -1e-4f || u + v > 1.0001f) return std::nullopt;
    const float t = glm::dot(ac, q) / det;
    if (t < 0.0f) return std::nullopt;
    return t;
}

Frustum Frustum::from_matrix(const glm::mat4& m) {
    Frustum out;
    const auto row = [&](int i) { return glm::vec4(m[0][i], m[1][i], m[2][i], m[3][i]); };
    const glm::vec4 w = row(3);
    for (int i = 0; i < 3; ++i) {
        out.planes[static_cast<std::size_t>(2 * i)] = w + row(i);
        out.planes[static_cast<std::size_t>(2 * i + 1)] = w - row(i);
    }
    for (glm::vec4& plane : out.planes) {
        const float length = glm::length(glm::vec3(plane));
        if (length > 0.0f) plane /= length;
    }
    return out;
}

bool Frustum::may_see(const Box& box) const {
    if (box.empty()) return false;
    for (const glm::vec4& plane : planes) {
        const glm::vec3 n(plane);
        const glm::vec3 far_corner{n.x > 0 ? box.max.x : box.min.x, n.y > 0 ? box.max.y : box.min.y,
                                   n.z > 0 ? box.max.z : box.min.z};
        if (glm::dot(n, far_corner) + plane.w < 0.0f) return false;
    }
    return true;
}

bool Frustum::may_see(glm::vec3 center, float radius) const {
    for (const glm::vec4& plane : planes)
        if (glm::dot(glm::vec3(plane), center) + plane.w < -radius) return false;
    return true;
}

glm::mat4 placement_matrix(glm::vec3 position, glm::vec3 r, glm::vec3 scale) {
    const float sx = std::sin(r.x), cx = std::cos(r.x), sy = std::sin(r.y), cy = std::cos(r.y),
                sz = std::sin(r.z), cz = std::cos(r.z);
    glm::mat4 m(1.0f);
    m[0] = glm::vec4(cz * cy, sz * cy, -sy, 0) * scale.x;
    m[1] = glm::vec4(cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx, 0) * scale.y;
    m[2] = glm::vec4(cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx, 0) * scale.z;
    m[3] = glm::vec4(position, 1);
    return m;
}

float wrap_rad(float rad) {
    if (!std::isfinite(rad)) return 0.0f;
    const float turns = std::remainder(rad, kTwoPi);
    return turns <= -kPi ? turns + kTwoPi : turns;
}

float mix_angle(float a, float b, float t) { return wrap_rad(a + wrap_rad(b - a) * t); }

}  // namespace iron::client::view
