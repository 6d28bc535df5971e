// The world of one match, a value: no singleton, several in one process. It is built from a
// blueprint (stages 6 to 8 of runtime.md 6.1) and advanced one tick at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/world/ids.hpp"
#include "server/world/input.hpp"
#include "server/world/rules.hpp"
#include "server/world/sim_version.hpp"
#include "server/world/snapshot.hpp"
#include "server/world/state_hash.hpp"
#include "shared/base/error.hpp"

namespace iron::mission {
struct MissionBlueprint;
}

namespace iron::world {

enum class GameMode : std::uint8_t { campaign, single, tutorial, multiplayer };

struct WorldOptions {
    GameMode mode = GameMode::multiplayer;
    /// Registration in file order of the TMA instead of DD-RT-04, for comparisons.
    bool file_order = false;
    /// Fault injection of the load transaction: fails in place of registration n (0-based).
    std::optional<std::uint32_t> fail_registration;
};

/// What loading found out; presentation and logs only.
struct WorldReport {
    float height_scale = 1;          ///< DD-SIM-03
    std::uint32_t height_samples = 0;
    std::uint32_t objects = 0;
    /// A failed load: objects constructed, registered and released again.
    std::uint32_t constructed = 0, registered = 0, released = 0;
    std::vector<std::string> notes;
};

struct WorldState;

class World {
public:
    /// Constructs all objects pending, cross-checks them, registers them in order (DD-RT-04). On an error
    /// everything is released and `report`, if given, says how many. The world starts at tick 0.
    /// Errors carry phase "mission load 6/7/8".
    static Result<std::unique_ptr<World>> create(std::shared_ptr<const mission::MissionBlueprint> blueprint,
                                                 const Rules& rules, std::uint64_t match_seed,
                                                 WorldOptions options = {},
                                                 WorldReport* report = nullptr);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Phases 1 to 6 of one tick. `input.tick` must be tick() + 1 (`bad_tick`) and the input sorted as
    /// InputFrame says (`input_not_sorted`); both errors leave the world untouched.
    ///
    /// A `pause` in the frame takes effect after this tick. While paused a frame without `resume` runs
    /// no tick: its session commands are applied, its commands are answered `paused`, the snapshot
    /// is published again with the same tick and only those events; tick() stays. A frame with
    /// `resume` runs its tick in full. So a driver that logs every frame it passes here replays exactly.
    Status step(const InputFrame& input);

    /// The state after the last step; immutable, never null. Tick 0 right after create().
    SnapshotPtr snapshot() const;

    /// runtime.md 13, over the state after the last step.
    StateHash state_hash() const;
    StateBlocks state_blocks() const;
    /// One digest per object record, ascending by id; empty for blocks without object records.
    std::vector<ObjectDigest> object_digests(HashBlock block) const;

    Tick tick() const;
    bool paused() const;
    std::uint32_t scale_percent() const;  ///< decides when ticks happen, never what they do
    std::uint64_t match_seed() const;
    const Rules& rules() const;
    const mission::MissionBlueprint& blueprint() const;
    const WorldReport& report() const;

    /// The whole state, for the hash tests and for diagnostics.
    const WorldState& state() const;
    WorldState& mutable_state();

private:
    World();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::world
