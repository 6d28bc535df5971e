#include "client/input/input_mapper.hpp"

#include <SDL.h>

namespace iron::client::input {
namespace {

constexpr float kRotatePerPixel = 0.0052f;  ///< rad

struct KeyRow {
    SDL_Keycode key;
    ActionKind action;
};
// Camera keys (WASD, arrows, Q, E) are held, not edges; see take_camera().
constexpr KeyRow kEdgeKeys[] = {
    {SDLK_f, ActionKind::arm_attack_move}, {SDLK_g, ActionKind::arm_guard}, {SDLK_p, ActionKind::arm_patrol},
    {SDLK_x, ActionKind::stop},            {SDLK_h, ActionKind::hold},      {SDLK_SPACE, ActionKind::focus_selection},
    {SDLK_ESCAPE, ActionKind::cancel},     {SDLK_RETURN, ActionKind::chat_open},
    {SDLK_KP_ENTER, ActionKind::chat_open}, {SDLK_F1, ActionKind::toggle_help},
    {SDLK_F12, ActionKind::screenshot},    {SDLK_PAUSE, ActionKind::pause},
};

}  // namespace

const std::vector<std::pair<std::string, std::string>>& key_help() {
    static const std::vector<std::pair<std::string, std::string>> kRows{
        {"W A S D, arrows", "move the camera (Shift: faster)"},
        {"Q, E, middle button", "turn the camera"},
        {"wheel", "zoom"},
        {"left click, drag", "select (Shift: add or remove)"},
        {"double click", "select all of this kind in view"},
        {"right click", "move, or attack a hostile (Shift: append)"},
        {"F, then click", "attack-move"},
        {"G, then click", "guard"},
        {"P, then click", "patrol"},
        {"X", "stop"},
        {"H", "hold position"},
        {"Ctrl+A", "select all own units"},
        {"Ctrl+1 … 9", "store a group; 1 … 9 recalls it (twice: centre)"},
        {"Space", "centre the selection"},
        {"Enter", "chat"},
        {"Pause", "ask for a pause"},
        {"F12", "screenshot"},
        {"F1, Esc", "close this panel"},
    };
    return kRows;
}

std::string short_help() {
    return "Left: select   Right: order   F: attack-move   X: stop   WASD: camera   Wheel: zoom   F1: keys";
}

void InputMapper::add(ActionKind kind, bool append, int number) {
    Action action;
    action.kind = kind;
    action.pixel = cursor_;
    action.append = append;
    action.number = number;
    actions_.push_back(std::move(action));
}

void InputMapper::key(std::int32_t code, std::uint16_t mods, bool down, bool repeat) {
    if (!down) {
        held_.erase(code);
        return;
    }
    const bool ctrl = (mods & KMOD_CTRL) != 0, shift = (mods & KMOD_SHIFT) != 0;
    if (typing_) {
        if (code == SDLK_RETURN || code == SDLK_KP_ENTER) add(ActionKind::chat_send);
        if (code == SDLK_ESCAPE) add(ActionKind::chat_close);
        if (code == SDLK_BACKSPACE) add(ActionKind::chat_erase);
        return;
    }
    if (repeat) return;
    if (code >= SDLK_0 && code <= SDLK_9) {
        add(ctrl ? ActionKind::store_group : ActionKind::recall_group, shift, static_cast<int>(code - SDLK_0));
        return;
    }
    if (ctrl) {
        if (code == SDLK_a) add(ActionKind::select_all);
        if (code == SDLK_q) add(ActionKind::quit);
        return;
    }
    held_.insert(code);
    for (const KeyRow& row : kEdgeKeys)
        if (row.key == code) add(row.action, shift);
}

void InputMapper::handle(const SDL_Event& event, float ratio) {
    switch (event.type) {
        case SDL_QUIT: add(ActionKind::quit); break;
        case SDL_WINDOWEVENT:
            if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
                held_.clear();
                rotating_ = panel_held_ = false;
                left_from_.reset();
            }
            if (event.window.event == SDL_WINDOWEVENT_LEAVE) inside_ = false;
            if (event.window.event == SDL_WINDOWEVENT_ENTER) inside_ = true;
            break;
        case SDL_KEYDOWN:
        case SDL_KEYUP:
            key(event.key.keysym.sym, event.key.keysym.mod, event.type == SDL_KEYDOWN, event.key.repeat != 0);
            break;
        case SDL_TEXTINPUT:
            if (typing_) {
                Action action;
                action.kind = ActionKind::chat_text;
                action.text = event.text.text;
                actions_.push_back(std::move(action));
            }
            break;
        case SDL_MOUSEMOTION:
            inside_ = true;
            cursor_ = glm::vec2(event.motion.x, event.motion.y) * ratio;
            if (rotating_) rotate_ += glm::vec2(-event.motion.xrel, event.motion.yrel) * kRotatePerPixel;
            break;
        case SDL_MOUSEWHEEL: wheel_ += event.wheel.preciseY; break;
        case SDL_MOUSEBUTTONDOWN:
            cursor_ = glm::vec2(event.button.x, event.button.y) * ratio;
            if (event.button.button == SDL_BUTTON_MIDDLE) rotating_ = true;
            if (event.button.button == SDL_BUTTON_LEFT) {
                if (over_panel_) {
                    panel_held_ = true;
                } else if (armed_) {
                    add(ActionKind::target_click, (SDL_GetModState() & KMOD_SHIFT) != 0);
                } else {
                    left_from_ = cursor_;
                }
            }
            if (event.button.button == SDL_BUTTON_RIGHT)
                add(armed_ ? ActionKind::cancel : ActionKind::order_click, (SDL_GetModState() & KMOD_SHIFT) != 0);
            break;
        case SDL_MOUSEBUTTONUP:
            cursor_ = glm::vec2(event.button.x, event.button.y) * ratio;
            if (event.button.button == SDL_BUTTON_MIDDLE) rotating_ = false;
            if (event.button.button == SDL_BUTTON_LEFT) {
                panel_held_ = false;
                if (!left_from_) break;
                const view::ScreenBox box{*left_from_, cursor_};
                left_from_.reset();
                const bool append = (SDL_GetModState() & KMOD_SHIFT) != 0;
                if (!box.is_click()) {
                    add(ActionKind::select_box, append);
                    actions_.back().box = box;
                } else {
                    add(event.button.clicks >= 2 ? ActionKind::select_same : ActionKind::select_click, append);
                }
            }
            break;
        default: break;
    }
}

