#include "shared/archive/vfs_layer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

using Kind = VfsDraft::Kind;

/// Owns a descriptor until release().
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(-1); }
    void reset(int fd) {
        if (fd_ >= 0) ::close(fd_);
        fd_ = fd;
    }
    int release() { return std::exchange(fd_, -1); }
    int get() const { return fd_; }

private:
    int fd_;
};

Kind kind_of_mode(mode_t mode) {
    if (S_ISREG(mode)) return Kind::file;
    if (S_ISDIR(mode)) return Kind::folder;
    return S_ISLNK(mode) ? Kind::symlink : Kind::other;
}

Kind kind_of_entry(int folder_fd, const dirent& entry) {
    switch (entry.d_type) {
        case DT_REG: return Kind::file;
        case DT_DIR: return Kind::folder;
        case DT_LNK: return Kind::symlink;
        case DT_UNKNOWN: break;
        default: return Kind::other;
    }
    struct stat info {};
    if (::fstatat(folder_fd, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return Kind::other;
    return kind_of_mode(info.st_mode);
}

/// Reads a tree of names. Symbolic links are recorded and never followed.
class DiskWalk {
public:
    explicit DiskWalk(const VfsLimits& limits) : limits_(limits) {}

    Status walk(int fd, VfsDraft& folder, std::size_t depth) {
        DIR* dir = ::fdopendir(fd);  // owns fd from here
        if (dir == nullptr) {
            ::close(fd);
            folder.kind = Kind::unreadable_folder;
            return {};
        }
        const std::unique_ptr<DIR, int (*)(DIR*)> guard(dir, &::closedir);
        for (errno = 0; const dirent* entry = ::readdir(dir); errno = 0) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            if (++nodes_ > limits_.nodes)
                return fail("limit_exceeded", "the tree has too many files");
            folder.children.push_back({std::string(name), kind_of_entry(fd, *entry), nullptr, {}});
        }
        if (errno != 0) folder.kind = Kind::unreadable_folder;
        for (VfsDraft& child : folder.children) {
            if (child.kind != Kind::folder) continue;
            if (depth >= limits_.depth)
                return fail("limit_exceeded", "the tree is too deep at '" + child.name + "'");
            const int child_fd =
                ::openat(fd, child.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (child_fd < 0) {
                child.kind = errno == ELOOP ? Kind::symlink : Kind::unreadable_folder;
                continue;
            }
            IRON_CHECK(walk(child_fd, child, depth + 1));
        }
        return {};
    }

private:
    const VfsLimits& limits_;
    std::size_t nodes_ = 0;
};

int compare_children(std::string_view a, std::string_view b) {
    const int folded = ascii_icompare(a, b);
    return folded != 0 ? folded : a.compare(b);
}

/// Cuts the first segment off `rest`.
std::string_view next_segment(std::string_view& rest) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    return segment;
}

}  // namespace

Result<std::shared_ptr<const VfsLayer>> VfsLayer::from_disk(const std::filesystem::path& root,
                                                            const VfsLimits& limits) {
    Descriptor fd(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) {
        const int code = errno;
        const char* name = code == ENOENT ? "not_found" : code == ENOTDIR ? "not_a_folder" : "io_error";
        return tl::unexpected(
            Error(name, std::string("cannot open the root folder: ") + std::strerror(code))
                .in(root.string()));
    }
    // fdopendir takes its descriptor over; the layer keeps another one to read from.
    const int walk_fd = ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0);
    if (walk_fd < 0)
        return tl::unexpected(Error("io_error", std::strerror(errno)).in(root.string()));
    VfsDraft draft;
    if (auto done = DiskWalk(limits).walk(walk_fd, draft, 0); !done)
        return tl::unexpected(Error(std::move(done).error()).in(root.string()));
    if (draft.kind == Kind::unreadable_folder)
        return tl::unexpected(Error("io_error", "cannot list the root folder").in(root.string()));
    return std::make_shared<const VfsLayer>(std::move(draft), fd.release(), limits);
}

