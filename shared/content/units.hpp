// Prototypes and unit schemes of the built-in game. Source: objects.md 2, 3; simulation.md 3, 28.1.
#pragma once

#include <string>
#include <vector>

#include "shared/content/game.hpp"

namespace iron::content {

/// A scheme file and what it is.
struct SchemeInfo {
    std::string path;  ///< with '\\', as missions and lists name it
    std::uint32_t type = 0;
    std::string stem;
};

struct UnitCatalog {
    std::vector<SchemeInfo> schemes;
    std::vector<std::string> prebuild;  ///< scheme paths a plant may build from the start
    /// Path of the scheme with that file stem; empty when unknown.
    std::string path(std::string_view stem) const;
    std::uint32_t type(std::string_view path) const;
};

/// Models, prototypes, schemes, BuildDat.lst.
Result<UnitCatalog> add_units(Game& game, std::uint64_t seed);

}  // namespace iron::content