std::vector<Action> InputMapper::take_actions() { return std::exchange(actions_, {}); }

std::optional<view::ScreenBox> InputMapper::drag() const {
    if (!left_from_) return std::nullopt;
    return view::ScreenBox{*left_from_, cursor_};
}

view::CameraInput InputMapper::take_camera(glm::vec2 screen) {
    view::CameraInput out;
    const auto axis = [&](SDL_Keycode a, SDL_Keycode b) {
        return held_.count(a) != 0 || held_.count(b) != 0 ? 1.0f : 0.0f;
    };
    if (!typing_) {
        out.pan_right = axis(SDLK_d, SDLK_RIGHT) - axis(SDLK_a, SDLK_LEFT);
        out.pan_forward = axis(SDLK_w, SDLK_UP) - axis(SDLK_s, SDLK_DOWN);
        out.turn = axis(SDLK_q, SDLK_q) - axis(SDLK_e, SDLK_e);
        out.fast = held_.count(SDLK_LSHIFT) != 0 || held_.count(SDLK_RSHIFT) != 0;
    }
    if (edge_scroll_ && inside_ && !rotating_ && !left_from_ && screen.x > 0) {
        constexpr float kEdge = 4.0f;
        if (cursor_.x < kEdge) out.pan_right -= 1;
        if (cursor_.x > screen.x - 1 - kEdge) out.pan_right += 1;
        if (cursor_.y < kEdge) out.pan_forward += 1;
        if (cursor_.y > screen.y - 1 - kEdge) out.pan_forward -= 1;
    }
    out.zoom_steps = std::exchange(wheel_, 0.0f);
    out.drag_rad = std::exchange(rotate_, glm::vec2(0));
    return out;
}

}  // namespace iron::client::input