Result<std::shared_ptr<const VfsLayer>> VfsLayer::from_memory(std::map<std::string, Bytes> files) {
    const VfsLimits limits;
    VfsDraft root;
    for (auto& [raw, bytes] : files) {
        IRON_TRY(const DataPath path, normalize_path(raw, PathProfile::strict));
        VfsDraft* node = &root;
        std::size_t depth = 0;
        for (std::string_view rest = path.text; !rest.empty();) {
            const std::string_view segment = next_segment(rest);
            if (++depth > limits.depth)
                return tl::unexpected(Error("limit_exceeded", "the path is too deep").in(raw));
            auto& children = node->children;
            // Sorted input: a folder in use is usually among the last children.
            auto it = std::find_if(children.rbegin(), children.rend(),
                                   [&](const VfsDraft& c) { return c.name == segment; });
            if (it == children.rend()) {
                children.push_back({std::string(segment), rest.empty() ? Kind::file : Kind::folder,
                                    nullptr, {}});
                node = &children.back();
            } else {
                node = &*it;
                if (rest.empty() || node->kind != Kind::folder)
                    return tl::unexpected(
                        Error("not_a_folder", "the path is both a file and a folder, or doubled").in(raw));
            }
        }
        node->bytes = std::make_shared<const Bytes>(std::move(bytes));
    }
    return std::make_shared<const VfsLayer>(std::move(root), -1, limits);
}

VfsLayer::VfsLayer(VfsDraft root, int root_fd, const VfsLimits& limits)
    : root_fd_(root_fd), limits_(limits) {
    nodes_.emplace_back();
    flatten(0, std::move(root.children));
}

VfsLayer::~VfsLayer() {
    if (root_fd_ >= 0) ::close(root_fd_);
}

void VfsLayer::flatten(std::uint32_t node, std::vector<VfsDraft> children) {
    std::sort(children.begin(), children.end(), [](const VfsDraft& a, const VfsDraft& b) {
        return compare_children(a.name, b.name) < 0;
    });
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first_child = first;
    nodes_[node].child_count = static_cast<std::uint32_t>(children.size());
    for (VfsDraft& c : children)
        nodes_.push_back({std::move(c.name), c.kind, 0, 0, std::move(c.bytes)});
    for (std::size_t i = 0; i < children.size(); ++i)
        if (!children[i].children.empty())
            flatten(first + static_cast<std::uint32_t>(i), std::move(children[i].children));
}

Result<std::uint32_t> VfsLayer::child(std::uint32_t folder, std::string_view segment) const {
    const Node& parent = nodes_[folder];
    const auto begin = nodes_.begin() + parent.first_child;
    const auto end = begin + parent.child_count;
    const auto it = std::lower_bound(begin, end, segment, [](const Node& n, std::string_view key) {
        return ascii_icompare(n.name, key) < 0;
    });
    if (it == end || !ascii_iequals(it->name, segment))
        return fail("not_found", "no file or folder '" + std::string(segment) + "'");
    if (it + 1 != end && ascii_iequals((it + 1)->name, segment))
        return fail("ambiguous", "'" + it->name + "' and '" + (it + 1)->name + "' differ only by case");
    return static_cast<std::uint32_t>(it - nodes_.begin());
}

Status VfsLayer::enter(std::uint32_t node) const {
    const Node& n = nodes_[node];
    switch (n.kind) {
        case Kind::folder: return {};
        case Kind::unreadable_folder: return fail("io_error", "the folder '" + n.name + "' cannot be read");
        case Kind::symlink: return fail("symlink", "'" + n.name + "' is a symbolic link");
        default: return fail("not_a_folder", "'" + n.name + "' is not a folder");
    }
}

Result<std::vector<std::uint32_t>> VfsLayer::find_file(std::string_view text) const {
    std::vector<std::uint32_t> nodes;
    std::uint32_t folder = 0;
    for (std::string_view rest = text; !rest.empty();) {
        IRON_TRY(const std::uint32_t node, child(folder, next_segment(rest)));
        nodes.push_back(node);
        if (!rest.empty()) {
            IRON_CHECK(enter(node));
            folder = node;
        } else if (nodes_[node].kind != Kind::file) {
            const bool link = nodes_[node].kind == Kind::symlink;
            return fail(link ? "symlink" : "not_a_file",
                        "'" + nodes_[node].name + (link ? "' is a symbolic link" : "' is not a regular file"));
        }
    }
    return nodes;
}

