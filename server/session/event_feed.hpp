// The reliable story of the world for one client: which mirrors exist, what happened to them, results of
// his commands, closed by TickEnd. Source: net-messages.md 4.3, 6 (end marker), 8, 8.2, 8.3.
#pragma once

#include <vector>

#include "server/session/limits.hpp"
#include "server/session/outbox.hpp"
#include "server/session/peer.hpp"
#include "server/session/player_registry.hpp"
#include "server/world/snapshot.hpp"

namespace iron::session {

class EventFeed {
public:
    EventFeed(Outbox& out, const SessionLimits& limits) : out_(out), limits_(limits) {}

    /// Events of the tick, then mirrors that became or are no longer visible, then TickEnd if
    /// anything was sent or it is due. The first call for a peer sends everything visible (late
    /// join). `refused`: results of commands that did not enter the tick.
    void publish(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                 const std::vector<world::WorldEvent>& refused);

    /// Results that no tick will carry (the match has not started): sent and closed at once.
    void answer(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                const std::vector<world::WorldEvent>& results);

    /// All mirrors are forgotten and told again (a client whose view hash differs).
    void resync(Peer& peer, const Player& viewer, const world::Snapshot& snapshot);

private:
    void send_event(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                    const world::WorldEvent& event);
    void send_create(Peer& peer, const world::ObjectView& object, world::Tick tick);
    void send_kill(Peer& peer, world::ObjectId id, std::uint8_t cause, world::ObjectId killer,
                   world::Tick tick);
    void follow_visibility(Peer& peer, const Player& viewer, const world::Snapshot& snapshot);
    void close_tick(Peer& peer, world::Tick tick, bool with_hash);

    Outbox& out_;
    SessionLimits limits_;
};

/// Object of that id in the snapshot, or null.
const world::ObjectView* find_object(const world::Snapshot& snapshot, world::ObjectId id);

}  // namespace iron::session
