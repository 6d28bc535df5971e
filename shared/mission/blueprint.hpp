// MissionBlueprint: an immutable, fully resolved mission; the only thing a world is built from.
// Sources: mission.md 2-5, objects.md 1-3 and 14, runtime.md 6, simulation.md 3.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shared/asset/base_contour.hpp"
#include "shared/asset/build_dat.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/research_tree.hpp"
#include "shared/asset/script_package.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/asset/varset.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/hash.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {
struct LandMesh;
struct LandMap;
}  // namespace iron::asset

namespace iron::mission {

class DependencyGraph;

/// Component class of a created object (objects.md 14, runtime.md 3.2).
enum class LogicId : std::uint32_t {
    landscape = 1, weapon_agent = 2, building = 3, unit = 4, camera = 5, atmosphere = 7,
    projectile = 9, static_object = 10, research = 11, agent = 12
};

/// One reference of an effective list, with the prototype it came from.
struct EffectiveReference {
    std::string archive;   ///< path relative to the root, trimmed, letter case kept
    std::string resource;  ///< entry name, trimmed
    std::string source;    ///< key of the prototype that stores it (own or an ancestor)
    std::uint32_t depth = 0;  ///< 0 = own
    bool operator==(const EffectiveReference&) const = default;
};

/// Bounds of the model header (models.md 3.1), model space, wu.
struct ModelBounds {
    std::array<Vec3, 8> corners{};
    Vec3 sphere_centre;
    float sphere_radius = 0;
    Vec3 bottom, top;      ///< segment ends
    float radius_xy = 0;   ///< collision radius in the ground plane
};

/// One piece (node) of a model as the simulation needs it (simulation.md 3.4).
struct ModelPiece {
    std::string name;          ///< node string, may be empty
    std::int32_t parent = -1;  ///< piece index, -1 none
    bool has_bounds = false;   ///< false: the piece is a point
    Vec3 box_min, box_max;     ///< state 0, LOD 0 slot, local to the piece, wu
    Mat3 rest_rotation{};      ///< piece -> model in the fallback pose (frame 0)
    Vec3 rest_position;        ///< piece origin in model space, wu
};

/// A prototype with everything the simulation may ask about it. Shared by all its uses.
struct ResolvedPrototype {
    std::string key;         ///< name of the `objects.rlb` entry, or the key as asked when direct
    std::string folded_key;  ///< ASCII lower case; the key of `MissionBlueprint::prototypes`
    std::vector<EffectiveReference> references;

    bool geometric = false;
    std::string model_archive, model_entry;  ///< empty if not geometric
    std::string wear_entry;                  ///< sibling WEAR in the model's archive
    ModelBounds bounds;                      ///< zero if not geometric
    std::vector<ModelPiece> pieces;          ///< empty if not geometric

    /// First reference of each extension; null if there is none (a missing target is a warning).
    std::shared_ptr<const asset::BaseContour> contour;
    std::shared_ptr<const asset::ControlResource> control;
    std::shared_ptr<const asset::ControlPoints> control_points;
    std::shared_ptr<const asset::DamageRecords> damage;

    /// Ground-plane radius, 0 if not geometric. wu.
    float radius() const { return bounds.radius_xy; }
};

/// One record of a unit scheme, or the only component of a directly placed prototype.
struct ComponentBlueprint {
    std::uint32_t record = 0;         ///< record index in the scheme file
    std::int32_t parent_record = -1;  ///< -1 root
    std::int32_t attach_index = -1;   ///< objects.md 3.4
    std::int32_t entry_type = -1;     ///< asset::UnitEntryType
    std::string key;                  ///< prototype key as written
    std::string description;          ///< CP1251
    std::shared_ptr<const ResolvedPrototype> prototype;  ///< never null
};

/// The parts of an object: a unit scheme, or one prototype.
struct Assembly {
    bool is_scheme = false;
    std::string path;         ///< scheme file, normalised with '/', letter case kept; else the key
    std::string folded_path;  ///< ASCII lower case
    std::uint32_t scheme_type = 0;  ///< 0 for a direct prototype
    bool well_formed = true;        ///< the records form a tree
    std::vector<ComponentBlueprint> components;  ///< file order (pre-order); may be empty

