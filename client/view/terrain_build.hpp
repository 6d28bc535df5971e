// From a land mesh to what is drawn and to the ground of the picture.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "client/view/height_field.hpp"
#include "client/view/terrain_mesh.hpp"

namespace iron::asset {
struct LandMesh;
}

namespace iron::client::view {

/// Materials of the two WEAR tables of a landscape by row: indices into MaterialSet::materials.
struct LandMaterials {
    std::vector<std::uint32_t> fine;    ///< land1.wea, LOD 0 faces
    std::vector<std::uint32_t> coarse;  ///< land2.wea, LOD 1 faces
};

/// Builds tiles, blends, skirts that hide the cracks between the levels, the apron beyond the map
/// border and the water. `scale` multiplies the heights (DD-SIM-03). Every position shows the
/// materials of the faces with one selector that touch it, by their share; only where there is
/// none, those of the faces with two selectors (the original's blend is unknown). The shares are
/// then softened by those of the neighbouring positions.
TerrainMesh build_terrain(const asset::LandMesh& land, const LandMaterials& materials, float scale);

/// Ground over the fine faces.
HeightField build_height_field(const asset::LandMesh& land, float scale);

/// A placed object for the choice of the height scale.
struct HeightProbe {
    glm::vec2 at{0};
    float z = 0;
};
/// 1 or 1/32 by the smaller median error over the placed objects (DD-SIM-03).
float choose_height_scale(const HeightField& unscaled, std::span<const HeightProbe> probes);

}  // namespace iron::client::view
