// SDL events become actions (edges, delivered once) and camera axes (held and summed), the three
// semantics of frame.md 6. Focus loss releases every held key (DD-FRM-03).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "client/view/camera.hpp"
#include "client/view/picking.hpp"

union SDL_Event;

namespace iron::client::input {

enum class ActionKind : std::uint8_t {
    quit,
    select_click,    ///< pixel; append = add or remove
    select_same,     ///< double click: all of that kind on the screen
    select_box,      ///< box; append
    order_click,     ///< right button: default command at pixel
    target_click,    ///< left button while a command is armed
    arm_attack_move, arm_guard, arm_patrol,
    cancel,          ///< Esc or right button while armed
    stop, hold,
    store_group, recall_group,  ///< number
    focus_selection, select_all,
    chat_open, chat_text, chat_send, chat_erase, chat_close,
    toggle_help, screenshot, pause
};

struct Action {
    ActionKind kind = ActionKind::quit;
    glm::vec2 pixel{0};       ///< drawable pixels
    view::ScreenBox box;
    bool append = false;      ///< Shift
    int number = 0;           ///< group
    std::string text;         ///< chat
};

class InputMapper {
public:
    /// `pixel_ratio` = drawable pixels per unit of mouse coordinates.
    void handle(const SDL_Event& event, float pixel_ratio);
    /// Edges since the last call, in order.
    std::vector<Action> take_actions();
    /// Camera axes for one frame; sums are reset. `screen` in pixels, for the edges.
    view::CameraInput take_camera(glm::vec2 screen);

    /// The box being dragged with the left button.
    std::optional<view::ScreenBox> drag() const;
    glm::vec2 cursor() const { return cursor_; }
    bool cursor_inside() const { return inside_; }

    /// While true, keys are text and clicks still work.
    void set_typing(bool typing) { typing_ = typing; }
    /// While true, a left click is a target_click.
    void set_armed(bool armed) { armed_ = armed; }
    /// Left clicks that start on a panel are not world clicks; the owner asks the HUD.
    void set_over_panel(bool over) { over_panel_ = over; }
    /// True while the left button is held on a panel (dragging on the minimap).
    bool panel_held() const { return panel_held_; }
    /// Panning at the border of the picture; off in windows that do not keep the cursor.
    void set_edge_scroll(bool on) { edge_scroll_ = on; }

private:
    void key(std::int32_t code, std::uint16_t mods, bool down, bool repeat);
    void add(ActionKind kind, bool append = false, int number = 0);

    std::vector<Action> actions_;
    std::set<std::int32_t> held_;
    glm::vec2 cursor_{0};
    bool inside_ = false, typing_ = false, armed_ = false, over_panel_ = false, panel_held_ = false;
    bool edge_scroll_ = true;
    bool rotating_ = false;
    std::optional<glm::vec2> left_from_;
    float wheel_ = 0;
    glm::vec2 rotate_{0};
};

/// Key and meaning, for the help panel.
const std::vector<std::pair<std::string, std::string>>& key_help();
/// The one line at the bottom of the picture.
std::string short_help();

}  // namespace iron::client::input
