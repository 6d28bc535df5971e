// Stage 5: models, control and collision data of every prototype in use; the finished blueprint.
// Sources: objects.md 2.2, models.md 3 and 8, runtime.md 6.1.
#include <algorithm>

#include "shared/asset/msh.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/load_session.hpp"

namespace iron::mission {

namespace {

std::string_view extension_of(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(dot);
}

ModelBounds bounds_of(const asset::MshHeader& header) {
    ModelBounds out;
    out.corners = header.corners;
    out.sphere_centre = header.sphere_centre;
    out.sphere_radius = header.sphere_radius;
    out.bottom = header.segment_bottom;
    out.top = header.segment_top;
    out.radius_xy = header.segment_radius;
    return out;
}

std::vector<ModelPiece> pieces_of(const asset::MshModel& model) {
    const auto matrices = asset::fallback_pose(model, asset::MshProfile{});
    std::vector<ModelPiece> out(model.nodes.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const asset::MshNode& node = model.nodes[i];
        ModelPiece& piece = out[i];
        piece.name = model.node_string(i);
        piece.parent = node.parent == asset::kNone16 ? -1 : static_cast<std::int32_t>(node.parent);
        const std::uint16_t slot = node.slot(0, 0);
        if (slot < model.slots.size()) {
            piece.has_bounds = true;
            piece.box_min = model.slots[slot].box_min;
            piece.box_max = model.slots[slot].box_max;
        }
        const auto& m = matrices[i].m;
        piece.rest_rotation = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
        piece.rest_position = {m[3], m[7], m[11]};
    }
    return out;
}

}  // namespace

Status LoadSession::stage_resources() {
    enter(LoadStage::resources, prototype_order_.size());
    for (PrototypeUse* use : prototype_order_) {
        prepare(*use);
        step(use->resolution->key);
    }
    read_land_wear();

    auto& totals = graph_->totals;
    const auto count = [&](const PrototypeUse& part, const UseContext& use) {
        report_prototype(part, use, true);
        if (part.resolution->status != PrototypeStatus::resolved) return;
        ++totals.msh_requests;
        ++totals.wear_requests;
        if (!part.model) return;
        totals.material_slots += part.model->wear.slots;
        totals.texture_requests += part.model->wear.textures;
        totals.lightmap_requests += part.model->wear.lightmaps;
    };
    for (std::size_t i = 0; i < blueprint_->objects.size(); ++i) {
        UseContext use;
        use.object_index = static_cast<std::int64_t>(i);
        use.object_name = blueprint_->objects[i].resource;
        if (object_prototypes_[i]) count(*object_prototypes_[i], use);
        if (!object_schemes_[i]) continue;
        use.scheme_path = use.object_name;
        for (std::size_t record = 0; record < object_schemes_[i]->parts.size(); ++record) {
            use.record_index = static_cast<std::int64_t>(record);
            if (const auto* part = object_schemes_[i]->parts[record]) count(*part, use);
        }
    }
    IRON_CHECK(end_of_stage());
    finish_blueprint();
    return {};
}

void LoadSession::prepare(PrototypeUse& use) {
    if (use.prepared || !use.resolution->ok()) return;
    use.prepared = true;
    if (use.resolution->status == PrototypeStatus::resolved) {
        ModelUse& model = model_use(use.resolution->model);
        use.model = &model;
        use.value->bounds = model.bounds;
        use.value->pieces = model.pieces;
        use.value->wear_entry = model.wear_entry;
        const bool ok = model.problems.empty();
        graph_->edge(use.node, model.node, EdgeKind::prototype_msh, true,
                     ok ? EdgeState::ok : EdgeState::failed, ok ? "" : model.problems.front().code,
                     ok ? "" : model.problems.front().cause);
    }
    prepare_references(use);
    for (const auto& problem : use.resource_problems)
        if (problem.warning) report(problem, {});
}

bool LoadSession::check_reference(PrototypeUse& use, const EffectiveReference& reference,
                                  Located& found) {
    found = locator_.locate(reference.archive, reference.resource);
    const ResourceName name{reference.archive, reference.resource};
    const std::uint32_t node = graph_->node(NodeKind::resource, resource_identity(name),
                                            name.archive + "::" + name.entry, name.archive, name.entry);
    if (found.status == PrototypeStatus::resolved) {
        graph_->edge(use.node, node, EdgeKind::prototype_resource, false);
        return true;
    }
    Problem problem;
    problem.warning = found.status != PrototypeStatus::parse_failure;
    problem.edge = EdgeKind::prototype_resource;
    problem.code = status_code(found.status);
    problem.key = reference.source;
    problem.at = name;
    problem.cause = found.cause;
    graph_->edge(use.node, node, problem.edge, false,
                 problem.warning ? EdgeState::warning : EdgeState::failed, problem.code, problem.cause);
    use.resource_problems.push_back(std::move(problem));
    return false;
}

// Reads the target once for all prototypes that share it. A target that exists but cannot be read
// is a failure: the simulation needs it.
template <class T, class Read>
std::shared_ptr<const T> LoadSession::parse_resource(
    PrototypeUse& use, const EffectiveReference& reference,
    std::map<std::string, std::shared_ptr<const T>>& cache, Read read) {
    Located found;
    if (!check_reference(use, reference, found)) return nullptr;
    const ResourceName name{reference.archive, reference.resource};
    const std::string identity = resource_identity(name);
    if (const auto known = cache.find(identity); known != cache.end() && known->second)
        return known->second;
    ReadContext context = read_context(name.archive, name.entry);
    auto parsed = read(found.resource.bytes, context);
    keep(context);
    if (parsed) return cache[identity] = std::make_shared<const T>(std::move(*parsed));

    Problem problem;
    problem.edge = EdgeKind::prototype_resource;
    problem.code = "parse_failure";
    problem.key = reference.source;
    problem.at = name;
    problem.cause = parsed.error().to_string();
    problem.offset = parsed.error().frames().front().offset;
    graph_->edge(use.node,
                 graph_->node(NodeKind::resource, identity, name.archive + "::" + name.entry),
                 problem.edge, false, EdgeState::failed, problem.code, problem.cause);
    use.resource_problems.push_back(std::move(problem));
    return nullptr;
}

// The first reference of each extension counts (objects.md 2.2, rule 6).
void LoadSession::prepare_references(PrototypeUse& use) {
    std::vector<std::string> seen{".msh"};
    ResolvedPrototype& value = *use.value;
    for (const auto& reference : use.resolution->references) {
        std::string extension = ascii_lower(extension_of(reference.resource));
        if (std::find(seen.begin(), seen.end(), extension) != seen.end()) continue;
        seen.push_back(extension);
        if (extension == ".ctl") {
            value.control = parse_resource(use, reference, controls_, asset::read_control_resource);
        } else if (extension == ".cpt") {
            value.control_points = parse_resource(use, reference, points_, asset::read_control_points);
        } else if (extension == ".ndp") {
            value.damage = parse_resource(use, reference, damages_, asset::read_damage_records);
        } else if (extension == ".bas") {
            value.contour = parse_resource(use, reference, contours_, asset::read_base_contour);
        } else {
            Located ignored;
            const bool found = check_reference(use, reference, ignored);
            const bool sibling = ascii_iequals(reference.archive, value.model_archive) &&
                                 ascii_iequals(reference.resource, value.wear_entry);
            if (extension == ".wea" && found && value.geometric && !sibling) {
                Problem problem;
                problem.warning = true;
                problem.edge = EdgeKind::msh_wear;
                problem.code = "wear_reference_differs";
                problem.key = reference.source;
                problem.at = {reference.archive, reference.resource};
                problem.cause = "the WEAR beside the model, '" + value.wear_entry + "', is used instead";
                use.resource_problems.push_back(std::move(problem));
            }
        }
    }
    ReadContext context = read_context("objects.rlb", value.key);
    const auto nodes = static_cast<std::uint32_t>(value.pieces.size());
    if (value.geometric && value.control_points)
        asset::check_control_points(*value.control_points, nodes, context);
    if (value.geometric && value.control && value.control->parsed()) {
        const std::size_t points = value.control_points ? value.control_points->points.size() : 0;
        asset::check_control_resource(*value.control, nodes, static_cast<std::uint32_t>(points), context);
    }
    keep(context);
}

ModelUse& LoadSession::model_use(const ResourceName& name) {
    const std::string identity = resource_identity(name);
    if (const auto known = models_.find(identity); known != models_.end()) return known->second;
    ModelUse& use = models_[identity];
    use.node = graph_->node(NodeKind::msh, identity, name.archive + "::" + name.entry, name.archive,
                            name.entry);
    const auto failed = [&](std::string cause, std::optional<std::uint64_t> offset) {
        Problem problem;
        problem.edge = EdgeKind::prototype_msh;
        problem.code = "parse_failure";
        problem.at = name;
        problem.cause = std::move(cause);
        problem.offset = offset;
        use.problems.push_back(std::move(problem));
    };
    const Located found = locator_.locate(name.archive, name.entry);
    if (found.status != PrototypeStatus::resolved) {
        failed(found.cause, {});
        return use;
    }
    ReadContext context = read_context(name.archive, name.entry);
    const auto model = asset::read_msh(found.resource.bytes, context);
    keep(context);
    if (model) {
        use.bounds = bounds_of(model->header);
        use.pieces = pieces_of(*model);
    } else {
        failed(model.error().to_string(), model.error().frames().front().offset);
    }
    read_model_wear(use, name);
    return use;
}

void LoadSession::finish_blueprint() {
    MissionBlueprint& out = *blueprint_;
    for (const auto& category : out.build_dat.categories) {
        if (!options_.buildable) break;
        BuildCategoryBlueprint built{category.name, category.mask, {}};
        for (const auto& path : category.paths)
            if (auto scheme = buildable_scheme(path)) built.schemes.push_back(std::move(scheme));
        out.build_categories.push_back(std::move(built));
    }
    if (options_.buildable)
        for (const auto& path : mission_cfg_.prebuild_schemes())
            if (auto scheme = buildable_scheme(path)) out.prebuild_schemes.push_back(std::move(scheme));
    for (const auto& [key, scheme] : schemes_)
        if (scheme.usable()) out.schemes.emplace(key, scheme.assembly);
    for (const auto& [key, prototype] : prototypes_)
        if (prototype.usable()) out.prototypes.emplace(key, prototype.value);
    out.diagnostics.insert(out.diagnostics.end(), registry_.diagnostics().begin(),
                           registry_.diagnostics().end());
    for (auto& diagnostic : archives_.take_diagnostics()) out.diagnostics.push_back(std::move(diagnostic));
    out.graph = graph_;
}

}  // namespace iron::mission
