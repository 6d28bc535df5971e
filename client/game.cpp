#include "client/game.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <SDL.h>
#include <spdlog/spdlog.h>

#include "client/render/png.hpp"
#include "client/view/minimap_image.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/fingerprint.hpp"
#include "shared/mission/mission_loader.hpp"

namespace iron::client {
namespace {

Edition edition_of(const std::string& name) {
    if (name == "part1") return Edition::part1;
    if (name == "part2") return Edition::part2;
    if (name == "demo") return Edition::demo;
    if (name == "gog") return Edition::gog;
    return Edition::builtin;
}

protocol::Profile profile_of(const std::string& name) {
    if (name == "part1") return protocol::Profile::part1;
    if (name == "part2") return protocol::Profile::part2;
    if (name == "demo") return protocol::Profile::demo;
    if (name == "gog") return protocol::Profile::gog;
    return protocol::Profile::builtin;
}

/// Ticks a check run waits for its units to move.
constexpr std::uint64_t kCheckTicks = 1000;

bool software(const std::string& device) {
    return device.find("llvmpipe") != std::string::npos || device.find("softpipe") != std::string::npos ||
           device.find("SWR") != std::string::npos;
}

}  // namespace

Game::~Game() = default;

double Game::now_ms() const {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

Result<std::unique_ptr<Game>> Game::create(const Options& options) {
    std::unique_ptr<Game> game(new Game(options));
    game->started_ms_ = game->now_ms();
    IRON_TRY_WRAP(const archive::Vfs vfs, archive::Vfs::open(options.root), "opening the game directory '" + options.root + "'");
    IRON_CHECK(game->open_device());
    if (!options.connect.empty()) {
        IRON_CHECK(game->connect(vfs));
        // A copy: the session may replace its own while loading pumps it.
        const std::string mission = game->session_->mission_key();
        IRON_CHECK(game->load_mission(vfs, mission));
    } else {
        IRON_CHECK(game->load_mission(vfs, options.mission));
    }
    return game;
}

Status Game::open_device() {
    render::DeviceOptions device;
    device.width = options_.width;
    device.height = options_.height;
    device.offscreen = options_.offscreen;
    IRON_TRY(device_, render::Device::open(device));
    if (options_.fullscreen && !options_.offscreen)
        SDL_SetWindowFullscreen(device_->window(), SDL_WINDOW_FULLSCREEN_DESKTOP);
    spdlog::debug("drawing with {}", device_->description());
    render::RenderOptions render;
    // A software renderer draws single pictures well, but not thirty a second.
    const bool slow = software(device_->description()) && !options_.offscreen;
    render.samples = options_.samples >= 1 ? options_.samples : slow ? 1 : 4;
    render.shadow_size = options_.shadows >= 0 ? options_.shadows : slow ? 1024 : 2048;
    if (options_.height > 1500 && options_.shadows < 0 && !slow) render.shadow_size = 4096;
    int width = 0, height = 0;
    device_->drawable_size(width, height);
    // In software about 640 x 480 world pixels keep it moving; the interface stays sharp.
    if (options_.render_scale > 0) render.scale = options_.render_scale;
    else if (slow) render.scale = std::min(1.0f, std::sqrt(400'000.0f / static_cast<float>(width * height)));
    IRON_TRY(renderer_, render::Renderer::create(render));
    IRON_CHECK(target_.resize(width, height, render.samples, render.scale));
    IRON_TRY(fonts_, ui::FontSet::open(options_.font_folder));
    IRON_CHECK(canvas_.create(*fonts_));
    input_.set_edge_scroll(options_.edge_scroll);
    SDL_StopTextInput();
    return {};
}

Status Game::connect(const archive::Vfs& vfs) {
    net::ConnectSettings settings;
    IRON_TRY(const HostPort target, parse_host_port(options_.connect));
    settings.address = target.host;
    settings.port = target.port;
    settings.player_name = options_.name;
    if (!options_.password.empty()) settings.password = options_.password;
    if (options_.clan_wish >= 0) settings.clan_wish = static_cast<std::uint8_t>(options_.clan_wish);
    settings.role = options_.spectate ? protocol::Role::spectator : protocol::Role::player;
    settings.profile = profile_of(options_.profile);
    IRON_TRY_WRAP(settings.manifest, mission::build_manifest(vfs), "hashing the content of '" + options_.root + "'");
    IRON_TRY_WRAP(session_, net::ClientSession::start(std::move(settings)), "connecting to " + options_.connect);
    while (session_->phase() == net::SessionPhase::connecting || session_->phase() == net::SessionPhase::handshake) {
        session_->pump(20);
        SDL_Event event;
        while (SDL_PollEvent(&event))
            if (event.type == SDL_QUIT) return fail("usage", "closed while connecting");
    }
    if (session_->phase() == net::SessionPhase::ended) {
        if (session_->ending()) return tl::unexpected(Error(*session_->ending()).wrap("connecting to " + options_.connect));
        return fail("connection_failed", "the server " + options_.connect + " closed the connection");
    }
    return {};
}

Status Game::load_mission(const archive::Vfs& vfs, const std::string& mission) {
    mission::LoadOptions load;
    load.profile = options_.profile == "builtin" ? ReadProfile::strict : ReadProfile::compatible;
    load.edition = edition_of(options_.profile);
    // The server checks content by the fingerprint; here it would only cost time.
    load.content_fingerprint = Hash256{};
    const auto keep_alive = [this] {
        if (session_) session_->pump(0);
        SDL_PumpEvents();
    };
    IRON_TRY_WRAP(auto blueprint, mission::load_mission(vfs, mission, load, [&](const mission::LoadProgress&) { keep_alive(); }),
                  "loading the mission '" + mission + "'");
    IRON_TRY_WRAP(scene_, view::Scene::load(vfs, std::move(blueprint), [&](std::string_view, std::size_t, std::size_t) { keep_alive(); }),
                  "preparing the picture of '" + mission + "'");
    for (const Diagnostic& note : scene_->notes()) spdlog::warn("{}", note.message);
    title_ = scene_->blueprint().key;
    for (const mission::MissionEntry& entry : mission::list_missions(vfs))
        if (entry.key == scene_->blueprint().key && !entry.title.empty()) title_ = cp1251_to_utf8(entry.title);
    frame_ = std::make_unique<view::FrameBuilder>(*scene_);
    renderer_->load(render::render_scene(*scene_));
    hud_.set_minimap(view::draw_minimap(scene_->terrain(), scene_->materials(), 512));
    view::CameraLimits limits;
    limits.map_min = glm::vec2(scene_->terrain().bounds.min);
    limits.map_max = glm::vec2(scene_->terrain().bounds.max);
    camera_.set_limits(limits);
    camera_.set_ground([this](glm::vec2 at) { return scene_->ground().height_or_nearest(at); });
    place_camera();
    if (options_.check_orders || options_.auto_move)
        script_.emplace(options_.auto_move, scene_->terrain().bounds);
    return {};
}

void Game::place_camera() {
    if (options_.camera) {
        camera_.jump_to(*options_.camera);
        camera_placed_ = true;
        return;
    }
    // Before the first own unit is known: the base of the first player clan, else the map's middle.
    view::CameraPose pose;
    pose.focus = glm::vec2(scene_->terrain().bounds.center());
    for (const mission::ClanBlueprint& clan : scene_->blueprint().clans)
        if (clan.mode == asset::ClanMode::player) {
            glm::vec2 sum(0);
            float count = 0;
            for (const view::PlacedObject& object : scene_->placed())
                if (object.clan == clan.index && !object.is_static && !object.is_building) {
                    sum += glm::vec2(object.world[3]);
                    ++count;
                }
            if (count > 0) pose.focus = sum / count;
            break;
        }
    const glm::vec2 inward = glm::vec2(scene_->terrain().bounds.center()) - pose.focus;
    pose.yaw = glm::length(inward) > 20.0f ? std::atan2(-inward.x, inward.y) : 0.0f;
    pose.pitch = 0.68f;
    pose.distance = 82.0f;
    camera_.jump_to(pose);
}

std::uint64_t Game::shown_tick() const {
    const double step = session_ ? session_->step_ms() : 20.0;
    return show_ms_ > 0 ? static_cast<std::uint64_t>(show_ms_ / step) : 0;
}

bool Game::reached_end() const {
    const bool enough_frames = options_.frames < 0 || drawn_ >= options_.frames;
    if (options_.after_ticks >= 0) {
        if (shown_tick() < static_cast<std::uint64_t>(options_.after_ticks)) return false;
        // A check wants to see its units move, even if loading took longer than the ticks.
        if (script_ && !script_->moved() && !script_->waited(session_->applied_tick(), kCheckTicks)) return false;
        return enough_frames;
    }
    if (options_.check_orders)
        return enough_frames && (script_->moved() || script_->waited(session_->applied_tick(), kCheckTicks));
    if (options_.frames >= 0) return enough_frames;
    return !options_.screenshot.empty() && (!session_ || session_->phase() == net::SessionPhase::running);
}

Status Game::run() {
    double last = now_ms();
    clock_local_ms_ = 0;
    for (;;) {
        const double now = now_ms();
        const auto seconds = static_cast<float>(std::clamp((now - last) / 1000.0, 0.0, 1.0));
        last = now;
        if (session_) {
            clock_local_ms_ += static_cast<double>(seconds) * 1000.0 * (session_->paused() ? 0.0 : session_->scale_percent() / 100.0);
            step_network();
            if (session_->phase() == net::SessionPhase::ended) {
                if (script_) script_->finish(*session_);
                if (session_->ending()) return tl::unexpected(Error(*session_->ending()).wrap("playing on " + options_.connect));
                return {};
            }
        } else {
            clock_local_ms_ += static_cast<double>(seconds) * 1000.0;
            show_ms_ = clock_local_ms_;
        }
        step_input(seconds);
        if (quit_) break;
        build_frame(seconds);
        const bool end = reached_end();
        // Without a window only the pictures that somebody asked for are drawn, and the last one.
        const bool wanted = options_.frames >= 0 && drawn_ < options_.frames;
        if (!options_.offscreen || wanted || end) {
            draw_frame();
            const float took = static_cast<float>(now_ms() - now);
            fps_ = fps_ * 0.9f + 0.1f * (took > 0 ? 1000.0f / std::max(took, 1.0f) : 0.0f);
        }
        if (end || reached_end()) {
            if (!options_.screenshot.empty()) IRON_CHECK(save_screenshot(options_.screenshot));
            break;
        }
        if (options_.finite() && now - started_ms_ > options_.timeout_s * 1000.0) {
            if (session_ && script_) script_->finish(*session_);
            return fail("internal", "the run did not reach its end within " + std::to_string(static_cast<int>(options_.timeout_s)) +
                                        " s (shown tick " + std::to_string(shown_tick()) + ")");
        }
        if (options_.offscreen && !session_ && options_.frames < 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (session_) {
        bool failed = false;
        if (script_) {
            script_->finish(*session_);
            failed = !script_->moved();
        }
        session_->leave();
        session_->pump(50);
        if (failed)
            return fail("verify_failed", "the own units did not move: the farthest came " +
                                             std::to_string(script_->farthest()) + " wu");
    }
    return {};
}

void Game::step_network() {
    session_->pump(options_.offscreen ? 8 : 0);
    for (const net::SessionEvent& event : session_->take_events()) on_session_event(event);
    const double step = session_->step_ms();
    const double estimated = session_->estimated_tick() * step;
    if (estimated > 0) {
        clock_.arrived(estimated, clock_local_ms_);
        show_ms_ = std::max(0.0, clock_.now(clock_local_ms_) - view::kShowDelayMs);
    }
    frame_->feed(session_->mirrors(), step);
    for (const auto& [object, key] : frame_->take_content_errors()) session_->report_content_error(object, key);
    selection_.keep_only([&](std::uint32_t id) {
        const net::Mirror* mirror = session_->mirrors().find(id);
        return mirror && mirror->phase == net::MirrorPhase::live;
    });
    if (script_) {
        script_->update(*session_);
        if (selection_.empty()) selection_.set(script_->units());
    }
    const double now = now_ms();
    if (now - last_focus_ms_ > 200) {
        last_focus_ms_ = now;
        const view::CameraPose& pose = camera_.pose();
        session_->set_focus(pose.focus.x, pose.focus.y, std::min(pose.distance * 1.5f, 400.0f));
        session_->set_selection(selection_.ids());
    }
    if (!camera_placed_) {
        glm::vec2 sum(0);
        float count = 0;
        for (const auto& [id, mirror] : session_->mirrors().all())
            if (mirror.owner != 0 && mirror.owner == session_->player_number() && (mirror.scheme_type & 0x01000000u) != 0) {
                sum += glm::vec2(mirror.current.position.x, mirror.current.position.y);
                ++count;
            }
        if (count > 0) {
            camera_placed_ = true;
            view::CameraPose pose = camera_.pose();
            pose.focus = sum / count;
            const glm::vec2 inward = glm::vec2(scene_->terrain().bounds.center()) - pose.focus;
            if (glm::length(inward) > 20.0f) pose.yaw = std::atan2(-inward.x, inward.y);
            camera_.jump_to(pose);
        }
    }
}

void Game::build_frame(float seconds) {
    view::FrameContext context;
    context.show_ms = show_ms_;
    context.local_ms = now_ms();
    context.frame_seconds = seconds;
    context.hovered = hovered_;
    context.visible = options_.visible;
    if (session_) {
        context.own_clan = session_->clan();
        context.own_player = session_->player_number();
        frame_->build(context, selection_, list_);
    } else {
        frame_->build_offline(context, list_);
    }
}

void Game::draw_frame() {
    int width = 0, height = 0;
    device_->drawable_size(width, height);
    if (auto resized = target_.resize(std::max(1, width), std::max(1, height), renderer_->options().samples,
                                      renderer_->options().scale);
        !resized) {
        spdlog::error("{}", resized.error().to_string());
        quit_ = true;
        return;
    }
    renderer_->draw(target_, render::render_scene(*scene_), list_, camera_, static_cast<float>(clock_local_ms_ / 1000.0));
    if (options_.visible.ui) {
        canvas_.begin(target_.width(), target_.height());
        hud_.draw(canvas_, hud_model(), list_, camera_);
        canvas_.end();
    }
    ++drawn_;
    if (!options_.offscreen) {
        target_.present();
        device_->swap();
    }
}

Status Game::save_screenshot(const std::string& path) {
    const render::Picture picture = target_.read();
    if (render::looks_empty(picture)) spdlog::warn("the picture shows nothing");
    IRON_CHECK(render::write_png(path, picture));
    spdlog::info("screenshot: {}", path);
    return {};
}

}  // namespace iron::client
