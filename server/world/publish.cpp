#include "server/world/world_state.hpp"

namespace iron::world {

namespace {

ObjectView view_of(const WorldState& s, std::uint32_t slot) {
    const ObjectRecord& r = s.store.at(slot);
    const control::Body& b = s.bodies[slot];
    const behavior::Brain& brain = s.brains[slot];
    ObjectView v;
    v.id = r.id;
    v.registration = r.registration;
    v.owner = r.authority;
    v.clan = r.clan;
    v.position = b.position;
    v.orientation = b.orientation;
    v.velocity = b.velocity;
    v.yaw = b.orientation.z;
    v.life = b.life;
    v.life_max = b.life_max;
    v.behaviour_state = static_cast<std::uint8_t>(brain.state);
    v.energy = 63;
    v.stance = brain.stance;
    v.target = brain.target;
    v.on_terrain = b.mobile && !b.flyer;
    if (brain.state == behavior::State::manual) v.flags |= kManual;
    if (brain.pass_until > s.clock.tick) v.flags |= kPassThrough;
    if (brain.holds) v.flags |= kHoldsPosition;
    if (brain.has_order()) {
        v.order = static_cast<std::uint8_t>(brain.orders.front().order);
        v.order_point = brain.goal;
        v.target = brain.orders.front().target;
    }
    v.fixed = s.fixed[slot];
    return v;
}

}  // namespace

SnapshotPtr publish(const WorldState& s) {
    auto out = std::make_shared<Snapshot>();
    out->tick = s.clock.tick;
    out->step_ms = s.clock.step_ms;
    out->paused = s.clock.paused;
    out->objects.reserve(s.by_id.size());
    for (std::uint32_t slot : s.by_id) out->objects.push_back(view_of(s, slot));
    out->clans.reserve(s.clans.size());
    for (const ClanState& c : s.clans)
        out->clans.push_back({c.name, static_cast<std::uint8_t>(c.mode), c.anchor, c.player, c.eliminated, c.score});
    out->events = s.events;
    return out;
}

}  // namespace iron::world
