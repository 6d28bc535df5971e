#include "shared/archive/rsli_edit.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "shared/archive/xor_stream.hpp"
#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

constexpr std::uint64_t kMax = 0xFFFFFFFFull;
constexpr std::size_t kTable = static_cast<std::size_t>(-1);
constexpr std::size_t kTrailer = static_cast<std::size_t>(-2);

/// A used byte range of the source image: the table, the trailer or a record's packed bytes.
struct Range {
    std::size_t begin, end;
    std::size_t owner;  // source record, kTable or kTrailer
    std::size_t size() const { return end - begin; }
};

/// Ranges that overlap one another can only move together, with unchanged lengths.
struct Group {
    std::size_t begin, end;
    std::vector<Range> members;
    bool holds(std::size_t owner) const {
        return std::any_of(members.begin(), members.end(), [&](const Range& r) { return r.owner == owner; });
    }
};

tl::unexpected<Error> overlap_error(const std::string& what) {
    return fail("rsli_edit_overlap", what);
}

}  // namespace

RsliEditor::RsliEditor(const Rsli& source) : source_(source) {
    items_.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) items_.push_back({source.record(i), i, std::nullopt});
}

Status RsliEditor::check_index(std::size_t index) const {
    if (index >= items_.size())
        return fail("bad_index", "there is no record " + std::to_string(index));
    return {};
}

Status RsliEditor::set_payload(std::size_t index, Bytes plain) {
    IRON_CHECK(check_index(index));
    IRON_CHECK(rsli_encode(static_cast<RsliMethod>(items_[index].record.method_bits()), 0, {}));
    items_[index].plain = std::move(plain);
    changed_ = true;
    return {};
}

Status RsliEditor::rename(std::size_t index, std::string_view name) {
    IRON_CHECK(check_index(index));
    IRON_CHECK(check_rsli_name(name));
    items_[index].record.name_field.assign(ascii_upper(name));
    changed_ = resort_ = true;
    return {};
}

Result<std::size_t> RsliEditor::add(std::string_view name, Bytes plain, RsliMethod method) {
    IRON_CHECK(check_rsli_name(name));
    IRON_CHECK(rsli_encode(method, 0, {}));
    if (items_.size() >= 0x7FFF)
        return fail("too_many_records", "a library has at most 32767 records");
    Item item;
    item.record.name_field.assign(ascii_upper(name));
    item.record.flags = static_cast<std::uint16_t>(method);
    item.plain = std::move(plain);
    items_.push_back(std::move(item));
    changed_ = resort_ = true;
    return items_.size() - 1;
}

Status RsliEditor::remove(std::size_t index) {
    IRON_CHECK(check_index(index));
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
    changed_ = resort_ = true;
    return {};
}

/// One run of finish(): encode what must be encoded, move the ranges, write the table last.
class RsliEditWriter {
public:
    explicit RsliEditWriter(const RsliEditor& editor)
        : editor_(editor), source_(editor.source_), image_(source_.image()),
          old_table_end_(kRsliHeaderSize + source_.size() * kRsliRecordSize),
          data_end_(image_.size() - (source_.overlay() ? kRsliTrailerSize : 0)) {}

    Result<Bytes> run() {
        for (const auto& item : editor_.items_) records_.push_back(item.record);
        if (data_end_ < old_table_end_) return overlap_error("the trailer overlaps the table");
        IRON_CHECK(encode_payloads());
        IRON_CHECK(move_ranges());
        write_table();
        return finish_end();
    }

private:
    struct Packed {
        std::optional<Bytes> bytes;  // none = as in the source
        bool for_new_key = false;
        bool placed = false;
    };

