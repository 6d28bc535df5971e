#include "client/view/terrain_build.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "shared/asset/land_mesh.hpp"

namespace iron::client::view {
namespace {

constexpr float kSkirtDepth = 6.0f;     ///< wu
constexpr float kApronWidth = 1400.0f;  ///< wu beyond the border
constexpr float kSmoothing = 0.45f;     ///< of the material shares
constexpr float kOpenWaterDepth = 4.0f; ///< wu, assumed where there is no bed

/// Layer numbers for (level, row).
class LayerTable {
public:
    LayerTable(const LandMaterials& materials, TerrainMesh& mesh) : materials_(materials), mesh_(mesh) {}

    std::uint16_t layer(unsigned lod, std::uint8_t row) {
        const auto& table = lod == 0 ? materials_.fine : materials_.coarse;
        if (table.empty()) return 0;
        const std::uint32_t material = table[row < table.size() ? row : 0];
        const auto found = std::find(mesh_.layers.begin(), mesh_.layers.end(), material);
        if (found != mesh_.layers.end()) return static_cast<std::uint16_t>(found - mesh_.layers.begin());
        mesh_.layers.push_back(material);
        return static_cast<std::uint16_t>(mesh_.layers.size() - 1);
    }

private:
    const LandMaterials& materials_;
    TerrainMesh& mesh_;
};

struct Source {
    const asset::LandMesh& land;
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec2> uvs;
    std::vector<float> occlusion;
};

/// How much sky a point sees: the mean horizon over eight directions.
std::vector<float> sky_occlusion(const std::vector<glm::vec3>& positions, const HeightField& field) {
    std::vector<float> out(positions.size(), 1.0f);
    constexpr std::array<float, 4> kReach{4.0f, 10.0f, 22.0f, 44.0f};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        float open = 0;
        for (int d = 0; d < 8; ++d) {
            const float a = static_cast<float>(d) * kPi / 4.0f;
            const glm::vec2 dir(std::cos(a), std::sin(a));
            float steepest = 0;
            for (float reach : kReach) {
                const float h = field.height_or_nearest(glm::vec2(positions[i]) + dir * reach);
                steepest = std::max(steepest, (h - positions[i].z) / reach);
            }
            open += 1.0f - std::sin(std::atan(steepest));
        }
        out[i] = open / 8.0f;
    }
    return out;
}

bool is_water(const asset::LandFace& face) { return (face.flags & asset::surface::kWater) != 0; }

bool valid(const asset::LandFace& face, std::size_t count) {
    return face.vertices[0] < count && face.vertices[1] < count && face.vertices[2] < count;
}

HeightField fine_ground(const asset::LandMesh& land, std::vector<glm::vec3> positions, bool with_water) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t t = 0; t < land.tiles.size(); ++t)
        if (const asset::MshSlot* slot = asset::tile_slot(land, t, 0))
            for (const asset::LandFace& face : asset::slot_faces(land, *slot))
                if (valid(face, positions.size()) && (with_water || !is_water(face)))
                    triangles.push_back({face.vertices[0], face.vertices[1], face.vertices[2]});
    return HeightField(std::move(positions), std::move(triangles));
}

class TerrainBuilder {
public:
    TerrainBuilder(Source& source, const LandMaterials& materials, TerrainMesh& mesh)
        : source_(source), layers_(materials, mesh), mesh_(mesh) {}

    void build() {
        const asset::LandMesh& land = source_.land;
        mesh_.columns = std::max(1u, land.columns);
        mesh_.rows = std::max(1u, land.rows());
        for (const glm::vec3& p : source_.positions) mesh_.bounds.add(p);
        mesh_.origin = glm::vec2(mesh_.bounds.min);
        mesh_.tile_size = glm::vec2(mesh_.bounds.size()) / glm::vec2(mesh_.columns, mesh_.rows);
        mesh_.tile_size = glm::max(mesh_.tile_size, glm::vec2(1e-3f));
        collect_shares();
        bed_ = fine_ground(source_.land, source_.positions, false);
        mesh_.tiles.resize(land.tiles.size());
        for (std::uint32_t t = 0; t < land.tiles.size(); ++t) build_tile(t);
        build_apron();
    }

private:
    using Weights = std::vector<std::pair<std::uint16_t, float>>;  // layer, share
    using LayerSet = std::array<std::uint16_t, 3>;

