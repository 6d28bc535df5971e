// The dense state stream: quantised fields, prediction, residuals (net-messages.md 8.1). Server and client compute
// the same integers from the same view, so a view is never sent in full.
//
// A view remembers beside the current values the *anchor*: the place that was last sent explicitly and its tick.
// Places are predicted from the anchor, not from the previous prediction: rounding never adds up, and a unit in
// straight motion needs no byte.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "protocol/limits.hpp"
#include "shared/base/bytes.hpp"

namespace iron::protocol {

inline constexpr std::uint8_t kStateStreamVersion = 1;
inline constexpr std::int32_t kStateUnitsPerWu = 32;    ///< x, y, z: 1/32 wu
inline constexpr std::int32_t kMaxStatePlace = 1 << 24; ///< bound of |x|, |y|, |z|
inline constexpr std::int32_t kMaxStateSpeed = 1 << 20; ///< bound of |velocity|, 1/32 wu per second

/// Bits of an entry's mask.
enum class StateField : std::uint8_t {
    motion, yaw, turret, life, flags, behaviour, height, tilt, energy, target, phase, strafe, absolute
};
inline constexpr std::uint8_t kStateFieldCount = 13;

/// The quantised fields of one object; all zero is the base of an absolute entry.
struct QuantisedState {
    std::int32_t x = 0, y = 0, z = 0;     ///< 1/32 wu
    std::int32_t vx = 0, vy = 0, vz = 0;  ///< 1/32 wu/s
    std::uint16_t yaw = 0;                ///< 1/1024 turn, 0..1023
    std::uint16_t strafe = 0;             ///< 1/1024 turn, 0..1023
    std::uint16_t life = 0;               ///< 1/1023 of the maximum, rounded up
    std::uint16_t flags = 0;              ///< 8.1; bits 0..13
    std::uint8_t turret_yaw = 0, turret_pitch = 0;  ///< 1/256 turn
    std::uint8_t pitch = 0, roll = 0;     ///< 1/256 turn; only of objects that do not stand on terrain
    std::uint8_t behaviour = 0;           ///< simulation.md 7.3
    std::uint8_t energy = 0;              ///< 1/63
    std::uint8_t phase = 0;               ///< animation or track, 1/256
    std::uint32_t target = 0;             ///< 0 none, else object id + 1
    bool operator==(const QuantisedState&) const = default;
};

/// wu to 1/32 wu, nearest, clamped to the bounds above; a NaN becomes 0.
std::int32_t quantise_place(float wu);
std::int32_t quantise_speed(float wu_per_s);
/// Angle in rad to `steps` (1024 or 256) per turn, 0..steps-1.
std::uint16_t quantise_turn(float rad, std::uint32_t steps);
/// Life in 0..1023, rounded up: only a dead object is 0.
std::uint16_t quantise_life(std::uint32_t life, std::uint32_t life_max);

/// One object in a view.
struct ViewEntry {
    std::uint32_t id = 0;
    std::uint64_t incarnation = 0;  ///< server side: tick of the MirrorCreate the values belong to
    QuantisedState state;           ///< at the tick of the view
    std::int32_t anchor_x = 0, anchor_y = 0, anchor_z = 0;
    std::uint64_t motion_tick = 0;  ///< tick of anchor_x, anchor_y
    std::uint64_t height_tick = 0;  ///< tick of anchor_z
    std::uint64_t sent_tick = 0;    ///< tick of the last explicit entry, 0 = never
};

/// The quantised fields of all live mirrors at one tick, by ascending id.
struct View {
    std::uint64_t tick = 0;
    std::uint32_t sequence = 0;  ///< of the state packet that made it
    std::vector<ViewEntry> entries;

    const ViewEntry* find(std::uint32_t id) const;
};

/// What the server wants to show of one object now.
struct StateSource {
    std::uint32_t id = 0;
    std::uint64_t incarnation = 0;    ///< tick of the MirrorCreate this client got for it
    bool first_incarnation = true;    ///< the client has never been told of this id before
    bool on_terrain = true;           ///< z and tilt are computed by the client
    bool own_driven = false;          ///< driven by the receiver: no dead band for its place
    bool teleported = false;          ///< send absolute, without interpolation
    bool due = true;                  ///< false: its turn is in a later packet, the prediction stands
    bool phase_jump = false;          ///< the client cannot run the phase on by itself
    std::uint32_t relevance = 1;      ///< weight of its error; larger is more urgent
    QuantisedState start;             ///< the values of the MirrorCreate
    QuantisedState now;               ///< the true values
};

struct EncodeOptions {
    std::uint64_t tick = 0;
    std::uint32_t sequence = 0;
    std::uint32_t step_ms = 20;
    std::size_t budget_bytes = kStateBudgetBytes;
};

struct EncodedState {
    Bytes data;                 ///< version byte and entries
    View view;                  ///< what the client will have: goes into the server's ring
    std::uint32_t sent = 0;     ///< entries in `data`
    std::uint32_t waiting = 0;  ///< objects outside of their dead band that found no room
};

/// `sources` by ascending id; `base` is the newest acknowledged view or nullptr (values of MirrorCreate).
/// Objects get room by (own driven, error x relevance, age, id). An object that is known to the client from an
/// earlier MirrorCreate and is not in the base is sent absolute, or stays out of the view until there is room: the
/// client may not have its new MirrorCreate yet.
EncodedState encode_state(const View* base, std::span<const StateSource> sources, const EncodeOptions& options);

/// What a client knows of a mirror.
struct MirrorStart {
    std::uint32_t id = 0;
    std::uint64_t incarnation = 0;  ///< tick of its MirrorCreate: entries of older packets mean an earlier mirror
    QuantisedState start;           ///< the values of its MirrorCreate
};

struct DecodedEntry {
    std::uint32_t id = 0;
    std::uint16_t mask = 0;
    bool absolute() const { return mask >> static_cast<unsigned>(StateField::absolute) & 1u; }
};

struct DecodedState {
    View view;                          ///< goes into the client's ring; acknowledge its tick
    std::vector<DecodedEntry> entries;  ///< explicit entries of live mirrors, ascending id
    std::uint32_t ignored = 0;          ///< entries of mirrors already removed, or of an earlier mirror with the id
};

struct DecodeOptions {
    std::uint64_t tick = 0;
    std::uint32_t sequence = 0;
    std::uint32_t step_ms = 20;
};

/// `live`: mirrors by ascending id. `is_removed(id)`: the id was live and has been removed. `base` is the view of
/// the header's base tick, nullptr only if that is 0. Errors (the packet is dropped and not acknowledged):
/// `unknown_mirror` (its MirrorCreate has not come yet), and the protocol errors `bad_version`, `truncated`,
/// `bad_varint`, `bad_order`, `bad_mask`, `bad_state`, `too_many_entries`, `bad_base`.
Result<DecodedState> decode_state(ByteView data, const View* base, std::span<const MirrorStart> live,
                                  const std::function<bool(std::uint32_t)>& is_removed,
                                  const DecodeOptions& options);

/// Ids of the entries, parsed without any knowledge of objects (capture tools). Same protocol errors, but for bounds
/// that depend on the base.
Result<std::vector<std::uint32_t>> scan_state(ByteView data);

}  // namespace iron::protocol
