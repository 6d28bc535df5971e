#include "tests/client/synthetic_scene.hpp"

#include <cmath>

#include "client/view/terrain_build.hpp"
#include "shared/asset/land_build.hpp"

namespace iron::client::test {
namespace {

view::Image speckle(const char* name, glm::vec3 color, float contrast, std::uint32_t seed) {
    view::Image image;
    image.name = name;
    image.width = image.height = 64;
    std::vector<std::uint8_t> pixels;
    std::uint32_t state = seed;
    for (int i = 0; i < 64 * 64; ++i) {
        state = state * 1664525u + 1013904223u;
        const float v = 1.0f + (static_cast<float>(state >> 24) / 255.0f - 0.5f) * contrast;
        for (int c = 0; c < 3; ++c)
            pixels.push_back(static_cast<std::uint8_t>(glm::clamp(color[c] * v, 0.0f, 1.0f) * 255.0f));
        pixels.push_back(255);
    }
    image.levels.push_back(std::move(pixels));
    view::complete_mips(image);
    return image;
}

}  // namespace

view::Model box_model(glm::vec3 low, glm::vec3 high, std::uint32_t material) {
    view::Model out;
    out.key = "box";
    out.nodes.resize(1);
    const glm::vec3 c = (low + high) * 0.5f, h = (high - low) * 0.5f;
    for (int axis = 0; axis < 3; ++axis)
        for (int sign = -1; sign <= 1; sign += 2) {
            glm::vec3 n(0);
            n[axis] = static_cast<float>(sign);
            const glm::vec3 u = axis == 0 ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
            const glm::vec3 v = glm::cross(n, u);
            const auto first = static_cast<std::uint32_t>(out.vertices.size());
            for (int k = 0; k < 4; ++k) {
                const float a = k == 0 || k == 3 ? -1.0f : 1.0f, b = k < 2 ? -1.0f : 1.0f;
                out.vertices.push_back({c + (n + u * a + v * b) * h, n, {a * 0.5f + 0.5f, b * 0.5f + 0.5f}});
            }
            out.indices.insert(out.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
        }
    out.parts.push_back({0, 0, 36, material, false, true});
    out.bounds = {low, high};
    out.node_bounds.push_back(out.bounds);
    return out;
}

SyntheticScene make_synthetic_scene() {
    SyntheticScene s;
    s.materials.images.push_back(speckle("grass", {0.36f, 0.44f, 0.20f}, 0.5f, 1));
    s.materials.images.push_back(speckle("sand", {0.66f, 0.56f, 0.38f}, 0.3f, 2));
    s.materials.images.push_back(speckle("metal", {0.58f, 0.60f, 0.63f}, 0.15f, 3));
    const char* names[] = {"GRASS", "SAND", "METAL", "TEAM"};
    for (std::uint32_t i = 0; i < 4; ++i) {
        view::Material m;
        m.name = names[i];
        m.image = std::min(i, 2u);
        if (i >= 2) m.specular = glm::vec3(0.55f);
        m.shininess = 24;
        m.team = i == 3;
        s.materials.materials.push_back(m);
    }

    asset::LandGrid grid;
    grid.columns = grid.rows = 8;
    grid.quads = 4;
    grid.tile_size = 64;
    grid.uv_per_tile = 4;
    const std::uint32_t px = grid.points_x(), py = grid.points_y();
    const auto height = [](float x, float y) {
        const float hills = 10.0f * std::sin(x * 0.017f) * std::cos(y * 0.013f) + 4.0f * std::sin(x * 0.05f + y * 0.04f);
        const float lake = std::hypot(x - 330.0f, y - 200.0f);
        return lake < 90.0f ? -4.0f : hills + 14.0f - 20.0f * std::exp(-(lake - 90.0f) * 0.02f);
    };
    for (std::uint32_t j = 0; j < py; ++j)
        for (std::uint32_t i = 0; i < px; ++i)
            grid.heights.push_back(height(static_cast<float>(i) * 16.0f, static_cast<float>(j) * 16.0f));
    const std::uint32_t qx = grid.columns * grid.quads, qy = grid.rows * grid.quads;
    for (std::uint32_t j = 0; j < qy; ++j)
        for (std::uint32_t i = 0; i < qx; ++i) {
            asset::LandQuad quad;
            const float x = (static_cast<float>(i) + 0.5f) * 16, y = (static_cast<float>(j) + 0.5f) * 16;
            const float lake = std::hypot(x - 330.0f, y - 200.0f);
            quad.material = lake < 105.0f ? 1 : 0;
            if (lake >= 105.0f && lake < 125.0f) quad.blend = 1;
            if (lake < 85.0f) quad.flags = asset::surface::kWater;
            grid.fine.push_back(quad);
        }
    grid.coarse.assign(64, asset::LandQuad{0, 0, asset::kNoBlend});
    const auto land = asset::build_land_mesh(grid).value();
    s.terrain = view::build_terrain(land, {{0, 1}, {0, 1}}, 1.0f);
    s.ground = view::build_height_field(land, 1.0f);

    s.models.push_back(box_model({-1.6f, -2.2f, 0.4f}, {1.6f, 2.2f, 1.6f}, 2));   // hull
    s.models.push_back(box_model({-0.9f, -0.9f, 0.0f}, {0.9f, 0.9f, 0.9f}, 3));   // turret node 1
    s.models.push_back(box_model({-6, -5, 0}, {6, 5, 5}, 2));                     // hut
    s.models.push_back(box_model({-0.3f, -0.3f, 0}, {0.3f, 0.3f, 5}, 2));         // post
    // The turret's node 0 is the attach root without geometry.
    view::Model& turret = s.models[1];
    turret.nodes.assign(2, {});
    turret.nodes[1].parent = 0;
    turret.parts[0].node = 1;
    turret.node_bounds = {view::Box{}, turret.bounds};
    view::Model& hull = s.models[0];
    hull.nodes.push_back({0, glm::mat4(1.0f), "TurretCenter"});
    hull.nodes[1].local[3] = glm::vec4(0, -0.3f, 1.6f, 1);
    hull.node_bounds.push_back({});
    s.robot.components = {{0, -1, 0, view::ComponentRole::chassis}, {1, 0, 1, view::ComponentRole::turret}};
    s.robot.bounds = view::rest_bounds(s.robot, s.models);
    s.hut.components = {{2, -1, 0, view::ComponentRole::chassis}};
    s.hut.bounds = view::rest_bounds(s.hut, s.models);
    s.post.components = {{3, -1, 0, view::ComponentRole::chassis}};
    s.post.bounds = view::rest_bounds(s.post, s.models);
    return s;
}

view::CameraLimits SyntheticScene::limits() const {
    view::CameraLimits out;
    out.map_min = glm::vec2(terrain.bounds.min);
    out.map_max = glm::vec2(terrain.bounds.max);
    return out;
}

view::UnitPose SyntheticScene::stand(glm::vec2 at, float yaw, float turret_yaw) const {
    view::UnitPose pose;
    pose.root = view::placement_matrix({at, ground.height_or_nearest(at)}, {0, 0, yaw}, glm::vec3(1));
    pose.turret_yaw = turret_yaw;
    return pose;
}

view::StrategicCamera SyntheticScene::camera(const view::CameraPose& pose) const {
    view::StrategicCamera out;
    out.set_limits(limits());
    out.set_ground([this](glm::vec2 at) { return ground.height_or_nearest(at); });
    out.jump_to(pose);
    return out;
}

}  // namespace iron::client::test
