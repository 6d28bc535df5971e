// The bridge between original clients: one DirectPlay session towards each of them, in which everybody else is a
// player of the bridge. Source: directplay.md 15.2, 15.3, 16.5.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dpcompat/bridge/recorder.hpp"
#include "dpcompat/bridge/settings.hpp"
#include "dpcompat/session/net_context.hpp"

namespace iron::dpcompat {

class Bridge {
public:
    /// Binds the ports and waits for the first original. Errors: those of the sockets, profiles, maps and logs.
    static Result<std::unique_ptr<Bridge>> open(NetContext& net, BridgeSettings settings);
    ~Bridge();

    /// Handles what happened. Runs by itself when an original did something; the server's side needs regular calls.
    void pump();
    /// Leaves all sessions and closes the log. The farewells still need the context to run.
    Status stop();

    std::uint16_t enum_port() const;
    std::uint16_t tcp_port() const;  ///< of the session that waits for an original; 0 = none waits
    std::uint16_t udp_port() const;
    std::size_t originals() const;   ///< machines in a session
    std::size_t players() const;
    /// What is going on, what is proven, what stayed opaque.
    std::string status_json() const;
    /// One line for people: level ("info", "warn"), text.
    std::function<void(const std::string& level, const std::string& text)> on_log;

private:
    struct Impl;
    explicit Bridge(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::dpcompat
