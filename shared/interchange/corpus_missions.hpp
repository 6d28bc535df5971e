// What the missions of a game directory reach, apart from the health of its archives; and the registry of
// prototypes as an inventory. Source: mission.md 5, objects.md 2.4, 2.5.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shared/interchange/loaded_asset.hpp"
#include "shared/mission/dependency_graph.hpp"

namespace iron::interchange {

struct MissionReach {
    std::string data_path;
    std::optional<Error> error;     ///< the mission itself cannot be read
    mission::GraphTotals totals;
    /// Rows of the mission's sky.wea and textured phases behind them: the environment table of the demo's
    /// published totals (mission.md 5).
    std::uint64_t environment_slots = 0, environment_textures = 0;
    std::vector<mission::LoadFailure> failures, warnings;
};

/// Compatible profile, with everything that is drawn.
MissionReach reach_mission(const archive::Vfs& vfs, const std::string& data_path);
/// Facts "reach_components", "reach_texture_requests" ...
void count_reach(const MissionReach& mission, Facts& facts);
Json reach_json(const MissionReach& mission);
Json failure_json(const mission::LoadFailure& failure);

/// Every key of objects.rlb, resolved. Broken ones that no mission needs are normal.
struct RegistryHealth {
    std::map<std::string, std::uint64_t> statuses;  ///< by status code
    std::vector<std::pair<std::string, std::string>> unresolved;  ///< key, status; also without geometry
    std::uint64_t keys = 0, direct_meshes = 0, parent_meshes = 0;
};
RegistryHealth check_registry(const archive::Vfs& vfs);
Json registry_json(const RegistryHealth& registry);

}  // namespace iron::interchange
