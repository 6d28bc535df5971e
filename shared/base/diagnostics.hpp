// What a reader reports besides its value: warnings, named quirks, information.
// Source: archives.md 1.3 (error, warning, quirk) and 1.4 (limits).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iron {

/// Strict stops at a named quirk, compatible accepts it and records it (archives.md 1.3).
enum class ReadProfile : std::uint8_t { strict, compatible };

/// Which edition of the game data is read (runtime.md 1); a data value, never guessed from a name.
enum class Edition : std::uint8_t { part1, part2, demo, gog, builtin };

enum class Severity : std::uint8_t { information, warning, quirk };

struct Diagnostic {
    Severity severity = Severity::warning;
    std::string code;     ///< stable, e.g. `nres_bad_sort_table`
    std::string message;  ///< one sentence
    std::string path;     ///< file or archive, as known by the reader
    std::string entry;    ///< archive entry
    std::optional<std::uint64_t> offset;
};

/// Everything a reader needs besides the bytes; diagnostics are appended in reading order.
struct ReadContext {
    ReadProfile profile = ReadProfile::strict;
    std::string path;   ///< label for messages
    std::string entry;  ///< label for messages
    std::vector<Diagnostic> diagnostics;

    bool strict() const { return profile == ReadProfile::strict; }

    void note(Severity severity, std::string_view code, std::string message,
              std::optional<std::uint64_t> offset = {}) {
        diagnostics.push_back({severity, std::string(code), std::move(message), path, entry, offset});
    }
    void warn(std::string_view code, std::string message, std::optional<std::uint64_t> offset = {}) {
        note(Severity::warning, code, std::move(message), offset);
    }
    bool has(std::string_view code) const {
        for (const auto& d : diagnostics)
            if (d.code == code) return true;
        return false;
    }
};

}  // namespace iron
