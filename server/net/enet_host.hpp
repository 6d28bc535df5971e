// The server's socket: one ENet link with everything that protects it. Packets that pass here have a
// legal size; nobody sends faster than the limits; nobody opens connections faster than allowed.
// Source: net-messages.md 7.1, 7.2 (limits), 10 (handshake rate).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "protocol/transport/enet_link.hpp"
#include "server/session/limits.hpp"
#include "server/session/outbox.hpp"
#include "server/session/rate_window.hpp"

namespace iron::net {

using session::ConnectionId;
using transport::Channel;

struct HostSettings {
    std::string address = "0.0.0.0";
    std::uint16_t port = 0;  ///< 0 = a free one
    std::size_t max_connections = 64;
    std::size_t max_connections_per_address = 64;
    std::uint32_t handshakes_per_second = 5;  ///< per address
    session::SessionLimits limits;
};

struct HostEvent {
    enum class Kind : std::uint8_t {
        connected,
        received,
        closed,  ///< by the other side, or silent for too long
        misused  ///< too fast or too large: the connection is to be ended
    };
    Kind kind = Kind::received;
    ConnectionId connection = 0;
    Channel channel = Channel::control;
    Bytes data;
};

struct HostCounters {
    std::uint64_t packets_in = 0, bytes_in = 0, packets_out = 0, bytes_out = 0;
    std::uint64_t handshakes_refused = 0, misuses = 0;
};

class EnetHost final : public session::Outbox {
public:
    /// Errors `port_in_use`, `bad_address`, `no_permission`, `connection_failed`.
    static Result<std::unique_ptr<EnetHost>> open(const HostSettings& settings);

    std::uint16_t port() const { return link_.port(); }

    /// One I/O step: waits at most `timeout_ms`, appends what arrived. `now_ms` is the platform clock.
    Status poll(std::uint32_t timeout_ms, std::uint64_t now_ms, std::vector<HostEvent>& out);
    void flush() { link_.flush(); }

    bool send(ConnectionId connection, Channel channel, ByteView packet) override;
    void close_gently(ConnectionId connection) override;
    void close_now(ConnectionId connection) override;
    std::uint32_t silent_ms(ConnectionId connection) const override;
    std::uint32_t round_trip_ms(ConnectionId connection) const override;

    std::size_t connection_count() const { return link_.open_count(); }
    /// For administrators only.
    std::string remote_address(ConnectionId connection) const { return link_.remote_address(connection); }
    const HostCounters& counters() const { return counters_; }

    /// For tests: asked for every datagram that arrives; true loses it.
    void lose_datagrams(std::function<bool()> filter) { lose_ = std::move(filter); }

private:
    struct Inbound {
        session::RateWindow messages, bytes;
    };

    EnetHost(transport::EnetLink link, const HostSettings& settings);
    bool admits_datagram(ByteView datagram, std::uint32_t ip);
    bool within_limits(const transport::LinkEvent& event, std::uint64_t now_ms);

    transport::EnetLink link_;
    HostSettings settings_;
    std::uint64_t now_ms_ = 0;
    std::map<std::uint32_t, session::RateWindow> handshakes_;  ///< by address
    std::map<ConnectionId, Inbound> inbound_;
    std::vector<transport::LinkEvent> events_;
    HostCounters counters_;
    std::function<bool()> lose_;
};

}  // namespace iron::net
