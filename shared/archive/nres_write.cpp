// The canonical writer of archives.md 3.7.
#include "shared/archive/nres.hpp"

namespace iron::archive {
namespace {

constexpr std::uint64_t kMax = 0xFFFFFFFFull;

/// Lays the payloads out in directory order and appends the sorted directory.
template <class PayloadOf>
Result<Bytes> write_canonical(std::vector<NresEntry> entries, const PayloadOf& payload_of) {
    std::uint64_t end = kNresHeaderSize;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::uint64_t size = payload_of(i).size();
        if (end > kMax || size > kMax)
            return fail("size_overflow", "entry " + std::to_string(i) + " does not fit into 4 GiB");
        entries[i].offset = static_cast<std::uint32_t>(end);
        entries[i].size = static_cast<std::uint32_t>(size);
        end = (end + size + 7) & ~std::uint64_t{7};
    }
    const std::uint64_t total = end + entries.size() * kNresRecordSize;
    if (total > kMax || entries.size() > 0x7FFFFFFF)
        return fail("size_overflow", "the archive does not fit into 4 GiB");

    const std::vector<std::uint32_t> order = nres_sort_permutation(entries);
    Bytes out(static_cast<std::size_t>(total));
    const auto put = [&](std::size_t at, const void* from, std::size_t size) {
        if (size != 0) std::memcpy(out.data() + at, from, size);
    };
    const std::uint32_t header[4] = {0x7365524E, 0x100, static_cast<std::uint32_t>(entries.size()),
                                     static_cast<std::uint32_t>(total)};
    put(0, header, sizeof header);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const ByteView payload = payload_of(i);
        put(entries[i].offset, payload.data(), payload.size());
        entries[i].sort_index = order[i];
    }
    put(static_cast<std::size_t>(end), entries.data(), entries.size() * kNresRecordSize);
    return out;
}

}  // namespace

Result<Bytes> write_nres_canonical(const Nres& archive) {
    return write_canonical(archive.entries(), [&](std::size_t i) { return archive.payload(i); });
}

Status check_nres_name(std::string_view name) {
    if (name.empty()) return fail("name_empty", "an entry name must not be empty");
    if (name.size() > kNresNameMax)
        return fail("name_too_long", "an entry name has at most 35 bytes: '" + std::string(name) + "'");
    if (name.find('\0') != std::string_view::npos)
        return fail("name_nul", "an entry name must not contain a NUL byte");
    return {};
}

NresBuilder& NresBuilder::add(std::uint32_t type_id, std::uint32_t attr1, std::uint32_t attr2,
                              std::uint32_t attr3, std::string_view name, Bytes payload) {
    Item item{{}, std::string(name), std::move(payload)};
    item.entry.type_id = type_id;
    item.entry.attr1 = attr1;
    item.entry.attr2 = attr2;
    item.entry.attr3 = attr3;
    items_.push_back(std::move(item));
    return *this;
}

Result<Bytes> NresBuilder::build() const {
    std::vector<NresEntry> entries;
    entries.reserve(items_.size());
    for (const Item& item : items_) {
        IRON_CHECK(check_nres_name(item.name));
        entries.push_back(item.entry);
        entries.back().name_field.assign(item.name);
    }
    return write_canonical(std::move(entries),
                           [&](std::size_t i) { return ByteView(items_[i].payload); });
}

}  // namespace iron::archive
