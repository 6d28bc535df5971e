// What the player does and what the session says.
#include <algorithm>
#include <string>

#include <SDL.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "client/game.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/base/text.hpp"

namespace iron::client {
namespace {

constexpr glm::vec4 kSystem{0.74f, 0.84f, 0.92f, 1}, kWarn{0.98f, 0.76f, 0.34f, 1}, kBad{0.98f, 0.46f, 0.38f, 1};

/// "attack_move" -> "attack move".
std::string words(const char* name) {
    std::string out = name ? name : "?";
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

std::string state_text(std::uint8_t state, std::uint32_t flags) {
    static constexpr const char* kNames[] = {"Inactive", "Ready", "Planning", "Moving", "Arriving", "Fighting",
                                             "Working", "Docked", "Driven", "Stuck", "Disabled", "Destroyed"};
    std::string out = state < std::size(kNames) ? kNames[state] : "?";
    if ((flags & 1u << 12) != 0) out += ", no power";
    if ((flags & 1u << 11) != 0) out += ", being captured";
    if ((flags & 1u << 2) != 0) out += ", critical";
    return out;
}

}  // namespace

void Game::say(std::string text, glm::vec4 color) {
    log_.push_back({std::move(text), color, now_ms()});
    if (log_.size() > 50) log_.pop_front();
}

std::string Game::player_name(std::uint16_t number) const {
    for (const net::PlayerInfo& player : session_->players())
        if (player.number == number) return player.name;
    return number == 0 ? "server" : "player " + std::to_string(number);
}

bool Game::hostile(const view::ShownObject& object) const {
    if (!session_ || object.clan == 0xFF || object.own || object.clan == session_->clan()) return false;
    const auto& clans = scene_->blueprint().clans;
    if (object.clan >= clans.size()) return false;
    if (clans[object.clan].mode == asset::ClanMode::neutral) return false;
    const std::uint8_t own = session_->clan();
    const auto allied = [&](std::uint8_t a, std::uint8_t b) {
        if (a >= clans.size()) return false;
        return std::any_of(clans[a].relations.begin(), clans[a].relations.end(),
                           [&](const mission::ClanRelation& r) { return r.clan_index == b && r.value == 1; });
    };
    return !allied(own, object.clan) && !allied(object.clan, own);
}

void Game::on_session_event(const net::SessionEvent& event) {
    using Kind = net::SessionEventKind;
    if (script_) script_->on_event(event);
    switch (event.kind) {
        case Kind::game_started: say("The match has started", kSystem); break;
        case Kind::player_joined: say(player_name(event.player) + " joined", kSystem); break;
        case Kind::player_removed: say(player_name(event.player) + " left", kSystem); break;
        case Kind::pause_changed: say(event.value != 0 ? "The match is paused" : "The match goes on", kSystem); break;
        case Kind::text:
            say(event.player != 0 ? player_name(event.player) + ": " + event.text : event.text,
                event.player != 0 ? glm::vec4(0.96f, 0.97f, 0.98f, 1) : kSystem);
            break;
        case Kind::result:
            if (event.code != protocol::ResultCode::ok)
                say("Refused: " + words(protocol::EnumNameResultCode(event.code)), kWarn);
            break;
        case Kind::order:
            if (event.order_event == protocol::OrderEventKind::failed) {
                const view::ShownObject* object = frame_->find(event.object);
                if (object && object->own)
                    say(words(protocol::EnumNameOrderCode(event.order)) + " failed: " +
                            words(protocol::EnumNameResultCode(event.code)), kWarn);
            }
            break;
        case Kind::mirror_killed: {
            const view::ShownObject* object = frame_->find(event.object);
            if (object && object->own) say("Lost: " + scene_->units()[object->unit].label, kBad);
            break;
        }
        case Kind::mission_outcome: say("The mission is over", kSystem); break;
        case Kind::view_mismatch: spdlog::warn("the mirrored view differs from the server's at tick {}", event.tick); break;
        default: break;
    }
}

void Game::step_input(float seconds) {
    SDL_Event event;
    const float ratio = device_->pixel_ratio();
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_MOUSEBUTTONDOWN)
            input_.set_over_panel(options_.visible.ui && hud_.covers(glm::vec2(event.button.x, event.button.y) * ratio));
        input_.set_typing(chat_.has_value());
        input_.set_armed(armed_ != input::Armed::none);
        input_.handle(event, ratio);
        for (const input::Action& action : input_.take_actions()) act(action);
    }
    if (options_.offscreen) {
        camera_.update({}, seconds);
        return;
    }
    if (input_.panel_held())
        if (const auto world = hud_.minimap_hit(input_.cursor())) camera_.glide_to(*world);
    camera_.update(input_.take_camera(screen()), seconds);
    hovered_.reset();
    if (input_.cursor_inside() && !input_.drag() && !hud_.covers(input_.cursor()))
        if (const auto hit = view::pick(camera_.ray_through(input_.cursor(), screen()), list_.pickables, scene_->ground()))
            hovered_ = hit->object;
}

