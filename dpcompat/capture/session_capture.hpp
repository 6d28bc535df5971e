// DirectPlay sessions found in a capture: one record per message, who is who, what stays opaque.
// Source: directplay.md 2.2, 6.2, 15.4.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dpcompat/capture/packets.hpp"
#include "dpcompat/capture/tcp_stream.hpp"
#include "dpcompat/wire/messages.hpp"
#include "dpcompat/wire/reliable.hpp"

namespace iron::dpcompat {

/// A machine is its address and its listening TCP port.
using Machine = Endpoint;

enum class RecordKind : std::uint8_t {
    system,      ///< a `play` message with its SP header
    player,      ///< a guaranteed player message with its SP header
    bare,        ///< a non-guaranteed player message without header
    reliable,    ///< a frame of the reliable envelope
    unreadable,  ///< the header is right, the body is not; `error` says why
    noise        ///< bytes of a DirectPlay connection that no header explains; in `raw`
};
std::string_view record_kind_name(RecordKind kind);

/// A player message or a system message, as a record shows it.
using Content = std::variant<Message, PlayerMessage>;

struct CaptureRecord {
    std::uint64_t time_us = 0;
    Endpoint from, to;          ///< sockets, as in the packet
    bool udp = false;
    RecordKind kind = RecordKind::noise;
    std::uint32_t session = 0;  ///< number of the session, 0 = none
    std::uint32_t connection = 0;  ///< TCP direction this belongs to, from 1; 0 for UDP
    std::uint64_t lost_before = 0;  ///< bytes missing in the capture in front of it
    Bytes raw;                  ///< all records of a connection, put together, are the stream
    std::optional<Content> content;
    std::optional<ReliableFrame> frame;
    std::vector<Content> assembled;  ///< messages completed by this fragment or frame
    std::string error;          ///< stable code of an unreadable record

    const Message* message() const { return content ? std::get_if<Message>(&*content) : nullptr; }
    const PlayerMessage* player() const { return content ? std::get_if<PlayerMessage>(&*content) : nullptr; }
};

struct CapturedPlayer {
    DpId id = 0;
    DpId system_id = 0;
    bool system = false, group = false, host = false;
    bool left = false;
    Text16 short_name, long_name;
};

struct CapturedSession {
    std::uint32_t number = 0;  ///< from 1, in order of appearance
    Guid instance;             ///< zero while unknown
    Guid application;
    Text16 name;
    std::uint32_t key = 0, flags = 0, max_players = 0;
    std::array<std::uint32_t, 4> user{};
    Machine host;
    std::set<Machine> machines;
    std::map<DpId, CapturedPlayer> players;  ///< groups too
    std::map<Endpoint, Machine> udp_ports;   ///< announced UDP sockets
    std::uint64_t first_us = 0, last_us = 0;
    std::map<std::uint16_t, std::uint64_t> commands;  ///< system messages by command
    std::uint64_t records = 0, unreadable = 0, unknown_commands = 0;
    std::uint64_t guaranteed = 0, guaranteed_bytes = 0;  ///< opaque payloads over TCP
    std::uint64_t datagrams = 0, datagram_bytes = 0;     ///< opaque payloads over UDP
    bool has_flag(std::uint32_t flag) const { return (flags & flag) != 0; }
};

struct SessionCapture {
    std::vector<CaptureRecord> records;
    std::vector<CapturedSession> sessions;
    PacketStats packets;
    TcpStats tcp;
    bool torn = false;
    std::uint64_t foreign_udp = 0;      ///< datagrams that are not DirectPlay
    std::uint64_t foreign_streams = 0;  ///< TCP directions that are not DirectPlay
};

/// Reads a capture file and finds the sessions. Errors of read_capture().
Result<SessionCapture> analyse_capture(Bytes file);

}  // namespace iron::dpcompat
