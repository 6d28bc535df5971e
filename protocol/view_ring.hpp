// The last 64 views of one connection, on the server (sent) and on the client (built) (net-messages.md 8.1).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "protocol/limits.hpp"
#include "protocol/state_stream.hpp"

namespace iron::protocol {

/// Views by ascending tick; the oldest is dropped when there are more than kViewRingSize.
class ViewRing {
public:
    /// Adds a view; one with the same tick is replaced. On the client views may come out of order.
    void push(View view);
    const View* find(std::uint64_t tick) const;
    std::size_t size() const { return views_.size(); }
    void clear();

    /// Server: ClientState.newest_tick of the peer; a tick that is not in the ring, or older than one already
    /// acknowledged, changes nothing.
    void acknowledge(std::uint64_t newest_tick);
    /// Server: newest acknowledged view still in the ring, nullptr = none (base 0).
    const View* base() const;

    /// Client: fields of the next ClientState; bit n of `received` = the packet n + 1 before the newest one.
    struct Acknowledgement {
        std::uint64_t newest_tick = 0;
        std::uint32_t received = 0;
    };
    Acknowledgement acknowledgement() const;

private:
    std::deque<View> views_;
    std::uint64_t acknowledged_tick_ = 0;
};

}  // namespace iron::protocol
