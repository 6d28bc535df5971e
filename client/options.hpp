// The command line and settings of iron3d-client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/view/camera.hpp"
#include "client/view/frame_builder.hpp"
#include "shared/base/error.hpp"

namespace iron::client {

struct Options {
    std::string root;
    std::string connect;      ///< host:port, empty = offline view
    std::string mission = "missions/single.01";  ///< offline only
    std::string name = "player";
    std::string password;
    std::string profile = "builtin";
    int clan_wish = -1;       ///< clan index, -1 = any
    bool spectate = false;

    int width = 1280, height = 720;
    bool offscreen = false, fullscreen = false;
    int samples = -1;         ///< -1 = by the device
    int shadows = -1;         ///< shadow map pixels, -1 = by the device, 0 = off
    float render_scale = 0;   ///< 0 = by the device
    bool edge_scroll = true;
    std::string font_folder;

    std::string screenshot;
    std::int64_t after_ticks = -1;
    std::int64_t frames = -1;
    double timeout_s = 120;   ///< of an offscreen run
    std::optional<view::CameraPose> camera;
    view::Visibility visible;
    bool check_orders = false, auto_move = false;
    bool log_debug = false;

    /// Ends by itself: a picture, a number of frames or ticks, or a check was asked for.
    bool finite() const { return !screenshot.empty() || after_ticks >= 0 || frames >= 0 || check_orders; }
};

/// The options, or nothing when --help or --version was printed. Error `usage`: the message is for
/// the user and names the option.
Result<std::optional<Options>> parse_options(int argc, const char* const* argv);

/// "host:port", "[v6]:port". Error `usage`.
struct HostPort {
    std::string host;
    std::uint16_t port = 0;
};
Result<HostPort> parse_host_port(const std::string& text);

/// "x,y,yaw,pitch,dist": wu, wu, degrees, degrees below the horizon, wu; trailing parts may be
/// left out. Error `usage`.
Result<view::CameraPose> parse_camera(const std::string& text);

}  // namespace iron::client
