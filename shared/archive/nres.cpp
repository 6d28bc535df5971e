#include "shared/archive/nres.hpp"

#include <algorithm>
#include <numeric>

#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

constexpr std::uint32_t kMagic = 0x7365524E;  // "NRes"
constexpr std::uint32_t kVersion = 0x100;

int icompare_upper(std::string_view a, std::string_view b) {
    const std::size_t n = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = static_cast<std::uint8_t>(ascii_upper(a[i]));
        const auto y = static_cast<std::uint8_t>(ascii_upper(b[i]));
        if (x != y) return x < y ? -1 : 1;
    }
    return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
}

bool all_zero(ByteView bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

/// Orders directory indices by folded name. The fold is done once for all names.
std::vector<std::uint32_t> sort_by_name(const std::vector<NresEntry>& entries) {
    std::vector<std::array<char, 36>> folded(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string_view name = entries[i].name();
        for (std::size_t k = 0; k < name.size(); ++k) folded[i][k] = ascii_lower(name[k]);
    }
    std::vector<std::uint32_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0u);
    // Unused bytes are NUL, so a prefix sorts first; the index makes the sort stable.
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int c = std::memcmp(folded[a].data(), folded[b].data(), folded[a].size());
        return c != 0 ? c < 0 : a < b;
    });
    return order;
}

}  // namespace

std::vector<std::uint32_t> nres_sort_permutation(const std::vector<NresEntry>& entries) {
    return sort_by_name(entries);
}

ByteView Nres::payload(std::size_t index) const { return payload(entries_[index]); }

ByteView Nres::payload(const NresEntry& entry) const {
    return image_.view.subspan(entry.offset, entry.size);
}

std::optional<std::size_t> Nres::find(std::string_view name) const {
    // by_name_ orders equal names by directory index, so the lower bound is the lowest index: the
    // answer a linear scan would give, whatever the stored table says.
    const auto it = std::lower_bound(
        by_name_.begin(), by_name_.end(), name, [&](std::uint32_t index, std::string_view key) {
            return ascii_icompare(entries_[index].name(), key) < 0;
        });
    if (it == by_name_.end() || !ascii_iequals(entries_[*it].name(), name)) return std::nullopt;
    return *it;
}

std::optional<std::size_t> Nres::find_type(std::uint32_t type_id) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].type_id == type_id) return i;
    return std::nullopt;
}

/// The checks of 3.3, one function a group, in table order.
class NresReader {
public:
    NresReader(SharedBytes image, ReadContext& context, NresRole role, const NresLimits& limits)
        : context_(context), limits_(limits) {
        out_.image_ = std::move(image);
        out_.role_ = role;
    }

    Result<Nres> run() {
        IRON_CHECK(read_header());
        IRON_CHECK(read_directory());
        IRON_CHECK(check_payloads());
        IRON_CHECK(check_sort_table());
        IRON_CHECK(check_alignment());
        IRON_CHECK(collect_regions());
        warn_duplicates();
        return std::move(out_);
    }

private:
    ByteView bytes() const { return out_.image_.view; }

    tl::unexpected<Error> error(std::string code, std::string message, std::uint64_t offset) const {
        return tl::unexpected(Error(std::move(code), std::move(message))
                                  .at(offset)
                                  .in(context_.path)
                                  .entry(context_.entry));
    }
    std::uint64_t record_offset(std::size_t index) const {
        return out_.directory_offset_ + index * kNresRecordSize;
    }
    std::string label(std::size_t index) const {
        return "entry " + std::to_string(index) + " '" +
               cp1251_to_utf8(out_.entries_[index].name()) + "'";
    }

