#include "client/render/terrain_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "client/render/shaders.hpp"
#include "client/render/texture_store.hpp"

namespace iron::client::render {
namespace {

constexpr std::size_t kMaxLayers = 32;  // u_layer_tint
constexpr int kLayerSize = 256;

const void* index_offset(std::uint32_t first) {
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(first) * sizeof(std::uint32_t));
}

}  // namespace

Status TerrainRenderer::create() {
    const ShaderSource source = terrain_shader();
    IRON_TRY(program_, Program::build("terrain", source.vertex, source.fragment));
    const ShaderSource depth = depth_shader();
    IRON_TRY(depth_, Program::build("terrain depth", depth.vertex, depth.fragment));
    return {};
}

void TerrainRenderer::upload(const view::TerrainMesh& mesh, const view::MaterialSet& materials) {
    array_ = GlVertexArray::make();
    vertices_ = GlBuffer::make();
    indices_ = GlBuffer::make();
    glBindVertexArray(array_.get());
    std::vector<view::TerrainVertex> vertices = mesh.vertices;
    for (view::TerrainVertex& v : vertices) {
        v.layers = glm::min(v.layers, glm::vec3(static_cast<float>(kMaxLayers - 1)));
    }
    fill_buffer(GL_ARRAY_BUFFER, vertices_.get(), vertices.data(), vertices.size() * sizeof(view::TerrainVertex), GL_STATIC_DRAW);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get(), mesh.indices.data(), mesh.indices.size() * sizeof(std::uint32_t), GL_STATIC_DRAW);
    constexpr std::size_t kStride = sizeof(view::TerrainVertex);
    float_attribute(0, 3, kStride, offsetof(view::TerrainVertex, position));
    float_attribute(1, 3, kStride, offsetof(view::TerrainVertex, normal));
    float_attribute(2, 2, kStride, offsetof(view::TerrainVertex, uv));
    float_attribute(3, 3, kStride, offsetof(view::TerrainVertex, layers));
    float_attribute(4, 4, kStride, offsetof(view::TerrainVertex, weights));
    glBindVertexArray(0);

    std::vector<std::uint32_t> layers = mesh.layers;
    if (layers.size() > kMaxLayers) layers.resize(kMaxLayers);
    layers_ = upload_layers(materials, layers, kLayerSize);
    tints_.clear();
    for (std::uint32_t material : layers) {
        const glm::vec3 c = material < materials.materials.size() ? materials.materials[material].diffuse : glm::vec3(1);
        tints_.emplace_back(std::pow(c.r, 2.2f), std::pow(c.g, 2.2f), std::pow(c.b, 2.2f), 1.0f);
    }
}

void TerrainRenderer::draw(const FrameState& frame, const view::TerrainMesh& mesh,
                           const std::vector<view::TileChoice>& tiles) {
    program_.use();
    frame.apply(program_);
    program_.set("u_layers", kColorUnit);
    program_.set("u_noise", kNoiseUnit);
    for (std::size_t i = 0; i < tints_.size(); ++i)
        program_.set(("u_layer_tint[" + std::to_string(i) + "]").c_str(), tints_[i]);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, layers_.get());
    glBindVertexArray(array_.get());
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glEnable(GL_CULL_FACE);
    program_.set("u_apron", 0.0f);
    for (const view::TileChoice& tile : tiles)
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(tile.range.count), GL_UNSIGNED_INT, index_offset(tile.range.first));
    if (mesh.apron.count > 0) {
        program_.set("u_apron", 1.0f);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(mesh.apron.count), GL_UNSIGNED_INT, index_offset(mesh.apron.first));
    }
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
}

void TerrainRenderer::draw_depth(const FrameState& frame, const view::TerrainMesh& mesh) {
    depth_.use();
    depth_.set("u_view_projection", frame.shadow_matrix);
    const view::Frustum frustum = view::Frustum::from_matrix(frame.shadow_matrix);
    glBindVertexArray(array_.get());
    for (const view::TerrainTile& tile : mesh.tiles)
        if (frustum.may_see(tile.box))
            glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(tile.fine.count), GL_UNSIGNED_INT, index_offset(tile.fine.first));
    glBindVertexArray(0);
}

}  // namespace iron::client::render