    Status encode_payloads() {
        std::vector<std::uint16_t> order;
        if (editor_.resort_) order = rsli_sort_permutation(records_);
        item_of_.assign(source_.size(), kRemoved);
        packed_.resize(records_.size());
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const auto& item = editor_.items_[i];
            if (item.source) item_of_[*item.source] = i;
            const std::uint16_t key = editor_.resort_ ? order[i] : source_.key(*item.source);
            // A table built at load ignores the stored values; they stay.
            if (editor_.resort_ && source_.presorted())
                records_[i].sort_to_original = static_cast<std::int16_t>(key);
            if (item.plain) {
                if (item.plain->size() > kMax)
                    return fail("size_overflow", "a record does not fit into 4 GiB");
                IRON_TRY(packed_[i].bytes, rsli_encode(static_cast<RsliMethod>(records_[i].method_bits()),
                                                       key, *item.plain));
                records_[i].unpacked_size = static_cast<std::uint32_t>(item.plain->size());
                records_[i].packed_size = static_cast<std::uint32_t>(packed_[i].bytes->size());
            } else if (rsli_uses_key(records_[i].method_bits()) && key != source_.key(*item.source)) {
                // Only the transform depends on the key, so the packed bytes below it survive.
                const ByteView old = source_.packed(*item.source);
                packed_[i].bytes = xor_stream(old, source_.key(*item.source));
                XorStream(key).apply(*packed_[i].bytes);
                packed_[i].for_new_key = true;
            }
        }
        return {};
    }

    std::vector<Group> collect_groups() const {
        std::vector<Range> ranges{{0, old_table_end_, kTable}};
        if (source_.overlay()) ranges.push_back({data_end_, image_.size(), kTrailer});
        for (std::size_t i = 0; i < source_.size(); ++i) {
            const auto begin = static_cast<std::size_t>(source_.effective_offset(i));
            const Range range{begin, begin + source_.packed(i).size(), i};
            // An empty record may point anywhere; outside the data it has no place among segments.
            if (range.size() == 0 && (begin < old_table_end_ || begin > data_end_)) continue;
            ranges.push_back(range);
        }
        std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
            return std::tuple(a.begin, a.end, a.owner) < std::tuple(b.begin, b.end, b.owner);
        });
        std::vector<Group> groups;
        for (const Range& range : ranges) {
            if (groups.empty() || range.begin >= groups.back().end)
                groups.push_back({range.begin, range.end, {}});
            groups.back().members.push_back(range);
            groups.back().end = std::max(groups.back().end, range.end);
        }
        return groups;
    }

    Status move_ranges() {
        const std::size_t new_table_end = kRsliHeaderSize + records_.size() * kRsliRecordSize;
        append(image_.first(kRsliHeaderSize));
        out_.resize(new_table_end);
        std::size_t covered = 0;
        bool trailer_written = false;
        for (const Group& group : collect_groups()) {
            if (group.begin > covered) append(image_.subspan(covered, group.begin - covered));
            covered = group.end;
            if (group.holds(kTrailer)) {
                IRON_CHECK(place_rest());
                trailer_written = true;
            }
            if (group.members.size() > 1) {
                IRON_CHECK(put_overlapping(group));
            } else if (group.members[0].owner == kTrailer) {
                append(image_.subspan(group.begin));
            } else if (group.members[0].owner != kTable) {
                IRON_CHECK(put_record(group.members[0]));
            }
        }
        if (!trailer_written) {
            append(image_.subspan(covered));
            IRON_CHECK(place_rest());
        }
        return {};
    }

    /// Records without a place among the segments: added ones, and empty ones that pointed outside
    /// the data and are empty no longer.
    Status place_rest() {
        for (std::size_t i = 0; i < packed_.size(); ++i) {
            if (packed_[i].placed || !packed_[i].bytes) continue;
            const auto& source = editor_.items_[i].source;
            if (source && (packed_[i].bytes->empty() || !source_.packed(*source).empty())) continue;
            IRON_CHECK(set_offset(i, out_.size()));
            append(*packed_[i].bytes);
        }
        return {};
    }

    Status put_record(const Range& range) {
        const std::size_t i = item_of_[range.owner];
        if (i == kRemoved) return {};
        IRON_CHECK(set_offset(i, out_.size()));
        append(packed_[i].bytes ? ByteView(*packed_[i].bytes) : source_.packed(range.owner));
        return {};
    }

    /// Copies a group as one block and writes same-length edits into it. The table's own group
    /// cannot move: its first byte behind the table follows the table here too.
    Status put_overlapping(const Group& group) {
        const bool with_table = group.holds(kTable);
        if (with_table && records_.size() != source_.size())
            return overlap_error("a record overlaps the table, whose length changes");
        const std::size_t from = with_table ? old_table_end_ : group.begin;
        const std::size_t shift = out_.size() - from;  // wraps when the group moves down
        append(image_.subspan(from, group.end - from));
        for (const Range& member : group.members) {
            if (member.owner == kTable || member.owner == kTrailer) continue;
            const std::string name = "record " + std::to_string(member.owner);
            const std::size_t i = item_of_[member.owner];
            if (i == kRemoved) return overlap_error(name + " overlaps another range and cannot be removed");
            IRON_CHECK(set_offset(i, member.begin + shift));
            if (!packed_[i].bytes) continue;
            if (packed_[i].for_new_key)
                return overlap_error(name + " overlaps another range and cannot take a new key");
            if (packed_[i].bytes->size() != member.size())
                return overlap_error(name + " overlaps another range and cannot change its length");
            if (member.begin < old_table_end_ || member.end > data_end_)
                return overlap_error(name + " shares bytes with the table or the trailer");
            overwrite(member.begin + shift, *packed_[i].bytes);
        }
        return {};
    }

    void append(ByteView bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
    void overwrite(std::size_t at, ByteView bytes) {
        if (!bytes.empty()) std::memcpy(out_.data() + at, bytes.data(), bytes.size());
    }

    Status set_offset(std::size_t i, std::size_t place) {
        const std::uint64_t overlay = source_.overlay().value_or(0);
        if (place < overlay)
            return fail("rsli_offset_below_overlay", "a payload would lie before the overlay");
        if (place - overlay > kMax) return fail("size_overflow", "the library does not fit into 4 GiB");
        records_[i].raw_offset = static_cast<std::uint32_t>(place - overlay);
        packed_[i].placed = true;
        return {};
    }

    void write_table() {
        const ByteView table(reinterpret_cast<const std::uint8_t*>(records_.data()),
                             records_.size() * kRsliRecordSize);
        const Bytes stored = xor_stream(table, static_cast<std::uint16_t>(source_.seed() & 0xFFFF));
        overwrite(kRsliHeaderSize, stored);
        const auto count = static_cast<std::uint16_t>(records_.size());
        std::memcpy(out_.data() + 4, &count, sizeof count);
    }

    Result<Bytes> finish_end() {
        const std::size_t last = out_.size() - kRsliTrailerSize;
        // As in the canonical writer: the end must not be taken for a trailer (4.10).
        if (!source_.overlay() && out_[last] == 0x41 && out_[last + 1] == 0x4F) out_.push_back(0);
        if (source_.overlay().value_or(0) > out_.size())
            return fail("rsli_offset_below_overlay", "the library would be shorter than its overlay");
        return std::move(out_);
    }

    static constexpr std::size_t kRemoved = static_cast<std::size_t>(-1);
    const RsliEditor& editor_;
    const Rsli& source_;
    ByteView image_;
    std::size_t old_table_end_, data_end_;
    std::vector<RsliRecord> records_;
    std::vector<Packed> packed_;
    std::vector<std::size_t> item_of_;  // source record -> item
    Bytes out_;
};

Result<Bytes> RsliEditor::finish() const {
    if (!changed_) return Bytes(source_.image().begin(), source_.image().end());
    return RsliEditWriter(*this).run();
}

}  // namespace iron::archive
