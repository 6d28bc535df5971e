#include "server/navigation/surface.hpp"

#include <algorithm>

#include "shared/asset/land_mesh.hpp"

namespace iron::navigation {

namespace {

constexpr float kCell = 8.0f;          // wu
constexpr std::int32_t kMaxCells = 512;
constexpr float kFlat = 1e-6f;         // smallest 2D or 3D determinant
constexpr float kWeightLow = -1e-4f, kWeightHigh = 1.0001f;

float min3(float a, float b, float c) { return std::min(a, std::min(b, c)); }
float max3(float a, float b, float c) { return std::max(a, std::max(b, c)); }
float abs_f(float v) { return v < 0 ? -v : v; }

/// How far a point accepted by the tolerances may lie outside the box of its face.
float slack(float extent) { return 4e-4f * extent + 1e-3f; }

}  // namespace

bool Surface::height_of(const Face& f, float x, float y, float& z) {
    const float abx = f.b.x - f.a.x, aby = f.b.y - f.a.y;
    const float acx = f.c.x - f.a.x, acy = f.c.y - f.a.y;
    const float det = abx * acy - acx * aby;
    if (abs_f(det) <= kFlat) return false;
    const float px = x - f.a.x, py = y - f.a.y;
    const float wb = (px * acy - acx * py) / det;
    const float wc = (abx * py - px * aby) / det;
    const float wa = 1.0f - wb - wc;
    if (wa < kWeightLow || wa > kWeightHigh || wb < kWeightLow || wb > kWeightHigh ||
        wc < kWeightLow || wc > kWeightHigh)
        return false;
    z = wa * f.a.z + wb * f.b.z + wc * f.c.z;
    return true;
}

bool Surface::hit_of(const Face& f, Vec3 origin, Vec3 direction, float& distance) {
    const Vec3 ab = f.b - f.a, ac = f.c - f.a;
    const Vec3 p = cross(direction, ac);
    const float det = dot(ab, p);
    if (abs_f(det) <= kFlat) return false;
    const Vec3 t = origin - f.a;
    const float u = dot(t, p) / det;
    if (u < -1e-5f || u > 1.00001f) return false;
    const Vec3 q = cross(t, ab);
    const float v = dot(direction, q) / det;
    if (v < -1e-5f || u + v > 1.00001f) return false;
    distance = dot(ac, q) / det;
    return distance >= 0;
}

std::int32_t Surface::cell_x(float x) const {
    return std::clamp(floor_i32((x - min_.x) / cell_), 0, cells_x_ - 1);
}
std::int32_t Surface::cell_y(float y) const {
    return std::clamp(floor_i32((y - min_.y) / cell_), 0, cells_y_ - 1);
}

Result<Surface> Surface::build(const asset::LandMesh& mesh, float height_scale) {
    Surface out;
    const std::vector<std::uint8_t> lods = asset::face_lods(mesh);
    for (std::uint32_t i = 0; i < mesh.faces.size(); ++i) {
        if (lods[i] != 0) continue;
        const asset::LandFace& src = mesh.faces[i];
        Face f;
        f.number = i;
        f.flags = src.flags;
        Vec3* corner[3] = {&f.a, &f.b, &f.c};
        for (int k = 0; k < 3; ++k) {
            if (src.vertices[k] >= mesh.positions.size())
                return fail("no_surface", "face " + std::to_string(i) + " names a missing vertex");
            *corner[k] = mesh.positions[src.vertices[k]];
            corner[k]->z *= height_scale;
            if (!is_finite(*corner[k])) return fail("no_surface", "a vertex is not finite");
        }
        if (out.faces_.empty()) out.min_ = out.max_ = f.a;
        for (const Vec3* c : corner) {
            out.min_ = {std::min(out.min_.x, c->x), std::min(out.min_.y, c->y), std::min(out.min_.z, c->z)};
            out.max_ = {std::max(out.max_.x, c->x), std::max(out.max_.y, c->y), std::max(out.max_.z, c->z)};
        }
        out.faces_.push_back(f);
    }
    if (out.faces_.empty()) return fail("no_surface", "the landscape has no LOD 0 faces");

    const float span = std::max(out.max_.x - out.min_.x, out.max_.y - out.min_.y);
    out.cell_ = std::max(kCell, span / static_cast<float>(kMaxCells));
    out.cells_x_ = std::clamp(floor_i32((out.max_.x - out.min_.x) / out.cell_) + 1, 1, kMaxCells + 1);
    out.cells_y_ = std::clamp(floor_i32((out.max_.y - out.min_.y) / out.cell_) + 1, 1, kMaxCells + 1);

    // Two passes over the faces: count, then fill; ids ascend inside a cell.
    const auto cells = static_cast<std::size_t>(out.cells_x_) * static_cast<std::size_t>(out.cells_y_);
    std::vector<std::uint32_t> fill(cells + 1, 0);
    const auto visit = [&](const Face& f, auto&& action) {
        const float x0 = min3(f.a.x, f.b.x, f.c.x), x1 = max3(f.a.x, f.b.x, f.c.x);
        const float y0 = min3(f.a.y, f.b.y, f.c.y), y1 = max3(f.a.y, f.b.y, f.c.y);
        const float s = slack(std::max(x1 - x0, y1 - y0));
        for (std::int32_t cx = out.cell_x(x0 - s); cx <= out.cell_x(x1 + s); ++cx)
            for (std::int32_t cy = out.cell_y(y0 - s); cy <= out.cell_y(y1 + s); ++cy)
                action(static_cast<std::size_t>(cx) * static_cast<std::size_t>(out.cells_y_) +
                       static_cast<std::size_t>(cy));
    };
    for (const Face& f : out.faces_) visit(f, [&](std::size_t c) { ++fill[c + 1]; });
    for (std::size_t c = 0; c < cells; ++c) fill[c + 1] += fill[c];
    out.cell_start_ = fill;
    out.cell_faces_.resize(fill[cells]);
    for (std::uint32_t i = 0; i < out.faces_.size(); ++i)
        visit(out.faces_[i], [&](std::size_t c) { out.cell_faces_[fill[c]++] = i; });
    return out;
}

std::optional<float> Surface::height_at(float x, float y) const {
    const std::size_t c = static_cast<std::size_t>(cell_x(x)) * static_cast<std::size_t>(cells_y_) +
                          static_cast<std::size_t>(cell_y(y));
    std::optional<float> best;
    for (std::uint32_t i = cell_start_[c]; i < cell_start_[c + 1]; ++i) {
        float z = 0;
        if (height_of(faces_[cell_faces_[i]], x, y, z) && (!best || z > *best)) best = z;
    }
    return best;
}

std::optional<float> Surface::height_at_reference(float x, float y) const {
    std::optional<float> best;
    for (const Face& f : faces_) {
        float z = 0;
        if (height_of(f, x, y, z) && (!best || z > *best)) best = z;
    }
    return best;
}

std::optional<RayHit> Surface::ray(Vec3 origin, Vec3 direction, float max_distance,
                                   std::uint32_t query_mask) const {
    if (!is_finite(origin) || !is_finite(direction) || !(max_distance >= 0)) return {};
    const Vec3 end = origin + direction * max_distance;
    const float pad = slack(cell_);
    const std::int32_t x0 = cell_x(std::min(origin.x, end.x) - pad), x1 = cell_x(std::max(origin.x, end.x) + pad);
    std::optional<RayHit> best;
    for (std::int32_t cx = x0; cx <= x1; ++cx) {
        // Part of the ray inside this column of cells, in lengths of the direction.
        float t0 = 0, t1 = max_distance;
        const float left = min_.x + cell_ * static_cast<float>(cx) - pad;
        const float right = left + cell_ + 2 * pad;
        if (abs_f(direction.x) > 1e-9f) {
            const float ta = (left - origin.x) / direction.x, tb = (right - origin.x) / direction.x;
            // The border columns also hold what lies outside the grid.
            const float enter = std::min(ta, tb), leave = std::max(ta, tb);
            const bool open_low = direction.x > 0 ? cx == 0 : cx == cells_x_ - 1;
            const bool open_high = direction.x > 0 ? cx == cells_x_ - 1 : cx == 0;
            if (!open_low) t0 = std::max(t0, enter);
            if (!open_high) t1 = std::min(t1, leave);
        }
        if (t0 > t1) continue;
        const float ya = origin.y + direction.y * t0, yb = origin.y + direction.y * t1;
        const std::int32_t y0 = cell_y(std::min(ya, yb) - pad), y1 = cell_y(std::max(ya, yb) + pad);
        for (std::int32_t cy = y0; cy <= y1; ++cy) {
            const std::size_t c = static_cast<std::size_t>(cx) * static_cast<std::size_t>(cells_y_) +
                                  static_cast<std::size_t>(cy);
            for (std::uint32_t i = cell_start_[c]; i < cell_start_[c + 1]; ++i) {
                const Face& f = faces_[cell_faces_[i]];
                if (query_mask != 0 && (f.flags & query_mask) == 0) continue;
                float d = 0;
                if (!hit_of(f, origin, direction, d) || d > max_distance) continue;
                if (!best || d < best->distance || (d == best->distance && f.number < best->face))
                    best = RayHit{d, origin + direction * d, f.number};
            }
        }
    }
    return best;
}

std::optional<RayHit> Surface::ray_reference(Vec3 origin, Vec3 direction, float max_distance,
                                             std::uint32_t query_mask) const {
    if (!is_finite(origin) || !is_finite(direction) || !(max_distance >= 0)) return {};
    std::optional<RayHit> best;
    for (const Face& f : faces_) {
        if (query_mask != 0 && (f.flags & query_mask) == 0) continue;
        float d = 0;
        if (!hit_of(f, origin, direction, d) || d > max_distance) continue;
        if (!best || d < best->distance || (d == best->distance && f.number < best->face))
            best = RayHit{d, origin + direction * d, f.number};
    }
    return best;
}

ScaleChoice choose_height_scale(const Surface& raw, const std::vector<Vec3>& objects,
                                const float (&candidates)[2], std::uint32_t min_objects, float tie) {
    ScaleChoice out;
    out.scale = tie;
    std::vector<float> errors[2];
    for (const Vec3& p : objects) {
        const auto height = raw.height_at(p.x, p.y);
        if (!height) continue;
        for (int i = 0; i < 2; ++i) errors[i].push_back(abs_f(p.z - candidates[i] * *height));
    }
    out.samples = static_cast<std::uint32_t>(errors[0].size());
    if (out.samples < min_objects) return out;
    float median[2];
    for (int i = 0; i < 2; ++i) {
        std::sort(errors[i].begin(), errors[i].end());
        median[i] = errors[i][(errors[i].size() - 1) / 2];
    }
    if (median[0] < median[1]) out.scale = candidates[0];
    if (median[1] < median[0]) out.scale = candidates[1];
    return out;
}

}  // namespace iron::navigation
