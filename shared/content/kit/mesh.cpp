#include "shared/content/kit/mesh.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace iron::content {
namespace {

Vec3 normalized(Vec3 v) {
    const float l = length(v);
    return l > 1e-12f ? v * (1.0f / l) : Vec3{0, 0, 1};
}
float abs_f(float v) { return v < 0 ? -v : v; }

/// Projects along the dominant axis of `n`; v runs downward so that pictures stand upright.
Vec2 box_project(Vec3 p, Vec3 n) {
    const float ax = abs_f(n.x), ay = abs_f(n.y), az = abs_f(n.z);
    if (az >= ax && az >= ay) return {p.x, -p.y};
    if (ay >= ax) return {n.y > 0 ? -p.x : p.x, -p.z};
    return {n.x > 0 ? p.y : -p.y, -p.z};
}

std::vector<Vec3> ring(const std::vector<Vec2>& outline, float z, float scale, Vec2 centre) {
    std::vector<Vec3> out;
    out.reserve(outline.size());
    for (const Vec2& p : outline)
        out.push_back({centre.x + (p.x - centre.x) * scale, centre.y + (p.y - centre.y) * scale, z});
    return out;
}

/// Moves every edge of a convex outline inward by `d`.
std::vector<Vec2> inset(const std::vector<Vec2>& outline, float d) {
    const std::size_t n = outline.size();
    std::vector<Vec2> out(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 a = outline[(i + n - 1) % n], b = outline[i], c = outline[(i + 1) % n];
        Vec2 e0 = b - a, e1 = c - b;
        const float l0 = length(e0), l1 = length(e1);
        e0 = e0 * (1.0f / (l0 > 1e-9f ? l0 : 1.0f));
        e1 = e1 * (1.0f / (l1 > 1e-9f ? l1 : 1.0f));
        const Vec2 n0{-e0.y, e0.x}, n1{-e1.y, e1.x};
        const float k = 1.0f + dot(n0, n1);
        const Vec2 m = (n0 + n1) * (d / (k > 0.2f ? k : 0.2f));
        out[i] = b + m;
    }
    return out;
}

Mat3 multiply(const Mat3& a, const Mat3& b) {
    Mat3 out{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return out;
}

float determinant(const Mat3& a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

}  // namespace

Xform Xform::then_local(const Xform& inner) const { return {multiply(r, inner.r), point(inner.t)}; }
Xform move(float x, float y, float z) {
    Xform out;
    out.t = {x, y, z};
    return out;
}
Xform turn(float rx, float ry, float rz) {
    Xform out;
    out.r = rotation_zyx({rx, ry, rz});
    return out;
}
Xform mirror_x() {
    Xform out;
    out.r.m[0][0] = -1;
    return out;
}

MeshKit& MeshKit::use(std::uint32_t material, float repeat_wu) {
    material_ = material;
    repeat_ = repeat_wu;
    fitted_ = false;
    return *this;
}
MeshKit& MeshKit::use_fitted(std::uint32_t material) {
    material_ = material;
    fitted_ = true;
    return *this;
}

MeshKit& MeshKit::round_light(Vec3 centre) {
    round_ = true;
    light_centre_ = centre;
    return *this;
}
MeshKit& MeshKit::flat_light() {
    round_ = false;
    return *this;
}

void MeshKit::push(const Xform& x) {
    stack_.push_back(now_);
    now_ = now_.then_local(x);
}
void MeshKit::pop() {
    now_ = stack_.back();
    stack_.pop_back();
}

void MeshKit::add(Vec3 a, Vec3 b, Vec3 c, Vec2 ta, Vec2 tb, Vec2 tc) {
    a = now_.point(a);
    b = now_.point(b);
    c = now_.point(c);
    const Vec3 area = cross(b - a, c - a);
    if (dot(area, area) < 1e-12f) return;  // a collapsed corner of a loft
    if (determinant(now_.r) < 0) {
        std::swap(b, c);
        std::swap(tb, tc);
    }
    Triangle t{{a, b, c}, {ta, tb, tc}, material_, round_, {}};
    if (round_)
        for (int i = 0; i < 3; ++i) t.n[i] = normalized(t.p[i] - light_centre_ + Vec3{0, 0, 0.3f});
    triangles_.push_back(t);
}

void MeshKit::polygon(std::span<const Vec3> points) {
    // Newell's normal: stable for nearly flat faces with collapsed edges.
    Vec3 n{};
    for (std::size_t i = 0; i < points.size(); ++i)
        n = n + cross(points[i], points[(i + 1) % points.size()]);
    n = normalized(n);
    std::vector<Vec2> uv;
    uv.reserve(points.size());
    for (const Vec3& p : points) uv.push_back(box_project(p, n));
    if (fitted_) {
        Vec2 lo = uv[0], hi = uv[0];
        for (const Vec2& t : uv) {
            lo = {std::min(lo.x, t.x), std::min(lo.y, t.y)};
            hi = {std::max(hi.x, t.x), std::max(hi.y, t.y)};
        }
        const float w = hi.x - lo.x > 1e-6f ? hi.x - lo.x : 1.0f;
        const float h = hi.y - lo.y > 1e-6f ? hi.y - lo.y : 1.0f;
        for (Vec2& t : uv) t = {(t.x - lo.x) / w, (t.y - lo.y) / h};
    } else {
        for (Vec2& t : uv) t = t * (1.0f / repeat_);
    }
    for (std::size_t i = 2; i < points.size(); ++i)
        add(points[0], points[i - 1], points[i], uv[0], uv[i - 1], uv[i]);
}

void MeshKit::quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const std::array<Vec3, 4> p{a, b, c, d};
    polygon(p);
}
void MeshKit::triangle(Vec3 a, Vec3 b, Vec3 c) {
    const std::array<Vec3, 3> p{a, b, c};
    polygon(p);
}
void MeshKit::quad_uv(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Vec2 ta, Vec2 tb, Vec2 tc, Vec2 td) {
    add(a, b, c, ta, tb, tc);
    add(a, c, d, ta, tc, td);
}
void MeshKit::card(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    quad_uv(a, b, c, d, {0, 1}, {1, 1}, {1, 0}, {0, 0});
    quad_uv(b, a, d, c, {1, 1}, {0, 1}, {0, 0}, {1, 0});
}

void MeshKit::loft(const std::vector<std::vector<Vec3>>& rings, bool cap_start, bool cap_end) {
    for (std::size_t r = 1; r < rings.size(); ++r) {
        const auto& lower = rings[r - 1];
        const auto& upper = rings[r];
        const std::size_t n = lower.size();
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t j = (i + 1) % n;
            quad(lower[i], lower[j], upper[j], upper[i]);
        }
    }
    if (cap_start) {
        std::vector<Vec3> face(rings.front().rbegin(), rings.front().rend());
        polygon(face);
    }
    if (cap_end) polygon(rings.back());
}

