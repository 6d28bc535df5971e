#include "client/render/overlay_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "client/render/shaders.hpp"

namespace iron::client::render {
namespace {

constexpr float kLift = 0.18f;  ///< wu above the ground

glm::vec3 on_ground(glm::vec2 at, const view::HeightField& ground) {
    return {at, ground.height_or_nearest(at) + kLift};
}

}  // namespace

Status OverlayRenderer::create() {
    const ShaderSource mark = mark_shader();
    IRON_TRY(marks_, Program::build("mark", mark.vertex, mark.fragment));
    const ShaderSource streak = streak_shader();
    IRON_TRY(streaks_, Program::build("streak", streak.vertex, streak.fragment));
    const ShaderSource contact = contact_shader();
    IRON_TRY(contacts_, Program::build("contact", contact.vertex, contact.fragment));
    array_ = GlVertexArray::make();
    buffer_ = GlBuffer::make();
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    float_attribute(0, 3, sizeof(Vertex), offsetof(Vertex, position));
    float_attribute(1, 4, sizeof(Vertex), offsetof(Vertex, color));
    float_attribute(2, 1, sizeof(Vertex), offsetof(Vertex, across));
    glBindVertexArray(0);
    return {};
}

void OverlayRenderer::add_strip(const std::vector<glm::vec3>& inner, const std::vector<glm::vec3>& outer,
                                glm::vec4 color) {
    for (std::size_t i = 0; i + 1 < inner.size(); ++i) {
        const Vertex a{inner[i], color, -1}, b{outer[i], color, 1}, c{inner[i + 1], color, -1}, d{outer[i + 1], color, 1};
        vertices_.insert(vertices_.end(), {a, b, c, c, b, d});
    }
}

void OverlayRenderer::add_ring(const view::GroundMark& mark, const view::HeightField& ground, float width) {
    const int steps = std::clamp(static_cast<int>(mark.radius * 6.0f), 32, 96);
    std::vector<glm::vec3> inner, outer;
    for (int i = 0; i <= steps; ++i) {
        const float a = static_cast<float>(i) / static_cast<float>(steps) * kTwoPi;
        const glm::vec2 dir(std::cos(a), std::sin(a));
        inner.push_back(on_ground(mark.at + dir * (mark.radius - width), ground));
        outer.push_back(on_ground(mark.at + dir * (mark.radius + width), ground));
        if (mark.kind == view::GroundMark::Kind::dashed_ring && i % 4 == 2) {
            add_strip(inner, outer, mark.color);
            inner.clear();
            outer.clear();
        }
    }
    add_strip(inner, outer, mark.color);
}

void OverlayRenderer::add_line(const view::GroundMark& mark, const view::HeightField& ground) {
    const glm::vec2 d = mark.to - mark.at;
    const float length = glm::length(d);
    if (length < 1e-3f) return;
    const glm::vec2 side = glm::vec2(-d.y, d.x) / length * mark.radius;
    const int steps = std::clamp(static_cast<int>(length / 2.0f), 1, 128);
    std::vector<glm::vec3> left, right;
    for (int i = 0; i <= steps; ++i) {
        const glm::vec2 p = mark.at + d * (static_cast<float>(i) / static_cast<float>(steps));
        left.push_back(on_ground(p - side, ground));
        right.push_back(on_ground(p + side, ground));
    }
    add_strip(left, right, mark.color);
}

void OverlayRenderer::add_contact(const view::ContactShade& contact, const view::HeightField& ground) {
    // A rounded rectangle of rings from full darkness under the object to nothing around it.
    const glm::vec2 center(contact.local.center()), half(glm::vec2(contact.local.size()) * 0.5f);
    constexpr int kSteps = 32;
    const auto point = [&](int i, float grow) {
        const float a = (static_cast<float>(i) + 0.5f) / kSteps * kTwoPi;
        const glm::vec2 d(std::cos(a), std::sin(a));
        // Superellipse: between a circle and a box.
        const float r = std::pow(std::pow(std::abs(d.x), 5.0f) + std::pow(std::abs(d.y), 5.0f), -1.0f / 5.0f);
        const glm::vec2 local = center + d * r * glm::max(half + grow, glm::vec2(0.05f));
        const glm::vec4 world = contact.world * glm::vec4(local, contact.local.min.z, 1.0f);
        return glm::vec3(world.x, world.y, ground.height_or_nearest(glm::vec2(world)) + 0.06f);
    };
    const float grow[4] = {-0.6f * contact.margin, 0.0f, 0.35f * contact.margin, contact.margin};
    const float dark[4] = {1.0f, 0.75f, 0.35f, 0.0f};
    for (int ring = 0; ring < 3; ++ring)
        for (int i = 0; i < kSteps; ++i) {
            const auto corner = [&](int k, int r) {
                return Vertex{point(k % kSteps, grow[r]), glm::vec4(0, 0, 0, contact.strength * dark[r]), 0};
            };
            vertices_.insert(vertices_.end(), {corner(i, ring), corner(i + 1, ring), corner(i, ring + 1),
                                               corner(i, ring + 1), corner(i + 1, ring), corner(i + 1, ring + 1)});
        }
    const glm::vec4 dark_color(0, 0, 0, contact.strength);
    const glm::vec4 middle_world = contact.world * glm::vec4(center, contact.local.min.z, 1.0f);
    const Vertex middle{{middle_world.x, middle_world.y, ground.height_or_nearest(glm::vec2(middle_world)) + 0.06f}, dark_color, 0};
    for (int i = 0; i < kSteps; ++i)
        vertices_.insert(vertices_.end(), {middle, Vertex{point(i, grow[0]), dark_color, 0},
                                           Vertex{point((i + 1) % kSteps, grow[0]), dark_color, 0}});
}

void OverlayRenderer::draw_contacts(const FrameState& frame, const view::DrawList& list,
                                    const view::HeightField& ground) {
    if (list.contacts.empty()) return;
    const view::Frustum frustum = view::Frustum::from_matrix(frame.view_projection);
    for (const view::ContactShade& contact : list.contacts) {
        view::Box box = contact.local.transformed(contact.world);
        box.min -= contact.margin;
        box.max += contact.margin;
        if (frustum.may_see(box) && glm::distance(box.center(), frame.eye) < 500.0f) add_contact(contact, ground);
    }
    contacts_.use();
    contacts_.set("u_view_projection", frame.view_projection);
    contacts_.set("u_eye", frame.eye);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    flush();
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

void OverlayRenderer::add_disc(const view::GroundMark& mark, const view::HeightField& ground) {
    const Vertex middle{on_ground(mark.at, ground), mark.color, 0};
    constexpr int kSteps = 24;
    for (int i = 0; i < kSteps; ++i) {
        const auto rim = [&](int k) {
            const float a = static_cast<float>(k) / kSteps * kTwoPi;
            return Vertex{on_ground(mark.at + glm::vec2(std::cos(a), std::sin(a)) * mark.radius, ground), mark.color, 1};
        };
        vertices_.insert(vertices_.end(), {middle, rim(i), rim(i + 1)});
    }
}

void OverlayRenderer::flush() {
    if (vertices_.empty()) return;
    glBindVertexArray(array_.get());
    fill_buffer(GL_ARRAY_BUFFER, buffer_.get(), vertices_.data(), vertices_.size() * sizeof(Vertex), GL_STREAM_DRAW);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices_.size()));
    glBindVertexArray(0);
    vertices_.clear();
}

