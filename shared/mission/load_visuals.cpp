// Stage 5, what is seen: WEAR -> material slots -> MAT0 -> textures, light maps. Sources:
// materials.md 1.1, mission.md 3 and 5.
#include <algorithm>

#include "shared/asset/texture.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/load_session.hpp"

namespace iron::mission {

namespace {

constexpr char kMaterials[] = "Material.lib", kTextures[] = "Textures.lib",
               kLightMaps[] = "LightMap.lib", kDefaultMaterial[] = "DEFAULT";
constexpr std::uint32_t kWearType = archive::type_tag("WEAR"), kMaterialType = archive::type_tag("MAT0");

EdgeState state_of(const std::vector<Problem>& problems) {
    EdgeState out = EdgeState::ok;
    for (const auto& problem : problems)
        out = std::max(out, problem.warning ? EdgeState::warning : EdgeState::failed);
    return out;
}

std::string first_code(const std::vector<Problem>& problems) {
    return problems.empty() ? std::string{} : problems.front().code;
}
std::string first_cause(const std::vector<Problem>& problems) {
    return problems.empty() ? std::string{} : problems.front().cause;
}

}  // namespace

Problem LoadSession::visual_problem(EdgeKind edge, std::string code, ResourceName at,
                                    std::string cause) const {
    Problem out;
    out.warning = !options_.visuals;
    out.edge = edge;
    out.code = std::move(code);
    out.at = std::move(at);
    out.cause = std::move(cause);
    return out;
}

void LoadSession::read_model_wear(ModelUse& model, const ResourceName& name) {
    std::string stem = name.entry;
    if (ascii_iends_with(stem, ".msh")) stem.resize(stem.size() - 4);
    const ResourceName wear{name.archive, stem + ".wea"};
    const std::string label = wear.archive + "::" + wear.entry;
    const std::uint32_t node =
        graph_->node(NodeKind::wear, resource_identity(wear), label, wear.archive, wear.entry);
    const Located found = locator_.locate(wear.archive, wear.entry);
    const bool typed = found.status == PrototypeStatus::resolved &&
                       found.resource.entry().type_id == kWearType;
    if (typed) {
        model.wear_entry = found.resource.entry().name();
        walk_wear(model.wear, found.resource.bytes, node, wear);
    } else {
        model.wear.problems.push_back(
            visual_problem(EdgeKind::msh_wear, "missing_wear", wear,
                           found.status == PrototypeStatus::resolved ? "the entry is not of type WEAR"
                                                                     : found.cause));
    }
    const bool ok = typed;
    graph_->edge(model.node, node, EdgeKind::msh_wear, true,
                 ok ? EdgeState::ok : state_of(model.wear.problems),
                 ok ? "" : first_code(model.wear.problems), ok ? "" : first_cause(model.wear.problems));
    for (const auto& problem : model.wear.problems)
        if (problem.warning) report(problem, {});
}

void LoadSession::walk_wear(WearUse& use, ByteView bytes, std::uint32_t wear_node,
                            const ResourceName& name) {
    ReadContext context = read_context(name.archive, name.entry);
    const auto wear = asset::read_wear(bytes, context);
    keep(context);
    if (!wear) {
        Problem problem = visual_problem(EdgeKind::msh_wear, "parse_failure", name, wear.error().to_string());
        problem.offset = wear.error().frames().front().offset;
        use.problems.push_back(std::move(problem));
        return;
    }
    for (std::size_t row = 0; row < wear->materials.size(); ++row) {
        const std::string& material = wear->materials[row].name;
        const std::string identity = resource_identity(name) + "#" + std::to_string(row);
        const std::uint32_t slot = graph_->node(NodeKind::material_slot, identity,
                                                "row " + std::to_string(row) + " " + material);
        graph_->edge(wear_node, slot, EdgeKind::wear_slot, true);
        const MaterialUse& found = material_use(material);
        graph_->edge(slot, found.node, EdgeKind::slot_material, true, state_of(found.problems),
                     first_code(found.problems), first_cause(found.problems));
        ++use.slots;
        use.textures += found.textures;
        for (const auto& problem : found.problems)
            if (!problem.warning) use.problems.push_back(problem);
    }
    for (const auto& row : wear->lightmaps) {
        const ResourceName at{kLightMaps, row.name};
        const auto problems = texture_problems(kLightMaps, row.name, EdgeKind::wear_lightmap, "missing_lightmap");
        const std::uint32_t node = graph_->node(NodeKind::lightmap, resource_identity(at), row.name,
                                                at.archive, at.entry);
        graph_->edge(wear_node, node, EdgeKind::wear_lightmap, true, state_of(problems),
                     first_code(problems), first_cause(problems));
        ++use.lightmaps;
        use.problems.insert(use.problems.end(), problems.begin(), problems.end());
    }
}

const MaterialUse& LoadSession::material_use(const std::string& name) {
    const std::string folded = ascii_lower(name);
    if (const auto known = materials_.find(folded); known != materials_.end()) return known->second;
    MaterialUse& use = materials_[folded];
    const ResourceName asked{kMaterials, name};
    use.node = graph_->node(NodeKind::mat0, folded, name, kMaterials, name);

    bool missing = false;
    std::string cause;
    const auto library = locator_.open(kMaterials, missing, cause);
    const auto usable = [&](std::optional<std::size_t> index) {
        return index && *index < library->size() && library->entry(*index).type_id == kMaterialType;
    };
    std::optional<std::size_t> index;
    if (library) {
        // The fallback chain of materials.md 1.1.
        index = library->find(name);
        std::string_view instead;
        if (!usable(index)) {
            index = library->find(kDefaultMaterial);
            instead = kDefaultMaterial;
        }
        if (!usable(index)) {
            index = 0;
            instead = "entry 0";
        }
        if (!usable(index)) {
            index.reset();
            cause = "neither the name nor DEFAULT nor entry 0 is a material";
        } else if (!instead.empty()) {
            Problem problem = visual_problem(EdgeKind::slot_material, "material_fallback", asked,
                                             "material not found, " + std::string(instead) + " is used");
            problem.warning = true;
            use.problems.push_back(std::move(problem));
        }
    }
    if (!index) {
        use.problems.push_back(
            visual_problem(EdgeKind::slot_material, "missing_material", asked, std::move(cause)));
    } else {
        const auto& entry = library->entry(*index);
        ReadContext context = read_context(kMaterials, std::string(entry.name()));
        const auto material = asset::read_material(library->payload(*index),
                                                   {entry.attr1, entry.attr2, entry.attr3}, context);
        keep(context);
        if (!material) {
            Problem problem = visual_problem(EdgeKind::slot_material, "parse_failure",
                                             {kMaterials, std::string(entry.name())},
                                             material.error().to_string());
            problem.offset = material.error().frames().front().offset;
            use.problems.push_back(std::move(problem));
        } else {
            for (const auto& phase : material->phases) {
                if (!phase.textured()) continue;
                ++use.textures;
                const std::string texture(phase.texture.view());
                const auto problems = texture_problems(kTextures, texture, EdgeKind::material_texture,
                                                       "missing_texture");
                const ResourceName at{kTextures, texture};
                const std::uint32_t node = graph_->node(NodeKind::texm, resource_identity(at), texture,
                                                        at.archive, at.entry);
                graph_->edge(use.node, node, EdgeKind::material_texture, true, state_of(problems),
                             first_code(problems), first_cause(problems));
                use.problems.insert(use.problems.end(), problems.begin(), problems.end());
            }
        }
    }
    for (const auto& problem : use.problems)
        if (problem.warning) report(problem, {});
    return use;
}

std::vector<Problem> LoadSession::texture_problems(const std::string& archive, const std::string& name,
                                                   EdgeKind edge, std::string_view missing_code) {
    const ResourceName at{archive, name};
    const std::string identity = resource_identity(at);
    if (const auto known = textures_.find(identity); known != textures_.end()) return known->second;
    auto& out = textures_[identity];
    const Located found = locator_.locate(archive, name);
    if (found.status == PrototypeStatus::parse_failure) {
        out.push_back(visual_problem(edge, "parse_failure", at, found.cause));
    } else if (found.status != PrototypeStatus::resolved) {
        out.push_back(visual_problem(edge, std::string(missing_code), at, found.cause));
    } else if (options_.visuals) {
        ReadContext context = read_context(archive, name);
        const auto texture = asset::read_texture(found.resource.bytes, context);
        keep(context);
        if (!texture) {
            Problem problem = visual_problem(edge, "parse_failure", at, texture.error().to_string());
            problem.offset = texture.error().frames().front().offset;
            out.push_back(std::move(problem));
        }
    }
    return out;
}

// The terrain's own tables stand outside the object chain.
void LoadSession::read_land_wear() {
    for (const std::string_view suffix : {"1.wea", "2.wea"}) {
        const std::string path = blueprint_->land_path + std::string(suffix);
        const std::uint32_t node = graph_->node(NodeKind::wear, ascii_lower(path), path);
        Problem problem = visual_problem(EdgeKind::mission_land_wear, {}, {path, {}}, {});
        WearUse use;
        if (const auto bytes = read_file(path, problem, "missing_wear")) {
            walk_wear(use, bytes->view, node, {path, {}});
            graph_->totals.environment_slots += use.slots;
            graph_->totals.environment_textures += use.textures;
        } else {
            use.problems.push_back(std::move(problem));
        }
        graph_->edge(mission_node_, node, EdgeKind::mission_land_wear, options_.visuals,
                     state_of(use.problems), first_code(use.problems), first_cause(use.problems));
        report_all(use.problems, {});
    }
}

}  // namespace iron::mission
