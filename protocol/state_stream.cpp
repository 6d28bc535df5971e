#include "protocol/state_stream.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace iron::protocol {
namespace {

constexpr std::uint16_t bit(StateField field) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(field)); }
constexpr std::uint32_t kMaskEnd = 1u << kStateFieldCount;
constexpr std::int32_t kMotionBand = 6;
constexpr std::int32_t kTurnBand = 6;
constexpr std::int32_t kFineTurnBand = 1;
constexpr std::int32_t kEnergyBand = 2;
constexpr std::uint8_t kMaxEnergy = 63;
constexpr std::uint16_t kMaxLife = 1023;

// ---- integers

std::size_t uvarint_size(std::uint64_t value) {
    std::size_t n = 1;
    while (value >= 0x80) value >>= 7, ++n;
    return n;
}

void put_uvarint(Bytes& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

void put_signed(Bytes& out, std::int64_t value) {
    put_uvarint(out, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

/// At most 5 bytes, shortest form only: every value has one encoding.
Result<std::uint64_t> read_uvarint(ByteReader& in) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        IRON_TRY(const std::uint8_t byte, in.u8("variable length integer"));
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            if (byte == 0 && shift != 0) return fail("bad_varint", "integer is not in its shortest form", in.offset());
            return value;
        }
    }
    return fail("bad_varint", "integer is too long", in.offset());
}

Result<std::int64_t> read_signed(ByteReader& in) {
    IRON_TRY(const std::uint64_t raw, read_uvarint(in));
    return static_cast<std::int64_t>(raw >> 1) ^ -static_cast<std::int64_t>(raw & 1);
}

/// Difference on a circle of `steps`, in -steps/2 .. steps/2 - 1.
std::int32_t turn_difference(std::int32_t now, std::int32_t then, std::int32_t steps) {
    const std::int32_t d = ((now - then) % steps + steps) % steps;
    return d >= steps / 2 ? d - steps : d;
}

std::int32_t wrap_turn(std::int64_t value, std::int32_t steps) {
    return static_cast<std::int32_t>((value % steps + steps) % steps);
}

std::int32_t clamp_place(std::int64_t v) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(v, -kMaxStatePlace, kMaxStatePlace));
}
std::int32_t clamp_speed(std::int64_t v) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(v, -kMaxStateSpeed, kMaxStateSpeed));
}

// ---- prediction

std::int32_t moved(std::int32_t from, std::int32_t speed, std::uint64_t since, std::uint64_t tick, std::uint32_t step_ms) {
    if (speed == 0 || tick <= since) return from;
    const std::uint64_t dt_ms = std::min<std::uint64_t>(tick - since, 1u << 24) * std::min(step_ms, 1000u);
    // |speed| <= 2^20 and dt <= 2^34: the product fits; division truncates toward zero.
    return clamp_place(from + std::int64_t{speed} * static_cast<std::int64_t>(dt_ms) / 1000);
}

void predict(ViewEntry& entry, std::uint64_t tick, std::uint32_t step_ms) {
    QuantisedState& s = entry.state;
    s.x = moved(entry.anchor_x, s.vx, entry.motion_tick, tick, step_ms);
    s.y = moved(entry.anchor_y, s.vy, entry.motion_tick, tick, step_ms);
    s.z = moved(entry.anchor_z, s.vz, entry.height_tick, tick, step_ms);
}

/// Puts every field into the range the decoder accepts.
QuantisedState in_range(QuantisedState s) {
    s.x = clamp_place(s.x), s.y = clamp_place(s.y), s.z = clamp_place(s.z);
    s.vx = clamp_speed(s.vx), s.vy = clamp_speed(s.vy), s.vz = clamp_speed(s.vz);
    s.yaw &= 1023, s.strafe &= 1023;
    s.life = std::min(s.life, kMaxLife);
    s.energy = std::min(s.energy, kMaxEnergy);
    return s;
}

