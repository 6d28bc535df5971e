// Seats and the match they share; internal to bridge/.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "dpcompat/bridge/bridge.hpp"
#include "dpcompat/bridge/translator.hpp"
#include "dpcompat/session/enumeration.hpp"
#include "dpcompat/session/peer.hpp"
#include "dpcompat/session/socket_transport.hpp"

namespace iron::dpcompat {

/// One session towards one original.
struct Seat {
    std::uint32_t number = 0;
    std::unique_ptr<SocketTransport> transport;
    std::unique_ptr<SessionPeer> peer;
    bool taken() const { return !peer->directory().machines().empty(); }
};

struct MatchPlayer {
    DpId id = 0;
    std::uint32_t seat = 0;      ///< of an original; 0 = the bridge's own or the server's
    std::uint16_t number = 0;    ///< of a player of the server
    Text16 short_name, long_name;
    Bytes data;
};
struct MatchGroup {
    DpId id = 0;
    std::uint32_t seat = 0;
    Text16 name;
    Members members;
};

struct BridgeCounters {
    std::uint64_t payloads = 0, payload_bytes = 0, carried = 0, for_bridge = 0, undeliverable = 0;
    std::uint64_t unknown_commands = 0, chat = 0;
    std::map<std::uint16_t, std::uint64_t> unknown_by_command;
};

struct Bridge::Impl {
    Impl(NetContext& n, BridgeSettings s) : net(n), settings(std::move(s)) {}

    NetContext& net;
    BridgeSettings settings;
    Bridge* owner = nullptr;
    std::uint64_t started_ms = 0;
    std::shared_ptr<SlotTable> slots;
    DpId system_id = 0, host_player = 0;
    std::unique_ptr<EnumerationSocket> enumeration;
    EnumerationGate gate{{}};
    std::vector<std::unique_ptr<Seat>> seats;
    std::uint32_t next_seat = 1;
    std::map<DpId, MatchPlayer> players;
    std::map<DpId, MatchGroup> groups;
    std::unique_ptr<Translator> translator;
    NetZipProfile profile;
    NativeRecorder recorder;
    BridgeCounters counters;
    std::map<std::string, std::uint64_t> rejected_requests;
    std::map<std::uint16_t, std::uint64_t> past_received, past_sent;  ///< of seats that are gone
    std::map<std::string, std::uint64_t> past_rejected;
    bool stopping = false;
    std::shared_ptr<bool> pump_due = std::make_shared<bool>(false);  ///< dies with the bridge
    std::uint16_t last_tcp = 0, last_udp = 0;

    // bridge.cpp
    HostedSession session() const;
    Status open_seat();
    void ensure_seat();
    void close_empty_seats();
    Seat* seat_of(std::uint32_t number);
    void on_enumeration(const Endpoint& from, ByteView datagram);
    void pump_soon();
    void log(const std::string& level, const std::string& text) const;

    // bridge_events.cpp
    void event(Seat& seat, const PeerEvent& e);
    void add_player(MatchPlayer player);
    void remove_player(DpId id);
    void payload(Seat& seat, const PeerEvent& e);
    void connect_translator();

    // bridge_status.cpp
    std::string status() const;
};

}  // namespace iron::dpcompat
