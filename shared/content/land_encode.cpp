// Land::encode: tiles, faces and slots. A face between points of two materials carries both
// selectors; large maps give every tile its own vertices, so that texture coordinates stay small.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "shared/asset/land_build.hpp"
#include "shared/content/kit/noise.hpp"
#include "shared/content/land.hpp"

namespace iron::content {
namespace {

using asset::LandFace;
using asset::LandMesh;

constexpr float kRepeatWu = 11.0f;   // aim for one texture repeat; a tile holds a whole number
constexpr float kRoadLift = 0.14f;   // above the ground, wu
constexpr float kFade = 0.26f;       // share of the road's width that fades on each side
constexpr float kShoulder = 1.1f;    // wu beyond the edge, where the embankment ends under ground
constexpr float kShoulderDrop = 0.7f;

/// One cross-section: shoulder, edge, inner, inner, edge, shoulder from left to right.
using Section = std::array<Vec3, 6>;

/// Corner cutting: three rounds give a smooth line through the neighbourhood of the points.
std::vector<Vec2> smooth_line(std::vector<Vec2> line) {
    for (int round = 0; round < 3; ++round) {
        std::vector<Vec2> next{line.front()};
        for (std::size_t i = 1; i < line.size(); ++i) {
            next.push_back(line[i - 1] * 0.75f + line[i] * 0.25f);
            next.push_back(line[i - 1] * 0.25f + line[i] * 0.75f);
        }
        next.push_back(line.back());
        line = std::move(next);
    }
    return line;
}

std::vector<Vec2> resample(const std::vector<Vec2>& line, float step) {
    std::vector<Vec2> out{line.front()};
    float carry = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 d = line[i] - line[i - 1];
        const float l = length(d);
        for (float s = step - carry; s <= l; s += step) out.push_back(line[i - 1] + d * (s / l));
        carry += l;
        while (carry >= step) carry -= step;
    }
    return out;
}

/// Cross-sections of a road over the ground whose quads are `skip` grid steps wide.
std::vector<Section> road_sections(const Land& land, const Road& road, float step, std::uint32_t skip) {
    const std::vector<Vec2> line = resample(smooth_line(road.points), step);
    std::vector<Section> out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const Vec2 a = line[i ? i - 1 : 0], b = line[std::min(i + 1, line.size() - 1)];
        Vec2 t = b - a;
        const float l = length(t);
        t = t * (1.0f / (l > 1e-6f ? l : 1.0f));
        const Vec2 n{-t.y, t.x};
        // A road begins and ends in a point, so that it has no cut edge.
        const float to_end = static_cast<float>(std::min(i, line.size() - 1 - i)) * step;
        const float width = road.width * (0.12f + 0.88f * smooth_step(0.0f, road.width * 2.0f, to_end));
        const float half = width * 0.5f, inner = half - width * kFade;
        const float offsets[6] = {half + kShoulder, half, inner, -inner, -half, -half - kShoulder};
        Section section;
        float z[6];
        for (int k = 0; k < 6; ++k) {
            const Vec2 p = line[i] + n * offsets[k];
            z[k] = land.coarse_ground(p.x, p.y, skip);
            section[static_cast<std::size_t>(k)] = {p.x, p.y, 0};
        }
        // Lifted where the ground bulges above the chords to the neighbouring sections.
        float bulge = std::max(0.0f, land.coarse_ground(line[i].x, line[i].y, skip) - (z[2] + z[3]) * 0.5f);
        for (const float s : {-0.5f, 0.5f}) {
            for (const float side : {half, 0.0f, -half}) {
                const Vec2 p = line[i] + n * side, q = p + t * (step * s), next = p + t * (step * 2 * s);
                const float chord = (land.coarse_ground(p.x, p.y, skip) + land.coarse_ground(next.x, next.y, skip)) * 0.5f;
                bulge = std::max(bulge, land.coarse_ground(q.x, q.y, skip) - chord);
            }
        }
        for (int k = 0; k < 6; ++k)
            section[static_cast<std::size_t>(k)].z = z[k] + (k == 0 || k == 5 ? -kShoulderDrop : kRoadLift + bulge);
        out.push_back(section);
    }
    return out;
}

