#include "server/control/motion.hpp"

#include <algorithm>

namespace iron::control {

using behavior::Brain;
using behavior::State;
using world::WorldState;

namespace {

constexpr float kTurnOnSpot = 60.0f * (kPi / 180.0f);
constexpr float kTurnSlow = 20.0f * (kPi / 180.0f);
constexpr std::uint32_t kManualHoldMs = 240;  // the last stick position holds that long (net-messages.md 9)

float abs_f(float v) { return v < 0 ? -v : v; }

void turn_by(Body& b, float dyaw, float dt) {
    b.turn_speed = std::clamp(dyaw / dt, -b.turn_max, b.turn_max);
    if (b.turn_speed == 0) return;
    b.orientation.z = wrap_angle(b.orientation.z + b.turn_speed * dt);
    b.forward = forward_of(b.orientation.z);
}

void approach(float& value, float want, float up, float down) {
    const float delta = want - value;
    value += std::clamp(delta, -down, up);
}

/// 1 up to half of the maximum when climbing: by the slope of the last accepted step.
float slope_factor(const Body& b) {
    if (b.velocity.z <= 0) return 1;
    const float len = length(b.velocity);
    return len > 1e-4f ? 1 - 0.5f * (b.velocity.z / len) : 1.0f;
}

void drive(const WorldState& s, std::uint32_t slot, Body& b, Brain& brain) {
    const float dt = s.rules.dt;
    float v_max = b.v_max;
    float want = 0, dyaw = 0;
    const bool moving = brain.state == State::move && brain.steered;
    if (moving || (brain.state == State::arrive && brain.steered)) {
        const float sine = cross(b.forward, brain.heading), cosine = dot(b.forward, brain.heading);
        dyaw = det_atan2(sine, cosine);
    }
    if (moving) {
        if (brain.has_order() && brain.orders.front().speed_cap > 0) v_max = std::min(v_max, brain.orders.front().speed_cap);
        want = std::min(brain.want_speed, v_max);
        const float turn = abs_f(dyaw);
        if (!b.flyer && turn > kTurnOnSpot) want = 0;
        else if (turn > kTurnSlow) want *= 0.5f;
        const Vec2 at{b.position.x, b.position.y};
        const float left = length(brain.path.points[brain.path.index] - at) + brain.path.remaining_from(brain.path.index);
        want = std::min(want, sqrt_f(2 * b.accel * left));
        want = std::min(want, v_max * slope_factor(b));
    }
    turn_by(b, dyaw, dt);
    approach(b.speed, want, b.accel * dt, 2 * b.accel * dt);
    approach(b.strafe, 0, b.accel * dt, 2 * b.accel * dt);
    (void)slot;
}

void drive_manual(const WorldState& s, Body& b, Brain& brain) {
    const float dt = s.rules.dt;
    const Manual& m = brain.manual;
    const bool fresh = m.since != 0 && s.clock.tick - m.since < kManualHoldMs / s.clock.step_ms;
    const auto axis = [&](std::int8_t v) { return fresh ? static_cast<float>(std::max<int>(v, -127)) / 127.0f : 0.0f; };
    const bool brake = fresh && (m.buttons & 0x100u) != 0;
    turn_by(b, axis(m.turn) * b.turn_max * dt, dt);
    const float v_max = b.v_max * slope_factor(b);
    float forward = axis(m.move_y), side = b.role == Role::hero ? axis(m.move_x) : 0.0f;
    const float len = sqrt_f(forward * forward + side * side);
    if (len > 1) forward /= len, side /= len;
    approach(b.speed, brake ? 0.0f : forward * v_max, b.accel * dt, 2 * b.accel * dt);
    approach(b.strafe, brake ? 0.0f : side * v_max, b.accel * dt, 2 * b.accel * dt);
}

/// Renews the tilt the body smooths toward: four samples at half a radius (13.4).
void sample_tilt(const WorldState& s, Body& b) {
    const float h = 0.5f * b.radius;
    const Vec2 right{b.forward.y, -b.forward.x};
    const auto height = [&](Vec2 d) {
        return s.surface.height_at(b.position.x + d.x * h, b.position.y + d.y * h).value_or(b.position.z);
    };
    const float along_x = (height(right) - height(right * -1.0f)) / (2 * h);
    const float along_y = (height(b.forward) - height(b.forward * -1.0f)) / (2 * h);
    Vec2 tilt = tilt_of(along_x, along_y);
    if (b.tilt_limit.x > 0) tilt.x = std::clamp(tilt.x, -b.tilt_limit.x, b.tilt_limit.x);
    if (b.tilt_limit.y > 0) tilt.y = std::clamp(tilt.y, -b.tilt_limit.y, b.tilt_limit.y);
    b.tilt_goal = tilt;
}

/// Height over everything below a flyer (13.5).
float flight_height(const WorldState& s, const Body& b) {
    static constexpr float kProbe[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.7f, 0.7f}, {-0.7f, 0.7f}, {0.7f, -0.7f}, {-0.7f, -0.7f}};
    const float r = s.rules.terrain.fly_probe;
    float top = s.surface.height_at(b.position.x, b.position.y).value_or(b.position.z - s.rules.terrain.fly_height);
    for (const auto& p : kProbe)
        if (const auto z = s.surface.height_at(b.position.x + p[0] * r, b.position.y + p[1] * r)) top = std::max(top, *z);
    return top + s.rules.terrain.fly_height;
}

/// False when the step is refused: no ground, or a step too high for the slope limit.
bool follow_ground(const WorldState& s, Body& b) {
    if (b.flyer) {
        const float limit = s.rules.terrain.fly_vspeed * s.rules.dt;
        b.position.z += std::clamp(flight_height(s, b) - b.position.z, -limit, limit);
        return true;
    }
    const auto z = s.surface.height_at(b.position.x, b.position.y);
    if (!z) return false;
    const float dx = b.position.x - b.previous.x, dy = b.position.y - b.previous.y;
    const float dxy = sqrt_f(dx * dx + dy * dy);
    if (abs_f(*z - b.previous.z) > s.rules.terrain.step_up + dxy * b.slope_tan) return false;
    b.position.z = *z;
    return true;
}

}  // namespace

