// The single simulation thread of a server process: poll the network, run what is due, send, sleep until
// the next step (runtime.md 7.1, DD-RT-05). Sleeping is waiting for a packet, on the monotonic clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "server/net/enet_host.hpp"
#include "server/net/match_room.hpp"

namespace iron::net {

/// Milliseconds of the monotonic clock; only for scheduling, timeouts and logs.
std::uint64_t platform_now_ms();

class ServerLoop {
public:
    explicit ServerLoop(EnetHost& host) : host_(host) {}

    /// Adds a match; the loop does not own it.
    void add(MatchRoom& room) { rooms_.push_back(&room); }

    /// One I/O step: what arrived goes to its room.
    Status receive(std::uint64_t now_ms, std::uint32_t wait_ms);
    /// Every room does what is due; then everything queued is sent.
    Status simulate(std::uint64_t now_ms);

    /// Runs until `stop` is set or every room is finished. `each_second` may be empty.
    Status run(const std::atomic<bool>& stop, const std::function<void(std::uint64_t now_ms)>& each_second);
    /// Goodbye to all players, delivered if the network allows it within `limit_ms`; ends the logs.
    Status close(protocol::GoodbyeReason reason, std::string_view text, std::uint32_t limit_ms = 1000);

private:
    /// The room a connection belongs to. With one room it is that one; a lobby decides otherwise.
    MatchRoom* room_of(session::ConnectionId connection);

    EnetHost& host_;
    std::vector<MatchRoom*> rooms_;
    std::vector<HostEvent> events_;
};

}  // namespace iron::net
