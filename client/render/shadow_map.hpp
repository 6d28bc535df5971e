// One shadow map around what the camera looks at.
#pragma once

#include <glm/glm.hpp>

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class ShadowMap {
public:
    /// `size` pixels a side. Error `no_device`.
    Status create(int size);
    /// Chooses the covered area and fills the shadow fields of `frame`. The area moves in whole
    /// texels, so that edges do not crawl while the camera glides.
    void aim(FrameState& frame, glm::vec3 center, float radius, float lowest, float highest) const;
    /// Binds the map for drawing depth only.
    void begin() const;
    void bind_texture() const;
    int size() const { return size_; }

private:
    int size_ = 0;
    GlTexture depth_;
    GlFramebuffer target_;
};

}  // namespace iron::client::render