void MeshKit::prism(const std::vector<Vec2>& outline, float z0, float z1, float bevel,
                    float top_scale, Vec2 centre) {
    std::vector<Vec2> top;
    for (const Vec2& p : outline)
        top.push_back({centre.x + (p.x - centre.x) * top_scale, centre.y + (p.y - centre.y) * top_scale});
    if (bevel <= 0) {
        loft({ring(outline, z0, 1, {}), ring(top, z1, 1, {})}, true, true);
        return;
    }
    loft({ring(inset(outline, bevel), z0, 1, {}), ring(outline, z0 + bevel, 1, {}),
          ring(top, z1 - bevel, 1, {}), ring(inset(top, bevel), z1, 1, {})},
         true, true);
}

void MeshKit::frustum(Rect bottom, Rect top, float z0, float z1, float bevel) {
    if (bevel <= 0) {
        loft({ring(cut_rect(bottom, 0), z0, 1, {}), ring(cut_rect(top, 0), z1, 1, {})}, true, true);
        return;
    }
    const auto lower = cut_rect(bottom, bevel), upper = cut_rect(top, bevel);
    loft({ring(inset(lower, bevel * 0.6f), z0, 1, {}), ring(lower, z0 + bevel, 1, {}),
          ring(upper, z1 - bevel, 1, {}), ring(inset(upper, bevel * 0.6f), z1, 1, {})},
         true, true);
}

