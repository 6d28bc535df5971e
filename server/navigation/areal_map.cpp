#include "server/navigation/areal_map.hpp"

#include <algorithm>

#include "shared/asset/land_map.hpp"

namespace iron::navigation {

namespace {
constexpr float kBorder = 1e-4f;

float abs_f(float v) { return v < 0 ? -v : v; }

/// True when the point is within the tolerance of the segment.
bool on_segment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = b - a;
    const float len2 = dot(d, d);
    float t = len2 > 0 ? dot(p - a, d) / len2 : 0.0f;
    t = std::clamp(t, 0.0f, 1.0f);
    const Vec2 off = p - (a + d * t);
    return dot(off, off) <= kBorder * kBorder;
}
}  // namespace

Result<ArealMap> ArealMap::build(const asset::LandMap& map, float height_scale) {
    ArealMap out;
    if (map.areals.empty()) return fail("no_areals", "the areal map is empty");
    const auto count = static_cast<std::uint32_t>(map.areals.size());
    out.first_vertex_.push_back(0);
    out.first_edge_.push_back(0);
    bool first = true;
    for (const asset::Areal& a : map.areals) {
        Vec3 anchor = a.anchor;
        anchor.z *= height_scale;
        // Normal of the surface after its heights were scaled.
        Vec3 n{a.normal.x * height_scale, a.normal.y * height_scale, a.normal.z};
        const float len = length(n);
        n = len > 1e-9f ? n * (1.0f / len) : Vec3{0, 0, 1};
        if (!is_finite(anchor) || !is_finite(n)) return fail("no_areals", "an areal is not finite");
        out.anchors_.push_back(anchor);
        out.normals_.push_back(n);
        out.classes_.push_back(a.class_id);
        Box box{anchor.x, anchor.y, anchor.x, anchor.y};
        bool first_corner = true;
        for (const Vec3& v : a.vertices) {
            out.vertices_.push_back({v.x, v.y});
            if (first_corner) box = {v.x, v.y, v.x, v.y};
            first_corner = false;
            box = {std::min(box.x0, v.x), std::min(box.y0, v.y), std::max(box.x1, v.x), std::max(box.y1, v.y)};
            if (first) out.extent_ = {v.x, v.y, v.x, v.y};
            first = false;
            out.extent_ = {std::min(out.extent_.x0, v.x), std::min(out.extent_.y0, v.y),
                           std::max(out.extent_.x1, v.x), std::max(out.extent_.y1, v.y)};
        }
        out.boxes_.push_back(box);
        out.first_vertex_.push_back(static_cast<std::uint32_t>(out.vertices_.size()));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const asset::Areal& a = map.areals[i];
        const std::span<const Vec2> poly = out.polygon(i);
        const std::size_t begin = out.edges_.size();
        float twice_area = 0;
        for (std::size_t e = 0; e < poly.size(); ++e) twice_area += cross(poly[e] - poly[0], poly[(e + 1) % poly.size()] - poly[0]);
        for (std::size_t e = 0; e < a.links.size() && e < poly.size(); ++e) {
            const asset::ArealLink& link = a.links[e];
            if (link.none() || static_cast<std::uint32_t>(link.areal) >= count ||
                static_cast<std::uint32_t>(link.areal) == i)
                continue;
            const auto to = static_cast<std::uint32_t>(link.areal);
            Vec2 pa = poly[e], pb = poly[(e + 1) % poly.size()];
            if (twice_area < 0) std::swap(pa, pb);
            const auto same = std::find_if(out.edges_.begin() + static_cast<std::ptrdiff_t>(begin), out.edges_.end(),
                                           [&](const ArealEdge& x) { return x.to == to; });
            if (same != out.edges_.end()) {
                const Vec2 d = pb - pa, old = same->b - same->a;
                if (dot(d, d) > dot(old, old)) same->a = pa, same->b = pb;
                continue;
            }
            const Vec3 da = out.anchors_[i], db = out.anchors_[to];
            const float dist = length(Vec2{da.x - db.x, da.y - db.y});
            out.edges_.push_back({to, static_cast<std::uint32_t>(floor_i64(100.0f * dist + 0.5f)), pa, pb});
        }
        std::sort(out.edges_.begin() + static_cast<std::ptrdiff_t>(begin), out.edges_.end(),
                  [](const ArealEdge& x, const ArealEdge& y) { return x.to < y.to; });
        out.first_edge_.push_back(static_cast<std::uint32_t>(out.edges_.size()));
    }
    if (out.extent_.x1 <= out.extent_.x0) out.extent_.x1 = out.extent_.x0 + 1;
    if (out.extent_.y1 <= out.extent_.y0) out.extent_.y1 = out.extent_.y0 + 1;
    out.cells_x_ = map.cells_x;
    out.cells_y_ = map.cells_y;
    out.cell_start_ = map.cell_start;
    out.cell_ids_ = map.cell_ids;
    const std::size_t cells = static_cast<std::size_t>(map.cells_x) * map.cells_y;
    if (cells == 0 || out.cell_start_.size() != cells + 1 || out.cell_start_.back() > out.cell_ids_.size())
        return fail("no_areals", "the areal grid is incomplete");
    for (std::size_t c = 0; c < cells; ++c)
        if (out.cell_start_[c] > out.cell_start_[c + 1]) return fail("no_areals", "the areal grid is not ordered");
    for (std::uint16_t id : out.cell_ids_)
        if (id >= count) return fail("no_areals", "the areal grid names a missing areal");
    return out;
}