    /// Vertices at one place count as one: a large map gives every tile its own.
    void collect_places() {
        std::map<std::array<std::int64_t, 3>, std::uint32_t> known;
        for (const glm::vec3& p : source_.positions) {
            std::array<std::int64_t, 3> key{};
            for (int i = 0; i < 3; ++i)
                key[static_cast<std::size_t>(i)] = std::llround(std::clamp(static_cast<double>(p[i]), -1e9, 1e9) * 64.0);
            place_.push_back(known.emplace(key, static_cast<std::uint32_t>(known.size())).first->second);
        }
        places_ = known.size();
    }

    /// Shares of the materials around every place, for each level of detail.
    void collect_shares() {
        collect_places();
        std::array<std::vector<Weights>, 2> blended;
        for (unsigned lod = 0; lod < 2; ++lod) {
            shares_[lod].assign(places_, {});
            blended[lod].assign(places_, {});
        }
        water_corner_.assign(source_.positions.size(), 0);
        const auto count = [](Weights& list, std::uint16_t layer) {
            for (auto& [have, sum] : list)
                if (have == layer) {
                    sum += 1.0f;
                    return;
                }
            list.emplace_back(layer, 1.0f);
        };
        for (std::uint32_t t = 0; t < source_.land.tiles.size(); ++t)
            for (unsigned lod = 0; lod < 2; ++lod) {
                const asset::MshSlot* slot = asset::tile_slot(source_.land, t, lod);
                if (!slot) continue;
                for (const asset::LandFace& face : asset::slot_faces(source_.land, *slot)) {
                    if (!valid(face, source_.positions.size())) continue;
                    for (std::uint16_t v : face.vertices) {
                        if (lod == 0)
                            water_corner_[v] = static_cast<std::uint8_t>(water_corner_[v] | (is_water(face) ? 1 : 2));
                        if (is_water(face)) continue;
                        if (face.blend == asset::kNoBlend) {
                            count(shares_[lod][place_[v]], layers_.layer(lod, face.material));
                        } else {
                            count(blended[lod][place_[v]], layers_.layer(lod, face.material));
                            count(blended[lod][place_[v]], layers_.layer(lod, face.blend));
                        }
                    }
                }
            }
        for (unsigned lod = 0; lod < 2; ++lod)
            for (std::size_t i = 0; i < places_; ++i) {
                Weights& list = shares_[lod][i];
                if (list.empty()) list = blended[lod][i];
                float sum = 0;
                for (const auto& [layer, share] : list) sum += share;
                for (auto& [layer, share] : list) share /= sum;
            }
        for (unsigned lod = 0; lod < 2; ++lod) smooth_shares(lod);
    }

