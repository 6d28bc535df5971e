// Masks, tiles and slots of a landscape (terrain.md 1.1, 1.2, 3.1 - 3.3).
#include <algorithm>
#include <array>

#include "shared/asset/land_mesh.hpp"

#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

struct Bit {
    std::uint32_t full;
    std::uint16_t compact;
};
constexpr Bit kMainBits[] = {
    {0x00000001, 0x0001}, {0x00000008, 0x0002}, {0x00000010, 0x0004}, {0x00000020, 0x0008},
    {0x00001000, 0x0010}, {0x00004000, 0x0020}, {0x00000002, 0x0040}, {0x00000400, 0x0080},
    {0x00000800, 0x0100}, {0x00020000, 0x0200}, {0x00002000, 0x0400}, {0x00000200, 0x0800},
    {0x00000004, 0x1000}, {0x00000040, 0x2000}, {0x00200000, 0x8000}};
constexpr Bit kClassBits[] = {{0x00000100, 0x01}, {0x00008000, 0x02}, {0x00010000, 0x04},
                              {0x00040000, 0x08}, {0x00080000, 0x10}, {0x00000080, 0x20}};

/// Slot word of a tile when it names a slot.
const MshSlot* slot_or_null(const LandMesh& mesh, std::uint16_t word) {
    return word < mesh.slots.size() && word != kNone16 ? &mesh.slots[word] : nullptr;
}

std::uint32_t tile_axis(float v, float origin, float low, float high, std::uint32_t count) {
    const float inverse = 1.0f / (high - low);
    const std::int64_t i = floor_i64((v - origin) * inverse);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, std::int64_t{count} - 1));
}

}  // namespace

CompactMask compact_mask(std::uint32_t full) {
    CompactMask out;
    out.kept = full;
    for (const Bit& b : kMainBits)
        if (full & b.full) {
            out.main = static_cast<std::uint16_t>(out.main | b.compact);
            out.kept &= ~b.full;
        }
    for (const Bit& b : kClassBits)
        if (full & b.full) {
            out.material_class = static_cast<std::uint8_t>(out.material_class | b.compact);
            out.kept &= ~b.full;
        }
    return out;
}

std::uint32_t full_mask(const CompactMask& compact) {
    std::uint32_t full = compact.kept;
    for (const Bit& b : kMainBits)
        if (compact.main & b.compact) full |= b.full;
    for (const Bit& b : kClassBits)
        if (compact.material_class & b.compact) full |= b.full;
    return full;
}

std::optional<TileCoord> tile_at(const LandMesh& mesh, float x, float y) {
    if (mesh.columns == 0 || mesh.rows() == 0 || mesh.slots.empty()) return std::nullopt;
    const MshSlot& s = mesh.slots.front();
    if (!(s.box_max.x > s.box_min.x) || !(s.box_max.y > s.box_min.y)) return std::nullopt;
    const Vec3 origin = mesh.header.corners[0];
    return TileCoord{tile_axis(x, origin.x, s.box_min.x, s.box_max.x, mesh.columns),
                     tile_axis(y, origin.y, s.box_min.y, s.box_max.y, mesh.rows())};
}

const MshSlot* tile_slot(const LandMesh& mesh, std::uint32_t tile, unsigned lod) {
    if (tile >= mesh.tiles.size() || lod > 1) return nullptr;
    const std::uint16_t word = mesh.tiles[tile].slots[lod];
    if (lod == 1 && word == 0x00FF) return nullptr;  // the original compares with 0x00FF
    return slot_or_null(mesh, word);
}

std::span<const LandFace> slot_faces(const LandMesh& mesh, const MshSlot& slot) {
    const std::size_t first = std::min<std::size_t>(slot.first_triangle, mesh.faces.size());
    const std::size_t count = std::min<std::size_t>(slot.triangle_count, mesh.faces.size() - first);
    return std::span(mesh.faces).subspan(first, count);
}

std::vector<std::uint8_t> face_lods(const LandMesh& mesh) {
    std::vector<std::uint8_t> lods(mesh.faces.size(), 0xFF);
    std::vector<std::uint8_t> slot_lod(mesh.slots.size(), 0xFF);
    for (const LandTile& tile : mesh.tiles)
        for (std::uint8_t lod = 0; lod < 2; ++lod)
            if (tile.slots[lod] < mesh.slots.size())
                slot_lod[tile.slots[lod]] = std::min(slot_lod[tile.slots[lod]], lod);
    for (std::uint8_t lod = 2; lod-- > 0;) {  // the fine one last, so that it wins
        std::vector<std::int64_t> change(mesh.faces.size() + 1, 0);
        for (std::size_t i = 0; i < mesh.slots.size(); ++i)
            if (slot_lod[i] == lod) {
                const std::size_t first = std::min<std::size_t>(mesh.slots[i].first_triangle, lods.size());
                ++change[first];
                --change[std::min(first + mesh.slots[i].triangle_count, lods.size())];
            }
        std::int64_t covered = 0;
        for (std::size_t f = 0; f < lods.size(); ++f)
            if ((covered += change[f]) > 0) lods[f] = lod;
    }
    return lods;
}

float water_level(const LandMesh& mesh) {
    for (const LandFace& f : mesh.faces)
        if ((f.flags & surface::kWater) && f.vertices[0] < mesh.positions.size())
            return mesh.positions[f.vertices[0]].z;
    return -1;
}

void check_land_materials(const LandMesh& mesh, std::size_t wear1_rows, std::size_t wear2_rows,
                          ReadContext& ctx) {
    const auto lods = face_lods(mesh);
    codec::Tally beyond;
    for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
        const std::size_t rows = lods[i] == 1 ? wear2_rows : wear1_rows;
        const LandFace& f = mesh.faces[i];
        if (f.material >= rows || (f.blend != kNoBlend && f.blend >= rows)) beyond.hit(i);
    }
    beyond.warn(ctx, "land_material_row", "faces whose selector is beyond its WEAR table");
}

}  // namespace iron::asset