Vec2 tilt_of(float slope_x, float slope_y) {
    return {det_atan2(slope_y, sqrt_f(1 + slope_x * slope_x)), det_atan2(-slope_x, 1)};
}

void propose_all(WorldState& s) {
    for (std::uint32_t slot : s.mobiles) {
        Body& b = s.bodies[slot];
        b.previous = b.position;
        b.moved = false;
        if (!s.is_active(slot)) continue;
        Brain& brain = s.brains[slot];
        if (brain.state == State::manual) drive_manual(s, b, brain);
        else drive(s, slot, b, brain);
        if (b.speed == 0 && b.strafe == 0) continue;
        const Vec2 right{b.forward.y, -b.forward.x};
        const Vec2 step = (b.forward * b.speed + right * b.strafe) * s.rules.dt;
        b.position.x += step.x;
        b.position.y += step.y;
        b.moved = true;
    }
}

void settle_all(WorldState& s) {
    const float dt = s.rules.dt;
    const float smooth = std::min(1.0f, dt / s.rules.terrain.align_s);
    for (std::uint32_t slot : s.mobiles) {
        Body& b = s.bodies[slot];
        if (!s.is_active(slot)) continue;
        if ((b.moved || b.flyer) && !follow_ground(s, b)) {
            b.position = b.previous;
            b.speed = 0;
            b.strafe = 0;
            s.blocked_steps.push_back(slot);
        }
        if (b.role != Role::hero && !b.flyer) {
            const bool due = (s.clock.tick + s.id(slot).index()) % s.rules.terrain.align_ticks == 0;
            if (due && (b.moved || b.turn_speed != 0 || s.clock.tick <= s.rules.terrain.align_ticks)) sample_tilt(s, b);
            b.orientation.x += (b.tilt_goal.x - b.orientation.x) * smooth;
            b.orientation.y += (b.tilt_goal.y - b.orientation.y) * smooth;
        }
        if (!b.moved && !b.flyer) {
            b.velocity = {};
            continue;
        }
        b.velocity = (b.position - b.previous) * (1.0f / dt);
        // Rubbing along a neighbour does not stop a unit at once.
        const float forward = b.velocity.x * b.forward.x + b.velocity.y * b.forward.y;
        if (b.speed > 0 && forward < b.speed) b.speed -= std::min(b.speed - std::max(forward, 0.0f), s.rules.collision.slow_per_tick);
        if (b.speed < 0 && forward > b.speed) b.speed += std::min(std::min(forward, 0.0f) - b.speed, s.rules.collision.slow_per_tick);
    }
}

}  // namespace iron::control