const ArealEdge* ArealMap::edge(std::uint32_t from, std::uint32_t to) const {
    for (const ArealEdge& e : edges(from))
        if (e.to == to) return &e;
    return nullptr;
}

bool ArealMap::contains(std::uint32_t areal, float x, float y) const {
    const Box& b = boxes_[areal];
    if (x < b.x0 - kBorder || x > b.x1 + kBorder || y < b.y0 - kBorder || y > b.y1 + kBorder) return false;
    const auto poly = polygon(areal);
    bool inside = false;
    for (std::size_t i = 0, j = poly.size() - 1; i < poly.size(); j = i++) {
        const Vec2 a = poly[i], c = poly[j];
        if (on_segment({x, y}, a, c)) return true;
        if ((a.y > y) != (c.y > y) && x < (c.x - a.x) * (y - a.y) / (c.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

float ArealMap::plane_distance(std::uint32_t areal, float x, float y, float z) const {
    const Vec3 a = anchors_[areal], n = normals_[areal];
    float pz = a.z;
    if (abs_f(n.z) > 1e-6f) pz -= (n.x * (x - a.x) + n.y * (y - a.y)) / n.z;
    return abs_f(pz - z);
}

std::uint32_t ArealMap::cell_index(float value, float low, float span, std::uint32_t cells) {
    // The smallest k with value <= low + span * (k + 1) / cells, found by a guess and corrected.
    const auto upper = [&](std::int64_t k) {
        return low + span * static_cast<float>(k + 1) / static_cast<float>(cells);
    };
    std::int64_t k = std::clamp<std::int64_t>(floor_i64((value - low) / span * static_cast<float>(cells)), 0, cells - 1);
    while (k > 0 && value <= upper(k - 1)) --k;
    while (k + 1 < static_cast<std::int64_t>(cells) && value > upper(k)) ++k;
    return static_cast<std::uint32_t>(k);
}

std::optional<std::uint32_t> ArealMap::locate(float x, float y, float z) const {
    const std::uint32_t kx = cell_index(x, extent_.x0, extent_.x1 - extent_.x0, cells_x_);
    const std::uint32_t ky = cell_index(y, extent_.y0, extent_.y1 - extent_.y0, cells_y_);
    const std::size_t cell = static_cast<std::size_t>(kx) * cells_y_ + ky;
    std::optional<std::uint32_t> best;
    float best_distance = 0;
    for (std::uint32_t i = cell_start_[cell]; i < cell_start_[cell + 1]; ++i) {
        const std::uint32_t id = cell_ids_[i];
        if (!contains(id, x, y)) continue;
        const float d = plane_distance(id, x, y, z);
        if (!best || d < best_distance || (d == best_distance && id < *best)) best = id, best_distance = d;
    }
    return best ? best : locate_reference(x, y, z);
}

std::optional<std::uint32_t> ArealMap::locate_reference(float x, float y, float z) const {
    std::optional<std::uint32_t> best;
    float best_distance = 0;
    for (std::uint32_t id = 0; id < size(); ++id) {
        if (!contains(id, x, y)) continue;
        const float d = plane_distance(id, x, y, z);
        if (!best || d < best_distance) best = id, best_distance = d;
    }
    return best;
}

}  // namespace iron::navigation
