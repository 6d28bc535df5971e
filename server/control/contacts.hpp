// Contacts of units with units and with static outlines. Source: simulation.md 12 (DD-SIM-26).
#pragma once

#include "server/world/world_state.hpp"

namespace iron::control {

/// Resolves contacts of the candidate positions: pairs in (low id, high id) order, statics after the pairs, in
/// each of the passes. New contacts are posted as message 0x1B, to the lower id first; the set of touching
/// pairs is renewed. Needs a grid at the candidate positions.
void resolve_contacts(world::WorldState& state);

/// Damage in milli-life to an object; zero life queues a kill with that cause. Invulnerable objects keep theirs.
void apply_damage(world::WorldState& state, std::uint32_t slot, std::uint32_t milli, world::KillCause cause,
                  world::ObjectId by);

/// Payload of a contact message.
struct ContactMessage {
    world::ObjectId other;
    Vec3 point;
    Vec2 normal;  ///< from the lower to the higher id
    float relative_speed = 0;
};
ContactMessage read_contact(const world::Message& message);

}  // namespace iron::control
