// The immutable copy of the world that everything outside the simulation reads (phase 6).
// Source: runtime.md 11, 13; carriers in net-messages.md 8.5.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/world/ids.hpp"
#include "shared/base/hash.hpp"
#include "shared/base/math.hpp"

namespace iron::world {

/// MirrorState flag bits (net-messages.md 8.1).
enum ObjectFlag : std::uint32_t {
    kBoarded = 1u << 0, kInside = 1u << 1, kCritical = 1u << 2, kShieldOn = 1u << 3,
    kFiring = 1u << 4, kDetectionShield = 1u << 5, kDeflector = 1u << 6, kManual = 1u << 7,
    kShocked = 1u << 8, kPassThrough = 1u << 9, kHoldsPosition = 1u << 10,
    kBeingCaptured = 1u << 11, kWithoutPower = 1u << 12, kSyncFlag = 1u << 13
};

struct PropertyView {
    std::string name;
    std::array<std::uint32_t, 4> words{};
    bool operator==(const PropertyView&) const = default;
};

struct PartView {
    std::uint32_t tag = 0;           ///< 0 root model, > 0 attached
    std::uint32_t parent_piece = 0;  ///< absolute attach piece
    std::string archive;             ///< archive of the model, as the data name it
    std::string entry;               ///< model entry
    bool operator==(const PartView&) const = default;
};

/// What never changes after registration; shared between snapshots.
struct ObjectStatic {
    std::uint8_t logic_id = 0;
    std::uint32_t scheme_type = 0;  ///< 0 for direct prototypes
    std::string prototype_key;      ///< root key or unit scheme path as the mission names it
    std::vector<PartView> parts;
    std::vector<PropertyView> properties;
    Vec3 scale{1, 1, 1};
    float radius = 0;  ///< wu
};

struct ObjectView {
    ObjectId id;
    std::uint64_t registration = 0;
    PlayerNumber owner = kNoPlayer;  ///< current authority player
    std::uint8_t clan = 0xFF;        ///< 0xFF = none
    Vec3 position;                   ///< wu
    Vec3 orientation;                ///< Euler angles, rad
    Vec3 velocity;                   ///< wu/s
    float yaw = 0;                   ///< rad
    float turret_yaw = 0, turret_pitch = 0;  ///< rad, relative to the chassis
    std::uint32_t life = 0, life_max = 0;    ///< milli-life
    std::uint32_t flags = 0;                 ///< ObjectFlag
    std::uint8_t behaviour_state = 0;        ///< simulation.md 7.3
    std::uint8_t energy = 0;                 ///< 1/63
    std::uint8_t stance = 0;
    ObjectId target;
    bool on_terrain = true;  ///< z and tilt follow the terrain: clients compute them
    std::uint8_t order = 0;  ///< current order, 0 = none
    Vec2 order_point;        ///< goal of the current order
    std::shared_ptr<const ObjectStatic> fixed;
};

enum class EventKind : std::uint8_t {
    created, killed, owner_changed, order_started, order_done, order_failed, order_cancelled,
    command_result, diagnostic
};

/// Something that happened in the tick and that a message carries.
struct WorldEvent {
    EventKind kind = EventKind::created;
    ObjectId object;
    ObjectId other;
    PlayerNumber player = kNoPlayer;
    std::uint8_t order = 0;
    std::uint8_t code = 0;           ///< net-messages.md 9.1, ObjectKill cause, or owner reason
    std::uint32_t sequence = 0;      ///< command sequence of a command_result
    std::uint8_t taken = 0, left_out = 0;
    std::uint32_t value = 0;
    std::string text;                ///< diagnostic code
};

struct ClanView {
    std::string name;
    std::uint8_t mode = 0;  ///< 0 environment, 1 player, 2 AI, 3 neutral
    Vec2 anchor;
    PlayerNumber player = kNoPlayer;
    bool eliminated = false;
    std::uint32_t score = 0;
};

inline constexpr std::uint32_t kHashBlockCount = 17;

/// Digests by block number - 1 and the hash over them (runtime.md 13).
struct StateHash {
    Hash256 total{};
    std::array<Hash256, kHashBlockCount> blocks{};
    bool operator==(const StateHash&) const = default;
};

struct Snapshot {
    Tick tick = 0;
    std::uint32_t step_ms = 20;
    bool paused = false;
    std::vector<ObjectView> objects;  ///< ascending id
    std::vector<ClanView> clans;
    std::vector<WorldEvent> events;   ///< of this tick, in order
    std::uint64_t game_time_ms() const { return tick * step_ms; }
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

}  // namespace iron::world