input::ClickTarget Game::target_at(glm::vec2 pixel) {
    input::ClickTarget out;
    if (options_.visible.ui)
        if (const auto world = hud_.minimap_hit(pixel)) {
            out.ground = *world;
            return out;
        }
    if (const auto hit = view::pick(camera_.ray_through(pixel, screen()), list_.pickables, scene_->ground())) {
        out.ground = glm::vec2(hit->point);
        out.object = hit->object;
        if (hit->object)
            if (const view::ShownObject* object = frame_->find(*hit->object)) {
                out.own = object->own;
                out.hostile = hostile(*object);
                out.ground = glm::vec2(object->position);
            }
    } else {
        out.ground = camera_.pose().focus;
    }
    return out;
}

void Game::send_order(const std::optional<net::CommandDraft>& draft) {
    if (!draft || !session_) return;
    session_->send(*draft);
    if (draft->order == protocol::OrderCode::stop || draft->order == protocol::OrderCode::hold_position) return;
    view::OrderMarker marker;
    marker.at = glm::vec2(static_cast<float>(draft->at_x), static_cast<float>(draft->at_y)) / 256.0f;
    marker.born_ms = now_ms();
    if (draft->order == protocol::OrderCode::attack || draft->order == protocol::OrderCode::attack_move)
        marker.kind = view::OrderMarker::Kind::attack;
    frame_->add_marker(marker);
}

void Game::select_at(const input::Action& action) {
    const auto hit = view::pick(camera_.ray_through(action.pixel, screen()), list_.pickables, scene_->ground());
    if (!hit || !hit->object) {
        if (!action.append) selection_.clear();
        return;
    }
    const view::ShownObject* object = frame_->find(*hit->object);
    if (action.kind == input::ActionKind::select_same && object && object->own) {
        std::vector<std::uint32_t> same;
        for (const view::ShownObject& other : frame_->shown()) {
            const glm::vec3 p = camera_.project(other.position, screen());
            const bool seen = p.z > 0 && p.x >= 0 && p.y >= 0 && p.x < screen().x && p.y < screen().y;
            if (other.own && other.unit == object->unit && seen) same.push_back(other.id);
        }
        action.append ? selection_.add(same) : selection_.set(same);
    } else if (action.append && object && object->own) {
        selection_.toggle(*hit->object);
    } else {
        selection_.set({*hit->object});
    }
}

void Game::act(const input::Action& action) {
    using Kind = input::ActionKind;
    const auto subjects = [&] { return input::movable(selection_.ids(), *frame_); };
    switch (action.kind) {
        case Kind::quit: quit_ = true; break;
        case Kind::select_click:
        case Kind::select_same: select_at(action); break;
        case Kind::select_box: {
            const auto ids = view::pick_box(action.box, list_.pickables, camera_, screen());
            action.append ? selection_.add(ids) : selection_.set(ids);
            break;
        }
        case Kind::order_click: send_order(input::default_order(subjects(), target_at(action.pixel), action.append)); break;
        case Kind::target_click:
            send_order(input::armed_order(armed_, subjects(), target_at(action.pixel), action.append));
            if (!action.append) armed_ = input::Armed::none;
            break;
        case Kind::arm_attack_move: if (!subjects().empty()) armed_ = input::Armed::attack_move; break;
        case Kind::arm_guard: if (!subjects().empty()) armed_ = input::Armed::guard; break;
        case Kind::arm_patrol: if (!subjects().empty()) armed_ = input::Armed::patrol; break;
        case Kind::cancel:
            if (show_help_) show_help_ = false;
            else if (armed_ != input::Armed::none) armed_ = input::Armed::none;
            else selection_.clear();
            break;
        case Kind::stop: send_order(input::plain_order(protocol::OrderCode::stop, subjects())); break;
        case Kind::hold: send_order(input::plain_order(protocol::OrderCode::hold_position, subjects())); break;
        case Kind::store_group: selection_.store_group(static_cast<std::size_t>(action.number)); break;
        case Kind::recall_group:
            if (!selection_.recall_group(static_cast<std::size_t>(action.number))) break;
            [[fallthrough]];
        case Kind::focus_selection: {
            glm::vec2 sum(0);
            float count = 0;
            for (std::uint32_t id : selection_.ids())
                if (const view::ShownObject* object = frame_->find(id)) {
                    sum += glm::vec2(object->position);
                    ++count;
                }
            if (count > 0) camera_.glide_to(sum / count);
            break;
        }
        case Kind::select_all: {
            std::vector<std::uint32_t> all;
            for (const view::ShownObject& object : frame_->shown())
                if (object.own && !object.building) all.push_back(object.id);
            selection_.set(all);
            break;
        }
        case Kind::chat_open:
            if (session_) {
                chat_.emplace();
                SDL_StartTextInput();
            }
            break;
        case Kind::chat_text: if (chat_ && chat_->size() + action.text.size() <= 240) *chat_ += action.text; break;
        case Kind::chat_erase:
            while (chat_ && !chat_->empty()) {
                const auto last = static_cast<unsigned char>(chat_->back());
                chat_->pop_back();
                if ((last & 0xC0) != 0x80) break;  // the lead byte of the character
            }
            break;
        case Kind::chat_send:
            if (chat_ && session_ && !chat_->empty()) session_->chat(*chat_);
            [[fallthrough]];
        case Kind::chat_close:
            chat_.reset();
            SDL_StopTextInput();
            break;
        case Kind::toggle_help: show_help_ = !show_help_; break;
        case Kind::screenshot:
            if (auto saved = save_screenshot(fmt::format("iron3d-{}.png", shown_tick())); !saved)
                say(saved.error().to_string(), kBad);
            else
                say(fmt::format("Saved iron3d-{}.png", shown_tick()), kSystem);
            break;
        case Kind::pause: if (session_) session_->request_pause(!session_->paused()); break;
    }
}

