// Errors and diagnostics for reports: one shape everywhere.
#pragma once

#include <vector>

#include "shared/base/diagnostics.hpp"
#include "shared/base/error.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

/// {severity, code, message, path?, entry?, offset?}.
Json diagnostic_json(const Diagnostic& diagnostic);
Json diagnostics_json(const std::vector<Diagnostic>& diagnostics);
/// {code, message, path?, entry?, offset?, chain}: the innermost known place of the chain.
Json error_json(const Error& error);

std::string_view severity_name(Severity severity);
/// "warning: a.lib: entry 'b': message [code] at offset 16".
std::string diagnostic_text(const Diagnostic& diagnostic);

}  // namespace iron::interchange
