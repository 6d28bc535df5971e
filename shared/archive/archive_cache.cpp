#include "shared/archive/archive_cache.hpp"

#include "shared/base/text.hpp"

namespace iron::archive {

ArchiveCache::ArchiveCache(Vfs vfs, ReadProfile profile, ArchiveCacheLimits limits)
    : vfs_(std::move(vfs)), profile_(profile), limits_(limits) {}

template <class T, class Reader>
Result<std::shared_ptr<const T>> ArchiveCache::open(std::string_view path, Reader&& reader) {
    IRON_TRY(const DataPath normal, normalize_path(path));
    const std::string key = normal.key();
    ++counter_;
    if (const auto it = slots_.find(key); it != slots_.end() && it->second.is<T>()) {
        Slot& slot = it->second;
        if (auto alive = slot.alive.lock()) {
            slot.used = counter_;
            if (!slot.kept) {
                slot.kept = alive;
                kept_bytes_ += slot.bytes;
                evict();
            }
            return std::static_pointer_cast<const T>(std::move(alive));
        }
    }
    IRON_TRY(SharedBytes image, vfs_.read_shared(path));
    const std::uint64_t bytes = image.view.size();
    ReadContext context;
    context.profile = profile_;
    context.path = normal.text;
    auto parsed = reader(std::move(image), context);
    for (Diagnostic& d : context.diagnostics) diagnostics_.push_back(std::move(d));
    if (!parsed) return tl::unexpected(std::move(parsed).error());
    auto archive = std::make_shared<const T>(std::move(*parsed));

    forget(key);
    Slot& slot = slots_[key];
    slot.kept = archive;
    slot.alive = slot.kept;
    slot.type = Slot::type_of<T>();
    slot.bytes = bytes;
    slot.used = counter_;
    kept_bytes_ += bytes;
    evict();
    return archive;
}

Result<std::shared_ptr<const Nres>> ArchiveCache::open_nres(std::string_view path) {
    return open<Nres>(path, [](SharedBytes image, ReadContext& context) {
        return read_nres(std::move(image), context);
    });
}

Result<std::shared_ptr<const Rsli>> ArchiveCache::open_rsli(std::string_view path) {
    return open<Rsli>(path, [](SharedBytes image, ReadContext& context) {
        return read_rsli(std::move(image), context);
    });
}

Result<NresResource> ArchiveCache::find(std::string_view path, std::string_view name) {
    IRON_TRY(auto archive, open_nres(path));
    const auto index = archive->find(name);
    if (!index)
        return tl::unexpected(
            Error("entry_missing", "the archive has no such entry").in(path).entry(cp1251_to_utf8(name)));
    const ByteView bytes = archive->payload(*index);
    return NresResource{std::move(archive), *index, bytes};
}

Result<Bytes> ArchiveCache::load_rsli(std::string_view path, std::string_view name) {
    IRON_TRY(const auto library, open_rsli(path));
    const auto index = library->find(name);
    if (!index)
        return tl::unexpected(
            Error("entry_missing", "the library has no such record").in(path).entry(cp1251_to_utf8(name)));
    ReadContext context;
    context.profile = profile_;
    context.path = path;
    auto bytes = library->load(*index, context);
    for (Diagnostic& d : context.diagnostics) diagnostics_.push_back(std::move(d));
    return bytes;
}

std::vector<Diagnostic> ArchiveCache::take_diagnostics() { return std::exchange(diagnostics_, {}); }

void ArchiveCache::forget(const std::string& key) {
    const auto it = slots_.find(key);
    if (it == slots_.end()) return;
    if (it->second.kept) kept_bytes_ -= it->second.bytes;
    slots_.erase(it);
}

void ArchiveCache::drop(std::string_view path) {
    if (const auto normal = normalize_path(path)) forget(normal->key());
}

void ArchiveCache::clear() {
    slots_.clear();
    kept_bytes_ = 0;
}

std::size_t ArchiveCache::kept_archives() const {
    std::size_t count = 0;
    for (const auto& [key, slot] : slots_) count += slot.kept ? 1 : 0;
    return count;
}

void ArchiveCache::evict() {
    for (std::size_t kept = kept_archives();
         kept > limits_.archives || kept_bytes_ > limits_.bytes; --kept) {
        auto oldest = slots_.end();
        for (auto it = slots_.begin(); it != slots_.end(); ++it)
            if (it->second.kept && (oldest == slots_.end() || it->second.used < oldest->second.used))
                oldest = it;
        if (oldest == slots_.end()) break;
        kept_bytes_ -= oldest->second.bytes;
        oldest->second.kept.reset();
    }
    for (auto it = slots_.begin(); it != slots_.end();)
        it = !it->second.kept && it->second.alive.expired() ? slots_.erase(it) : std::next(it);
}

}  // namespace iron::archive
