// Commands, pause, chat, acknowledgements, and what the session writes to its players.
#include "protocol/handshake.hpp"
#include "server/session/fit_text.hpp"
#include "server/session/interest.hpp"
#include "server/session/session.hpp"

namespace iron::session {

namespace {

constexpr std::uint8_t kNotAvailable = 7;  // net-messages.md 9.1
constexpr PlayerNumber kAllies = 0xFFFF;   // Text.to_player
constexpr std::uint32_t kRoom = 1;         // the only room of a server with one match

float plane_wu(std::int32_t coordinate) {
    return static_cast<float>(coordinate) / static_cast<float>(protocol::kUnitsPerWu);
}

}  // namespace

// ---- from the clients

void Session::on_command_batch(Peer& peer, const protocol::CommandBatch& batch, std::uint64_t now_ms) {
    const Player* player = players_.find(peer.player);
    if (player == nullptr) return;
    auto commands = peer.gate.pass(batch, peer.player);
    if (!commands) return protocol_error(peer, commands.error(), now_ms);
    if (started_ && !closing_ && !player->spectator()) {
        for (world::Command& command : *commands) match_.command(std::move(command));
        return;
    }
    std::vector<world::WorldEvent> results;
    for (const world::Command& command : *commands) {
        world::WorldEvent result;
        result.kind = world::EventKind::command_result;
        result.player = peer.player;
        result.sequence = command.sequence;
        result.code = kNotAvailable;
        results.push_back(std::move(result));
    }
    feed_.answer(peer, *player, *match_.snapshot(), results);
}

void Session::on_client_state(Peer& peer, const protocol::ClientState& state) {
    if (state.newest_tick() < peer.viewer.newest_tick) return;
    peer.viewer.newest_tick = state.newest_tick();
    peer.viewer.received = state.received();
    peer.viewer.focus_x = plane_wu(state.focus()->x());
    peer.viewer.focus_y = plane_wu(state.focus()->y());
    peer.viewer.focus_radius = static_cast<float>(state.focus_radius());
    peer.viewer.known = true;
}

void Session::on_pause_request(Peer& peer, bool pause, std::uint64_t now_ms) {
    const Player* player = players_.find(peer.player);
    if (player == nullptr || player->spectator() || !started_) return;
    if (!pause_.request(player->number, player->host, pause, now_ms)) {
        // Nothing changed: the asker learns what is and what he has left.
        send_pause_state(peer, pause_.running(), pause_.owner(), match_.tick());
        return;
    }
    apply_pause(pause, player->number);
}

void Session::apply_pause(bool pause, PlayerNumber player) {
    // A resume while the world stands takes effect at once: no tick would come to carry a delay.
    const world::Tick effective =
        match_.paused() && !pause ? match_.tick() + 1 : match_.tick() + settings_.limits.pause_delay_ticks;
    match_.decide(pause ? world::SessionAct::pause : world::SessionAct::resume, player, 0, {}, {}, effective);
    note(SessionNote::Level::info, pause ? "pause" : "resume", player, "tick " + std::to_string(effective));
    to_everybody([&](Peer& to) { send_pause_state(to, pause, player, effective); });
}

void Session::on_text(Peer& peer, const protocol::Text& text, std::uint64_t now_ms) {
    const Player* from = players_.find(peer.player);
    if (from == nullptr || text.text() == nullptr) return;  // keys are the server's to send
    if (!peer.texts.take(now_ms)) {
        send_text(peer, protocol::kServerPlayer, peer.player, "too many messages, this one was not sent",
                  protocol::TextCategory::system);
        return;
    }
    const std::string line = fit_text(text.text()->string_view());
    if (line.empty()) return;
    const PlayerNumber to_player = text.to_player();
    const auto category = text.category() == protocol::TextCategory::map_signal
                              ? protocol::TextCategory::map_signal
                              : protocol::TextCategory::chat;
    to_everybody([&](Peer& to) {
        const Player* receiver = players_.find(to.player);
        if (receiver == nullptr) return;
        const bool meant = to_player == 0 || to.player == to_player || to.player == peer.player ||
                           (to_player == kAllies && shares_secrets(*receiver, from->clan));
        if (meant) send_text(to, peer.player, to_player, line, category);
    });
}

void Session::on_resync_wish(Peer& peer, std::string_view why, std::uint64_t now_ms) {
    const Player* player = players_.find(peer.player);
    if (player == nullptr || !peer.feed.started) return;
    note(SessionNote::Level::warning, "resync", peer.player, why);
    if (peer.resyncs.take(now_ms)) feed_.resync(peer, *player, *match_.snapshot());
}

// ---- to the clients

void Session::set_state(Player& player, protocol::PlayerState state) {
    player.state = state;
    send_status(player);
}

void Session::send_status(const Player& about) {
    to_everybody([&](Peer& to) { send_status_to(to, about); });
}

void Session::send_status_to(Peer& to, const Player& about) {
    const std::uint32_t ping = about.connection == 0 ? 0 : out_.round_trip_ms(about.connection);
    write(out_, to, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreatePlayerStatus(b, about.number, about.state,
                                            static_cast<std::uint16_t>(std::min(ping, 65'535u)));
    });
}

void Session::send_joined(Peer& to, const Player& player) {
    write(out_, to, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreatePlayerJoined(b, player.number, b.CreateString(player.name), player.clan,
                                            player.colour, player.host,
                                            b.CreateVector(player.data.data(), player.data.size()));
    });
}

void Session::send_game_started(Peer& peer) {
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreateGameStarted(b, start_tick_, protocol::public_seed(settings_.match_seed));
    });
}

