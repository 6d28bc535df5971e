// `.scr` script package, framing only: nothing is executed here. Source: mission.md 8, script.md 2.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

inline constexpr std::uint32_t kScriptSentinel = 0xFFFFFFFFu;

struct ScriptRecord {
    std::uint32_t w0 = kScriptSentinel;  ///< handler selector
    std::uint32_t w1 = 0;
    std::uint32_t w2 = 0;
    std::int32_t w3 = -1;  ///< record type, -1..6
    std::uint32_t w4 = 0;
    std::vector<std::uint32_t> references;  ///< variable indices; w5 is their count
    std::uint32_t w6 = 0;
    bool operator==(const ScriptRecord&) const = default;
};

struct ScriptEvent {
    std::string name;  ///< bytes, compared exactly; an embedded NUL is kept
    std::uint32_t word = 0;
    std::vector<ScriptRecord> records;
    bool operator==(const ScriptEvent&) const = default;
};

struct ScriptPackage {
    std::uint32_t handler_count = 73;
    std::vector<ScriptEvent> events;
    Bytes trailing;  ///< none in known files; kept
    bool operator==(const ScriptPackage&) const = default;
};

enum class SelectorClass : std::uint8_t { handler, sentinel, unknown };
/// script.md 2.3, with the file's own handler count.
SelectorClass classify_selector(std::uint32_t w0, std::uint32_t handler_count);

/// Limits of DD-SCR-02.
struct ScriptLimits {
    std::uint64_t file_bytes = 4u << 20;
    std::uint32_t events = 4096;
    std::uint32_t records = 65536;
    std::uint32_t references = 256;  ///< per record
};

/// Errors: `truncated`, `count_too_large`, `file_too_large`, `script_no_terminator`. Warnings:
/// `script_trailing_bytes`, `script_unknown_selector`, `script_record_type`.
Result<ScriptPackage> read_script_package(ByteView bytes, ReadContext& context,
                                          const ScriptLimits& limits = {});
/// Counts and name lengths are derived; everything else is written as it is.
Bytes write_script_package(const ScriptPackage& value);

}  // namespace iron::asset
