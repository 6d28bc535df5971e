// The canonical writer of archives.md 4.12.
#include "shared/archive/rsli.hpp"
#include "shared/archive/xor_stream.hpp"
#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

constexpr std::uint64_t kMax = 0xFFFFFFFFull;

/// Lays payloads out in record order behind the table. Records come with name, method, unpacked
/// size and final sort_to_original.
Result<Bytes> lay_out(std::vector<RsliRecord> records, const std::vector<Bytes>& packed,
                      std::uint32_t seed, std::optional<std::uint32_t> overlay) {
    if (records.size() > 0x7FFF)
        return fail("too_many_records", "a library has at most 32767 records");
    ByteWriter out;
    out.text("NL");
    out.u8(0);
    out.u8(1);
    out.u16(static_cast<std::uint16_t>(records.size()));
    out.zeros(8);
    out.u16(kRsliPresorted);
    out.zeros(4);
    out.u32(seed);
    out.zeros(8);

    std::uint64_t at = kRsliHeaderSize + records.size() * kRsliRecordSize;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (at < overlay.value_or(0))
            return fail("rsli_offset_below_overlay", "a payload would lie before the overlay");
        if (at - overlay.value_or(0) > kMax || packed[i].size() > kMax)
            return fail("size_overflow", "the library does not fit into 4 GiB");
        records[i].raw_offset = static_cast<std::uint32_t>(at - overlay.value_or(0));
        records[i].packed_size = static_cast<std::uint32_t>(packed[i].size());
        at += packed[i].size();
    }
    const ByteView table(reinterpret_cast<const std::uint8_t*>(records.data()),
                         records.size() * kRsliRecordSize);
    out.bytes(xor_stream(table, static_cast<std::uint16_t>(seed & 0xFFFF)));
    for (const Bytes& bytes : packed) out.bytes(bytes);
    if (overlay) {
        if (*overlay > out.size() + kRsliTrailerSize)
            return fail("rsli_offset_below_overlay", "the library would be shorter than its overlay");
        out.text("AO");
        out.u32(*overlay);
    } else if (const auto& b = out.buffer();
               b[b.size() - kRsliTrailerSize] == 0x41 && b[b.size() - 5] == 0x4F) {
        out.u8(0);  // or the end would be taken for a trailer (4.10)
    }
    return out.take();
}

}  // namespace

Status check_rsli_name(std::string_view name) {
    if (name.empty()) return fail("name_empty", "a record name must not be empty");
    if (name.size() > 12)
        return fail("name_too_long", "a record name has at most 12 bytes: '" + std::string(name) + "'");
    if (name.find('\0') != std::string_view::npos)
        return fail("name_nul", "a record name must not contain a NUL byte");
    return {};
}

Result<Bytes> write_rsli_canonical(const Rsli& library) {
    const std::vector<std::uint16_t> order = rsli_sort_permutation(library.records());
    std::vector<RsliRecord> records;
    std::vector<Bytes> packed;
    for (std::size_t i = 0; i < library.size(); ++i) {
        const RsliRecord& old = library.record(i);
        RsliRecord record;
        record.name_field = old.name_field;
        record.flags = old.method_bits();
        record.sort_to_original = static_cast<std::int16_t>(order[i]);
        record.unpacked_size = old.unpacked_size;
        records.push_back(record);

        const ByteView source = library.packed(i);
        Bytes bytes(source.begin(), source.end());
        if (rsli_uses_key(record.flags) && order[i] != library.key(i)) {
            XorStream(library.key(i)).apply(bytes);
            XorStream(order[i]).apply(bytes);
        }
        if (record.flags == 0x000 || record.flags == 0x020) {
            if (bytes.size() < record.unpacked_size)
                return fail("output_size_mismatch", "record " + std::to_string(i) + " is incomplete");
            bytes.resize(record.unpacked_size);
        }
        packed.push_back(std::move(bytes));
    }
    return lay_out(std::move(records), packed, library.seed(), library.overlay());
}

RsliBuilder& RsliBuilder::add(std::string_view name, Bytes plain, RsliMethod method) {
    items_.push_back({ascii_upper(name), std::move(plain), method});
    return *this;
}

Result<Bytes> RsliBuilder::build() const {
    if (items_.size() > 0x7FFF)
        return fail("too_many_records", "a library has at most 32767 records");
    std::vector<RsliRecord> records;
    for (const Item& item : items_) {
        IRON_CHECK(check_rsli_name(item.name));
        if (item.plain.size() > kMax) return fail("size_overflow", "a record does not fit into 4 GiB");
        RsliRecord record;
        record.name_field.assign(item.name);
        record.flags = static_cast<std::uint16_t>(item.method);
        record.unpacked_size = static_cast<std::uint32_t>(item.plain.size());
        records.push_back(record);
    }
    const std::vector<std::uint16_t> order = rsli_sort_permutation(records);
    std::vector<Bytes> packed;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        records[i].sort_to_original = static_cast<std::int16_t>(order[i]);
        IRON_TRY(Bytes bytes, rsli_encode(items_[i].method, order[i], items_[i].plain));
        packed.push_back(std::move(bytes));
    }
    return lay_out(std::move(records), packed, seed_, std::nullopt);
}

}  // namespace iron::archive
