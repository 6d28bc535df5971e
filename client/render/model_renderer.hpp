// Draws all placed models: one draw call for each (model part) with all its instances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "client/render/texture_store.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/material.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class ModelRenderer {
public:
    Status create();
    /// Uploads models that were added since the last call.
    void sync(std::span<const view::Model> models);
    /// Sorts the draw list into instances; models outside both volumes are dropped.
    void prepare(const view::DrawList& list, std::span<const view::Model> models,
                 const view::MaterialSet& materials, const view::Frustum& camera,
                 const view::Frustum& shadow, glm::vec3 eye);
    void draw_depth(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures);
    void draw_opaque(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures);
    void draw_transparent(const FrameState& frame, const view::MaterialSet& materials, const TextureStore& textures);
    std::size_t drawn_instances() const { return drawn_; }

private:
    struct Instance {
        glm::mat4 world;
        glm::vec4 team;
        glm::vec4 extra;
    };
    struct Part {
        std::uint32_t model = 0;
        view::ModelPart part;
        std::uint32_t first_vertex = 0, first_index = 0;
    };
    struct Batch {
        std::uint32_t part = 0;
        std::uint32_t first = 0, visible = 0;  // visible instances first, then shadow-only ones
        std::uint32_t total = 0;
        float distance = 0;
    };
    void bind_instances(std::size_t first);
    void bind_material(Program& program, const view::Material& material, const TextureStore& textures, bool depth);
    void draw_batch(const Batch& batch, std::uint32_t count);

    Program program_, depth_;
    GlVertexArray array_;
    GlBuffer vertices_, indices_, instances_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> first_part_;  // per model
    std::vector<view::ModelVertex> vertex_data_;
    std::vector<std::uint32_t> index_data_;
    std::size_t uploaded_ = 0;
    std::vector<std::vector<Instance>> visible_, shadow_only_;  // per part
    std::vector<Batch> opaque_, transparent_;
    std::size_t drawn_ = 0;
};

}  // namespace iron::client::render
