// A client's connection to a server: handshake, reliable ticks, state stream, commands. Headless: no
// window, no sound, no thread; the owner calls pump() and reads. The client decides nothing, it
// shows what the server said (net-messages.md 4.2).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/net/mirror_store.hpp"
#include "protocol/envelope.hpp"
#include "protocol/version.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/hash.hpp"
#include "shared/mission/fingerprint.hpp"

namespace iron::client::net {

struct ConnectSettings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    std::string player_name = "player";             ///< UTF-8, 1..64 bytes
    std::optional<std::string> password;
    std::uint8_t clan_wish = 0xFF;                  ///< clan index, 0xFF = any
    std::uint8_t colour = 0;
    Bytes player_data;                              ///< opaque, <= 1 024 bytes
    protocol::Role role = protocol::Role::player;
    protocol::Profile profile = protocol::Profile::builtin;
    /// The client's own gameplay files; its fingerprint goes into Hello, and when the server has
    /// other content the first difference is named.
    mission::ContentManifest manifest;
    protocol::Version version = protocol::kVersion;
    std::uint32_t connect_timeout_ms = 8'000;       ///< until Welcome or Reject
};

enum class SessionPhase : std::uint8_t {
    connecting,  ///< transport being opened
    handshake,   ///< Hello sent
    lobby,       ///< Welcome received, the match has not started
    running,     ///< GameStarted received
    ended        ///< left, refused or lost: see ending()
};

struct PlayerInfo {
    std::uint16_t number = 0;
    std::string name;
    std::uint8_t clan = 0xFF;
    std::uint8_t colour = 0;
    bool host = false;
    protocol::PlayerState state = protocol::PlayerState::connected;
    std::uint16_t ping_ms = 0;
    Bytes data;  ///< the player's own opaque bytes
};

/// One order of the player, before it has a sequence number (net-messages.md 8.4).
struct CommandDraft {
    protocol::OrderCode order = protocol::OrderCode::stop;
    std::uint8_t flags = 0;                ///< 1 append, 2 front, 4 keep together, 8 single goal, 16 yaw
    std::vector<std::uint32_t> subjects;   ///< object ids, <= 128
    std::uint32_t target = protocol::kNoObject;
    std::int32_t at_x = 0, at_y = 0;       ///< 1/256 wu
    std::int16_t yaw = 0;                  ///< 32767 = pi
    std::uint32_t param = 0, amount = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> points;  ///< 1/256 wu, <= 16
    std::string key;
    Bytes data;
};

/// What is held on the stick of the driven object (net-messages.md 8, ManualInput).
struct StickState {
    std::uint32_t object = protocol::kNoObject;
    std::int8_t move_x = 0, move_y = 0, turn = 0;  ///< -127..127
    std::int16_t aim_yaw = 0, aim_pitch = 0;       ///< 32767 = pi
    std::uint32_t buttons = 0;
    std::uint32_t target = protocol::kNoObject;
};

enum class SessionEventKind : std::uint8_t {
    welcome, game_started, mirror_created, mirror_hidden, mirror_killed, owner_changed, order, result,
    player_joined, player_removed, player_status, pause_changed, time_changed, text, mission_outcome,
    view_mismatch, view_restored, goodbye
};

/// Something that happened, in order of arrival. Fields that do not apply keep their defaults.
struct SessionEvent {
    SessionEventKind kind = SessionEventKind::welcome;
    std::uint64_t tick = 0;
    std::uint32_t object = protocol::kNoObject;
    std::uint32_t other = protocol::kNoObject;  ///< killer
    std::uint16_t player = 0;
    std::uint32_t sequence = 0;  ///< command sequence of a result
    protocol::OrderCode order = protocol::OrderCode::stop;
    protocol::OrderEventKind order_event = protocol::OrderEventKind::started;
    protocol::ResultCode code = protocol::ResultCode::ok;
    std::uint8_t reason = 0;     ///< kill cause, owner reason, removal reason, goodbye reason
    std::uint8_t taken = 0, left_out = 0;
    std::uint32_t value = 0;
    std::string text;
};

