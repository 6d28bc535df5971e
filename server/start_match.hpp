// From settings to a match that can be joined: content, mission, world, log.
#pragma once

#include <memory>
#include <string>

#include "server/net/match_room.hpp"
#include "server/session/message_log.hpp"
#include "server/settings.hpp"
#include "server/world/world.hpp"
#include "shared/mission/fingerprint.hpp"

namespace iron::server {

/// Everything that is ready before the first player may come.
struct PreparedMatch {
    std::unique_ptr<session::Simulation> simulation;
    const world::World* world = nullptr;  ///< owned by `simulation`
    session::LogHeader log_header;
    net::RoomSettings room;
    std::uint32_t objects = 0;       ///< in the world at tick 0
    mission::ContentManifest manifest;  ///< behind the fingerprint
    std::vector<std::string> warnings;  ///< of the data, one line for each kind; raw bytes of the files
    std::vector<std::string> notes;     ///< of the world
};

/// Called with a sentence and done/total (total 0 = unknown) while content is read.
using StartProgress = std::function<void(const std::string& what, std::uint64_t done, std::uint64_t total)>;

/// Loads the mission and makes the world. Errors carry the whole chain.
Result<PreparedMatch> prepare_match(const ServerSettings& settings, const StartProgress& progress);

/// The log of --record, null without it; a file that is there already is kept as FILE.old. Called
/// once everything else is ready, so that a start that fails touches no older log.
Result<std::unique_ptr<session::InputRecorder>> open_recorder(const ServerSettings& settings,
                                                              const PreparedMatch& match);

}  // namespace iron::server
