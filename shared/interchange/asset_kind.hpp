// Which format a file or an archive entry has: by type tag, name and first bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shared/asset/material.hpp"
#include "shared/base/bytes.hpp"

namespace iron::interchange {

enum class AssetKind : std::uint8_t {
    nres, rsli,                                   // outer archives
    model, land_mesh, land_map, texture, font, palette, material, wear, effect, sound,
    control_points, damage_records, control_resource, base_contour, prototype, fort, research_tree,
    expl, sund, ani, ske, fml, preload,           // raw families
    tma, unit_dat, build_dat, comp_ini, ini, mission_cfg, block_config, script, variable_set, text, raw
};
inline constexpr std::size_t kAssetKindCount = static_cast<std::size_t>(AssetKind::raw) + 1;

/// "model", "Land.msh", "MAT0" ... as reports print it.
std::string_view asset_kind_name(AssetKind kind);

/// One file or entry, seen without a copy.
struct AssetSource {
    std::string path;   ///< of the file, or of the archive
    std::string entry;  ///< empty for a file
    std::optional<std::uint32_t> type_id;    ///< NRes entries
    asset::EntryAttributes attributes{};     ///< NRes entries
    ByteView bytes;

    /// "a.lib::WALL.0" or the path.
    std::string label() const;
};

/// The tag decides where it is known, then the name, then the magic. Unknown things are `text` (by
/// extension) or `raw`.
AssetKind detect_asset_kind(const AssetSource& source);

}  // namespace iron::interchange
