// A small world made by hand, so that the renderer can be tested without game data: hills, a
// lake, a box robot with a turret, a hut, some posts.
#pragma once

#include <vector>

#include "client/render/renderer.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/height_field.hpp"
#include "client/view/material.hpp"
#include "client/view/model.hpp"
#include "client/view/terrain_mesh.hpp"

namespace iron::client::test {

struct SyntheticScene {
    view::TerrainMesh terrain;
    view::HeightField ground;
    view::MaterialSet materials;
    std::vector<view::Model> models;
    view::UnitModel robot, hut, post;

    render::RenderScene renderable() const { return {&terrain, &ground, &materials, &models}; }
    view::CameraLimits limits() const;
    /// The unit standing on the ground at a point, turned by `yaw`.
    view::UnitPose stand(glm::vec2 at, float yaw, float turret_yaw = 0) const;
    view::StrategicCamera camera(const view::CameraPose& pose) const;
};

SyntheticScene make_synthetic_scene();

/// A box with outward faces and the given material, one node.
view::Model box_model(glm::vec3 low, glm::vec3 high, std::uint32_t material);

}  // namespace iron::client::test
