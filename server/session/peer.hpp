// One connection as the session sees it, and the packets written to it.
// Source: net-messages.md 7.2 (Envelope), 7.3 (order of the handshake).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "protocol/envelope.hpp"
#include "protocol/state_stream.hpp"
#include "protocol/view_hash.hpp"
#include "server/session/command_gate.hpp"
#include "server/session/limits.hpp"
#include "server/session/native_numbers.hpp"
#include "server/session/outbox.hpp"
#include "server/session/player_registry.hpp"
#include "server/session/rate_window.hpp"

namespace iron::session {

/// A mirror as this client got it: the start values of its state stream.
struct ToldMirror {
    std::uint64_t created_tick = 0;  ///< of its newest MirrorCreate
    bool first = true;               ///< the id was never told before
    protocol::QuantisedState start;  ///< what the client derives from it
};

/// What one client was told on the events channel.
struct ClientFeed {
    protocol::ViewModel model;
    std::map<std::uint32_t, ToldMirror> mirrors;   ///< live ones, by id
    std::map<std::uint32_t, bool> ever;            ///< ids ever told
    std::uint32_t messages_since_end = 0;          ///< channel 1 messages since the last TickEnd
    std::uint64_t last_end_tick = 0;
    bool started = false;                          ///< the first burst was sent
};

/// Where the player looks and what has arrived (ClientState).
struct ViewerState {
    std::uint64_t newest_tick = 0;
    std::uint32_t received = 0;
    float focus_x = 0, focus_y = 0, focus_radius = 0;  ///< wu
    bool known = false;
};

enum class PeerPhase : std::uint8_t {
    fresh,    ///< transport open, no Hello yet
    refused,  ///< Reject sent; may still ask for the content list
    welcomed, ///< Welcome sent, PlayerData awaited
    entered,  ///< part of the match
    closing   ///< Goodbye sent or received; everything from there is ignored
};

struct Peer {
    Peer(ConnectionId id, std::uint64_t now_ms, const SessionLimits& limits)
        : connection(id),
          since_ms(now_ms),
          texts(limits.texts_per_window, 1000),
          resyncs(limits.resyncs_per_window, 10'000) {}

    ConnectionId connection;
    std::uint64_t since_ms;  ///< when the present phase began
    PeerPhase phase = PeerPhase::fresh;
    PlayerNumber player = world::kNoPlayer;
    std::uint16_t minor = 0;  ///< the client's protocol minor
    std::array<std::uint32_t, protocol::kChannelCount> sent{}, received{};  ///< sequence numbers
    RateWindow texts, resyncs;
    bool rules_sent = false, content_list_sent = false;  ///< each is given once
    CommandGate gate;
    ClientFeed feed;
    ViewerState viewer;
};

/// Writes one message: `build(builder)` returns the offset of the table. False if the packet could
/// not be queued.
template <class Build>
bool write(Outbox& out, Peer& peer, Channel channel, world::Tick tick, Build&& build) {
    flatbuffers::FlatBufferBuilder builder(256);
    const auto body = build(builder);
    using Table = typename std::remove_const_t<decltype(body)>;
    return [&]<class T>(flatbuffers::Offset<T> table) {
        protocol::Head head;
        head.sequence = ++peer.sent[static_cast<std::size_t>(channel)];
        head.tick = tick;
        head.native = native_number(protocol::BodyTraits<T>::enum_value);
        if (channel == Channel::events) ++peer.feed.messages_since_end;
        return out.send(peer.connection, channel, protocol::pack(builder, table, head, channel));
    }(static_cast<Table>(body));
}

}  // namespace iron::session
