// Draws the tiles of a landscape and its apron.
#pragma once

#include <vector>

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "client/view/material.hpp"
#include "client/view/terrain_mesh.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class TerrainRenderer {
public:
    /// Compiles the programs. Error `no_device`.
    Status create();
    /// Replaces the landscape.
    void upload(const view::TerrainMesh& mesh, const view::MaterialSet& materials);
    void draw(const FrameState& frame, const view::TerrainMesh& mesh,
              const std::vector<view::TileChoice>& tiles);
    /// Depth of all fine tiles into the shadow map in use.
    void draw_depth(const FrameState& frame, const view::TerrainMesh& mesh);

private:
    Program program_, depth_;
    GlVertexArray array_;
    GlBuffer vertices_, indices_;
    GlTexture layers_;
    std::vector<glm::vec4> tints_;
};

}  // namespace iron::client::render
