// Canonical encoding of the state (runtime.md 13). Integers little-endian, floats by their bits,
// optional values as one byte 0/1 before the value, lists as u32 count and elements.
#include "server/world/world_state.hpp"

namespace iron::world {

namespace {

void put(ByteWriter& w, Vec2 v) {
    w.f32(v.x);
    w.f32(v.y);
}
void put(ByteWriter& w, Vec3 v) {
    w.f32(v.x);
    w.f32(v.y);
    w.f32(v.z);
}
void put(ByteWriter& w, std::string_view text) {
    w.u32(static_cast<std::uint32_t>(text.size()));
    w.text(text);
}
void put(ByteWriter& w, bool v) { w.u8(v ? 1 : 0); }
void put(ByteWriter& w, ObjectId id) { w.u32(id.raw); }
void put(ByteWriter& w, const std::vector<std::uint32_t>& list) {
    w.u32(static_cast<std::uint32_t>(list.size()));
    for (std::uint32_t v : list) w.u32(v);
}

/// Handles are process-local: the id of the object stands for them.
ObjectId id_of(const WorldState& s, ObjectHandle h) {
    if (h.slot >= s.store.slot_count() || s.store.at(h.slot).generation != h.generation) return {};
    return s.store.at(h.slot).id;
}

void object_record(ByteWriter& w, const WorldState& s, std::uint32_t slot) {
    const ObjectRecord& r = s.store.at(slot);
    const control::Body& b = s.bodies[slot];
    const ObjectStatic& f = *s.fixed[slot];
    put(w, r.id);
    put(w, r.mirror);
    w.u16(r.authority);
    w.u8(r.clan);
    w.u64(r.registration);
    w.u8(r.logic_class);
    w.u8(static_cast<std::uint8_t>(r.life));
    put(w, r.initialised);
    w.u32(f.scheme_type);
    put(w, f.prototype_key);
    w.u32(static_cast<std::uint32_t>(f.parts.size()));
    for (const PartView& p : f.parts) {
        w.u32(p.tag);
        w.u32(p.parent_piece);
        put(w, p.archive);
        put(w, p.entry);
    }
    put(w, b.position);
    put(w, b.orientation);
    put(w, b.scale);
    put(w, b.velocity);
    w.f32(b.speed);
    w.f32(b.strafe);
    w.f32(b.turn_speed);
    put(w, id_of(s, r.parent));
    put(w, r.created_by_parent);
}

void property_record(ByteWriter& w, const WorldState& s, std::uint32_t slot) {
    put(w, s.id(slot));
    const auto& items = s.properties[slot].items();
    w.u32(static_cast<std::uint32_t>(items.size()));
    for (const PropertyView& p : items) {
        put(w, p.name);
        for (std::uint32_t word : p.words) w.u32(word);
    }
}

void control_record(ByteWriter& w, const WorldState& s, std::uint32_t slot) {
    const control::Body& b = s.bodies[slot];
    put(w, s.id(slot));
    w.u32(b.life);
    w.u32(b.life_max);
    put(w, b.pieces);
    put(w, b.pieces_max);
    w.u32(b.invulnerable);
    put(w, b.tilt_goal);
}

void order_record(ByteWriter& w, const behavior::OrderItem& o) {
    w.u8(static_cast<std::uint8_t>(o.order));
    put(w, o.started);
    put(w, o.yaw_given);
    put(w, o.target);
    put(w, o.point);
    put(w, o.offset);
    w.f32(o.yaw);
    w.f32(o.distance);
    w.f32(o.speed_cap);
    w.u32(static_cast<std::uint32_t>(o.points.size()));
    for (Vec2 p : o.points) put(w, p);
    w.u16(o.leg);
    put(w, o.backwards);
}

void route_key(ByteWriter& w, const navigation::RouteKey& k) {
    w.u32(k.goal);
    w.u32(k.revision);
    w.u16(k.mobility);
}

void brain_record(ByteWriter& w, const WorldState& s, std::uint32_t slot) {
    const behavior::Brain& b = s.brains[slot];
    put(w, s.id(slot));
    w.u8(static_cast<std::uint8_t>(b.state));
    w.u8(b.stance);
    w.u8(b.auto_retreat);
    put(w, b.holds);
    w.u32(static_cast<std::uint32_t>(b.orders.size()));
    for (const auto& o : b.orders) order_record(w, o);
    put(w, b.target);
    w.u32(b.areal);
    put(w, b.off_mesh);
    put(w, b.goal);
    route_key(w, b.route);
    w.u8(b.path.count);
    w.u8(b.path.index);
    put(w, b.path.reaches_goal);
    w.f32(b.path.tail);
    for (std::uint8_t i = 0; i < b.path.count; ++i) put(w, b.path.points[i]);
    put(w, b.returning);
    w.u64(b.last_plan);
    put(w, b.replan);
    put(w, b.heading);
    w.f32(b.want_speed);
    put(w, b.steered);
    w.u16(b.blocked_ticks);
    w.u8(b.way_class);
    w.u32(b.way_length);
    put(w, b.progress_place);
    w.u64(b.progress_since);
    w.u8(b.progress_fails);
    w.u8(b.stuck_tries);
    w.u64(b.stuck_until);
    w.u64(b.pass_until);
    w.u64(b.arrive_until);
    put(w, b.idle_place);
    w.u64(b.pushed_since);
    put(w, b.last_goal);
    put(w, b.has_last_goal);
    for (Tick t : b.diagnostic_tick) w.u64(t);
    w.u8(static_cast<std::uint8_t>(b.manual.move_x));
    w.u8(static_cast<std::uint8_t>(b.manual.move_y));
    w.u8(static_cast<std::uint8_t>(b.manual.turn));
    w.put(b.manual.aim_yaw);
    w.put(b.manual.aim_pitch);
    w.u32(b.manual.buttons);
    put(w, b.manual.target);
    w.u64(b.manual.since);
}

void ids_block(ByteWriter& w, const WorldState& s) {
    w.u64(s.queue->next_sequence());
    w.u64(s.store.next_registration());
    w.u32(s.next_shot);
    w.u64(s.next_session_sequence);
    w.u32(static_cast<std::uint32_t>(s.store.allocators().size()));
    for (const auto& [key, a] : s.store.allocators()) {
        w.u32(key);
        w.u32(a.next);
        w.u32(static_cast<std::uint32_t>(a.freed.size()));
        for (const auto& [index, from] : a.freed) {
            w.u32(index);
            w.u64(from);
        }
    }
}

void queue_block(ByteWriter& w, const WorldState& s) {
    const ObjectQueue& q = *s.queue;
    w.u32(static_cast<std::uint32_t>(q.commands().size()));
    for (const TargetedCommand& c : q.commands()) {
        w.u64(c.sequence);
        put(w, c.target.has_value());
        if (c.target) put(w, id_of(s, *c.target));
        w.u32(c.kind);
        for (std::uint32_t a : c.args) w.u32(a);
    }
    w.u32(static_cast<std::uint32_t>(q.messages().size()));
    for (const Message& m : q.messages()) {
        w.u32(static_cast<std::uint32_t>(m.id));
        put(w, id_of(s, m.target));
        for (std::uint32_t a : m.args) w.u32(a);
    }
    for (const auto* list : {&q.additions(), &q.owner_changes(), &q.deletions()}) {
        w.u32(static_cast<std::uint32_t>(list->size()));
        for (const auto& d : *list) {
            put(w, id_of(s, d.handle));
            w.u16(d.player);
            w.u8(d.clan);
            w.u8(d.reason);
        }
    }
}

void routes_block(ByteWriter& w, const WorldState& s) {
    w.u32(s.routes.revision());
    w.u32(static_cast<std::uint32_t>(s.routes.classes().size()));
    for (const auto& c : s.routes.classes()) {
        w.f32(c.min_normal_z);
        w.u16(c.radius_steps);
        put(w, c.flyer);
    }
    w.u32(static_cast<std::uint32_t>(s.routes.entries().size()));
    for (const auto& e : s.routes.entries()) {
        route_key(w, e.key);
        w.u64(e.last_use);
    }
    w.u32(static_cast<std::uint32_t>(s.routes.waiting().size()));
    for (const auto& k : s.routes.waiting()) route_key(w, k);
}

void match_block(ByteWriter& w, const WorldState& s) {
    w.u32(static_cast<std::uint32_t>(s.clans.size()));
    for (const ClanState& c : s.clans) {
        w.u8(static_cast<std::uint8_t>(c.mode));
        w.u16(c.player);
        put(w, c.joined);
        put(w, c.lost);
        put(w, c.ai_plays);
        put(w, c.eliminated);
        w.u32(c.score);
    }
    for (std::size_t a = 0; a < s.clans.size(); ++a)
        for (std::size_t b = a + 1; b < s.clans.size(); ++b) {
            const PairState& p = s.pairs[a * s.clans.size() + b];
            put(w, p.allied);
            w.u64(p.hostile_until);
        }
}

}  // namespace

Bytes encode_object(const WorldState& s, std::uint32_t slot, HashBlock block) {
    ByteWriter w;
    switch (block) {
        case HashBlock::objects: object_record(w, s, slot); break;
        case HashBlock::props: property_record(w, s, slot); break;
        case HashBlock::control: control_record(w, s, slot); break;
        case HashBlock::behavior: brain_record(w, s, slot); break;
        default: break;
    }
    return w.take();
}

StateBlocks encode_state(const WorldState& s) {
    std::array<ByteWriter, kHashBlockCount> w;
    const auto block = [&](HashBlock b) -> ByteWriter& { return w[static_cast<std::size_t>(b) - 1]; };
    ByteWriter& clock = block(HashBlock::clock);
    clock.u64(s.clock.tick);
    clock.u32(s.clock.step_ms);
    put(clock, s.clock.paused);
    ids_block(block(HashBlock::ids), s);
    for (HashBlock b : {HashBlock::objects, HashBlock::props, HashBlock::control, HashBlock::behavior})
        block(b).u32(static_cast<std::uint32_t>(s.by_id.size()));
    for (std::uint32_t slot : s.by_id) {
        object_record(block(HashBlock::objects), s, slot);
        property_record(block(HashBlock::props), s, slot);
        control_record(block(HashBlock::control), s, slot);
        brain_record(block(HashBlock::behavior), s, slot);
    }
    for (const Rng& r : s.rng) {
        block(HashBlock::rng).u64(r.state());
        block(HashBlock::rng).u64(r.increment());
        block(HashBlock::rng).u64(r.draws());
    }
    queue_block(block(HashBlock::queue), s);
    ByteWriter& contacts = block(HashBlock::contacts);
    contacts.u32(static_cast<std::uint32_t>(s.contacts.size()));
    for (const auto& [low, high] : s.contacts) {
        put(contacts, low);
        put(contacts, high);
    }
    routes_block(block(HashBlock::routes), s);
    match_block(block(HashBlock::match), s);
    StateBlocks out;
    for (std::size_t i = 0; i < kHashBlockCount; ++i) out[i] = w[i].take();
    return out;
}

}  // namespace iron::world