/// The entry an object has before anything was sent: values of MirrorCreate, which carries no velocity.
ViewEntry start_entry(std::uint32_t id, const QuantisedState& start) {
    ViewEntry entry;
    entry.id = id;
    entry.state = in_range(start);
    entry.state.vx = entry.state.vy = entry.state.vz = 0;
    entry.anchor_x = entry.state.x;
    entry.anchor_y = entry.state.y;
    entry.anchor_z = entry.state.z;
    return entry;
}

ViewEntry zero_entry(std::uint32_t id) {
    ViewEntry entry;
    entry.id = id;
    return entry;
}

void set_anchors(ViewEntry& entry, std::uint16_t mask, std::uint64_t tick) {
    if (mask & bit(StateField::motion)) {
        entry.anchor_x = entry.state.x;
        entry.anchor_y = entry.state.y;
        entry.motion_tick = tick;
    }
    if (mask & bit(StateField::height)) {
        entry.anchor_z = entry.state.z;
        entry.height_tick = tick;
    }
    entry.sent_tick = tick;
}

// ---- encoding

struct Candidate {
    std::size_t source = 0;
    std::uint16_t mask = 0;
    ViewEntry before;        ///< predicted, or zero for an absolute entry
    bool keep_before = true; ///< in the view if there is no room
    Bytes payload;           ///< mask and residuals
    bool own_driven = false;
    std::uint64_t urgency = 0;
    std::uint64_t age = 0;
    std::uint32_t id = 0;
};

bool outside(std::int32_t a, std::int32_t b, std::int32_t band) { return std::abs(a - b) > band; }

std::uint16_t absolute_mask(const QuantisedState& now) {
    std::uint16_t mask = bit(StateField::absolute);
    const auto add = [&](bool present, StateField field) { if (present) mask = static_cast<std::uint16_t>(mask | bit(field)); };
    add(now.x || now.y || now.vx || now.vy, StateField::motion);
    add(now.yaw, StateField::yaw);
    add(now.turret_yaw || now.turret_pitch, StateField::turret);
    add(now.life, StateField::life);
    add(now.flags, StateField::flags);
    add(now.behaviour, StateField::behaviour);
    add(now.z || now.vz, StateField::height);
    add(now.pitch || now.roll, StateField::tilt);
    add(now.energy, StateField::energy);
    add(now.target, StateField::target);
    add(now.phase, StateField::phase);
    add(now.strafe, StateField::strafe);
    return mask;
}

std::uint16_t difference_mask(const QuantisedState& p, const QuantisedState& now, const StateSource& source) {
    std::uint16_t mask = 0;
    const auto add = [&](bool needed, StateField field) { if (needed) mask = static_cast<std::uint16_t>(mask | bit(field)); };
    if (source.own_driven)
        add(p.x != now.x || p.y != now.y || p.vx != now.vx || p.vy != now.vy, StateField::motion);
    else
        add(outside(p.x, now.x, kMotionBand) || outside(p.y, now.y, kMotionBand), StateField::motion);
    add(std::abs(turn_difference(now.yaw, p.yaw, 1024)) > kTurnBand, StateField::yaw);
    add(std::abs(turn_difference(now.turret_yaw, p.turret_yaw, 256)) > kFineTurnBand ||
            std::abs(turn_difference(now.turret_pitch, p.turret_pitch, 256)) > kFineTurnBand,
        StateField::turret);
    add(p.life != now.life, StateField::life);
    add(p.flags != now.flags, StateField::flags);
    add(p.behaviour != now.behaviour, StateField::behaviour);
    if (!source.on_terrain) {
        add(outside(p.z, now.z, kMotionBand), StateField::height);
        add(std::abs(turn_difference(now.pitch, p.pitch, 256)) > kFineTurnBand ||
                std::abs(turn_difference(now.roll, p.roll, 256)) > kFineTurnBand,
            StateField::tilt);
    }
    add(outside(p.energy, now.energy, kEnergyBand), StateField::energy);
    add(p.target != now.target, StateField::target);
    add(source.phase_jump && p.phase != now.phase, StateField::phase);
    add(std::abs(turn_difference(now.strafe, p.strafe, 1024)) > kTurnBand, StateField::strafe);
    return mask;
}

