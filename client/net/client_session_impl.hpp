// Inside of ClientSession; include it only in client/net/client_session*.cpp.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <set>

#include "client/net/client_session.hpp"
#include "protocol/handshake.hpp"
#include "protocol/view_ring.hpp"
#include "protocol/transport/enet_link.hpp"

namespace iron::client::net {

using protocol::Channel;

/// Milliseconds of the monotonic clock.
std::uint64_t local_now_ms();

struct ClientSession::Impl {
    explicit Impl(ConnectSettings wanted, transport::EnetLink opened)
        : settings(std::move(wanted)), link(std::move(opened)) {}

    // ---- state
    ConnectSettings settings;
    Hash256 own_fingerprint{};
    transport::EnetLink link;
    transport::ConnectionId server = 0;
    SessionPhase phase = SessionPhase::connecting;
    std::optional<Error> ending;
    std::uint64_t started_ms = 0;
    bool closing = false;

    std::array<std::uint32_t, protocol::kChannelCount> sent{}, received{};

    std::string server_name, mission;
    std::uint16_t player = 0;
    std::uint64_t match_id = 0, public_seed = 0;
    Hash256 rules{}, server_fingerprint{};
    std::uint32_t step_ms = 20;
    std::uint16_t scale = 100;
    bool paused = false;
    std::uint64_t pause_tick = 0;  ///< effective tick of the last PauseState
    bool pause_wanted = false;     ///< what that PauseState said
    std::vector<PlayerInfo> players;
    std::uint16_t ping_ms = 0;

    // A refusal for other content waits for the server's list.
    std::optional<std::string> refused_text;
    std::uint64_t refused_ms = 0;
    Bytes blob;
    std::uint32_t blob_next = 0;

    MirrorStore store;
    std::map<std::uint32_t, protocol::MirrorStart> starts;  ///< of live mirrors
    std::vector<protocol::MirrorStart> live;                ///< the same, as the decoder wants it
    bool live_stale = false;
    std::deque<protocol::Message> waiting;  ///< events of ticks that are not complete
    std::uint64_t applied_tick = 0;
    bool mismatch_reported = false;

    protocol::ViewRing ring;
    std::uint64_t newest_state = 0;
    std::uint64_t known_tick = 0, known_tick_ms = 0;  ///< newest tick heard of and when
    bool ack_due = false;
    std::uint64_t last_ack_ms = 0, last_ping_ms = 0, last_stick_ms = 0;
    std::uint32_t ping_nonce = 0;

    std::uint32_t next_command = 1;
    std::map<std::uint32_t, CommandDraft> unanswered;
    std::vector<std::uint32_t> to_send;  ///< command numbers, in order
    std::deque<std::pair<std::uint32_t, StickState>> stick;  ///< newest first: client tick, state
    std::int32_t focus_x = 0, focus_y = 0;  ///< 1/256 wu
    std::uint16_t focus_radius = 0;
    std::vector<std::uint32_t> selection;

    std::vector<SessionEvent> events;
    SessionStats stats;
    std::function<bool()> lose_state;

    // ---- receiving (client_session_receive.cpp)
    void receive(const transport::LinkEvent& event);
    void receive_state(ByteView packet);
    void receive_message(const protocol::Message& message);
    void receive_control(const protocol::Message& message);
    void receive_rules_data(const protocol::RulesData& data);
    void close_tick(const protocol::Message& end);
    void apply(const protocol::Message& message);
    void apply_create(const protocol::MirrorCreate& create, std::uint64_t tick);
    void forget_start(std::uint32_t id);
    void compare_hash(std::uint64_t expected, std::uint64_t tick);
    void heard_of(std::uint64_t tick);
    void finish_refusal();
    PlayerInfo& player_info(std::uint16_t number);
    SessionEvent& note(SessionEventKind kind, std::uint64_t tick);

    // ---- sending (client_session_send.cpp)
    template <class Build>
    bool write(Channel channel, Build&& build);
    void send_hello();
    void send_player_data();
    void send_due(std::uint64_t now_ms);
    void send_commands();
    void send_acknowledgement();
    void send_stick();

    void end(std::string code, std::string message);
    void protocol_error(const Error& error);
};

template <class Build>
bool ClientSession::Impl::write(Channel channel, Build&& build) {
    flatbuffers::FlatBufferBuilder builder(256);
    const auto body = build(builder);
    protocol::Head head;
    head.sender = player;
    head.sequence = ++sent[static_cast<std::size_t>(channel)];
    head.tick = applied_tick;
    return link.send(server, channel, protocol::pack(builder, body, head, channel));
}

}  // namespace iron::client::net
