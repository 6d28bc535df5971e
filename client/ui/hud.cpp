#include "client/ui/hud.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "client/view/minimap_image.hpp"

namespace iron::client::ui {

std::string clock_text(std::uint64_t tick, std::uint32_t step_ms) {
    const std::uint64_t seconds = tick * step_ms / 1000;
    char text[48];
    if (seconds >= 3600)
        std::snprintf(text, sizeof text, "%llu:%02llu:%02llu", static_cast<unsigned long long>(seconds / 3600),
                      static_cast<unsigned long long>(seconds / 60 % 60), static_cast<unsigned long long>(seconds % 60));
    else
        std::snprintf(text, sizeof text, "%02llu:%02llu", static_cast<unsigned long long>(seconds / 60),
                      static_cast<unsigned long long>(seconds % 60));
    return text;
}

void Hud::set_minimap(const view::Image& picture) {
    minimap_ = render::GlTexture::make();
    glBindTexture(GL_TEXTURE_2D, minimap_.get());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    // The interface is drawn in display values: no sRGB decoding here.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture.levels.front().data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

bool Hud::covers(glm::vec2 pixel) const {
    return std::any_of(panels_.begin(), panels_.end(), [&](const Rect& r) { return r.contains(pixel); });
}

std::optional<glm::vec2> Hud::minimap_hit(glm::vec2 pixel) const {
    if (map_.empty() || !minimap_rect_.contains(pixel)) return std::nullopt;
    const glm::vec2 t((pixel.x - minimap_rect_.x) / minimap_rect_.w, (pixel.y - minimap_rect_.y) / minimap_rect_.h);
    return view::minimap_world(map_, t);
}

void Hud::draw(Canvas& canvas, const HudModel& model, const view::DrawList& list,
               const view::StrategicCamera& camera) {
    theme_ = Theme::for_height(static_cast<int>(canvas.size().y));
    panels_.clear();
    map_ = model.map;
    draw_bars(canvas, list, camera);
    if (model.drag && !model.drag->is_click()) {
        const glm::vec2 low = model.drag->low(), high = model.drag->high();
        PanelStyle style;
        style.top = style.bottom = glm::vec4(0.45f, 1.0f, 0.55f, 0.10f);
        style.border = glm::vec4(0.45f, 1.0f, 0.55f, 0.9f);
        style.border_width = std::max(1.0f, std::round(theme_.scale));
        canvas.panel({low.x, low.y, high.x - low.x, high.y - low.y}, style);
    }
    draw_top(canvas, model);
    draw_players(canvas, model);
    draw_minimap(canvas, model, camera);
    draw_selection(canvas, model);
    draw_messages(canvas, model);
    draw_bottom(canvas, model);
    if (model.show_help) draw_help(canvas, model);
}

void Hud::draw_bars(Canvas& canvas, const view::DrawList& list, const view::StrategicCamera& camera) {
    const glm::vec2 size = canvas.size();
    for (const view::LifeBar& bar : list.bars) {
        const glm::vec3 p = camera.project(bar.at, size);
        if (p.z <= 0 || p.x < -50 || p.y < -50 || p.x > size.x + 50 || p.y > size.y + 50) continue;
        const glm::vec3 q = camera.project(bar.at + glm::vec3(view::right_of(camera.pose().yaw) * bar.width, 0), size);
        const float w = std::round(std::clamp(q.x - p.x, theme_.px(bar.building ? 34 : 22), theme_.px(120)));
        const float h = std::round(std::max(3.0f, theme_.px(bar.selected ? 5 : 4)));
        const Rect frame{std::round(p.x - w * 0.5f), std::round(p.y - h), w, h};
        PanelStyle back;
        back.top = back.bottom = glm::vec4(0.02f, 0.03f, 0.03f, 0.80f);
        back.radius = 1.5f * theme_.scale;
        canvas.panel({frame.x - 1, frame.y - 1, frame.w + 2, frame.h + 2}, back);
        const float life = std::clamp(bar.life, 0.0f, 1.0f);
        PanelStyle fill;
        fill.top = theme_.life_color(life);
        fill.bottom = fill.top * glm::vec4(0.70f, 0.70f, 0.70f, 1.0f);
        canvas.panel({frame.x, frame.y, std::max(1.0f, std::round(frame.w * life)), frame.h}, fill);
    }
}

void Hud::draw_minimap(Canvas& canvas, const HudModel& model, const view::StrategicCamera& camera) {
    if (!minimap_ || model.map.empty()) return;
    const float side = std::round(std::min(canvas.size().y * 0.26f, canvas.size().x * 0.22f));
    const float frame = std::round(theme_.px(5));
    const Rect outer{theme_.gap, canvas.size().y - theme_.gap - side - 2 * frame, side + 2 * frame, side + 2 * frame};
    draw_panel(canvas, theme_, outer);
    panels_.push_back(outer);
    minimap_rect_ = outer.inset(frame);
    canvas.image(minimap_.get(), minimap_rect_);
    canvas.push_clip(minimap_rect_);
    const auto place = [&](glm::vec2 world) {
        const glm::vec2 t = view::minimap_position(model.map, world);
        return glm::vec2(minimap_rect_.x + t.x * minimap_rect_.w, minimap_rect_.y + t.y * minimap_rect_.h);
    };
    for (int pass = 0; pass < 2; ++pass)  // buildings below units
        for (const HudDot& dot : model.dots) {
            if (dot.building != (pass == 0)) continue;
            const glm::vec2 p = place(dot.at);
            const float half = std::max(1.2f, theme_.px(dot.building ? 2.4f : 1.7f));
            PanelStyle style;
            style.top = style.bottom = glm::vec4(dot.color, 1);
            style.border = dot.selected ? glm::vec4(1, 1, 1, 1) : glm::vec4(0, 0, 0, 0.75f);
            style.border_width = std::max(1.0f, theme_.scale * 0.8f);
            style.radius = dot.building ? theme_.px(1) : half + 1;
            canvas.panel({p.x - half - 1, p.y - half - 1, 2 * half + 2, 2 * half + 2}, style);
        }
    // What the camera sees of the ground.
    glm::vec2 corner[4];
    const glm::vec2 size = canvas.size();
    const glm::vec2 pixel[4] = {{0, 0}, {size.x, 0}, {size.x, size.y}, {0, size.y}};
    const float ground = camera.target().z;
    for (int i = 0; i < 4; ++i) {
        view::Ray ray = camera.ray_through(pixel[i], size);
        const float reach = camera.pose().distance * 4.0f + 60.0f;
        float t = ray.direction.z < -1e-3f ? (ground - ray.origin.z) / ray.direction.z : reach;
        t = std::clamp(t, 0.0f, reach);
        corner[i] = place(glm::vec2(ray.at(t)));
    }
    for (int i = 0; i < 4; ++i) {
        canvas.line(corner[i], corner[(i + 1) % 4], std::max(2.5f, theme_.px(3)), glm::vec4(0, 0, 0, 0.35f));
        canvas.line(corner[i], corner[(i + 1) % 4], std::max(1.0f, theme_.px(1.3f)), glm::vec4(1, 1, 1, 0.9f));
    }
    canvas.pop_clip();
}

}  // namespace iron::client::ui
