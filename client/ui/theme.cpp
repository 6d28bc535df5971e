#include "client/ui/theme.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::ui {

Theme Theme::for_height(int height) {
    Theme out;
    out.scale = std::max(0.78f, static_cast<float>(height) / 720.0f);
    const auto font = [&](float at_720, int least) {
        return std::max(least, static_cast<int>(std::lround(at_720 * out.scale)));
    };
    out.small = font(11.0f, 10);
    out.normal = font(13.0f, 11);
    out.large = font(18.0f, 14);
    out.pad = std::round(8.0f * out.scale);
    out.gap = std::round(10.0f * out.scale);
    return out;
}

PanelStyle Theme::panel() const {
    PanelStyle style;
    style.top = glm::vec4(0.085f, 0.105f, 0.125f, 0.80f);
    style.bottom = glm::vec4(0.045f, 0.058f, 0.072f, 0.86f);
    style.border = glm::vec4(0.55f, 0.66f, 0.74f, 0.26f);
    style.border_width = std::max(1.0f, std::round(scale));
    style.radius = std::round(5.0f * scale);
    return style;
}

glm::vec4 Theme::life_color(float life) const {
    return life > 0.6f ? good : life > 0.3f ? warn : bad;
}

void draw_panel(Canvas& canvas, const Theme& theme, const Rect& rect, bool accent) {
    PanelStyle shadow;
    shadow.top = shadow.bottom = glm::vec4(0, 0, 0, 0.35f);
    shadow.radius = theme.px(8);
    shadow.softness = theme.px(7);
    canvas.panel({rect.x, rect.y + theme.px(2), rect.w, rect.h}, shadow);
    canvas.panel(rect, theme.panel());
    if (accent)
        canvas.fill({rect.x + theme.px(10), rect.y, std::min(theme.px(34), rect.w - theme.px(20)),
                     std::max(1.0f, std::round(theme.px(2)))},
                    theme.accent);
}

}  // namespace iron::client::ui
