#include "client/ui/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace iron::client::ui {
namespace {

constexpr const char* kVertex = R"(#version 330 core
layout(location = 0) in vec2 a_position;
layout(location = 1) in vec2 a_uv;
layout(location = 2) in vec4 a_color;
layout(location = 3) in vec4 a_border;
layout(location = 4) in vec4 a_shape;
layout(location = 5) in vec2 a_mode;
uniform vec2 u_size;
out vec2 v_uv;
out vec4 v_color;
flat out vec4 v_border;
flat out vec4 v_shape;
flat out vec2 v_mode;
void main() {
    v_uv = a_uv;
    v_color = a_color;
    v_border = a_border;
    v_shape = a_shape;
    v_mode = a_mode;
    vec2 p = a_position / u_size * 2.0 - 1.0;
    gl_Position = vec4(p.x, -p.y, 0.0, 1.0);
}
)";

constexpr const char* kFragment = R"(#version 330 core
in vec2 v_uv;
in vec4 v_color;
flat in vec4 v_border;
flat in vec4 v_shape;
flat in vec2 v_mode;
uniform sampler2D u_texture;
out vec4 o_color;
void main() {
    if (v_mode.x > 1.5) {
        o_color = texture(u_texture, v_uv) * v_color;
        return;
    }
    if (v_mode.x > 0.5) {
        o_color = vec4(v_color.rgb, v_color.a * texture(u_texture, v_uv).r);
        return;
    }
    vec2 q = abs(v_uv) - v_shape.xy + v_shape.z;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - v_shape.z;
    float edge = max(v_mode.y, 0.5);
    float cover = 1.0 - smoothstep(-edge, edge, d);
    vec4 c = v_color;
    if (v_shape.w > 0.0) {
        float inner = smoothstep(-v_shape.w - 0.5, -v_shape.w + 0.5, d);
        float a = v_border.a * inner;
        float total = a + c.a * (1.0 - a);
        c = vec4(total > 0.0 ? (v_border.rgb * a + c.rgb * c.a * (1.0 - a)) / total : vec3(0.0), total);
    }
    o_color = vec4(c.rgb, c.a * cover);
}
)";

}  // namespace

Status Canvas::create(FontSet& fonts) {
    fonts_ = &fonts;
    IRON_TRY(program_, render::Program::build("canvas", kVertex, kFragment));
    array_ = render::GlVertexArray::make();
    buffer_ = render::GlBuffer::make();
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    render::float_attribute(0, 2, sizeof(Vertex), offsetof(Vertex, position));
    render::float_attribute(1, 2, sizeof(Vertex), offsetof(Vertex, uv));
    render::float_attribute(2, 4, sizeof(Vertex), offsetof(Vertex, color));
    render::float_attribute(3, 4, sizeof(Vertex), offsetof(Vertex, border));
    render::float_attribute(4, 4, sizeof(Vertex), offsetof(Vertex, shape));
    render::float_attribute(5, 2, sizeof(Vertex), offsetof(Vertex, mode));
    glBindVertexArray(0);
    return {};
}

void Canvas::begin(int width, int height) {
    size_ = glm::vec2(width, height);
    vertices_.clear();
    runs_.clear();
    clips_.assign(1, Rect{0, 0, size_.x, size_.y});
    atlas_ = fonts_->texture();
}

void Canvas::quad(const Vertex (&c)[4], GLuint texture) {
    const Rect& clip = clips_.back();
    const bool same_clip = !runs_.empty() && runs_.back().clip.x == clip.x && runs_.back().clip.y == clip.y &&
                           runs_.back().clip.w == clip.w && runs_.back().clip.h == clip.h;
    if (runs_.empty() || runs_.back().texture != texture || !same_clip)
        runs_.push_back({static_cast<std::uint32_t>(vertices_.size()), 0, texture, clip});
    vertices_.insert(vertices_.end(), {c[0], c[1], c[2], c[0], c[2], c[3]});
    runs_.back().count += 6;
}

void Canvas::panel(const Rect& r, const PanelStyle& style) {
    if (r.w <= 0 || r.h <= 0) return;
    const float pad = style.softness + 1.0f;
    const glm::vec2 center(r.x + r.w * 0.5f, r.y + r.h * 0.5f), half(r.w * 0.5f, r.h * 0.5f);
    const float radius = std::min({style.radius, half.x, half.y});
    Vertex corners[4];
    for (int i = 0; i < 4; ++i) {
        const glm::vec2 side((i == 1 || i == 2) ? 1.0f : -1.0f, i >= 2 ? 1.0f : -1.0f);
        const glm::vec2 local = side * (half + pad);
        corners[i] = {center + local, local, side.y < 0 ? style.top : style.bottom, style.border,
                      glm::vec4(half, radius, style.border_width), glm::vec2(0, style.softness)};
    }
    // Panels share the glyph atlas so that text and panels stay in one run.
    quad(corners, atlas_);
}

