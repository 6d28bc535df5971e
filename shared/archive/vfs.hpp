// The game's file tree: case-insensitive, deterministic, never outside its roots.
// Source: archives.md 2.3. The tree is indexed once at open; names are byte strings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shared/archive/path.hpp"
#include "shared/archive/shared_bytes.hpp"
#include "shared/base/file.hpp"

namespace iron::archive {

class VfsLayer;  // one root: vfs_layer.hpp

/// Bounds on an indexed root; exceeding one is the error `limit_exceeded` at open.
struct VfsLimits {
    std::size_t nodes = 1'000'000;
    std::size_t depth = 64;                     ///< folders below the root
    std::uint64_t file_bytes = kDefaultFileLimit;  ///< one read
};

/// A regular file as the file system spells it.
struct VfsFile {
    std::string path;        ///< relative to its root, '/' between segments, disk case
    std::size_t layer = 0;   ///< 0 = first (wins)
};

/// A read-only view over one or more roots, tried in order: the first that has the file wins;
/// only `not_found` falls through (rule 5). Cheap to copy (the index is shared, immutable).
class Vfs {
public:
    Vfs() = default;
    /// Indexes one game root. Errors `not_found`, `not_a_folder`, `io_error`, `limit_exceeded`.
    static Result<Vfs> open(const std::filesystem::path& root, const VfsLimits& limits = {});
    /// Several roots, the winning one first.
    static Result<Vfs> open_layers(const std::vector<std::filesystem::path>& roots,
                                   const VfsLimits& limits = {});
    /// A layer of files held in memory (path -> bytes). Errors of strict normalize_path, and
    /// `not_a_folder` when a file is also used as a folder.
    static Result<Vfs> from_memory(std::map<std::string, Bytes> files);
    /// This view with the layers of `lower` behind it.
    Vfs over(const Vfs& lower) const;

    /// Whole file; `path` is normalised by the host-compatible profile (both slashes). Errors of
    /// normalize_path, `not_found`, `ambiguous`, `symlink`, `not_a_file`, `not_a_folder`,
    /// `file_too_large`, `io_error`; the path is in the error.
    Result<Bytes> read(std::string_view path) const;
    /// The same without a copy for memory layers.
    Result<SharedBytes> read_shared(std::string_view path) const;
    /// Where the file is, without reading it. Errors as read().
    Result<VfsFile> resolve(std::string_view path) const;
    /// Bytes of the file, without reading it. Errors as read().
    Result<std::uint64_t> size(std::string_view path) const;
    /// True if resolve() succeeds.
    bool exists(std::string_view path) const;

    /// All regular files below the folder `prefix` (empty = root), sorted by raw path bytes; a file
    /// hidden by an earlier layer (same folded path) is left out. A missing folder gives none.
    /// Errors of normalize_path, `ambiguous`, `symlink`, `not_a_folder`.
    Result<std::vector<VfsFile>> list(std::string_view prefix = {}) const;

    std::size_t layer_count() const { return layers_.size(); }

private:
    std::vector<std::shared_ptr<const VfsLayer>> layers_;
};

}  // namespace iron::archive
