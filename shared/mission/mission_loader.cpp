#include "shared/mission/mission_loader.hpp"

#include "shared/archive/path.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/load_session.hpp"

namespace iron::mission {

Result<std::shared_ptr<const MissionBlueprint>> load_mission(const archive::Vfs& vfs,
                                                             std::string_view mission,
                                                             const LoadOptions& options,
                                                             const LoadProgressFn& progress,
                                                             std::vector<LoadFailure>* failures) {
    LoadSession session(vfs, options, progress, false);
    Status done = session.run(mission);
    if (failures) *failures = session.graph()->failures;
    if (!done) return tl::unexpected(std::move(done).error());
    return std::shared_ptr<const MissionBlueprint>(session.take_blueprint());
}

Result<std::shared_ptr<const DependencyGraph>> build_graph(const archive::Vfs& vfs,
                                                           std::string_view mission,
                                                           const LoadOptions& options,
                                                           const LoadProgressFn& progress) {
    LoadSession session(vfs, options, progress, true);
    IRON_CHECK(session.run(mission));
    return std::shared_ptr<const DependencyGraph>(session.graph());
}

Result<std::shared_ptr<const Assembly>> assemble_scheme(const MissionBlueprint& blueprint,
                                                        std::string_view path,
                                                        const asset::UnitDat& dat) {
    IRON_TRY(const archive::DataPath normal, archive::normalize_path(path));
    const asset::UnitTree tree = asset::build_unit_tree(dat);
    if (!tree.well_formed)
        return tl::unexpected(
            Error("dat_tree_mismatch", "the records do not form one tree").in(normal.text));
    auto out = std::make_shared<Assembly>();
    out->is_scheme = true;
    out->path = normal.text;
    out->folded_path = normal.key();
    out->scheme_type = dat.scheme_type;
    for (std::uint32_t i = 0; i < dat.records.size(); ++i) {
        const auto& record = dat.records[i];
        ComponentBlueprint component;
        component.record = i;
        component.parent_record = tree.parent[i];
        component.attach_index = record.attach_index;
        component.entry_type = record.entry_type;
        component.key = ascii_trim(record.prototype.view());
        component.description = record.description.view();
        const std::string label = "record " + std::to_string(i);
        if (component.key.empty())
            return tl::unexpected(
                Error("empty_component", "the prototype key is empty").in(normal.text).object(label));
        component.prototype = blueprint.find_prototype(component.key);
        if (!component.prototype)
            return tl::unexpected(Error("missing_component", "prototype '" + component.key +
                                                                 "' is not available in this mission")
                                      .in(normal.text)
                                      .object(label));
        out->components.push_back(std::move(component));
    }
    return std::shared_ptr<const Assembly>(std::move(out));
}

}  // namespace iron::mission
