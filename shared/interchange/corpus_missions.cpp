#include "shared/interchange/corpus_missions.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "shared/asset/material.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "shared/mission/prototype_registry.hpp"

namespace iron::interchange {
namespace {

/// Textured phases of a material by the fallback chain; 0 when there is none.
std::uint64_t textured_phases(archive::ArchiveCache& archives, std::string_view name) {
    auto found = archives.find("Material.lib", name);
    if (!found) found = archives.find("Material.lib", "DEFAULT");
    if (!found) return 0;
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const archive::NresEntry& entry = found->entry();
    const auto material = asset::read_material(found->bytes, {entry.attr1, entry.attr2, entry.attr3}, context);
    if (!material) return 0;
    return static_cast<std::uint64_t>(
        std::count_if(material->phases.begin(), material->phases.end(), [](const asset::MaterialPhase& p) { return p.textured(); }));
}

void count_environment(const archive::Vfs& vfs, MissionReach& out) {
    const std::size_t slash = out.data_path.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : out.data_path.substr(0, slash + 1);
    const auto bytes = vfs.read(folder + "sky.wea");
    if (!bytes) return;
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto wear = asset::read_wear(*bytes, context);
    if (!wear) return;
    archive::ArchiveCache archives(vfs);
    out.environment_slots = wear->materials.size();
    for (const asset::WearRow& row : wear->materials) out.environment_textures += textured_phases(archives, row.name);
}

}  // namespace

MissionReach reach_mission(const archive::Vfs& vfs, const std::string& data_path) {
    MissionReach out;
    out.data_path = data_path;
    mission::LoadOptions options;
    options.profile = ReadProfile::compatible;
    options.visuals = true;
    options.content_fingerprint = Hash256{};  // nobody asks for it here
    const auto graph = mission::build_graph(vfs, data_path, options);
    if (!graph) {
        out.error = graph.error();
        return out;
    }
    out.totals = (*graph)->totals;
    out.failures = (*graph)->failures;
    out.warnings = (*graph)->warnings;
    count_environment(vfs, out);
    return out;
}

void count_reach(const MissionReach& m, Facts& facts) {
    const mission::GraphTotals& t = m.totals;
    facts["reach_missions"] += 1;
    facts["reach_unreadable"] += m.error ? 1 : 0;
    facts["reach_direct_references"] += t.direct_references;
    facts["reach_unit_references"] += t.unit_references;
    facts["reach_components"] += t.components;
    facts["reach_prototype_requests"] += t.prototype_requests;
    facts["reach_msh_requests"] += t.msh_requests;
    facts["reach_wear_requests"] += t.wear_requests;
    facts["reach_material_slots"] += t.material_slots;
    facts["reach_texture_requests"] += t.texture_requests;
    facts["reach_lightmap_requests"] += t.lightmap_requests;
    facts["reach_material_slots_environment"] += t.material_slots + m.environment_slots;
    facts["reach_texture_requests_environment"] += t.texture_requests + m.environment_textures;
    facts["reach_failures"] += t.failures + (m.error ? 1 : 0);
}

Json failure_json(const mission::LoadFailure& f) {
    Json out{{"code", f.code}, {"stage", load_stage_name(f.stage)}};
    if (f.object_index >= 0) out["object"] = f.object_index;
    if (!f.object_name.empty()) out["object_name"] = display_text(f.object_name);
    if (!f.scheme_path.empty()) out["scheme"] = display_text(f.scheme_path);
    if (f.record_index >= 0) out["record"] = f.record_index;
    if (!f.key.empty()) out["prototype"] = display_text(f.key);
    if (!f.archive.empty()) out["archive"] = display_text(f.archive);
    if (!f.entry.empty()) out["entry"] = display_text(f.entry);
    if (f.offset) out["offset"] = *f.offset;
    out["edge"] = f.edge;
    out["cause"] = display_text(f.cause);
    return out;
}

Json reach_json(const MissionReach& m) {
    Json out{{"mission", display_text(m.data_path)}};
    if (m.error) {
        out["error"] = error_json(*m.error);
        return out;
    }
    const mission::GraphTotals& t = m.totals;
    out.update({{"paths", t.paths}, {"clans", t.clans}, {"objects", t.objects}, {"extras", t.extras},
                {"direct_references", t.direct_references}, {"unit_references", t.unit_references}, {"components", t.components},
                {"prototype_requests", t.prototype_requests}, {"non_geometric", t.non_geometric},
                {"msh_requests", t.msh_requests}, {"wear_requests", t.wear_requests}, {"material_slots", t.material_slots},
                {"texture_requests", t.texture_requests}, {"lightmap_requests", t.lightmap_requests}});
    out["environment"] = {{"slots", m.environment_slots}, {"textures", m.environment_textures}};
    Json failures = Json::array();
    for (const auto& f : m.failures) failures.push_back(failure_json(f));
    out["failures"] = std::move(failures);
    std::map<std::string, std::uint64_t> warnings;
    for (const auto& w : m.warnings) warnings[w.code] += 1;
    out["warnings"] = warnings;
    return out;
}

RegistryHealth check_registry(const archive::Vfs& vfs) {
    RegistryHealth out;
    archive::ArchiveCache archives(vfs);
    mission::ResourceLocator locator(archives, ReadProfile::compatible);
    mission::PrototypeRegistry registry(locator);
    for (const std::string& key : registry.keys()) {
        ++out.keys;
        const auto resolution = registry.resolve(key);
        const std::string status(status_code(resolution->status));
        out.statuses[status] += 1;
        if (resolution->status != mission::PrototypeStatus::resolved) out.unresolved.emplace_back(key, status);
        bool direct = false, parent = false;
        for (const auto& ref : resolution->references) {
            if (!ascii_iends_with(ref.resource, ".msh")) continue;
            (ref.depth == 0 ? direct : parent) = true;
        }
        out.direct_meshes += direct ? 1 : 0;
        out.parent_meshes += !direct && parent ? 1 : 0;
    }
    return out;
}

Json registry_json(const RegistryHealth& r) {
    Json unresolved = Json::array();
    for (const auto& [key, status] : r.unresolved) unresolved.push_back({{"key", text_json(key)}, {"status", status}});
    return Json{{"keys", r.keys}, {"direct_meshes", r.direct_meshes}, {"meshes_through_parents", r.parent_meshes},
                {"statuses", r.statuses}, {"not_resolved", std::move(unresolved)}};
}

}  // namespace iron::interchange
