#include "tools/output.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/base/text.hpp"
#include "shared/interchange/diagnostics_json.hpp"

namespace iron::tools {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_json(const interchange::Json& value) { print(interchange::dump_json(value)); }

void print_diagnostics(const std::vector<Diagnostic>& diagnostics, bool all) {
    for (const Diagnostic& d : diagnostics)
        if (all || d.severity != Severity::information)
            std::fprintf(stderr, "%s\n", interchange::diagnostic_text(d).c_str());
}

ExitCode fail_with(const Error& error, bool json) {
    if (json) print_json({{"error", interchange::error_json(error)}});
    return report(error);
}

Result<std::pair<std::string, std::string>> split_pair(const std::string& text, std::string_view option) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        return fail("usage", std::string(option) + " wants A=B, not '" + text + "'");
    return std::pair{text.substr(0, at), text.substr(at + 1)};
}

std::string raw_name(const std::string& argument) { return utf8_to_cp1251(argument); }

}  // namespace iron::tools
