#include "server/navigation/obstacles.hpp"

#include <algorithm>

namespace iron::navigation {

namespace {

constexpr float kCoverStep = 0.5f;  // wu between the tested points of a portal
constexpr std::int32_t kMaxCells = 1024;

Vec2 nearest_on_segment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 d = b - a;
    const float len2 = dot(d, d);
    const float t = len2 > 0 ? std::clamp(dot(p - a, d) / len2, 0.0f, 1.0f) : 0.0f;
    return a + d * t;
}

/// Smallest t >= 0 at which a point moving from `from` along `direction` enters the circle; -1 = never.
float enter_circle(Vec2 from, Vec2 direction, Vec2 centre, float radius) {
    const Vec2 m = from - centre;
    const float b = dot(m, direction), c = dot(m, m) - radius * radius;
    if (b >= 0) return -1;
    const float disc = b * b - c;
    if (disc < 0) return -1;
    const float t = -b - sqrt_f(disc);
    return t > 0 ? t : 0.0f;
}

}  // namespace

void Obstacles::clear() {
    outlines_.clear();
    points_.clear();
    cells_x_ = cells_y_ = 0;
    cell_start_.clear();
    cell_items_.clear();
}

void Obstacles::add_circle(world::ObjectId id, Vec2 centre, float radius, float z0, float z1, bool building) {
    outlines_.push_back({id, centre, radius, 0, 0, z0, z1, building});
}

void Obstacles::add_polygon(world::ObjectId id, std::span<const Vec2> points, float z0, float z1, bool building) {
    if (points.size() < 3) return;
    Outline o;
    o.id = id;
    o.first = static_cast<std::uint32_t>(points_.size());
    o.count = static_cast<std::uint32_t>(points.size());
    o.z0 = z0;
    o.z1 = z1;
    o.building = building;
    Vec2 low = points[0], high = points[0];
    for (Vec2 p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        points_.push_back(p);
    }
    o.centre = (low + high) * 0.5f;
    for (Vec2 p : points) o.bound = std::max(o.bound, length(p - o.centre));
    outlines_.push_back(o);
}

void Obstacles::finish(float cell_size) {
    std::stable_sort(outlines_.begin(), outlines_.end(), [](const Outline& a, const Outline& b) { return a.id < b.id; });
    if (outlines_.empty()) return;
    Vec2 low = outlines_[0].centre, high = low;
    for (const Outline& o : outlines_) {
        low = {std::min(low.x, o.centre.x - o.bound), std::min(low.y, o.centre.y - o.bound)};
        high = {std::max(high.x, o.centre.x + o.bound), std::max(high.y, o.centre.y + o.bound)};
    }
    low_ = low;
    cell_ = std::max(cell_size, std::max(high.x - low.x, high.y - low.y) / static_cast<float>(kMaxCells));
    cells_x_ = floor_i32((high.x - low.x) / cell_) + 1;
    cells_y_ = floor_i32((high.y - low.y) / cell_) + 1;
    const auto cells = static_cast<std::size_t>(cells_x_) * static_cast<std::size_t>(cells_y_);
    std::vector<std::uint32_t> fill(cells + 1, 0);
    const auto visit = [&](const Outline& o, auto&& action) {
        const std::int32_t x0 = std::clamp(floor_i32((o.centre.x - o.bound - low_.x) / cell_), 0, cells_x_ - 1);
        const std::int32_t x1 = std::clamp(floor_i32((o.centre.x + o.bound - low_.x) / cell_), 0, cells_x_ - 1);
        const std::int32_t y0 = std::clamp(floor_i32((o.centre.y - o.bound - low_.y) / cell_), 0, cells_y_ - 1);
        const std::int32_t y1 = std::clamp(floor_i32((o.centre.y + o.bound - low_.y) / cell_), 0, cells_y_ - 1);
        for (std::int32_t x = x0; x <= x1; ++x)
            for (std::int32_t y = y0; y <= y1; ++y)
                action(static_cast<std::size_t>(x) * static_cast<std::size_t>(cells_y_) + static_cast<std::size_t>(y));
    };
    for (const Outline& o : outlines_) visit(o, [&](std::size_t c) { ++fill[c + 1]; });
    for (std::size_t c = 0; c < cells; ++c) fill[c + 1] += fill[c];
    cell_start_ = fill;
    cell_items_.resize(fill[cells]);
    for (std::uint32_t i = 0; i < outlines_.size(); ++i)
        visit(outlines_[i], [&](std::size_t c) { cell_items_[fill[c]++] = i; });
}

Clearance Obstacles::clearance(const Outline& o, Vec2 p) const {
    Clearance out;
    if (o.count == 0) {
        const Vec2 d = p - o.centre;
        const float len = length(d);
        out.distance = len - o.bound;
        if (len > 1e-6f) out.normal = d * (1.0f / len);
        return out;
    }
    const auto poly = points(o);
    float best2 = 0;
    Vec2 nearest{}, edge{};
    bool inside = false, first = true;
    for (std::size_t i = 0, j = poly.size() - 1; i < poly.size(); j = i++) {
        const Vec2 q = nearest_on_segment(p, poly[j], poly[i]);
        const Vec2 d = p - q;
        const float d2 = dot(d, d);
        if (first || d2 < best2) best2 = d2, nearest = q, edge = poly[i] - poly[j];
        first = false;
        const Vec2 a = poly[i], c = poly[j];
        if ((a.y > p.y) != (c.y > p.y) && p.x < (c.x - a.x) * (p.y - a.y) / (c.y - a.y) + a.x) inside = !inside;
    }
    const float len = sqrt_f(best2);
    if (len > 1e-5f) {
        out.normal = (p - nearest) * ((inside ? -1.0f : 1.0f) / len);
    } else {
        // On the border: at right angles to the edge, away from the centre of the bounds.
        const float e = length(edge);
        Vec2 n = e > 1e-9f ? Vec2{edge.y / e, -edge.x / e} : Vec2{1, 0};
        if (dot(n, p - o.centre) < 0) n = n * -1.0f;
        out.normal = n;
    }
    out.distance = inside ? -len : len;
    return out;
}

