// Two game directories compared: file by file, NRes archives entry by entry.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "shared/archive/vfs.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::tools {

struct CorpusDiff {
    interchange::Json json;
    std::string text;
    bool equal = false;
};
/// Errors of the file system. An archive that cannot be read is compared as a file only.
Result<CorpusDiff> diff_corpora(const archive::Vfs& a, const archive::Vfs& b);

}  // namespace iron::tools
