// Runs a message log again and holds every checkpoint against the recorded hashes (runtime.md 13, 14.10).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/session/message_log.hpp"
#include "server/world/ids.hpp"
#include "server/world/snapshot.hpp"
#include "shared/base/error.hpp"

namespace iron::mission {
struct MissionBlueprint;
struct ContentManifest;
}  // namespace iron::mission

namespace iron::session {

/// Loads the mission a log names, from the content the replay runs on.
using BlueprintLoader =
    std::function<Result<std::shared_ptr<const mission::MissionBlueprint>>(const LogHeader& header)>;

struct ReplayOptions {
    /// Called at every checkpoint with the hash of this run.
    std::function<void(world::Tick, const world::StateHash&)> on_checkpoint;
    /// Files of the content at hand; asked only when its fingerprint differs from the log's.
    std::function<Result<mission::ContentManifest>()> manifest;
    /// Stop after this tick; none = the whole log.
    std::optional<world::Tick> last_tick;
};

/// Ticks done, bytes of the log done and in all.
using ReplayProgress = std::function<void(world::Tick tick, std::uint64_t bytes_done, std::uint64_t bytes_total)>;

/// The first checkpoint whose hash differs.
struct Divergence {
    world::Tick tick = 0;           ///< of the checkpoint
    world::Tick last_good_tick = 0; ///< newest tick known to be equal
    std::vector<std::uint32_t> blocks;  ///< numbers of the blocks that differ, ascending; never empty but at the end record
    std::string block;              ///< name of the first one, e.g. "OBJECTS"
    std::optional<world::ObjectId> object;  ///< first differing object, if the log holds object digests
    Hash256 expected{}, actual{};
    /// "tick 150: block OBJECTS differs (object 0x00014003); equal up to tick 100"
    std::string to_string() const;
};

struct ReplayReport {
    world::Tick ticks = 0;          ///< simulated
    world::Tick final_tick = 0;
    Hash256 final_hash{};
    std::uint64_t session_commands = 0, commands = 0, manual_inputs = 0;
    std::uint32_t checkpoints = 0;  ///< compared and equal
    bool ended = false;             ///< the log has its end record
    protocol::LogTail tail = protocol::LogTail::complete;
    std::uint64_t cut_bytes = 0;
    std::optional<Divergence> divergence;
    bool verified() const { return !divergence; }
};

/// Re-runs the log; stops at the first difference. Errors: `other_sim_version` (made by other rules of the
/// program), `other_rules`, `other_content` (with the first file that differs, if the log holds a manifest),
/// `needs_save` (the log continues a save), those of loading, of the log, and of World::step.
Result<ReplayReport> replay_log(MessageLogReader& log, const BlueprintLoader& load, const ReplayOptions& options = {},
                                const ReplayProgress& progress = {});

}  // namespace iron::session
