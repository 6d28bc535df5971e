#include "server/session/session.hpp"

#include <algorithm>

#include "server/session/fit_text.hpp"

namespace iron::session {

Session::Session(SessionSettings settings, Match& match, Outbox& out)
    : settings_(std::move(settings)),
      match_(match),
      out_(out),
      players_(settings_.clans, settings_.max_spectators),
      pause_(settings_.limited_pauses, settings_.limits),
      feed_(out, settings_.limits) {}

void Session::note(SessionNote::Level level, std::string_view event, PlayerNumber player,
                   std::string_view detail) {
    if (on_note) on_note({level, std::string(event), player, std::string(detail)});
}

// ---- transport

void Session::connected(ConnectionId connection, std::uint64_t now_ms) {
    peers_.try_emplace(connection, connection, now_ms, settings_.limits);
    note(SessionNote::Level::debug, "connect", 0, "connection " + std::to_string(connection));
}

void Session::closed(ConnectionId connection, std::uint64_t now_ms) {
    const auto it = peers_.find(connection);
    if (it == peers_.end()) return;
    lose_player(it->second, now_ms);
    peers_.erase(it);
}

void Session::misused(ConnectionId connection, std::uint64_t now_ms) {
    const auto it = peers_.find(connection);
    if (it == peers_.end()) return;
    protocol_error(it->second, Error("too_fast", "more messages or bytes than the limits allow"), now_ms);
}

Status Session::check_sequence(Peer& peer, const protocol::Message& message, Channel channel) {
    std::uint32_t& last = peer.received[static_cast<std::size_t>(channel)];
    const std::uint32_t sequence = message.envelope().sequence();
    if (!protocol::is_reliable(channel)) {
        last = std::max(last, sequence);
        return {};
    }
    if (sequence != last + 1)
        return fail("sequence_gap", "message " + std::to_string(sequence) + " came where " +
                                        std::to_string(last + 1) + " was due on channel " +
                                        std::string(protocol::to_string(channel)));
    last = sequence;
    return {};
}

void Session::received(ConnectionId connection, Channel channel, ByteView packet,
                       std::uint64_t now_ms) {
    const auto it = peers_.find(connection);
    if (it == peers_.end() || it->second.phase == PeerPhase::closing) return;
    Peer& peer = it->second;
    auto message = protocol::Message::receive(packet, protocol::Direction::from_client, channel);
    if (!message) {
        if (message.error().code() == "unknown_message" &&
            protocol::unknown_message_policy(channel, peer.minor) == protocol::UnknownPolicy::skip) {
            ++peer.received[static_cast<std::size_t>(channel)];
            return;
        }
        protocol_error(peer, message.error(), now_ms);
        return;
    }
    if (auto in_order = check_sequence(peer, *message, channel); !in_order) {
        protocol_error(peer, in_order.error(), now_ms);
        return;
    }
    dispatch(peer, *message, now_ms);
}

void Session::dispatch(Peer& peer, const protocol::Message& message, std::uint64_t now_ms) {
    if (const auto* hello = message.as<protocol::Hello>()) return on_hello(peer, *hello, now_ms);
    if (const auto* request = message.as<protocol::RulesRequest>()) return on_rules_request(peer, *request);
    if (message.as<protocol::Goodbye>() != nullptr) {
        if (peer.phase == PeerPhase::entered) drop_player(peer.player, protocol::RemovalReason::left);
        if (peer.phase == PeerPhase::welcomed) players_.remove(peer.player, true);
        peer.phase = PeerPhase::closing;
        peer.since_ms = now_ms;
        out_.close_gently(peer.connection);
        return;
    }
    if (const auto* ping = message.as<protocol::Ping>()) {
        write(out_, peer, Channel::state, match_.tick(), [&](auto& b) {
            return protocol::CreatePong(b, ping->nonce(), ping->client_ms(), match_.tick());
        });
        return;
    }
    if (message.as<protocol::Pong>() != nullptr || peer.phase == PeerPhase::refused) return;
    if (const auto* data = message.as<protocol::PlayerData>()) {
        if (peer.phase != PeerPhase::welcomed && peer.phase != PeerPhase::entered)
            return protocol_error(peer, Error("bad_phase", "PlayerData came before Welcome"), now_ms);
        return on_player_data(peer, *data, now_ms);
    }
    if (peer.phase != PeerPhase::entered) {
        // Unreliable messages may overtake the handshake; reliable ones may not.
        if (protocol::is_reliable(message.channel()))
            protocol_error(peer, Error("bad_phase", message.info().name + " came before the handshake was over"),
                           now_ms);
        return;
    }
    if (const auto* batch = message.as<protocol::CommandBatch>()) return on_command_batch(peer, *batch, now_ms);
    if (const auto* state = message.as<protocol::ClientState>()) return on_client_state(peer, *state);
    if (const auto* manual = message.as<protocol::ManualInput>()) {
        if (started_ && protocol::is_player(peer.player))
            match_.manual(newest_sample(*manual, peer.player));
        return;
    }
    if (const auto* pause = message.as<protocol::PauseRequest>())
        return on_pause_request(peer, pause->paused(), now_ms);
    if (const auto* text = message.as<protocol::Text>()) return on_text(peer, *text, now_ms);
    if (const auto* mismatch = message.as<protocol::ViewHashMismatch>())
        return on_resync_wish(peer,
                              "view hash differs at tick " + std::to_string(mismatch->tick()) + ": expected " +
                                  std::to_string(mismatch->expected()) + ", client has " +
                                  std::to_string(mismatch->actual()),
                              now_ms);
    if (message.as<protocol::SnapshotRequest>() != nullptr)
        return on_resync_wish(peer, "snapshot requested", now_ms);
    if (const auto* content = message.as<protocol::ClientContentError>())
        note(SessionNote::Level::warning, "content_error", peer.player, content->key()->string_view());
}

// ---- leaving

void Session::protocol_error(Peer& peer, const Error& error, std::uint64_t now_ms) {
    note(SessionNote::Level::warning, "protocol_error", peer.player, error.to_string());
    say_goodbye(peer, protocol::GoodbyeReason::protocol_error, error.message(), now_ms);
}

void Session::say_goodbye(Peer& peer, protocol::GoodbyeReason reason, std::string_view text,
                          std::uint64_t now_ms) {
    write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
        return protocol::CreateGoodbye(b, reason, b.CreateString(fit_text(text)));
    });
    lose_player(peer, now_ms);
    peer.phase = PeerPhase::closing;
    peer.since_ms = now_ms;
    out_.close_gently(peer.connection);
}

