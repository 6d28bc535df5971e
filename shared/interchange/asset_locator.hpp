// Finds one asset: in a game directory or in a single file, as a file or as `ARCHIVE::NAME`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "shared/archive/archive_cache.hpp"
#include "shared/asset/msh.hpp"
#include "shared/asset/wear.hpp"
#include "shared/interchange/asset_kind.hpp"

namespace iron::interchange {

/// A located asset owns its bytes; `source` looks into them.
struct LocatedAsset {
    archive::SharedBytes bytes;
    AssetSource source;
    AssetKind kind = AssetKind::raw;
    /// The game directory it came from, for its materials and companions; null for a single file.
    std::shared_ptr<archive::ArchiveCache> archives;
};

/// `place` is a game directory or a file. With a directory `name` is a path in it or `ARCHIVE::NAME`;
/// with an archive file it is the entry (`NAME`, `::NAME` or `#INDEX`); with another file it is empty.
/// Names are CP1251. Errors `usage`, `entry_missing`, those of the file system and the containers.
Result<LocatedAsset> locate_asset(const std::string& place, std::string_view name, ReadContext& context);

/// The WEAR table beside a model: `<stem>.wea` of the same archive. nullopt without one.
std::optional<asset::Wear> companion_wear(const LocatedAsset& model);
/// `<land path>1.wea` or `2.wea` beside a Land.msh. nullopt without one.
std::optional<asset::Wear> land_wear(const LocatedAsset& land, unsigned table);

/// The disputed readings, decided by all models of the game directory (head of models.md).
asset::MshProfile scan_profile(archive::ArchiveCache& archives, ReadContext& context);

}  // namespace iron::interchange