/// How wrong the receiver is without the entry, in 1/32 wu; a change of a discrete field counts as 2 wu, an unknown
/// state as 128 wu.
std::uint64_t error_of(const QuantisedState& p, const QuantisedState& now, std::uint16_t mask) {
    if (mask & bit(StateField::absolute)) return 4096;
    std::uint64_t error = 0;
    if (mask & bit(StateField::motion))
        error += static_cast<std::uint64_t>(std::abs(std::int64_t{now.x} - p.x) + std::abs(std::int64_t{now.y} - p.y));
    if (mask & bit(StateField::height)) error += static_cast<std::uint64_t>(std::abs(std::int64_t{now.z} - p.z));
    if (mask & bit(StateField::yaw)) error += static_cast<std::uint64_t>(std::abs(turn_difference(now.yaw, p.yaw, 1024)));
    constexpr std::uint16_t places = bit(StateField::motion) | bit(StateField::height) | bit(StateField::yaw);
    return error + 64u * static_cast<unsigned>(std::popcount(static_cast<unsigned>(mask & ~places)));
}

Bytes encode_residuals(const QuantisedState& p, const QuantisedState& now, std::uint16_t mask) {
    Bytes out;
    put_uvarint(out, mask);
    const auto has = [&](StateField field) { return (mask & bit(field)) != 0; };
    if (has(StateField::motion)) {
        put_signed(out, std::int64_t{now.x} - p.x);
        put_signed(out, std::int64_t{now.y} - p.y);
        put_signed(out, std::int64_t{now.vx} - p.vx);
        put_signed(out, std::int64_t{now.vy} - p.vy);
    }
    if (has(StateField::yaw)) put_signed(out, turn_difference(now.yaw, p.yaw, 1024));
    if (has(StateField::turret)) {
        put_signed(out, turn_difference(now.turret_yaw, p.turret_yaw, 256));
        put_signed(out, turn_difference(now.turret_pitch, p.turret_pitch, 256));
    }
    if (has(StateField::life)) put_signed(out, std::int64_t{now.life} - p.life);
    if (has(StateField::flags)) put_uvarint(out, now.flags);
    if (has(StateField::behaviour)) out.push_back(now.behaviour);
    if (has(StateField::height)) {
        put_signed(out, std::int64_t{now.z} - p.z);
        put_signed(out, std::int64_t{now.vz} - p.vz);
    }
    if (has(StateField::tilt)) {
        put_signed(out, turn_difference(now.pitch, p.pitch, 256));
        put_signed(out, turn_difference(now.roll, p.roll, 256));
    }
    if (has(StateField::energy)) out.push_back(now.energy);
    if (has(StateField::target)) put_uvarint(out, now.target);
    if (has(StateField::phase)) out.push_back(now.phase);
    if (has(StateField::strafe)) put_signed(out, turn_difference(now.strafe, p.strafe, 1024));
    return out;
}

/// The fields of `mask` become those of `now`.
void take_fields(QuantisedState& s, const QuantisedState& now, std::uint16_t mask) {
    const auto has = [&](StateField field) { return (mask & bit(field)) != 0; };
    if (has(StateField::motion)) s.x = now.x, s.y = now.y, s.vx = now.vx, s.vy = now.vy;
    if (has(StateField::yaw)) s.yaw = now.yaw;
    if (has(StateField::turret)) s.turret_yaw = now.turret_yaw, s.turret_pitch = now.turret_pitch;
    if (has(StateField::life)) s.life = now.life;
    if (has(StateField::flags)) s.flags = now.flags;
    if (has(StateField::behaviour)) s.behaviour = now.behaviour;
    if (has(StateField::height)) s.z = now.z, s.vz = now.vz;
    if (has(StateField::tilt)) s.pitch = now.pitch, s.roll = now.roll;
    if (has(StateField::energy)) s.energy = now.energy;
    if (has(StateField::target)) s.target = now.target;
    if (has(StateField::phase)) s.phase = now.phase;
    if (has(StateField::strafe)) s.strafe = now.strafe;
}

