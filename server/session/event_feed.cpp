#include "server/session/event_feed.hpp"

#include <algorithm>

#include "server/session/interest.hpp"
#include "server/session/mirror_messages.hpp"

namespace iron::session {

namespace {

/// An enumeration value of the wire from a number of the world; `fallback` when it is none.
template <class Enum>
Enum wire_enum(std::uint8_t value, Enum fallback) {
    return value <= static_cast<std::uint8_t>(Enum::MAX) ? static_cast<Enum>(value) : fallback;
}

constexpr std::uint8_t kCauseGone = 8;  // ObjectKill cause: not there any more

bool is_order_event(world::EventKind kind) {
    return kind == world::EventKind::order_started || kind == world::EventKind::order_done ||
           kind == world::EventKind::order_failed || kind == world::EventKind::order_cancelled;
}

protocol::OrderEventKind order_event_kind(world::EventKind kind) {
    switch (kind) {
        case world::EventKind::order_done: return protocol::OrderEventKind::done;
        case world::EventKind::order_failed: return protocol::OrderEventKind::failed;
        case world::EventKind::order_cancelled: return protocol::OrderEventKind::cancelled;
        default: return protocol::OrderEventKind::started;
    }
}

}  // namespace

const world::ObjectView* find_object(const world::Snapshot& snapshot, world::ObjectId id) {
    const auto it = std::lower_bound(
        snapshot.objects.begin(), snapshot.objects.end(), id,
        [](const world::ObjectView& object, world::ObjectId wanted) { return object.id < wanted; });
    return it != snapshot.objects.end() && it->id == id ? &*it : nullptr;
}

void EventFeed::publish(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                        const std::vector<world::WorldEvent>& refused) {
    // A client that joins now has not seen what led to this state: it gets the state, not the story.
    if (peer.feed.started)
        for (const world::WorldEvent& event : snapshot.events) send_event(peer, viewer, snapshot, event);
    for (const world::WorldEvent& event : refused) send_event(peer, viewer, snapshot, event);
    follow_visibility(peer, viewer, snapshot);
    const bool first = !peer.feed.started;
    peer.feed.started = true;
    const bool hash_due = first || (snapshot.tick % limits_.view_hash_every == 0 &&
                                    snapshot.tick != peer.feed.last_end_tick);
    // The last tick before a pause is closed at once: the client sees that time stands.
    const bool stands = snapshot.paused && snapshot.tick != peer.feed.last_end_tick;
    if (hash_due || stands || peer.feed.messages_since_end != 0 ||
        snapshot.tick - peer.feed.last_end_tick >= limits_.tick_end_every)
        close_tick(peer, snapshot.tick, hash_due);
}

void EventFeed::answer(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                       const std::vector<world::WorldEvent>& results) {
    for (const world::WorldEvent& event : results) send_event(peer, viewer, snapshot, event);
    if (peer.feed.started && peer.feed.messages_since_end != 0) close_tick(peer, snapshot.tick, false);
}

void EventFeed::resync(Peer& peer, const Player& viewer, const world::Snapshot& snapshot) {
    const std::map<std::uint32_t, protocol::ViewMirror> known = peer.feed.model.mirrors;
    for (const auto& [id, mirror] : known) {
        const std::uint32_t object = id;
        write(out_, peer, Channel::events, snapshot.tick, [&](auto& b) {
            return protocol::CreateMirrorHide(b, object, protocol::HideMode::forget);
        });
        peer.feed.model.hide(id, false);
        peer.feed.mirrors.erase(id);
    }
    follow_visibility(peer, viewer, snapshot);
    close_tick(peer, snapshot.tick, true);
}

void EventFeed::send_event(Peer& peer, const Player& viewer, const world::Snapshot& snapshot,
                           const world::WorldEvent& event) {
    const world::Tick tick = snapshot.tick;
    const bool knows = peer.feed.mirrors.count(event.object.raw) != 0;
    if (event.kind == world::EventKind::created) {
        const world::ObjectView* object = find_object(snapshot, event.object);
        if (object != nullptr && !knows && visible_to(viewer, *object)) send_create(peer, *object, tick);
    } else if (event.kind == world::EventKind::killed) {
        if (knows) send_kill(peer, event.object, event.code, event.other, tick);
    } else if (event.kind == world::EventKind::owner_changed) {
        const world::ObjectView* object = find_object(snapshot, event.object);
        if (object == nullptr || !knows) return;
        write(out_, peer, Channel::events, tick, [&](auto& b) {
            return protocol::CreateObjectOwner(
                b, object->id.raw, object->owner, object->clan,
                wire_enum(event.code, protocol::OwnerReason::script));
        });
        peer.feed.model.change_owner(object->id.raw, object->owner, object->clan);
    } else if (event.kind == world::EventKind::command_result) {
        if (event.player != viewer.number) return;
        write(out_, peer, Channel::events, tick, [&](auto& b) {
            return protocol::CreateCommandResult(b, event.sequence,
                                                 wire_enum(event.code, protocol::ResultCode::refused),
                                                 event.taken, event.left_out, event.value);
        });
    } else if (is_order_event(event.kind)) {
        const world::ObjectView* object = find_object(snapshot, event.object);
        if (object == nullptr || !knows || !shares_secrets(viewer, object->clan)) return;
        write(out_, peer, Channel::events, tick, [&](auto& b) {
            return protocol::CreateOrderEvent(b, event.object.raw,
                                              wire_enum(event.order, protocol::OrderCode::stop),
                                              order_event_kind(event.kind),
                                              wire_enum(event.code, protocol::ResultCode::refused));
        });
    }
}

void EventFeed::send_create(Peer& peer, const world::ObjectView& object, world::Tick tick) {
    write(out_, peer, Channel::events, tick,
          [&](auto& b) { return write_mirror_create(b, object, tick); });
    peer.feed.model.create(object.id.raw, object.owner, object.clan, wire_prototype(object));
    ToldMirror told;
    told.created_tick = tick;
    told.first = peer.feed.ever.emplace(object.id.raw, true).second;
    told.start = quantised_start(object);
    peer.feed.mirrors[object.id.raw] = told;
}

void EventFeed::send_kill(Peer& peer, world::ObjectId id, std::uint8_t cause, world::ObjectId killer,
                          world::Tick tick) {
    // Whom the client does not know it is not told about (8.2).
    const bool killer_known = !killer.is_none() && peer.feed.mirrors.count(killer.raw) != 0;
    write(out_, peer, Channel::events, tick, [&](auto& b) {
        protocol::ObjectKillBuilder out(b);
        out.add_object(id.raw);
        out.add_cause(wire_enum(cause, protocol::KillCause::unknown));
        if (killer_known) out.add_killer(killer.raw);
        return out.Finish();
    });
    peer.feed.model.kill(id.raw);
    peer.feed.mirrors.erase(id.raw);
}

void EventFeed::follow_visibility(Peer& peer, const Player& viewer, const world::Snapshot& snapshot) {
    // Both lists ascend by id.
    auto known = peer.feed.mirrors.begin();
    auto object = snapshot.objects.begin();
    while (known != peer.feed.mirrors.end() || object != snapshot.objects.end()) {
        const bool only_known = object == snapshot.objects.end() ||
                                (known != peer.feed.mirrors.end() && known->first < object->id.raw);
        if (only_known) {
            const std::uint32_t id = known->first;
            ++known;  // before the entry goes
            send_kill(peer, {id}, kCauseGone, {}, snapshot.tick);
        } else if (known != peer.feed.mirrors.end() && known->first == object->id.raw) {
            ++known;
            ++object;
        } else {
            if (visible_to(viewer, *object)) send_create(peer, *object, snapshot.tick);
            ++object;
        }
    }
}

void EventFeed::close_tick(Peer& peer, world::Tick tick, bool with_hash) {
    const std::uint32_t count = peer.feed.messages_since_end;
    write(out_, peer, Channel::events, tick, [&](auto& b) {
        protocol::TickEndBuilder out(b);
        out.add_count(count);
        if (with_hash) out.add_view_hash(peer.feed.model.hash());
        return out.Finish();
    });
    peer.feed.messages_since_end = 0;
    peer.feed.last_end_tick = tick;
}

}  // namespace iron::session
