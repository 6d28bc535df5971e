// Draws the water faces: transparent, moving, with the sky and the sun in it.
#pragma once

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "client/view/terrain_mesh.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class WaterRenderer {
public:
    Status create();
    void upload(const view::TerrainMesh& mesh);
    void draw(const FrameState& frame);

private:
    Program program_;
    GlVertexArray array_;
    GlBuffer vertices_, indices_;
    GLsizei count_ = 0;
};

}  // namespace iron::client::render
