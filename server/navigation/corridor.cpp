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

/// The hull of an outline moved out by `grow`: at its corners a polygon of 16 sides around the circle, one side
/// facing each axis, so that straight walls keep exactly that distance.
std::vector<Vec2> grown_hull(const Obstacles& obstacles, const Outline& o, float grow) {
    constexpr float kScale = 1.01959116f;  // 1 / cos(11.25 deg)
    constexpr float kA = 0.98078528f * kScale, kB = 0.83146961f * kScale, kC = 0.55557023f * kScale, kD = 0.19509032f * kScale;
    static constexpr float kAround[16][2] = {{kA, kD},   {kB, kC},   {kC, kB},   {kD, kA},   {-kD, kA}, {-kC, kB},
                                             {-kB, kC},  {-kA, kD},  {-kA, -kD}, {-kB, -kC}, {-kC, -kB}, {-kD, -kA},
                                             {kD, -kA},  {kC, -kB},  {kB, -kC},  {kA, -kD}};
    std::vector<Vec2> corners;
    if (o.count == 0) {
        for (const auto& d : kAround) corners.push_back(o.centre + Vec2{d[0], d[1]} * (o.bound + grow));
    } else {
        for (Vec2 p : obstacles.points(o))
            for (const auto& d : kAround) corners.push_back(p + Vec2{d[0], d[1]} * grow);
    }
    return convex_hull(std::move(corners));
}

/// Edge of a counter-clockwise hull nearest to a point inside it; hull.size() for a point outside.
std::size_t holding_edge(const std::vector<Vec2>& hull, Vec2 p) {
    std::size_t best = hull.size();
    float best_distance = 0;
    for (std::size_t i = 0; i < hull.size(); ++i) {
        const Vec2 edge = hull[(i + 1) % hull.size()] - hull[i];
        const float len = length(edge);
        const float d = len > 1e-6f ? cross(edge, p - hull[i]) / len : 0.0f;
        if (d <= 0) return hull.size();
        if (best == hull.size() || d < best_distance) best = i, best_distance = d;
    }
    return best;
}

