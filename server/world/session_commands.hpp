// Decisions of the session layer inside the world (net-messages.md 5).
#pragma once

#include "server/world/world_state.hpp"

namespace iron::world {

/// Joins, leaves, losses, scale, takeover, forced kills. Pause and resume are clock matters and not handled here.
/// Commands about unknown clans or objects have no effect but the sequence.
void apply_session_command(WorldState& state, const SessionCommand& command);

}  // namespace iron::world