class Encoder {
public:
    explicit Encoder(const Land& land) : land_(land), size_(land.size()) {
        for (std::uint32_t lod = 0; lod < 2; ++lod) {
            const float step = lod == 1 ? 40.0f : size_.own_vertices ? 34.0f : 6.0f;
            for (const Road& road : land.plan().roads)
                sections_[lod].push_back(road_sections(land, road, step, lod == 0 ? 1 : size_.quads / size_.coarse));
        }
    }

    Result<Bytes> run() {
        out_.columns = size_.tiles;
        const std::uint32_t count = size_.tiles * size_.tiles;
        for (std::uint32_t lod = 0; lod < 2; ++lod) {
            for (std::uint32_t tile = 0; tile < count; ++tile) {
                asset::MshSlot slot;
                slot.first_triangle = static_cast<std::uint16_t>(out_.faces.size());
                build(tile, lod);
                slot.triangle_count = static_cast<std::uint16_t>(out_.faces.size() - slot.first_triangle);
                out_.slots.push_back(slot);
            }
        }
        for (std::uint32_t tile = 0; tile < count; ++tile) {
            asset::LandTile record;
            record.parent = asset::kNone16;
            record.slots[0] = static_cast<std::uint16_t>(tile);
            record.slots[1] = static_cast<std::uint16_t>(count + tile);
            out_.tiles.push_back(record);
        }
        if (out_.positions.size() > 65535 || out_.faces.size() > 65535)
            return fail("land_authoring", "map too large for 16-bit references");
        out_.normals.resize(out_.positions.size());
        out_.microtexture.assign(out_.positions.size(), {});
        out_.auxiliary.assign(out_.positions.size(), {});
        IRON_CHECK(asset::finish_land_mesh(out_));
        // Smooth across tiles and materials: the split vertices all take the field's normal.
        for (std::size_t v = 0; v < out_.positions.size(); ++v)
            out_.normals[v] = asset::pack_normal(flat_[v] ? Vec3{0, 0, 1} : field_normal(out_.positions[v]));
        return asset::write_land_mesh_canonical(out_);
    }

private:
    Vec3 field_normal(Vec3 p) const {
        const float e = size_.step();
        const float dx = land_.ground(p.x + e, p.y) - land_.ground(p.x - e, p.y);
        const float dy = land_.ground(p.x, p.y + e) - land_.ground(p.x, p.y - e);
        const float wx = std::min(p.x + e, size_.extent()) - std::max(p.x - e, 0.0f);
        const float wy = std::min(p.y + e, size_.extent()) - std::max(p.y - e, 0.0f);
        const float sx = dx / wx, sy = dy / wy, l = sqrt_f(sx * sx + sy * sy + 1.0f);
        return {-sx / l, -sy / l, 1.0f / l};
    }

    std::uint16_t vertex(Vec3 p, Vec2 uv, bool flat) {
        out_.positions.push_back(p);
        out_.uvs.push_back(asset::pack_uv(uv));
        flat_.push_back(flat);
        return static_cast<std::uint16_t>(out_.positions.size() - 1);
    }
    void face(std::uint16_t a, std::uint16_t b, std::uint16_t c, Surface s, std::uint8_t blend, std::uint32_t flags) {
        LandFace f;
        f.flags = flags;
        f.material = static_cast<std::uint8_t>(s);
        f.blend = blend;
        f.vertices = {a, b, c};
        out_.faces.push_back(f);
    }

