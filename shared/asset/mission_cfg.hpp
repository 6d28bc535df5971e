// `mission.cfg`: blocks of named resource objects, among them the prebuild schemes.
// Source: mission.md 7.1, runtime.md 3.3 item 7.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "shared/asset/config_text.hpp"

namespace iron::asset {

struct MissionCfg {
    BlockDocument document;

    /// Scheme paths of the blocks named `prebuild`: every value that ends in `.dat`, in file order.
    std::vector<std::string> prebuild_schemes() const;
};

/// Errors: `config_block_unbalanced` (end without object, object inside a block, end of file inside
/// a block). Warning: `config_bad_value` (type is not a number).
Result<MissionCfg> read_mission_cfg(ByteView bytes, ReadContext& context);
inline Bytes write_mission_cfg(const MissionCfg& value) { return write_blocks(value.document); }

struct MissionCfgObject {
    std::string name;
    std::vector<std::pair<std::string, std::string>> entries;  ///< key, value (quoted if needed)
};
/// A canonical file (CRLF).
MissionCfg make_mission_cfg(const std::vector<MissionCfgObject>& objects);

}  // namespace iron::asset
