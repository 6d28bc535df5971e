// The text panels of the screen.
#include <algorithm>
#include <cmath>
#include <string>

#include "client/ui/hud.hpp"

namespace iron::client::ui {
namespace {

glm::vec4 faded(glm::vec4 c, float alpha) { return {c.r, c.g, c.b, c.a * alpha}; }

}  // namespace

void Hud::draw_top(Canvas& canvas, const HudModel& model) {
    FontSet& fonts = canvas.fonts();
    const float line = fonts.line_height(Face::regular, theme_.normal);
    const float height = std::round(line + theme_.px(10));
    top_height_ = height;
    const Rect bar{0, 0, canvas.size().x, height};
    PanelStyle style;
    style.top = glm::vec4(0.045f, 0.058f, 0.072f, 0.90f);
    style.bottom = glm::vec4(0.085f, 0.105f, 0.125f, 0.74f);
    canvas.panel(bar, style);
    canvas.fill({0, height - std::max(1.0f, std::round(theme_.scale)), bar.w, std::max(1.0f, std::round(theme_.scale))},
                glm::vec4(0.55f, 0.66f, 0.74f, 0.22f));
    panels_.push_back(bar);

    const float y = std::round((height - line) * 0.5f);
    float x = theme_.gap;
    x += canvas.text(Face::bold, theme_.normal, {x, y}, "IRON3D", theme_.accent) + theme_.px(12);

    const std::string clock = clock_text(model.tick, model.step_ms);
    const float clock_width = fonts.width(Face::bold, theme_.normal, clock);
    const std::string tick = "tick " + std::to_string(model.tick);
    const float middle = canvas.size().x * 0.5f;
    canvas.text_center(Face::bold, theme_.normal, {middle, y}, clock, theme_.text);
    const float small_y = std::round((height - fonts.line_height(Face::regular, theme_.small)) * 0.5f);
    canvas.text(Face::regular, theme_.small, {middle + clock_width * 0.5f + theme_.px(10), small_y}, tick, theme_.dim);
    canvas.text(Face::regular, theme_.normal, {x, y},
                fonts.fitted(Face::regular, theme_.normal, model.title, middle - clock_width - theme_.px(16) - x),
                theme_.text);

    float right = canvas.size().x - theme_.gap;
    if (model.frames_per_second > 0)
        right -= canvas.text_right(Face::regular, theme_.small, {right, small_y},
                                   std::to_string(model.frames_per_second) + " fps", theme_.dim) + theme_.px(12);
    if (model.ping_ms >= 0) {
        const glm::vec4 color = model.ping_ms < 80 ? theme_.good : model.ping_ms < 200 ? theme_.warn : theme_.bad;
        right -= canvas.text_right(Face::regular, theme_.small, {right, small_y},
                                   std::to_string(model.ping_ms) + " ms", color) + theme_.px(12);
    }
    const float room = right - middle - clock_width * 0.5f - theme_.px(20) -
                       fonts.width(Face::regular, theme_.small, tick);
    canvas.text_right(Face::regular, theme_.small, {right, small_y},
                      fonts.fitted(Face::regular, theme_.small, model.server, std::max(0.0f, room)), theme_.text);

    if (!model.warning.empty()) {
        const float w = fonts.width(Face::bold, theme_.large, model.warning) + theme_.px(40);
        const float h = fonts.line_height(Face::bold, theme_.large) + theme_.px(14);
        const Rect box{std::round(middle - w * 0.5f), std::round(height + theme_.px(26)), w, h};
        draw_panel(canvas, theme_, box);
        canvas.text_center(Face::bold, theme_.large, {middle, box.y + theme_.px(7)}, model.warning, theme_.warn);
    }
}

void Hud::draw_players(Canvas& canvas, const HudModel& model) {
    if (model.players.empty()) return;
    FontSet& fonts = canvas.fonts();
    const float line = fonts.line_height(Face::regular, theme_.small) + theme_.px(3);
    const float width = std::round(std::min(theme_.px(190), canvas.size().x * 0.30f));
    const std::size_t most = 10;
    const std::size_t count = std::min(model.players.size(), most);
    const Rect box{canvas.size().x - theme_.gap - width, top_height_ + theme_.gap, width,
                   std::round(static_cast<float>(count) * line + 2 * theme_.pad - theme_.px(3))};
    draw_panel(canvas, theme_, box);
    panels_.push_back(box);
    float y = box.y + theme_.pad;
    for (std::size_t i = 0; i < count; ++i) {
        const HudPlayer& player = model.players[i];
        const float chip = std::round(theme_.px(8));
        PanelStyle style;
        style.top = glm::vec4(player.color, player.faded ? 0.4f : 1.0f);
        style.bottom = style.top * glm::vec4(0.75f, 0.75f, 0.75f, 1.0f);
        style.radius = theme_.px(2);
        canvas.panel({box.x + theme_.pad, std::round(y + (line - theme_.px(3) - chip) * 0.5f), chip, chip}, style);
        const float note = player.note.empty() ? 0.0f
                               : canvas.text_right(Face::regular, theme_.small, {box.right() - theme_.pad, y}, player.note, theme_.dim);
        const float x = box.x + theme_.pad + chip + theme_.px(7);
        const Face face = player.own ? Face::bold : Face::regular;
        canvas.text(face, theme_.small, {x, y},
                    fonts.fitted(face, theme_.small, player.name, box.right() - theme_.pad - note - theme_.px(6) - x),
                    player.faded ? theme_.dim : theme_.text);
        y += line;
    }
}

void Hud::draw_selection(Canvas& canvas, const HudModel& model) {
    if (model.selection.empty()) return;
    FontSet& fonts = canvas.fonts();
    const float left = minimap_rect_.w > 0 ? minimap_rect_.right() + theme_.px(5) + theme_.gap : theme_.gap;
    const float line = fonts.line_height(Face::regular, theme_.small);
    const bool single = model.selection.size() == 1 && model.selection.front().count == 1;
    const float width = std::round(std::min(theme_.px(single ? 240 : 300), canvas.size().x - left - theme_.gap));
    const float name_height = fonts.line_height(Face::bold, theme_.normal);
    const std::size_t rows = single ? 1 : std::min<std::size_t>(model.selection.size(), 5);
    const float height = single ? std::round(name_height + line * 2 + theme_.px(22) + theme_.pad)
                                : std::round(name_height + theme_.px(6) + static_cast<float>(rows) * (line + theme_.px(4)) + 2 * theme_.pad);
    const Rect box{left, canvas.size().y - theme_.gap - height, width, height};
    draw_panel(canvas, theme_, box);
    panels_.push_back(box);
    const float inner = box.w - 2 * theme_.pad;
    float y = box.y + theme_.pad;
    const float x = box.x + theme_.pad;
    const auto life_bar = [&](const Rect& r, float life) {
        PanelStyle back;
        back.top = back.bottom = glm::vec4(0, 0, 0, 0.55f);
        back.radius = r.h * 0.5f;
        canvas.panel(r, back);
        life = std::clamp(life, 0.0f, 1.0f);
        PanelStyle fill;
        fill.top = theme_.life_color(life);
        fill.bottom = fill.top * glm::vec4(0.70f, 0.70f, 0.70f, 1.0f);
        fill.radius = r.h * 0.5f;
        canvas.panel({r.x, r.y, std::max(r.h, r.w * life), r.h}, fill);
    };
    if (single) {
        const HudUnit& unit = model.selection.front();
        const float chip = std::round(name_height * 0.62f);
        PanelStyle style;
        style.top = glm::vec4(unit.color, 1);
        style.bottom = style.top * glm::vec4(0.75f, 0.75f, 0.75f, 1.0f);
        style.radius = theme_.px(2);
        canvas.panel({x, std::round(y + (name_height - chip) * 0.5f), chip, chip}, style);
        canvas.text(Face::bold, theme_.normal, {x + chip + theme_.px(7), y},
                    fonts.fitted(Face::bold, theme_.normal, unit.label, inner - chip - theme_.px(7)), theme_.text);
        y += name_height + theme_.px(4);
        life_bar({x, std::round(y), inner, std::round(theme_.px(7))}, unit.life);
        y += theme_.px(12);
        canvas.text(Face::regular, theme_.small, {x, y}, unit.state, theme_.dim);
        std::string life = std::to_string(unit.life_now) + " / " + std::to_string(unit.life_max);
        if (unit.life_max == 0) life = std::to_string(std::lround(unit.life * 100.0f)) + " %";
        canvas.text_right(Face::regular, theme_.small, {x + inner, y}, life, theme_.text);
        y += line + theme_.px(2);
        canvas.text(Face::regular, theme_.small, {x, y}, "object " + std::to_string(unit.id), faded(theme_.dim, 0.7f));
        return;
    }
    std::uint32_t total = 0;
    for (const HudUnit& unit : model.selection) total += unit.count;
    canvas.text(Face::bold, theme_.normal, {x, y}, std::to_string(total) + " units selected", theme_.text);
    y += name_height + theme_.px(6);
    for (std::size_t i = 0; i < rows; ++i) {
        const HudUnit& unit = model.selection[i];
        const std::string count = std::to_string(unit.count) + "×";
        const float label_x = x + theme_.px(34);
        canvas.text_right(Face::bold, theme_.small, {label_x - theme_.px(7), y}, count, theme_.accent);
        const float bar_width = std::round(theme_.px(70));
        canvas.text(Face::regular, theme_.small, {label_x, y},
                    fonts.fitted(Face::regular, theme_.small, unit.label, x + inner - bar_width - theme_.px(8) - label_x),
                    theme_.text);
        life_bar({x + inner - bar_width, std::round(y + (line - theme_.px(5)) * 0.5f), bar_width, std::round(theme_.px(5))}, unit.life);
        y += line + theme_.px(4);
    }
}

void Hud::draw_messages(Canvas& canvas, const HudModel& model) {
    FontSet& fonts = canvas.fonts();
    const float line = fonts.line_height(Face::regular, theme_.small) + theme_.px(2);
    const float width = std::min(canvas.size().x * 0.46f, theme_.px(460));
    float y = top_height_ + theme_.gap;
    const std::size_t most = 8;
    const std::size_t first = model.messages.size() > most ? model.messages.size() - most : 0;
    for (std::size_t i = first; i < model.messages.size(); ++i) {
        const HudMessage& message = model.messages[i];
        const float alpha = std::clamp((9.0f - message.age_s) / 1.5f, 0.0f, 1.0f);
        if (alpha <= 0) continue;
        for (const std::string& part : fonts.wrapped(Face::regular, theme_.small, message.text, width)) {
            const float w = fonts.width(Face::regular, theme_.small, part);
            PanelStyle back;
            back.top = back.bottom = glm::vec4(0.03f, 0.04f, 0.05f, 0.55f * alpha);
            back.radius = theme_.px(3);
            canvas.panel({theme_.gap, y, w + theme_.px(12), line}, back);
            canvas.text(Face::regular, theme_.small, {theme_.gap + theme_.px(6), y + theme_.px(1)}, part, faded(message.color, alpha));
            y += line + theme_.px(1);
        }
    }
}

void Hud::draw_bottom(Canvas& canvas, const HudModel& model) {
    FontSet& fonts = canvas.fonts();
    const float line = fonts.line_height(Face::regular, theme_.small);
    const float bottom = canvas.size().y - theme_.gap;
    if (model.chat) {
        const float h = std::round(fonts.line_height(Face::regular, theme_.normal) + theme_.px(12));
        const float w = std::round(canvas.size().x * 0.5f);
        const Rect box{std::round((canvas.size().x - w) * 0.5f), std::round(canvas.size().y * 0.66f), w, h};
        draw_panel(canvas, theme_, box);
        panels_.push_back(box);
        float x = box.x + theme_.pad;
        x += canvas.text(Face::bold, theme_.normal, {x, box.y + theme_.px(6)}, "Chat  ", theme_.accent);
        // The end of a long line stays visible.
        canvas.push_clip({x, box.y, box.right() - theme_.pad - x, box.h});
        const std::string shown = *model.chat + "▏";
        const float text_width = fonts.width(Face::regular, theme_.normal, shown);
        const float room = box.right() - theme_.pad - x;
        canvas.text(Face::regular, theme_.normal, {x - std::max(0.0f, text_width - room), box.y + theme_.px(6)}, shown, theme_.text);
        canvas.pop_clip();
    }
    if (!model.mode_hint.empty()) {
        const float w = fonts.width(Face::bold, theme_.normal, model.mode_hint) + theme_.px(28);
        const float h = fonts.line_height(Face::bold, theme_.normal) + theme_.px(10);
        const Rect box{std::round((canvas.size().x - w) * 0.5f), std::round(canvas.size().y * 0.56f), w, h};
        draw_panel(canvas, theme_, box);
        canvas.text_center(Face::bold, theme_.normal, {canvas.size().x * 0.5f, box.y + theme_.px(5)}, model.mode_hint, theme_.warn);
    }
    if (!model.help_line.empty()) {
        // Right of the panels at the bottom, shortened when there is little room.
        const float left = panels_.empty() ? 0.0f : [&] {
            float edge = theme_.gap;
            for (const Rect& r : panels_)
                if (r.bottom() > bottom - line) edge = std::max(edge, r.right() + theme_.gap);
            return edge;
        }();
        const float room = canvas.size().x - theme_.gap - left - theme_.px(16);
        const bool fits = fonts.width(Face::regular, theme_.small, model.help_line) <= room;
        const std::string& text = fits ? model.help_line : model.help_line_short;
        if (fonts.width(Face::regular, theme_.small, text) <= room) {
            const float w = fonts.width(Face::regular, theme_.small, text) + theme_.px(16);
            const float h = line + theme_.px(6);
            PanelStyle back;
            back.top = back.bottom = glm::vec4(0.03f, 0.04f, 0.05f, 0.55f);
            back.radius = theme_.px(4);
            canvas.panel({canvas.size().x - theme_.gap - w, bottom - h, w, h}, back);
            canvas.text(Face::regular, theme_.small, {canvas.size().x - theme_.gap - w + theme_.px(8), bottom - h + theme_.px(3)}, text, theme_.dim);
        }
    }
}

void Hud::draw_help(Canvas& canvas, const HudModel& model) {
    FontSet& fonts = canvas.fonts();
    const float line = fonts.line_height(Face::regular, theme_.normal) + theme_.px(4);
    const float width = std::round(std::min(theme_.px(530), canvas.size().x - 2 * theme_.gap));
    const float title = fonts.line_height(Face::bold, theme_.large) + theme_.px(10);
    const float height = std::round(title + static_cast<float>(model.help_keys.size()) * line + 3 * theme_.pad);
    canvas.fill({0, 0, canvas.size().x, canvas.size().y}, glm::vec4(0, 0, 0, 0.35f));
    const Rect box{std::round((canvas.size().x - width) * 0.5f), std::round((canvas.size().y - height) * 0.5f), width, height};
    draw_panel(canvas, theme_, box);
    panels_.push_back(box);
    float y = box.y + 1.5f * theme_.pad;
    canvas.text(Face::bold, theme_.large, {box.x + 2 * theme_.pad, y}, "Keys", theme_.text);
    y += title;
    const float column = box.x + width * 0.36f;
    for (const auto& [key, what] : model.help_keys) {
        canvas.text(Face::bold, theme_.normal, {box.x + 2 * theme_.pad, y}, key, theme_.accent);
        canvas.text(Face::regular, theme_.normal, {column, y},
                    fonts.fitted(Face::regular, theme_.normal, what, box.right() - theme_.pad - column), theme_.text);
        y += line;
    }
}

}  // namespace iron::client::ui
