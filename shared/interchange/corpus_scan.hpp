// One file of a game directory through its reader and back: what a corpus report is made of. No threads
// here; the tools run scan_file on several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/archive/nres.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/loaded_asset.hpp"

namespace iron::interchange {

/// strict: accepted by the strict profile; quirk: by the compatible one only; error: by neither;
/// unknown: no reader claims it, the bytes are kept.
enum class Health : std::uint8_t { strict, quirk, error, unknown };
std::string_view health_name(Health health);

/// A file or an archive entry.
struct PartReport {
    std::string name;
    std::optional<std::uint32_t> type_id;  ///< NRes entries
    AssetKind kind = AssetKind::raw;
    std::uint64_t bytes = 0;
    Hash256 sha256{};
    Health health = Health::strict;
    std::optional<Error> error;            ///< of the strict profile
    std::vector<Diagnostic> diagnostics;   ///< of the profile that accepted it
    std::optional<bool> rewritten;         ///< the writer gave the same bytes; absent when unreadable
};

struct FileReport {
    PartReport self;
    std::vector<PartReport> entries;        ///< of outer archives
    std::vector<archive::NresRegion> unknown_ranges;  ///< bytes of an NRes file nothing addresses, without padding
    Facts facts;
};

/// Reads, hashes, writes back and counts one file. Never fails: what is wrong is in the report.
FileReport scan_file(const std::string& path, ByteView bytes);

/// Adds facts: keys that start with "most_" take the larger value, all others the sum.
void merge_facts(Facts& into, const Facts& from);

Json part_json(const PartReport& part);
Json file_json(const FileReport& file);

}  // namespace iron::interchange
