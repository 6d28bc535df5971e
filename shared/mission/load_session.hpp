// The work behind load_mission and build_graph: one object per load. Private to this room.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shared/archive/archive_cache.hpp"
#include "shared/asset/material.hpp"
#include "shared/asset/mission_cfg.hpp"
#include "shared/mission/dependency_graph.hpp"
#include "shared/mission/prototype_registry.hpp"

namespace iron::mission {

/// A failure or warning before it is known which object suffers from it.
struct Problem {
    bool warning = false;
    EdgeKind edge = EdgeKind::object_prototype;
    std::string code;
    std::string key;
    ResourceName at;
    std::string cause;
    std::optional<std::uint64_t> offset;
};

/// Who uses a shared thing. `placed` is false for schemes that may only be built later: their
/// failures are warnings.
struct UseContext {
    std::int64_t object_index = -1;
    std::string object_name;
    std::string scheme_path;
    std::int64_t record_index = -1;
    bool placed = true;
};

struct MaterialUse {
    std::uint32_t node = 0;
    std::uint64_t textures = 0;  ///< phases with a texture name
    std::vector<Problem> problems;
};

/// WEAR rows with everything below them.
struct WearUse {
    std::uint64_t slots = 0, textures = 0, lightmaps = 0;
    std::vector<Problem> problems;
};

struct ModelUse {
    std::uint32_t node = 0;
    ModelBounds bounds;
    std::vector<ModelPiece> pieces;
    std::string wear_entry;
    WearUse wear;
    std::vector<Problem> problems;
};

struct PrototypeUse {
    std::shared_ptr<const PrototypeResolution> resolution;
    std::shared_ptr<ResolvedPrototype> value;
    std::uint32_t node = 0;
    bool prepared = false;
    const ModelUse* model = nullptr;
    std::vector<Problem> resolution_problems;  ///< stage 4
    std::vector<Problem> resource_problems;    ///< stage 5, without those of the model

    bool usable() const;
};

struct SchemeUse {
    std::shared_ptr<Assembly> assembly;  ///< null when the file cannot be used
    std::uint32_t node = 0;
    std::vector<Problem> problems;       ///< of the file
    std::vector<PrototypeUse*> parts;    ///< per record; null for an empty key
    std::vector<std::uint32_t> part_nodes;

    bool usable() const;
};

class LoadSession {
public:
    LoadSession(const archive::Vfs& vfs, const LoadOptions& options, const LoadProgressFn& progress,
                bool keep_going);

    /// Stages 1-5. An error is the first stage with failures (with keep_going only what makes going
    /// on impossible).
    Status run(std::string_view mission);
    std::shared_ptr<MissionBlueprint> take_blueprint() { return std::move(blueprint_); }
    std::shared_ptr<DependencyGraph> graph() const { return graph_; }

private:
    // load_stages.cpp: 1-3.
    Status stage_context(std::string_view mission);
    Status stage_foundation();
    Status stage_description();
    void read_settings();
    void read_clans(const asset::Tma& tma);
    void read_clan(const asset::TmaClan& source, ClanBlueprint& clan);
    std::shared_ptr<const ScriptBundle> read_script(const asset::TmaClan& source, std::uint32_t clan_node);
    std::shared_ptr<const asset::ResearchTree> read_research(const std::string& path,
                                                             std::uint32_t clan_node);
    void check_placed_names(const asset::Tma& tma);

    // load_prototypes.cpp: 4.
    Status stage_prototypes();
    void place_object(std::uint32_t index);
    void find_buildable();
    std::shared_ptr<const Assembly> buildable_scheme(const std::string& path);
    SchemeUse& scheme_use(const std::string& path);
    void add_record(SchemeUse& scheme, std::uint32_t index, const asset::UnitRecord& record,
                    std::int32_t parent);
    PrototypeUse& prototype_use(std::shared_ptr<const PrototypeResolution> resolution);

