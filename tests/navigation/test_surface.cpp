#include <catch2/catch.hpp>

#include "server/navigation/surface.hpp"
#include "shared/base/rng.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::navigation;
using namespace synthetic;

namespace {
MapSpec hilly() {
    MapSpec spec;
    spec.tiles = 3;
    spec.height = [](float x, float y) { return 10.0f * det_sin(x * 0.07f) + 6.0f * det_cos(y * 0.05f); };
    return spec;
}

/// A mesh of free triangles, all LOD 0 in one tile.
asset::LandMesh mesh_of(const std::vector<std::array<Vec3, 3>>& triangles, std::vector<std::uint32_t> flags = {}) {
    asset::LandMesh mesh;
    mesh.columns = 1;
    mesh.tiles.resize(1);
    mesh.tiles[0].slots[0] = 0;
    mesh.slots.resize(1);
    mesh.slots[0].triangle_count = static_cast<std::uint16_t>(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        asset::LandFace f;
        f.flags = i < flags.size() ? flags[i] : 0;
        for (std::size_t k = 0; k < 3; ++k) {
            f.vertices[k] = static_cast<std::uint16_t>(mesh.positions.size());
            mesh.positions.push_back(triangles[i][k]);
        }
        mesh.faces.push_back(f);
    }
    return mesh;
}
}  // namespace

TEST_CASE("height is interpolated and the highest layer wins") {
    const auto mesh = mesh_of({{{{0, 0, 0}, {10, 0, 10}, {0, 10, 0}}}, {{{0, 0, 20}, {4, 0, 20}, {0, 4, 20}}}});
    const auto s = Surface::build(mesh, 1).value();
    CHECK(s.height_at(5, 2).value() == Approx(5));
    CHECK(s.height_at(1, 1).value() == Approx(20));
    CHECK_FALSE(s.height_at(9, 9));
    CHECK_FALSE(s.height_at(-5, 50));
}

TEST_CASE("points on a border are inside, faces without an area in XY are ignored") {
    const auto mesh = mesh_of({{{{0, 0, 1}, {10, 0, 1}, {0, 10, 1}}}, {{{20, 0, 9}, {20, 5, 9}, {20, 9, 99}}}});
    const auto s = Surface::build(mesh, 1).value();
    CHECK(s.height_at(0, 0).value() == Approx(1));
    CHECK(s.height_at(5, 5).value() == Approx(1));
    CHECK(s.height_at(5, -0.0005f).value() == Approx(1));  // weight -0.00005
    CHECK_FALSE(s.height_at(5, -0.01f));
    CHECK_FALSE(s.height_at(20, 4));
}

TEST_CASE("the index never changes a height") {
    const MapSpec spec = hilly();
    const auto s = Surface::build(make_mesh(spec), 1).value();
    Rng rng(7, 1);
    for (int i = 0; i < 3000; ++i) {
        const float x = rng.unit() * 220 - 14, y = rng.unit() * 220 - 14;
        CHECK(s.height_at(x, y) == s.height_at_reference(x, y));
    }
    for (int i = 0; i <= 12; ++i) {
        const float x = static_cast<float>(i) * 16;  // on the grid lines
        CHECK(s.height_at(x, x) == s.height_at_reference(x, x));
        CHECK(s.height_at(x, 8).has_value());
    }
}

TEST_CASE("the index never changes a ray") {
    const auto s = Surface::build(make_mesh(hilly()), 1).value();
    Rng rng(8, 1);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 from{rng.unit() * 200, rng.unit() * 200, rng.unit() * 40 - 5};
        const Vec3 dir{rng.unit() * 2 - 1, rng.unit() * 2 - 1, rng.unit() - 0.7f};
        const auto a = s.ray(from, dir, 300), b = s.ray_reference(from, dir, 300);
        REQUIRE(a.has_value() == b.has_value());
        if (!a) continue;
        ++hits;
        CHECK(a->face == b->face);
        CHECK(a->distance == b->distance);
    }
    CHECK(hits > 500);
    const auto down = s.ray({50, 50, 100}, {0, 0, -1}, 200);
    REQUIRE(down);
    CHECK(down->point.z == Approx(s.height_at(50, 50).value()));
}

TEST_CASE("equal distances give the lowest face, a mask skips faces without a common bit") {
    const std::array<Vec3, 3> t{{{0, 0, 5}, {10, 0, 5}, {0, 10, 5}}};
    const auto s = Surface::build(mesh_of({t, t, t}, {4, 1, 1}), 1).value();
    CHECK(s.ray({1, 1, 10}, {0, 0, -1}, 100)->face == 0);
    CHECK(s.ray({1, 1, 10}, {0, 0, -1}, 100, 3)->face == 1);
    CHECK_FALSE(s.ray({1, 1, 10}, {0, 0, -1}, 100, 8));
    CHECK(s.ray({1, 1, 0}, {0, 0, 1}, 100)->distance == Approx(5));  // two-sided
    CHECK_FALSE(s.ray({1, 1, 10}, {0, 0, -1}, 4));
}

TEST_CASE("coarse faces are not part of the surface") {
    MapSpec spec;
    spec.tiles = 1;
    spec.quads = 4;
    spec.height = [](float x, float y) { return x > 20 && x < 44 && y > 20 && y < 44 ? -30.0f : 0.0f; };
    const auto s = Surface::build(make_mesh(spec), 1).value();
    CHECK(s.height_at(32, 32).value() == Approx(-30));  // LOD 1 would be flat 0 above it
}

TEST_CASE("the height scale with the smaller median error is chosen") {
    MapSpec spec;
    spec.height = [](float x, float) { return 100 + x; };
    const auto raw = Surface::build(make_mesh(spec), 1).value();
    const float candidates[2] = {1.0f, 0.03125f};
    std::vector<Vec3> objects;
    for (int i = 0; i < 6; ++i) objects.push_back({20.0f * static_cast<float>(i), 50, (100 + 20.0f * static_cast<float>(i)) / 32});
    CHECK(choose_height_scale(raw, objects, candidates, 5, 0.03125f).scale == 0.03125f);
    for (auto& o : objects) o.z *= 32;
    CHECK(choose_height_scale(raw, objects, candidates, 5, 0.03125f).scale == 1.0f);
    objects[0].z = objects[1].z = 0;  // two of six are wrong: the lower median still decides
    CHECK(choose_height_scale(raw, objects, candidates, 5, 0.03125f).scale == 1.0f);
    objects.resize(4);
    CHECK(choose_height_scale(raw, objects, candidates, 5, 0.03125f).scale == 0.03125f);  // too few
    objects.push_back({-500, -500, 0});  // no ground: does not count
    CHECK(choose_height_scale(raw, objects, candidates, 5, 0.03125f).samples == 4);
}
