// Rings, discs and lines on the ground, tracers in the air.
#pragma once

#include <vector>

#include "client/render/frame_state.hpp"
#include "client/render/gl_objects.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/height_field.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

class OverlayRenderer {
public:
    Status create();
    /// Darkness under objects; before the marks, after the ground.
    void draw_contacts(const FrameState& frame, const view::DrawList& list, const view::HeightField& ground);
    void draw(const FrameState& frame, const view::DrawList& list, const view::HeightField& ground);

private:
    struct Vertex {
        glm::vec3 position;
        glm::vec4 color;
        float across;
    };
    void add_contact(const view::ContactShade& contact, const view::HeightField& ground);
    void add_strip(const std::vector<glm::vec3>& inner, const std::vector<glm::vec3>& outer, glm::vec4 color);
    void add_ring(const view::GroundMark& mark, const view::HeightField& ground, float width);
    void add_line(const view::GroundMark& mark, const view::HeightField& ground);
    void add_disc(const view::GroundMark& mark, const view::HeightField& ground);
    void flush();

    Program marks_, streaks_, contacts_;
    GlVertexArray array_;
    GlBuffer buffer_;
    std::vector<Vertex> vertices_;
};

}  // namespace iron::client::render
