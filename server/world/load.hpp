// Stages 6 to 8 of the load transaction (runtime.md 6).
#pragma once

#include "server/world/world.hpp"
#include "server/world/world_state.hpp"

namespace iron::world {

/// Builds terrain queries, clans and all objects (pending), cross-checks, then registers in order. A failure
/// before the first registration frees the pending objects; one after the n-th sends exactly n objects out
/// through the queue. Errors: `no_blueprint`, `too_many_clans`, `no_surface`, `no_areals`, `limit`,
/// `non_finite`, `bad_owner`, `registration_failed`.
Status load_world(WorldState& state, const WorldOptions& options, WorldReport& report);

}  // namespace iron::world