    /// Rounds the saw teeth that a grid of materials has: every place takes on a part of what is
    /// around it.
    void smooth_shares(unsigned lod) {
        std::vector<std::vector<std::uint32_t>> around(places_);
        for (std::uint32_t t = 0; t < source_.land.tiles.size(); ++t) {
            const asset::MshSlot* slot = asset::tile_slot(source_.land, t, lod);
            if (!slot) continue;
            for (const asset::LandFace& face : asset::slot_faces(source_.land, *slot)) {
                if (!valid(face, source_.positions.size()) || is_water(face)) continue;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t a = place_[face.vertices[k]], b = place_[face.vertices[(k + 1) % 3]];
                    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
                        if (std::find(around[from].begin(), around[from].end(), to) == around[from].end())
                            around[from].push_back(to);
                }
            }
        }
        const std::vector<Weights> before = shares_[lod];
        for (std::size_t i = 0; i < places_; ++i) {
            if (around[i].empty()) continue;
            Weights mixed = before[i];
            for (auto& [layer, share] : mixed) share *= 1.0f - kSmoothing;
            const float part = kSmoothing / static_cast<float>(around[i].size());
            for (std::uint32_t n : around[i])
                for (const auto& [layer, share] : before[n]) {
                    const auto found = std::find_if(mixed.begin(), mixed.end(), [l = layer](const auto& e) { return e.first == l; });
                    if (found == mixed.end())
                        mixed.emplace_back(layer, share * part);
                    else
                        found->second += share * part;
                }
            shares_[lod][i] = std::move(mixed);
        }
    }

    /// The three most present materials of a triangle, ascending; unused places repeat the last.
    LayerSet layer_set(unsigned lod, const std::array<std::uint16_t, 3>& corners) const {
        Weights sum;
        for (std::uint16_t v : corners)
            for (const auto& [layer, share] : shares_[lod][place_[v]]) {
                const auto found = std::find_if(sum.begin(), sum.end(), [l = layer](const auto& e) { return e.first == l; });
                if (found == sum.end())
                    sum.emplace_back(layer, share);
                else
                    found->second += share;
            }
        std::stable_sort(sum.begin(), sum.end(), [](const auto& x, const auto& y) {
            return x.second != y.second ? x.second > y.second : x.first < y.first;
        });
        if (sum.size() > 3) sum.resize(3);
        std::sort(sum.begin(), sum.end());
        LayerSet out{};
        for (std::size_t i = 0; i < 3 && !sum.empty(); ++i) out[i] = sum[std::min(i, sum.size() - 1)].first;
        return out;
    }

    std::uint32_t vertex(unsigned lod, std::uint16_t v, const LayerSet& set) {
        const auto key = std::make_tuple(lod, v, set);
        if (const auto found = seen_.find(key); found != seen_.end()) return found->second;
        TerrainVertex out;
        out.position = source_.positions[v];
        out.normal = source_.normals[v];
        out.uv = source_.uvs[v];
        out.layers = glm::vec3(set[0], set[1], set[2]);
        out.weights = glm::vec3(0);
        float sum = 0;
        for (int i = 0; i < 3; ++i) {
            if (i > 0 && set[static_cast<std::size_t>(i)] == set[static_cast<std::size_t>(i - 1)]) continue;
            for (const auto& [layer, share] : shares_[lod][place_[v]])
                if (layer == set[static_cast<std::size_t>(i)]) out.weights[i] = share;
            sum += out.weights[i];
        }
        out.weights = sum > 0 ? out.weights / sum : glm::vec3(1, 0, 0);
        out.occlusion = source_.occlusion[v];
        const auto index = static_cast<std::uint32_t>(mesh_.vertices.size());
        mesh_.vertices.push_back(out);
        seen_.emplace(key, index);
        return index;
    }

    void build_tile(std::uint32_t t) {
        TerrainTile& tile = mesh_.tiles[t];
        for (unsigned lod = 0; lod < 2; ++lod) {
            const asset::MshSlot* slot = asset::tile_slot(source_.land, t, lod);
            if (!slot) continue;
            IndexRange& range = lod == 0 ? tile.fine : tile.coarse;
            range.first = static_cast<std::uint32_t>(mesh_.indices.size());
            std::map<std::pair<std::uint16_t, std::uint16_t>, std::pair<int, std::array<std::uint32_t, 2>>> edges;
            for (const asset::LandFace& face : asset::slot_faces(source_.land, *slot)) {
                if (!valid(face, source_.positions.size())) continue;
                if (is_water(face)) {
                    if (lod == 0) add_water(face, tile);
                    continue;
                }
                const LayerSet set = layer_set(lod, face.vertices);
                std::array<std::uint32_t, 3> corner{};
                for (std::size_t k = 0; k < 3; ++k) corner[k] = vertex(lod, face.vertices[k], set);
                add_upward(corner[0], corner[1], corner[2]);
                for (std::size_t k = 0; k < 3; ++k) {
                    tile.box.add(source_.positions[face.vertices[k]]);
                    const std::uint16_t a = face.vertices[k], b = face.vertices[(k + 1) % 3];
                    auto& edge = edges[{std::min(a, b), std::max(a, b)}];
                    ++edge.first;
                    edge.second = {corner[k], corner[(k + 1) % 3]};
                }
            }
            for (const auto& [key, edge] : edges)
                if (edge.first == 1) add_skirt(edge.second[0], edge.second[1]);
            range.count = static_cast<std::uint32_t>(mesh_.indices.size()) - range.first;
            if (lod == 1) tile.has_coarse = range.count > 0;
        }
    }

    /// Original faces have no published winding: order the corners so that the front looks up.
    void add_upward(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const glm::vec3 &pa = mesh_.vertices[a].position, &pb = mesh_.vertices[b].position,
                        &pc = mesh_.vertices[c].position;
        const float z = (pb.x - pa.x) * (pc.y - pa.y) - (pc.x - pa.x) * (pb.y - pa.y);
        if (z < 0) std::swap(b, c);
        mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
    }

    void add_skirt(std::uint32_t a, std::uint32_t b) {
        const auto low = [&](std::uint32_t from) {
            TerrainVertex v = mesh_.vertices[from];
            v.position.z -= kSkirtDepth;
            mesh_.vertices.push_back(v);
            return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
        };
        const std::uint32_t la = low(a), lb = low(b);
        // Both sides: which one looks outward is not known and does not matter for the cost.
        mesh_.indices.insert(mesh_.indices.end(), {a, la, b, b, la, lb, a, b, la, b, lb, la});
    }

    void add_water(const asset::LandFace& face, TerrainTile& tile) {
        std::array<std::uint32_t, 3> corner{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint16_t v = face.vertices[k];
            auto [found, fresh] = water_seen_.emplace(v, static_cast<std::uint32_t>(mesh_.water_vertices.size()));
            if (fresh) {
                WaterVertex w;
                w.position = source_.positions[v];
                // Without a bed below, the corner's neighbours tell shore from open water.
                const auto bed = bed_.height(glm::vec2(w.position));
                w.depth = bed ? w.position.z - *bed : water_corner_[v] == 1 ? kOpenWaterDepth : 0.0f;
                mesh_.water_vertices.push_back(w);
            }
            corner[k] = found->second;
            tile.box.add(source_.positions[v]);
        }
        const glm::vec3 &a = mesh_.water_vertices[corner[0]].position,
                        &b = mesh_.water_vertices[corner[1]].position,
                        &c = mesh_.water_vertices[corner[2]].position;
        if ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) < 0) std::swap(corner[1], corner[2]);
        mesh_.water_indices.insert(mesh_.water_indices.end(), corner.begin(), corner.end());
    }

    /// Continues the border outward so that the world does not end in a cliff.
    void build_apron() {
        const auto first = static_cast<std::uint32_t>(mesh_.indices.size());
        const glm::vec2 low(mesh_.bounds.min), high(mesh_.bounds.max);
        const auto outward = [&](const glm::vec3& p) {
            glm::vec2 d(0);
            constexpr float kNear = 1e-2f;
            if (p.x < low.x + kNear) d.x = -1;
            if (p.x > high.x - kNear) d.x = 1;
            if (p.y < low.y + kNear) d.y = -1;
            if (p.y > high.y - kNear) d.y = 1;
            return d;
        };
        const glm::vec2 uv_per_wu = uv_scale();
        std::map<std::tuple<std::uint32_t, int, int>, std::uint32_t> far_corner;
        const auto moved = [&](std::uint32_t from, glm::vec2 d) {
            const auto key = std::make_tuple(from, static_cast<int>(d.x), static_cast<int>(d.y));
            if (const auto found = far_corner.find(key); found != far_corner.end()) return found->second;
            TerrainVertex v = mesh_.vertices[from];
            v.position += glm::vec3(d * kApronWidth, -kApronWidth * 0.02f);
            v.uv += d * kApronWidth * uv_per_wu;
            v.normal = glm::vec3(0, 0, 1);
            v.occlusion = 1.0f;
            mesh_.vertices.push_back(v);
            const auto index = static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
            far_corner.emplace(key, index);
            return index;
        };
        // Walk the fine border edges that were counted once on the whole map.
        std::map<std::pair<std::uint16_t, std::uint16_t>, std::pair<int, std::array<std::uint32_t, 2>>> edges;
        for (std::uint32_t t = 0; t < source_.land.tiles.size(); ++t) {
            const asset::MshSlot* slot = asset::tile_slot(source_.land, t, 0);
            if (!slot) continue;
            for (const asset::LandFace& face : asset::slot_faces(source_.land, *slot)) {
                if (!valid(face, source_.positions.size()) || is_water(face)) continue;
                const LayerSet set = layer_set(0, face.vertices);
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint16_t a = face.vertices[k], b = face.vertices[(k + 1) % 3];
                    const glm::vec2 da = outward(source_.positions[a]), db = outward(source_.positions[b]);
                    if ((da.x == 0 && da.y == 0) || (db.x == 0 && db.y == 0)) continue;
                    auto& edge = edges[{std::min(a, b), std::max(a, b)}];
                    ++edge.first;
                    edge.second = {vertex(0, a, set), vertex(0, b, set)};
                }
            }
        }
        for (const auto& [key, edge] : edges) {
            if (edge.first != 1) continue;
            const auto [a, b] = edge.second;
            const glm::vec2 da = outward(mesh_.vertices[a].position), db = outward(mesh_.vertices[b].position);
            // An edge lies on the side both ends share.
            const glm::vec2 side(da.x == db.x ? da.x : 0.0f, da.y == db.y ? da.y : 0.0f);
            if (side.x == 0 && side.y == 0) continue;
            const std::uint32_t fa = moved(a, side), fb = moved(b, side);
            add_upward(a, b, fa);
            add_upward(b, fb, fa);
            for (const auto& [corner, d] : {std::pair(a, da), std::pair(b, db)})
                if (d.x != 0 && d.y != 0) {
                    const std::uint32_t diagonal = moved(corner, d);
                    const std::uint32_t own = moved(corner, side);
                    add_upward(corner, own, diagonal);
                }
        }
        mesh_.apron = {first, static_cast<std::uint32_t>(mesh_.indices.size()) - first};
    }

    glm::vec2 uv_scale() const {
        // The gradient of the first proper face; coordinates may wrap over larger distances.
        glm::vec2 out(1.0f / 16.0f);
        for (const asset::LandFace& face : source_.land.faces) {
            if (!valid(face, source_.positions.size())) continue;
            const glm::vec2 p0(source_.positions[face.vertices[0]]);
            const glm::vec2 e1 = glm::vec2(source_.positions[face.vertices[1]]) - p0;
            const glm::vec2 e2 = glm::vec2(source_.positions[face.vertices[2]]) - p0;
            const float det = e1.x * e2.y - e2.x * e1.y;
            if (std::abs(det) < 1e-4f) continue;
            const glm::vec2 t0 = source_.uvs[face.vertices[0]];
            const glm::vec2 d1 = source_.uvs[face.vertices[1]] - t0, d2 = source_.uvs[face.vertices[2]] - t0;
            out.x = (d1.x * e2.y - d2.x * e1.y) / det;
            out.y = (d2.y * e1.x - d1.y * e2.x) / det;
            break;
        }
        return out;
    }

    Source& source_;
    LayerTable layers_;
    TerrainMesh& mesh_;
    std::vector<std::uint32_t> place_;  // per vertex
    std::size_t places_ = 0;
    std::array<std::vector<Weights>, 2> shares_;  // per place
    std::vector<std::uint8_t> water_corner_;
    HeightField bed_;  // the ground without the water faces
    std::map<std::tuple<unsigned, std::uint16_t, LayerSet>, std::uint32_t> seen_;
    std::map<std::uint16_t, std::uint32_t> water_seen_;
};

