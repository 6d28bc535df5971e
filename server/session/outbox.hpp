// The way out of the session layer: packets to connections. The server's ENet host is one; tests of
// the session layer collect packets in memory.
#pragma once

#include <cstdint>

#include "protocol/transport/channels.hpp"
#include "shared/base/bytes.hpp"

namespace iron::session {

using ConnectionId = std::uint32_t;  ///< never reused, 0 = none
using transport::Channel;

class Outbox {
public:
    virtual ~Outbox() = default;
    /// False if the connection is gone or the packet does not fit the channel.
    virtual bool send(ConnectionId connection, Channel channel, ByteView packet) = 0;
    /// Closes after everything queued was delivered.
    virtual void close_gently(ConnectionId connection) = 0;
    virtual void close_now(ConnectionId connection) = 0;
    /// ms since anything arrived from there.
    virtual std::uint32_t silent_ms(ConnectionId connection) const = 0;
    virtual std::uint32_t round_trip_ms(ConnectionId connection) const = 0;
};

}  // namespace iron::session
