#include "server/net/snapshot_sender.hpp"

#include <cmath>
#include <vector>

#include "protocol/envelope.hpp"
#include "server/session/event_feed.hpp"
#include "server/session/mirror_messages.hpp"

namespace iron::net {

namespace {

constexpr float kTeleportWu = 20.0f;  // farther than anything drives in one tick: not interpolated

/// Larger for what is near the middle of the screen.
std::uint32_t relevance(float distance_wu) {
    return distance_wu < 50.0f ? 4u : distance_wu < 100.0f ? 3u : distance_wu < 300.0f ? 2u : 1u;
}

}  // namespace

bool SnapshotSender::over_rate(Rate& rate, world::Tick tick) const {
    const std::uint64_t second = std::max<std::uint64_t>(1, 1000 / step_ms_);
    if (tick - rate.window_start >= second) {
        rate.last_bytes = rate.bytes;
        rate.bytes = 0;
        rate.window_start = tick;
    }
    return rate.last_bytes > settings_.bytes_per_s || rate.bytes > settings_.bytes_per_s;
}

void SnapshotSender::follow_jumps(const world::Snapshot& snapshot) {
    std::map<std::uint32_t, Place> places;
    for (const world::ObjectView& object : snapshot.objects) {
        Place place{object.position, 0};
        if (const auto it = places_.find(object.id.raw); it != places_.end()) {
            const float moved = length(object.position - it->second.at);
            place.jumped = moved > kTeleportWu ? snapshot.tick : it->second.jumped;
        }
        places.emplace_hint(places.end(), object.id.raw, place);
    }
    places_ = std::move(places);
}

void SnapshotSender::send(session::Session& session, const session::Match& match,
                          const world::Snapshot& snapshot) {
    follow_jumps(snapshot);
    for (auto it = clients_.begin(); it != clients_.end();)
        it = session.peers().count(it->first) == 0 ? clients_.erase(it) : std::next(it);
    for (auto& [connection, peer] : session.peers()) {
        if (peer.phase != session::PeerPhase::entered || !peer.feed.started) continue;
        const session::Player* viewer = session.players().find(peer.player);
        if (viewer != nullptr) send_to(peer, *viewer, clients_[connection], match, snapshot);
    }
}

void SnapshotSender::send_to(session::Peer& peer, const session::Player& viewer, Client& client,
                             const session::Match& match, const world::Snapshot& snapshot) {
    if (snapshot.tick == client.last_tick) return;  // paused: nothing moved
    const bool far_due = snapshot.tick % settings_.far_every_ticks == 0;
    const bool near_due =
        snapshot.tick % settings_.near_every_ticks == 0 && !over_rate(client.rate, snapshot.tick);
    if (!far_due && !near_due) return;

    if (peer.viewer.newest_tick != 0)
        client.ring.acknowledge(peer.viewer.newest_tick);
    const protocol::View* base = client.ring.base();

    // Both lists ascend by id; only what the client was told of exists for it.
    std::vector<protocol::StateSource> sources;
    sources.reserve(peer.feed.mirrors.size());
    for (const auto& [id, told] : peer.feed.mirrors) {
        const world::ObjectView* object = session::find_object(snapshot, {id});
        if (object == nullptr) continue;
        protocol::StateSource source;
        source.id = id;
        source.incarnation = told.created_tick;
        source.first_incarnation = told.first;
        source.on_terrain = object->on_terrain;
        source.own_driven = (object->flags & world::kManual) != 0 && object->owner == viewer.number;
        source.start = told.start;
        source.now = session::quantised_now(*object);
        // Said again until a view that contains the jump is acknowledged.
        const world::Tick jump = places_[id].jumped;
        source.teleported = jump != 0 && (base == nullptr || base->tick < jump);
        const float dx = object->position.x - peer.viewer.focus_x;
        const float dy = object->position.y - peer.viewer.focus_y;
        const float distance = peer.viewer.known ? std::sqrt(dx * dx + dy * dy) : 0.0f;
        source.relevance = relevance(distance);
        source.due = far_due || source.own_driven ||
                     distance <= std::max(settings_.near_wu, peer.viewer.focus_radius);
        sources.push_back(source);
    }

    protocol::EncodeOptions options;
    options.tick = snapshot.tick;
    options.sequence = ++client.sequence;
    options.step_ms = step_ms_;
    options.budget_bytes = settings_.budget_bytes;
    protocol::EncodedState encoded = protocol::encode_state(base, sources, options);
    const protocol::StateHeader header(options.sequence, match.applied_input(viewer.number), snapshot.tick,
                                       base == nullptr ? 0 : base->tick);
    const Bytes packet = protocol::pack_state(header, encoded.data);
    client.ring.push(std::move(encoded.view));
    client.last_tick = snapshot.tick;
    client.rate.bytes += packet.size();
    ++counters_.packets;
    counters_.bytes += packet.size();
    counters_.entries += encoded.sent;
    counters_.waiting += encoded.waiting;
    out_.send(peer.connection, session::Channel::state, packet);
}

const protocol::View* SnapshotSender::sent_view(session::ConnectionId connection, world::Tick tick) const {
    const auto it = clients_.find(connection);
    return it == clients_.end() ? nullptr : it->second.ring.find(tick);
}

}  // namespace iron::net
