// The players of one match: handshake, entering and leaving, pause, chat, commands on their way to
// the match, reliable events on their way to the clients. No sockets and no clock of its own: packets come in by
// received(), go out by the Outbox, time comes with every call.
// Source: net-messages.md 5, 6, 7.2, 7.3, 9.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/session/event_feed.hpp"
#include "server/session/limits.hpp"
#include "server/session/match.hpp"
#include "server/session/outbox.hpp"
#include "server/session/pause_rights.hpp"
#include "server/session/peer.hpp"
#include "server/session/player_registry.hpp"

namespace iron::session {

struct SessionSettings {
    std::string server_name = "iron3d-server";
    std::string mission_key;             ///< logical path
    Hash256 fingerprint{};
    Bytes content_list;                  ///< the manifest whose SHA-256 is the fingerprint
    Hash256 rules{};
    Bytes rules_text;                    ///< what RulesRequest is answered with
    std::uint64_t match_id = 0;
    std::uint64_t match_seed = 0;
    std::uint32_t step_ms = 20;
    std::string password;                ///< empty = none
    std::vector<std::uint8_t> clans;     ///< clan indices players may take, ascending
    std::size_t max_spectators = 16;
    std::size_t start_with = 1;          ///< the match starts when so many players have entered
    bool limited_pauses = false;         ///< versus rules (DD-NET-05)
    SessionLimits limits;
};

/// A line for the logs: what, who, detail. No addresses, no raw payloads (net-messages.md 11).
struct SessionNote {
    enum class Level : std::uint8_t { debug, info, warning } level = Level::info;
    std::string event;
    PlayerNumber player = world::kNoPlayer;
    std::string detail;
};

class Session {
public:
    Session(SessionSettings settings, Match& match, Outbox& out);

    // ---- from the transport
    void connected(ConnectionId connection, std::uint64_t now_ms);
    void received(ConnectionId connection, Channel channel, ByteView packet, std::uint64_t now_ms);
    /// Gone without a Goodbye: the player is lost and may return within the grace.
    void closed(ConnectionId connection, std::uint64_t now_ms);
    /// Too fast or too large: refused like any protocol error.
    void misused(ConnectionId connection, std::uint64_t now_ms);

    // ---- from the server loop
    /// The match has started and ticks may happen.
    bool started() const { return started_; }
    /// Everything reliable of the tick just stepped.
    void publish(const StepResult& step);
    /// Mirrors of the present tick for players who entered since the last call; the state sender
    /// may serve a peer from then on.
    void serve_newcomers();
    /// Deadlines: handshakes, lagging, grace, pauses; status lines.
    void maintain(std::uint64_t now_ms);
    /// Goodbye to everybody; the caller flushes the transport.
    void shut_down(protocol::GoodbyeReason reason, std::string_view text);

    /// Ends a player administratively (KillPlayer: no grace).
    bool remove_player(PlayerNumber number, std::string_view text, std::uint64_t now_ms);
    /// A line of the server to everybody.
    void announce(std::string_view text);

    const PlayerRegistry& players() const { return players_; }
    /// Connections by id; the state sender reads feed and viewer of those in phase `entered`.
    std::map<ConnectionId, Peer>& peers() { return peers_; }
    const SessionSettings& settings() const { return settings_; }
    /// Called for every note; may be empty.
    std::function<void(const SessionNote&)> on_note;

private:
    void dispatch(Peer& peer, const protocol::Message& message, std::uint64_t now_ms);
    void on_hello(Peer& peer, const protocol::Hello& hello, std::uint64_t now_ms);
    void on_player_data(Peer& peer, const protocol::PlayerData& data, std::uint64_t now_ms);
    void on_command_batch(Peer& peer, const protocol::CommandBatch& batch, std::uint64_t now_ms);
    void on_pause_request(Peer& peer, bool pause, std::uint64_t now_ms);
    void on_text(Peer& peer, const protocol::Text& text, std::uint64_t now_ms);
    void on_rules_request(Peer& peer, const protocol::RulesRequest& request);
    void on_client_state(Peer& peer, const protocol::ClientState& state);
    void on_resync_wish(Peer& peer, std::string_view why, std::uint64_t now_ms);

    /// Checks the sequence number of a reliable packet. Error `sequence_gap`.
    static Status check_sequence(Peer& peer, const protocol::Message& message, Channel channel);

    void refuse(Peer& peer, protocol::RejectCode code, std::string_view text, std::uint64_t now_ms);
    void protocol_error(Peer& peer, const Error& error, std::uint64_t now_ms);
    void say_goodbye(Peer& peer, protocol::GoodbyeReason reason, std::string_view text,
                     std::uint64_t now_ms);
    /// The connection of an entered player broke: he keeps his place for the grace.
    void lose_player(Peer& peer, std::uint64_t now_ms);
    /// The player is out for good: registry, world, message to the others.
    void drop_player(PlayerNumber number, protocol::RemovalReason reason);
    void set_state(Player& player, protocol::PlayerState state);
    void start_if_ready();
    void apply_pause(bool pause, PlayerNumber player);
    void send_game_started(Peer& peer);
    void send_joined(Peer& to, const Player& player);
    void send_pause_state(Peer& to, bool pause, PlayerNumber player, world::Tick effective);
    void send_time(Peer& to);
    void send_blob(Peer& to, ByteView bytes);
    void send_lobby(Peer& to);
    void lobby_changed();
    void send_text(Peer& to, PlayerNumber from, PlayerNumber addressee, std::string_view text,
                   protocol::TextCategory category);
    void send_status(const Player& about);
    void send_status_to(Peer& to, const Player& about);
    /// Calls `send(peer)` for every peer that takes part in the match.
    template <class Send>
    void to_everybody(Send&& send) {
        for (auto& [connection, peer] : peers_)
            if (peer.phase == PeerPhase::entered) send(peer);
    }
    void note(SessionNote::Level level, std::string_view event, PlayerNumber player,
              std::string_view detail);

    SessionSettings settings_;
    Match& match_;
    Outbox& out_;
    PlayerRegistry players_;
    PauseRights pause_;
    EventFeed feed_;
    std::map<ConnectionId, Peer> peers_;
    std::map<PlayerNumber, std::uint64_t> lost_since_ms_;
    bool started_ = false;
    bool closing_ = false;
    world::Tick start_tick_ = 0;
    std::uint32_t lobby_revision_ = 0;
    std::uint64_t next_status_ms_ = 0;
};

}  // namespace iron::session
