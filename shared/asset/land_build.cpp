#include "shared/asset/land_build.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

constexpr std::uint16_t kRecordFlags = 0x0048, kBoundaryFlags = 0x0058;  // terrain.md 4

Status check_grid(const LandGrid& g) {
    if (g.columns == 0 || g.rows == 0 || g.quads == 0)
        return fail("land_authoring", "a landscape needs tiles and quads");
    if (!(g.tile_size > 0) || !is_finite(g.tile_size) || !is_finite(g.uv_per_tile))
        return fail("land_authoring", "the tile size must be positive and finite");
    if (g.columns > 65535 || g.rows > 65535 || g.quads > 65535)
        return fail("land_authoring", "more than 65 535 vertices or faces");
    const std::uint64_t tiles = std::uint64_t{g.columns} * g.rows;
    if (tiles > 65535)
        return fail("land_authoring", "more than 65 535 slots or faces");
    if (tiles >= 128 && tiles < 256)
        return fail("land_authoring",
                    std::to_string(tiles) + " tiles give a coarse slot the number 255, which means none");
    const std::uint64_t faces = tiles * g.quads * g.quads * 2 + tiles * 2;
    const std::uint64_t points = (std::uint64_t{g.columns} * g.quads + 1) *
                                 (std::uint64_t{g.rows} * g.quads + 1);
    if (g.quads > 255 || faces > 65535 || points > 65535 || tiles * 2 > 65535)
        return fail("land_authoring", "more than 65 535 vertices or faces");
    if (!g.heights.empty() && g.heights.size() != points)
        return fail("land_authoring", "the heights do not match the vertex grid");
    if (!g.fine.empty() && g.fine.size() != tiles * g.quads * g.quads)
        return fail("land_authoring", "the fine surfaces do not match the quads");
    if (!g.coarse.empty() && g.coarse.size() != tiles)
        return fail("land_authoring", "the coarse surfaces do not match the tiles");
    for (const float h : g.heights)
        if (!is_finite(h)) return fail("land_authoring", "a height is not finite");
    return {};
}

/// Vertex index of grid point (i, j); the one-quad map has the corner order of terrain.md 11.1.
std::uint16_t point(const LandGrid& g, std::uint32_t i, std::uint32_t j) {
    if (g.columns * g.rows * g.quads == 1) return static_cast<std::uint16_t>(j == 0 ? i : 3 - i);
    return static_cast<std::uint16_t>(j * g.points_x() + i);
}

void add_quad(LandMesh& m, const LandQuad& q, std::array<std::uint16_t, 4> corners) {
    LandFace face;
    face.flags = q.flags;
    face.material = q.material;
    face.blend = q.blend;
    const auto [a, b, c, d] = corners;
    face.vertices = {a, b, c};
    m.faces.push_back(face);
    face.vertices = {a, c, d};
    m.faces.push_back(face);
}

void add_tile(LandMesh& m, const LandGrid& g, std::uint32_t tx, std::uint32_t ty, bool coarse) {
    const std::uint32_t step = coarse ? g.quads : 1, x0 = tx * g.quads, y0 = ty * g.quads;
    MshSlot slot;
    slot.first_triangle = static_cast<std::uint16_t>(m.faces.size());
    for (std::uint32_t j = y0; j < y0 + g.quads; j += step)
        for (std::uint32_t i = x0; i < x0 + g.quads; i += step) {
            LandQuad surface;
            if (coarse && !g.coarse.empty()) surface = g.coarse[std::size_t{tx} * g.rows + ty];
            if (!coarse && !g.fine.empty())
                surface = g.fine[std::size_t{j} * g.columns * g.quads + i];
            add_quad(m, surface, {point(g, i, j), point(g, i + step, j), point(g, i + step, j + step),
                                  point(g, i, j + step)});
        }
    slot.triangle_count = static_cast<std::uint16_t>(m.faces.size() - slot.first_triangle);
    m.slots.push_back(slot);
}

/// Neighbours among the faces of one LOD.
void link_faces(LandMesh& m, const std::vector<std::uint8_t>& lods, std::uint8_t lod) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::vector<std::uint16_t> numbers;
    for (std::size_t i = 0; i < m.faces.size(); ++i)
        if (lods[i] == lod) {
            const auto& v = m.faces[i].vertices;
            triangles.push_back({v[0], v[1], v[2]});
            numbers.push_back(static_cast<std::uint16_t>(i));
        }
    const auto found = codec::find_neighbours(triangles);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t e = 0; e < 3; ++e)
            m.faces[numbers[t]].neighbours[e] =
                found[t][e] == codec::kNone32 ? kNone16 : numbers[found[t][e]];
}