    Status read_header() {
        const std::uint64_t length = bytes().size();
        if (length > limits_.image || length > 0xFFFFFFFFull)
            return error("limit_exceeded", "the container has " + std::to_string(length) + " bytes", 0);
        if (length < kNresHeaderSize)
            return error("truncated", "an NRes container needs at least 16 bytes", length);
        if (load_le<std::uint32_t>(bytes().data()) != kMagic)
            return error("nres_bad_magic", "the container does not begin with 'NRes'", 0);
        if (load_le<std::uint32_t>(bytes().data() + 4) != kVersion)
            return error("nres_bad_version", "the version is not 0x100", 4);
        const auto count = load_le<std::int32_t>(bytes().data() + 8);
        if (count < 0) return error("nres_bad_count", "the entry count is negative", 8);
        const auto total = load_le<std::uint32_t>(bytes().data() + 12);
        if (total != length)
            return error("nres_size_mismatch", "the header says " + std::to_string(total) +
                                                   " bytes, the container has " + std::to_string(length), 12);
        count_ = static_cast<std::uint64_t>(count);
        const std::uint64_t directory = count_ * kNresRecordSize;
        if (directory > length - kNresHeaderSize)
            return error("nres_bad_count", "the directory does not fit into the container", 8);
        if (count_ > limits_.entries)
            return error("limit_exceeded", std::to_string(count_) + " entries", 8);
        out_.directory_offset_ = static_cast<std::uint32_t>(length - directory);
        return {};
    }

    Status read_directory() {
        out_.entries_.resize(static_cast<std::size_t>(count_));
        if (count_ != 0)
            std::memcpy(static_cast<void*>(out_.entries_.data()),
                        bytes().data() + out_.directory_offset_,
                        static_cast<std::size_t>(count_) * kNresRecordSize);
        for (std::size_t i = 0; i < out_.entries_.size(); ++i) {
            const FixedString<36>& field = out_.entries_[i].name_field;
            if (field.raw[0] == 0 || !field.terminated())
                return error("nres_bad_name", "the name of entry " + std::to_string(i) +
                                                  (field.raw[0] == 0 ? " is empty" : " has no NUL"),
                             record_offset(i) + 0x14);
        }
        return {};
    }

