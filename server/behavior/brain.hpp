// The deciding side of a unit: orders, state, path, wizard output.
// Source: simulation.md 7.3, 8, 9, 22; BEHAVIOR block of runtime.md 13.
#pragma once

#include <cstdint>
#include <vector>

#include "server/control/body.hpp"
#include "server/navigation/corridor.hpp"
#include "server/world/ids.hpp"
#include "server/world/input.hpp"

namespace iron::behavior {

/// DD-SIM-13.
enum class State : std::uint8_t {
    inactive, idle, plan, move, arrive, combat, work, dock, manual, stuck, disabled, dead
};

/// One accepted order of one unit.
struct OrderItem {
    world::Order order = world::Order::stop;
    bool started = false;
    bool yaw_given = false;
    world::ObjectId target;
    Vec2 point;            ///< goal, wu
    Vec2 offset;           ///< formation offset relative to each point
    float yaw = 0;         ///< rad
    float distance = 0;    ///< follow: wanted distance, wu
    float speed_cap = 0;   ///< keep together: wu/s, 0 = none
    std::vector<Vec2> points;  ///< patrol
    std::uint16_t leg = 0;     ///< patrol: current point
    bool backwards = false;    ///< patrol: on the way back
    bool operator==(const OrderItem&) const = default;
};

/// Diagnostics of simulation.md 7.2 that can occur while running.
enum class Diagnostic : std::uint8_t { unreachable, nonwalkable_exit, path_cycle };
inline constexpr std::size_t kDiagnostics = 3;

struct Brain {
    State state = State::inactive;
    std::uint8_t stance = 2;
    std::uint8_t auto_retreat = 0;
    bool holds = false;                ///< hold position
    std::vector<OrderItem> orders;     ///< front = current
    world::ObjectId target;

    std::uint32_t areal = navigation::kNoAreal;  ///< last areal the unit was in
    bool off_mesh = false;             ///< the last look-up was a miss
    Vec2 goal;                         ///< where the current path leads
    navigation::RouteKey route;        ///< field of the current path
    navigation::LocalPath path;
    bool returning = false;            ///< back to idle_place after stepping aside
    world::Tick last_plan = 0;
    bool replan = false;               ///< requested, waits for the interval

    Vec2 heading{0, 1};                ///< wizard output, unit vector
    float want_speed = 0;              ///< wizard output, wu/s
    bool steered = false;              ///< heading and speed are valid
    std::uint16_t blocked_ticks = 0;   ///< below the blocked speed
    std::uint8_t way_class = 3;        ///< right of way: class and remaining whole wu
    std::uint32_t way_length = 0;

    Vec2 progress_place;
    world::Tick progress_since = 0;
    std::uint8_t progress_fails = 0;
    std::uint8_t stuck_tries = 0;
    world::Tick stuck_until = 0;
    world::Tick pass_until = 0;        ///< pass-through while tick < pass_until
    world::Tick arrive_until = 0;

    Vec2 idle_place;
    world::Tick pushed_since = 0;      ///< 0 = not pushed away
    Vec2 last_goal;                    ///< of the last finished order
    bool has_last_goal = false;
    world::Tick diagnostic_tick[kDiagnostics] = {0, 0, 0};  ///< last report + 1

    control::Manual manual;

    bool has_order() const { return !orders.empty(); }
    bool is_idle() const { return state == State::idle || state == State::inactive; }
};

}  // namespace iron::behavior
