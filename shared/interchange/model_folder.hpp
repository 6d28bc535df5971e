// A model as an editable folder: glTF for eyes and modelling programs, a sidecar and the original bytes for
// everything glTF cannot say. Unchanged folder in, identical bytes out. Source: models.md 11.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shared/interchange/mesh_export.hpp"

namespace iron::interchange {

inline constexpr std::string_view kModelSidecar = "model.json";
inline constexpr std::string_view kModelOriginal = "original.msh";
inline constexpr std::string_view kModelGltf = "model.gltf";

/// The files of the folder: model.gltf with its buffer and textures, model.json, original.msh. Slots are those
/// of `options.state` and `options.lod`. Errors of the readers and of model_to_gltf.
Result<std::vector<OutputFile>> unpack_model(ByteView container, const ModelExport& options, ReadContext& context);

/// What was edited in a folder.
struct ModelChanges {
    std::size_t positions = 0, normals = 0, uvs = 0, indices = 0, poses = 0;
    bool any() const { return positions + normals + uvs + indices + poses != 0; }
};
struct PackedModel {
    Bytes bytes;
    ModelChanges changes;
};
/// The model of a folder: the original bytes where the glTF was not edited; edited positions, normals,
/// texture coordinates, indices and rest poses go into their streams, slot bounds and the header follow
/// edited positions. Errors `model_sidecar` (version, checksum of the original), `model_topology` (the glTF
/// has other counts or lost its numbers), `gltf_*`, `msh_authoring` and those of the readers.
Result<PackedModel> pack_model(const std::filesystem::path& folder);

}  // namespace iron::interchange
