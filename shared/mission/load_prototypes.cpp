// Stage 4: objects -> unit schemes -> components -> prototypes -> parents and models.
// Sources: objects.md 1-3, mission.md 5.
#include "shared/base/text.hpp"
#include "shared/mission/load_session.hpp"

namespace iron::mission {

namespace {

LogicId logic_id_of(const ObjectBlueprint& object) {
    // The scheme type decides; without one the raw kind does (runtime.md 3.2).
    if (object.assembly->is_scheme)
        return object.assembly->is_building() ? LogicId::building : LogicId::unit;
    switch (static_cast<asset::ObjectKind>(object.raw_kind)) {
        case asset::ObjectKind::building: return LogicId::building;
        case asset::ObjectKind::war_robot: return LogicId::unit;
        default: return LogicId::static_object;
    }
}

Problem empty_component(std::string archive) {
    Problem empty;
    empty.edge = EdgeKind::scheme_component;
    empty.code = "empty_component";
    empty.at.archive = std::move(archive);
    empty.cause = "the prototype key of the record is empty";
    return empty;
}

}  // namespace

Status LoadSession::stage_prototypes() {
    enter(LoadStage::prototypes, blueprint_->objects.size());
    object_schemes_.assign(blueprint_->objects.size(), nullptr);
    object_prototypes_.assign(blueprint_->objects.size(), nullptr);
    for (std::uint32_t i = 0; i < blueprint_->objects.size(); ++i) place_object(i);
    IRON_CHECK(end_of_stage());
    if (options_.buildable) find_buildable();
    return {};
}

void LoadSession::place_object(std::uint32_t index) {
    ObjectBlueprint& object = blueprint_->objects[index];
    auto& totals = graph_->totals;
    const std::uint32_t node = graph_->node(NodeKind::object, std::to_string(index),
                                            "#" + std::to_string(index) + " " + object.resource);
    graph_->edge(mission_node_, node, EdgeKind::mission_object, true);
    step(object.resource);
    UseContext use;
    use.object_index = index;
    use.object_name = object.resource;

    if (ascii_iends_with(object.resource, ".dat")) {
        ++totals.unit_references;
        SchemeUse& scheme = scheme_use(object.resource);
        object_schemes_[index] = &scheme;
        object.assembly = scheme.assembly;
        use.scheme_path = object.resource;
        const bool ok = scheme.problems.empty();
        graph_->edge(node, scheme.node, EdgeKind::object_scheme, true,
                     ok ? EdgeState::ok : EdgeState::failed, ok ? "" : scheme.problems.front().code,
                     ok ? "" : scheme.problems.front().cause);
        report_all(scheme.problems, use);
        if (!scheme.assembly) return;
        totals.components += scheme.parts.size();
        totals.prototype_requests += scheme.parts.size();
        for (std::size_t record = 0; record < scheme.parts.size(); ++record) {
            use.record_index = static_cast<std::int64_t>(record);
            if (!scheme.parts[record]) {
                report(empty_component(scheme.assembly->path), use);
                continue;
            }
            if (scheme.parts[record]->resolution->status == PrototypeStatus::non_geometric)
                ++totals.non_geometric;
            report_prototype(*scheme.parts[record], use, false);
        }
    } else {
        ++totals.direct_references;
        ++totals.prototype_requests;
        PrototypeUse& part = prototype_use(registry_.resolve(object.resource));
        object_prototypes_[index] = &part;
        if (part.resolution->status == PrototypeStatus::non_geometric) ++totals.non_geometric;
        const bool ok = part.resolution->status != PrototypeStatus::missing_prototype;
        graph_->edge(node, part.node, EdgeKind::object_prototype, true,
                     ok ? EdgeState::ok : EdgeState::failed, ok ? "" : "missing_prototype",
                     ok ? "" : part.resolution->cause);
        report_prototype(part, use, false);
        auto assembly = std::make_shared<Assembly>();
        assembly->path = part.resolution->key;
        assembly->folded_path = part.resolution->folded_key;
        ComponentBlueprint component;
        component.key = object.resource;
        component.prototype = part.value;
        assembly->components.push_back(std::move(component));
        object.assembly = std::move(assembly);
    }
    object.logic_id = logic_id_of(object);
}

SchemeUse& LoadSession::scheme_use(const std::string& path) {
    const auto normal = archive::normalize_path(path, path_profile());
    const std::string key = normal ? normal->key() : ascii_lower(path);
    if (const auto known = schemes_.find(key); known != schemes_.end()) return known->second;
    SchemeUse& use = schemes_[key];
    use.node = graph_->node(NodeKind::unit_scheme, key, path);

    Problem problem;
    problem.edge = EdgeKind::object_scheme;
    const auto bytes = read_file(path, problem, "missing_unit_dat");
    if (!bytes) {
        use.problems.push_back(std::move(problem));
        return use;
    }
    ReadContext context = read_context(path);
    const auto dat = asset::read_unit_dat(bytes->view, context);
    keep(context);
    if (!dat) {
        problem.code = dat.error().code();
        problem.cause = dat.error().to_string();
        problem.offset = dat.error().frames().front().offset;
        use.problems.push_back(std::move(problem));
        return use;
    }
    const asset::UnitTree tree = asset::build_unit_tree(*dat);
    use.assembly = std::make_shared<Assembly>();
    use.assembly->is_scheme = true;
    use.assembly->path = normal->text;
    use.assembly->folded_path = key;
    use.assembly->scheme_type = dat->scheme_type;
    use.assembly->well_formed = tree.well_formed;
    for (std::uint32_t i = 0; i < dat->records.size(); ++i)
        add_record(use, i, dat->records[i], tree.parent[i]);
    return use;
}

void LoadSession::add_record(SchemeUse& scheme, std::uint32_t index, const asset::UnitRecord& record,
                             std::int32_t parent) {
    const std::string_view key = ascii_trim(record.prototype.view());
    const std::string_view from = ascii_trim(record.archive.view());
    const std::uint32_t node =
        graph_->node(NodeKind::component, scheme.assembly->folded_path + "#" + std::to_string(index),
                     "record " + std::to_string(index) + " " + std::string(key));
    ComponentBlueprint component;
    component.record = index;
    component.parent_record = parent;
    component.attach_index = record.attach_index;
    component.entry_type = record.entry_type;
    component.key = key;
    component.description = record.description.view();

    PrototypeUse* part = nullptr;
    if (key.empty()) {
        graph_->edge(scheme.node, node, EdgeKind::scheme_component, true, EdgeState::failed,
                     "empty_component", "the prototype key of the record is empty");
    } else {
        graph_->edge(scheme.node, node, EdgeKind::scheme_component, true);
        part = &prototype_use(ascii_iequals(from, "objects.rlb") ? registry_.resolve(key)
                                                                 : registry_.resolve_in(from, key));
        component.prototype = part->value;
        const PrototypeStatus status = part->resolution->status;
        const bool missing = status == PrototypeStatus::missing_prototype ||
                             status == PrototypeStatus::missing_archive ||
                             status == PrototypeStatus::missing_resource;
        graph_->edge(node, part->node, EdgeKind::component_prototype, true,
                     missing ? EdgeState::failed : EdgeState::ok, missing ? "missing_component" : "",
                     missing ? part->resolution->cause : "");
    }
    scheme.parts.push_back(part);
    scheme.part_nodes.push_back(node);
    scheme.assembly->components.push_back(std::move(component));
}

PrototypeUse& LoadSession::prototype_use(std::shared_ptr<const PrototypeResolution> resolution) {
    if (const auto known = prototypes_.find(resolution->folded_key); known != prototypes_.end())
        return known->second;
    PrototypeUse& use = prototypes_[resolution->folded_key];
    prototype_order_.push_back(&use);
    use.resolution = resolution;
    use.node = graph_->node(NodeKind::prototype, resolution->folded_key, resolution->key, "objects.rlb",
                            resolution->key);
    use.value = std::make_shared<ResolvedPrototype>();
    use.value->key = resolution->key;
    use.value->folded_key = resolution->folded_key;
    use.value->references = resolution->references;

    const auto parent_node = [&](const std::string& key) {
        return graph_->node(NodeKind::prototype, ascii_lower(key), key, "objects.rlb", key);
    };
    for (const auto& [child, parent] : resolution->parents)
        graph_->edge(parent_node(child), parent_node(parent), EdgeKind::prototype_parent, true);
    if (resolution->ok()) {
        if (resolution->status == PrototypeStatus::resolved) {
            use.value->geometric = true;
            use.value->model_archive = resolution->model.archive;
            use.value->model_entry = resolution->model.entry;
        }
        return use;
    }

    Problem problem;
    problem.code = status_code(resolution->status);
    problem.key = resolution->key;
    problem.at = resolution->failed;
    problem.cause = resolution->cause;
    switch (resolution->status) {
        case PrototypeStatus::missing_parent:
        case PrototypeStatus::inheritance_cycle:
        case PrototypeStatus::inheritance_depth:
        case PrototypeStatus::inheritance_size: {
            problem.edge = EdgeKind::prototype_parent;
            const std::uint32_t from = parent_node(resolution->failed_key);
            graph_->edge(from, parent_node(resolution->failed.entry), problem.edge, true,
                         EdgeState::failed, problem.code, problem.cause);
            break;
        }
        case PrototypeStatus::broken_mesh_reference:
        case PrototypeStatus::parse_failure: {
            problem.edge = EdgeKind::prototype_msh;
            const std::string name = problem.at.archive + "::" + problem.at.entry;
            const std::uint32_t to = graph_->node(NodeKind::msh, resource_identity(problem.at), name,
                                                  problem.at.archive, problem.at.entry);
            graph_->edge(use.node, to, problem.edge, true, EdgeState::failed, problem.code, problem.cause);
            break;
        }
        default: problem.edge = EdgeKind::object_prototype; break;
    }
    use.resolution_problems.push_back(std::move(problem));
    return use;
}

// Schemes that may be built later and components research can unlock; nothing placed depends on
// them, so what is broken here is left out with a warning.
void LoadSession::find_buildable() {
    for (const auto& category : blueprint_->build_dat.categories)
        for (const auto& path : category.paths) scheme_use(path);
    for (const auto& path : mission_cfg_.prebuild_schemes()) scheme_use(path);
    for (const auto& clan : blueprint_->clans) {
        if (!clan.research) continue;
        for (const auto& node : clan.research->nodes) {
            const std::string name = registry_.find_name(node.short_name);
            if (!name.empty()) prototype_use(registry_.resolve(name));
        }
    }
}

std::shared_ptr<const Assembly> LoadSession::buildable_scheme(const std::string& path) {
    SchemeUse& scheme = scheme_use(path);
    if (scheme.usable()) return scheme.assembly;
    UseContext use;
    use.scheme_path = path;
    use.placed = false;
    report_all(scheme.problems, use);
    for (std::size_t record = 0; record < scheme.parts.size(); ++record) {
        use.record_index = static_cast<std::int64_t>(record);
        if (!scheme.parts[record]) {
            report(empty_component({}), use);
            continue;
        }
        report_prototype(*scheme.parts[record], use, false);
        report_prototype(*scheme.parts[record], use, true);
    }
    return nullptr;
}

}  // namespace iron::mission