std::vector<glm::vec3> scaled_positions(const asset::LandMesh& land, float scale) {
    std::vector<glm::vec3> out;
    out.reserve(land.positions.size());
    for (const Vec3& p : land.positions) out.emplace_back(p.x, p.y, p.z * scale);
    return out;
}

}  // namespace

HeightField build_height_field(const asset::LandMesh& land, float scale) {
    return fine_ground(land, scaled_positions(land, scale), true);
}

TerrainMesh build_terrain(const asset::LandMesh& land, const LandMaterials& materials, float scale) {
    TerrainMesh mesh;
    Source source{land, scaled_positions(land, scale), {}, {}, {}};
    for (std::size_t i = 0; i < source.positions.size(); ++i) {
        glm::vec3 n(0, 0, 1);
        if (i < land.normals.size()) n = to_glm(asset::unpack_normal(land.normals[i]));
        // Heights were scaled: so must the slopes.
        if (scale != 1.0f) n = glm::vec3(n.x * scale, n.y * scale, n.z);
        const float length = glm::length(n);
        source.normals.push_back(length > 1e-6f ? n / length : glm::vec3(0, 0, 1));
        const Vec2 uv = i < land.uvs.size() ? asset::unpack_uv(land.uvs[i]) : Vec2{};
        source.uvs.emplace_back(uv.x, uv.y);
    }
    source.occlusion = sky_occlusion(source.positions, build_height_field(land, scale));
    TerrainBuilder(source, materials, mesh).build();
    return mesh;
}

float choose_height_scale(const HeightField& unscaled, std::span<const HeightProbe> probes) {
    std::vector<float> plain, small;
    for (const HeightProbe& probe : probes)
        if (const auto h = unscaled.height(probe.at)) {
            plain.push_back(std::abs(probe.z - *h));
            small.push_back(std::abs(probe.z - *h / 32.0f));
        }
    if (plain.size() < 5) return 1.0f / 32.0f;
    const auto lower_median = [](std::vector<float>& v) {
        const auto at = v.begin() + static_cast<std::ptrdiff_t>((v.size() - 1) / 2);
        std::nth_element(v.begin(), at, v.end());
        return *at;
    };
    return lower_median(plain) < lower_median(small) ? 1.0f : 1.0f / 32.0f;
}

}  // namespace iron::client::view