void MeshKit::box(Vec3 lo, Vec3 hi, float bevel) {
    const Rect r{lo.x, lo.y, hi.x, hi.y};
    frustum(r, r, lo.z, hi.z, bevel);
}
void MeshKit::box_at(Vec3 centre, Vec3 size, float bevel) {
    box(centre - size * 0.5f, centre + size * 0.5f, bevel);
}

void MeshKit::profile_x(const std::vector<Vec2>& outline_yz, float x0, float x1, float bevel) {
    const auto ring_at = [](const std::vector<Vec2>& outline, float x) {
        std::vector<Vec3> out;
        for (const Vec2& p : outline) out.push_back({x, p.x, p.y});
        return out;
    };
    if (bevel <= 0) {
        loft({ring_at(outline_yz, x0), ring_at(outline_yz, x1)}, true, true);
        return;
    }
    const auto inner = inset(outline_yz, bevel);
    loft({ring_at(inner, x0), ring_at(outline_yz, x0 + bevel), ring_at(outline_yz, x1 - bevel),
          ring_at(inner, x1)},
         true, true);
}

namespace {

/// Circles of `sides` corners across the axis from a to b.
struct RoundRings {
    RoundRings(Vec3 a, Vec3 b, int corners) : axis(normalized(b - a)), sides(corners) {
        const Vec3 helper = abs_f(axis.z) < 0.9f ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        u = normalized(cross(helper, axis));
        v = cross(axis, u);
    }
    std::vector<Vec3> at(Vec3 centre, float radius) const {
        std::vector<Vec3> out;
        for (const Vec2& p : circle(1, sides)) out.push_back(centre + u * (p.x * radius) + v * (p.y * radius));
        return out;
    }
    Vec3 axis, u, v;
    int sides;
};

}  // namespace

void MeshKit::cylinder(Vec3 a, Vec3 b, float ra, float rb, int sides, float bevel, bool caps) {
    const RoundRings rings(a, b, sides);
    const Vec3 axis = rings.axis;
    const auto ring_at = [&](Vec3 c, float r) { return rings.at(c, r); };
    if (bevel <= 0) {
        loft({ring_at(a, ra), ring_at(b, rb)}, caps, caps);
        return;
    }
    loft({ring_at(a, ra - bevel), ring_at(a + axis * bevel, ra), ring_at(b - axis * bevel, rb),
          ring_at(b, rb - bevel)},
         caps, caps);
}

void MeshKit::barrel(Vec3 a, Vec3 b, float radius, float bore, int sides) {
    const RoundRings rings(a, b, sides);
    const Vec3 axis = rings.axis;
    const auto ring_at = [&](Vec3 c, float r) { return rings.at(c, r); };
    loft({ring_at(a, radius), ring_at(b, radius), ring_at(b, bore),
          ring_at(b - axis * (radius * 3.0f), bore)},
         true, true);
}

void MeshKit::sphere(Vec3 centre, Vec3 radii, int sides, int stacks, float from, float to) {
    std::vector<std::vector<Vec3>> rings;
    for (int s = 0; s <= stacks; ++s) {
        const float angle = from + (to - from) * static_cast<float>(s) / static_cast<float>(stacks);
        const float r = det_cos(angle), z = det_sin(angle);
        std::vector<Vec3> points;
        for (const Vec2& p : circle(1, sides))
            points.push_back({centre.x + p.x * r * radii.x, centre.y + p.y * r * radii.y,
                              centre.z + z * radii.z});
        rings.push_back(std::move(points));
    }
    const bool open_start = from > -kHalfPi + 0.01f, open_end = to < kHalfPi - 0.01f;
    loft(rings, open_start, open_end);
}

