// The landscape ready to draw: tiles with two levels of detail, material pairs blended at the
// vertices, water apart. Source: terrain.md 1-6.
#pragma once

#include <cstdint>
#include <vector>

#include "client/view/geometry.hpp"

namespace iron::client::view {

/// The up to three materials of a triangle: `layers` (into TerrainMesh::layers) are equal on its
/// corners, `weights` say how much of each shows at this corner (sum 1). Two triangles that share
/// an edge agree on the weights along it. `occlusion` 1 = open sky.
struct TerrainVertex {
    glm::vec3 position{0};
    glm::vec3 normal{0, 0, 1};
    glm::vec2 uv{0};
    glm::vec3 layers{0};
    glm::vec3 weights{1, 0, 0};
    float occlusion = 1;
};

/// `depth` wu of water over the bed, negative where the bed is higher (hidden there).
struct WaterVertex {
    glm::vec3 position{0};
    float depth = 2;
};

struct IndexRange {
    std::uint32_t first = 0, count = 0;
};

struct TerrainTile {
    Box box;
    IndexRange fine, coarse;
    bool has_coarse = false;
};

struct TerrainMesh {
    std::uint32_t columns = 1, rows = 1;
    glm::vec2 origin{0}, tile_size{64};  ///< wu
    Box bounds;
    std::vector<TerrainVertex> vertices;
    std::vector<std::uint32_t> indices;
    std::vector<TerrainTile> tiles;       ///< tile (x, y) has index x * rows + y
    IndexRange apron;                     ///< the land beyond the border, never playable
    std::vector<std::uint32_t> layers;    ///< material of each layer
    std::vector<WaterVertex> water_vertices;
    std::vector<std::uint32_t> water_indices;
};

/// Which range of each visible tile to draw.
struct TileChoice {
    std::uint32_t tile = 0;
    IndexRange range;
    bool coarse = false;
};

/// Squared tile distance above which the original draws the coarse level (terrain.md 1.1).
inline constexpr std::uint32_t kCoarseTileDistanceSq = 8;

/// Tiles that the frustum may see, in tile order; the coarse level beyond `distance_sq` from the
/// tile under `camera`. The tile box counts as -100..500 wu high (terrain.md 1.1).
std::vector<TileChoice> choose_tiles(const TerrainMesh& mesh, const Frustum& frustum,
                                     glm::vec2 camera, std::uint32_t distance_sq = kCoarseTileDistanceSq);

/// The tile under a point, clamped to the grid: (column, row).
glm::uvec2 tile_at(const TerrainMesh& mesh, glm::vec2 point);

}  // namespace iron::client::view
