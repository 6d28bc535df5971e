// One UDP socket with its peers: ENet behind a value that closes itself. The server host and the
// client session are built on it; nothing else in the project sees ENet.
// Source: net-messages.md 7.1 (channels), 7.2 (limits), 10 (reassembly).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/transport/channels.hpp"
#include "shared/base/bytes.hpp"

struct _ENetHost;
struct _ENetPeer;

namespace iron::transport {

/// Names a connection for the life of the link; never reused, 0 = none.
using ConnectionId = std::uint32_t;

struct LinkSettings {
    std::string address = "0.0.0.0";  ///< IPv4 address or host name to bind; servers only
    std::uint16_t port = 0;           ///< 0 = a free one, see EnetLink::port()
    std::size_t max_peers = 64;
    std::size_t max_peers_per_address = 64;
    std::uint32_t silence_limit_ms = 30'000;  ///< a silent peer is closed after this
    std::size_t max_waiting_bytes = protocol::kMaxReassemblyBytes;  ///< fragments and undelivered packets per peer
};

struct LinkEvent {
    enum class Kind : std::uint8_t { connected, received, closed };
    Kind kind = Kind::received;
    ConnectionId connection = 0;
    Channel channel = Channel::control;
    Bytes data;
};

/// The source of a datagram before any connection exists: IPv4 in network order, and port.
struct DatagramSource {
    std::uint32_t ip = 0;
    std::uint16_t port = 0;
};

class EnetLink {
public:
    /// Sees every received datagram before ENet does; false drops it unread.
    using DatagramFilter = std::function<bool(ByteView datagram, DatagramSource source)>;

    /// A socket that accepts peers. Errors `bad_address`, `port_in_use`, `no_permission`,
    /// `connection_failed`.
    static Result<EnetLink> listen(const LinkSettings& settings);
    /// A socket that only calls others.
    static Result<EnetLink> outgoing(const LinkSettings& settings = {});

    EnetLink(EnetLink&&) noexcept;
    EnetLink& operator=(EnetLink&&) noexcept;
    ~EnetLink();  ///< resets all peers without telling them

    /// The port really bound.
    std::uint16_t port() const;

    /// Starts a connection; `connected` or `closed` follows from poll(). Errors `bad_address`,
    /// `connection_failed`.
    Result<ConnectionId> connect(const std::string& address, std::uint16_t port);

    /// Sends what waits, waits at most `timeout_ms` for traffic, appends everything that arrived.
    /// Error `connection_failed` if the socket itself broke.
    Status poll(std::uint32_t timeout_ms, std::vector<LinkEvent>& out);

    /// Queues a packet; false if the connection is gone or the packet is too large. Reliability
    /// follows from the channel; unreliable packets are ordered, an older one never follows a newer.
    bool send(ConnectionId connection, Channel channel, ByteView data);
    /// Sends what is queued now, without receiving.
    void flush();

    /// Closes after everything queued was delivered. `closed` follows from poll().
    void close_gently(ConnectionId connection);
    /// Closes at once; no event follows.
    void close_now(ConnectionId connection);

    bool is_open(ConnectionId connection) const;
    std::size_t open_count() const;
    /// Mean round trip, ms; 0 if unknown.
    std::uint32_t round_trip_ms(ConnectionId connection) const;
    /// Time since the last datagram of the peer, ms.
    std::uint32_t silent_ms(ConnectionId connection) const;
    /// "127.0.0.1:4711"; for administrators only, never in info logs (net-messages.md 11).
    std::string remote_address(ConnectionId connection) const;

    void set_datagram_filter(DatagramFilter filter);

private:
    struct Impl;
    explicit EnetLink(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// True if the datagram opens a connection (it is addressed to no peer yet).
bool opens_connection(ByteView datagram);

}  // namespace iron::transport
