#include "server/control/contacts.hpp"

#include <algorithm>
#include <bit>

#include "server/behavior/behavior.hpp"

namespace iron::control {

using behavior::Brain;
using behavior::State;
using world::ContactPair;
using world::WorldState;

namespace {

constexpr float kGatherMargin = 0.5f;  // wu: pairs that the passes may bring together
constexpr float kInside = 0.6f;        // of the squared contact distance: deep inside each other
constexpr world::Tick kApartTicks = 50;
constexpr float kTouchGap = 0.25f;     // wu: a contact lasts until the gap is wider

Vec2 place(const Body& b) { return {b.position.x, b.position.y}; }
void shift(Body& b, Vec2 d) {
    b.position.x += d.x;
    b.position.y += d.y;
    b.moved = true;
}

bool overlaps_vertically(const Body& a, const Body& b) {
    return a.position.z < b.position.z + b.height && b.position.z < a.position.z + a.height;
}

bool collides(const WorldState& s, std::uint32_t slot) { return s.is_active(slot) && s.bodies[slot].life != 0; }

/// Own and allied pairs come closer than the sum of their radii, and not at all while one passes through.
float contact_distance(const WorldState& s, std::uint32_t a, std::uint32_t b, bool friendly) {
    const float sum = s.bodies[a].radius + s.bodies[b].radius;
    return friendly ? s.rules.collision.soft * sum : sum;
}

/// Walks the mobiles by id and gathers higher ids nearby: pairs come out sorted.
void gather_pairs(WorldState& s) {
    s.contact_pairs.clear();
    std::vector<ContactPair>& near = s.contact_scratch;
    for (std::uint32_t slot : s.mobiles_by_id) {
        if (!collides(s, slot)) continue;
        const Body& body = s.bodies[slot];
        const bool passing = s.brains[slot].pass_until > s.clock.tick;
        near.clear();
        s.grid.near(place(body), body.radius + s.max_radius + kGatherMargin, [&](std::uint32_t other) {
            if (!(s.id(slot) < s.id(other)) || !collides(s, other)) return;
            const Body& o = s.bodies[other];
            const bool friendly = s.friendly(slot, other);
            if (friendly && (passing || s.brains[other].pass_until > s.clock.tick)) return;
            const Vec2 d = place(o) - place(body);
            const float reach = contact_distance(s, slot, other, friendly), d2 = dot(d, d);
            // Where pass-through ended inside another unit the two come apart first.
            const world::Tick passed = std::max(s.brains[slot].pass_until, s.brains[other].pass_until);
            if (friendly && d2 < kInside * reach * reach && passed != 0 && passed + kApartTicks > s.clock.tick) return;
            if (d2 >= (reach + kGatherMargin) * (reach + kGatherMargin) || !overlaps_vertically(body, o)) return;
            near.push_back({slot, other, reach, d2, friendly, false});
        });
        const auto by_id = [&](const ContactPair& a, const ContactPair& b) { return s.id(a.high) < s.id(b.high); };
        if (near.size() > s.rules.collision.max_pairs) {
            std::sort(near.begin(), near.end(), [&](const ContactPair& a, const ContactPair& b) {
                return a.d2 != b.d2 ? a.d2 < b.d2 : s.id(a.high) < s.id(b.high);
            });
            near.resize(s.rules.collision.max_pairs);
        }
        std::sort(near.begin(), near.end(), by_id);
        s.contact_pairs.insert(s.contact_pairs.end(), near.begin(), near.end());
    }
}

bool stands_fast(const WorldState& s, std::uint32_t slot) {
    const Brain& b = s.brains[slot];
    return b.holds || b.state == State::work || b.state == State::dock;
}

bool drives_into(const WorldState& s, std::uint32_t mover, Vec2 toward) {
    const Body& b = s.bodies[mover];
    return b.speed > 0 && dot(b.forward, toward) > s.rules.collision.aside_cos;
}

/// Moves the two bodies apart by `depth` along `normal` (from low to high).
void separate(WorldState& s, const ContactPair& p, Vec2 normal, float depth) {
    Body &a = s.bodies[p.low], &b = s.bodies[p.high];
    const bool fast_a = stands_fast(s, p.low), fast_b = stands_fast(s, p.high);
    if (fast_a != fast_b) {
        if (fast_a) shift(b, normal * depth);
        else shift(a, normal * -depth);
        return;
    }
    const bool hero_a = a.role == Role::hero, hero_b = b.role == Role::hero;
    if (hero_a != hero_b) {
        if (hero_a) shift(a, normal * -depth);
        else shift(b, normal * depth);
        return;
    }
    if (p.friendly && !fast_a) {
        const bool idle_a = s.brains[p.low].is_idle(), idle_b = s.brains[p.high].is_idle();
        if (idle_a != idle_b) {
            const Vec2 toward = idle_b ? normal : normal * -1.0f;  // from the mover to the idle one
            Body &mover = idle_b ? a : b, &idle = idle_b ? b : a;
            if (drives_into(s, idle_b ? p.low : p.high, toward)) {
                // The idle one steps aside to the side on which it stands; exactly ahead: to the right.
                const Vec2 right{mover.forward.y, -mover.forward.x};
                const Vec2 aside = dot(toward, right) >= -1e-4f ? right : right * -1.0f;
                const float along = s.rules.collision.aside_along * depth;
                shift(idle, aside * depth + toward * along);
                shift(mover, toward * -along);
                return;
            }
        }
        if (!idle_a && !idle_b) {
            const float first = s.rules.collision.share_first * depth;
            const bool a_first = behavior::goes_first(s, p.low, p.high);
            shift(a, normal * (a_first ? -first : first - depth));
            shift(b, normal * (a_first ? depth - first : first));
            return;
        }
    }
    const float wa = a.radius * a.radius, wb = b.radius * b.radius;
    const float share = wb / (wa + wb);  // the heavier one moves less
    shift(a, normal * (-depth * share));
    shift(b, normal * (depth * (1 - share)));
}

void pass_mobiles(WorldState& s) {
    for (ContactPair& p : s.contact_pairs) {
        const Vec2 d = place(s.bodies[p.high]) - place(s.bodies[p.low]);
        const float d2 = dot(d, d);
        const float inner = p.reach - s.rules.collision.eps;
        if (inner <= 0 || d2 >= inner * inner) continue;
        const float len = sqrt_f(d2);
        const Vec2 normal = len > 1e-6f ? d * (1.0f / len) : Vec2{1, 0};
        p.touched = true;
        separate(s, p, normal, p.reach - len);
    }
}

/// Pushes the moved units out of outlines; remembers which outline was touched.
void pass_statics(WorldState& s) {
    for (std::uint32_t slot : s.mobiles_by_id) {
        Body& b = s.bodies[slot];
        if (!b.moved || b.flyer || !collides(s, slot)) continue;
        s.obstacles.near(place(b), place(b), b.radius, s.scratch);
        for (std::uint32_t i : s.scratch) {
            const navigation::Outline& o = s.obstacles.all()[i];
            if (b.position.z >= o.z1 || b.position.z + b.height <= o.z0) continue;
            const navigation::Clearance c = s.obstacles.clearance(o, place(b));
            const float depth = b.radius - c.distance;
            if (depth <= s.rules.collision.eps) continue;
            shift(b, c.normal * depth);
            s.static_touches.push_back({slot, i});
        }
    }
}

bool inside_static(WorldState& s, const Body& b) {
    s.obstacles.near(place(b), place(b), b.radius, s.scratch);
    for (std::uint32_t i : s.scratch) {
        const navigation::Outline& o = s.obstacles.all()[i];
        if (b.position.z >= o.z1 || b.position.z + b.height <= o.z0) continue;
        // Depth beyond what three passes leave in a corner.
        if (b.radius - s.obstacles.clearance(o, place(b)).distance > 0.02f) return true;
    }
    return false;
}

void restore_stuck(WorldState& s) {
    for (std::uint32_t slot : s.mobiles_by_id) {
        Body& b = s.bodies[slot];
        if (!b.moved || b.flyer || !collides(s, slot) || !inside_static(s, b)) continue;
        // The previous place is valid by induction; a unit that was put inside an outline may walk out.
        Body before = b;
        before.position = b.previous;
        if (inside_static(s, before)) continue;
        b.position = b.previous;
        b.speed = 0;
        b.strafe = 0;
    }
}

void post_contact(WorldState& s, std::uint32_t slot, world::ObjectId other, Vec3 point, Vec2 normal, float speed) {
    world::Message m{world::MessageId::collision, s.store.handle_of(slot), {}};
    m.args = {other.raw, std::bit_cast<std::uint32_t>(point.x), std::bit_cast<std::uint32_t>(point.y),
              std::bit_cast<std::uint32_t>(point.z), std::bit_cast<std::uint32_t>(normal.x),
              std::bit_cast<std::uint32_t>(normal.y), std::bit_cast<std::uint32_t>(speed), 0};
    s.queue->post(m);
}

/// Which pairs touch now; the new ones are reported.
void update_contacts(WorldState& s) {
    using Pair = std::pair<world::ObjectId, world::ObjectId>;
    std::vector<Pair>& now = s.contacts_next;
    now.clear();
    const auto was = [&](const Pair& p) { return std::binary_search(s.contacts.begin(), s.contacts.end(), p); };
    for (const ContactPair& p : s.contact_pairs) {
        const Pair ids{s.id(p.low), s.id(p.high)};
        const bool old = was(ids);
        const Body &a = s.bodies[p.low], &b = s.bodies[p.high];
        if (!p.touched) {
            const float limit = p.reach + kTouchGap;
            const Vec2 d = place(b) - place(a);
            if (!old || dot(d, d) > limit * limit) continue;
        }
        now.push_back(ids);
        if (old) continue;
        const Vec2 d = place(b) - place(a);
        const float len = length(d);
        const Vec2 normal = len > 1e-6f ? d * (1.0f / len) : Vec2{1, 0};
        // Speeds before the correction of this tick.
        const Vec2 va = a.forward * a.speed, vb = b.forward * b.speed;
        const float speed = length(vb - va);
        const Vec2 point = place(a) + normal * a.radius;
        const Vec3 at{point.x, point.y, a.position.z};
        post_contact(s, p.low, ids.second, at, normal, speed);
        post_contact(s, p.high, ids.first, at, normal, speed);
    }
    std::sort(s.static_touches.begin(), s.static_touches.end());
    s.static_touches.erase(std::unique(s.static_touches.begin(), s.static_touches.end()), s.static_touches.end());
    const std::size_t mobile_pairs = now.size();
    for (const auto& [slot, outline] : s.static_touches) {
        const navigation::Outline& o = s.obstacles.all()[outline];
        const world::ObjectId id = s.id(slot);
        const Pair ids = id < o.id ? Pair{id, o.id} : Pair{o.id, id};
        now.push_back(ids);
        if (was(ids)) continue;
        const Body& b = s.bodies[slot];
        const navigation::Clearance c = s.obstacles.clearance(o, place(b));
        const Vec2 point = place(b) - c.normal * b.radius;
        const std::uint32_t other = s.store.slot_of(o.id);
        const Vec3 at{point.x, point.y, b.position.z};
        const float speed = b.speed < 0 ? -b.speed : b.speed;
        const Vec2 normal = id < o.id ? c.normal * -1.0f : c.normal;
        const bool static_first = o.id < id;
        if (static_first && other != world::kNoSlot) post_contact(s, other, id, at, normal, speed);
        post_contact(s, slot, o.id, at, normal, speed);
        if (!static_first && other != world::kNoSlot) post_contact(s, other, id, at, normal, speed);
    }
    // A static contact lasts while the unit stays beside the outline.
    for (const Pair& p : s.contacts) {
        const std::uint32_t a = s.store.slot_of(p.first), b = s.store.slot_of(p.second);
        if (a == world::kNoSlot || b == world::kNoSlot || s.bodies[a].mobile == s.bodies[b].mobile) continue;
        const Body& unit = s.bodies[a].mobile ? s.bodies[a] : s.bodies[b];
        const world::ObjectId static_id = s.bodies[a].mobile ? p.second : p.first;
        s.obstacles.near(place(unit), place(unit), unit.radius + kTouchGap, s.scratch);
        for (std::uint32_t i : s.scratch)
            if (s.obstacles.all()[i].id == static_id &&
                s.obstacles.clearance(s.obstacles.all()[i], place(unit)).distance <= unit.radius + kTouchGap) {
                now.push_back(p);
                break;
            }
    }
    if (now.size() != mobile_pairs) {
        std::sort(now.begin(), now.end());
        now.erase(std::unique(now.begin(), now.end()), now.end());
    }
    s.contacts.swap(now);
}

}  // namespace

void resolve_contacts(WorldState& s) {
    s.static_touches.clear();
    gather_pairs(s);
    for (std::uint32_t pass = 0; pass < s.rules.collision.passes; ++pass) {
        pass_mobiles(s);
        pass_statics(s);
    }
    restore_stuck(s);
    update_contacts(s);
}

void apply_damage(WorldState& s, std::uint32_t slot, std::uint32_t milli, world::KillCause cause, world::ObjectId by) {
    Body& b = s.bodies[slot];
    if (b.invulnerable != 0 || b.life == 0 || milli == 0) return;
    // Equal shares over the pieces that are left, in index order, the remainder to the first (15.4).
    std::uint32_t alive = 0;
    for (std::uint32_t p : b.pieces) alive += p > 0;
    if (alive > 0) {
        std::uint32_t share = milli / alive, rest = milli % alive;
        for (std::uint32_t& p : b.pieces) {
            if (p == 0) continue;
            p -= std::min(p, share + rest);
            rest = 0;
        }
    }
    b.life -= std::min(b.life, milli);
    if (b.life == 0) s.queue->kill(s.store.handle_of(slot), static_cast<std::uint32_t>(cause), by);
}

ContactMessage read_contact(const world::Message& m) {
    ContactMessage out;
    out.other.raw = m.args[0];
    out.point = {std::bit_cast<float>(m.args[1]), std::bit_cast<float>(m.args[2]), std::bit_cast<float>(m.args[3])};
    out.normal = {std::bit_cast<float>(m.args[4]), std::bit_cast<float>(m.args[5])};
    out.relative_speed = std::bit_cast<float>(m.args[6]);
    return out;
}

}  // namespace iron::control
