// TOML files as JSON values, so that one translation unit pays for the parser.
#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "shared/base/error.hpp"

namespace iron::dpcompat {

/// Errors `bad_setting` (with line and column), those of read_file(). Dates are not accepted.
Result<nlohmann::ordered_json> read_toml_file(const std::filesystem::path& path);
Result<nlohmann::ordered_json> parse_toml(std::string_view text, std::string_view label);

}  // namespace iron::dpcompat
