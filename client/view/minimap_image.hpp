// The map seen from above, once per mission: ground colours with hill shading.
#pragma once

#include "client/view/image.hpp"
#include "client/view/material.hpp"
#include "client/view/terrain_mesh.hpp"

namespace iron::client::view {

/// size x size pixels, north (+Y) up, the longer side of the map fills the picture; outside the
/// map it is transparent.
Image draw_minimap(const TerrainMesh& terrain, const MaterialSet& materials, int size);

/// Where a point of the map lies in the picture, 0..1 from the top left corner.
glm::vec2 minimap_position(const Box& map, glm::vec2 world);
/// The inverse of minimap_position.
glm::vec2 minimap_world(const Box& map, glm::vec2 position);

/// Mean display colour of a material.
glm::vec3 mean_color(const Material& material, const MaterialSet& set);

}  // namespace iron::client::view
