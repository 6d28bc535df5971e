#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

#include <glm/gtc/matrix_transform.hpp>

#include "client/view/terrain_build.hpp"
#include "shared/asset/land_build.hpp"
#include "tests/client/synthetic_scene.hpp"

using namespace iron;
using namespace iron::client::view;

namespace {

asset::LandGrid flat_grid(std::uint32_t columns, std::uint32_t rows) {
    asset::LandGrid grid;
    grid.columns = columns;
    grid.rows = rows;
    grid.quads = 2;
    return grid;
}

Frustum everything() { return Frustum::from_matrix(glm::ortho(-1e5f, 1e5f, -1e5f, 1e5f, -1e5f, 1e5f)); }

}  // namespace

TEST_CASE("tiles within a squared distance of 8 are drawn fine, the others coarse") {
    const auto land = asset::build_land_mesh(flat_grid(8, 8)).value();
    const TerrainMesh mesh = build_terrain(land, {{0, 0}, {0, 0}}, 1.0f);
    // The camera in tile (1, 1): (3, 3) has distance 8, (4, 1) has 9.
    const auto choice = choose_tiles(mesh, everything(), {96, 96});
    REQUIRE(choice.size() == 64);
    const auto coarse = [&](std::uint32_t x, std::uint32_t y) { return choice[x * 8 + y].coarse; };
    CHECK_FALSE(coarse(1, 1));
    CHECK_FALSE(coarse(3, 3));
    CHECK(coarse(4, 1));
    CHECK(coarse(1, 4));
    CHECK_FALSE(coarse(3, 2));
    CHECK(coarse(7, 7));
}

TEST_CASE("a camera outside the map counts as in the nearest tile") {
    const auto land = asset::build_land_mesh(flat_grid(4, 2)).value();
    const TerrainMesh mesh = build_terrain(land, {{0, 0}, {0, 0}}, 1.0f);
    CHECK(tile_at(mesh, {-500, 1000}) == glm::uvec2(0, 1));
    CHECK(tile_at(mesh, {65, 63}) == glm::uvec2(1, 0));
}

TEST_CASE("a tile without a coarse level stays fine at any distance") {
    const auto land = asset::build_land_mesh(flat_grid(8, 1)).value();
    TerrainMesh mesh = build_terrain(land, {{0, 0}, {0, 0}}, 1.0f);
    mesh.tiles[7].has_coarse = false;
    const auto choice = choose_tiles(mesh, everything(), {10, 10});
    CHECK_FALSE(choice[7].coarse);
    CHECK(choice[6].coarse);
}

TEST_CASE("tiles outside the view are left out") {
    const auto land = asset::build_land_mesh(flat_grid(8, 8)).value();
    const TerrainMesh mesh = build_terrain(land, {{0, 0}, {0, 0}}, 1.0f);
    const auto view = glm::perspective(0.6f, 1.0f, 1.0f, 120.0f) *
                      glm::lookAt(glm::vec3(32, 32, 60), glm::vec3(40, 40, 0), glm::vec3(0, 0, 1));
    const auto choice = choose_tiles(mesh, Frustum::from_matrix(view), {32, 32});
    CHECK(choice.size() < 12);
    CHECK(choice.front().tile == 0);
}

TEST_CASE("a corner shows the material of the plain faces that touch it") {
    // Columns of quads: pure 0, blend of 0 and 1, pure 1, pure 1.
    asset::LandGrid grid;
    grid.quads = 4;
    grid.fine.assign(16, {});
    for (std::size_t j = 0; j < 4; ++j) {
        grid.fine[j * 4 + 0].material = 0;
        grid.fine[j * 4 + 1].material = 0;
        grid.fine[j * 4 + 1].blend = 1;
        grid.fine[j * 4 + 2].material = 1;
        grid.fine[j * 4 + 3].material = 1;
    }
    grid.coarse.assign(1, {0, 0, asset::kNoBlend});
    const auto land = asset::build_land_mesh(grid).value();
    const TerrainMesh mesh = build_terrain(land, {{10, 11}, {10, 11}}, 1.0f);
    REQUIRE(mesh.layers == std::vector<std::uint32_t>{10, 11});
    std::map<float, std::set<int>> second;  // x -> share of material 11 in percent
    for (std::uint32_t i = mesh.tiles[0].fine.first; i < mesh.tiles[0].fine.first + mesh.tiles[0].fine.count; ++i) {
        const TerrainVertex& v = mesh.vertices[mesh.indices[i]];
        if (v.position.z < 0 || v.position.y < 8 || v.position.y > 56) continue;
        float share = 0;
        for (int k = 0; k < 3; ++k)
            if (v.layers[k] == 1.0f) share += v.weights[k];
        second[v.position.x].insert(static_cast<int>(std::lround(share * 100)));
    }
    CHECK(second[0] == std::set<int>{0});
    // Borders of the blended column: 0 and 1 by the plain faces, then 45 % of the mean of six
    // neighbours, two of which lie on the other border: 0.45 / 3 and 0.55 + 0.45 * 2 / 3.
    CHECK(second[16] == std::set<int>{15});
    CHECK(second[32] == std::set<int>{85});
    CHECK(second[48] == std::set<int>{100});
}

