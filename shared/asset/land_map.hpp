// Land.map: areals (navigation polygons) and their grid. Source: terrain.md 7.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

/// Neighbour across a boundary edge; (-1, -1) = none.
struct ArealLink {
    std::int32_t areal = -1;
    std::int32_t edge = -1;  ///< edge index in the neighbour
    bool none() const { return areal < 0; }
    bool operator==(const ArealLink&) const = default;
};

struct Areal {
    Vec3 anchor;                  ///< inside the polygon
    float word_0c = 0;            ///< opaque, 0 in all data
    float area = 0;               ///< about the XY area
    Vec3 normal{0, 0, 1};
    std::uint32_t logic_flag = 0;
    std::uint32_t word_24 = 0;    ///< opaque, 0 in all data
    std::uint32_t class_id = 0;
    std::uint32_t word_2c = 0;    ///< opaque, 0 in all data
    std::vector<Vec3> vertices;   ///< boundary; new content: counter-clockwise from above
    std::vector<ArealLink> links; ///< V + 3P; link i < V belongs to edge (i, i+1 mod V)
    std::uint32_t polygon_count = 0;
    Bytes polygon_data;           ///< raw blocks (terrain.md 7.2), never created by us
};

/// Which reading of the polygon blocks the payload satisfied (terrain.md 7.2).
enum class PolygonReading : std::uint8_t { none, count_then_data, count_inside };

struct LandMap {
    std::vector<Areal> areals;
    std::uint32_t cells_x = 0, cells_y = 0;
    /// Cell (x, y) is number x * cells_y + y; its ids are cell_ids[cell_start[n] .. cell_start[n+1]).
    std::vector<std::uint32_t> cell_start;
    std::vector<std::uint16_t> cell_ids;
    PolygonReading polygon_reading = PolygonReading::none;

    std::uint32_t attr2 = 0, attr3 = 0;  ///< of the container entry, preserved
    Bytes image;                         ///< original container, empty for new content

    std::span<const std::uint16_t> cell(std::uint32_t x, std::uint32_t y) const {
        const std::size_t n = static_cast<std::size_t>(x) * cells_y + y;
        return std::span(cell_ids).subspan(cell_start[n], cell_start[n + 1] - cell_start[n]);
    }
};

/// Errors: those of NRes, `land_map_entries`, `land_map_empty_grid` ("ArealMap Cells are empty"),
/// `land_map_no_areals`, `land_map_too_many_areals`, `land_map_bad_link`,
/// `land_map_bad_cell`, and for "Incorrect ArealMap" `count_too_large`, `truncated`,
/// `trailing_bytes`.
Result<LandMap> read_land_map(ByteView container, ReadContext& ctx);
/// The payload of the type 12 entry alone; `areal_count` is attr1 of the entry.
Result<LandMap> read_land_map_payload(ByteView payload, std::uint32_t areal_count, ReadContext& ctx);
Result<Bytes> write_land_map_payload(const LandMap& map);

/// Lossless; without an image the canonical container with one entry `map`.
Result<Bytes> write_land_map(const LandMap& map);

/// XY rectangle in world units.
struct MapRect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};
/// Box of all areal vertices.
MapRect areal_bounds(const LandMap& map);

/// Replaces the grid: every cell lists, ascending, the areals whose XY box meets the closed cell
/// rectangle. Errors `land_map_bad_cell` (1024 or more hits in a cell, 2^22 ids), `land_map_empty_grid`.
Status build_areal_grid(LandMap& map, std::uint32_t cells_x, std::uint32_t cells_y,
                        const MapRect& extent);

/// Cell of a point, clamped (terrain.md 7.3): index for cell_start.
std::uint32_t cell_of_point(const LandMap& map, const MapRect& extent, float x, float y);

/// XY area (absolute) and point-in-polygon, border included.
float polygon_area(std::span<const Vec3> vertices);
bool polygon_contains(std::span<const Vec3> vertices, float x, float y);

/// Lowest areal id that contains the point: the grid cell first, then a full scan; nullopt = no
/// areal (terrain.md 7.5).
std::optional<std::uint32_t> locate_areal(const LandMap& map, const MapRect& extent, float x, float y);

/// Sets links between areals that share an edge with exactly opposite ends, and area metrics.
void link_areals(LandMap& map);

}  // namespace iron::asset
