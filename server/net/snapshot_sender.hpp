// The state stream to one server's clients: per client a ring of 64 views, a packet when one is due,
// near objects more often than far ones, never more than the budget.
// Source: net-messages.md 8.1 (DD-NET-10, send policy).
#pragma once

#include <cstdint>
#include <map>

#include "protocol/view_ring.hpp"
#include "server/session/match.hpp"
#include "server/session/outbox.hpp"
#include "server/session/session.hpp"

namespace iron::net {

struct StateSettings {
    std::uint32_t near_every_ticks = 2;
    std::uint32_t far_every_ticks = 5;
    float near_wu = 100.0f;                   ///< around the focus of the viewer
    std::uint32_t bytes_per_s = 3000;         ///< above it everything goes out at the far rate
    std::size_t budget_bytes = protocol::kStateBudgetBytes;  ///< data bytes of one packet
};

struct StateCounters {
    std::uint64_t packets = 0, bytes = 0, entries = 0, waiting = 0;
};

class SnapshotSender {
public:
    SnapshotSender(session::Outbox& out, const StateSettings& settings, std::uint32_t step_ms)
        : out_(out), settings_(settings), step_ms_(step_ms) {}

    /// Sends to every client for whom a packet is due at the snapshot's tick.
    void send(session::Session& session, const session::Match& match, const world::Snapshot& snapshot);

    /// The view this client is believed to have at `tick`, or null; for tests.
    const protocol::View* sent_view(session::ConnectionId connection, world::Tick tick) const;
    const StateCounters& counters() const { return counters_; }

private:
    /// Bytes of the last second, by tick.
    struct Rate {
        std::uint64_t window_start = 0;
        std::uint64_t bytes = 0, last_bytes = 0;
    };
    struct Client {
        protocol::ViewRing ring;
        std::uint32_t sequence = 0;
        world::Tick last_tick = 0;
        Rate rate;
    };

    /// Where an object was at the last tick, and the tick of its last jump (0 = never).
    struct Place {
        Vec3 at;
        world::Tick jumped = 0;
    };

    void follow_jumps(const world::Snapshot& snapshot);
    void send_to(session::Peer& peer, const session::Player& viewer, Client& client,
                 const session::Match& match, const world::Snapshot& snapshot);
    bool over_rate(Rate& rate, world::Tick tick) const;

    session::Outbox& out_;
    StateSettings settings_;
    std::uint32_t step_ms_;
    std::map<session::ConnectionId, Client> clients_;
    std::map<std::uint32_t, Place> places_;
    StateCounters counters_;
};

}  // namespace iron::net
