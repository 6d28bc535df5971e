// From a placed object of the blueprint to the flat records of the world.
// Source: simulation.md 3, 4, 10, 11; runtime.md 6 (stage 6).
#pragma once

#include "server/world/world_state.hpp"

namespace iron::world {

/// Role of an object by scheme type, else by mission kind.
control::Role role_of(std::uint32_t scheme_type, std::uint32_t raw_kind, mission::LogicId logic_id);

/// Size column: rules.unit_size by scheme file name, else the second underscore token of the name (`s`, `m`),
/// else by radius (simulation.md 15.1).
control::Size size_of(const Rules& rules, std::string_view scheme_path, float radius);

/// Owning clan: property ClanID when it names a clan, else the placed-object word; kNoClan = nobody.
std::uint8_t clan_of(const mission::ObjectBlueprint& object, std::size_t clans);

/// Fills body, brain, properties and fixed part of a created slot. Errors `non_finite`, `bad_owner`.
Status assemble_object(WorldState& state, std::uint32_t slot, const mission::ObjectBlueprint& object);

/// Ground outlines of all registered static objects; the navigation map revision goes up.
void rebuild_obstacles(WorldState& state);

}  // namespace iron::world
