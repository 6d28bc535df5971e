// Sizes and colours of the interface; all sizes scale with the height of the picture.
#pragma once

#include <glm/glm.hpp>

#include "client/ui/canvas.hpp"

namespace iron::client::ui {

struct Theme {
    float scale = 1;       ///< 1 at 720 lines
    int small = 11, normal = 13, large = 17;  ///< font pixels
    float pad = 8;         ///< inner margin
    float gap = 10;        ///< distance from the border of the picture

    glm::vec4 text{0.90f, 0.93f, 0.95f, 1.0f};
    glm::vec4 dim{0.62f, 0.69f, 0.74f, 1.0f};
    glm::vec4 accent{0.96f, 0.69f, 0.24f, 1.0f};
    glm::vec4 good{0.42f, 0.86f, 0.48f, 1.0f};
    glm::vec4 warn{0.96f, 0.76f, 0.30f, 1.0f};
    glm::vec4 bad{0.94f, 0.36f, 0.28f, 1.0f};

    /// For a picture of that height; never smaller than readable.
    static Theme for_height(int height);
    float px(float at_720) const { return at_720 * scale; }
    PanelStyle panel() const;
    /// Colour of a life bar.
    glm::vec4 life_color(float life) const;
};

/// A panel with its soft shadow and the thin accent line at its top.
void draw_panel(Canvas& canvas, const Theme& theme, const Rect& rect, bool accent = true);

}  // namespace iron::client::ui