    // load_resources.cpp: 5.
    Status stage_resources();
    void prepare(PrototypeUse& use);
    void prepare_references(PrototypeUse& use);
    template <class T, class Read>
    std::shared_ptr<const T> parse_resource(PrototypeUse& use, const EffectiveReference& reference,
                                            std::map<std::string, std::shared_ptr<const T>>& cache,
                                            Read read);
    bool check_reference(PrototypeUse& use, const EffectiveReference& reference, Located& found);
    ModelUse& model_use(const ResourceName& model);
    void finish_blueprint();

    // load_visuals.cpp: WEAR, MAT0, textures, light maps.
    void read_model_wear(ModelUse& model, const ResourceName& name);
    void walk_wear(WearUse& use, ByteView bytes, std::uint32_t wear_node, const ResourceName& name);
    const MaterialUse& material_use(const std::string& name);
    std::vector<Problem> texture_problems(const std::string& archive, const std::string& name,
                                          EdgeKind edge, std::string_view missing_code);
    void read_land_wear();
    /// Visual problems stop a load only when visuals are asked for.
    Problem visual_problem(EdgeKind edge, std::string code, ResourceName at, std::string cause) const;

    // load_session.cpp: reporting.
    void report(const Problem& problem, const UseContext& use);
    void report_all(const std::vector<Problem>& problems, const UseContext& use);
    void report_prototype(const PrototypeUse& use, const UseContext& context, bool resources);
    Status end_of_stage();
    void enter(LoadStage stage, std::uint64_t total);
    void step(std::string_view current);
    ReadContext read_context(std::string path, std::string entry = {}) const;
    void keep(const ReadContext& context);
    archive::PathProfile path_profile() const;
    /// Reads a file named by data. On failure nullopt; `problem` gets code and cause.
    std::optional<archive::SharedBytes> read_file(std::string_view path, Problem& problem,
                                                  std::string_view missing_code);

    const archive::Vfs& vfs_;
    const LoadOptions& options_;
    const LoadProgressFn& progress_fn_;
    const bool keep_going_;
    archive::ArchiveCache archives_;
    ResourceLocator locator_;
    PrototypeRegistry registry_;

    std::shared_ptr<MissionBlueprint> blueprint_ = std::make_shared<MissionBlueprint>();
    std::shared_ptr<DependencyGraph> graph_ = std::make_shared<DependencyGraph>();
    std::uint32_t mission_node_ = 0;
    archive::SharedBytes tma_bytes_;
    asset::MissionCfg mission_cfg_;
    LoadProgress progress_;
    std::size_t stage_first_failure_ = 0;

    std::map<std::string, SchemeUse> schemes_;        // folded path
    std::map<std::string, PrototypeUse> prototypes_;  // folded key
    std::vector<PrototypeUse*> prototype_order_;      // first use first
    std::vector<SchemeUse*> object_schemes_;          // per object, null for a direct key
    std::vector<PrototypeUse*> object_prototypes_;    // per object, null for a scheme
    std::map<std::string, ModelUse> models_;          // folded archive::entry
    std::map<std::string, MaterialUse> materials_;    // folded name
    std::map<std::string, std::vector<Problem>> textures_;  // folded archive::name
    std::map<std::string, std::shared_ptr<const ScriptBundle>> scripts_;          // folded base
    std::map<std::string, std::shared_ptr<const asset::ResearchTree>> research_;  // folded path
    std::map<std::string, std::shared_ptr<const asset::ControlResource>> controls_;
    std::map<std::string, std::shared_ptr<const asset::ControlPoints>> points_;
    std::map<std::string, std::shared_ptr<const asset::DamageRecords>> damages_;
    std::map<std::string, std::shared_ptr<const asset::BaseContour>> contours_;
};

/// "folded archive::folded entry".
std::string resource_identity(const ResourceName& name);

}  // namespace iron::mission