/// Counters for the debug panel and the tests.
struct SessionStats {
    std::uint64_t ticks_applied = 0;
    std::uint64_t state_packets = 0, state_dropped = 0;  ///< dropped: base or mirror not known
    std::uint64_t state_bytes = 0;
    std::uint64_t hashes_compared = 0, hashes_different = 0;
    std::uint64_t skipped_messages = 0;  ///< union members this build does not know
    std::uint64_t tombstone_hits = 0;    ///< state entries of mirrors already removed
};

class ClientSession {
public:
    /// Opens a socket and starts to connect; the rest happens in pump(). Errors `bad_address`,
    /// `connection_failed`, `bad_setting`.
    static Result<ClientSession> start(ConnectSettings settings);
    ClientSession(ClientSession&&) noexcept;
    ClientSession& operator=(ClientSession&&) noexcept;
    ~ClientSession();

    /// Receives, applies complete ticks, sends what is due. Waits at most `wait_ms` for traffic.
    /// After an ending it does nothing.
    void pump(std::uint32_t wait_ms = 0);

    SessionPhase phase() const;
    /// Why the session ended: nothing while it lives or after leave(). Codes `rejected_version`,
    /// `rejected_fingerprint` (the message names the first difference), `rejected` (full, banned,
    /// password, name taken), `connection_failed`, `connection_lost`, `server_closed`,
    /// `protocol_error`, `kicked`.
    const std::optional<Error>& ending() const;

    // ---- who and what
    const std::string& server_name() const;      ///< empty before it is known
    std::uint16_t player_number() const;         ///< 0 before Welcome
    std::uint8_t clan() const;                   ///< own clan index, 0xFF before it is known
    const std::string& mission_key() const;      ///< logical path, valid from Welcome on
    const Hash256& rules_hash() const;
    std::uint64_t match_id() const;
    std::uint64_t public_seed() const;           ///< from GameStarted
    const std::vector<PlayerInfo>& players() const;  ///< ascending number
    bool paused() const;
    std::uint32_t step_ms() const;
    std::uint16_t scale_percent() const;
    std::uint16_t ping_ms() const;               ///< measured by Ping/Pong

    // ---- the world as told
    const MirrorStore& mirrors() const;
    std::uint64_t applied_tick() const;          ///< newest tick whose reliable messages are applied
    std::uint64_t newest_state_tick() const;     ///< newest decoded state packet
    /// Server tick expected now: newest known tick plus the time since it arrived, as a real number;
    /// stands still while paused.
    double estimated_tick() const;
    /// Events since the last call.
    std::vector<SessionEvent> take_events();
    const SessionStats& stats() const;

    // ---- what the player does
    /// Queues a command, returns its sequence number; sent by the next pump. 0 if the draft is
    /// outside the limits of the wire.
    std::uint32_t send(const CommandDraft& draft);
    /// Sends every command without a result again with its old number (after a reconnect).
    void resend_unanswered();
    std::size_t unanswered() const;
    /// Held input; sent with the last three samples until it is replaced. `object` none stops it.
    void set_stick(const StickState& stick);
    /// A line to all (0), allies (0xFFFF) or one player; text with control characters is not sent.
    void chat(std::string_view text, std::uint16_t to_player = 0);
    void request_pause(bool paused);
    /// Replaces the opaque player data, which everybody is told; nothing happens with more than 1 024 bytes.
    void set_player_data(Bytes data);
    /// Where the player looks, for the priority of state packets; wu.
    void set_focus(float x, float y, float radius);
    void set_selection(const std::vector<std::uint32_t>& objects);  ///< the first 32 count
    /// A prototype the client's content does not have (DD-NET-02); the mirror stays.
    void report_content_error(std::uint32_t object, std::string_view key);
    /// Says goodbye and ends; a later pump() delivers it.
    void leave();

    // ---- for tests
    /// Asked for every received state packet before it is decoded; true loses it.
    void lose_state_packets(std::function<bool()> filter);
    /// Asked for every datagram that arrives; true loses it.
    void lose_datagrams(std::function<bool()> filter);
    /// Sends raw bytes as a packet of a channel.
    void send_raw(std::uint8_t channel, ByteView bytes);

private:
    struct Impl;
    explicit ClientSession(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::client::net
