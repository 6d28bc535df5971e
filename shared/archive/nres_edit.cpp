#include "shared/archive/nres_edit.hpp"

#include <algorithm>

namespace iron::archive {
namespace {

constexpr std::uint64_t kMax = 0xFFFFFFFFull;

}  // namespace

NresEditor::NresEditor(const Nres& source) : source_(source) {
    items_.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i)
        items_.push_back({source.entry(i), static_cast<std::uint32_t>(i), std::nullopt});
}

Status NresEditor::check_index(std::size_t index) const {
    if (index >= items_.size())
        return fail("bad_index", "there is no entry " + std::to_string(index));
    return {};
}

ByteView NresEditor::payload(std::size_t index) const {
    const Item& item = items_[index];
    return item.payload ? ByteView(*item.payload) : source_.payload(*item.source);
}

Status NresEditor::set_payload(std::size_t index, Bytes payload) {
    IRON_CHECK(check_index(index));
    items_[index].payload = std::move(payload);
    return {};
}

Status NresEditor::rename(std::size_t index, std::string_view name) {
    IRON_CHECK(check_index(index));
    IRON_CHECK(check_nres_name(name));
    items_[index].entry.name_field.assign(name);
    resort_ = true;
    return {};
}

Status NresEditor::set_type(std::size_t index, std::uint32_t type_id) {
    IRON_CHECK(check_index(index));
    items_[index].entry.type_id = type_id;
    return {};
}

Status NresEditor::set_attributes(std::size_t index, std::uint32_t attr1, std::uint32_t attr2,
                                  std::uint32_t attr3) {
    IRON_CHECK(check_index(index));
    items_[index].entry.attr1 = attr1;
    items_[index].entry.attr2 = attr2;
    items_[index].entry.attr3 = attr3;
    return {};
}

Result<std::size_t> NresEditor::add(std::uint32_t type_id, std::uint32_t attr1, std::uint32_t attr2,
                                    std::uint32_t attr3, std::string_view name, Bytes payload) {
    IRON_CHECK(check_nres_name(name));
    Item item;
    item.entry.type_id = type_id;
    item.entry.attr1 = attr1;
    item.entry.attr2 = attr2;
    item.entry.attr3 = attr3;
    item.entry.name_field.assign(name);
    item.payload = std::move(payload);
    items_.push_back(std::move(item));
    resort_ = true;
    return items_.size() - 1;
}

Status NresEditor::remove(std::size_t index) {
    IRON_CHECK(check_index(index));
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
    resort_ = true;
    return {};
}

Status NresEditor::move(std::size_t from, std::size_t to) {
    IRON_CHECK(check_index(from));
    IRON_CHECK(check_index(to));
    if (from == to) return {};
    Item item = std::move(items_[from]);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(from));
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(to), std::move(item));
    resort_ = true;
    return {};
}

Result<Bytes> NresEditor::finish() const {
    constexpr std::uint32_t kRemoved = 0xFFFFFFFF;
    std::vector<std::uint32_t> item_of(source_.size(), kRemoved);  // source index -> item
    std::uint64_t bound = source_.image().size();
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].source) item_of[*items_[i].source] = static_cast<std::uint32_t>(i);
        bound += items_[i].payload ? items_[i].payload->size() + 16 : 8;
    }
    bound += items_.size() * kNresRecordSize;
    if (bound > kMax) return fail("size_overflow", "the edited archive may not fit into 4 GiB");

    const ByteView image = source_.image();
    std::vector<NresEntry> directory;
    directory.reserve(items_.size());
    for (const Item& item : items_) directory.push_back(item.entry);
    ByteWriter out;
    out.bytes(image.first(kNresHeaderSize));

    const auto put_payload = [&](std::size_t index) {
        directory[index].offset = static_cast<std::uint32_t>(out.size());
        directory[index].size = static_cast<std::uint32_t>(payload(index).size());
        out.bytes(payload(index));
    };
    const auto put_literal = [&](const NresRegion& region) {
        const ByteView bytes = image.subspan(region.begin, region.size());
        if (region.begin == out.size()) {
            out.bytes(bytes);
            return;
        }
        if (!region.padding) out.bytes(bytes);
        out.align(8);
    };

    const auto& regions = source_.regions();
    std::size_t next_region = 0;
    bool after_removed = false;  // the padding behind a removed payload goes with it
    const auto put_literals_before = [&](std::uint32_t limit) {
        for (; next_region < regions.size() && regions[next_region].begin < limit; ++next_region) {
            if (!(after_removed && regions[next_region].padding)) put_literal(regions[next_region]);
            after_removed = false;
        }
    };
    for (const std::uint32_t source_index : source_.payload_order()) {
        const std::uint32_t offset = source_.entry(source_index).offset;
        put_literals_before(offset);
        const std::uint32_t index = item_of[source_index];
        after_removed = index == kRemoved;
        if (after_removed) continue;
        if (offset % 8 == 0) out.align(8);
        put_payload(index);
    }
    put_literals_before(source_.directory_offset());
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].source) continue;
        out.align(8);
        put_payload(i);
        out.align(8);
    }
    if (source_.directory_offset() % 8 == 0) out.align(8);

    if (resort_) {
        const std::vector<std::uint32_t> order = nres_sort_permutation(directory);
        for (std::size_t p = 0; p < order.size(); ++p) directory[p].sort_index = order[p];
    }
    const std::uint64_t total = out.size() + directory.size() * kNresRecordSize;
    out.bytes({reinterpret_cast<const std::uint8_t*>(directory.data()),
               directory.size() * kNresRecordSize});
    out.patch(8, static_cast<std::uint32_t>(directory.size()));
    out.patch(12, static_cast<std::uint32_t>(total));
    return out.take();
}

}  // namespace iron::archive