    Vec3 grid_point(std::uint32_t i, std::uint32_t j) const {
        return {static_cast<float>(i) * size_.step(), static_cast<float>(j) * size_.step(), land_.point(i, j)};
    }
    /// Planar coordinates; per tile, or from the middle of a map whose tiles share vertices.
    Vec2 plane_uv(Vec3 p, std::uint32_t tx, std::uint32_t ty) const {
        const float repeats = static_cast<float>(floor_i32(size_.tile_wu / kRepeatWu + 0.5f)) / size_.tile_wu;
        const Vec2 origin = size_.own_vertices ? Vec2{static_cast<float>(tx) * size_.tile_wu, static_cast<float>(ty) * size_.tile_wu}
                                               : Vec2{size_.extent() * 0.5f, size_.extent() * 0.5f};
        return {(p.x - origin.x) * repeats, (p.y - origin.y) * repeats};
    }
    /// The vertex of a grid point, made on first use (per tile if tiles own their vertices).
    std::uint16_t grid_vertex(std::uint32_t i, std::uint32_t j, std::uint32_t tx, std::uint32_t ty) {
        const auto [it, fresh] = grid_.emplace(j * size_.points() + i, std::uint16_t{0});
        if (fresh) {
            const Vec3 p = grid_point(i, j);
            it->second = vertex(p, plane_uv(p, tx, ty), false);
        }
        return it->second;
    }

    struct Draft {
        std::array<std::uint16_t, 3> v;
        Surface material;
        std::uint8_t blend;
    };