    Status check_payloads() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < out_.entries_.size(); ++i) {
            const NresEntry& e = out_.entries_[i];
            const std::uint64_t end = std::uint64_t{e.offset} + e.size;
            if (e.offset < kNresHeaderSize || end > out_.directory_offset_)
                return error("nres_payload_out_of_range",
                             label(i) + " lies outside the data region", record_offset(i) + 0x38);
            if (e.size > limits_.payload)
                return error("limit_exceeded", label(i) + " is too large", record_offset(i) + 0x0C);
            sum += e.size;
        }
        if (sum > limits_.payload_sum)
            return error("limit_exceeded", "the payloads have " + std::to_string(sum) + " bytes", 0);

        auto& order = out_.payload_order_;
        order.resize(out_.entries_.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto key = [&](std::uint32_t i) {
            const NresEntry& e = out_.entries_[i];
            return std::pair{(std::uint64_t{e.offset} << 32) | (std::uint64_t{e.offset} + e.size), i};
        };
        const auto less = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
        if (!std::is_sorted(order.begin(), order.end(), less))
            std::sort(order.begin(), order.end(), less);
        for (std::size_t k = 1; k < order.size(); ++k) {
            const NresEntry& before = out_.entries_[order[k - 1]];
            const NresEntry& after = out_.entries_[order[k]];
            if (before.offset + before.size > after.offset)
                return error("nres_payload_overlap",
                             label(order[k - 1]) + " overlaps " + label(order[k]), after.offset);
        }
        return {};
    }

    /// True if the stored table is a permutation whose names do not decrease (checks 9, 10).
    bool table_valid(int (*compare)(std::string_view, std::string_view), std::string& why) const {
        const auto& entries = out_.entries_;
        std::vector<bool> seen(entries.size());
        for (std::size_t p = 0; p < entries.size(); ++p) {
            const std::uint32_t index = entries[p].sort_index;
            if (index >= entries.size() || seen[index]) {
                why = "sort position " + std::to_string(p) + " is no part of a permutation";
                return false;
            }
            seen[index] = true;
        }
        for (std::size_t p = 1; p < entries.size(); ++p) {
            if (compare(entries[entries[p - 1].sort_index].name(),
                        entries[entries[p].sort_index].name()) > 0) {
                why = "the names decrease at sort position " + std::to_string(p);
                return false;
            }
        }
        return true;
    }

    Status check_sort_table() {
        std::string why, ignored;
        out_.sort_table_usable_ = table_valid(&ascii_icompare, why);
        if (!out_.sort_table_usable_) {
            if (table_valid(&icompare_upper, ignored))
                why += " (the table is in order under upper-case folding)";
            if (context_.strict())
                return error("nres_bad_sort_table", why, out_.directory_offset_);
            context_.note(Severity::quirk, "nres_bad_sort_table", why, out_.directory_offset_);
            out_.by_name_ = sort_by_name(out_.entries_);
            return {};
        }
        // A valid table only lacks a rule for equal neighbours: the lowest index comes first.
        auto& order = out_.by_name_;
        order.resize(out_.entries_.size());
        for (std::size_t p = 0; p < order.size(); ++p) order[p] = out_.entries_[p].sort_index;
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && same_name(order[begin], order[end])) ++end;
            if (end - begin > 1)
                std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                          order.begin() + static_cast<std::ptrdiff_t>(end));
            begin = end;
        }
        return {};
    }

    bool same_name(std::uint32_t a, std::uint32_t b) const {
        return ascii_iequals(out_.entries_[a].name(), out_.entries_[b].name());
    }

    Status check_alignment() {
        for (std::size_t i = 0; i < out_.entries_.size(); ++i) {
            if (out_.entries_[i].offset % 8 == 0) continue;
            const std::string message = label(i) + " is not 8-aligned";
            if (out_.role_ == NresRole::file && context_.strict())
                return error("nres_unaligned", message, record_offset(i) + 0x38);
            context_.warn("nres_unaligned", message, record_offset(i) + 0x38);
        }
        return {};
    }

    /// A gap that ends where alignment ends is padding. One before the first payload begins at 16,
    /// so it is never both that short and that aligned.
    void add_region(std::uint32_t begin, std::uint32_t end) {
        NresRegion region{begin, end, false, all_zero(bytes().subspan(begin, end - begin))};
        region.padding = region.zero && region.size() <= 7 && end % 8 == 0;
        out_.regions_.push_back(region);
    }

    Status collect_regions() {
        std::uint32_t covered = kNresHeaderSize;
        std::uint64_t preserved = 0;
        const auto gap_until = [&](std::uint32_t next) {
            if (next <= covered) return;
            add_region(covered, next);
            if (!out_.regions_.back().padding) preserved += next - covered;
        };
        for (const std::uint32_t index : out_.payload_order_) {
            const NresEntry& e = out_.entries_[index];
            gap_until(e.offset);
            covered = e.offset + e.size;
        }
        gap_until(out_.directory_offset_);
        if (preserved > limits_.preserved)
            return error("limit_exceeded", std::to_string(preserved) + " preserved bytes", 0);
        return {};
    }

    void warn_duplicates() {
        if (out_.role_ != NresRole::file) return;
        const auto& order = out_.by_name_;
        for (std::size_t p = 1; p < order.size(); ++p)
            if (same_name(order[p - 1], order[p]))
                context_.warn("nres_duplicate_name",
                              label(order[p]) + " has the name of entry " + std::to_string(order[p - 1]),
                              record_offset(order[p]) + 0x14);
    }

    ReadContext& context_;
    NresLimits limits_;
    Nres out_;
    std::uint64_t count_ = 0;
};

Result<Nres> read_nres(SharedBytes image, ReadContext& context, NresRole role,
                       const NresLimits& limits) {
    return NresReader(std::move(image), context, role, limits).run();
}

Result<Nres> view_nres(ByteView image, ReadContext& context, NresRole role,
                       const NresLimits& limits) {
    return read_nres(SharedBytes::borrow(image), context, role, limits);
}

}  // namespace iron::archive