void OverlayRenderer::draw(const FrameState& frame, const view::DrawList& list, const view::HeightField& ground) {
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    // Lines keep their weight on the screen when the camera is far away.
    for (const view::GroundMark& mark : list.marks) {
        const float away = glm::distance(frame.eye, on_ground(mark.at, ground));
        const float width = std::clamp(away * 0.0032f, 0.10f, 1.2f);
        switch (mark.kind) {
            case view::GroundMark::Kind::ring:
            case view::GroundMark::Kind::dashed_ring: add_ring(mark, ground, width); break;
            case view::GroundMark::Kind::disc: add_disc(mark, ground); break;
            case view::GroundMark::Kind::line:
            case view::GroundMark::Kind::arrow: add_line(mark, ground); break;
        }
    }
    marks_.use();
    marks_.set("u_view_projection", frame.view_projection);
    marks_.set("u_eye", frame.eye);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    flush();
    for (const view::Streak& streak : list.streaks) {
        const glm::vec3 along = streak.to - streak.from;
        const glm::vec3 side = glm::cross(along, streak.from - frame.eye);
        const float length = glm::length(side);
        if (length < 1e-6f) continue;
        const glm::vec3 s = side / length * streak.width;
        add_strip({streak.from - s, streak.to - s}, {streak.from + s, streak.to + s}, streak.color);
    }
    streaks_.use();
    streaks_.set("u_view_projection", frame.view_projection);
    glBlendFunc(GL_ONE, GL_ONE);
    flush();
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

}  // namespace iron::client::render
