#include "server/world/world_state.hpp"

#include <algorithm>

#include "server/world/assemble.hpp"

namespace iron::world {

Relation WorldState::relation(std::uint8_t a, std::uint8_t b) const {
    if (a == b) return Relation::own;
    if (a >= clans.size() || b >= clans.size()) return Relation::neutral;
    const PairState& p = pairs[a * clans.size() + b];
    if (p.allied) return Relation::ally;
    const asset::ClanMode ma = clans[a].mode, mb = clans[b].mode;
    if (p.hostile_until > clock.tick) return Relation::hostile;
    if (ma == asset::ClanMode::environment || mb == asset::ClanMode::environment ||
        ma == asset::ClanMode::neutral || mb == asset::ClanMode::neutral)
        return Relation::neutral;
    return Relation::hostile;
}

std::uint32_t WorldState::find_active(ObjectId object) const {
    const std::uint32_t slot = store.slot_of(object);
    if (slot == kNoSlot || !is_active(slot) || bodies[slot].life == 0) return kNoSlot;
    return slot;
}

void WorldState::resize_slots() {
    const std::size_t n = store.slot_count();
    bodies.resize(n);
    brains.resize(n);
    properties.resize(n);
    fixed.resize(n);
    polygons.resize(n);
}

void WorldState::refresh_lists() {
    if (registry_changed) {
        by_id.clear();
        mobiles.clear();
        max_radius = 1;
        for (std::uint32_t slot : queue->order()) {
            by_id.push_back(slot);
            if (!bodies[slot].mobile) continue;
            mobiles.push_back(slot);
            max_radius = std::max(max_radius, bodies[slot].radius);
        }
        const auto by = [this](std::uint32_t a, std::uint32_t b) { return store.at(a).id < store.at(b).id; };
        std::sort(by_id.begin(), by_id.end(), by);
        mobiles_by_id = mobiles;
        std::sort(mobiles_by_id.begin(), mobiles_by_id.end(), by);
        registry_changed = false;
    }
    if (statics_changed) {
        rebuild_obstacles(*this);
        statics_changed = false;
    }
}

void WorldState::refresh_grid() {
    grid_positions.clear();
    for (std::uint32_t slot : mobiles_by_id)
        grid_positions.push_back({bodies[slot].position.x, bodies[slot].position.y});
    grid.rebuild(mobiles_by_id, grid_positions);
}

WorldEvent& WorldState::event(EventKind kind, std::uint32_t slot) {
    WorldEvent e;
    e.kind = kind;
    e.object = store.at(slot).id;
    e.player = store.at(slot).authority;
    events.push_back(std::move(e));
    return events.back();
}

}  // namespace iron::world
