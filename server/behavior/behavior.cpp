#include "server/behavior/behavior.hpp"

#include <algorithm>

#include "server/behavior/orders.hpp"

namespace iron::behavior {

using world::EventKind;
using world::kNoSlot;
using world::Order;
using world::ResultCode;
using world::Tick;
using world::WorldState;

namespace {

constexpr std::uint32_t kArealPeriod = 5;    // ticks between look-ups of the areal (27)
constexpr std::uint32_t kDiagnosticMs = 1000;
constexpr std::uint32_t kFollowPeriod = 10;  // ticks between tests of a follower at rest
constexpr Tick kTurnTicks = 250;             // longest turn at the goal

Vec2 place(const WorldState& s, std::uint32_t slot) { return {s.bodies[slot].position.x, s.bodies[slot].position.y}; }

bool due(const WorldState& s, std::uint32_t slot, std::uint32_t period) {
    return (s.clock.tick + s.id(slot).index()) % period == 0;
}

void become_idle(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    b.state = State::idle;
    b.path = {};
    b.steered = false;
    b.returning = false;
    b.pushed_since = 0;
    b.idle_place = place(s, slot);
    b.progress_fails = 0;
    b.stuck_tries = 0;
}

void report_order(WorldState& s, std::uint32_t slot, EventKind kind, ResultCode code) {
    world::WorldEvent& e = s.event(kind, slot);
    e.order = static_cast<std::uint8_t>(s.brains[slot].orders.front().order);
    e.code = static_cast<std::uint8_t>(code);
}

void finish_order(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    report_order(s, slot, EventKind::order_done, ResultCode::ok);
    b.last_goal = b.goal;
    b.has_last_goal = true;
    b.orders.erase(b.orders.begin());
    become_idle(s, slot);
}

void fail_order(WorldState& s, std::uint32_t slot, ResultCode code) {
    Brain& b = s.brains[slot];
    if (b.has_order()) {
        report_order(s, slot, EventKind::order_failed, code);
        b.orders.erase(b.orders.begin());
    }
    become_idle(s, slot);
}

/// Reported once per object and second (DD-SIM-12).
void diagnose(WorldState& s, std::uint32_t slot, Diagnostic which) {
    static constexpr const char* kCodes[kDiagnostics] = {"BEH_UNREACHABLE", "BEH_NONWALKABLE_EXIT", "BEH_PATH_CYCLE"};
    const auto i = static_cast<std::size_t>(which);
    Tick& last = s.brains[slot].diagnostic_tick[i];
    if (last != 0 && s.clock.tick < last - 1 + kDiagnosticMs / s.clock.step_ms) return;
    last = s.clock.tick + 1;
    s.event(EventKind::diagnostic, slot).text = kCodes[i];
}

void become_stuck(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    b.state = State::stuck;
    b.stuck_until = s.clock.tick + s.rules.behavior.stuck_retry_ticks;
    b.path = {};
    b.steered = false;
}

navigation::LocalPathRules path_rules(const WorldState& s) {
    const auto& r = s.rules.pathfind;
    return {r.portals, r.min_points, r.step_dist, r.step_off_building};
}

/// The local path from where the unit is; false while the field is not there or the goal is unreachable.
enum class Built : std::uint8_t { yes, waiting, unreachable };
Built build_path(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const navigation::RouteField* field = s.routes.request(b.route, s.clock.tick);
    if (!field) return Built::waiting;
    if (!field->reaches(b.areal)) return Built::unreachable;
    b.path = navigation::build_local_path(s.areals, *field, s.obstacles, place(s, slot), b.areal, b.goal,
                                          s.bodies[slot].radius, path_rules(s));
    return b.path.count == 0 ? Built::unreachable : Built::yes;
}

void start_progress(WorldState& s, std::uint32_t slot) {
    s.brains[slot].progress_place = place(s, slot);
    s.brains[slot].progress_since = s.clock.tick;
}

/// State Plan: find the goal's areal, wait for the field, build the path.
void plan(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const auto give_up = [&](ResultCode code) {
        if (b.returning) become_idle(s, slot);
        else fail_order(s, slot, code);
    };
    if (b.areal == navigation::kNoAreal) {
        const Vec3 p = s.bodies[slot].position;
        b.areal = s.areals.locate(p.x, p.y, p.z).value_or(navigation::kNoAreal);
        if (b.areal == navigation::kNoAreal) {
            diagnose(s, slot, Diagnostic::unreachable);
            if (++b.stuck_tries > s.rules.behavior.stuck_tries) give_up(ResultCode::unreachable);
            else become_stuck(s, slot);
            return;
        }
    }
    const auto& pass = s.routes.passability(s.bodies[slot].mobility);
    if (!pass.walkable[b.areal]) {
        diagnose(s, slot, Diagnostic::nonwalkable_exit);
        if (++b.stuck_tries > s.rules.behavior.stuck_tries) give_up(ResultCode::unreachable);
        else become_stuck(s, slot);
        return;
    }
    const auto goal = s.areals.locate(b.goal.x, b.goal.y, s.surface.height_at(b.goal.x, b.goal.y).value_or(0));
    if (!goal) return give_up(ResultCode::unreachable);
    b.route = {*goal, s.routes.revision(), s.bodies[slot].mobility};
    switch (build_path(s, slot)) {
        case Built::waiting: return;
        case Built::unreachable: return give_up(ResultCode::unreachable);
        case Built::yes: break;
    }
    b.state = State::move;
    b.last_plan = s.clock.tick;
    b.replan = false;
    start_progress(s, slot);
}

void begin_plan(WorldState& s, std::uint32_t slot, Vec2 goal) {
    Brain& b = s.brains[slot];
    b.goal = goal;
    b.state = State::plan;
    b.progress_fails = 0;
    plan(s, slot);
}

/// Distance a follower keeps.
float follow_distance(const WorldState& s, std::uint32_t slot, std::uint32_t target) {
    const OrderItem& o = s.brains[slot].orders.front();
    if (o.distance > 0) return o.distance;
    return s.bodies[slot].radius + s.bodies[target].radius + s.rules.orders.follow_gap;
}

void follow_step(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const std::uint32_t target = s.find_active(b.orders.front().target);
    if (target == kNoSlot) return fail_order(s, slot, ResultCode::target_lost);
    const Vec2 to = place(s, target) - place(s, slot);
    const float keep = follow_distance(s, slot, target);
    if (b.state == State::idle) {
        // Hysteresis of one wu, so that a follower at rest does not tremble.
        if (due(s, slot, kFollowPeriod) && dot(to, to) > (keep + 1) * (keep + 1)) begin_plan(s, slot, place(s, target));
        return;
    }
    if (b.state != State::move) return;
    if (dot(to, to) <= keep * keep) {
        b.state = State::idle;
        b.path = {};
        b.steered = false;
        b.idle_place = place(s, slot);
        return;
    }
    const Vec2 moved = place(s, target) - b.goal;
    const float limit = s.rules.behavior.target_moved;
    if (dot(moved, moved) <= limit * limit) return;
    b.goal = place(s, target);
    const auto areal = s.areals.locate(b.goal.x, b.goal.y, s.bodies[target].position.z);
    if (areal && *areal != b.route.goal) b.replan = true;
    else if (b.path.reaches_goal) b.path.points[b.path.count - 1] = b.goal;
}

/// Next leg of a patrol: the points in order, then in reverse.
void next_leg(OrderItem& o) {
    if (o.points.size() < 2) return;
    if (!o.backwards && o.leg + 1u >= o.points.size()) o.backwards = true;
    else if (o.backwards && o.leg == 0) o.backwards = false;
    o.leg = static_cast<std::uint16_t>(o.backwards ? o.leg - 1 : o.leg + 1);
}

void start_order(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    OrderItem& o = b.orders.front();
    if (!o.started) {
        o.started = true;
        b.stuck_tries = 0;
        b.returning = false;
        report_order(s, slot, EventKind::order_started, ResultCode::ok);
    }
    switch (o.order) {
        case Order::move: begin_plan(s, slot, o.point); break;
        case Order::patrol: begin_plan(s, slot, o.points[o.leg] + o.offset); break;
        case Order::follow: break;
        case Order::hold_position: b.holds = true; break;
        default: finish_order(s, slot); break;
    }
}

/// Touching an own or allied idle unit that finished an order with the same goal and is nearer (DD-SIM-45).
bool arrived_by_contact(WorldState& s, std::uint32_t slot) {
    const Brain& b = s.brains[slot];
    const control::Body& body = s.bodies[slot];
    const auto& rule = s.rules.behavior;
    const Vec2 at = place(s, slot), to_goal = b.goal - at;
    const float range = rule.arrive_contact_radii * body.radius;
    if (dot(to_goal, to_goal) > range * range) return false;
    bool found = false;
    s.grid.near(at, body.radius + s.max_radius + rule.arrive_contact_gap, [&](std::uint32_t other) {
        if (found || other == slot || !s.is_active(other) || !s.friendly(slot, other)) return;
        const Brain& ob = s.brains[other];
        if (ob.state != State::idle || ob.has_order() || !ob.has_last_goal || !(ob.last_goal == b.goal)) return;
        const Vec2 between = place(s, other) - at, other_to_goal = b.goal - place(s, other);
        const float touch = body.radius + s.bodies[other].radius + rule.arrive_contact_gap;
        found = dot(between, between) <= touch * touch && dot(other_to_goal, other_to_goal) < dot(to_goal, to_goal);
    });
    return found;
}

void arrive(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    if (b.returning || !b.has_order()) return become_idle(s, slot);
    OrderItem& o = b.orders.front();
    if (o.order == Order::patrol) {
        b.stuck_tries = 0;
        next_leg(o);
        return begin_plan(s, slot, o.points[o.leg] + o.offset);
    }
    if (o.order == Order::follow) {
        b.state = State::idle;
        b.path = {};
        b.steered = false;
        return;
    }
    if (o.yaw_given && b.state != State::arrive) {
        b.state = State::arrive;
        b.arrive_until = s.clock.tick + kTurnTicks;
        b.heading = control::forward_of(o.yaw);
        b.want_speed = 0;
        b.steered = true;
        return;
    }
    finish_order(s, slot);
}

/// Every 3 s in Move: 0.5 wu of progress, else pass-through and a new plan; six failures: stuck.
void test_progress(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const auto& rule = s.rules.behavior;
    if (s.clock.tick - b.progress_since < rule.stuck_ticks) return;
    const Vec2 moved = place(s, slot) - b.progress_place;
    start_progress(s, slot);
    if (dot(moved, moved) >= rule.stuck_dist * rule.stuck_dist) {
        b.progress_fails = 0;
        return;
    }
    b.pass_until = s.clock.tick + s.rules.collision.pass_ticks;
    b.replan = true;
    if (++b.progress_fails >= rule.stuck_fails) {
        b.progress_fails = 0;
        become_stuck(s, slot);
    }
}

/// Where the unit is on its path: points it has passed are left behind.
void advance_path(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const Vec2 at = place(s, slot);
    const float near = std::max(2.0f, s.bodies[slot].radius);
    while (b.path.index + 1 < b.path.count) {
        const Vec2 p = b.path.points[b.path.index], next = b.path.points[b.path.index + 1];
        const Vec2 d = p - at;
        if (dot(d, d) >= near * near && dot(at - p, next - p) <= 0) break;
        ++b.path.index;
    }
}

/// Distance to the polyline of the remaining points, squared.
float off_path(const Brain& b, Vec2 at) {
    const std::uint8_t first = b.path.index > 0 ? static_cast<std::uint8_t>(b.path.index - 1) : std::uint8_t{0};
    Vec2 d = b.path.points[first] - at;
    float best = dot(d, d);
    for (std::uint8_t i = first; i + 1 < b.path.count && i < b.path.index + 4; ++i) {
        const Vec2 a = b.path.points[i], e = b.path.points[i + 1] - a;
        const float len2 = dot(e, e);
        const float t = len2 > 0 ? std::clamp(dot(at - a, e) / len2, 0.0f, 1.0f) : 0.0f;
        d = a + e * t - at;
        best = std::min(best, dot(d, d));
    }
    return best;
}

void move_step(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const control::Body& body = s.bodies[slot];
    const auto& rule = s.rules;
    const Vec2 at = place(s, slot);
    const Vec2 to_goal = b.goal - at;
    const float arrive_radius = std::max(rule.behavior.arrive_min, body.radius);
    if (dot(to_goal, to_goal) <= arrive_radius * arrive_radius) return arrive(s, slot);
    if (due(s, slot, rule.behavior.arrive_contact_ticks) && !b.returning && b.has_order() &&
        b.orders.front().order == Order::move && arrived_by_contact(s, slot))
        return finish_order(s, slot);
    test_progress(s, slot);
    if (b.state != State::move) return;
    advance_path(s, slot);

    bool rebuild = b.path.index + 1 >= b.path.count && !b.path.reaches_goal;
    if (due(s, slot, kArealPeriod)) {
        const auto areal = s.areals.locate(body.position.x, body.position.y, body.position.z);
        if (!areal && !b.off_mesh) {
            // Entered a place without areal: reported, and planned again from the last known areal.
            b.off_mesh = true;
            diagnose(s, slot, Diagnostic::unreachable);
            return become_stuck(s, slot);
        }
        if (areal) {
            b.off_mesh = false;
            rebuild = rebuild || *areal != b.areal;
            b.areal = *areal;
        }
        const float limit = 2 * rule.pathfind.corridor_radius;
        if (off_path(b, at) > limit * limit) b.replan = true;
    }
    if (b.route.revision != s.routes.revision()) b.replan = true;
    if (b.replan && s.clock.tick - b.last_plan >= rule.behavior.replan_ticks) {
        // The old path stays in use until the new field is there.
        const auto goal = s.areals.locate(b.goal.x, b.goal.y, s.surface.height_at(b.goal.x, b.goal.y).value_or(0));
        if (!goal) return fail_order(s, slot, ResultCode::unreachable);
        b.route = {*goal, s.routes.revision(), body.mobility};
        b.last_plan = s.clock.tick;
        b.replan = false;
        rebuild = true;
    }
    if (!rebuild) return;
    const navigation::LocalPath old = b.path;
    switch (build_path(s, slot)) {
        case Built::yes: break;
        case Built::waiting:
            b.path = old;
            b.replan = true;
            break;
        case Built::unreachable:
            if (b.returning) become_idle(s, slot);
            else fail_order(s, slot, ResultCode::unreachable);
            break;
    }
}

/// An idle unit that was pushed away goes back after a while (12).
void idle_step(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    const Vec2 away = place(s, slot) - b.idle_place;
    const float limit = s.rules.collision.return_radii * s.bodies[slot].radius;
    if (b.holds || dot(away, away) <= limit * limit) {
        b.pushed_since = 0;
        return;
    }
    if (b.pushed_since == 0) b.pushed_since = s.clock.tick;
    if (s.clock.tick - b.pushed_since < s.rules.collision.return_ticks) return;
    const Vec2 home = b.idle_place;
    b.pushed_since = 0;
    b.returning = true;
    begin_plan(s, slot, home);
    b.idle_place = home;
}

void update(WorldState& s, std::uint32_t slot) {
    Brain& b = s.brains[slot];
    if (b.has_order() && b.orders.front().started && b.orders.front().order == Order::follow &&
        (b.state == State::idle || b.state == State::move)) {
        follow_step(s, slot);
        if (b.state == State::idle) return;
    }
    switch (b.state) {
        case State::inactive: b.state = State::idle; break;
        case State::idle:
            if (b.has_order() && !b.orders.front().started) start_order(s, slot);
            else if (!b.has_order()) idle_step(s, slot);
            break;
        case State::plan: plan(s, slot); break;
        case State::move: move_step(s, slot); break;
        case State::arrive: {
            const float error = wrap_angle(b.orders.front().yaw - s.bodies[slot].orientation.z);
            if ((error < 0.05f && error > -0.05f) || s.clock.tick >= b.arrive_until) arrive(s, slot);
            break;
        }
        case State::stuck:
            if (s.clock.tick < b.stuck_until) break;
            if (++b.stuck_tries > s.rules.behavior.stuck_tries) {
                if (b.returning) become_idle(s, slot);
                else fail_order(s, slot, ResultCode::blocked);
                break;
            }
            b.state = State::plan;
            plan(s, slot);
            break;
        default: break;
    }
}

}  // namespace

void update_all(WorldState& s) {
    if (s.rules.lock_behaviour) return;
    for (std::uint32_t slot : s.mobiles)
        if (s.is_active(slot) && s.bodies[slot].life != 0) update(s, slot);
}

void report_blocked_steps(WorldState& s) {
    for (std::uint32_t slot : s.blocked_steps) diagnose(s, slot, Diagnostic::nonwalkable_exit);
    s.blocked_steps.clear();
}

void update_right_of_way(WorldState& s) {
    if (s.clock.tick % s.rules.wizard.order_ticks != 0) return;
    for (std::uint32_t slot : s.mobiles) {
        Brain& b = s.brains[slot];
        b.way_class = b.state == State::manual ? 0 : b.returning ? 2 : b.has_order() && !b.is_idle() ? 1 : 3;
        b.way_length = 0;
        if (b.state != State::move || b.path.count == 0) continue;
        const float left = length(b.path.points[b.path.index] - place(s, slot)) + b.path.remaining_from(b.path.index);
        b.way_length = static_cast<std::uint32_t>(std::clamp(floor_i64(left), std::int64_t{0}, std::int64_t{1'000'000}));
    }
}

bool goes_first(const WorldState& s, std::uint32_t a, std::uint32_t b) {
    const Brain &x = s.brains[a], &y = s.brains[b];
    if (x.way_class != y.way_class) return x.way_class < y.way_class;
    if (x.way_length != y.way_length) return x.way_length < y.way_length;
    return s.id(a) < s.id(b);
}

}  // namespace iron::behavior