    /// Ground quads of a tile, `skip` grid steps wide, ordered by their materials.
    void ground(std::uint32_t tx, std::uint32_t ty, std::uint32_t skip, std::uint32_t lod) {
        const std::uint32_t lattice = size_.quads / size_.coarse;
        std::vector<Draft> drafts;
        for (std::uint32_t j = ty * size_.quads; j < (ty + 1) * size_.quads; j += skip) {
            for (std::uint32_t i = tx * size_.quads; i < (tx + 1) * size_.quads; i += skip) {
                const std::uint32_t at[4][2] = {{i, j}, {i + skip, j}, {i + skip, j + skip}, {i, j + skip}};
                for (const auto& corners : {std::array<int, 3>{0, 1, 2}, std::array<int, 3>{0, 2, 3}}) {
                    Draft d{};
                    Surface m[3];
                    for (int k = 0; k < 3; ++k) {
                        const auto* c = at[corners[static_cast<std::size_t>(k)]];
                        d.v[static_cast<std::size_t>(k)] = grid_vertex(c[0], c[1], tx, ty);
                        m[k] = lod == 0 ? land_.surface(c[0], c[1]) : land_.coarse_surface(c[0] / lattice, c[1] / lattice);
                    }
                    // The frequent material is the base, the single one is faded in.
                    d.material = m[0] == m[1] || m[0] == m[2] ? m[0] : m[1];
                    d.blend = 0xFF;
                    for (const Surface s : m)
                        if (s != d.material) d.blend = static_cast<std::uint8_t>(s);
                    drafts.push_back(d);
                }
            }
        }
        std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) {
            return std::pair(a.material, a.blend) < std::pair(b.material, b.blend);
        });
        for (const Draft& d : drafts) face(d.v[0], d.v[1], d.v[2], d.material, d.blend, 0);
    }

    /// Road strips whose middle lies in the tile: a core, edges that fade into the ground material,
    /// and embankments of that material alone, which reach under the ground.
    void roads(std::uint32_t tile, std::uint32_t lod) {
        const std::uint32_t tx = tile / size_.tiles, ty = tile % size_.tiles;
        const auto tile_of = [&](float c) {
            return static_cast<std::uint32_t>(std::clamp(floor_i32(c / size_.tile_wu), 0, static_cast<std::int32_t>(size_.tiles) - 1));
        };
        for (std::size_t r = 0; r < sections_[lod].size(); ++r) {
            const std::vector<Section>& sections = sections_[lod][r];
            for (std::size_t i = 1; i < sections.size(); ++i) {
                const Vec3 mid = (sections[i - 1][2] + sections[i][3]) * 0.5f;
                if (tile_of(mid.x) != tx || tile_of(mid.y) != ty) continue;
                std::uint16_t v[2][6]{};
                for (std::size_t end = 0; end < 2; ++end) {
                    for (std::size_t k = 0; k < 6; ++k) {
                        if (lod == 1 && k != 1 && k != 4) continue;
                        const auto key = std::tuple(r, i - 1 + end, k, size_.own_vertices ? tile : 0u);
                        const auto [it, fresh] = road_vertices_[lod].emplace(key, std::uint16_t{0});
                        if (fresh) {
                            const Vec3 p = sections[i - 1 + end][k];
                            it->second = vertex(p, plane_uv(p, tx, ty), false);
                        }
                        v[end][k] = it->second;
                    }
                }
                const auto left = land_.surface_near(sections[i][1].x, sections[i][1].y);
                const auto right = land_.surface_near(sections[i][4].x, sections[i][4].y);
                if (lod == 1) {  // from afar: the whole width in one piece
                    face(v[0][1], v[0][4], v[1][4], Surface::road, 0xFF, 0);
                    face(v[0][1], v[1][4], v[1][1], Surface::road, 0xFF, 0);
                    continue;
                }
                for (std::size_t k = 0; k < 5; ++k) {
                    const Surface side = k < 2 ? left : right;
                    const bool shoulder = k == 0 || k == 4, core = k == 2;
                    const Surface m = shoulder ? side : Surface::road;
                    const std::uint8_t blend = shoulder || core ? 0xFF : static_cast<std::uint8_t>(side);
                    face(v[0][k], v[0][k + 1], v[1][k + 1], m, blend, 0);
                    face(v[0][k], v[1][k + 1], v[1][k], m, blend, 0);
                }
            }
        }
    }

    void water(std::uint32_t tx, std::uint32_t ty, std::uint32_t skip) {
        if (land_.plan().lakes.empty()) return;
        for (std::uint32_t j = ty * size_.quads; j < (ty + 1) * size_.quads; j += skip) {
            for (std::uint32_t i = tx * size_.quads; i < (tx + 1) * size_.quads; i += skip) {
                bool wet = false;
                for (std::uint32_t v = j; v <= j + skip; ++v)
                    for (std::uint32_t u = i; u <= i + skip; ++u) wet = wet || land_.point(u, v) < land_.plan().water;
                if (!wet) continue;
                const auto at = [&](std::uint32_t u, std::uint32_t v) {
                    const auto [it, fresh] = water_.emplace(v * size_.points() + u, std::uint16_t{0});
                    if (fresh) {
                        Vec3 p = grid_point(u, v);
                        p.z = land_.plan().water;
                        it->second = vertex(p, plane_uv(p, tx, ty) * 0.5f, true);
                    }
                    return it->second;
                };
                const std::uint16_t p0 = at(i, j), p1 = at(i + skip, j), p2 = at(i + skip, j + skip), p3 = at(i, j + skip);
                face(p0, p1, p2, Surface::water, 0xFF, asset::surface::kWater);
                face(p0, p2, p3, Surface::water, 0xFF, asset::surface::kWater);
            }
        }
    }

    void build(std::uint32_t tile, std::uint32_t lod) {
        const std::uint32_t tx = tile / size_.tiles, ty = tile % size_.tiles;
        if (size_.own_vertices) {
            grid_.clear();
            water_.clear();
        }
        const std::uint32_t skip = land_.tile_skip(tx, ty, lod);
        ground(tx, ty, skip, lod);
        roads(tile, lod);
        water(tx, ty, skip);
    }

    const Land& land_;
    const LandSize& size_;
    std::vector<std::vector<Section>> sections_[2];  // by LOD, by road
    std::map<std::uint32_t, std::uint16_t> grid_, water_;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::uint32_t>, std::uint16_t> road_vertices_[2];
    LandMesh out_;
    std::vector<bool> flat_;
};

}  // namespace

Result<Bytes> Land::encode() const { return Encoder(*this).run(); }

}  // namespace iron::content