Candidate make_candidate(const View* base, const StateSource& source, const EncodeOptions& options) {
    Candidate c;
    c.id = source.id;
    c.own_driven = source.own_driven;
    const ViewEntry* known = base ? base->find(source.id) : nullptr;
    if (known && known->incarnation != source.incarnation) known = nullptr;
    if (known) {
        c.before = *known;
        predict(c.before, options.tick, options.step_ms);
    } else {
        c.before = start_entry(source.id, source.start);
        c.keep_before = source.first_incarnation;
    }
    c.before.incarnation = source.incarnation;
    c.age = options.tick - std::min(c.before.sent_tick, options.tick);
    if (!source.due) return c;

    QuantisedState now = in_range(source.now);
    if (source.teleported || !c.keep_before) {
        if (source.on_terrain) now.z = now.vz = 0, now.pitch = now.roll = 0;
        c.mask = absolute_mask(now);
        c.payload = encode_residuals({}, now, c.mask);
    } else {
        c.mask = difference_mask(c.before.state, now, source);
        if (c.mask) c.payload = encode_residuals(c.before.state, now, c.mask);
    }
    c.urgency = error_of(c.before.state, now, c.mask) * source.relevance;
    return c;
}

ViewEntry after_sending(const Candidate& c, const StateSource& source, std::uint64_t tick) {
    ViewEntry entry = c.before;
    if (c.mask & bit(StateField::absolute)) {
        entry = zero_entry(c.id);
        entry.incarnation = source.incarnation;
    }
    take_fields(entry.state, in_range(source.now), c.mask);
    set_anchors(entry, c.mask, tick);
    return entry;
}

/// Chooses which candidates get room; returns their positions by id.
std::map<std::uint32_t, std::size_t> choose(const std::vector<Candidate>& candidates, std::size_t room) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].mask) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Candidate& l = candidates[a];
        const Candidate& r = candidates[b];
        if (l.own_driven != r.own_driven) return l.own_driven;
        if (l.urgency != r.urgency) return l.urgency > r.urgency;
        if (l.age != r.age) return l.age > r.age;
        return l.id < r.id;
    });
    std::map<std::uint32_t, std::size_t> chosen;
    for (const std::size_t i : order) {
        if (chosen.size() == kMaxStateEntries) break;
        const std::uint32_t id = candidates[i].id;
        const auto next = chosen.upper_bound(id);
        const std::uint32_t before = next == chosen.begin() ? 0 : std::prev(next)->first;
        std::size_t cost = uvarint_size(id - before) + candidates[i].payload.size();
        std::size_t saved = 0;
        if (next != chosen.end()) {
            cost += uvarint_size(next->first - id);
            saved = uvarint_size(next->first - before);
        }
        if (cost - saved > room) continue;
        room -= cost - saved;
        chosen.emplace(id, i);
    }
    return chosen;
}

// ---- decoding

/// Entries of removed mirrors stay in the client's views for as long as the server keeps their ids unused: a mirror
/// that was hidden and created again may have got its first state before the client heard of either.
constexpr std::uint64_t kRemovedEntryTicks = 2048;