ui::HudModel Game::hud_model() {
    ui::HudModel model;
    const mission::MissionBlueprint& blueprint = scene_->blueprint();
    model.title = title_;
    model.tick = shown_tick();
    model.map = scene_->terrain().bounds;
    model.help_line = input::short_help();
    model.help_line_short = "F1: keys";
    model.help_keys = input::key_help();
    model.show_help = show_help_;
    model.chat = chat_;
    model.drag = input_.drag();
    if (!options_.offscreen) model.frames_per_second = static_cast<int>(fps_ + 0.5f);
    if (armed_ == input::Armed::attack_move) model.mode_hint = "Attack-move: click the goal";
    if (armed_ == input::Armed::guard) model.mode_hint = "Guard: click a unit or a place";
    if (armed_ == input::Armed::patrol) model.mode_hint = "Patrol: click the far point";
    if (session_) {
        model.server = options_.connect;
        model.step_ms = session_->step_ms();
        model.ping_ms = session_->ping_ms();
        if (session_->paused()) model.warning = "Paused";
        else if (session_->phase() == net::SessionPhase::lobby) model.warning = "Waiting for players";
        for (const net::PlayerInfo& player : session_->players()) {
            ui::HudPlayer row;
            row.name = player.name;
            row.color = scene_->clan_color(player.clan);
            row.own = player.number == session_->player_number();
            row.faded = player.state != protocol::PlayerState::connected;
            row.note = player.state != protocol::PlayerState::connected
                           ? words(protocol::EnumNamePlayerState(player.state))
                           : player.ping_ms > 0 ? std::to_string(player.ping_ms) + " ms" : std::string();
            model.players.push_back(std::move(row));
        }
    } else {
        model.server = "no server: mission view";
        for (const mission::ClanBlueprint& clan : blueprint.clans) {
            if (clan.mode == asset::ClanMode::environment) continue;
            ui::HudPlayer row;
            row.name = cp1251_to_utf8(clan.name);
            row.color = scene_->clan_color(static_cast<std::uint8_t>(clan.index));
            row.note = clan.mode == asset::ClanMode::player ? "player" : clan.mode == asset::ClanMode::ai ? "AI" : "neutral";
            model.players.push_back(std::move(row));
        }
    }
    for (const view::ShownObject& object : frame_->shown())
        model.dots.push_back({glm::vec2(object.position), scene_->clan_color(object.clan), object.building,
                              selection_.contains(object.id)});
    for (std::uint32_t id : selection_.ids()) {
        const view::ShownObject* object = frame_->find(id);
        if (!object) continue;
        const view::UnitModel& unit = scene_->units()[object->unit];
        auto same = std::find_if(model.selection.begin(), model.selection.end(),
                                 [&](const ui::HudUnit& u) { return u.label == unit.label; });
        if (same != model.selection.end()) {
            same->life = (same->life * static_cast<float>(same->count) + object->life) / static_cast<float>(same->count + 1);
            ++same->count;
            continue;
        }
        ui::HudUnit row;
        row.label = unit.label;
        row.state = state_text(object->behaviour_state, object->flags);
        row.color = scene_->clan_color(object->clan);
        row.life = object->life;
        row.life_max = object->life_max / 1000;
        row.life_now = static_cast<std::uint32_t>(object->life * static_cast<float>(object->life_max) / 1000.0f + 0.5f);
        row.id = id;
        model.selection.push_back(std::move(row));
    }
    std::stable_sort(model.selection.begin(), model.selection.end(),
                     [](const ui::HudUnit& a, const ui::HudUnit& b) { return a.count > b.count; });
    for (const LogLine& line : log_)
        model.messages.push_back({line.text, line.color, static_cast<float>((now_ms() - line.born_ms) / 1000.0)});
    return model;
}

}  // namespace iron::client
