#include "shared/archive/rsli.hpp"

#include <algorithm>
#include <numeric>

#include "shared/archive/xor_stream.hpp"
#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

std::string label(const std::vector<RsliRecord>& records, std::size_t index) {
    return "record " + std::to_string(index) + " '" + cp1251_to_utf8(records[index].name()) + "'";
}

}  // namespace

std::uint32_t Rsli::seed() const { return load_le<std::uint32_t>(header().data() + 0x14); }

bool Rsli::presorted() const {
    return load_le<std::uint16_t>(header().data() + 0x0E) == kRsliPresorted;
}

ByteView Rsli::packed(std::size_t index) const {
    const std::size_t size = records_[index].packed_size - (short_by_one(index) ? 1u : 0u);
    return image_.view.subspan(static_cast<std::size_t>(effective_offset(index)), size);
}

std::optional<std::size_t> Rsli::find(std::string_view name) const {
    name = name.substr(0, std::min<std::size_t>(name.find('\0'), 15));
    const std::string query = ascii_upper(name);
    // order_ is always a valid sorted permutation, so the original's linear second try (4.4) could
    // find nothing more.
    const auto it = std::lower_bound(
        order_.begin(), order_.end(), std::string_view(query),
        [&](std::uint16_t index, std::string_view key) { return records_[index].name() < key; });
    if (it == order_.end() || records_[*it].name() != query) return std::nullopt;
    return *it;
}

std::vector<std::uint16_t> rsli_sort_permutation(const std::vector<RsliRecord>& records) {
    std::vector<std::uint16_t> order(records.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::uint16_t a, std::uint16_t b) {
        return records[a].name() < records[b].name();
    });
    return order;
}

/// The checks of 4.11 that concern the file; 6 and 7 belong to load().
class RsliReader {
public:
    RsliReader(SharedBytes image, ReadContext& context, const RsliLimits& limits)
        : context_(context), limits_(limits) {
        out_.image_ = std::move(image);
    }

    Result<Rsli> run() {
        IRON_CHECK(read_header());
        IRON_CHECK(read_trailer());
        read_table();
        IRON_CHECK(check_ranges());
        IRON_CHECK(build_order());
        warn_overlaps();
        warn_names();
        return std::move(out_);
    }

private:
    ByteView bytes() const { return out_.image_.view; }
    tl::unexpected<Error> error(std::string code, std::string message, std::uint64_t offset) const {
        return tl::unexpected(
            Error(std::move(code), std::move(message)).at(offset).in(context_.path).entry(context_.entry));
    }
    std::uint64_t record_offset(std::size_t i) const { return kRsliHeaderSize + i * kRsliRecordSize; }
    std::size_t table_end() const { return kRsliHeaderSize + count_ * kRsliRecordSize; }

    Status read_header() {
        if (bytes().size() > limits_.image)
            return error("limit_exceeded", "the library has " + std::to_string(bytes().size()) + " bytes", 0);
        if (bytes().size() < kRsliHeaderSize)
            return error("truncated", "an RsLi library needs at least 32 bytes", bytes().size());
        if (load_le<std::uint32_t>(bytes().data()) != 0x01004C4E)
            return error("rsli_bad_magic", "the library does not begin with 'NL', 0, 1", 0);
        const auto count = load_le<std::int16_t>(bytes().data() + 4);
        if (count < 0) return error("rsli_bad_count", "the record count is negative", 4);
        count_ = static_cast<std::size_t>(count);
        if (table_end() > bytes().size())
            return error("rsli_bad_count", "the table does not fit into the library", 4);
        return {};
    }

    Status read_trailer() {
        const std::uint8_t* trailer = bytes().data() + (bytes().size() - kRsliTrailerSize);
        if (trailer[0] != 0x41 || trailer[1] != 0x4F) return {};
        const auto overlay = load_le<std::uint32_t>(trailer + 2);
        if (overlay > bytes().size())
            return error("rsli_overlay_out_of_range",
                         "the overlay " + std::to_string(overlay) + " lies beyond the library",
                         bytes().size() - 4);
        out_.overlay_ = overlay;
        return {};
    }

    void read_table() {
        const ByteView stored = bytes().subspan(kRsliHeaderSize, count_ * kRsliRecordSize);
        const Bytes plain = xor_stream(stored, static_cast<std::uint16_t>(out_.seed() & 0xFFFF));
        out_.records_.resize(count_);
        if (count_ != 0) std::memcpy(static_cast<void*>(out_.records_.data()), plain.data(), plain.size());
    }

    /// The one known record that reaches a byte too far (4.9).
    bool is_known_short(std::size_t i, std::uint64_t end) const {
        const RsliRecord& r = out_.records_[i];
        if (end != bytes().size() + 1 || r.packed_size == 0) return false;
        if (r.method_bits() != static_cast<std::uint16_t>(RsliMethod::deflate)) return false;
        if (!ascii_iequals(r.name(), "INTERF8.TEX")) return false;
        const std::string_view path = context_.path;
        const std::string_view file = path.substr(path.find_last_of("/\\") + 1);
        return file.empty() || ascii_iequals(file, "sprites.lib");
    }

