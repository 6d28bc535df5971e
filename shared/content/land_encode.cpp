// Land::encode: tiles, faces and slots. Every tile and every material run has its own vertices, so
// that texture coordinates stay small (i16 / 1024) and a run can be drawn with one base vertex.
#include <algorithm>
#include <array>
#include <map>

#include "shared/asset/land_build.hpp"
#include "shared/content/kit/noise.hpp"
#include "shared/content/land.hpp"

namespace iron::content {
namespace {

using asset::LandFace;
using asset::LandMesh;

constexpr float kRepeatWu = 11.0f;   // aim for one texture repeat; a tile holds a whole number
constexpr float kRoadStep = 6.0f;
constexpr float kRoadLift = 0.12f;

struct Strip {
    std::array<Vec3, 4> p;  // left start, right start, right end, left end
    float v0 = 0, v1 = 0;
};

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

std::vector<Strip> road_strips(const Land& land, const Road& road) {
    const std::vector<Vec2> line = smooth_line(road.points);
    std::vector<Vec2> samples{line.front()};
    float carry = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 d = line[i] - line[i - 1];
        const float l = length(d);
        for (float s = kRoadStep - carry; s <= l; s += kRoadStep) samples.push_back(line[i - 1] + d * (s / l));
        carry += l;
        while (carry >= kRoadStep) carry -= kRoadStep;
    }
    std::vector<Vec3> left, right;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Vec2 a = samples[i ? i - 1 : 0], b = samples[std::min(i + 1, samples.size() - 1)];
        Vec2 t = b - a;
        const float l = length(t);
        t = t * (1.0f / (l > 1e-6f ? l : 1.0f));
        const Vec2 n{-t.y, t.x};
        const Vec2 pl = samples[i] + n * (road.width * 0.5f), pr = samples[i] - n * (road.width * 0.5f);
        float zl = land.ground(pl.x, pl.y), zr = land.ground(pr.x, pr.y);
        // Lifted where the ground bulges between the edges or toward the next sample.
        float bulge = land.ground(samples[i].x, samples[i].y) - (zl + zr) * 0.5f;
        for (const float s : {-0.5f, 0.5f}) {
            const Vec2 q = samples[i] + t * (kRoadStep * s);
            bulge = std::max(bulge, land.ground(q.x, q.y) - (zl + zr) * 0.5f -
                                        s * kRoadStep * (land.ground(b.x, b.y) - land.ground(a.x, a.y)) / (l > 1e-6f ? l : 1.0f));
        }
        bulge = std::max(bulge, 0.0f);
        left.push_back({pl.x, pl.y, zl + bulge + kRoadLift});
        right.push_back({pr.x, pr.y, zr + bulge + kRoadLift});
    }
    std::vector<Strip> out;
    float v = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const float dv = length(samples[i] - samples[i - 1]) / (road.width * 1.5f);
        out.push_back({{left[i - 1], right[i - 1], right[i], left[i]}, v, v + dv});
        v += dv;
        while (v >= 1) v -= 1;
    }
    return out;
}

class Encoder {
public:
    explicit Encoder(const Land& land) : land_(land), size_(land.size()) {
        for (const Road& road : land.plan().roads)
            for (const Strip& s : road_strips(land, road)) {
                const Vec3 mid = (s.p[0] + s.p[2]) * 0.5f;
                const auto tile = [&](float c) {
                    return static_cast<std::uint32_t>(std::clamp(floor_i32(c / size_.tile_wu), 0,
                                                                 static_cast<std::int32_t>(size_.tiles) - 1));
                };
                strips_[tile(mid.x) * size_.tiles + tile(mid.y)].push_back(s);
            }
    }

