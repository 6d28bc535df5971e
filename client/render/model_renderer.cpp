#include "client/render/model_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "client/render/shaders.hpp"

namespace iron::client::render {
namespace {

glm::vec3 linear(glm::vec3 c) { return glm::pow(glm::max(c, glm::vec3(0)), glm::vec3(2.2f)); }

}  // namespace

Status ModelRenderer::create() {
    const ShaderSource source = model_shader();
    IRON_TRY(program_, Program::build("model", source.vertex, source.fragment));
    const ShaderSource depth = model_depth_shader();
    IRON_TRY(depth_, Program::build("model depth", depth.vertex, depth.fragment));
    array_ = GlVertexArray::make();
    vertices_ = GlBuffer::make();
    indices_ = GlBuffer::make();
    instances_ = GlBuffer::make();
    return {};
}

void ModelRenderer::sync(std::span<const view::Model> models) {
    if (uploaded_ == models.size()) return;
    for (; uploaded_ < models.size(); ++uploaded_) {
        const view::Model& model = models[uploaded_];
        const auto first_vertex = static_cast<std::uint32_t>(vertex_data_.size());
        const auto first_index = static_cast<std::uint32_t>(index_data_.size());
        vertex_data_.insert(vertex_data_.end(), model.vertices.begin(), model.vertices.end());
        index_data_.insert(index_data_.end(), model.indices.begin(), model.indices.end());
        first_part_.push_back(static_cast<std::uint32_t>(parts_.size()));
        for (const view::ModelPart& part : model.parts)
            parts_.push_back({static_cast<std::uint32_t>(uploaded_), part, first_vertex, first_index});
    }
    visible_.resize(parts_.size());
    shadow_only_.resize(parts_.size());
    glBindVertexArray(array_.get());
    constexpr std::size_t kStride = sizeof(view::ModelVertex);
    fill_buffer(GL_ARRAY_BUFFER, vertices_.get(), vertex_data_.data(), vertex_data_.size() * kStride, GL_STATIC_DRAW);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get(), index_data_.data(), index_data_.size() * sizeof(std::uint32_t), GL_STATIC_DRAW);
    float_attribute(0, 3, kStride, offsetof(view::ModelVertex, position));
    float_attribute(1, 3, kStride, offsetof(view::ModelVertex, normal));
    float_attribute(2, 2, kStride, offsetof(view::ModelVertex, uv));
    glBindVertexArray(0);
}

void ModelRenderer::bind_instances(std::size_t first) {
    // OpenGL 3.3 has no base instance: move the attribute pointers instead.
    const std::size_t base = first * sizeof(Instance);
    glBindBuffer(GL_ARRAY_BUFFER, instances_.get());
    for (GLuint i = 0; i < 4; ++i)
        float_attribute(3 + i, 4, sizeof(Instance), base + offsetof(Instance, world) + i * sizeof(glm::vec4), 1);
    float_attribute(7, 4, sizeof(Instance), base + offsetof(Instance, team), 1);
    float_attribute(8, 4, sizeof(Instance), base + offsetof(Instance, extra), 1);
}

void ModelRenderer::prepare(const view::DrawList& list, std::span<const view::Model> models,
                            const view::MaterialSet& materials, const view::Frustum& camera,
                            const view::Frustum& shadow, glm::vec3 eye) {
    for (auto& v : visible_) v.clear();
    for (auto& v : shadow_only_) v.clear();
    opaque_.clear();
    transparent_.clear();
    drawn_ = 0;
    for (const view::DrawModel& item : list.models) {
        if (item.model >= first_part_.size()) continue;
        const view::Model& model = models[item.model];
        if (model.nodes.empty()) continue;
        const glm::mat4* matrices = list.matrices.data() + item.first_matrix;
        const view::Box box = model.bounds;
        if (box.empty()) continue;
        // The whole model around its root node; good for attached models too.
        const glm::vec3 center(matrices[0] * glm::vec4(box.center(), 1));
        const float stretch = std::max({glm::length(glm::vec3(matrices[0][0])), glm::length(glm::vec3(matrices[0][1])),
                                        glm::length(glm::vec3(matrices[0][2]))});
        const float radius = (box.radius() + glm::length(box.center())) * stretch;
        const bool seen = camera.may_see(center, radius);
        const bool shades = shadow.may_see(center, radius);
        if (!seen && !shades) continue;
        for (std::uint32_t p = 0; p < model.parts.size(); ++p) {
            const view::ModelPart& part = model.parts[p];
            if (item.skip_root_node && part.node == 0) continue;
            Instance instance{matrices[part.node], glm::vec4(item.team, 1), glm::vec4(item.flash, item.fade, 0, 0)};
            (seen ? visible_ : shadow_only_)[first_part_[item.model] + p].push_back(instance);
        }
    }
    std::vector<Instance> all;
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        if (visible_[p].empty() && shadow_only_[p].empty()) continue;
        Batch batch;
        batch.part = p;
        batch.first = static_cast<std::uint32_t>(all.size());
        batch.visible = static_cast<std::uint32_t>(visible_[p].size());
        batch.total = batch.visible + static_cast<std::uint32_t>(shadow_only_[p].size());
        const view::Blend blend = materials.materials[parts_[p].part.material].blend;
        const bool transparent = blend == view::Blend::alpha || blend == view::Blend::additive;
        if (transparent) {
            std::sort(visible_[p].begin(), visible_[p].end(), [&](const Instance& a, const Instance& b) {
                return glm::distance(glm::vec3(a.world[3]), eye) > glm::distance(glm::vec3(b.world[3]), eye);
            });
            if (!visible_[p].empty()) batch.distance = glm::distance(glm::vec3(visible_[p].front().world[3]), eye);
        }
        all.insert(all.end(), visible_[p].begin(), visible_[p].end());
        all.insert(all.end(), shadow_only_[p].begin(), shadow_only_[p].end());
        drawn_ += batch.visible;
        (transparent ? transparent_ : opaque_).push_back(batch);
    }
    std::stable_sort(transparent_.begin(), transparent_.end(),
                     [](const Batch& a, const Batch& b) { return a.distance > b.distance; });
    std::stable_sort(opaque_.begin(), opaque_.end(), [&](const Batch& a, const Batch& b) {
        return parts_[a.part].part.material < parts_[b.part].part.material;
    });
    fill_buffer(GL_ARRAY_BUFFER, instances_.get(), all.data(), all.size() * sizeof(Instance), GL_STREAM_DRAW);
}

