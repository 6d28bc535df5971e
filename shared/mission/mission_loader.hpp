// Staged loading of a mission, stages 1-5 of mission.md 4 / runtime.md 6; the world does 6-8.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/mission/blueprint.hpp"

namespace iron::archive {
class Vfs;
}

namespace iron::mission {

enum class LoadStage : std::uint8_t {
    context = 1, foundation = 2, description = 3, prototypes = 4, resources = 5
};
/// "context", "world foundation", "mission description", "prototype resolution", "resource preparation"
std::string_view load_stage_name(LoadStage stage);

struct LoadProgress {
    LoadStage stage = LoadStage::context;
    std::uint64_t done = 0, total = 0;  ///< units of the stage, total 0 = unknown
    std::string_view current;           ///< file or key at work
};
using LoadProgressFn = std::function<void(const LoadProgress&)>;

struct LoadOptions {
    ReadProfile profile = ReadProfile::strict;
    Edition edition = Edition::part1;
    /// true (client, tools): WEAR, MAT0, textures and lightmaps are parsed and their failures stop
    /// the load, the terrain's WEAR tables too. false (server): their existence is verified and
    /// reported as warnings; models, control and collision data are always parsed.
    bool visuals = false;
    /// Digest to put into the blueprint; computed from the files when absent (reads them all).
    std::optional<Hash256> content_fingerprint;
    /// Include the schemes of BuildDat, `mission.cfg` and research names in `schemes`/`prototypes`.
    bool buildable = true;
};

/// One failure or warning with everything mission.md 5.1 asks for. Empty = not applicable.
struct LoadFailure {
    LoadStage stage = LoadStage::context;
    std::string code;          ///< `missing_unit_dat`, `broken_mesh_reference`, ...
    std::string mission;
    std::int64_t object_index = -1;
    std::string object_name;   ///< resource name of the placed object
    std::string scheme_path;
    std::int64_t record_index = -1;
    std::string key;           ///< resolved prototype key
    std::string archive;
    std::string entry;
    std::string edge;          ///< edge kind of the dependency graph
    std::optional<std::uint64_t> offset;
    std::string cause;         ///< one sentence, the parse error included

    /// "mission X: object 3 'units/a.dat': record 1: prototype 'k': a.rlb: entry 'b': cause [code]"
    std::string to_string() const;
};

/// Loads a mission. `mission` is a key (`missions/single.01`) or the path of its `data.tma`, any
/// letter case, both separators. All failures of a stage are collected into `failures` (if given)
/// and into the error, whose code is that of the first one; nothing partial is returned.
Result<std::shared_ptr<const MissionBlueprint>> load_mission(
    const archive::Vfs& vfs, std::string_view mission, const LoadOptions& options = {},
    const LoadProgressFn& progress = {}, std::vector<LoadFailure>* failures = nullptr);

/// Resolves a scheme that is not part of the mission (sent by a player). Every component must be
/// among `blueprint.prototypes`. Errors: those of unit DAT, `missing_component`, `empty_component`,
/// `dat_tree_mismatch`.
Result<std::shared_ptr<const Assembly>> assemble_scheme(const MissionBlueprint& blueprint,
                                                        std::string_view path,
                                                        const asset::UnitDat& dat);

/// A mission found on disk.
struct MissionEntry {
    std::string key;        ///< lower case folder, '/'
    std::string data_path;  ///< as found on disk; empty if the folder has no `data.tma`
    std::string title;      ///< first line of `descr`, CP1251; may be empty
    std::string group;      ///< "single", "tutorial", "campaign", "autodemo"
    std::string campaign;   ///< key of the campaign folder, campaign missions only
};

/// The mission lists as the menu scans them (mission.md 1, runtime.md 3.3): indices upward from 01
/// (a 00 folder is taken too), stopping at the first folder without `descr`; then `autodemo.00`.
std::vector<MissionEntry> list_missions(const archive::Vfs& vfs);

struct MissionKey {
    std::string key;        ///< lower case folder, '/'
    std::string data_path;  ///< normalised path of `data.tma`
};
/// Syntax only, the file need not exist. Errors: those of path normalisation, `bad_mission_key`.
Result<MissionKey> parse_mission_key(std::string_view mission);

}  // namespace iron::mission