void Obstacles::near(Vec2 a, Vec2 b, float reach, std::vector<std::uint32_t>& out) const {
    out.clear();
    if (outlines_.empty()) return;
    const float x0 = std::min(a.x, b.x) - reach, x1 = std::max(a.x, b.x) + reach;
    const float y0 = std::min(a.y, b.y) - reach, y1 = std::max(a.y, b.y) + reach;
    const std::int32_t cx0 = std::max(floor_i32((x0 - low_.x) / cell_), 0);
    const std::int32_t cx1 = std::min(floor_i32((x1 - low_.x) / cell_), cells_x_ - 1);
    const std::int32_t cy0 = std::max(floor_i32((y0 - low_.y) / cell_), 0);
    const std::int32_t cy1 = std::min(floor_i32((y1 - low_.y) / cell_), cells_y_ - 1);
    for (std::int32_t x = cx0; x <= cx1; ++x)
        for (std::int32_t y = cy0; y <= cy1; ++y) {
            const std::size_t c = static_cast<std::size_t>(x) * static_cast<std::size_t>(cells_y_) + static_cast<std::size_t>(y);
            for (std::uint32_t i = cell_start_[c]; i < cell_start_[c + 1]; ++i) {
                const Outline& o = outlines_[cell_items_[i]];
                if (o.centre.x + o.bound < x0 || o.centre.x - o.bound > x1 || o.centre.y + o.bound < y0 ||
                    o.centre.y - o.bound > y1)
                    continue;
                out.push_back(cell_items_[i]);
            }
        }
    if (out.size() > 1) {
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }
}

float Obstacles::cast_one(const Outline& o, Vec2 from, Vec2 direction, float length_wu, float radius) const {
    // Nothing within reach of the whole movement.
    const Vec2 to_centre = o.centre - from;
    const float along = std::clamp(dot(to_centre, direction), 0.0f, length_wu);
    const Vec2 off = to_centre - direction * along;
    const float reach = o.bound + radius;
    if (dot(off, off) > reach * reach) return length_wu;

    const Clearance now = clearance(o, from);
    if (now.distance < radius + 1e-3f) return dot(direction, now.normal) < -1e-3f ? 0.0f : length_wu;
    float best = length_wu;
    const auto consider = [&](float t) {
        if (t >= 0 && t < best) best = t;
    };
    if (o.count == 0) {
        consider(enter_circle(from, direction, o.centre, o.bound + radius));
        return best;
    }
    const auto poly = points(o);
    for (std::size_t i = 0, j = poly.size() - 1; i < poly.size(); j = i++) {
        consider(enter_circle(from, direction, poly[i], radius));
        const Vec2 edge = poly[i] - poly[j];
        const float len = length(edge);
        if (len < 1e-6f) continue;
        const Vec2 u = edge * (1.0f / len), n{u.y, -u.x};
        const float side = dot(from - poly[j], n), closing = dot(direction, n);
        // The line at `radius` on the side we come from.
        const float target = side > 0 ? radius : -radius;
        if ((side > 0) == (closing > 0) || closing == 0) continue;
        const float t = (target - side) / closing;
        if (t < 0) continue;
        const float s = dot(from + direction * t - poly[j], u);
        if (s >= 0 && s <= len) consider(t);
    }
    return best;
}

float Obstacles::cast_disc(std::span<const std::uint32_t> candidates, Vec2 from, Vec2 direction,
                           float length_wu, float radius) const {
    float best = length_wu;
    for (std::uint32_t i : candidates) best = std::min(best, cast_one(outlines_[i], from, direction, best, radius));
    return best;
}

bool Obstacles::is_free(Vec2 p, float radius, std::vector<std::uint32_t>& scratch) const {
    near(p, p, radius, scratch);
    for (std::uint32_t i : scratch)
        if (clearance(outlines_[i], p).distance < radius) return false;
    return true;
}

bool Obstacles::covers(Vec2 a, Vec2 b, float radius, std::vector<std::uint32_t>& scratch) const {
    near(a, b, radius, scratch);
    std::erase_if(scratch, [&](std::uint32_t i) { return !outlines_[i].building; });
    if (scratch.empty()) return false;
    const std::int32_t steps = std::clamp(floor_i32(length(b - a) / kCoverStep) + 1, 1, 4096);
    for (std::int32_t s = 0; s <= steps; ++s) {
        const Vec2 p = a + (b - a) * (static_cast<float>(s) / static_cast<float>(steps));
        const bool covered = std::any_of(scratch.begin(), scratch.end(), [&](std::uint32_t i) {
            return clearance(outlines_[i], p).distance <= radius;
        });
        if (!covered) return false;
    }
    return true;
}

}  // namespace iron::navigation
