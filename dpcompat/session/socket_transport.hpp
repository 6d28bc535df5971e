// A machine's real sockets: listening TCP port, UDP data port, enumeration port, and one outgoing connection a
// machine it talks to. Source: directplay.md 1, 13 (stream), 15.3.
#pragma once

#include <memory>
#include <string>

#include "dpcompat/session/net_context.hpp"
#include "dpcompat/session/transport.hpp"
#include "dpcompat/wire/sp_header.hpp"

namespace iron::dpcompat {

struct TransportSettings {
    std::string address = "0.0.0.0";  ///< to listen on
    std::uint16_t tcp_first = kTcpFirst, tcp_last = kTcpLast;  ///< first free port; 0 = any free one
    std::uint16_t udp_first = kUdpFirst, udp_last = kUdpLast;
    std::uint16_t enum_port = kEnumPort;
    bool enumeration = false;         ///< listen for enumerations from the start
    bool reuse_address = false;       ///< only when asked for: Windows knows no two owners of the port
    std::uint16_t advertised_udp_port = 0;  ///< what others are told, behind a mapping; 0 = the real one
    std::uint16_t advertised_tcp_port = 0;
    std::uint32_t connect_timeout_ms = 2'000, read_deadline_ms = 10'000;
    std::size_t max_connecting = 16, max_incoming = 256;
    std::size_t max_queued_bytes = 8 * 1024 * 1024;  ///< for one receiver that does not read
    HeaderPolicy policy;
};

class SocketTransport final : public Transport {
public:
    /// Binds everything. Errors `port_in_use` (names the port and who may have it), `bad_address`, `io_error`.
    static Result<std::unique_ptr<SocketTransport>> open(NetContext& net, TransportSettings settings);
    ~SocketTransport() override;

    /// Starts to deliver. `events` must live as long as the transport; ticks come ten times a second.
    void start(TransportEvents& events);

    std::uint16_t tcp_port() const override;
    std::uint16_t udp_port() const override;
    std::uint16_t enum_port() const;  ///< 0 when closed
    std::uint16_t bound_udp_port() const;  ///< the real one, whatever is advertised
    void send_tcp(const Endpoint& to, Bytes block) override;
    void send_udp(const Endpoint& to, Bytes datagram) override;
    void close_to(const Endpoint& to) override;
    void drop(ConnectionId connection) override;
    Status open_enumeration() override;
    /// Bytes and blocks that could not be sent because a receiver was too slow or too many connections were opening.
    std::uint64_t dropped() const;

    struct Impl;

private:
    explicit SocketTransport(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

/// An enumeration port shared by several sessions, as the original's helper process does it.
class EnumerationSocket {
public:
    /// Error `port_in_use`.
    static Result<std::unique_ptr<EnumerationSocket>> open(NetContext& net, const std::string& address, std::uint16_t port, bool reuse_address,
                                                           std::function<void(const Endpoint&, ByteView)> received);
    ~EnumerationSocket();
    std::uint16_t port() const;

private:
    struct Impl;
    explicit EnumerationSocket(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

}  // namespace iron::dpcompat
