// Output shared by the commands about data: JSON on stdout, everything for people's eyes on stderr.
#pragma once

#include <string>
#include <vector>

#include "shared/base/diagnostics.hpp"
#include "shared/interchange/json_values.hpp"
#include "tools/command.hpp"

namespace iron::tools {

void print_json(const interchange::Json& value);
void print(const std::string& text);
/// One line each on stderr; information only when `all`.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, bool all = false);
/// report(), and with --json also {"error": {...}} on stdout.
ExitCode fail_with(const Error& error, bool json);
/// Splits "A=B" at the first '='. Error `usage`.
Result<std::pair<std::string, std::string>> split_pair(const std::string& text, std::string_view option);
/// Names on the command line are UTF-8, in archives CP1251.
std::string raw_name(const std::string& argument);

}  // namespace iron::tools
