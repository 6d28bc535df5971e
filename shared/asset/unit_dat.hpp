// Unit DAT: the scheme of a unit or building, a pre-order list of components. Source: objects.md 3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

/// Entry types (objects.md 3.2); other values are kept raw.
enum class UnitEntryType : std::int32_t {
    unspecified = -1, chassis = 0, turret = 1, armour = 2, part = 3, cannon = 4, ammunition = 5
};

/// Class bits of the scheme type (objects.md 3.3).
inline constexpr std::uint32_t kSchemeBuildingBit = 0x80000000u;
inline constexpr std::uint32_t kSchemeRobotBit = 0x01000000u;
inline constexpr std::uint32_t kSchemeAnimalBit = 0x20000000u;

/// One component, 112 bytes. Name tails after the NUL are preserved.
struct UnitRecord {
    FixedString<32> archive;      ///< `objects.rlb` in every shipped file
    FixedString<32> prototype;    ///< prototype key
    std::uint32_t kind = 1;
    std::int32_t attach_index = -1;  ///< item slot or mesh piece of the parent (objects.md 3.4)
    FixedString<32> description;  ///< CP1251
    std::int32_t entry_type = -1;
    std::uint32_t child_count = 0;   ///< direct children that follow in pre-order

    bool operator==(const UnitRecord&) const = default;
};

struct UnitDat {
    std::array<std::uint8_t, 4> magic{0xF1, 0xF0, 0, 0};
    std::uint32_t scheme_type = 0;
    std::vector<UnitRecord> records;  ///< storage order = pre-order

    bool is_building() const { return (scheme_type & kSchemeBuildingBit) != 0; }
    bool operator==(const UnitDat&) const = default;
};

inline constexpr std::size_t kUnitHeaderSize = 8;
inline constexpr std::size_t kUnitRecordSize = 112;

/// Errors: `truncated`, `dat_bad_size`, `dat_bad_magic`. Warnings: `dat_bad_kind`, `dat_archive`,
/// `dat_empty_key`, `dat_tree_mismatch`, `dat_header_bytes`, `dat_unknown_scheme_type`,
/// `dat_unknown_entry_type`.
Result<UnitDat> read_unit_dat(ByteView bytes, ReadContext& context);
Bytes write_unit_dat(const UnitDat& value);

/// The tree derived from the flat list; the flat list is the storage truth.
struct UnitTree {
    bool well_formed = false;          ///< parsing from record 0 consumes all records
    std::vector<std::int32_t> parent;  ///< per record, -1 for a root or an unreachable record
    std::vector<std::uint32_t> depth;  ///< per record, 0 for a root
};

/// Never recurses; child counts are untrusted.
UnitTree build_unit_tree(const UnitDat& value);

/// A record with zero-filled fields in `objects.rlb` (kind 1).
UnitRecord make_unit_record(std::string_view prototype, std::int32_t attach_index,
                            std::string_view description, UnitEntryType type,
                            std::uint32_t child_count);

/// True for a value of the table in objects.md 3.3 (class bits alone included).
bool is_known_scheme_type(std::uint32_t scheme_type);
/// English name of the scheme type, e.g. "battle robot"; empty when unknown.
std::string_view scheme_type_name(std::uint32_t scheme_type);

}  // namespace iron::asset
