#include "server/navigation/corridor.hpp"

#include <algorithm>

namespace iron::navigation {

namespace {

bool same(Vec2 a, Vec2 b) {
    const Vec2 d = a - b;
    return dot(d, d) < 1e-6f;
}

void push_unique(std::vector<Vec2>& line, Vec2 p) {
    if (line.empty() || !same(line.back(), p)) line.push_back(p);
}

/// Counter-clockwise convex hull (monotone chain; the order of equal points cannot matter).
std::vector<Vec2> convex_hull(std::vector<Vec2> p) {
    std::sort(p.begin(), p.end(), [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    p.erase(std::unique(p.begin(), p.end()), p.end());
    if (p.size() < 3) return p;
    std::vector<Vec2> h(2 * p.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        while (k >= 2 && cross(h[k - 1] - h[k - 2], p[i] - h[k - 2]) <= 0) --k;
        h[k++] = p[i];
    }
    for (std::size_t i = p.size() - 1, low = k + 1; i-- > 0;) {
        while (k >= low && cross(h[k - 1] - h[k - 2], p[i] - h[k - 2]) <= 0) --k;
        h[k++] = p[i];
    }
    h.resize(k - 1);
    return h;
}

/// The hull of an outline moved out by `grow` at its corners.
std::vector<Vec2> grown_hull(const Obstacles& obstacles, const Outline& o, float grow) {
    static constexpr float kOct[8][2] = {{1, 0}, {0.70710678f, 0.70710678f}, {0, 1}, {-0.70710678f, 0.70710678f},
                                         {-1, 0}, {-0.70710678f, -0.70710678f}, {0, -1}, {0.70710678f, -0.70710678f}};
    std::vector<Vec2> corners;
    // An octagon around a circle of radius r touches it when its corners are at r / cos(22.5 deg).
    constexpr float kOctScale = 1.08239220f;
    if (o.count == 0) {
        for (auto& d : kOct) corners.push_back(o.centre + Vec2{d[0], d[1]} * ((o.bound + grow) * kOctScale));
    } else {
        for (Vec2 p : obstacles.points(o))
            for (auto& d : kOct) corners.push_back(p + Vec2{d[0], d[1]} * (grow * kOctScale));
    }
    return convex_hull(std::move(corners));
}

/// Clips the segment against a counter-clockwise convex polygon; false = no inner part.
bool clip(const std::vector<Vec2>& hull, Vec2 a, Vec2 b, float& t0, float& t1, std::size_t& e0, std::size_t& e1) {
    t0 = 0, t1 = 1;
    e0 = e1 = hull.size();
    const Vec2 d = b - a;
    for (std::size_t i = 0; i < hull.size(); ++i) {
        const Vec2 p = hull[i], edge = hull[(i + 1) % hull.size()] - p;
        const float dist = cross(edge, a - p), slope = cross(edge, d);  // inside: >= 0
        if (slope == 0) {
            if (dist < 0) return false;
            continue;
        }
        const float t = -dist / slope;
        if (slope > 0) {
            if (t > t0) t0 = t, e0 = i;
        } else if (t < t1) {
            t1 = t, e1 = i;
        }
    }
    return t0 < t1 - 1e-5f;
}

float polyline_length(const std::vector<Vec2>& line) {
    float sum = 0;
    for (std::size_t i = 1; i < line.size(); ++i) sum += length(line[i] - line[i - 1]);
    return sum;
}

/// One segment around one hull, entering at edge e0 and leaving at edge e1, the shorter way.
std::vector<Vec2> around(const std::vector<Vec2>& hull, Vec2 a, Vec2 b, std::size_t e0, std::size_t e1) {
    const std::size_t n = hull.size();
    std::vector<Vec2> left{a}, right{a};
    for (std::size_t i = (e0 + 1) % n;; i = (i + 1) % n) {  // counter-clockwise: hull on the left
        left.push_back(hull[i]);
        if (i == e1) break;
    }
    for (std::size_t i = e0;; i = (i + n - 1) % n) {
        right.push_back(hull[i]);
        if (i == (e1 + 1) % n) break;
    }
    left.push_back(b);
    right.push_back(b);
    return polyline_length(left) < polyline_length(right) ? left : right;
}

}  // namespace

Portal shrink_portal(Vec2 left, Vec2 right, float radius, float clearance) {
    const Vec2 d = right - left;
    const float width = length(d);
    if (width < 2 * radius || width < 1e-6f) {
        const Vec2 middle = (left + right) * 0.5f;
        return {middle, middle};
    }
    float inset = radius + clearance;
    if (width - 2 * inset < 2 * radius) inset = radius;
    const Vec2 step = d * (inset / width);
    return {left + step, right - step};
}

std::vector<Vec2> pull_string(Vec2 start, const std::vector<Portal>& portals, Vec2 goal) {
    std::vector<Vec2> line{start};
    Vec2 apex = start, left = start, right = start;
    std::size_t left_i = 0, right_i = 0;
    bool open = false;  // a funnel is spanned
    for (std::size_t i = 0; i <= portals.size();) {
        const Vec2 pl = i < portals.size() ? portals[i].left : goal;
        const Vec2 pr = i < portals.size() ? portals[i].right : goal;
        if (!open) {
            left = pl, right = pr, left_i = right_i = i, open = true;
            ++i;
            continue;
        }
        // Right side: turn inward?
        if (cross(right - apex, pr - apex) >= 0) {
            if (same(apex, right) || cross(left - apex, pr - apex) <= 0) {
                right = pr, right_i = i;
            } else {
                push_unique(line, left);
                apex = left;
                i = left_i + 1;
                open = false;
                continue;
            }
        }
        if (cross(left - apex, pl - apex) <= 0) {
            if (same(apex, left) || cross(right - apex, pl - apex) >= 0) {
                left = pl, left_i = i;
            } else {
                push_unique(line, right);
                apex = right;
                i = right_i + 1;
                open = false;
                continue;
            }
        }
        ++i;
    }
    push_unique(line, goal);
    return line;
}

std::vector<Vec2> avoid_outlines(const std::vector<Vec2>& line, const Obstacles& obstacles, float radius,
                                 float clearance) {
    constexpr std::size_t kRounds = 8, kMaxPoints = 64;
    std::vector<Vec2> now = line;
    std::vector<std::uint32_t> near;
    for (std::size_t round = 0; round < kRounds; ++round) {
        bool changed = false;
        std::vector<Vec2> next{now.front()};
        for (std::size_t i = 1; i < now.size(); ++i) {
            const Vec2 a = now[i - 1], b = now[i];
            obstacles.near(a, b, radius, near);
            // The outline the segment meets first.
            std::vector<Vec2> best_hull;
            float best_t = 2;
            std::size_t best_e0 = 0, best_e1 = 0;
            for (std::uint32_t k : near) {
                const Outline& o = obstacles.all()[k];
                if (!o.building) continue;
                const auto tight = grown_hull(obstacles, o, radius * 0.9f);
                float t0, t1;
                std::size_t e0, e1;
                if (tight.size() < 3 || !clip(tight, a, b, t0, t1, e0, e1)) continue;
                // A line that begins or ends inside has nothing to go around.
                if (e0 == tight.size() || e1 == tight.size() || t0 >= best_t) continue;
                auto wide = grown_hull(obstacles, o, radius + clearance);
                if (!clip(wide, a, b, t0, t1, e0, e1) || e0 == wide.size() || e1 == wide.size()) {
                    wide = tight;
                    clip(wide, a, b, t0, t1, e0, e1);
                }
                best_t = t0;
                best_hull = std::move(wide);
                best_e0 = e0;
                best_e1 = e1;
            }
            if (best_t < 1 && now.size() + best_hull.size() < kMaxPoints) {
                const auto detour = around(best_hull, a, b, best_e0, best_e1);
                for (std::size_t k = 1; k < detour.size(); ++k) push_unique(next, detour[k]);
                changed = true;
            } else {
                push_unique(next, b);
            }
        }
        now = std::move(next);
        if (!changed) break;
    }
    return now;
}

float LocalPath::remaining_from(std::uint8_t i) const {
    float sum = tail;
    for (std::uint8_t k = i; k + 1 < count; ++k) sum += length(points[k + 1] - points[k]);
    return sum;
}

LocalPath build_local_path(const ArealMap& map, const RouteField& field, const Obstacles& obstacles, Vec2 start,
                           std::uint32_t areal, Vec2 goal, float radius, const LocalPathRules& rules) {
    LocalPath out;
    if (areal >= map.size() || !field.reaches(areal)) return out;
    std::vector<Portal> portals;
    std::uint32_t at = areal;
    while (portals.size() < rules.portals && field.next[at] != at) {
        const std::uint32_t to = field.next[at];
        // The field leads from neighbour to areal, so the edge is looked up from this side; a map with
        // one-sided links is read from the other one.
        // On the way out of a counter-clockwise areal the end of the edge is on the left.
        Vec2 left{}, right{};
        if (const ArealEdge* e = map.edge(at, to)) {
            left = e->b, right = e->a;
        } else if (const ArealEdge* r = map.edge(to, at)) {
            left = r->a, right = r->b;
        } else {
            break;
        }
        portals.push_back(shrink_portal(left, right, radius, rules.clearance));
        at = to;
    }
    out.reaches_goal = field.next[at] == at;
    Vec2 end = goal;
    if (!out.reaches_goal) {
        end = (portals.back().left + portals.back().right) * 0.5f;
        portals.pop_back();
        out.tail = static_cast<float>(field.cost[at]) / 100.0f;
    }
    const std::vector<Vec2> line = avoid_outlines(pull_string(start, portals, end), obstacles, radius, rules.clearance);

    // Points every step_dist, the corners kept; few segments are divided further.
    const float total = polyline_length(line);
    const float step = std::min(rules.step_dist, std::max(total / static_cast<float>(rules.min_points), 0.01f));
    float beyond = 0;  // length that did not fit
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 d = line[i] - line[i - 1];
        const float len = length(d);
        const std::int32_t parts = std::clamp(floor_i32(len / step + 0.999f), 1, 4096);
        for (std::int32_t k = 1; k <= parts; ++k) {
            if (out.count == kLocalPoints) {
                beyond += len / static_cast<float>(parts);
                continue;
            }
            out.points[out.count++] = k == parts ? line[i] : line[i - 1] + d * (static_cast<float>(k) / static_cast<float>(parts));
        }
    }
    if (out.count == 0) out.points[out.count++] = end;
    if (beyond > 0) {
        out.reaches_goal = false;
        out.tail += beyond;
    }
    return out;
}

}  // namespace iron::navigation
