// Short-range steering around near obstacles. Source: simulation.md 9 (DD-SIM-16).
#pragma once

#include "server/world/world_state.hpp"

namespace iron::control {

/// Renews heading and speed of every unit in Move that is due (every 4 ticks, phase by id) or has none yet.
void steer_all(world::WorldState& state);

}  // namespace iron::control
