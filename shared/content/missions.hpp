// Maps and missions of the built-in game. Source: mission.md, simulation.md 28.2.
#pragma once

#include "shared/content/game.hpp"
#include "shared/content/land.hpp"
#include "shared/content/units.hpp"

namespace iron::content {

/// The three maps.
LandPlan tutorial_plan(std::uint64_t seed);  ///< 384 x 384 wu
LandPlan duel_plan(std::uint64_t seed);      ///< 720 x 720 wu, simulation.md 28.2
LandPlan four_plan(std::uint64_t seed);      ///< 1200 x 1200 wu

/// DATA/MAPS/*, MISSIONS/*.
Status add_missions(Game& game, const UnitCatalog& units, std::uint64_t seed);

/// MISSIONS/SCRIPTS/*: variables, packages, research tree.
Status add_scripts(Game& game);

/// Root .ini files, ui/, fonts, sprites, remaining archives.
Status add_shell(Game& game, std::uint64_t seed);

}  // namespace iron::content
