// Procedural geometry of one model node: convex pieces with bevels, box-projected texture
// coordinates, and normals smoothed across edges below a given angle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/base/math.hpp"

namespace iron::content {

/// Rotation, then translation: p -> r * p + t.
struct Xform {
    Mat3 r{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 t{};
    Vec3 point(Vec3 p) const { return r * p + t; }
    Vec3 vector(Vec3 v) const { return r * v; }
    Xform then_local(const Xform& inner) const;  ///< applies `inner` first, then this
};
Xform move(float x, float y, float z);
Xform turn(float rx, float ry, float rz);  ///< Rz*Ry*Rx, rad
Xform mirror_x();

struct MeshVertex {
    Vec3 p, n;
    Vec2 uv;
    bool operator==(const MeshVertex&) const = default;
};
/// One run of triangles with one material row.
struct MeshBatch {
    std::uint32_t material = 0;
    std::uint32_t first_index = 0, index_count = 0;
};
struct MeshData {
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices;  ///< triples, counter-clockwise from outside
    std::vector<MeshBatch> batches;
    Vec3 lo{}, hi{};  ///< bounding box of the vertices
};

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// Collects triangles; every primitive is placed by the current transform and gets the current
/// material row and texture scale. Faces are given counter-clockwise seen from outside.
class MeshKit {
public:
    /// Material row of the faces that follow; `repeat_wu` = world units of one texture repeat.
    MeshKit& use(std::uint32_t material, float repeat_wu);
    /// The faces that follow show the whole picture once each (windows, grilles, signs).
    MeshKit& use_fitted(std::uint32_t material);

    /// The faces that follow are lit as if they lay on a sphere around `centre` (foliage).
    MeshKit& round_light(Vec3 centre);
    MeshKit& flat_light();

    void push(const Xform& x);
    void pop();

    void polygon(std::span<const Vec3> points);
    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
    void triangle(Vec3 a, Vec3 b, Vec3 c);
    /// A quad with given texture coordinates (0..1, v down).
    void quad_uv(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Vec2 ta, Vec2 tb, Vec2 tc, Vec2 td);
    /// Both sides of a quad.
    void card(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

    /// Joins rings of equal point count (counter-clockwise seen from the end of the loft).
    void loft(const std::vector<std::vector<Vec3>>& rings, bool cap_start, bool cap_end);
    /// A box with bevelled edges and corners.
    void box(Vec3 lo, Vec3 hi, float bevel);
    void box_at(Vec3 centre, Vec3 size, float bevel);
    /// From rectangle `bottom` at z0 to `top` at z1, edges bevelled.
    void frustum(Rect bottom, Rect top, float z0, float z1, float bevel);
    /// Side outline in the y-z plane (counter-clockwise seen from +X), from x0 to x1, bevelled.
    void profile_x(const std::vector<Vec2>& outline_yz, float x0, float x1, float bevel);
    /// Outline in the x-y plane (counter-clockwise from above), extruded along z; the top may be
    /// scaled about `centre`.
    void prism(const std::vector<Vec2>& outline, float z0, float z1, float bevel,
               float top_scale = 1.0f, Vec2 centre = {});
    /// Round bar from a to b; radii at both ends; rim bevel.
    void cylinder(Vec3 a, Vec3 b, float ra, float rb, int sides, float bevel = 0,
                  bool caps = true);
    /// Barrel with an open, dark end: outer wall, rim and a short inner wall.
    void barrel(Vec3 a, Vec3 b, float radius, float bore, int sides);
    /// Part of a sphere from the equator angle `from` to `to` (rad, -pi/2 .. pi/2).
    void sphere(Vec3 centre, Vec3 radii, int sides, int stacks, float from, float to);

    bool empty() const { return triangles_.empty(); }
    /// Multiplies all positions made so far (textures keep their size on the surface's plan).
    void scale(float factor);
    /// Welds, smooths (edges flatter than the angle with this cosine are smooth) and groups the
    /// faces by material in order of first use.
    MeshData finish(float smooth_cos = 0.6f) const;

private:
    struct Triangle {
        Vec3 p[3];
        Vec2 uv[3];
        std::uint32_t material;
        bool round;
        Vec3 n[3];
    };
    void add(Vec3 a, Vec3 b, Vec3 c, Vec2 ta, Vec2 tb, Vec2 tc);

    std::vector<Triangle> triangles_;
    std::vector<Xform> stack_;
    Xform now_;
    std::uint32_t material_ = 0;
    float repeat_ = 4.0f;
    bool fitted_ = false;
    bool round_ = false;
    Vec3 light_centre_;
};

/// Points of a regular polygon in the x-y plane, counter-clockwise from above.
std::vector<Vec2> circle(float radius, int sides, float phase = 0);
/// A rectangle with cut corners, counter-clockwise from above.
std::vector<Vec2> cut_rect(Rect r, float cut);

}  // namespace iron::content