    Status check_ranges() {
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint64_t end = out_.effective_offset(i) + out_.records_[i].packed_size;
            if (end <= bytes().size()) continue;
            if (!is_known_short(i, end))
                return error("rsli_payload_out_of_range",
                             label(out_.records_, i) + " lies outside the library", record_offset(i) + 0x18);
            const std::string message = label(out_.records_, i) + " declares one byte beyond the end";
            if (context_.strict())
                return error("deflate_eof_plus_one", message, record_offset(i) + 0x1C);
            context_.note(Severity::quirk, "deflate_eof_plus_one", message, record_offset(i) + 0x1C);
        }
        return {};
    }

    bool stored_order_valid(std::string& why) {
        std::vector<bool> seen(count_);
        for (std::size_t p = 0; p < count_; ++p) {
            const int index = out_.records_[p].sort_to_original;
            if (index < 0 || static_cast<std::size_t>(index) >= count_ || seen[static_cast<std::size_t>(index)]) {
                why = "sort position " + std::to_string(p) + " is no part of a permutation";
                return false;
            }
            seen[static_cast<std::size_t>(index)] = true;
            out_.order_.push_back(static_cast<std::uint16_t>(index));
            if (p > 0 && out_.records_[out_.order_[p]].name() < out_.records_[out_.order_[p - 1]].name()) {
                why = "the names decrease at sort position " + std::to_string(p);
                return false;
            }
        }
        return true;
    }

    Status build_order() {
        if (out_.presorted()) {
            std::string why;
            out_.order_.reserve(count_);
            if (stored_order_valid(why)) return {};
            if (context_.strict()) return error("rsli_bad_presorted_table", why, kRsliHeaderSize);
            context_.note(Severity::quirk, "rsli_bad_presorted_table", why, kRsliHeaderSize);
            out_.stored_order_usable_ = false;
        }
        out_.order_ = rsli_sort_permutation(out_.records_);
        return {};
    }

    void warn_overlaps() {
        struct Range {
            std::uint64_t begin, end;
            std::string name;
        };
        std::vector<Range> ranges{{0, table_end(), "the table"}};
        if (out_.overlay_) ranges.push_back({bytes().size() - kRsliTrailerSize, bytes().size(), "the trailer"});
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint64_t begin = out_.effective_offset(i);
            if (const std::size_t size = out_.packed(i).size(); size != 0)
                ranges.push_back({begin, begin + size, label(out_.records_, i)});
        }
        std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        std::size_t widest = 0;
        for (std::size_t k = 1; k < ranges.size(); ++k) {
            if (ranges[k].begin < ranges[widest].end)
                context_.warn("rsli_overlap", ranges[k].name + " overlaps " + ranges[widest].name,
                              ranges[k].begin);
            if (ranges[k].end > ranges[widest].end) widest = k;
        }
    }

    void warn_names() {
        for (std::size_t i = 0; i < count_; ++i)
            if (out_.records_[i].name().empty())
                context_.warn("rsli_empty_name", "record " + std::to_string(i) + " has no name",
                              record_offset(i));
        for (std::size_t p = 1; p < count_; ++p) {
            const std::size_t before = out_.order_[p - 1], here = out_.order_[p];
            if (out_.records_[before].name() == out_.records_[here].name())
                context_.warn("rsli_duplicate_name",
                              label(out_.records_, here) + " has the name of record " + std::to_string(before),
                              record_offset(here));
        }
    }

    ReadContext& context_;
    RsliLimits limits_;
    Rsli out_;
    std::size_t count_ = 0;
};

Result<Rsli> read_rsli(SharedBytes image, ReadContext& context, const RsliLimits& limits) {
    return RsliReader(std::move(image), context, limits).run();
}

Result<Rsli> view_rsli(ByteView image, ReadContext& context, const RsliLimits& limits) {
    return read_rsli(SharedBytes::borrow(image), context, limits);
}

Result<Bytes> Rsli::load(std::size_t index, ReadContext& context, const RsliLimits& limits) const {
    const RsliRecord& record = records_[index];
    const std::string entry = cp1251_to_utf8(record.name());
    const auto failed = [&](Error error) {
        return tl::unexpected(std::move(error).in(context.path).entry(entry));
    };
    if (record.packed_size > limits.packed || record.unpacked_size > limits.unpacked)
        return failed(Error("limit_exceeded", "the record is too large").at(effective_offset(index)));
    ByteView bytes = packed(index);
    const auto method = static_cast<RsliMethod>(record.method_bits());
    if ((method == RsliMethod::stored || method == RsliMethod::xored) &&
        bytes.size() > record.unpacked_size) {
        const std::string message = "the packed range has " + std::to_string(bytes.size()) +
                                    " bytes instead of " + std::to_string(record.unpacked_size);
        if (context.strict())
            return failed(Error("rsli_stored_slack", message).at(effective_offset(index)));
        context.note(Severity::quirk, "rsli_stored_slack", entry + ": " + message, effective_offset(index));
        bytes = bytes.first(record.unpacked_size);
    }
    auto decoded = rsli_decode(method, key(index), bytes, record.unpacked_size);
    if (!decoded) {
        Error error = std::move(decoded).error();
        const std::uint64_t offset = effective_offset(index) + error.frames().front().offset.value_or(0);
        return failed(std::move(error).at(offset));
    }
    if (decoded->consumed < bytes.size())
        context.warn("rsli_unused_packed_bytes",
                     entry + ": " + std::to_string(bytes.size() - decoded->consumed) + " packed bytes are unused",
                     effective_offset(index) + decoded->consumed);
    return std::move(decoded->plain);
}

}  // namespace iron::archive
