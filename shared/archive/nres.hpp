// NRes, the main container: outer archives and inner ones (models, landscapes, research trees).
// Source: archives.md section 3. Reading keeps the original image; writing back an unchanged
// archive is `image()`. Edits: nres_edit.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/archive/shared_bytes.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::archive {

/// The four bytes of a tag as a type id: `type_tag("MAT0")`.
constexpr std::uint32_t type_tag(const char (&tag)[5]) {
    std::uint32_t id = 0;
    for (int i = 3; i >= 0; --i) id = (id << 8) | static_cast<std::uint8_t>(tag[i]);
    return id;
}

/// A file has its own length and must be aligned; an inner container is a payload (checks 11, 13).
enum class NresRole : std::uint8_t { file, inner };

/// Limits of archives.md 3.3, in bytes or entries. Exceeding one is the error `limit_exceeded`.
struct NresLimits {
    std::uint64_t image = 256ull << 20;
    std::uint64_t entries = 1'000'000;
    std::uint64_t payload = 256ull << 20;
    std::uint64_t payload_sum = 512ull << 20;
    std::uint64_t preserved = 256ull << 20;
};

inline constexpr std::size_t kNresHeaderSize = 16;
inline constexpr std::size_t kNresRecordSize = 64;
inline constexpr std::size_t kNresNameMax = 35;  // bytes, without the NUL

/// A directory record exactly as stored (3.2).
struct NresEntry {
    std::uint32_t type_id = 0;
    std::uint32_t attr1 = 0;
    std::uint32_t attr2 = 0;
    std::uint32_t size = 0;  ///< payload bytes
    std::uint32_t attr3 = 0;
    FixedString<36> name_field;  ///< with the tail after the NUL
    std::uint32_t offset = 0;    ///< payload offset from the start of the container
    std::uint32_t sort_index = 0;

    /// Name bytes before the NUL; a view into this record.
    std::string_view name() const { return name_field.view(); }
    bool operator==(const NresEntry&) const = default;
};
static_assert(sizeof(NresEntry) == kNresRecordSize);

/// A byte range of the data region that no directory record addresses (3.6).
struct NresRegion {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool padding = false;  ///< derived alignment padding; else a preserved region
    bool zero = false;     ///< all bytes are zero
    std::uint32_t size() const { return end - begin; }
    bool operator==(const NresRegion&) const = default;
};

/// A parsed container: immutable, cheap to move; payloads are views into the image.
class Nres {
public:
    NresRole role() const { return role_; }
    /// The original bytes: the lossless writer (3.7).
    ByteView image() const { return image_.view; }
    const SharedBytes& shared_image() const { return image_; }

    std::size_t size() const { return entries_.size(); }
    const std::vector<NresEntry>& entries() const { return entries_; }
    /// `index` is a directory index below size().
    const NresEntry& entry(std::size_t index) const { return entries_[index]; }
    /// Payload bytes of an entry; valid as long as the image lives.
    ByteView payload(std::size_t index) const;
    ByteView payload(const NresEntry& entry) const;
    SharedBytes shared_payload(std::size_t index) const { return image_.part(payload(index)); }

    /// Directory index of the entry with this name, equal after ASCII folding; among several the
    /// lowest index (3.4). Nothing is trimmed. An unusable sort table gives the same answers.
    std::optional<std::size_t> find(std::string_view name) const;
    /// First entry with this type in directory order (3.4).
    std::optional<std::size_t> find_type(std::uint32_t type_id) const;

    /// False if the stored sort table failed check 9 or 10 (compatible profile only).
    bool sort_table_usable() const { return sort_table_usable_; }
    std::uint32_t directory_offset() const { return directory_offset_; }
    /// All ranges of [16, directory_offset) outside active payloads, ascending (3.6).
    const std::vector<NresRegion>& regions() const { return regions_; }
    /// Directory indices ordered by (payload start, payload end, directory index).
    const std::vector<std::uint32_t>& payload_order() const { return payload_order_; }

private:
    friend class NresReader;
    Nres() = default;
    SharedBytes image_;
    NresRole role_ = NresRole::file;
    std::uint32_t directory_offset_ = 0;
    bool sort_table_usable_ = true;
    std::vector<NresEntry> entries_;
    std::vector<std::uint32_t> by_name_;  // sorted by (folded name, directory index)
    std::vector<std::uint32_t> payload_order_;
    std::vector<NresRegion> regions_;
};

/// Reads a container with all checks of 3.3. Error codes: `truncated`, `nres_bad_magic`,
/// `nres_bad_version`, `nres_bad_count`, `nres_size_mismatch`, `nres_bad_name`,
/// `nres_payload_out_of_range`, `nres_payload_overlap`, `nres_bad_sort_table` (strict; else a
/// quirk), `nres_unaligned` (strict file; else a warning), `limit_exceeded`.
/// Warning: `nres_duplicate_name` (files only).
Result<Nres> read_nres(SharedBytes image, ReadContext& context, NresRole role = NresRole::file,
                       const NresLimits& limits = {});
/// The same over borrowed bytes (no copy): the caller keeps them alive.
Result<Nres> view_nres(ByteView image, ReadContext& context, NresRole role = NresRole::inner,
                       const NresLimits& limits = {});

/// The stable sort permutation P of 3.5 (lower-case folding, bytewise, prefix first).
std::vector<std::uint32_t> nres_sort_permutation(const std::vector<NresEntry>& entries);

/// Repacks into the canonical layout of 3.7 (attributes and name fields unchanged, gaps dropped).
/// Error `size_overflow`.
Result<Bytes> write_nres_canonical(const Nres& archive);

/// Checks a new name: errors `name_empty`, `name_too_long` (35 bytes), `name_nul` (3.7).
Status check_nres_name(std::string_view name);

/// Collects entries for a new archive and writes it canonically (3.7).
class NresBuilder {
public:
    /// Appends an entry. A bad name is reported by build().
    NresBuilder& add(std::uint32_t type_id, std::uint32_t attr1, std::uint32_t attr2,
                     std::uint32_t attr3, std::string_view name, Bytes payload);
    std::size_t size() const { return items_.size(); }
    /// The archive, or the first authoring error: `name_empty`, `name_too_long`, `name_nul`,
    /// `size_overflow`. An empty builder gives the 16-byte empty archive.
    Result<Bytes> build() const;

private:
    struct Item {
        NresEntry entry;
        std::string name;
        Bytes payload;
    };
    std::vector<Item> items_;
};

}  // namespace iron::archive
