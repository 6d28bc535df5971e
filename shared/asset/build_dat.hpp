// `BuildDat.lst`: the scheme files Behavior may build, by category. Source: terrain.md 9.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

struct BuildCategory {
    std::string name;        ///< exactly one of the twelve names
    std::uint32_t mask = 0;  ///< scheme type of the category, never 0
    std::vector<std::string> paths;  ///< unit DAT paths as written, without the quotes
    bool operator==(const BuildCategory&) const = default;
};

struct BuildDat {
    std::vector<BuildCategory> categories;  ///< file order; a duplicate joins the first
    Bytes original;  ///< bytes read; written back while the categories are unchanged

    const BuildCategory* find(std::string_view name) const;
    const BuildCategory* find_mask(std::uint32_t mask) const;
};

struct BuildCategoryName {
    std::string_view name;
    std::uint32_t mask;
};
/// The twelve known categories, in the order of the specification.
std::vector<BuildCategoryName> known_build_categories();

/// Errors (with the 1-based line): `build_dat_corrupted` (header, count, path line, end inside a
/// section), `build_dat_unknown_category`, `build_dat_duplicate_category` (a warning in compatible).
/// Warning: `build_dat_missing_category`.
Result<BuildDat> read_build_dat(ByteView bytes, ReadContext& context);

/// The original bytes if the categories equal what they parse to; else canonical CRLF text.
Bytes write_build_dat(const BuildDat& value);

}  // namespace iron::asset
