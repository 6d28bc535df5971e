#include "client/options.hpp"

#include <cstdio>
#include <vector>

#include <CLI/CLI.hpp>

#include "protocol/version.hpp"
#include "shared/base/text.hpp"

#ifndef IRON_VERSION
#define IRON_VERSION "0.1.0"
#endif

namespace iron::client {

Result<HostPort> parse_host_port(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    std::int64_t port = 0;
    if (colon == std::string::npos || colon == 0 || !parse_i64(std::string_view(text).substr(colon + 1), port) ||
        port < 1 || port > 65535)
        return fail("usage", "--connect expects HOST:PORT, for example 127.0.0.1:3100, not '" + text + "'");
    HostPort out{text.substr(0, colon), static_cast<std::uint16_t>(port)};
    if (out.host.size() > 2 && out.host.front() == '[' && out.host.back() == ']')
        out.host = out.host.substr(1, out.host.size() - 2);
    return out;
}

Result<view::CameraPose> parse_camera(const std::string& text) {
    std::vector<float> values;
    std::size_t at = 0;
    while (at <= text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        float value = 0;
        if (!parse_f32(std::string_view(text).substr(at, end - at), value) || values.size() == 5)
            return fail("usage", "--camera expects x,y,yaw,pitch,dist (numbers, degrees for the angles), not '" + text + "'");
        values.push_back(value);
        at = end + 1;
    }
    if (values.size() < 2)
        return fail("usage", "--camera needs at least x,y, not '" + text + "'");
    view::CameraPose pose;
    pose.focus = {values[0], values[1]};
    if (values.size() > 2) pose.yaw = values[2] * kPi / 180.0f;
    if (values.size() > 3) pose.pitch = values[3] * kPi / 180.0f;
    if (values.size() > 4) pose.distance = values[4];
    return pose;
}

Result<std::optional<Options>> parse_options(int argc, const char* const* argv) {
    Options o;
    std::string camera;
    std::vector<std::string> hide;
    bool no_edge = false;
    CLI::App app{"iron3d-client: window, sound and input for a match of Iron3D"};
    app.set_version_flag("--version", std::string("iron3d-client " IRON_VERSION ", protocol ") +
                                          protocol::to_string(protocol::kVersion));
    app.set_config("--config", "", "settings file (TOML); the command line wins over it");
    app.add_option("--root", o.root, "game directory: an original installation or built-in content")
        ->required()->envname("IRON3D_ROOT");
    app.add_option("--connect", o.connect, "server to join, HOST:PORT; without it the mission is only shown")
        ->envname("IRON3D_CONNECT");
    app.add_option("--mission", o.mission, "mission to show without a server, for example missions/single.01")
        ->capture_default_str();
    app.add_option("--name", o.name, "player name")->capture_default_str()->envname("IRON3D_NAME");
    app.add_option("--password", o.password, "password of the server")->envname("IRON3D_PASSWORD");
    app.add_option("--profile", o.profile, "edition of the game data")
        ->check(CLI::IsMember({"part1", "part2", "demo", "gog", "builtin"}))->capture_default_str();
    app.add_option("--clan", o.clan_wish, "wished clan number, -1 = any")->check(CLI::Range(-1, 63));
    app.add_flag("--spectate", o.spectate, "join as a spectator");
    app.add_option("--width", o.width, "picture width, pixels")->check(CLI::Range(64, 16384))->capture_default_str();
    app.add_option("--height", o.height, "picture height, pixels")->check(CLI::Range(64, 16384))->capture_default_str();
    app.add_flag("--fullscreen", o.fullscreen, "use the whole screen");
    app.add_flag("--offscreen", o.offscreen, "draw without a window (no display needed)");
    app.add_option("--samples", o.samples, "anti-aliasing samples, 1 = off, -1 = by the device")->check(CLI::Range(-1, 16));
    app.add_option("--shadows", o.shadows, "shadow map size in pixels, 0 = off, -1 = by the device")->check(CLI::Range(-1, 8192));
    app.add_option("--render-scale", o.render_scale, "share of the pixels per side the world is drawn with, 0 = by the device")->check(CLI::Range(0.0f, 1.0f));
    app.add_flag("--no-edge-scroll", no_edge, "the camera does not move at the border of the window");
    app.add_option("--font-folder", o.font_folder, "folder with DejaVuSans.ttf, -Bold and Mono");
    app.add_option("--screenshot", o.screenshot, "write the last picture to this PNG file");
    app.add_option("--after-ticks", o.after_ticks, "end when the shown server tick is at least this")->check(CLI::NonNegativeNumber);
    app.add_option("--frames", o.frames, "end after this many drawn pictures")->check(CLI::NonNegativeNumber);
    app.add_option("--timeout", o.timeout_s, "seconds after which a run that ends by itself gives up")->check(CLI::Range(1.0, 86400.0))->capture_default_str();
    app.add_option("--camera", camera, "x,y,yaw,pitch,dist: wu and degrees");
    app.add_option("--hide", hide, "leave out terrain, units, buildings, statics or ui (may be repeated)")
        ->check(CLI::IsMember({"terrain", "units", "buildings", "statics", "ui"}))->delimiter(',');
    app.add_flag("--check-orders", o.check_orders, "select the own units, order them to move, report as JSON lines and end");
    app.add_flag("--auto-move", o.auto_move, "keep the own units moving and report as JSON lines");
    app.add_flag("--debug", o.log_debug, "more messages on stderr");
    app.footer("Example: iron3d-client --root content --connect 127.0.0.1:3100 --name Alice\n"
               "Exit codes: 0 ok, 1 failure, 2 usage, 3 data, 4 environment, 5 refused, 6 mismatch, 7 incompatible.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            app.exit(error);
            return std::optional<Options>{};
        }
        return fail("usage", error.what());
    }
    o.edge_scroll = !no_edge;
    for (const std::string& what : hide) {
        if (what == "terrain") o.visible.terrain = false;
        if (what == "units") o.visible.units = false;
        if (what == "buildings") o.visible.buildings = false;
        if (what == "statics") o.visible.statics = false;
        if (what == "ui") o.visible.ui = false;
    }
    if (!camera.empty()) {
        IRON_TRY(o.camera, parse_camera(camera));
    }
    if (!o.connect.empty()) IRON_CHECK([&]() -> Status {
        IRON_TRY([[maybe_unused]] const HostPort target, parse_host_port(o.connect));
        return {};
    }());
    if (o.connect.empty() && (o.check_orders || o.auto_move))
        return fail("usage", "--check-orders and --auto-move need a server: add --connect HOST:PORT");
    if (o.name.empty() || o.name.size() > 64 || !is_valid_utf8(o.name))
        return fail("usage", "--name must be 1 to 64 bytes of UTF-8");
    if (o.offscreen && !o.finite())
        return fail("usage", "--offscreen shows nothing by itself: add --screenshot FILE, --after-ticks N or --frames N");
    return std::optional<Options>(o);
}

}  // namespace iron::client
