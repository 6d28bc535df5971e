#include "shared/archive/vfs.hpp"

#include <algorithm>
#include <set>

#include "shared/archive/vfs_layer.hpp"
#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

struct Found {
    std::size_t layer;
    std::vector<std::uint32_t> nodes;
};

tl::unexpected<Error> with_path(Error error, std::string_view path) {
    return tl::unexpected(std::move(error).in(path));
}

/// Rule 5: layers in order, only not_found falls through.
Result<Found> find(const std::vector<std::shared_ptr<const VfsLayer>>& layers, std::string_view path) {
    IRON_TRY(const DataPath normal, normalize_path(path));
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto nodes = layers[i]->find_file(normal.text);
        if (nodes) return Found{i, std::move(*nodes)};
        if (nodes.error().code() != "not_found") return with_path(std::move(nodes).error(), path);
    }
    return with_path(Error("not_found", "no such file"), path);
}

}  // namespace

Result<Vfs> Vfs::open(const std::filesystem::path& root, const VfsLimits& limits) {
    return open_layers({root}, limits);
}

Result<Vfs> Vfs::open_layers(const std::vector<std::filesystem::path>& roots,
                             const VfsLimits& limits) {
    Vfs out;
    for (const auto& root : roots) {
        IRON_TRY(auto layer, VfsLayer::from_disk(root, limits));
        out.layers_.push_back(std::move(layer));
    }
    return out;
}

Result<Vfs> Vfs::from_memory(std::map<std::string, Bytes> files) {
    Vfs out;
    IRON_TRY(auto layer, VfsLayer::from_memory(std::move(files)));
    out.layers_.push_back(std::move(layer));
    return out;
}

Vfs Vfs::over(const Vfs& lower) const {
    Vfs out = *this;
    out.layers_.insert(out.layers_.end(), lower.layers_.begin(), lower.layers_.end());
    return out;
}

Result<SharedBytes> Vfs::read_shared(std::string_view path) const {
    IRON_TRY(const Found found, find(layers_, path));
    auto bytes = layers_[found.layer]->read(found.nodes);
    if (!bytes) return with_path(std::move(bytes).error(), path);
    return bytes;
}

Result<Bytes> Vfs::read(std::string_view path) const {
    IRON_TRY(SharedBytes shared, read_shared(path));
    // A disk layer made this buffer (SharedBytes::own, not const) for us alone; only the bytes of a
    // memory layer have a second owner and must be copied.
    if (shared.owner.use_count() == 1) return std::move(*std::const_pointer_cast<Bytes>(shared.owner));
    return Bytes(shared.view.begin(), shared.view.end());
}

Result<VfsFile> Vfs::resolve(std::string_view path) const {
    IRON_TRY(const Found found, find(layers_, path));
    return VfsFile{layers_[found.layer]->path_of(found.nodes), found.layer};
}

Result<std::uint64_t> Vfs::size(std::string_view path) const {
    IRON_TRY(const Found found, find(layers_, path));
    auto bytes = layers_[found.layer]->size(found.nodes);
    if (!bytes) return with_path(std::move(bytes).error(), path);
    return bytes;
}

bool Vfs::exists(std::string_view path) const { return find(layers_, path).has_value(); }

Result<std::vector<VfsFile>> Vfs::list(std::string_view prefix) const {
    std::string folder;
    if (!prefix.empty()) {
        IRON_TRY(DataPath normal, normalize_path(prefix));
        folder = std::move(normal.text);
    }
    std::vector<VfsFile> out;
    std::set<std::string> hidden;  // folded paths of earlier layers
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        std::vector<std::string> paths;
        if (auto listed = layers_[i]->list(folder, paths); !listed) {
            if (listed.error().code() == "not_found") continue;
            return with_path(std::move(listed).error(), prefix);
        }
        std::vector<std::string> keys;
        for (std::string& path : paths) {
            std::string key = layers_.size() > 1 ? ascii_lower(path) : std::string{};
            if (i > 0 && hidden.count(key) != 0) continue;
            keys.push_back(std::move(key));
            out.push_back({std::move(path), i});
        }
        if (layers_.size() > 1) hidden.insert(keys.begin(), keys.end());
    }
    std::sort(out.begin(), out.end(), [](const VfsFile& a, const VfsFile& b) {
        return a.path != b.path ? a.path < b.path : a.layer < b.layer;
    });
    return out;
}

}  // namespace iron::archive
