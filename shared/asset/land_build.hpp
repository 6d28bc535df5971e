// Terrain from a height grid by the recipe of terrain.md 11.2.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/asset/land_mesh.hpp"

namespace iron::asset {

struct LandQuad {
    std::uint32_t flags = 0;
    std::uint8_t material = 1;
    std::uint8_t blend = kNoBlend;
};

struct LandGrid {
    std::uint32_t columns = 1, rows = 1;  ///< tiles along X and Y
    std::uint32_t quads = 1;              ///< quads per tile side at LOD 0
    float tile_size = 64;                 ///< world units
    float uv_per_tile = 1;                ///< texture repeats across one tile
    /// Heights of the shared vertex grid, point (i, j) at j * (columns * quads + 1) + i with i
    /// along X; missing = flat 0.
    std::vector<float> heights;
    /// Surface of LOD 0 quad (i, j) at j * columns * quads + i; missing = default LandQuad.
    std::vector<LandQuad> fine;
    /// Surface of the LOD 1 quad of tile (tx, ty) at tx * rows + ty; missing = default LandQuad.
    std::vector<LandQuad> coarse;

    std::uint32_t points_x() const { return columns * quads + 1; }
    std::uint32_t points_y() const { return rows * quads + 1; }
};

/// Vertices: point (i, j) has index j * points_x + i, except that a single quad (1 x 1 x 1) uses
/// the corner order of terrain.md 11.1. Errors `land_authoring`: sizes that do not match, more
/// than 65 535 vertices or faces, 128..255 tiles, non-finite heights.
Result<LandMesh> build_land_mesh(const LandGrid& grid);

/// Vertex normals (normalised sum of the face normals of the given LOD 0 faces), face normals,
/// neighbours per LOD, slot bounds, type 11 and header from positions, face vertices, tiles and
/// slot ranges. For meshes edited or authored face by face. Errors `land_authoring`.
Status finish_land_mesh(LandMesh& mesh);

}  // namespace iron::asset