/// The entries of a client's view before anything explicit, ascending by id.
std::vector<ViewEntry> carry(const View* base, std::span<const MirrorStart> live,
                             const std::function<bool(std::uint32_t)>& is_removed, const DecodeOptions& options) {
    std::vector<ViewEntry> out;
    out.reserve(live.size());
    const std::span<const ViewEntry> known = base ? std::span<const ViewEntry>(base->entries) : std::span<const ViewEntry>();
    auto mirror = live.begin();
    auto entry = known.begin();
    while (mirror != live.end() || entry != known.end()) {
        const bool has_entry = entry != known.end() && (mirror == live.end() || entry->id <= mirror->id);
        const bool is_live = mirror != live.end() && (entry == known.end() || mirror->id <= entry->id);
        if (is_live && !has_entry)
            out.push_back(start_entry(mirror->id, mirror->start));
        else if (is_live || (is_removed(entry->id) && options.tick - entry->sent_tick <= kRemovedEntryTicks))
            out.push_back(*entry);
        if (has_entry) ++entry;
        if (is_live) ++mirror;
    }
    for (ViewEntry& e : out) predict(e, options.tick, options.step_ms);
    return out;
}

/// Adds a residual to `value`. Without `bounded` it is only parsed: its base is not known.
Status read_place(ByteReader& in, std::int32_t& value, std::int32_t bound, bool bounded) {
    IRON_TRY(const std::int64_t residual, read_signed(in));
    if (!bounded) return {};
    const std::int64_t now = value + residual;
    if (now < -bound || now > bound) return fail("bad_state", "place or speed out of bounds", in.offset());
    value = static_cast<std::int32_t>(now);
    return {};
}

template <class T>
Status read_turn(ByteReader& in, T& value, std::int32_t steps) {
    IRON_TRY(const std::int64_t residual, read_signed(in));
    if (residual < -steps / 2 || residual >= steps / 2) return fail("bad_state", "turn out of bounds", in.offset());
    value = static_cast<T>(wrap_turn(value + residual, steps));
    return {};
}

/// Applies the residuals of `mask` to `s`.
Status read_fields(ByteReader& in, std::uint16_t mask, QuantisedState& s, bool bounded) {
    const auto has = [&](StateField field) { return (mask & bit(field)) != 0; };
    if (has(StateField::motion)) {
        IRON_CHECK(read_place(in, s.x, kMaxStatePlace, bounded));
        IRON_CHECK(read_place(in, s.y, kMaxStatePlace, bounded));
        IRON_CHECK(read_place(in, s.vx, kMaxStateSpeed, bounded));
        IRON_CHECK(read_place(in, s.vy, kMaxStateSpeed, bounded));
    }
    if (has(StateField::yaw)) IRON_CHECK(read_turn(in, s.yaw, 1024));
    if (has(StateField::turret)) {
        IRON_CHECK(read_turn(in, s.turret_yaw, 256));
        IRON_CHECK(read_turn(in, s.turret_pitch, 256));
    }
    if (has(StateField::life)) {
        IRON_TRY(const std::int64_t residual, read_signed(in));
        const std::int64_t life = s.life + residual;
        if (bounded && (life < 0 || life > kMaxLife)) return fail("bad_state", "life out of bounds", in.offset());
        s.life = static_cast<std::uint16_t>(life);
    }
    if (has(StateField::flags)) {
        IRON_TRY(const std::uint64_t flags, read_uvarint(in));
        if (flags > 0xFFFF) return fail("bad_state", "flags out of bounds", in.offset());
        s.flags = static_cast<std::uint16_t>(flags);
    }
    if (has(StateField::behaviour)) {
        IRON_TRY(s.behaviour, in.u8("behaviour state"));
    }
    if (has(StateField::height)) {
        IRON_CHECK(read_place(in, s.z, kMaxStatePlace, bounded));
        IRON_CHECK(read_place(in, s.vz, kMaxStateSpeed, bounded));
    }
    if (has(StateField::tilt)) {
        IRON_CHECK(read_turn(in, s.pitch, 256));
        IRON_CHECK(read_turn(in, s.roll, 256));
    }
    if (has(StateField::energy)) {
        IRON_TRY(s.energy, in.u8("energy"));
        if (s.energy > kMaxEnergy) return fail("bad_state", "energy out of bounds", in.offset());
    }
    if (has(StateField::target)) {
        IRON_TRY(const std::uint64_t target, read_uvarint(in));
        if (target > 0xFFFFFFFFu) return fail("bad_state", "target out of bounds", in.offset());
        s.target = static_cast<std::uint32_t>(target);
    }
    if (has(StateField::phase)) {
        IRON_TRY(s.phase, in.u8("phase"));
    }
    if (has(StateField::strafe)) IRON_CHECK(read_turn(in, s.strafe, 1024));
    return {};
}