Status VfsLayer::list(std::string_view text, std::vector<std::string>& out) const {
    std::uint32_t folder = 0;
    std::string prefix;
    for (std::string_view rest = text; !rest.empty();) {
        IRON_TRY(const std::uint32_t node, child(folder, next_segment(rest)));
        IRON_CHECK(enter(node));
        prefix += nodes_[node].name + '/';
        folder = node;
    }
    collect(folder, prefix, out);
    return {};
}

void VfsLayer::collect(std::uint32_t folder, const std::string& prefix,
                       std::vector<std::string>& out) const {
    const Node& parent = nodes_[folder];
    for (std::uint32_t i = 0; i < parent.child_count; ++i) {
        const Node& n = nodes_[parent.first_child + i];
        if (n.kind == Kind::file) out.push_back(prefix + n.name);
        if (n.kind == Kind::folder) collect(parent.first_child + i, prefix + n.name + '/', out);
    }
}

std::string VfsLayer::path_of(const std::vector<std::uint32_t>& nodes) const {
    std::string path;
    for (const std::uint32_t node : nodes) {
        if (!path.empty()) path += '/';
        path += nodes_[node].name;
    }
    return path;
}

namespace {

/// Opens root/name/name/... one segment at a time without following links, so that a folder
/// exchanged for a link after indexing cannot lead outside.
Result<int> open_beneath(int root_fd, const std::vector<const std::string*>& names) {
    Descriptor at;
    int base = root_fd;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool last = i + 1 == names.size();
        // O_NONBLOCK: a pipe put in the file's place must not block the open.
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
        const int fd = ::openat(base, names[i]->c_str(), flags);
        if (fd < 0) {
            const int code = errno;
            return fail(code == ELOOP ? "symlink" : "io_error",
                        "cannot open '" + *names[i] + "': " + std::strerror(code));
        }
        at.reset(fd);
        base = fd;
    }
    return at.release();
}

Result<std::uint64_t> regular_size(int fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) return fail("io_error", std::strerror(errno));
    if (!S_ISREG(info.st_mode)) return fail("not_a_file", "not a regular file");
    return static_cast<std::uint64_t>(info.st_size);
}

}  // namespace

Result<SharedBytes> VfsLayer::read(const std::vector<std::uint32_t>& nodes) const {
    if (const auto& bytes = nodes_[nodes.back()].bytes) return SharedBytes{bytes, *bytes};
    std::vector<const std::string*> names;
    for (const std::uint32_t node : nodes) names.push_back(&nodes_[node].name);
    IRON_TRY(const int raw_fd, open_beneath(root_fd_, names));
    const Descriptor fd(raw_fd);
    IRON_TRY(const std::uint64_t size, regular_size(raw_fd));
    if (size > limits_.file_bytes)
        return fail("file_too_large", std::to_string(size) + " bytes, the limit is " +
                                          std::to_string(limits_.file_bytes));
    Bytes out(static_cast<std::size_t>(size));
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t n = ::read(raw_fd, out.data() + done, out.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail("io_error", std::string("cannot read: ") + std::strerror(errno));
        if (n == 0) return fail("io_error", "the file shrank while it was read", done);
        done += static_cast<std::size_t>(n);
    }
    return SharedBytes::own(std::move(out));
}

Result<std::uint64_t> VfsLayer::size(const std::vector<std::uint32_t>& nodes) const {
    if (const auto& bytes = nodes_[nodes.back()].bytes) return bytes->size();
    std::vector<const std::string*> names;
    for (const std::uint32_t node : nodes) names.push_back(&nodes_[node].name);
    IRON_TRY(const int raw_fd, open_beneath(root_fd_, names));
    const Descriptor fd(raw_fd);
    return regular_size(raw_fd);
}

}  // namespace iron::archive