void Session::send_pause_state(Peer& to, bool pause, PlayerNumber player, world::Tick effective) {
    std::vector<protocol::PauseBudget> budgets;
    for (const auto& [number, other] : players_.all())
        if (other.entered && !other.spectator())
            budgets.emplace_back(number, pause_.pauses_left(number, other.host), pause_.length_ms());
    write(out_, to, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreatePauseState(b, pause, player, effective, b.CreateVectorOfStructs(budgets));
    });
}

void Session::send_time(Peer& to) {
    const world::Tick tick = match_.tick();
    write(out_, to, Channel::control, tick, [&](auto& b) {
        return protocol::CreateTimeSync(b, tick, tick * settings_.step_ms, settings_.step_ms,
                                        static_cast<std::uint16_t>(match_.scale_percent()));
    });
}

void Session::send_text(Peer& to, PlayerNumber from, PlayerNumber addressee, std::string_view text,
                        protocol::TextCategory category) {
    write(out_, to, Channel::text, match_.tick(), [&](auto& b) {
        return protocol::CreateText(b, addressee, from, 0, b.CreateString(fit_text(text)), category);
    });
}

void Session::lobby_changed() {
    ++lobby_revision_;
    to_everybody([&](Peer& to) { send_lobby(to); });
}

void Session::send_lobby(Peer& to) {
    write(out_, to, Channel::control, match_.tick(), [&](auto& b) {
        std::vector<flatbuffers::Offset<protocol::LobbySlot>> slots;
        PlayerNumber host = world::kNoPlayer;
        for (const std::uint8_t clan : settings_.clans) {
            const Player* player = players_.find(static_cast<PlayerNumber>(clan + 1));
            const bool taken = player != nullptr && player->entered;
            if (taken && player->host) host = player->number;
            slots.push_back(protocol::CreateLobbySlot(
                b, static_cast<std::uint8_t>(slots.size()),
                taken ? protocol::SlotKind::player : protocol::SlotKind::open, clan,
                taken ? player->number : world::kNoPlayer, b.CreateString(taken ? player->name : ""),
                taken ? player->colour : 0, taken));
            if (slots.size() == 64) break;
        }
        return protocol::CreateLobbyState(
            b, kRoom, lobby_revision_, b.CreateString(clean_name(settings_.server_name)),
            started_ ? protocol::RoomState::running : protocol::RoomState::open,
            settings_.limited_pauses ? protocol::GameMode::multiplayer : protocol::GameMode::single, host,
            b.CreateString(settings_.mission_key),
            b.CreateVector(settings_.rules.data(), settings_.rules.size()), b.CreateString("default"),
            b.CreateVector(slots));
    });
}

}  // namespace iron::session
