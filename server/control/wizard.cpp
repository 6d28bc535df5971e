#include "server/control/wizard.hpp"

#include <algorithm>

#include "server/behavior/behavior.hpp"

namespace iron::control {

using behavior::Brain;
using behavior::State;
using world::WorldState;

namespace {

constexpr std::size_t kMaxNeighbours = 64;
constexpr float kPathRadius = 0.9f;  // of the unit: corners may be cut that far
constexpr float kPathSlack = 0.5f;   // wu

struct Neighbour {
    float d2 = 0;
    std::uint32_t slot = 0;
    world::ObjectId id;
};

struct Disc {
    Vec2 centre;
    float reach = 0;  ///< distance at which we touch
};

Vec2 place(const Body& b) { return {b.position.x, b.position.y}; }

/// Free length along a unit direction before a disc is touched; touching already stops only inward moves.
float cast_discs(const Disc* discs, std::size_t count, Vec2 from, Vec2 direction, float length) {
    float best = length;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 m = from - discs[i].centre;
        const float b = dot(m, direction), c = dot(m, m) - discs[i].reach * discs[i].reach;
        if (b >= 0) continue;
        if (c <= 0) return 0;
        const float disc = b * b - c;
        if (disc < 0) continue;
        best = std::min(best, std::max(0.0f, -b - sqrt_f(disc)));
    }
    return best;
}

/// The nearest objects around a unit, by squared distance, then id.
std::size_t nearest(const WorldState& s, std::uint32_t slot, Neighbour* out) {
    const Vec2 at = place(s.bodies[slot]);
    const float range = s.rules.wizard.near, range2 = range * range;
    const std::size_t limit = std::min<std::size_t>(s.rules.wizard.neighbours, kMaxNeighbours);
    std::size_t count = 0;
    s.grid.near(at, range, [&](std::uint32_t other) {
        if (other == slot) return;
        const Vec2 d = place(s.bodies[other]) - at;
        Neighbour n{dot(d, d), other, s.id(other)};
        if (n.d2 > range2) return;
        const auto before = [](const Neighbour& a, const Neighbour& b) { return a.d2 != b.d2 ? a.d2 < b.d2 : a.id < b.id; };
        if (count == limit) {
            if (limit == 0 || !before(n, out[count - 1])) return;
            --count;
        }
        std::size_t i = count++;
        for (; i > 0 && before(n, out[i - 1]); --i) out[i] = out[i - 1];
        out[i] = n;
    });
    return count;
}

bool stands_fast(const Brain& b) {
    return b.holds || b.state == State::dock || b.state == State::work;
}

/// True when the end of a heading lies outside the corridor by more than its radius.
bool leaves_corridor(const WorldState& s, const Brain& b, Vec2 end) {
    const float limit = 2 * s.rules.pathfind.corridor_radius;
    float best = limit * limit;
    const std::uint8_t first = b.path.index > 0 ? static_cast<std::uint8_t>(b.path.index - 1) : std::uint8_t{0};
    for (std::uint8_t i = first; i < b.path.count; ++i) {
        const Vec2 d = b.path.points[i] - end;
        if (dot(d, d) < best) return false;
    }
    return true;
}

void steer(WorldState& s, std::uint32_t slot, std::vector<std::uint32_t>& outlines) {
    Brain& b = s.brains[slot];
    Body& body = s.bodies[slot];
    const auto& rule = s.rules.wizard;
    const Vec2 at = place(body);

    // 1. The first point far enough away.
    const float near = std::max(2.0f, body.radius);
    Vec2 goal = b.path.points[b.path.count - 1];
    for (std::uint8_t i = b.path.index; i < b.path.count; ++i) {
        const Vec2 d = b.path.points[i] - at;
        if (dot(d, d) > near * near) {
            goal = b.path.points[i];
            break;
        }
    }
    Vec2 desired = goal - at;
    const float goal_distance = length(desired);
    if (goal_distance < 1e-4f) {
        b.want_speed = body.v_max;
        b.steered = true;
        return;
    }
    desired = desired * (1.0f / goal_distance);
    if (!s.rules.use_wizard) {
        b.heading = desired;
        b.want_speed = body.v_max;
        b.steered = true;
        return;
    }

    // 3. Neighbours: obstacles and leaders.
    Neighbour neighbours[kMaxNeighbours];
    const std::size_t count = nearest(s, slot, neighbours);
    Disc discs[kMaxNeighbours];
    std::size_t disc_count = 0;
    std::uint32_t leaders[kMaxNeighbours];
    std::size_t leader_count = 0;
    const bool passing = b.pass_until > s.clock.tick;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t other = neighbours[i].slot;
        const Brain& ob = s.brains[other];
        const Body& o = s.bodies[other];
        if (!s.is_active(other) || o.flyer != body.flyer) continue;
        const float sum = body.radius + o.radius;
        if (!s.friendly(slot, other)) {
            discs[disc_count++] = {place(o), sum};
            continue;
        }
        if (passing || ob.pass_until > s.clock.tick) continue;
        const bool oncoming = o.velocity.x * desired.x + o.velocity.y * desired.y < -rule.oncoming;
        if (stands_fast(ob) || oncoming) {
            discs[disc_count++] = {place(o), rule.soft * sum};
        } else if (!ob.is_idle() && behavior::goes_first(s, other, slot)) {
            leaders[leader_count++] = other;
        }
    }

