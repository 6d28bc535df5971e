// The screen over the world: status line, players, selection, minimap, messages, chat, help.
// It reads a HudModel and decides nothing; clicks on it are answered by hit_*().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "client/ui/canvas.hpp"
#include "client/ui/theme.hpp"
#include "client/view/camera.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/image.hpp"
#include "client/view/picking.hpp"

namespace iron::client::ui {

struct HudPlayer {
    std::string name;
    glm::vec3 color{0.6f};
    std::string note;      ///< "lost", "spectator", ping ...
    bool own = false, faded = false;
};

struct HudUnit {
    std::string label;     ///< scheme name
    std::string state;     ///< "Moving", ...
    glm::vec3 color{0.6f};
    float life = 1;
    std::uint32_t life_now = 0, life_max = 0;  ///< points
    std::uint32_t count = 1;                   ///< of that label in the selection
    std::uint32_t id = 0;
};

struct HudMessage {
    std::string text;
    glm::vec4 color{0.9f, 0.93f, 0.95f, 1};
    float age_s = 0;
};

struct HudDot {
    glm::vec2 at{0};       ///< world
    glm::vec3 color{1};
    bool building = false, selected = false;
};

struct HudModel {
    std::string title;         ///< mission
    std::string server;        ///< host:port, or "no server"
    std::string warning;       ///< in the middle of the top: "paused", "connection lost"
    std::uint64_t tick = 0;
    std::uint32_t step_ms = 20;
    int ping_ms = -1;          ///< -1 unknown
    int frames_per_second = 0; ///< 0 = not shown
    std::vector<HudPlayer> players;
    std::vector<HudUnit> selection;       ///< by label, most first; a single unit alone
    std::vector<HudMessage> messages;     ///< oldest first
    std::vector<HudDot> dots;
    std::array<int, 10> group_sizes{};
    view::Box map;
    std::optional<std::string> chat;      ///< the line being typed
    std::string mode_hint;                ///< "attack-move: click the target"
    std::string help_line, help_line_short;
    bool show_help = false;
    std::optional<view::ScreenBox> drag;  ///< selection box, pixels
    std::vector<std::pair<std::string, std::string>> help_keys;
};

class Hud {
public:
    /// Takes over the minimap picture.
    void set_minimap(const view::Image& picture);
    void draw(Canvas& canvas, const HudModel& model, const view::DrawList& list, const view::StrategicCamera& camera);

    /// True if the point is on a panel: then it is no click on the world.
    bool covers(glm::vec2 pixel) const;
    /// World point under a pixel of the minimap.
    std::optional<glm::vec2> minimap_hit(glm::vec2 pixel) const;

private:
    void draw_bars(Canvas& canvas, const view::DrawList& list, const view::StrategicCamera& camera);
    void draw_top(Canvas& canvas, const HudModel& model);
    void draw_players(Canvas& canvas, const HudModel& model);
    void draw_minimap(Canvas& canvas, const HudModel& model, const view::StrategicCamera& camera);
    void draw_selection(Canvas& canvas, const HudModel& model);
    void draw_messages(Canvas& canvas, const HudModel& model);
    void draw_help(Canvas& canvas, const HudModel& model);
    void draw_bottom(Canvas& canvas, const HudModel& model);

    Theme theme_;
    render::GlTexture minimap_;
    Rect minimap_rect_;
    view::Box map_;
    std::vector<Rect> panels_;
    float top_height_ = 0;
};

/// "12:05" or "1:02:05" from a tick.
std::string clock_text(std::uint64_t tick, std::uint32_t step_ms);

}  // namespace iron::client::ui
