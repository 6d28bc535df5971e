// Commands of players become orders of units: validation, result, formation slots.
// Source: simulation.md 22.
#pragma once

#include "server/world/world_state.hpp"

namespace iron::behavior {

/// What a command came to; always reported exactly once.
struct Outcome {
    world::ResultCode code = world::ResultCode::ok;
    std::uint8_t taken = 0, left_out = 0;
};

/// Validates per subject, then the common fields (22.1), and gives the order to the subjects that are left. A
/// valid command of an order outside this simulation is answered `not_available`.
Outcome apply_command(world::WorldState& state, const world::Command& command);

/// Puts an order into the queue of one unit: replaces, appends or goes in front. False when the queue is full.
bool give_order(world::WorldState& state, std::uint32_t slot, OrderItem item, std::uint8_t flags);

/// Empties queue, path and target; the stance stays. A started order is reported as cancelled.
void clear_orders(world::WorldState& state, std::uint32_t slot);

/// Goals of n units that go to one point (22.3), in the order of `slots`.
std::vector<Vec2> formation_slots(const world::WorldState& state, const std::vector<std::uint32_t>& slots, Vec2 goal,
                                  bool yaw_given, float yaw);

}  // namespace iron::behavior
