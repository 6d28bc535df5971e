// One root of the virtual file system: an immutable index of names, and reading by node.
// Used by vfs.cpp only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shared/archive/vfs.hpp"

namespace iron::archive {

/// What the walk over a disk or a memory map found, before it is flattened.
struct VfsDraft {
    enum class Kind : std::uint8_t { folder, unreadable_folder, file, symlink, other };
    std::string name;
    Kind kind = Kind::folder;
    std::shared_ptr<const Bytes> bytes;  // memory files
    std::vector<VfsDraft> children;
};

class VfsLayer {
public:
    static Result<std::shared_ptr<const VfsLayer>> from_disk(const std::filesystem::path& root,
                                                             const VfsLimits& limits);
    static Result<std::shared_ptr<const VfsLayer>> from_memory(std::map<std::string, Bytes> files);

    VfsLayer(VfsDraft root, int root_fd, const VfsLimits& limits);
    VfsLayer(const VfsLayer&) = delete;
    VfsLayer& operator=(const VfsLayer&) = delete;
    ~VfsLayer();

    /// Nodes from the first segment down to the regular file. `text` is normalised.
    Result<std::vector<std::uint32_t>> find_file(std::string_view text) const;
    /// Appends the raw paths of all regular files below a folder ("" = root).
    Status list(std::string_view text, std::vector<std::string>& out) const;

    std::string path_of(const std::vector<std::uint32_t>& nodes) const;
    Result<SharedBytes> read(const std::vector<std::uint32_t>& nodes) const;
    Result<std::uint64_t> size(const std::vector<std::uint32_t>& nodes) const;

private:
    struct Node {
        std::string name;
        VfsDraft::Kind kind = VfsDraft::Kind::folder;
        std::uint32_t first_child = 0;
        std::uint32_t child_count = 0;
        std::shared_ptr<const Bytes> bytes;
    };
    void flatten(std::uint32_t node, std::vector<VfsDraft> children);
    Result<std::uint32_t> child(std::uint32_t folder, std::string_view segment) const;
    Status enter(std::uint32_t node) const;
    void collect(std::uint32_t folder, const std::string& prefix,
                 std::vector<std::string>& out) const;

    std::vector<Node> nodes_;  // [0] is the root; children of a folder are adjacent and sorted
    int root_fd_ = -1;
    VfsLimits limits_;
};

}  // namespace iron::archive
