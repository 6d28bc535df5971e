// Any asset in a format everybody can open.
#pragma once

#include <string>
#include <vector>

#include "shared/interchange/asset_locator.hpp"
#include "shared/interchange/gltf.hpp"

namespace iron::interchange {

enum class ExportFormat : std::uint8_t { automatic, gltf, glb, obj, png, wav, json, raw };
/// "gltf", "glb" ...; error `usage`.
Result<ExportFormat> parse_export_format(std::string_view name);

struct ExportOptions {
    ExportFormat format = ExportFormat::automatic;  ///< by kind: glTF, PNG, WAV, JSON
    std::string stem = "asset";                     ///< of the files written
    std::uint32_t level = 0;                        ///< mip level of textures
    bool all_levels = false;
    unsigned state = 0, lod = 0;                    ///< models.md 2.1; landscapes have LOD 0 and 1
    float frames_per_second = 30;
    std::optional<asset::MshProfile> profile;       ///< absent: scanned from the game directory
};

/// The files of the export, the main one first. Errors `no_export` (the kind has no such format) and those
/// of the readers and encoders.
Result<std::vector<OutputFile>> export_asset(const LocatedAsset& asset, const ExportOptions& options, ReadContext& context);

}  // namespace iron::interchange
