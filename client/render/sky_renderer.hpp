// The sky behind everything.
#pragma once

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class SkyRenderer {
public:
    Status create();
    /// Fills the pixels that nothing else covered.
    void draw(const FrameState& frame);

private:
    Program program_;
    GlVertexArray array_;
};

}  // namespace iron::client::render
