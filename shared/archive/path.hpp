// Paths found in game data. Source: archives.md 2.2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/base/error.hpp"

namespace iron::archive {

/// host_compatible drops empty and `.` segments and accepts `:` inside a segment.
enum class PathProfile : std::uint8_t { strict, host_compatible };

/// A checked relative path. Writers store `raw`; `text` keeps the letter case.
struct DataPath {
    std::string raw;   ///< exactly as found
    std::string text;  ///< segments joined with '/'
    /// Folded `text`: use it only as a lookup or cache key.
    std::string key() const;
};

/// Errors: `empty`, `embedded_nul`, `absolute`, `parent_traversal`, `invalid_segment` (strict).
Result<DataPath> normalize_path(std::string_view raw,
                                PathProfile profile = PathProfile::host_compatible);

}  // namespace iron::archive
