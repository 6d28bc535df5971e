// The state machine of a unit: takes orders, plans, follows its path, arrives, notices that it is
// stuck. Source: simulation.md 7.3, 8, 22.2.
#pragma once

#include "server/world/world_state.hpp"

namespace iron::behavior {

/// One step of every active mobile, in registration order (step 9 of simulation.md 24).
void update_all(world::WorldState& state);

/// Class and remaining length of every unit (9, step 2), every `wizard.order_ms`.
void update_right_of_way(world::WorldState& state);

/// Reports the units whose step the ground refused (13.1), once per object and second.
void report_blocked_steps(world::WorldState& state);

/// True when `a` goes before `b`: smaller (class, remaining whole wu, id).
bool goes_first(const world::WorldState& state, std::uint32_t a, std::uint32_t b);

}  // namespace iron::behavior
