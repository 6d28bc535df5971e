// Parts shared by robots and buildings: tracks, wheels, lamps, antennas, ladders.
#pragma once

#include "shared/content/model.hpp"

namespace iron::content {

// Material names. `TEAM` and `TEAM_L` are tinted with the colour of the owner (README).
inline constexpr const char* kHull = "HULL";
inline constexpr const char* kHull2 = "HULL_DK";
inline constexpr const char* kTeam = "TEAM";
inline constexpr const char* kTeamLight = "TEAM_L";
inline constexpr const char* kTrack = "TRACK";
inline constexpr const char* kTyre = "TYRE";
inline constexpr const char* kSteel = "STEEL";
inline constexpr const char* kGlass = "GLASS";
inline constexpr const char* kLamp = "LAMP";
inline constexpr const char* kVent = "VENT";
inline constexpr const char* kHazard = "HAZARD";

/// Track unit along y, outer face at x + side * width / 2; its own node.
void track_unit(Model& m, int node, float side, float width, float length, float height, int wheels);
/// Wheel with hub; axis along x, outer face toward `side`.
void wheel(Model& m, int node, Vec3 centre, float side, float radius, float width);
void lamp(Model& m, int node, Vec3 at, float size);       ///< faces +y
void antenna(Model& m, int node, Vec3 foot, float height);
void hatch(Model& m, int node, Vec3 centre, float radius);
void exhaust(Model& m, int node, Vec3 from, Vec3 to, float radius);
/// Handrail or ladder of round bars.
void ladder(Model& m, int node, Vec3 foot, float height, float width);
void dish(Model& m, int node, Vec3 centre, float radius);  ///< opens toward +y

/// A control resource with movement limits of a chassis.
asset::ControlResource chassis_control(float speed, float acceleration, float turn);
/// Adds an item and returns its index.
int add_item(asset::ControlResource& control, asset::CtlItemType type, int piece,
             std::string_view name, std::uint32_t flags = 0);
/// An empty slot that a part of the scheme fills (type 0).
int add_slot(asset::ControlResource& control);

}  // namespace iron::content