TEST_CASE("a corner among blended faces only shows both materials half") {
    asset::LandGrid grid;
    grid.quads = 4;
    grid.fine.assign(16, {0, 0, 1});
    grid.coarse.assign(1, {0, 0, asset::kNoBlend});
    const TerrainMesh mesh = build_terrain(asset::build_land_mesh(grid).value(), {{10, 11}, {10, 11}}, 1.0f);
    for (std::uint32_t i = mesh.tiles[0].fine.first; i < mesh.tiles[0].fine.first + mesh.tiles[0].fine.count; ++i)
        CHECK(mesh.vertices[mesh.indices[i]].weights == glm::vec3(0.5f, 0.5f, 0.0f));
}

TEST_CASE("neighbouring triangles agree on the shares at their common corners") {
    const auto scene = client::test::make_synthetic_scene();
    const TerrainMesh& mesh = scene.terrain;
    std::map<std::pair<float, float>, std::map<int, float>> at;  // corner -> layer -> share
    std::size_t compared = 0;
    for (const TerrainTile& tile : mesh.tiles)
        for (std::uint32_t i = tile.fine.first; i < tile.fine.first + tile.fine.count; ++i) {
            const TerrainVertex& v = mesh.vertices[mesh.indices[i]];
            std::map<int, float> shares;
            for (int k = 0; k < 3; ++k)
                if (v.weights[k] > 0) shares[static_cast<int>(v.layers[k])] += v.weights[k];
            const auto [found, fresh] = at.emplace(std::make_pair(v.position.x, v.position.y), shares);
            if (fresh) continue;
            ++compared;
            for (const auto& [layer, share] : shares) REQUIRE(found->second[layer] == Approx(share).margin(1e-4));
        }
    CHECK(compared > 1000);
}

TEST_CASE("every fine face looks up and every corner index is valid") {
    const auto scene = client::test::make_synthetic_scene();
    const TerrainMesh& mesh = scene.terrain;
    std::size_t up = 0, upright = 0;
    for (const TerrainTile& tile : mesh.tiles)
        for (std::uint32_t i = tile.fine.first; i < tile.fine.first + tile.fine.count; i += 3) {
            for (std::uint32_t k = 0; k < 3; ++k) REQUIRE(mesh.indices[i + k] < mesh.vertices.size());
            const glm::vec3 a = mesh.vertices[mesh.indices[i]].position, b = mesh.vertices[mesh.indices[i + 1]].position,
                            c = mesh.vertices[mesh.indices[i + 2]].position;
            const float z = glm::cross(b - a, c - a).z;
            CHECK(z > -1e-3f);
            (z > 1e-3f ? up : upright) += 1;
        }
    CHECK(up > 1000);      // the faces of the land
    CHECK(upright > 100);  // the skirts
}

TEST_CASE("water faces are drawn apart and know their depth") {
    const auto scene = client::test::make_synthetic_scene();
    CHECK_FALSE(scene.terrain.water_indices.empty());
    bool shore = false, open = false;
    for (const WaterVertex& v : scene.terrain.water_vertices) {
        shore |= v.depth == 0.0f;
        open |= v.depth > 1.0f;
    }
    CHECK(shore);
    CHECK(open);
}

TEST_CASE("the height scale is the one that fits the placed objects better") {
    // A ramp with raw heights 0..320 over x 0..100.
    const HeightField raw({{0, 0, 0}, {100, 0, 320}, {100, 100, 320}, {0, 100, 0}}, {{0, 1, 2}, {0, 2, 3}});
    std::vector<HeightProbe> plain, small;
    for (int i = 1; i <= 6; ++i) {
        const float x = static_cast<float>(i) * 15.0f;
        plain.push_back({{x, 50}, x * 3.2f + 0.1f});
        small.push_back({{x, 50}, x * 0.1f + 0.1f});
    }
    CHECK(choose_height_scale(raw, plain) == 1.0f);
    CHECK(choose_height_scale(raw, small) == 1.0f / 32.0f);
    plain.resize(4);  // fewer than five objects
    CHECK(choose_height_scale(raw, plain) == 1.0f / 32.0f);
}
