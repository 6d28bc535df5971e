// Models, landscapes and areal maps as glTF 2.0 and OBJ.
#pragma once

#include <string>
#include <vector>

#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/asset/msh.hpp"
#include "shared/asset/wear.hpp"
#include "shared/interchange/gltf.hpp"
#include "shared/interchange/material_look.hpp"

namespace iron::interchange {

/// What to export of a model, and where its surfaces come from.
struct ModelExport {
    std::string name = "model";
    asset::MshProfile profile;
    const asset::Wear* wear = nullptr;      ///< nullptr: materials without names
    MaterialLibrary* materials = nullptr;   ///< nullptr: names only
    unsigned state = 0, lod = 0;            ///< models.md 2.1
    float frames_per_second = 30;           ///< of the animation; the game's rate is not published
};

/// One node a model node (rigid, by its string), one mesh a slot, one primitive a batch; poses of the
/// fallback keys, and one animation sampled at every whole frame by models.md 9.3. Error `png_error`.
Result<Gltf> model_to_gltf(const asset::MshModel& model, const ModelExport& options);
/// `stem.obj`, `stem.mtl` and textures; the fallback pose, Y up.
Result<std::vector<OutputFile>> model_to_obj(const asset::MshModel& model, const ModelExport& options, std::string_view stem);

struct LandExport {
    std::string name = "land";
    const asset::Wear* wear1 = nullptr;  ///< rows of LOD 0 faces
    const asset::Wear* wear2 = nullptr;  ///< rows of LOD 1 faces
    MaterialLibrary* materials = nullptr;
    unsigned lod = 0;                    ///< 0 or 1
};
/// One node and mesh a tile, one primitive a pair of material selectors.
Result<Gltf> land_to_gltf(const asset::LandMesh& mesh, const LandExport& options);
Result<std::vector<OutputFile>> land_to_obj(const asset::LandMesh& mesh, const LandExport& options, std::string_view stem);

/// The areals as closed lines, one node each with its numbers in `extras`.
Gltf areals_to_gltf(const asset::LandMap& map, std::string_view name);

}  // namespace iron::interchange
