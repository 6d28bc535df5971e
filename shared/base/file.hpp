// Whole-file reading with a limit and transactional writing (design: "nothing is lost").
#pragma once

#include <cstdint>
#include <filesystem>

#include "shared/base/bytes.hpp"

namespace iron {

inline constexpr std::uint64_t kDefaultFileLimit = 256ull << 20;  // bytes, archives.md 3.3

/// All bytes of a regular file. Errors `not_found`, `not_a_file`, `file_too_large`, `io_error`.
Result<Bytes> read_file(const std::filesystem::path& path,
                        std::uint64_t limit = kDefaultFileLimit);

/// Writes to a temporary sibling, flushes it to the device, renames it over `path` and flushes
/// the folder: a crash leaves the old file or the new one. Creates missing folders.
/// Error `io_error`; the temporary file is removed on failure.
Status write_file_atomic(const std::filesystem::path& path, ByteView bytes);

}  // namespace iron
