// Which objects a client may know of. Now: all of them; fog of war replaces this one function.
// Source: net-messages.md 8.2 (DD-NET-15). Filtering happens before encoding.
#pragma once

#include "server/session/player_registry.hpp"
#include "server/world/snapshot.hpp"

namespace iron::session {

inline bool visible_to(const Player& /*viewer*/, const world::ObjectView& /*object*/) { return true; }

/// Own clan and allies see orders and stores; without an alliance table that is the own clan, and
/// spectators see everything.
inline bool shares_secrets(const Player& viewer, std::uint8_t clan) {
    return viewer.spectator() || viewer.clan == clan;
}

}  // namespace iron::session