Vec2 onto_edge(const std::vector<Vec2>& hull, std::size_t i, Vec2 p) {
    const Vec2 a = hull[i], e = hull[(i + 1) % hull.size()] - a;
    const float len2 = dot(e, e);
    return a + e * (len2 > 0 ? std::clamp(dot(p - a, e) / len2, 0.0f, 1.0f) : 0.0f);
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

namespace {

/// One round of leading the line around hulls grown by `grow`; true when something changed.
bool lead_around(std::vector<Vec2>& line, const Obstacles& obstacles, float grow) {
    constexpr std::size_t kMaxPoints = 64;
    std::vector<std::uint32_t> near;
    std::vector<Vec2> next{line.front()};
    bool changed = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 a = line[i - 1], b = line[i];
        obstacles.near(a, b, grow, near);
        std::vector<Vec2> best_hull;
        float best_t = 2;
        std::size_t best_e0 = 0, best_e1 = 0;
        Vec2 best_a = a, best_b = b;
        for (std::uint32_t k : near) {
            const Outline& o = obstacles.all()[k];
            if (!o.building) continue;
            const auto hull = grown_hull(obstacles, o, grow);
            float t0, t1;
            std::size_t e0, e1;
            if (hull.size() < 3 || !clip(hull, a, b, t0, t1, e0, e1) || t0 >= best_t) continue;
            Vec2 from = a, to = b;
            // An end inside: out of the hull at the nearest edge first. The last point stays the goal.
            if (e0 == hull.size()) {
                e0 = holding_edge(hull, a);
                if (e0 == hull.size()) continue;
                from = onto_edge(hull, e0, a);
            }
            if (e1 == hull.size()) {
                e1 = holding_edge(hull, b);
                if (e1 == hull.size()) continue;
                to = onto_edge(hull, e1, b);
            }
            if (e0 == e1) continue;
            best_t = t0;
            best_hull = hull;
            best_e0 = e0;
            best_e1 = e1;
            best_a = from;
            best_b = to;
        }
        if (best_t <= 1 && line.size() + best_hull.size() < kMaxPoints) {
            for (Vec2 p : around(best_hull, best_a, best_b, best_e0, best_e1)) push_unique(next, p);
            changed = true;
        }
        push_unique(next, b);
    }
    line = std::move(next);
    return changed;
}

/// True when the line cuts a building. Its first and last point may lie inside one, if the line leaves or
/// enters through the side where they are.
bool cuts(const std::vector<Vec2>& line, const Obstacles& obstacles, float radius) {
    std::vector<std::uint32_t> near;
    for (std::size_t i = 1; i < line.size(); ++i) {
        obstacles.near(line[i - 1], line[i], radius, near);
        for (std::uint32_t k : near) {
            const Outline& o = obstacles.all()[k];
            if (!o.building) continue;
            const auto hull = grown_hull(obstacles, o, radius);
            float t0, t1;
            std::size_t e0, e1;
            if (hull.size() < 3 || !clip(hull, line[i - 1], line[i], t0, t1, e0, e1)) continue;
            const bool starts_inside = e0 == hull.size(), ends_inside = e1 == hull.size();
            if ((starts_inside && i > 1) || (ends_inside && i + 1 < line.size())) return true;
            if (starts_inside) e0 = holding_edge(hull, line[i - 1]);
            if (ends_inside) e1 = holding_edge(hull, line[i]);
            if (e0 != e1 && !(starts_inside && ends_inside)) return true;
        }
    }
    return false;
}

/// The part of a portal where the centre of a unit can be: the longest run of points with free space around
/// them. Ends that building outlines took away are marked.
struct FreePart {
    float t0 = 0, t1 = 1;
    bool cut0 = false, cut1 = false;
};
FreePart free_part(const Obstacles& obstacles, Vec2 a, Vec2 b, float radius) {
    FreePart out;
    std::vector<std::uint32_t> near;
    obstacles.near(a, b, radius, near);
    std::erase_if(near, [&](std::uint32_t i) { return !obstacles.all()[i].building; });
    if (near.empty()) return out;
    constexpr float kStep = 0.25f;
    const std::int32_t steps = std::clamp(floor_i32(length(b - a) / kStep) + 1, 1, 1024);
    std::int32_t run = -1, best_begin = -1, best_end = -1;
    for (std::int32_t s = 0; s <= steps + 1; ++s) {
        bool free = s <= steps;
        if (free) {
            const Vec2 p = a + (b - a) * (static_cast<float>(s) / static_cast<float>(steps));
            for (std::uint32_t i : near) free = free && obstacles.clearance(obstacles.all()[i], p).distance >= radius;
        }
        if (free && run < 0) run = s;
        if (free || run < 0) continue;
        if (best_begin < 0 || s - 1 - run > best_end - best_begin) best_begin = run, best_end = s - 1;
        run = -1;
    }
    if (best_begin < 0) return out;  // nothing free: the portal counts as it is
    out.cut0 = best_begin > 0;
    out.cut1 = best_end < steps;
    out.t0 = static_cast<float>(best_begin) / static_cast<float>(steps);
    out.t1 = static_cast<float>(best_end) / static_cast<float>(steps);
    return out;
}

/// A portal for the centre of a unit, with what buildings leave of it.
Portal usable_portal(const Obstacles& obstacles, Vec2 left, Vec2 right, float radius, float clearance) {
    const FreePart part = free_part(obstacles, left, right, radius);
    if (!part.cut0 && !part.cut1) return shrink_portal(left, right, radius, clearance);
    const Vec2 d = right - left;
    const Vec2 l = left + d * part.t0, r = left + d * part.t1;
    const float width = length(r - l);
    // Ends at a building keep their distance already.
    float in_l = part.cut0 ? clearance : radius + clearance, in_r = part.cut1 ? clearance : radius + clearance;
    if (width - in_l - in_r < 2 * radius) in_l = part.cut0 ? 0.0f : radius, in_r = part.cut1 ? 0.0f : radius;
    if (width - in_l - in_r < 0) {
        const Vec2 middle = (l + r) * 0.5f;
        return {middle, middle};
    }
    const Vec2 u = (r - l) * (1.0f / width);
    return {l + u * in_l, r - u * in_r};
}

}  // namespace

std::vector<Vec2> avoid_outlines(const std::vector<Vec2>& line, const Obstacles& obstacles, float radius,
                                 float clearance) {
    constexpr int kRounds = 8;
    constexpr float kMargin = 0.05f;  // wu, so that a unit on the line does not touch
    if (obstacles.empty() || !cuts(line, obstacles, radius)) return line;
    for (const float grow : {radius + clearance, radius + kMargin}) {
        std::vector<Vec2> out = line;
        for (int round = 0; round < kRounds && lead_around(out, obstacles, grow); ++round) {}
        // The wider way is given up where it leads through another building.
        if (grow == radius + kMargin || !cuts(out, obstacles, radius * 0.99f)) return out;
    }
    return line;
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
        portals.push_back(usable_portal(obstacles, left, right, radius, rules.clearance));
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