float Canvas::text(Face face, int pixels, glm::vec2 at, std::string_view text, glm::vec4 color) {
    const float base = std::round(at.y + fonts_->ascent(face, pixels));
    float pen = std::round(at.x);
    for (char32_t code : decode_utf8(text)) {
        const Glyph& g = fonts_->glyph(face, pixels, code);
        if (g.size.x > 0) {
            const glm::vec2 low(std::round(pen) + g.offset.x, base + g.offset.y), high = low + g.size;
            const Vertex corners[4] = {{low, g.uv_low, color, {}, {}, {1, 0}},
                                       {{high.x, low.y}, {g.uv_high.x, g.uv_low.y}, color, {}, {}, {1, 0}},
                                       {high, g.uv_high, color, {}, {}, {1, 0}},
                                       {{low.x, high.y}, {g.uv_low.x, g.uv_high.y}, color, {}, {}, {1, 0}}};
            quad(corners, atlas_);
        }
        pen += g.advance;
    }
    return pen - at.x;
}

float Canvas::text_right(Face face, int pixels, glm::vec2 at, std::string_view t, glm::vec4 color) {
    const float w = fonts_->width(face, pixels, t);
    text(face, pixels, {at.x - w, at.y}, t, color);
    return w;
}

float Canvas::text_center(Face face, int pixels, glm::vec2 at, std::string_view t, glm::vec4 color) {
    const float w = fonts_->width(face, pixels, t);
    text(face, pixels, {at.x - w * 0.5f, at.y}, t, color);
    return w;
}

void Canvas::image(GLuint texture, const Rect& r, glm::vec4 tint) {
    const Vertex corners[4] = {{{r.x, r.y}, {0, 0}, tint, {}, {}, {2, 0}},
                               {{r.right(), r.y}, {1, 0}, tint, {}, {}, {2, 0}},
                               {{r.right(), r.bottom()}, {1, 1}, tint, {}, {}, {2, 0}},
                               {{r.x, r.bottom()}, {0, 1}, tint, {}, {}, {2, 0}}};
    quad(corners, texture);
}

void Canvas::line(glm::vec2 a, glm::vec2 b, float width, glm::vec4 color) {
    const glm::vec2 d = b - a;
    const float length = glm::length(d);
    if (length < 1e-4f) return;
    // A rotated panel: the distance field gives the smooth edge.
    const glm::vec2 u = d / length, v(-u.y, u.x);
    const glm::vec2 center = (a + b) * 0.5f, half(length * 0.5f, width * 0.5f);
    Vertex corners[4];
    for (int i = 0; i < 4; ++i) {
        const glm::vec2 side((i == 1 || i == 2) ? 1.0f : -1.0f, i >= 2 ? 1.0f : -1.0f);
        const glm::vec2 local = side * (half + 1.0f);
        corners[i] = {center + u * local.x + v * local.y, local, color, {}, glm::vec4(half, 0, 0), glm::vec2(0, 0)};
    }
    quad(corners, atlas_);
}

void Canvas::push_clip(const Rect& r) {
    const Rect& outer = clips_.back();
    const float x0 = std::max(outer.x, r.x), y0 = std::max(outer.y, r.y);
    const float x1 = std::min(outer.right(), r.right()), y1 = std::min(outer.bottom(), r.bottom());
    clips_.push_back({x0, y0, std::max(0.0f, x1 - x0), std::max(0.0f, y1 - y0)});
}

void Canvas::pop_clip() {
    if (clips_.size() > 1) clips_.pop_back();
}

void Canvas::end() {
    if (vertices_.empty()) return;
    fonts_->texture();  // upload glyphs rasterised during this frame
    program_.use();
    program_.set("u_size", size_);
    program_.set("u_texture", 0);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(array_.get());
    render::fill_buffer(GL_ARRAY_BUFFER, buffer_.get(), vertices_.data(), vertices_.size() * sizeof(Vertex), GL_STREAM_DRAW);
    glEnable(GL_SCISSOR_TEST);
    for (const Run& run : runs_) {
        glScissor(static_cast<GLint>(std::floor(run.clip.x)), static_cast<GLint>(std::floor(size_.y - run.clip.bottom())),
                  static_cast<GLsizei>(std::ceil(run.clip.w)), static_cast<GLsizei>(std::ceil(run.clip.h)));
        glBindTexture(GL_TEXTURE_2D, run.texture);
        glDrawArrays(GL_TRIANGLES, static_cast<GLint>(run.first), static_cast<GLsizei>(run.count));
    }
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    glDisable(GL_BLEND);
}

}  // namespace iron::client::ui