void Session::lose_player(Peer& peer, std::uint64_t now_ms) {
    if (peer.phase == PeerPhase::welcomed) players_.remove(peer.player, true);
    if (peer.phase != PeerPhase::entered) return;
    Player* player = players_.find(peer.player);
    if (player == nullptr) return;
    peer.phase = PeerPhase::closing;
    player->connection = 0;
    if (!started_ || player->spectator() || settings_.limits.grace_ms == 0 || closing_) {
        drop_player(player->number, protocol::RemovalReason::lost);
        return;
    }
    lost_since_ms_[player->number] = now_ms;
    set_state(*player, protocol::PlayerState::lost);
    note(SessionNote::Level::info, "player_lost", player->number, player->name);
}

void Session::drop_player(PlayerNumber number, protocol::RemovalReason reason) {
    const Player* player = players_.find(number);
    if (player == nullptr) return;
    note(SessionNote::Level::info, "player_gone", number, player->name);
    const bool was_host = player->host;
    const bool spectator = player->spectator();
    lost_since_ms_.erase(number);
    players_.remove(number, !started_ || spectator);
    if (!spectator) {
        match_.forget(number);
        match_.decide(reason == protocol::RemovalReason::left   ? world::SessionAct::player_left
                      : reason == protocol::RemovalReason::lost ? world::SessionAct::player_lost
                                                                : world::SessionAct::player_removed,
                      number);
    }
    to_everybody([&](Peer& to) {
        write(out_, to, Channel::control, match_.tick(),
              [&](auto& b) { return protocol::CreatePlayerRemoved(b, number, reason); });
    });
    if (was_host) players_.pass_host();
    lobby_changed();
    if (pause_.player_gone(number)) apply_pause(false, number);
}

