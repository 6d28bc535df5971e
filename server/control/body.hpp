// The physical side of an object: transform, motion, limits, shape, life.
// Source: simulation.md 10, 11, 12; runtime.md 8.3.
#pragma once

#include <cstdint>
#include <vector>

#include "server/world/ids.hpp"
#include "shared/base/math.hpp"

namespace iron::control {

/// What an object is, by scheme type and mission kind (simulation.md 3.1, 3.3).
enum class Role : std::uint8_t {
    none, hero, battle, builder, transport, hq, animal,
    bunker_small, bunker_medium, bunker_large, generator, mine, storage, plant, hangar, teleport,
    institute, tower_medium, tower_large, bridge, ruin, building, tree, stone, other
};
constexpr bool is_mobile(Role r) { return r >= Role::hero && r <= Role::animal; }
constexpr bool is_building(Role r) { return r >= Role::bunker_small && r <= Role::building; }

enum class Size : std::uint8_t { small, medium, large };

/// Local frame: forward = +Y (DD-SIM-02); one function, so that it can be replaced.
inline Vec2 forward_of(float yaw) { return {-det_sin(yaw), det_cos(yaw)}; }
/// The yaw whose forward axis is `direction` (any length but zero).
inline float yaw_of(Vec2 direction) { return det_atan2(-direction.x, direction.y); }

struct Body {
    // State (OBJECTS block).
    Vec3 position;     ///< wu
    Vec3 orientation;  ///< Euler angles, rad; z is the yaw
    Vec3 scale{1, 1, 1};
    Vec3 velocity;     ///< wu/s, from the accepted displacement of the last tick
    float speed = 0;   ///< wu/s along the forward axis, signed
    float strafe = 0;  ///< wu/s along the right axis, manual driving only
    float turn_speed = 0;  ///< rad/s
    Vec2 forward{0, 1};    ///< derived from the yaw

    // State (CONTROL block).
    Vec2 tilt_goal;  ///< rad about X and Y, renewed every few ticks
    std::uint32_t life = 0, life_max = 0;      ///< milli-life, sums over the pieces
    std::vector<std::uint32_t> pieces, pieces_max;  ///< milli-life per NDP piece; may be empty
    std::uint32_t invulnerable = 0;

    // Limits, fixed at assembly.
    float v_max = 0, accel = 0, turn_max = 0;  ///< wu/s, wu/s2, rad/s
    float radius = 0, height = 0;              ///< wu
    float slope_tan = 1, slope_cos = 0.7f;     ///< of the slope limit
    Vec2 tilt_limit;                           ///< rad, 0 = no limit
    std::uint16_t mobility = 0;                ///< mobility class of the route fields
    Role role = Role::none;
    Size size = Size::medium;
    bool mobile = false;
    bool flyer = false;

    // Of the running tick only.
    Vec3 previous;
    bool moved = false;
};

/// Held stick of a driven object (net-messages.md 9).
struct Manual {
    std::int8_t move_x = 0, move_y = 0, turn = 0;
    std::int16_t aim_yaw = 0, aim_pitch = 0;
    std::uint32_t buttons = 0;
    world::ObjectId target;
    world::Tick since = 0;  ///< tick of the last input
    bool operator==(const Manual&) const = default;
};

}  // namespace iron::control
