// TRF: the research tree, an NRes container. Source: objects.md 13.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

inline constexpr std::uint8_t kResearchAvailable = 1, kResearchDone = 2, kResearchActive = 4;

/// One node with its relations and texts. Texts are CP1251.
struct ResearchNode {
    float cost = 0;  ///< 0..45 seen
    float time = 0;  ///< 0..150 seen
    float view_x = 0, view_y = 0;
    std::uint16_t auxiliary = 0;
    std::uint8_t turret_type = 0, main_type = 0, sub_type = 0, build_subsystem = 0, size_of_type = 0,
                 upgrade_level = 0;
    std::uint8_t state = 0;  ///< kResearchAvailable ...
    std::string short_name, long_name, help, description;
    std::vector<std::uint32_t> prerequisites;  ///< node ids
    std::vector<std::uint32_t> unlocks;        ///< node ids
    bool operator==(const ResearchNode&) const = default;
};

struct ResearchTree {
    std::vector<ResearchNode> nodes;
    Bytes original;  ///< container bytes; written back while the nodes are unchanged

    /// First node with that short name (ASCII-case-insensitive); -1 if none.
    std::int32_t find(std::string_view short_name) const;
};

/// Errors: those of NRes, `trf_no_nodes`, `trf_bad_size`, `trf_bad_relation`. Warnings:
/// `trf_relation_count`, `trf_unused_words`, `trf_short_states`, `trf_auxiliary`, `trf_id_range`,
/// `trf_text_offset`.
Result<ResearchTree> read_research_tree(ByteView bytes, ReadContext& context);

/// The original bytes while the nodes equal what they parse to. Otherwise every untouched section
/// is kept, TRF0..TRF5 are rewritten and changed texts are appended to their pools; a tree without
/// an original becomes a canonical container. Errors: those of the NRes writer.
Result<Bytes> write_research_tree(const ResearchTree& value);

}  // namespace iron::asset