    // 4. Headings, the straight one first.
    const float speed = body.speed < 0 ? -body.speed : body.speed;
    float look = std::clamp(rule.lookahead_s * speed, rule.min, rule.max);
    if (goal_distance > rule.min) look = std::min(look, goal_distance);
    if (body.flyer) outlines.clear();
    else s.obstacles.near(at, at, look + body.radius, outlines);
    // The path itself keeps clear of outlines: one in the way means that the unit was pushed off it.
    const float way = std::min(look, goal_distance);
    if (s.obstacles.cast_disc(outlines, at, desired, way, kPathRadius * body.radius) < way - kPathSlack) b.replan = true;
    Vec2 best_heading = desired;
    float best_free = -1;
    bool found = false;
    for (int round = 0; round < 2 && !found; ++round)
        for (std::size_t k = 0; k < rule.sin.size() && !found; ++k) {
            const Vec2 h{desired.x * rule.cos[k] - desired.y * rule.sin[k], desired.x * rule.sin[k] + desired.y * rule.cos[k]};
            // 7. Headings that leave the corridor come after all others.
            const bool outside = k > 0 && leaves_corridor(s, b, at + h * look);
            if (outside != (round == 1)) continue;
            float free = s.obstacles.cast_disc(outlines, at, h, look, body.radius);
            free = cast_discs(discs, disc_count, at, h, free);
            if (best_free < 0 || free > best_free + rule.better) best_heading = h, best_free = free;
            found = free >= look;
            if (found) best_heading = h, best_free = free;
        }

    // 5. Speed.
    float want = body.v_max;
    if (!found) want = std::min(want, sqrt_f(4 * body.accel * std::max(best_free, 0.0f)));
    for (std::size_t i = 0; i < leader_count; ++i) {
        const Body& o = s.bodies[leaders[i]];
        const Vec2 d = place(o) - at;
        const float ahead = dot(d, best_heading), sum = body.radius + o.radius;
        const float side = cross(best_heading, d);
        if (ahead <= 0 || (side < 0 ? -side : side) >= rule.lead_side * sum) continue;
        const float gap = length(d) - rule.soft * sum;
        const float along = o.velocity.x * best_heading.x + o.velocity.y * best_heading.y;
        want = std::min(want, std::max(0.0f, along) + sqrt_f(2 * body.accel * std::max(0.0f, gap - rule.lead_gap)));
    }
    b.heading = best_heading;
    b.want_speed = want;
    b.steered = true;
}

}  // namespace

void steer_all(WorldState& s) {
    for (std::uint32_t slot : s.mobiles) {
        Brain& b = s.brains[slot];
        if (b.state != State::move || b.path.count == 0 || !s.is_active(slot)) continue;
        const bool due = (s.clock.tick + s.id(slot).index()) % s.rules.wizard.period_ticks == 0;
        if (due || !b.steered) steer(s, slot, s.scratch);
        const Body& body = s.bodies[slot];
        const float v2 = body.velocity.x * body.velocity.x + body.velocity.y * body.velocity.y;
        const float limit = s.rules.wizard.blocked_speed;
        if (v2 >= limit * limit) {
            b.blocked_ticks = 0;
        } else if (++b.blocked_ticks >= s.rules.wizard.blocked_ticks) {
            b.blocked_ticks = 0;
            b.replan = true;
        }
    }
}

}  // namespace iron::control
