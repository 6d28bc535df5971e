#include "client/render/water_renderer.hpp"

#include <cstddef>

#include "client/render/shaders.hpp"

namespace iron::client::render {

Status WaterRenderer::create() {
    const ShaderSource source = water_shader();
    IRON_TRY(program_, Program::build("water", source.vertex, source.fragment));
    return {};
}

void WaterRenderer::upload(const view::TerrainMesh& mesh) {
    count_ = static_cast<GLsizei>(mesh.water_indices.size());
    if (count_ == 0) return;
    array_ = GlVertexArray::make();
    vertices_ = GlBuffer::make();
    indices_ = GlBuffer::make();
    glBindVertexArray(array_.get());
    constexpr std::size_t kStride = sizeof(view::WaterVertex);
    fill_buffer(GL_ARRAY_BUFFER, vertices_.get(), mesh.water_vertices.data(), mesh.water_vertices.size() * kStride, GL_STATIC_DRAW);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get(), mesh.water_indices.data(), mesh.water_indices.size() * sizeof(std::uint32_t), GL_STATIC_DRAW);
    float_attribute(0, 3, kStride, offsetof(view::WaterVertex, position));
    float_attribute(1, 1, kStride, offsetof(view::WaterVertex, depth));
    glBindVertexArray(0);
}

void WaterRenderer::draw(const FrameState& frame) {
    if (count_ == 0) return;
    program_.use();
    frame.apply(program_);
    program_.set("u_noise", kNoiseUnit);
    program_.set("u_deep", frame.environment.water_deep);
    program_.set("u_shallow", frame.environment.water_shallow);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(array_.get());
    glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr);
    glBindVertexArray(0);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

}  // namespace iron::client::render
