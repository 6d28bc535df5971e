// Terrain of one map: height grid, surfaces, lake, road, and its encoding as Land.msh.
// Source: terrain.md 1-5 and 11.2.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/error.hpp"
#include "shared/base/math.hpp"

namespace iron::content {

/// Rows of the two WEAR tables `land1.wea` (LOD 0) and `land2.wea` (LOD 1), row-parallel.
enum class Surface : std::uint8_t { dirt, grass, meadow, rock, sand, scree, road, water, count };

struct LandSize {
    std::uint32_t tiles = 8;   ///< tiles along X and along Y
    std::uint32_t quads = 4;   ///< quads per tile side at LOD 0
    std::uint32_t coarse = 2;  ///< quads per tile side at LOD 1; divides `quads`
    bool thrifty = false;      ///< border tiles and plain tiles have `quads` / 2 at LOD 0
    bool own_vertices = false; ///< every tile has its own vertices (large maps: uv is i16 / 1024)
    float tile_wu = 64;
    float extent() const { return static_cast<float>(tiles) * tile_wu; }
    std::uint32_t points() const { return tiles * quads + 1; }
    float step() const { return tile_wu / static_cast<float>(quads); }
};

struct Hill {
    Vec2 centre;
    float radius = 80, height = 30;
    float rough = 0.35f;  ///< share of ridged noise
};
struct Pad {  ///< a flattened place
    Vec2 centre;
    float radius = 40, blend = 30;
};
struct Lake {
    Vec2 centre;
    float radius = 60;
    float depth = 8;
};
struct Road {
    std::vector<Vec2> points;
    float width = 9;
};

struct LandPlan {
    std::uint64_t seed = 1;
    LandSize size;
    float base = 40;        ///< mean height, wu
    float roll = 5;         ///< amplitude of the gentle undulation
    float roll_wave = 170;  ///< its wavelength
    float patch_wave = 95;  ///< size of the patches of grass, meadow and dirt
    float rim = 26;         ///< height of the hills along the map border
    float water = -1;       ///< level of all lakes; < 0: none
    std::vector<Hill> hills;
    std::vector<Pad> pads;
    std::vector<Lake> lakes;
    std::vector<Road> roads;
};

/// Heights and surfaces of a plan.
class Land {
public:
    explicit Land(const LandPlan& plan);

    const LandPlan& plan() const { return plan_; }
    const LandSize& size() const { return plan_.size; }
    /// Height of the triangulated surface of LOD 0 (without road and water), clamped to the map.
    float ground(float x, float y) const;
    /// What stands here: the highest of ground, road and water.
    float height(float x, float y) const;
    Vec3 normal(float x, float y) const;  ///< of the triangle under the point
    bool wet(float x, float y) const;     ///< the water surface is above the ground
    float road_distance(float x, float y) const;  ///< to the nearest road edge, wu; < 0 on a road
    /// Material of a grid point; a face between points of two materials fades from one to the other.
    Surface surface(std::uint32_t i, std::uint32_t j) const { return surface_[index(i, j)]; }
    /// The same on the lattice of LOD 1, whose points are `quads` / `coarse` grid steps apart.
    Surface coarse_surface(std::uint32_t i, std::uint32_t j) const {
        return coarse_surface_[static_cast<std::size_t>(j) * (plan_.size.tiles * plan_.size.coarse + 1) + i];
    }
    /// Grid steps a quad of this tile spans at LOD 0 (1, or 2 in a thrifty land) and at LOD 1.
    std::uint32_t tile_skip(std::uint32_t tx, std::uint32_t ty, std::uint32_t lod) const {
        if (lod == 0) return skip_[tx * plan_.size.tiles + ty];
        return tile_skip(tx, ty, 0) == 2 ? plan_.size.quads : plan_.size.quads / plan_.size.coarse;
    }
    Surface surface_near(float x, float y) const;
    /// Height of the surface whose quads are `skip` grid steps wide.
    float coarse_ground(float x, float y, std::uint32_t skip) const;
    float point(std::uint32_t i, std::uint32_t j) const {
        return heights_[index(i, j)];
    }

    /// Bytes of Land.msh.
    Result<Bytes> encode() const;

private:
    std::size_t index(std::uint32_t i, std::uint32_t j) const {
        return static_cast<std::size_t>(j) * plan_.size.points() + i;
    }
    float shape(float x, float y) const;
    void smooth_roads();
    bool is_rim(std::uint32_t tx, std::uint32_t ty) const;
    void thin_tile(std::uint32_t tx, std::uint32_t ty);
    void choose_surfaces();
    void choose_plain_tiles();
    bool borders_pure(std::uint32_t tx, std::uint32_t ty) const;

    LandPlan plan_;
    std::vector<float> heights_;
    std::vector<Surface> surface_, coarse_surface_;
    std::vector<std::uint8_t> skip_;
};

/// Length of |a - b| projected distance from p to the segment a-b.
float segment_distance(Vec2 p, Vec2 a, Vec2 b);

}  // namespace iron::content