/// The values the residuals of an entry refer to; none: the entry is parsed and not used.
using BaseState = std::optional<QuantisedState>;

/// Walks over the entries. `base_of(entry)` returns Result<BaseState>; `done(entry, state)` is called for used ones.
template <class BaseOf, class Done>
Status walk(ByteView data, BaseOf base_of, Done done) {
    ByteReader in(data);
    IRON_TRY(const std::uint8_t version, in.u8("stream version"));
    if (version != kStateStreamVersion) return fail("bad_version", "unknown version of the state stream", 0);
    std::uint64_t id = 0;
    for (std::size_t count = 0; !in.at_end(); ++count) {
        if (count == kMaxStateEntries) return fail("too_many_entries", "too many entries in one packet", in.offset());
        IRON_TRY(const std::uint64_t step, read_uvarint(in));
        if (step == 0 && count != 0) return fail("bad_order", "ids are not ascending", in.offset());
        id += step;
        if (id >= 0xFFFFFFFFu) return fail("bad_order", "id out of range", in.offset());
        IRON_TRY(const std::uint64_t mask, read_uvarint(in));
        if (mask == 0 || mask >= kMaskEnd) return fail("bad_mask", "reserved or no mask bit", in.offset());
        const DecodedEntry entry{static_cast<std::uint32_t>(id), static_cast<std::uint16_t>(mask)};
        IRON_TRY(const BaseState base, base_of(entry));
        QuantisedState state = base && !entry.absolute() ? *base : QuantisedState{};
        IRON_CHECK(read_fields(in, entry.mask, state, base || entry.absolute()));
        if (base) done(entry, state);
    }
    return {};
}

}  // namespace

std::int32_t quantise_place(float wu) {
    if (!(std::fabs(wu) < static_cast<float>(kMaxStatePlace / kStateUnitsPerWu)))
        return wu > 0 ? kMaxStatePlace : wu < 0 ? -kMaxStatePlace : 0;
    return clamp_place(static_cast<std::int64_t>(std::floor(wu * 32.0f + 0.5f)));
}

std::int32_t quantise_speed(float wu_per_s) { return clamp_speed(quantise_place(wu_per_s)); }

std::uint16_t quantise_turn(float rad, std::uint32_t steps) {
    if (!(std::fabs(rad) < 1e6f)) return 0;
    const double turns = static_cast<double>(rad) / 6.283185307179586;
    const auto whole = static_cast<std::int64_t>(std::floor(turns * steps + 0.5));
    return static_cast<std::uint16_t>(wrap_turn(whole, static_cast<std::int32_t>(steps)));
}

std::uint16_t quantise_life(std::uint32_t life, std::uint32_t life_max) {
    if (life_max == 0) return 0;
    const std::uint64_t part = (std::uint64_t{std::min(life, life_max)} * kMaxLife + life_max - 1) / life_max;
    return static_cast<std::uint16_t>(part);
}

const ViewEntry* View::find(std::uint32_t id) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), id,
                                     [](const ViewEntry& e, std::uint32_t wanted) { return e.id < wanted; });
    return at != entries.end() && at->id == id ? &*at : nullptr;
}

