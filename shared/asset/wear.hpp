// WEAR: the material and lightmap table of a model or a terrain. Source: materials.md 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

inline constexpr std::size_t kMaxWearTables = 70;

/// One row; its position in the list is the material index, the printed id is only preserved.
struct WearRow {
    std::string id;    ///< printed id, decimal in strict data
    std::string name;  ///< CP1251 bytes
    std::string line;  ///< original line with its end, empty for a new row
};

struct Wear {
    std::vector<WearRow> materials;
    std::vector<WearRow> lightmaps;  ///< empty: no LIGHTMAPS section

    /// Original text around the rows, empty for a new table.
    std::string count_line, separator, marker_line, lightmap_count_line, tail;
    std::string line_end = "\r\n";

    /// Row with the position as id.
    void add_material(std::string_view name);
    void add_lightmap(std::string_view name);
};

/// (table << 16) | row.
constexpr std::uint32_t material_handle(std::uint16_t table, std::uint16_t row) {
    return (std::uint32_t{table} << 16) | row;
}

/// Errors `wear_bad_count` ("Illegal wear length."), `wear_missing_row`, `wear_bad_row`,
/// `wear_bad_id`, `wear_unexpected_text`, `wear_no_separator`, `wear_extra_separator`,
/// `wear_bad_marker`, `wear_bad_lightmap_count` ("Illegal lightmaps length."), `wear_trailing_text`.
Result<Wear> read_wear(ByteView bytes, ReadContext& ctx);

/// Untouched lines keep their bytes; a new table is canonical (CRLF).
/// Errors `wear_authoring`: no material, an empty name or one with white space.
Result<Bytes> write_wear(const Wear& wear);

}  // namespace iron::asset
