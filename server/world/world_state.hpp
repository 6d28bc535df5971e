// Everything a world consists of: the state that is hashed, and what is derived from it.
// Source: runtime.md 13. Objects are flat arrays by slot, visited through index lists.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/behavior/brain.hpp"
#include "server/control/body.hpp"
#include "server/control/object_grid.hpp"
#include "server/navigation/areal_map.hpp"
#include "server/navigation/obstacles.hpp"
#include "server/navigation/route_fields.hpp"
#include "server/navigation/surface.hpp"
#include "server/world/clock.hpp"
#include "server/world/object_store.hpp"
#include "server/world/phases.hpp"
#include "server/world/property_bag.hpp"
#include "server/world/queue.hpp"
#include "server/world/result_code.hpp"
#include "server/world/rules.hpp"
#include "server/world/snapshot.hpp"
#include "server/world/state_hash.hpp"
#include "server/world/world.hpp"
#include "shared/base/rng.hpp"
#include "shared/mission/blueprint.hpp"

namespace iron::world {

inline constexpr std::size_t kMaxClans = 64;
inline constexpr std::uint8_t kNoClan = 0xFF;

/// Relation of one clan to another (DD-SIM-08).
enum class Relation : std::uint8_t { own, ally, neutral, hostile };

struct ClanState {
    std::string name;
    asset::ClanMode mode = asset::ClanMode::environment;
    Vec2 anchor;
    PlayerNumber player = kNoPlayer;  ///< DD-SIM-44: index + 1, 0 for the environment
    bool joined = false;              ///< a person plays it
    bool lost = false;                ///< left for good: the number is not used again
    bool ai_plays = false;            ///< takeover
    bool eliminated = false;
    std::uint32_t score = 0;
};

/// Relation of a pair of clans: allied flag, and until when a neutral pair is hostile.
struct PairState {
    bool allied = false;
    Tick hostile_until = 0;
};

/// Two mobiles that may touch in this tick.
struct ContactPair {
    std::uint32_t low = 0, high = 0;  ///< slots, by id
    float reach = 0;                  ///< distance of contact, wu
    float d2 = 0;
    bool friendly = false;
    bool touched = false;
};

struct WorldState {
    // Fixed for the match.
    std::shared_ptr<const mission::MissionBlueprint> blueprint;
    Rules rules;
    std::uint64_t match_seed = 0;
    GameMode mode = GameMode::multiplayer;
    navigation::Surface surface;
    navigation::ArealMap areals;

    // State.
    GameClock clock;
    std::uint32_t scale_percent = 100;
    PhaseTracker phases;
    ObjectStore store;
    std::unique_ptr<ObjectQueue> queue;
    std::vector<control::Body> bodies;             ///< by slot
    std::vector<behavior::Brain> brains;           ///< by slot
    std::vector<PropertyBag> properties;           ///< by slot
    std::vector<std::shared_ptr<const ObjectStatic>> fixed;  ///< by slot
    std::vector<std::vector<std::vector<Vec2>>> polygons;    ///< by slot: ground outlines, wu, fixed
    std::array<Rng, 4> rng;                        ///< streams 1..4
    navigation::RouteFields routes;
    std::vector<std::pair<ObjectId, ObjectId>> contacts;  ///< touching pairs (low, high), ascending
    std::vector<ClanState> clans;
    std::vector<PairState> pairs;                  ///< clans x clans, symmetric
    std::uint32_t next_shot = 1;
    std::uint64_t next_session_sequence = 1;

    // Derived.
    navigation::Obstacles obstacles;
    control::ObjectGrid grid;                      ///< mobiles at their current positions
    std::vector<std::uint32_t> by_id;              ///< registered slots, ascending id
    std::vector<std::uint32_t> mobiles;            ///< registered mobile slots, registration order
    std::vector<std::uint32_t> mobiles_by_id;
    std::vector<std::uint32_t> blocked_steps;      ///< slots whose step the ground refused in this tick
    std::vector<ContactPair> contact_pairs, contact_scratch;
    std::vector<std::pair<ObjectId, ObjectId>> contacts_next;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> static_touches;  ///< (slot, outline)
    std::vector<std::uint32_t> scratch;            ///< outlines near a unit
    std::vector<Vec2> grid_positions;              ///< scratch of refresh_grid
    float max_radius = 1;                          ///< of the mobiles
    bool registry_changed = true, statics_changed = true;
    std::vector<WorldEvent> events;                ///< of this tick

    bool is_active(std::uint32_t slot) const { return store.at(slot).life == LifeState::registered; }
    ObjectId id(std::uint32_t slot) const { return store.at(slot).id; }
    Relation relation(std::uint8_t a, std::uint8_t b) const;
    bool friendly(std::uint32_t a, std::uint32_t b) const {
        return relation(store.at(a).clan, store.at(b).clan) <= Relation::ally;
    }
    /// Registered, alive object of that id, or kNoSlot.
    std::uint32_t find_active(ObjectId object) const;
    void resize_slots();
    /// Index lists, statics and grid after the registry or positions changed.
    void refresh_lists();
    void refresh_grid();
    WorldEvent& event(EventKind kind, std::uint32_t slot);
};

/// Canonical bytes of blocks 1 to 17.
StateBlocks encode_state(const WorldState& state);
/// The record of one object in block 3, 4, 5 or 6; empty for other blocks.
Bytes encode_object(const WorldState& state, std::uint32_t slot, HashBlock block);

/// Copies the state into an immutable snapshot, objects ascending by id.
SnapshotPtr publish(const WorldState& state);

}  // namespace iron::world
