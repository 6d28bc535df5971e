// TOML files (settings, profiles, maps) as JSON values: one translation unit pays for the parser, and
// what the parser cannot take is refused before it sees it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "shared/base/error.hpp"

namespace iron::settings {

/// Errors `bad_setting` (with line and column), those of read_file(). Dates are not accepted.
Result<nlohmann::ordered_json> read_toml_file(const std::filesystem::path& path);
Result<nlohmann::ordered_json> parse_toml(std::string_view text, std::string_view label);

/// Line of every key of the outermost table, 1-based.
using TomlLines = std::map<std::string, std::size_t, std::less<>>;
/// The same, with the lines for messages of the caller.
Result<nlohmann::ordered_json> read_toml_file(const std::filesystem::path& path, TomlLines& lines);

}  // namespace iron::settings
