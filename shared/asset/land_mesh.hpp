// Land.msh: terrain geometry, tiles and surface faces. Source: terrain.md 1-5.
// Building one from heights is in land_build.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shared/asset/msh.hpp"

namespace iron::asset {

/// Full surface mask bits with a known use (terrain.md 3).
namespace surface {
inline constexpr std::uint32_t kTwoSided = 0x8, kMicrotexture = 0x400, kWater = 0x20000;
}

inline constexpr std::uint8_t kNoBlend = 0xFF;

/// Type 21, 28 bytes (terrain.md 3).
struct LandFace {
    std::uint32_t flags = 0;          ///< full surface mask
    std::uint8_t material = 0;        ///< primary selector: WEAR row (inferred)
    std::uint8_t blend = kNoBlend;    ///< secondary selector, kNoBlend = none (inferred)
    std::uint16_t word6 = 0xFFFF;     ///< opaque
    std::array<std::uint16_t, 3> vertices{};
    std::array<std::uint16_t, 3> neighbours{kNone16, kNone16, kNone16};  ///< across edge i, i+1
    std::array<std::int16_t, 3> normal{};                                ///< c / 32767
    std::uint8_t edge_classes = 0;    ///< 2 bits per edge (inferred)
    std::uint8_t byte1b = 0;          ///< opaque
    bool operator==(const LandFace&) const = default;
};

/// Type 11 (terrain.md 4, inferred).
struct LandFaceRef {
    std::uint16_t face = 0;
    std::uint16_t flags = 0x0048;
    bool operator==(const LandFaceRef&) const = default;
};
inline constexpr std::uint16_t kBatchBoundary = 0x0010;

/// `(flags & required) == required and (flags & forbidden) == 0`.
struct SurfaceFilter {
    std::uint32_t required = 0, forbidden = 0;
    constexpr bool passes(std::uint32_t flags) const {
        return (flags & required) == required && (flags & forbidden) == 0;
    }
};

/// Compact form of a full mask (terrain.md 3.1); `kept` holds the bits without a compact form.
struct CompactMask {
    std::uint16_t main = 0;
    std::uint8_t material_class = 0;
    std::uint32_t kept = 0;
    bool operator==(const CompactMask&) const = default;
};
CompactMask compact_mask(std::uint32_t full);
std::uint32_t full_mask(const CompactMask& compact);

/// A tile record has the layout of a model node: slot words 0 and 1 are LOD 0 and LOD 1.
using LandTile = MshNode;

struct LandMesh {
    std::uint32_t columns = 0;      ///< tiles along X, attr2 of type 1
    std::vector<LandTile> tiles;    ///< tile (tx, ty) is number tx * rows() + ty
    MshHeader header;
    std::vector<MshSlot> slots;
    std::vector<Vec3> positions;
    std::vector<PackedNormal> normals;
    std::vector<PackedUv> uvs;
    std::vector<OpaqueWord> microtexture;  ///< type 18
    std::vector<OpaqueWord> auxiliary;     ///< type 14, may be missing
    std::vector<LandFaceRef> face_refs;    ///< type 11
    std::vector<LandFace> faces;

    StreamSource source;

    std::uint32_t rows() const {
        return columns ? static_cast<std::uint32_t>(tiles.size()) / columns : 0;
    }
    std::uint32_t tile_index(std::uint32_t tx, std::uint32_t ty) const { return tx * rows() + ty; }
};

/// Errors: those of NRes, `unknown_msh_variant`, `land_missing_stream` (the message for type 18 is
/// the original's), `land_duplicate_stream`, `msh_bad_size`, `land_bad_count`, `land_bad_stride`,
/// `land_bad_tiles`, `land_bad_reference`, `msh_non_finite`.
Result<LandMesh> read_land_mesh(ByteView container, ReadContext& ctx);

/// Lossless as write_msh. A mesh without an image is written canonically, entries named `land`.
Result<Bytes> write_land_mesh(const LandMesh& mesh);
Result<Bytes> write_land_mesh_canonical(const LandMesh& mesh);

/// Tile under a point, clamped to the grid (terrain.md 1.1, inferred). nullopt without tiles,
/// slots, or with a degenerate slot 0.
struct TileCoord {
    std::uint32_t tx = 0, ty = 0;
    bool operator==(const TileCoord&) const = default;
};
std::optional<TileCoord> tile_at(const LandMesh& mesh, float x, float y);

/// Slot of a tile at a LOD (0 or 1), nullptr when absent (0xFFFF; for LOD 1 also 0x00FF).
const MshSlot* tile_slot(const LandMesh& mesh, std::uint32_t tile, unsigned lod);
/// Faces of a slot.
std::span<const LandFace> slot_faces(const LandMesh& mesh, const MshSlot& slot);

/// LOD of every face by the slot that contains it; 0xFF = in no slot of any tile.
std::vector<std::uint8_t> face_lods(const LandMesh& mesh);

/// Z of vertex 0 of the first face with surface::kWater, -1 when there is none.
float water_level(const LandMesh& mesh);

/// Warnings of terrain.md 3.3 that need the two WEAR tables: rows beyond their table.
void check_land_materials(const LandMesh& mesh, std::size_t wear1_rows, std::size_t wear2_rows,
                          ReadContext& ctx);

}  // namespace iron::asset
