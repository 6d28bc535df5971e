// What a machine of a session can do on the network. The rules (peer.hpp) know no socket and no clock; tests give
// them a transport of their own, programs the one of socket_transport.hpp.
#pragma once

#include <cstdint>

#include "dpcompat/wire/basics.hpp"

namespace iron::dpcompat {

using ConnectionId = std::uint64_t;

class Transport {
public:
    virtual ~Transport() = default;
    /// Our listening ports, as other machines must see them.
    virtual std::uint16_t tcp_port() const = 0;
    virtual std::uint16_t udp_port() const = 0;
    /// Queues a whole block on the connection we opened to that listening port, opening it when there is none.
    virtual void send_tcp(const Endpoint& to, Bytes block) = 0;
    virtual void send_udp(const Endpoint& to, Bytes datagram) = 0;
    /// Closes our connection after what is queued was sent.
    virtual void close_to(const Endpoint& to) = 0;
    /// Closes a connection that somebody opened to us.
    virtual void drop(ConnectionId connection) = 0;
    /// Starts to listen for enumerations. Errors `port_in_use`.
    virtual Status open_enumeration() = 0;
};

/// What the network reports to a machine.
class TransportEvents {
public:
    virtual ~TransportEvents() = default;
    /// A whole block with SP header, already framed by its size.
    virtual void on_block(ConnectionId connection, Ipv4 from, ByteView block) = 0;
    /// A stream that broke the rules; it is closed by the transport.
    virtual void on_bad_stream(ConnectionId connection, Ipv4 from, const Error& error) = 0;
    virtual void on_closed(ConnectionId connection, Ipv4 from) = 0;
    virtual void on_datagram(const Endpoint& from, ByteView datagram) = 0;
    /// A datagram at the enumeration port.
    virtual void on_enumeration(const Endpoint& from, ByteView datagram) = 0;
    /// Our connection to that port could not be opened or broke.
    virtual void on_unreachable(const Endpoint& to) = 0;
    virtual void on_tick(std::uint64_t now_ms) = 0;
};

}  // namespace iron::dpcompat
