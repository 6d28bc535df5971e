// Flat drawing in pixels, origin top left: panels, text, pictures, lines. Everything of a frame is
// collected and drawn in order with as few calls as possible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "client/render/gl_objects.hpp"
#include "client/render/program.hpp"
#include "client/ui/font.hpp"
#include "shared/base/error.hpp"

namespace iron::client::ui {

/// Pixels, right and bottom exclusive.
struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    float right() const { return x + w; }
    float bottom() const { return y + h; }
    bool contains(glm::vec2 p) const { return p.x >= x && p.y >= y && p.x < right() && p.y < bottom(); }
    Rect inset(float d) const { return {x + d, y + d, w - 2 * d, h - 2 * d}; }
};

/// Rounded, with an optional vertical gradient and border.
struct PanelStyle {
    glm::vec4 top{0, 0, 0, 0.6f}, bottom{0, 0, 0, 0.6f};
    glm::vec4 border{0};
    float radius = 0, border_width = 0, softness = 0;  ///< softness: blurred edge in pixels (shadows)
};

class Canvas {
public:
    /// `fonts` must outlive the canvas. Error `no_device`.
    Status create(FontSet& fonts);
    void begin(int width, int height);

    void panel(const Rect& rect, const PanelStyle& style);
    void fill(const Rect& rect, glm::vec4 color) { panel(rect, {color, color, {}, 0, 0, 0}); }
    /// `at` is the left end of the top of the line; returns the width.
    float text(Face face, int pixels, glm::vec2 at, std::string_view text, glm::vec4 color);
    float text_right(Face face, int pixels, glm::vec2 at, std::string_view text, glm::vec4 color);
    float text_center(Face face, int pixels, glm::vec2 at, std::string_view text, glm::vec4 color);
    void image(GLuint texture, const Rect& rect, glm::vec4 tint = glm::vec4(1));
    void line(glm::vec2 a, glm::vec2 b, float width, glm::vec4 color);
    /// Drawing until the matching pop is cut to `rect`.
    void push_clip(const Rect& rect);
    void pop_clip();

    /// Draws everything into the framebuffer in use.
    void end();

    FontSet& fonts() { return *fonts_; }
    glm::vec2 size() const { return size_; }

private:
    struct Vertex {
        glm::vec2 position;
        glm::vec2 uv;        // atlas or picture; for panels: pixels from the centre
        glm::vec4 color;
        glm::vec4 border;
        glm::vec4 shape;     // half width, half height, radius, border width
        glm::vec2 mode;      // 0 panel, 1 glyph, 2 picture; softness
    };
    struct Run {
        std::uint32_t first = 0, count = 0;
        GLuint texture = 0;
        Rect clip;
    };
    void quad(const Vertex (&corners)[4], GLuint texture);

    FontSet* fonts_ = nullptr;
    render::Program program_;
    render::GlVertexArray array_;
    render::GlBuffer buffer_;
    std::vector<Vertex> vertices_;
    std::vector<Run> runs_;
    std::vector<Rect> clips_;
    glm::vec2 size_{0};
    GLuint atlas_ = 0;
};

}  // namespace iron::client::ui
