// The physical step: turning, accelerating, the candidate position, the ground.
// Source: simulation.md 11 (DD-SIM-25), 13 (DD-SIM-27).
#pragma once

#include "server/world/world_state.hpp"

namespace iron::control {

/// Steps 1 to 7 of 11 for every mobile, in registration order: yaw, speed, candidate position.
void propose_all(world::WorldState& state);

/// 13 and step 9 of 11: height, step limit, tilt, real velocity.
void settle_all(world::WorldState& state);

/// Euler angles about X and Y that align an object of this yaw with the slopes along its local axes.
Vec2 tilt_of(float slope_x, float slope_y);

}  // namespace iron::control
