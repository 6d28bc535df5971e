// Walkable decomposition of a land: a quadtree of squares whose sides are split where smaller
// neighbours meet them, so that every side has exactly one neighbour. Source: terrain.md 7.
#pragma once

#include "shared/asset/land_map.hpp"
#include "shared/content/land.hpp"

namespace iron::content {

struct ArealOptions {
    std::uint32_t grid = 128;      ///< cells of the lookup grid along each axis
    std::uint32_t base_cells = 16; ///< squares along each axis before splitting
    std::uint32_t levels = 2;      ///< how often a square may be split
    float slope_cos = 0.74f;       ///< steeper ground (smaller normal z) is not walkable; units climb 0.75 rad
    float uneven_wu = 2.5f;        ///< a square is split while its ground leaves its plane by more
    std::uint32_t limit = 0;       ///< at most this many areals (0: no limit); roughest split first
};

/// Areals with mutual links; squares with water or steep ground are split and then left out.
/// Errors `land_authoring`, those of build_areal_grid.
Result<asset::LandMap> make_areals(const Land& land, const ArealOptions& options);

}  // namespace iron::content