bool Session::remove_player(PlayerNumber number, std::string_view text, std::uint64_t now_ms) {
    Player* player = players_.find(number);
    if (player == nullptr) return false;
    const auto it = peers_.find(player->connection);
    drop_player(number, protocol::RemovalReason::administrator);
    if (it != peers_.end()) say_goodbye(it->second, protocol::GoodbyeReason::kicked, text, now_ms);
    return true;
}

void Session::shut_down(protocol::GoodbyeReason reason, std::string_view text) {
    closing_ = true;
    for (auto& [connection, peer] : peers_) {
        if (peer.phase == PeerPhase::closing) continue;
        write(out_, peer, Channel::control, match_.tick(), [&](auto& b) {
            return protocol::CreateGoodbye(b, reason, b.CreateString(fit_text(text)));
        });
        peer.phase = PeerPhase::closing;
        out_.close_gently(connection);
    }
}

// ---- the loop

void Session::publish(const StepResult& step) {
    for (auto& [connection, peer] : peers_) {
        if (peer.phase != PeerPhase::entered) continue;
        if (const Player* player = players_.find(peer.player))
            feed_.publish(peer, *player, *step.snapshot, step.refused);
    }
}

void Session::serve_newcomers() {
    for (auto& [connection, peer] : peers_) {
        if (peer.phase != PeerPhase::entered || peer.feed.started) continue;
        if (const Player* player = players_.find(peer.player))
            feed_.publish(peer, *player, *match_.snapshot(), {});
    }
}

void Session::maintain(std::uint64_t now_ms) {
    start_if_ready();  // a match that waits for nobody
    const SessionLimits& limits = settings_.limits;
    std::vector<ConnectionId> overdue;
    for (auto& [connection, peer] : peers_) {
        const std::uint64_t waited = now_ms - peer.since_ms;
        if ((peer.phase == PeerPhase::closing || peer.phase == PeerPhase::refused) &&
            waited > limits.refused_linger_ms)
            overdue.push_back(connection);
        else if ((peer.phase == PeerPhase::fresh || peer.phase == PeerPhase::welcomed) &&
                 waited > limits.handshake_ms)
            say_goodbye(peer, protocol::GoodbyeReason::timeout, "the handshake took too long", now_ms);
        if (peer.phase != PeerPhase::entered) continue;
        Player* player = players_.find(peer.player);
        if (player == nullptr || player->spectator()) continue;
        const bool lagging = out_.silent_ms(connection) > limits.lagging_after_ms;
        const auto state = lagging ? protocol::PlayerState::lagging : protocol::PlayerState::connected;
        if (player->state != state) set_state(*player, state);
    }
    for (const ConnectionId connection : overdue) {
        out_.close_now(connection);
        peers_.erase(connection);
    }

    std::vector<PlayerNumber> gone;
    for (const auto& [number, since] : lost_since_ms_)
        if (now_ms - since >= limits.grace_ms) gone.push_back(number);
    for (const PlayerNumber number : gone) drop_player(number, protocol::RemovalReason::lost);

    const PlayerNumber pauser = pause_.owner();
    if (pause_.expired(now_ms)) apply_pause(false, pauser);

    if (now_ms >= next_status_ms_) {
        next_status_ms_ = now_ms + limits.status_every_ms;
        for (const auto& [number, player] : players_.all())
            if (player.entered) send_status(player);
    }
}

void Session::start_if_ready() {
    if (started_ || closing_ || players_.entered_count() < settings_.start_with) return;
    started_ = true;
    start_tick_ = match_.tick() + 1;
    note(SessionNote::Level::info, "match_started", 0, "tick " + std::to_string(start_tick_));
    to_everybody([&](Peer& to) {
        send_time(to);
        send_game_started(to);
    });
    lobby_changed();
}

void Session::announce(std::string_view text) {
    to_everybody([&](Peer& to) {
        send_text(to, protocol::kServerPlayer, 0, text, protocol::TextCategory::system);
    });
}

}  // namespace iron::session
