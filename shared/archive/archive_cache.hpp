// Level 1 of archives.md section 5: open archives by path, so that `archive::entry` lookups do not
// parse again. Not thread-safe: one cache a thread, or a lock outside.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/archive/vfs.hpp"

namespace iron::archive {

/// Both bounds hold for the archives the cache itself keeps alive.
struct ArchiveCacheLimits {
    std::size_t archives = 32;
    std::uint64_t bytes = 256ull << 20;
};

/// A found entry; `archive` keeps `bytes` alive.
struct NresResource {
    std::shared_ptr<const Nres> archive;
    std::size_t index = 0;
    ByteView bytes;
    const NresEntry& entry() const { return archive->entry(index); }
};

class ArchiveCache {
public:
    explicit ArchiveCache(Vfs vfs, ReadProfile profile = ReadProfile::compatible,
                          ArchiveCacheLimits limits = {});

    const Vfs& vfs() const { return vfs_; }

    /// The parsed archive; the same object as long as anyone holds it. Errors of Vfs::read and
    /// read_nres / read_rsli, with the path.
    Result<std::shared_ptr<const Nres>> open_nres(std::string_view path);
    Result<std::shared_ptr<const Rsli>> open_rsli(std::string_view path);

    /// Entry `name` of the NRes archive `path`. Error `entry_missing`.
    Result<NresResource> find(std::string_view path, std::string_view name);
    /// Decoded record `name` of the RsLi library `path`. Error `entry_missing`.
    Result<Bytes> load_rsli(std::string_view path, std::string_view name);

    /// What the readers reported since the last call, in opening order.
    std::vector<Diagnostic> take_diagnostics();

    /// Forgets an archive whose file was replaced, or all of them.
    void drop(std::string_view path);
    void clear();

    std::size_t kept_archives() const;
    std::uint64_t kept_bytes() const { return kept_bytes_; }

private:
    struct Slot {
        enum class Type : std::uint8_t { nres, rsli } type = Type::nres;
        std::shared_ptr<const void> kept;  // empty after eviction
        std::weak_ptr<const void> alive;   // somebody may still hold it
        std::uint64_t bytes = 0;
        std::uint64_t used = 0;            // access counter, not a clock

        template <class T>
        static constexpr Type type_of() {
            return std::is_same_v<T, Nres> ? Type::nres : Type::rsli;
        }
        template <class T>
        bool is() const {
            return type == type_of<T>();
        }
    };
    template <class T, class Reader>
    Result<std::shared_ptr<const T>> open(std::string_view path, Reader&& reader);
    void forget(const std::string& key);
    void evict();

    Vfs vfs_;
    ReadProfile profile_;
    ArchiveCacheLimits limits_;
    std::map<std::string, Slot> slots_;  // folded normalised path
    std::uint64_t counter_ = 0;
    std::uint64_t kept_bytes_ = 0;
    std::vector<Diagnostic> diagnostics_;
};

}  // namespace iron::archive