void update_normals(LandMesh& m, const std::vector<std::uint8_t>& lods) {
    std::vector<Vec3> sums(m.positions.size());
    for (std::size_t i = 0; i < m.faces.size(); ++i) {
        LandFace& f = m.faces[i];
        const Vec3 n = codec::triangle_normal(m.positions[f.vertices[0]], m.positions[f.vertices[1]],
                                              m.positions[f.vertices[2]]);
        f.normal = codec::pack_face_normal(n);
        if (lods[i] == 0)
            for (const std::uint16_t v : f.vertices) sums[v] = sums[v] + n;
    }
    m.normals.resize(m.positions.size());
    for (std::size_t v = 0; v < sums.size(); ++v) {
        const float len = length(sums[v]);
        const std::uint8_t opaque = m.normals[v].w;
        m.normals[v] = pack_normal(len > 0 ? sums[v] * (1.0f / len) : Vec3{0, 0, 1});
        m.normals[v].w = opaque;
    }
}

void update_face_refs(LandMesh& m) {
    m.face_refs.assign(m.faces.size(), {});
    for (std::size_t i = 0; i < m.faces.size(); ++i)
        m.face_refs[i] = {static_cast<std::uint16_t>(i), kRecordFlags};
    for (const MshSlot& s : m.slots)
        for (std::size_t i = 0; i < s.triangle_count; ++i) {
            const std::size_t f = s.first_triangle + i;
            const bool starts = i == 0 || m.faces[f].material != m.faces[f - 1].material ||
                                m.faces[f].blend != m.faces[f - 1].blend;
            if (starts) m.face_refs[f].flags = kBoundaryFlags;
        }
}

}  // namespace

Status finish_land_mesh(LandMesh& m) {
    if (m.positions.size() > 65535 || m.faces.size() > 65535 || m.slots.size() > 65535)
        return fail("land_authoring", "more than 65 535 vertices, faces or slots");
    Aabb whole;
    for (const Vec3& p : m.positions) {
        if (!is_finite(p)) return fail("land_authoring", "a vertex is not finite");
        whole.add(p);
    }
    for (const LandFace& f : m.faces)
        for (const std::uint16_t v : f.vertices)
            if (v >= m.positions.size()) return fail("land_authoring", "a face names a missing vertex");
    for (MshSlot& s : m.slots) {
        if (std::size_t{s.first_triangle} + s.triangle_count > m.faces.size())
            return fail("land_authoring", "a slot covers missing faces");
        Aabb box;
        for (const LandFace& f : slot_faces(m, s))
            for (const std::uint16_t v : f.vertices) box.add(m.positions[v]);
        codec::set_slot_bounds(s, box);
    }
    m.header = codec::header_from_box(whole);
    const auto lods = face_lods(m);
    update_normals(m, lods);
    link_faces(m, lods, 0);
    link_faces(m, lods, 1);
    update_face_refs(m);
    m.uvs.resize(m.positions.size());
    m.microtexture.resize(m.positions.size());
    m.auxiliary.resize(m.positions.size());
    return {};
}

Result<LandMesh> build_land_mesh(const LandGrid& g) {
    IRON_CHECK(check_grid(g));
    LandMesh m;
    m.columns = g.columns;
    const std::uint32_t tiles = g.columns * g.rows;
    const float quad_size = g.tile_size / static_cast<float>(g.quads);
    m.positions.resize(std::size_t{g.points_x()} * g.points_y());
    m.uvs.resize(m.positions.size());
    for (std::uint32_t j = 0; j < g.points_y(); ++j)
        for (std::uint32_t i = 0; i < g.points_x(); ++i) {
            const std::size_t k = std::size_t{j} * g.points_x() + i;
            const std::uint16_t v = point(g, i, j);
            m.positions[v] = {static_cast<float>(i) * quad_size, static_cast<float>(j) * quad_size,
                              g.heights.empty() ? 0.0f : g.heights[k]};
            const float repeat = g.uv_per_tile / static_cast<float>(g.quads);
            m.uvs[v] = pack_uv({static_cast<float>(i) * repeat, static_cast<float>(j) * repeat});
        }
    for (const bool coarse : {false, true})
        for (std::uint32_t tx = 0; tx < g.columns; ++tx)
            for (std::uint32_t ty = 0; ty < g.rows; ++ty) add_tile(m, g, tx, ty, coarse);
    m.tiles.resize(tiles);
    for (std::uint32_t k = 0; k < tiles; ++k) {
        m.tiles[k].slots[0] = static_cast<std::uint16_t>(k);
        m.tiles[k].slots[1] = static_cast<std::uint16_t>(tiles + k);
    }
    IRON_CHECK(finish_land_mesh(m));
    return m;
}

}  // namespace iron::asset
