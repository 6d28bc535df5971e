// RsLi libraries (`gamefont.rlb`, `sprites.lib`). Source: archives.md section 4. Reading keeps the
// original image; an unchanged library is written back as `image()`. Edits: rsli_edit.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/archive/codec.hpp"
#include "shared/archive/shared_bytes.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::archive {

/// Storage methods, `flags & 0x1E0` (4.6). The LZHUF ones are inferred.
enum class RsliMethod : std::uint16_t {
    stored = 0x000,
    xored = 0x020,
    lzss = 0x040,
    xored_lzss = 0x060,
    lzhuf = 0x080,
    xored_lzhuf = 0x0A0,
    deflate = 0x100,
};
inline constexpr std::uint16_t kRsliMethodMask = 0x1E0;
inline constexpr std::size_t kRsliHeaderSize = 32;
inline constexpr std::size_t kRsliRecordSize = 32;
inline constexpr std::size_t kRsliTrailerSize = 6;
inline constexpr std::uint16_t kRsliPresorted = 0xABBA;

/// Limits of 4.11, bytes. Exceeding one is the error `limit_exceeded`.
struct RsliLimits {
    std::uint64_t image = 256ull << 20;
    std::uint64_t packed = 64ull << 20;
    std::uint64_t unpacked = 128ull << 20;
};

/// A table record after the transform is undone, exactly as stored (4.2).
struct RsliRecord {
    FixedString<12> name_field;
    std::array<std::uint8_t, 4> service{};
    std::uint16_t flags = 0;             ///< method bits and opaque bits
    std::int16_t sort_to_original = 0;   ///< as stored
    std::uint32_t unpacked_size = 0;
    std::uint32_t raw_offset = 0;        ///< without the overlay
    std::uint32_t packed_size = 0;       ///< as declared

    std::string_view name() const { return name_field.view(); }
    std::uint16_t method_bits() const { return flags & kRsliMethodMask; }
    bool operator==(const RsliRecord&) const = default;
};
static_assert(sizeof(RsliRecord) == kRsliRecordSize);

class Rsli {
public:
    ByteView image() const { return image_.view; }
    const SharedBytes& shared_image() const { return image_; }
    /// The 32 header bytes.
    ByteView header() const { return image_.view.first(kRsliHeaderSize); }
    std::uint32_t seed() const;
    bool presorted() const;

    std::size_t size() const { return records_.size(); }
    const std::vector<RsliRecord>& records() const { return records_; }
    const RsliRecord& record(std::size_t index) const { return records_[index]; }
    /// The permutation after any rebuild: sorted position -> record (4.4).
    const std::vector<std::uint16_t>& order() const { return order_; }
    /// False if the header says presorted but the stored table is bad (compatible profile).
    bool stored_order_usable() const { return stored_order_usable_; }
    /// Payload key of the XOR methods: the record's own final sort_to_original (4.5).
    std::uint16_t key(std::size_t index) const { return order_[index]; }

    /// Overlay of the "AO" trailer, none without one (4.10).
    std::optional<std::uint32_t> overlay() const { return overlay_; }
    std::uint64_t effective_offset(std::size_t index) const {
        return std::uint64_t{records_[index].raw_offset} + overlay_.value_or(0);
    }
    /// Packed bytes inside the image; one fewer than declared under `deflate_eof_plus_one` (4.9).
    ByteView packed(std::size_t index) const;
    bool short_by_one(std::size_t index) const {
        return effective_offset(index) + records_[index].packed_size > image_.view.size();
    }

    /// Query of 4.4: at most 15 bytes, folded to upper case, compared bytewise with stored names.
    std::optional<std::size_t> find(std::string_view name) const;

    /// Decodes a record (not cached). Errors `unsupported_method`, `output_size_mismatch`,
    /// `input_exhausted`, `deflate_invalid`, `rsli_stored_slack` (strict; else a quirk),
    /// `limit_exceeded`. Warning `rsli_unused_packed_bytes`.
    Result<Bytes> load(std::size_t index, ReadContext& context,
                       const RsliLimits& limits = {}) const;

private:
    friend class RsliReader;
    Rsli() = default;
    SharedBytes image_;
    std::vector<RsliRecord> records_;
    std::vector<std::uint16_t> order_;
    std::optional<std::uint32_t> overlay_;
    bool stored_order_usable_ = true;
};

/// Reads a library with all checks of 4.11. `context.path`, if not empty, names the library for
/// the quirk of 4.9. Errors `truncated`, `rsli_bad_magic`, `rsli_bad_count`,
/// `rsli_overlay_out_of_range`, `rsli_payload_out_of_range`, `deflate_eof_plus_one` and
/// `rsli_bad_presorted_table` (strict; else quirks), `limit_exceeded`.
/// Warnings `rsli_overlap`, `rsli_empty_name`, `rsli_duplicate_name`.
Result<Rsli> read_rsli(SharedBytes image, ReadContext& context, const RsliLimits& limits = {});
Result<Rsli> view_rsli(ByteView image, ReadContext& context, const RsliLimits& limits = {});

/// True for the methods whose packed bytes depend on the payload key (0x020, 0x060, 0x0A0).
bool rsli_uses_key(std::uint16_t method_bits);
/// Unpacks the packed bytes of a record without a library around it. Errors `unsupported_method`,
/// `output_size_mismatch`, `input_exhausted`, `deflate_invalid`.
Result<Decoded> rsli_decode(RsliMethod method, std::uint16_t key, ByteView packed,
                            std::size_t unpacked_size);
/// Packs plain bytes; `key` matters to the XOR methods only. Error `unsupported_method`.
Result<Bytes> rsli_encode(RsliMethod method, std::uint16_t key, ByteView plain);

/// The stable bytewise sort of record names (4.4).
std::vector<std::uint16_t> rsli_sort_permutation(const std::vector<RsliRecord>& records);

/// Repacks into the canonical layout of 4.12. Packed bytes are copied (stored ones without slack);
/// those of the XOR methods are transformed for their new key. Seed and trailer are kept.
/// Errors `size_overflow`, `rsli_offset_below_overlay`, `output_size_mismatch`.
Result<Bytes> write_rsli_canonical(const Rsli& library);

/// Checks a new name: errors `name_empty`, `name_too_long` (12 bytes), `name_nul` (4.12).
Status check_rsli_name(std::string_view name);

/// Collects records for a new library and writes it canonically (4.12).
class RsliBuilder {
public:
    explicit RsliBuilder(std::uint32_t seed = 0) : seed_(seed) {}
    /// Appends a record; the name is folded to upper case. Errors are reported by build().
    RsliBuilder& add(std::string_view name, Bytes plain, RsliMethod method = RsliMethod::stored);
    /// The library, or the first authoring error: those of check_rsli_name, `too_many_records`
    /// (32767), `unsupported_method`, `size_overflow`.
    Result<Bytes> build() const;

private:
    struct Item {
        std::string name;
        Bytes plain;
        RsliMethod method;
    };
    std::uint32_t seed_;
    std::vector<Item> items_;
};

}  // namespace iron::archive