void ModelRenderer::draw_batch(const Batch& batch, std::uint32_t count) {
    const Part& part = parts_[batch.part];
    bind_instances(batch.first);
    const auto offset = static_cast<std::uintptr_t>(part.first_index + part.part.first_index) * sizeof(std::uint32_t);
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, static_cast<GLsizei>(part.part.index_count), GL_UNSIGNED_INT,
                                      reinterpret_cast<const void*>(offset), static_cast<GLsizei>(count),
                                      static_cast<GLint>(part.first_vertex));
}

void ModelRenderer::bind_material(Program& program, const view::Material& material, const TextureStore& textures,
                                  bool depth) {
    glBindTexture(GL_TEXTURE_2D, textures.texture_of(material));
    program.set("u_mode", static_cast<int>(material.blend));
    if (depth) return;
    program.set("u_diffuse", glm::vec4(linear(material.diffuse), material.alpha));
    program.set("u_specular", glm::vec4(linear(material.specular), material.shininess));
    program.set("u_emissive", linear(material.emissive));
    program.set("u_team", material.team ? 1 : 0);
}

void ModelRenderer::draw_depth(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures) {
    depth_.use();
    depth_.set("u_view_projection", frame.shadow_matrix);
    depth_.set("u_texture", kColorUnit);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(array_.get());
    for (const Batch& batch : opaque_) {
        const view::ModelPart& part = parts_[batch.part].part;
        if (!part.casts_shadow) continue;
        bind_material(depth_, materials.materials[part.material], textures, true);
        draw_batch(batch, batch.total);
    }
    glBindVertexArray(0);
}

void ModelRenderer::draw_opaque(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures) {
    program_.use();
    frame.apply(program_);
    program_.set("u_texture", kColorUnit);
    glActiveTexture(GL_TEXTURE0);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glBindVertexArray(array_.get());
    for (const Batch& batch : opaque_) {
        if (batch.visible == 0) continue;
        const view::ModelPart& part = parts_[batch.part].part;
        const view::Material& material = materials.materials[part.material];
        const bool cutout = material.blend == view::Blend::cutout;
        if (part.two_sided)
            glDisable(GL_CULL_FACE);
        else
            glEnable(GL_CULL_FACE);
        if (cutout) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        bind_material(program_, material, textures, false);
        draw_batch(batch, batch.visible);
        if (cutout) glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    }
    glBindVertexArray(0);
}

void ModelRenderer::draw_transparent(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures) {
    if (transparent_.empty()) return;
    program_.use();
    frame.apply(program_);
    program_.set("u_texture", kColorUnit);
    glActiveTexture(GL_TEXTURE0);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glBindVertexArray(array_.get());
    for (const Batch& batch : transparent_) {
        if (batch.visible == 0) continue;
        const view::Material& material = materials.materials[parts_[batch.part].part.material];
        if (material.blend == view::Blend::additive)
            glBlendFunc(GL_SRC_ALPHA, GL_ONE);
        else
            glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        bind_material(program_, material, textures, false);
        draw_batch(batch, batch.visible);
    }
    glBindVertexArray(0);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

}  // namespace iron::client::render
