#include "client/render/sky_renderer.hpp"

#include "client/render/shaders.hpp"

namespace iron::client::render {

Status SkyRenderer::create() {
    const ShaderSource source = sky_shader();
    IRON_TRY(program_, Program::build("sky", source.vertex, source.fragment));
    array_ = GlVertexArray::make();
    return {};
}

void SkyRenderer::draw(const FrameState& frame) {
    program_.use();
    frame.apply(program_);
    program_.set("u_noise", kNoiseUnit);
    program_.set("u_inverse", glm::inverse(frame.view_projection));
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glBindVertexArray(array_.get());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
}

}  // namespace iron::client::render