void MeshKit::scale(float factor) {
    for (Triangle& t : triangles_)
        for (Vec3& p : t.p) p = p * factor;
}

MeshData MeshKit::finish(float smooth_cos) const {
    const auto key = [](Vec3 p) {
        return std::make_tuple(round_i64(p.x * 2048.0), round_i64(p.y * 2048.0), round_i64(p.z * 2048.0));
    };
    // Faces around every position, weighted by area: a bevel bends toward the large face.
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<Vec3>> around;
    std::vector<Vec3> face(triangles_.size());
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
        const Triangle& t = triangles_[i];
        face[i] = cross(t.p[1] - t.p[0], t.p[2] - t.p[0]);
        for (const Vec3& p : t.p) around[key(p)].push_back(face[i]);
    }

    MeshData out;
    std::vector<std::uint32_t> materials;
    for (const Triangle& t : triangles_)
        if (std::find(materials.begin(), materials.end(), t.material) == materials.end())
            materials.push_back(t.material);

    for (const std::uint32_t material : materials) {
        MeshBatch batch{material, static_cast<std::uint32_t>(out.indices.size()), 0};
        // Vertices are shared inside a batch only, so that a batch may address its own range.
        std::map<std::array<std::int64_t, 8>, std::uint32_t> welded;
        for (std::size_t i = 0; i < triangles_.size(); ++i) {
            const Triangle& t = triangles_[i];
            if (t.material != material) continue;
            const Vec3 own = normalized(face[i]);
            for (int c = 0; c < 3; ++c) {
                Vec3 sum = t.round ? t.n[c] : Vec3{};
                if (!t.round)
                    for (const Vec3& f : around.at(key(t.p[c])))
                        if (dot(normalized(f), own) > smooth_cos) sum = sum + f;
                const MeshVertex v{t.p[c], normalized(sum), t.uv[c]};
                const auto [px, py, pz] = key(v.p);
                const std::array<std::int64_t, 8> id{px, py, pz,
                                                     round_i64(v.n.x * 64.0), round_i64(v.n.y * 64.0),
                                                     round_i64(v.n.z * 64.0), round_i64(v.uv.x * 1024.0),
                                                     round_i64(v.uv.y * 1024.0)};
                const auto [it, fresh] =
                    welded.emplace(id, static_cast<std::uint32_t>(out.vertices.size()));
                if (fresh) out.vertices.push_back(v);
                out.indices.push_back(it->second);
            }
        }
        batch.index_count = static_cast<std::uint32_t>(out.indices.size()) - batch.first_index;
        out.batches.push_back(batch);
    }
    if (!out.vertices.empty()) {
        out.lo = out.hi = out.vertices[0].p;
        for (const MeshVertex& v : out.vertices) {
            out.lo = {std::min(out.lo.x, v.p.x), std::min(out.lo.y, v.p.y), std::min(out.lo.z, v.p.z)};
            out.hi = {std::max(out.hi.x, v.p.x), std::max(out.hi.y, v.p.y), std::max(out.hi.z, v.p.z)};
        }
    }
    return out;
}

std::vector<Vec2> circle(float radius, int sides, float phase) {
    std::vector<Vec2> out;
    for (int i = 0; i < sides; ++i) {
        const float a = phase + kTwoPi * (static_cast<float>(i) + 0.5f) / static_cast<float>(sides);
        out.push_back({radius * det_cos(a), radius * det_sin(a)});
    }
    return out;
}

std::vector<Vec2> cut_rect(Rect r, float cut) {
    if (cut <= 0) return {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
    return {{r.x0 + cut, r.y0}, {r.x1 - cut, r.y0}, {r.x1, r.y0 + cut}, {r.x1, r.y1 - cut},
            {r.x1 - cut, r.y1}, {r.x0 + cut, r.y1}, {r.x0, r.y1 - cut}, {r.x0, r.y0 + cut}};
}

}  // namespace iron::content
