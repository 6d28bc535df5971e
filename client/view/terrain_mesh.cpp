#include "client/view/terrain_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::view {

glm::uvec2 tile_at(const TerrainMesh& mesh, glm::vec2 point) {
    const glm::vec2 t = (point - mesh.origin) / mesh.tile_size;
    const auto clamp = [](float v, std::uint32_t count) {
        const float limited = std::clamp(std::floor(v), 0.0f, static_cast<float>(count - 1));
        return static_cast<std::uint32_t>(limited);
    };
    return {clamp(t.x, mesh.columns), clamp(t.y, mesh.rows)};
}

std::vector<TileChoice> choose_tiles(const TerrainMesh& mesh, const Frustum& frustum,
                                     glm::vec2 camera, std::uint32_t distance_sq) {
    std::vector<TileChoice> out;
    if (mesh.columns == 0 || mesh.rows == 0) return out;
    const glm::ivec2 here(tile_at(mesh, camera));
    for (std::uint32_t i = 0; i < mesh.tiles.size(); ++i) {
        const TerrainTile& tile = mesh.tiles[i];
        Box box = tile.box;
        if (box.empty()) continue;
        box.min.z = -100.0f;
        box.max.z = 500.0f;
        if (!frustum.may_see(box)) continue;
        const glm::ivec2 at(static_cast<int>(i / mesh.rows), static_cast<int>(i % mesh.rows));
        const glm::ivec2 d = at - here;
        const bool coarse = tile.has_coarse && static_cast<std::uint32_t>(d.x * d.x + d.y * d.y) > distance_sq;
        out.push_back({i, coarse ? tile.coarse : tile.fine, coarse});
    }
    return out;
}

}  // namespace iron::client::view
