// Stands between an original client and an original host and records: every message passes on byte for byte, but
// for the addresses and ports by which the two would find each other. Source: directplay.md 15.1, 15.3.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dpcompat/bridge/recorder.hpp"
#include "dpcompat/bridge/settings.hpp"
#include "dpcompat/session/net_context.hpp"

namespace iron::dpcompat {

struct RelayCounters {
    std::uint64_t enumerations = 0, blocks = 0, datagrams = 0, rewritten = 0, unreadable = 0, refused = 0, opaque = 0, opaque_bytes = 0;
};

/// One client and one host. Several clients of one match each need a relay of their own.
class Relay {
public:
    /// Binds: the enumeration port and a TCP and UDP port towards the client, a TCP and UDP port towards the host.
    /// Errors: those of the sockets and the log.
    static Result<std::unique_ptr<Relay>> open(NetContext& net, const BridgeSettings& settings);
    ~Relay();
    Status stop();

    std::uint16_t enum_port() const;
    std::uint16_t client_side_tcp() const;
    std::uint16_t host_side_tcp() const;
    const RelayCounters& counters() const;
    std::string status_json() const;
    std::function<void(const std::string& level, const std::string& text)> on_log;

private:
    struct Impl;
    explicit Relay(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

}  // namespace iron::dpcompat
