#include "shared/asset/pose_math.hpp"

#include <algorithm>

namespace iron::asset {

Mat34 pose_matrix(const Pose& pose) {
    const auto [w, x, y, z] = pose.rotation;
    const Vec3 p = pose.position;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), p.x,
             2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), p.y,
             2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), p.z}};
}

Mat34 make_matrix(const Mat3& linear, Vec3 t) {
    const auto& a = linear.m;
    return {{a[0][0], a[0][1], a[0][2], t.x, a[1][0], a[1][1], a[1][2], t.y, a[2][0], a[2][1],
             a[2][2], t.z}};
}

Mat34 operator*(const Mat34& a, const Mat34& b) {
    Mat34 out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 4; ++c) {
            float v = a.m[r * 4] * b.m[c] + a.m[r * 4 + 1] * b.m[4 + c] +
                      a.m[r * 4 + 2] * b.m[8 + c];
            if (c == 3) v += a.m[r * 4 + 3];
            out.m[r * 4 + c] = v;
        }
    return out;
}

Vec3 transform_direction(const Mat34& m, Vec3 v) {
    return {m.m[0] * v.x + m.m[1] * v.y + m.m[2] * v.z, m.m[4] * v.x + m.m[5] * v.y + m.m[6] * v.z,
            m.m[8] * v.x + m.m[9] * v.y + m.m[10] * v.z};
}

Vec3 transform_point(const Mat34& m, Vec3 p) {
    return transform_direction(m, p) + Vec3{m.m[3], m.m[7], m.m[11]};
}

void Aabb::add(Vec3 p) {
    if (!valid) {
        *this = {p, p, true};
        return;
    }
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
}

void Aabb::add(const Aabb& b) {
    if (!b.valid) return;
    add(b.min);
    add(b.max);
}

Aabb transform_box(const Mat34& m, const Aabb& box) {
    Aabb out;
    if (box.empty()) return out;
    for (unsigned corner = 0; corner < 8; ++corner)
        out.add(transform_point(m, {corner & 1 ? box.max.x : box.min.x,
                                    corner & 2 ? box.max.y : box.min.y,
                                    corner & 4 ? box.max.z : box.min.z}));
    return out;
}

BoundingSphere transform_sphere(const Mat34& m, const BoundingSphere& sphere) {
    float scale = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)  // the axes are the columns
        scale = std::max(scale, length(Vec3{m.m[axis], m.m[4 + axis], m.m[8 + axis]}));
    return {transform_point(m, sphere.centre), sphere.radius * scale};
}

}  // namespace iron::asset
