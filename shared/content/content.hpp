// The built-in game "Proving Grounds": a complete game directory in the original formats, made
// from code and small text sources. Same options give the same bytes on every compiler and CPU.
// Sources: mission.md, objects.md, terrain.md 11, models.md 11, simulation.md 28.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/error.hpp"
#include "shared/base/hash.hpp"

namespace iron::content {

/// Which file layout is written. `demo` is the layout of the original demo edition.
enum class ContentProfile : std::uint8_t { demo };

inline constexpr std::uint64_t kDefaultSeed = 2001;
/// Name of the list of files and digests at the root of the written directory.
inline constexpr std::string_view kManifestName = "proving_grounds.manifest";

struct ContentOptions {
    ContentProfile profile = ContentProfile::demo;
    std::uint64_t seed = kDefaultSeed;
};

/// One file of the game directory. `path` uses '/' and the letter case of the original layout.
struct GeneratedFile {
    std::string path;
    Bytes bytes;
};

struct Progress {
    std::string_view phase;  ///< "generate", "check", "write"
    std::string_view item;   ///< path or step
    std::uint32_t done = 0;
    std::uint32_t total = 0;
    std::uint64_t bytes = 0;  ///< bytes of the items done so far in this phase
};
using ProgressFn = std::function<void(const Progress&)>;

struct FileSummary {
    std::string path;
    std::uint64_t bytes = 0;
    Hash256 sha256{};
};

struct BuildReport {
    std::vector<FileSummary> files;  ///< sorted by path; the manifest itself is not listed
    std::uint64_t total_bytes = 0;
    Hash256 manifest{};  ///< SHA-256 of the manifest text: one value for all files
};

/// All files in memory, sorted by path, each read back by its strict reader and rewritten
/// byte-identically. Errors: `content_selfcheck` and whatever a reader reports.
Result<std::vector<GeneratedFile>> generate_content(const ContentOptions& options,
                                                    const ProgressFn& progress = {});

/// Digests of `files`; the manifest text has one line `sha256  bytes  path` a file.
BuildReport summarize(const std::vector<GeneratedFile>& files);
std::string manifest_text(const BuildReport& report, const ContentOptions& options);

/// Generates, checks and writes a game directory: into a temporary sibling first, then renamed, so
/// `out` is either what it was or complete. An existing `out` is replaced only if it is empty or
/// was written by this function (it has the manifest). Errors: `exists`, `io_error`, and those of
/// generate_content.
Result<BuildReport> build_content(const std::filesystem::path& out, const ContentOptions& options,
                                  const ProgressFn& progress = {});

/// Reads `bytes` with the strict reader of its kind (chosen by path) and compares the rewritten
/// bytes; containers are checked entry by entry. Error `content_selfcheck`.
Status check_file(std::string_view path, ByteView bytes);

}  // namespace iron::content
