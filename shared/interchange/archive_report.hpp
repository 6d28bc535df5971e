// What `archive list` and `archive verify` say about a container.
#pragma once

#include <string>
#include <vector>

#include "shared/interchange/archive_folder.hpp"

namespace iron::interchange {

/// Container, sizes and one row an entry: index, name, tag or method, sizes, offset, attributes.
Json archive_list_json(const AnyArchive& source);
/// The same as a table for a terminal.
std::string archive_list_text(const AnyArchive& source);

/// Outcome of all checks of archives.md 3.3 or 4.11, of decoding every record and of the writers.
struct ArchiveVerdict {
    bool strict_ok = false;      ///< the strict profile accepts it, with all payloads
    bool compatible_ok = false;  ///< the compatible profile does
    bool lossless = false;       ///< an edit without changes gives the same bytes
    bool canonical = false;      ///< the canonical writer gives the same bytes
    ContainerKind kind = ContainerKind::nres;
    std::size_t entries = 0, inner = 0;   ///< inner: payloads that are containers, checked too
    std::vector<Error> errors;            ///< of the strict profile, the first of each part
    std::vector<Diagnostic> diagnostics;  ///< warnings and quirks, with byte offsets
};
/// `path` labels the diagnostics. Error `unknown_container`.
Result<ArchiveVerdict> verify_archive(ByteView bytes, std::string_view path, const EntryProgress& progress = {});
Json archive_verdict_json(const ArchiveVerdict& verdict);

}  // namespace iron::interchange
