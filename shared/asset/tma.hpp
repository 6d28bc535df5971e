// `data.tma`: paths, clans, placed objects, land path, extras of one mission. Source: mission.md 2.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

inline constexpr std::uint32_t kTmaVersion = 1;
inline constexpr std::uint32_t kTmaClanVersion = 6;
inline constexpr std::uint32_t kTmaObjectVersion = 10;
inline constexpr std::uint32_t kTmaExtraVersion = 1;
inline constexpr std::uint32_t kTmaPropertySchema = 1;
inline constexpr std::uint32_t kTmaClassWord = 0x80000002u;

struct TmaPath {
    std::int32_t id = 0;  ///< scripts use the id; not the index, maybe not unique
    std::vector<Vec3> points;
    bool operator==(const TmaPath&) const = default;
};

enum class ClanMode : std::uint32_t { environment = 0, player = 1, ai = 2, neutral = 3 };

struct TmaRelation {
    std::string clan;         ///< clan name, raw bytes
    std::int32_t value = 0;   ///< 1 = ally (inferred)
    bool operator==(const TmaRelation&) const = default;
};

/// The 24-byte record of the other reading (i32, Vec3, f32, f32).
struct TmaSpatial {
    std::int32_t word = 0;
    Vec3 position;
    float a = 0, b = 0;
    bool operator==(const TmaSpatial&) const = default;
};

struct TmaClan {
    std::string name;  ///< raw bytes, CP1251
    std::int32_t raw_id = 0;
    float anchor_x = 0, anchor_y = 0;  ///< base position, wu
    std::uint32_t mode = 0;            ///< ClanMode
    std::string script_base;           ///< without extension; empty = no script
    std::int32_t first_tag = 0;        ///< modes 1..3: record count of `spatial`, or an opaque tag
    std::vector<std::vector<std::array<float, 5>>> groups;  ///< mode 0 only
    std::vector<TmaSpatial> spatial;   ///< only after the quirk `clan_spatial_in_standard_mode`
    std::string research_path;         ///< may be empty
    std::int32_t second_tag = 0;
    std::vector<TmaRelation> relations;
    bool operator==(const TmaClan&) const = default;
};

struct TmaProperty {
    std::uint32_t type = 1;               ///< 0 float, 1 integer (inferred)
    std::array<std::uint32_t, 3> value{};  ///< raw words
    std::string name;
    bool operator==(const TmaProperty&) const = default;
};

/// Raw kind of a placed object.
enum class ObjectKind : std::uint32_t { building = 0, war_robot = 1, tree = 2, stone = 3 };

struct TmaObject {
    std::uint32_t kind = 0;  ///< ObjectKind
    std::uint32_t class_word = kTmaClassWord;
    std::string resource;    ///< unit scheme path when it ends in `.dat`, else prototype key
    std::int32_t owner = -1;  ///< clan index, -1 none
    std::uint32_t order = 0;
    Vec3 position;     ///< wu
    Vec3 orientation;  ///< Euler angles, rad; R = Rz*Ry*Rx
    Vec3 scale{1, 1, 1};
    std::string name;
    std::uint32_t word_after_name = 0;
    std::int32_t link0 = -1, link1 = -1;
    std::uint32_t property_schema = kTmaPropertySchema;
    std::vector<TmaProperty> properties;

    bool is_unit_scheme() const;
    bool operator==(const TmaObject&) const = default;
};

/// 28 bytes, probably an ore deposit.
struct TmaExtra {
    Vec3 position;
    std::int32_t word0 = 0;
    std::uint32_t flags = 0;
    float value = 0;
    std::int32_t word1 = 0;
    bool operator==(const TmaExtra&) const = default;
};

struct Tma {
    std::uint32_t version = kTmaVersion;
    std::vector<TmaPath> paths;
    std::uint32_t clan_version = kTmaClanVersion;
    std::vector<TmaClan> clans;
    std::uint32_t object_version = kTmaObjectVersion;
    std::vector<TmaObject> objects;
    std::string land_path;    ///< without extension, e.g. `DATA\MAPS\SC_3\land`
    std::uint32_t mission_flag = 0;
    std::string description;  ///< not clean text; raw
    std::uint32_t extra_version = kTmaExtraVersion;
    std::vector<TmaExtra> extras;
    bool operator==(const Tma&) const = default;
};

/// Everything before and including the land path, checked like the full parse.
struct TmaPrefix {
    std::string land_path;
    std::uint64_t end_offset = 0;  ///< offset of the mission flag
};

/// Errors: `truncated`, `count_too_large`, `trailing_bytes`, `tma_bad_version`, `tma_bad_schema`,
/// `tma_clan_mode`, `tma_class_word` (the last three checks: version, schema and class word are
/// warnings in the compatible profile), `tma_non_finite`, `clan_spatial_in_standard_mode` (a quirk:
/// accepted in compatible). Warnings: `clan_group_count`, `clan_first_tag`, `tma_property_type`,
/// `tma_path_non_finite`, `tma_anchor_range`, `tma_empty_name`, `tma_bad_path`, `tma_owner_range`,
/// `tma_unknown_relation`, `tma_duplicate_path_id`, `tma_duplicate_clan`.
Result<Tma> read_tma(ByteView bytes, ReadContext& context);

/// Stops after the land path (mission.md 4); an error behind it is not seen.
Result<TmaPrefix> read_tma_prefix(ByteView bytes, ReadContext& context);

/// Counts and string lengths are derived; everything else is written as it is.
Bytes write_tma(const Tma& value);

}  // namespace iron::asset