    Result<Bytes> run() {
        out_.columns = size_.tiles;
        const std::uint32_t count = size_.tiles * size_.tiles;
        for (std::uint32_t lod = 0; lod < 2; ++lod) {
            for (std::uint32_t tile = 0; tile < count; ++tile) {
                asset::MshSlot slot;
                slot.first_triangle = static_cast<std::uint16_t>(out_.faces.size());
                lod == 0 ? fine(tile) : coarse(tile);
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
    Vec2 tile_uv(Vec3 p, std::uint32_t tx, std::uint32_t ty) const {
        const float repeats = static_cast<float>(floor_i32(size_.tile_wu / kRepeatWu + 0.5f)) / size_.tile_wu;
        return {(p.x - static_cast<float>(tx) * size_.tile_wu) * repeats,
                (p.y - static_cast<float>(ty) * size_.tile_wu) * repeats};
    }

    /// Ground quads of a tile grouped by material; `skip` grid steps per quad.
    void ground(std::uint32_t tx, std::uint32_t ty, std::uint32_t skip) {
        const std::uint32_t per = size_.quads / skip;
        for (std::uint32_t m = 0; m < static_cast<std::uint32_t>(Surface::count); ++m) {
            std::map<std::uint32_t, std::uint16_t> own;
            for (std::uint32_t b = 0; b < per; ++b) {
                for (std::uint32_t a = 0; a < per; ++a) {
                    const std::uint32_t i = tx * size_.quads + a * skip, j = ty * size_.quads + b * skip;
                    const std::uint32_t mid_i = i + skip / 2, mid_j = j + skip / 2;
                    if (static_cast<std::uint32_t>(land_.surface(mid_i, mid_j)) != m) continue;
                    const auto at = [&](std::uint32_t u, std::uint32_t v) {
                        const auto [it, fresh] = own.emplace(v * size_.points() + u, std::uint16_t{0});
                        if (fresh) {
                            const Vec3 p = grid_point(u, v);
                            it->second = vertex(p, tile_uv(p, tx, ty), false);
                        }
                        return it->second;
                    };
                    const std::uint16_t p0 = at(i, j), p1 = at(i + skip, j), p2 = at(i + skip, j + skip), p3 = at(i, j + skip);
                    const std::uint8_t blend = land_.blend(mid_i, mid_j);
                    face(p0, p1, p2, static_cast<Surface>(m), blend, 0);
                    face(p0, p2, p3, static_cast<Surface>(m), blend, 0);
                }
            }
        }
    }

    void water(std::uint32_t tx, std::uint32_t ty, std::uint32_t skip) {
        if (land_.plan().lakes.empty()) return;
        std::map<std::uint32_t, std::uint16_t> own;
        const std::uint32_t per = size_.quads / skip;
        for (std::uint32_t b = 0; b < per; ++b) {
            for (std::uint32_t a = 0; a < per; ++a) {
                const std::uint32_t i = tx * size_.quads + a * skip, j = ty * size_.quads + b * skip;
                bool wet = false;
                for (std::uint32_t v = j; v <= j + skip; ++v)
                    for (std::uint32_t u = i; u <= i + skip; ++u) wet = wet || land_.point(u, v) < land_.plan().water;
                if (!wet) continue;
                const auto at = [&](std::uint32_t u, std::uint32_t v) {
                    const auto [it, fresh] = own.emplace(v * size_.points() + u, std::uint16_t{0});
                    if (fresh) {
                        Vec3 p = grid_point(u, v);
                        p.z = land_.plan().water;
                        it->second = vertex(p, tile_uv(p, tx, ty) * 0.5f, true);
                    }
                    return it->second;
                };
                const std::uint16_t p0 = at(i, j), p1 = at(i + skip, j), p2 = at(i + skip, j + skip), p3 = at(i, j + skip);
                face(p0, p1, p2, Surface::water, 0xFF, asset::surface::kWater);
                face(p0, p2, p3, Surface::water, 0xFF, asset::surface::kWater);
            }
        }
    }

    void fine(std::uint32_t tile) {
        const std::uint32_t tx = tile / size_.tiles, ty = tile % size_.tiles;
        ground(tx, ty, 1);
        for (const Strip& s : strips_[tile]) {
            const std::uint16_t a = vertex(s.p[0], {0, s.v0}, false), b = vertex(s.p[1], {1, s.v0}, false);
            const std::uint16_t c = vertex(s.p[2], {1, s.v1}, false), d = vertex(s.p[3], {0, s.v1}, false);
            face(a, b, c, Surface::road, 0xFF, 0);
            face(a, c, d, Surface::road, 0xFF, 0);
        }
        water(tx, ty, 1);
    }
    void coarse(std::uint32_t tile) {
        const std::uint32_t tx = tile / size_.tiles, ty = tile % size_.tiles;
        ground(tx, ty, size_.quads / size_.coarse);
        water(tx, ty, size_.quads / size_.coarse);
    }

    const Land& land_;
    const LandSize& size_;
    std::map<std::uint32_t, std::vector<Strip>> strips_;
    LandMesh out_;
    std::vector<bool> flat_;
};

}  // namespace

Result<Bytes> Land::encode() const { return Encoder(*this).run(); }

}  // namespace iron::content