EncodedState encode_state(const View* base, std::span<const StateSource> sources, const EncodeOptions& options) {
    std::vector<Candidate> candidates;
    candidates.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        candidates.push_back(make_candidate(base, sources[i], options));
        candidates.back().source = i;
    }
    const auto chosen = choose(candidates, options.budget_bytes > 0 ? options.budget_bytes - 1 : 0);

    EncodedState out;
    out.view.tick = options.tick;
    out.view.sequence = options.sequence;
    out.data.push_back(kStateStreamVersion);
    std::uint32_t previous = 0;
    for (const Candidate& c : candidates) {
        if (chosen.contains(c.id)) {
            put_uvarint(out.data, c.id - previous);
            previous = c.id;
            out.data.insert(out.data.end(), c.payload.begin(), c.payload.end());
            out.view.entries.push_back(after_sending(c, sources[c.source], options.tick));
            ++out.sent;
            continue;
        }
        if (c.mask) ++out.waiting;
        if (c.keep_before) out.view.entries.push_back(c.before);
    }
    return out;
}

Result<DecodedState> decode_state(ByteView data, const View* base, std::span<const MirrorStart> live,
                                  const std::function<bool(std::uint32_t)>& is_removed,
                                  const DecodeOptions& options) {
    if (base && base->tick >= options.tick) return fail("bad_base", "the base is not older than the packet");
    DecodedState out;
    out.view.tick = options.tick;
    out.view.sequence = options.sequence;
    out.view.entries = carry(base, live, is_removed, options);
    const auto slot_of = [&](std::uint32_t id) -> ViewEntry* {
        const auto at = std::lower_bound(out.view.entries.begin(), out.view.entries.end(), id,
                                         [](const ViewEntry& e, std::uint32_t wanted) { return e.id < wanted; });
        return at != out.view.entries.end() && at->id == id ? &*at : nullptr;
    };
    const auto mirror_of = [&](std::uint32_t id) -> const MirrorStart* {
        const auto at = std::lower_bound(live.begin(), live.end(), id,
                                         [](const MirrorStart& m, std::uint32_t wanted) { return m.id < wanted; });
        return at != live.end() && at->id == id ? &*at : nullptr;
    };
    const auto base_of = [&](const DecodedEntry& entry) -> Result<BaseState> {
        const MirrorStart* mirror = mirror_of(entry.id);
        if (!mirror && !is_removed(entry.id)) return fail("unknown_mirror", "state of an object that has not been created");
        const bool earlier_mirror = mirror && options.tick < mirror->incarnation;
        if (!mirror || earlier_mirror) ++out.ignored;
        if (earlier_mirror) return BaseState();
        if (const ViewEntry* slot = slot_of(entry.id)) return BaseState(slot->state);
        if (!entry.absolute()) return BaseState();
        // Created again, but the MirrorCreate is still on its way: the view must have it all the same.
        auto& entries = out.view.entries;
        entries.insert(std::find_if(entries.begin(), entries.end(), [&](const ViewEntry& e) { return e.id > entry.id; }),
                       zero_entry(entry.id));
        return BaseState(QuantisedState{});
    };
    const auto done = [&](const DecodedEntry& entry, const QuantisedState& state) {
        ViewEntry* slot = slot_of(entry.id);
        if (entry.absolute()) *slot = zero_entry(entry.id);
        slot->state = state;
        set_anchors(*slot, entry.mask, options.tick);
        if (mirror_of(entry.id)) out.entries.push_back(entry);
    };
    IRON_CHECK(walk(data, base_of, done));
    return out;
}

Result<std::vector<std::uint32_t>> scan_state(ByteView data) {
    std::vector<std::uint32_t> ids;
    const auto none = [&](const DecodedEntry& entry) -> Result<BaseState> {
        ids.push_back(entry.id);
        return BaseState();
    };
    IRON_CHECK(walk(data, none, [](const DecodedEntry&, const QuantisedState&) {}));
    return ids;
}

}  // namespace iron::protocol
