// The manifest as one block of bytes: exactly what the fingerprint is the SHA-256 of. Server and
// client exchange it to name the first file that differs. Line: fingerprint.hpp.
#pragma once

#include "shared/base/bytes.hpp"
#include "shared/mission/fingerprint.hpp"

namespace iron::mission {

inline constexpr std::size_t kMaxManifestBytes = 16u << 20;

Bytes write_manifest(const ContentManifest& manifest);
/// Errors `truncated`, `file_too_large` (more than 16 MiB), `bad_manifest` (paths not ascending, empty or
/// too long).
Result<ContentManifest> read_manifest(ByteView bytes);

}  // namespace iron::mission