    bool is_building() const { return (scheme_type & asset::kSchemeBuildingBit) != 0; }
};

/// One placed object, raw values kept.
struct ObjectBlueprint {
    std::uint32_t file_index = 0;  ///< identity for tools
    std::uint32_t raw_kind = 0;    ///< asset::ObjectKind
    std::uint32_t class_word = 0;
    std::string resource;          ///< as written
    std::int32_t owner = -1;       ///< clan index of the placed-object word, -1 none
    std::uint32_t order = 0;
    Vec3 position, orientation, scale;  ///< mission.md 2.7
    std::string name;
    std::uint32_t word_after_name = 0;
    std::int32_t link0 = -1, link1 = -1;
    std::vector<asset::TmaProperty> properties;  ///< file order, duplicates kept
    LogicId logic_id = LogicId::static_object;
    std::shared_ptr<const Assembly> assembly;    ///< never null

    std::uint32_t scheme_type() const { return assembly->scheme_type; }
    /// First property of that name (exact case), or null.
    const asset::TmaProperty* property(std::string_view property_name) const;
};

struct ScriptBundle {
    std::string package_path;    ///< resolved, normalised
    std::string variables_path;  ///< the clan's own file or the shared set
    asset::ScriptPackage package;
    asset::VariableSet variables;
    Hash256 package_hash{};      ///< SHA-256 of the file bytes
    Hash256 variables_hash{};
    std::string formulas_path;   ///< empty if absent
};

struct ClanRelation {
    std::string clan;              ///< as written
    std::int32_t clan_index = -1;  ///< first clan of that name, -1 unknown
    std::int32_t value = 0;        ///< 1 = ally
};

struct ClanBlueprint {
    std::uint32_t index = 0;
    std::string name;  ///< CP1251
    std::int32_t raw_id = 0;
    float anchor_x = 0, anchor_y = 0;
    /// Anchor truncated toward zero, only for a clan with a script (script.md 4, handler 19).
    std::uint32_t base_x = 0, base_y = 0;
    asset::ClanMode mode = asset::ClanMode::environment;
    std::string script_base;    ///< as written; empty = no script
    std::int32_t first_tag = 0, second_tag = 0;
    std::string research_path;  ///< as written; may be empty
    std::vector<ClanRelation> relations;
    std::shared_ptr<const ScriptBundle> script;          ///< null without a script
    std::shared_ptr<const asset::ResearchTree> research;  ///< null if none or missing (warning)
};

/// A category of `BuildDat.lst` with its schemes, in file order.
struct BuildCategoryBlueprint {
    std::string name;
    std::uint32_t mask = 0;
    std::vector<std::shared_ptr<const Assembly>> schemes;  ///< missing files are left out (warning)
};

struct MissionBlueprint {
    std::string key;        ///< folder of `data.tma`, lower case, '/', e.g. `missions/single.01`
    std::string data_path;  ///< path of `data.tma` as found on disk
    Edition edition = Edition::part1;
    Hash256 content_fingerprint{};

    std::string land_path;  ///< as written
    std::shared_ptr<const asset::LandMesh> land_mesh;  ///< never null
    std::shared_ptr<const asset::LandMap> land_map;    ///< never null
    asset::BuildDat build_dat;
    std::vector<BuildCategoryBlueprint> build_categories;
    std::vector<std::shared_ptr<const Assembly>> prebuild_schemes;  ///< of `mission.cfg`, file order

    std::vector<ClanBlueprint> clans;
    std::vector<asset::TmaPath> paths;
    std::vector<ObjectBlueprint> objects;  ///< file order
    std::vector<asset::TmaExtra> extras;
    std::uint32_t mission_flag = 0;
    std::string description;  ///< raw

    std::optional<asset::IniDocument> behavior;  ///< `Behavior.ini`, absent = warning
    std::optional<asset::CompIni> components;    ///< `Comp.ini`, absent = warning

    /// Every scheme (folded path) and prototype (folded key) reachable from this mission: placed
    /// objects, BuildDat, prebuild schemes, and components named by the research trees.
    std::map<std::string, std::shared_ptr<const Assembly>, std::less<>> schemes;
    std::map<std::string, std::shared_ptr<const ResolvedPrototype>, std::less<>> prototypes;

    std::shared_ptr<const DependencyGraph> graph;  ///< never null
    std::vector<Diagnostic> diagnostics;           ///< warnings of all stages, in order

    /// By path in any case with either separator, or null.
    std::shared_ptr<const Assembly> find_scheme(std::string_view path) const;
    std::shared_ptr<const ResolvedPrototype> find_prototype(std::string_view prototype_key) const;
};

}  // namespace iron::mission
