// The running client: window, renderer, screen, session, scene - and the loop that joins them in
// the order of frame.md 2: input, complete ticks, mirrors, camera, draw list, picture, screen.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/input/input_mapper.hpp"
#include "client/input/orders.hpp"
#include "client/net/client_session.hpp"
#include "client/options.hpp"
#include "client/render/device.hpp"
#include "client/render/renderer.hpp"
#include "client/scripted_player.hpp"
#include "client/ui/hud.hpp"
#include "client/view/frame_builder.hpp"
#include "client/view/interpolation.hpp"
#include "client/view/picking.hpp"
#include "client/view/scene.hpp"
#include "client/view/selection.hpp"
#include "shared/archive/vfs.hpp"

namespace iron::client {

class Game {
public:
    /// Opens everything in order: content, window, connection, mission. The errors are ready for
    /// the user.
    static Result<std::unique_ptr<Game>> create(const Options& options);
    ~Game();
    /// Runs until the user quits or the run's end is reached; writes the screenshot.
    Status run();

private:
    explicit Game(const Options& options) : options_(options) {}
    Status open_device();
    Status connect(const archive::Vfs& vfs);
    Status load_mission(const archive::Vfs& vfs, const std::string& mission);
    void place_camera();

    void step_network();
    void on_session_event(const net::SessionEvent& event);
    void step_input(float seconds);
    void act(const input::Action& action);
    void select_at(const input::Action& action);
    void send_order(const std::optional<net::CommandDraft>& draft);
    input::ClickTarget target_at(glm::vec2 pixel);
    void build_frame(float seconds);
    void draw_frame();
    ui::HudModel hud_model();
    void say(std::string text, glm::vec4 color = {0.90f, 0.93f, 0.95f, 1.0f});
    Status save_screenshot(const std::string& path);
    bool reached_end() const;
    double now_ms() const;
    glm::vec2 screen() const { return {static_cast<float>(target_.width()), static_cast<float>(target_.height())}; }
    std::uint64_t shown_tick() const;
    std::string player_name(std::uint16_t number) const;
    bool hostile(const view::ShownObject& object) const;

    Options options_;
    std::unique_ptr<render::Device> device_;
    std::unique_ptr<render::Renderer> renderer_;
    render::FrameTarget target_;
    std::unique_ptr<ui::FontSet> fonts_;
    ui::Canvas canvas_;
    ui::Hud hud_;
    input::InputMapper input_;
    std::optional<net::ClientSession> session_;
    std::unique_ptr<view::Scene> scene_;
    std::unique_ptr<view::FrameBuilder> frame_;
    view::StrategicCamera camera_;
    view::Selection selection_;
    view::DrawList list_;
    view::ServerClock clock_;
    std::optional<ScriptedPlayer> script_;

    struct LogLine {
        std::string text;
        glm::vec4 color;
        double born_ms;
    };
    std::deque<LogLine> log_;
    std::string title_;
    std::optional<std::string> chat_;
    input::Armed armed_ = input::Armed::none;
    std::optional<std::uint32_t> hovered_;
    bool show_help_ = false, quit_ = false, camera_placed_ = false;
    double started_ms_ = 0, clock_local_ms_ = 0, show_ms_ = 0, last_focus_ms_ = -1e9;
    std::int64_t drawn_ = 0;
    float fps_ = 0;
};

}  // namespace iron::client
