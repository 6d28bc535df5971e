// Stages 1-3: context, world foundation, mission description. Sources: mission.md 1-4, runtime.md 6.
#include <algorithm>

#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/fingerprint.hpp"
#include "shared/mission/load_session.hpp"

namespace iron::mission {

namespace {

constexpr std::string_view kSharedVariables = "MISSIONS/SCRIPTS/varset.var";

// The last segment without its extension, and whether it had one.
std::string_view without_extension(std::string_view path, bool& had_extension) {
    const std::size_t slash = path.find_last_of("/\\");
    const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    const std::size_t dot = path.rfind('.');
    had_extension = dot != std::string_view::npos && dot > begin;
    return had_extension ? path.substr(0, dot) : path;
}

Problem file_problem(EdgeKind edge, bool warning) {
    Problem out;
    out.edge = edge;
    out.warning = warning;
    return out;
}

void set_parse_error(Problem& problem, const Error& error) {
    problem.code = error.code();
    problem.cause = error.to_string();
    problem.offset = error.frames().front().offset;
}

}  // namespace

Status LoadSession::stage_context(std::string_view mission) {
    enter(LoadStage::context, 2);
    IRON_TRY(const MissionKey key, parse_mission_key(mission));
    blueprint_->key = key.key;
    blueprint_->edition = options_.edition;
    const auto cannot = [&](Error error) {
        return tl::unexpected(std::move(error)
                                  .wrap("stage 1, context")
                                  .wrap("cannot load mission '" + cp1251_to_utf8(key.key) + "'"));
    };
    auto file = vfs_.resolve(key.data_path);
    if (!file) return cannot(std::move(file).error());
    blueprint_->data_path = file->path;
    mission_node_ = graph_->node(NodeKind::mission, key.key, file->path);
    auto bytes = vfs_.read_shared(key.data_path);
    if (!bytes) return cannot(std::move(bytes).error());
    tma_bytes_ = std::move(*bytes);
    step(file->path);

    // The land path is inside the description: everything before it is checked now, the rest in
    // stage 3. The diagnostics come with the full parse.
    ReadContext context = read_context(file->path);
    auto prefix = asset::read_tma_prefix(tma_bytes_.view, context);
    if (!prefix) return cannot(std::move(prefix).error().wrap(file->path));
    blueprint_->land_path = prefix->land_path;
    if (prefix->land_path.empty())
        return cannot(Error("tma_empty_name", "the land path is empty").in(file->path));
    if (auto path = archive::normalize_path(prefix->land_path, path_profile()); !path)
        return cannot(Error("tma_bad_path", "land path: " + path.error().to_string()).in(file->path));

    read_settings();
    if (options_.content_fingerprint) {
        blueprint_->content_fingerprint = *options_.content_fingerprint;
    } else if (!keep_going_) {
        auto digest = content_fingerprint(vfs_);
        if (!digest) return cannot(std::move(digest).error());
        blueprint_->content_fingerprint = *digest;
    }
    step({});
    return end_of_stage();
}

// Optional files: absent or damaged is a warning and the feature is off.
void LoadSession::read_settings() {
    const auto optional_file = [&](const std::string& path) {
        Problem problem = file_problem(EdgeKind::mission_terrain, true);
        auto bytes = read_file(path, problem, "config_missing_file");
        if (!bytes) report(problem, {});
        return bytes;
    };
    const auto damaged = [&](const std::string& path, const Error& error) {
        Problem problem = file_problem(EdgeKind::mission_terrain, true);
        problem.at.archive = path;
        set_parse_error(problem, error);
        report(problem, {});
    };
    if (const auto bytes = optional_file("Behavior.ini")) {
        ReadContext context = read_context("Behavior.ini");
        blueprint_->behavior = asset::read_ini(bytes->view, context);
        keep(context);
    }
    if (const auto bytes = optional_file("Comp.ini")) {
        ReadContext context = read_context("Comp.ini");
        auto parsed = asset::read_comp_ini(bytes->view, context);
        keep(context);
        if (parsed)
            blueprint_->components = std::move(*parsed);
        else
            damaged("Comp.ini", parsed.error());
    }
    const std::string cfg = blueprint_->key + "/mission.cfg";
    if (const auto bytes = optional_file(cfg)) {
        ReadContext context = read_context(cfg);
        auto parsed = asset::read_mission_cfg(bytes->view, context);
        keep(context);
        if (parsed)
            mission_cfg_ = std::move(*parsed);
        else
            damaged(cfg, parsed.error());
    }
}

Status LoadSession::stage_foundation() {
    enter(LoadStage::foundation, 3);
    // Reads a required file, parses it and draws the edge.
    const auto load = [&](const std::string& path, NodeKind kind, auto read, auto store) {
        Problem problem = file_problem(EdgeKind::mission_terrain, false);
        const std::uint32_t node = graph_->node(kind, ascii_lower(path), path);
        const auto bytes = read_file(path, problem, "missing_terrain");
        if (bytes) {
            ReadContext context = read_context(path);
            auto parsed = read(bytes->view, context);
            keep(context);
            if (parsed)
                store(std::move(*parsed));
            else
                set_parse_error(problem, parsed.error());
        }
        const bool ok = problem.code.empty();
        graph_->edge(mission_node_, node, EdgeKind::mission_terrain, true,
                     ok ? EdgeState::ok : EdgeState::failed, problem.code, problem.cause);
        if (!ok) report(problem, {});
        step(path);
    };
    load(blueprint_->land_path + ".msh", NodeKind::land_mesh, asset::read_land_mesh, [&](auto&& value) {
        blueprint_->land_mesh = std::make_shared<const asset::LandMesh>(std::move(value));
    });
    load(blueprint_->land_path + ".map", NodeKind::land_map, asset::read_land_map, [&](auto&& value) {
        blueprint_->land_map = std::make_shared<const asset::LandMap>(std::move(value));
    });
    load("BuildDat.lst", NodeKind::build_dat, asset::read_build_dat,
         [&](auto&& value) { blueprint_->build_dat = std::move(value); });
    return end_of_stage();
}

Status LoadSession::stage_description() {
    enter(LoadStage::description, 0);
    ReadContext context = read_context(blueprint_->data_path);
    auto parsed = asset::read_tma(tma_bytes_.view, context);
    keep(context);
    if (!parsed)
        return tl::unexpected(std::move(parsed).error()
                                  .wrap(blueprint_->data_path)
                                  .wrap("stage 3, mission description")
                                  .wrap("cannot load mission '" + cp1251_to_utf8(blueprint_->key) + "'"));
    const asset::Tma& tma = *parsed;
    progress_.total = tma.clans.size();
    auto& totals = graph_->totals;
    totals.paths = tma.paths.size();
    totals.clans = tma.clans.size();
    totals.objects = tma.objects.size();
    totals.extras = tma.extras.size();

    check_placed_names(tma);
    read_clans(tma);

    blueprint_->mission_flag = tma.mission_flag;
    blueprint_->description = tma.description;
    blueprint_->objects.reserve(tma.objects.size());
    for (const auto& source : tma.objects) {
        ObjectBlueprint object;
        object.file_index = static_cast<std::uint32_t>(blueprint_->objects.size());
        object.raw_kind = source.kind;
        object.class_word = source.class_word;
        object.resource = source.resource;
        object.owner = source.owner;
        object.order = source.order;
        object.position = source.position;
        object.orientation = source.orientation;
        object.scale = source.scale;
        object.name = source.name;
        object.word_after_name = source.word_after_name;
        object.link0 = source.link0;
        object.link1 = source.link1;
        object.properties = source.properties;
        blueprint_->objects.push_back(std::move(object));
    }
    blueprint_->paths = std::move(parsed->paths);
    blueprint_->extras = std::move(parsed->extras);
    return end_of_stage();
}

// What a pure parse only warns about stops a world (mission.md 2.8).
void LoadSession::check_placed_names(const asset::Tma& tma) {
    for (std::size_t i = 0; i < tma.objects.size(); ++i) {
        const auto& object = tma.objects[i];
        UseContext use;
        use.object_index = static_cast<std::int64_t>(i);
        use.object_name = object.resource;
        Problem problem = file_problem(EdgeKind::mission_object, false);
        problem.at.archive = blueprint_->data_path;
        if (object.resource.empty()) {
            problem.code = "tma_empty_name";
            problem.cause = "the resource name is empty";
        } else if (object.is_unit_scheme()) {
            const auto path = archive::normalize_path(object.resource, path_profile());
            if (path) continue;
            problem.code = "tma_bad_path";
            problem.cause = "unit scheme path: " + path.error().to_string();
        } else {
            continue;
        }
        report(problem, use);
    }
}

void LoadSession::read_clans(const asset::Tma& tma) {
    std::map<std::string_view, std::int32_t> index_of;
    for (std::size_t i = 0; i < tma.clans.size(); ++i)
        index_of.try_emplace(tma.clans[i].name, static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < tma.clans.size(); ++i) {
        const auto& source = tma.clans[i];
        ClanBlueprint clan;
        clan.index = static_cast<std::uint32_t>(i);
        for (const auto& relation : source.relations) {
            const auto found = index_of.find(relation.clan);
            clan.relations.push_back(
                {relation.clan, found == index_of.end() ? -1 : found->second, relation.value});
        }
        read_clan(source, clan);
        step(source.name);
        blueprint_->clans.push_back(std::move(clan));
    }
}

void LoadSession::read_clan(const asset::TmaClan& source, ClanBlueprint& clan) {
    clan.name = source.name;
    clan.raw_id = source.raw_id;
    clan.anchor_x = source.anchor_x;
    clan.anchor_y = source.anchor_y;
    clan.mode = static_cast<asset::ClanMode>(source.mode);
    clan.script_base = source.script_base;
    clan.first_tag = source.first_tag;
    clan.second_tag = source.second_tag;
    clan.research_path = source.research_path;
    const std::uint32_t node = graph_->node(NodeKind::clan, std::to_string(clan.index), source.name);
    graph_->edge(mission_node_, node, EdgeKind::mission_clan, true);

    if (!source.script_base.empty()) {
        const auto in_range = [](float v) { return is_finite(v) && v >= 0 && v <= 10000; };
        if (in_range(source.anchor_x) && in_range(source.anchor_y)) {
            clan.base_x = static_cast<std::uint32_t>(trunc_i32(source.anchor_x));
            clan.base_y = static_cast<std::uint32_t>(trunc_i32(source.anchor_y));
        } else {
            Problem problem = file_problem(EdgeKind::mission_clan, false);
            problem.at.archive = blueprint_->data_path;
            problem.code = "tma_anchor_range";
            problem.cause = "clan '" + cp1251_to_utf8(source.name) +
                            "' has a script and an anchor outside 0..10000";
            report(problem, {});
        }
        clan.script = read_script(source, node);
    }
    if (!source.research_path.empty()) clan.research = read_research(source.research_path, node);
}

std::shared_ptr<const ScriptBundle> LoadSession::read_script(const asset::TmaClan& source,
                                                             std::uint32_t clan_node) {
    bool had_extension = false;
    const std::string stem(without_extension(source.script_base, had_extension));
    const std::string package_path = had_extension ? source.script_base : source.script_base + ".scr";

    ScriptBundle bundle;
    bool usable = true;
    // One file of the bundle: its node, its edge, its parse.
    const auto load = [&](const std::string& path, NodeKind kind, EdgeKind edge, std::string_view missing,
                          std::string& found_path, Hash256& digest, auto read, auto& value) {
        Problem problem = file_problem(edge, false);
        const auto bytes = read_file(path, problem, missing);
        if (bytes) {
            ReadContext context = read_context(path);
            auto parsed = read(bytes->view, context);
            keep(context);
            if (parsed) {
                value = std::move(*parsed);
                digest = sha256(bytes->view);
                found_path = path;
                if (const auto normal = archive::normalize_path(path)) found_path = normal->text;
            } else {
                set_parse_error(problem, parsed.error());
            }
        }
        const bool ok = problem.code.empty();
        const std::uint32_t node = graph_->node(kind, ascii_lower(path), path);
        graph_->edge(clan_node, node, edge, true, ok ? EdgeState::ok : EdgeState::failed, problem.code,
                     problem.cause);
        if (ok) return;
        usable = false;
        problem.cause = "clan '" + cp1251_to_utf8(source.name) + "': " + problem.cause;
        report(problem, {});
    };

    const std::string key = ascii_lower(source.script_base);
    load(package_path, NodeKind::script, EdgeKind::clan_script, "missing_script", bundle.package_path,
         bundle.package_hash,
         [](ByteView bytes, ReadContext& context) { return asset::read_script_package(bytes, context); },
         bundle.package);
    if (usable && bundle.package.handler_count != 59 && bundle.package.handler_count != 73) {
        // The executor knows these two builds only (script.md 2.4).
        Problem problem = file_problem(EdgeKind::clan_script, options_.profile != ReadProfile::strict);
        problem.at.archive = package_path;
        problem.code = "script_version";
        problem.cause = "the package is made for " + std::to_string(bundle.package.handler_count) +
                        " handlers instead of 59 or 73";
        report(problem, {});
    }

    // Only an absent file leads to the shared set; a damaged one is an error (script.md 1).
    std::string variables = stem + ".var";
    const auto own = archive::normalize_path(variables, path_profile());
    if (own) {
        const auto there = vfs_.resolve(own->text);
        if (!there && there.error().code() == "not_found") variables = kSharedVariables;
    }
    load(variables, NodeKind::variable_set, EdgeKind::clan_variable_set, "missing_varset",
         bundle.variables_path, bundle.variables_hash, asset::read_variable_set, bundle.variables);

    Problem formulas = file_problem(EdgeKind::clan_formulas, true);
    const std::string formulas_path = stem + ".fml";
    const auto normal = archive::normalize_path(formulas_path, path_profile());
    const bool have_formulas = normal && vfs_.exists(normal->text);
    const std::uint32_t node = graph_->node(NodeKind::formulas, ascii_lower(formulas_path), formulas_path);
    graph_->edge(clan_node, node, EdgeKind::clan_formulas, false,
                 have_formulas ? EdgeState::ok : EdgeState::warning,
                 have_formulas ? "" : "missing_formulas", have_formulas ? "" : "the file does not exist");
    if (have_formulas) {
        bundle.formulas_path = normal->text;
    } else {
        formulas.code = "missing_formulas";
        formulas.at.archive = formulas_path;
        formulas.cause = "clan '" + cp1251_to_utf8(source.name) + "': the file does not exist";
        report(formulas, {});
    }

    if (!usable) return nullptr;
    auto& shared = scripts_[key];
    if (!shared) shared = std::make_shared<const ScriptBundle>(std::move(bundle));
    return shared;
}

std::shared_ptr<const asset::ResearchTree> LoadSession::read_research(const std::string& path,
                                                                      std::uint32_t clan_node) {
    const std::string key = ascii_lower(path);
    const std::uint32_t node = graph_->node(NodeKind::research_tree, key, path);
    if (const auto known = research_.find(key); known != research_.end()) {
        graph_->edge(clan_node, node, EdgeKind::clan_research, false,
                     known->second ? EdgeState::ok : EdgeState::warning);
        return known->second;
    }
    auto& out = research_[key];
    Problem problem = file_problem(EdgeKind::clan_research, true);
    if (const auto bytes = read_file(path, problem, "missing_research")) {
        ReadContext context = read_context(path);
        auto parsed = asset::read_research_tree(bytes->view, context);
        keep(context);
        if (parsed)
            out = std::make_shared<const asset::ResearchTree>(std::move(*parsed));
        else
            set_parse_error(problem, parsed.error());
    }
    graph_->edge(clan_node, node, EdgeKind::clan_research, false,
                 out ? EdgeState::ok : EdgeState::warning, problem.code, problem.cause);
    if (!out) report(problem, {});
    return out;
}

}  // namespace iron::mission
