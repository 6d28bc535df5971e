// `iron3d mission list|inspect|graph|fingerprint --root DIR ...`: what a game directory holds and what
// a mission needs. Source: mission.md 1, 4, 5.
#include <cstdio>
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "shared/archive/vfs.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/base/text.hpp"
#include "shared/mission/dependency_graph.hpp"
#include "shared/mission/fingerprint.hpp"
#include "tools/command.hpp"

namespace iron::tools {
namespace {

using Json = nlohmann::ordered_json;
using namespace mission;

struct Arguments {
    std::vector<std::string> roots;
    std::string mission;
    std::string against;
    bool json = false;
    bool compatible = false;
    bool server = false;
    bool tree = true;
};

// Names are CP1251; texts of nested errors may be UTF-8 already.
std::string utf8(std::string_view raw) {
    return is_valid_utf8(raw) ? std::string(raw) : cp1251_to_utf8(raw);
}

void print_json(const Json& value) { std::printf("%s\n", value.dump(2).c_str()); }

Result<archive::Vfs> open_roots(const Arguments& arguments) {
    return archive::Vfs::open_layers({arguments.roots.begin(), arguments.roots.end()});
}

LoadOptions load_options(const Arguments& arguments) {
    LoadOptions options;
    options.profile = arguments.compatible ? ReadProfile::compatible : ReadProfile::strict;
    options.visuals = !arguments.server;
    return options;
}

LoadProgressFn show(Progress& line) {
    return [&line](const LoadProgress& p) {
        line.update(p.done, p.total, 0,
                    std::string(load_stage_name(p.stage)) + (p.current.empty() ? "" : ": ") + utf8(p.current));
    };
}

// --- list

ExitCode list(const Arguments& arguments) {
    const auto vfs = open_roots(arguments);
    if (!vfs) return report(vfs.error());
    const auto missions = list_missions(*vfs);
    if (arguments.json) {
        Json out = Json::array();
        for (const auto& m : missions)
            out.push_back({{"key", utf8(m.key)}, {"group", m.group}, {"campaign", utf8(m.campaign)},
                           {"title", utf8(m.title)}, {"data", utf8(m.data_path)}});
        print_json(out);
        return ExitCode::ok;
    }
    for (const auto& m : missions)
        std::printf("%-48s %-9s %s%s\n", utf8(m.key).c_str(), m.group.c_str(), utf8(m.title).c_str(),
                    m.data_path.empty() ? "  (no data.tma)" : "");
    std::printf("%zu missions\n", missions.size());
    return ExitCode::ok;
}

// --- inspect

std::string mode_name(asset::ClanMode mode) {
    switch (mode) {
        case asset::ClanMode::environment: return "environment";
        case asset::ClanMode::player: return "player";
        case asset::ClanMode::ai: return "AI";
        case asset::ClanMode::neutral: return "neutral";
    }
    return "unknown";
}

Json inspect_json(const MissionBlueprint& b) {
    Json out;
    out["mission"] = utf8(b.key);
    out["data"] = utf8(b.data_path);
    out["fingerprint"] = to_hex(b.content_fingerprint);
    out["land"] = utf8(b.land_path);
    out["tiles"] = b.land_mesh->tiles.size();
    out["areals"] = b.land_map->areals.size();
    out["paths"] = b.paths.size();
    out["extras"] = b.extras.size();
    out["clans"] = Json::array();
    for (const auto& clan : b.clans)
        out["clans"].push_back(
            {{"name", utf8(clan.name)}, {"mode", mode_name(clan.mode)},
             {"anchor", {clan.anchor_x, clan.anchor_y}},
             {"script", clan.script ? utf8(clan.script->package_path) : ""},
             {"events", clan.script ? clan.script->package.events.size() : 0},
             {"variables", clan.script ? clan.script->variables.variables.size() : 0},
             {"research_nodes", clan.research ? clan.research->nodes.size() : 0}});
    out["objects"] = Json::array();
    for (const auto& object : b.objects) {
        Json components = Json::array();
        for (const auto& c : object.assembly->components)
            components.push_back({{"record", c.record}, {"parent", c.parent_record},
                                  {"attach", c.attach_index}, {"type", c.entry_type},
                                  {"prototype", utf8(c.prototype->key)},
                                  {"model", utf8(c.prototype->model_archive + "::" + c.prototype->model_entry)},
                                  {"geometric", c.prototype->geometric},
                                  {"radius", c.prototype->radius()},
                                  {"contour", c.prototype->contour != nullptr},
                                  {"control", c.prototype->control != nullptr}});
        out["objects"].push_back({{"index", object.file_index}, {"kind", object.raw_kind},
                                  {"resource", utf8(object.resource)}, {"owner", object.owner},
                                  {"order", object.order}, {"logic_id", static_cast<int>(object.logic_id)},
                                  {"scheme_type", object.scheme_type()},
                                  {"position", {object.position.x, object.position.y, object.position.z}},
                                  {"components", std::move(components)}});
    }
    out["warnings"] = b.graph->totals.warnings;
    return out;
}

ExitCode inspect(const Arguments& arguments) {
    const auto vfs = open_roots(arguments);
    if (!vfs) return report(vfs.error());
    Progress line("mission", arguments.json);
    const auto loaded = load_mission(*vfs, arguments.mission, load_options(arguments), show(line));
    line.finish();
    if (!loaded) return report(loaded.error());
    const MissionBlueprint& b = **loaded;
    if (arguments.json) {
        print_json(inspect_json(b));
        return ExitCode::ok;
    }
    std::printf("mission      %s (%s)\nfingerprint  %s\nland         %s: %zu tiles, %zu areals\n", utf8(b.key).c_str(),
                utf8(b.data_path).c_str(), to_hex(b.content_fingerprint).c_str(), utf8(b.land_path).c_str(),
                b.land_mesh->tiles.size(), b.land_map->areals.size());
    std::printf("paths %zu, extras %zu, warnings %llu\n", b.paths.size(), b.extras.size(),
                static_cast<unsigned long long>(b.graph->totals.warnings));
    for (const auto& clan : b.clans) {
        std::printf("clan %u  %-16s %-11s base (%.1f, %.1f)", clan.index, utf8(clan.name).c_str(),
                    mode_name(clan.mode).c_str(), static_cast<double>(clan.anchor_x),
                    static_cast<double>(clan.anchor_y));
        if (clan.script)
            std::printf("  %s: %zu events, %zu variables", utf8(clan.script->package_path).c_str(),
                        clan.script->package.events.size(), clan.script->variables.variables.size());
        std::printf("\n");
    }
    for (const auto& object : b.objects) {
        std::printf("object %-4u %-40s owner %-3d order %-6u logic %u  (%.1f, %.1f, %.1f)\n", object.file_index,
                    utf8(object.resource).c_str(), object.owner, object.order,
                    static_cast<unsigned>(object.logic_id), static_cast<double>(object.position.x),
                    static_cast<double>(object.position.y), static_cast<double>(object.position.z));
        for (const auto& c : object.assembly->components)
            std::printf("    %3u  %-24s %s  radius %.2f%s%s\n", c.record, utf8(c.prototype->key).c_str(),
                        c.prototype->geometric
                            ? utf8(c.prototype->model_archive + "::" + c.prototype->model_entry).c_str()
                            : "(no model)",
                        static_cast<double>(c.prototype->radius()), c.prototype->contour ? "  contour" : "",
                        c.prototype->control ? "  control" : "");
    }
    return ExitCode::ok;
}

// --- graph

struct TotalRow {
    const char* name;
    const char* key;
    std::uint64_t value;
};

std::vector<TotalRow> total_rows(const GraphTotals& t) {
    return {{"paths", "paths", t.paths},
            {"clans", "clans", t.clans},
            {"placed objects", "objects", t.objects},
            {"extra records", "extras", t.extras},
            {"direct references", "direct_references", t.direct_references},
            {"unit references", "unit_references", t.unit_references},
            {"components", "components", t.components},
            {"prototype requests", "prototype_requests", t.prototype_requests},
            {"of them non-geometric", "non_geometric", t.non_geometric},
            {"MSH requests", "msh_requests", t.msh_requests},
            {"WEAR requests", "wear_requests", t.wear_requests},
            {"material slots", "material_slots", t.material_slots},
            {"texture requests", "texture_requests", t.texture_requests},
            {"lightmap requests", "lightmap_requests", t.lightmap_requests},
            {"terrain material slots", "environment_slots", t.environment_slots},
            {"terrain texture requests", "environment_textures", t.environment_textures},
            {"failures", "failures", t.failures},
            {"warnings", "warnings", t.warnings}};
}

const char* state_name(EdgeState state) {
    switch (state) {
        case EdgeState::ok: return "ok";
        case EdgeState::warning: return "warning";
        case EdgeState::failed: return "failed";
    }
    return "ok";
}

Json failure_json(const LoadFailure& f) {
    Json out{{"code", f.code}, {"stage", load_stage_name(f.stage)}, {"mission", utf8(f.mission)}};
    if (f.object_index >= 0) out["object"] = f.object_index;
    if (!f.object_name.empty()) out["object_name"] = utf8(f.object_name);
    if (!f.scheme_path.empty()) out["scheme"] = utf8(f.scheme_path);
    if (f.record_index >= 0) out["record"] = f.record_index;
    if (!f.key.empty()) out["prototype"] = utf8(f.key);
    if (!f.archive.empty()) out["archive"] = utf8(f.archive);
    if (!f.entry.empty()) out["entry"] = utf8(f.entry);
    if (f.offset) out["offset"] = *f.offset;
    out["edge"] = f.edge;
    out["cause"] = utf8(f.cause);
    return out;
}

Json graph_json(const DependencyGraph& graph) {
    Json out;
    out["totals"] = Json::object();
    for (const auto& row : total_rows(graph.totals)) out["totals"][row.key] = row.value;
    out["nodes"] = Json::array();
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const GraphNode& node = graph.nodes()[i];
        Json item{{"id", i}, {"kind", node_kind_name(node.kind)}, {"label", utf8(node.label)}};
        if (!node.archive.empty()) item["archive"] = utf8(node.archive);
        if (!node.entry.empty()) item["entry"] = utf8(node.entry);
        out["nodes"].push_back(std::move(item));
    }
    out["edges"] = Json::array();
    for (const GraphEdge& edge : graph.edges()) {
        Json item{{"from", edge.from}, {"to", edge.to}, {"kind", edge_kind_name(edge.kind)},
                  {"required", edge.required}, {"state", state_name(edge.state)}};
        if (!edge.code.empty()) item["code"] = edge.code;
        if (!edge.detail.empty()) item["detail"] = utf8(edge.detail);
        out["edges"].push_back(std::move(item));
    }
    out["failures"] = Json::array();
    for (const auto& failure : graph.failures) out["failures"].push_back(failure_json(failure));
    out["warnings"] = Json::array();
    for (const auto& warning : graph.warnings) out["warnings"].push_back(failure_json(warning));
    return out;
}

// A shared node is spelled out where it is met first. The depth of a mission's graph is bounded by
// the kinds of its nodes and the depth limit of prototypes.
void print_tree(const DependencyGraph& graph, std::uint32_t node, int depth, std::set<std::uint32_t>& seen) {
    for (const std::uint32_t index : graph.out_edges(node)) {
        const GraphEdge& edge = graph.edges()[index];
        const GraphNode& to = graph.nodes()[edge.to];
        const bool known = !seen.insert(edge.to).second;
        const bool folded = known && !graph.out_edges(edge.to).empty();
        std::printf("%*s%.*s %s%s", depth * 2, "", static_cast<int>(node_kind_name(to.kind).size()),
                    node_kind_name(to.kind).data(), utf8(to.label).c_str(), folded ? "  (above)" : "");
        if (edge.state != EdgeState::ok)
            std::printf("  %s: %s [%s]", edge.state == EdgeState::failed ? "FAILED" : "warning",
                        utf8(edge.detail).c_str(), edge.code.c_str());
        std::printf("\n");
        if (!known) print_tree(graph, edge.to, depth + 1, seen);
    }
}

ExitCode graph(const Arguments& arguments) {
    const auto vfs = open_roots(arguments);
    if (!vfs) return report(vfs.error());
    Progress line("mission", arguments.json);
    const auto built = build_graph(*vfs, arguments.mission, load_options(arguments), show(line));
    line.finish();
    if (!built) return report(built.error());
    const DependencyGraph& g = **built;
    const ExitCode result = g.totals.failures == 0 ? ExitCode::ok : ExitCode::data;
    if (arguments.json) {
        print_json(graph_json(g));
        return result;
    }
    if (arguments.tree) {
        std::printf("mission %s\n", utf8(g.nodes()[0].label).c_str());
        std::set<std::uint32_t> seen{0};
        print_tree(g, 0, 1, seen);
        std::printf("\n");
    }
    for (const auto& row : total_rows(g.totals))
        std::printf("%-26s %10llu\n", row.name, static_cast<unsigned long long>(row.value));
    for (const auto& warning : g.warnings) std::printf("warning: %s\n", warning.to_string().c_str());
    for (const auto& failure : g.failures) std::printf("FAILED: %s\n", failure.to_string().c_str());
    return result;
}

// --- fingerprint

ExitCode show_fingerprint(const Arguments& arguments) {
    const auto manifest_of = [&](const archive::Vfs& vfs) {
        Progress line("hashing", arguments.json);
        return build_manifest(vfs, [&](std::uint64_t done, std::uint64_t total, std::uint64_t bytes) {
            line.update(done, total, bytes);
        });
    };
    const auto vfs = open_roots(arguments);
    if (!vfs) return report(vfs.error());
    const auto manifest = manifest_of(*vfs);
    if (!manifest) return report(manifest.error());
    std::optional<ManifestDifference> difference;
    if (!arguments.against.empty()) {
        const auto other = archive::Vfs::open(arguments.against);
        if (!other) return report(other.error());
        const auto second = manifest_of(*other);
        if (!second) return report(second.error());
        difference = first_difference(*manifest, *second);
    }
    const std::string digest = to_hex(fingerprint(*manifest));
    if (arguments.json) {
        Json out{{"fingerprint", digest}, {"files", Json::array()}};
        for (const auto& file : manifest->files)
            out["files"].push_back(
                {{"path", utf8(file.path)}, {"bytes", file.size}, {"sha256", to_hex(file.digest)}});
        if (!arguments.against.empty())
            out["first_difference"] = difference ? Json(utf8(difference->to_string())) : Json(nullptr);
        print_json(out);
    } else {
        std::printf("%s  %zu gameplay files\n", digest.c_str(), manifest->files.size());
        if (difference) std::printf("first difference: %s\n", utf8(difference->to_string()).c_str());
    }
    return difference ? ExitCode::mismatch : ExitCode::ok;
}

CLI::App* add(CLI::App& parent, CommandContext& context, const char* name, const char* help,
              const char* example, ExitCode (*action)(const Arguments&),
              const std::shared_ptr<Arguments>& arguments) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->add_option("--root", arguments->roots,
                    "Game directory; give it again for layers, the winning one first")->required();
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->footer(std::string("Example: ") + example);
    on_run(*sub, context, [action, arguments] { return action(*arguments); });
    return sub;
}

}  // namespace

void register_mission_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("mission", "Missions of a game directory and what they need");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    add(*group, context, "list", "List the missions as the menu finds them",
        "iron3d mission list --root ./game", list, arguments);
    CLI::App* inspecting = add(*group, context, "inspect", "Load a mission and print what the world is built from",
                               "iron3d mission inspect --root ./game --mission missions/single.01", inspect, arguments);
    CLI::App* graphing = add(*group, context, "graph", "Print the dependency graph with totals and everything broken",
                             "iron3d mission graph --root ./game --mission missions/single.01 --json", graph, arguments);
    for (CLI::App* sub : {inspecting, graphing}) {
        sub->add_option("--mission", arguments->mission, "Mission key or path of its data.tma, any letter case")
            ->required();
        sub->add_flag("--compatible", arguments->compatible, "Accept named quirks and record them");
        sub->add_flag("--server", arguments->server, "As a server: what is only seen may be missing");
    }
    graphing->add_flag("!--totals-only", arguments->tree, "Leave the tree out");
    CLI::App* digest = add(*group, context, "fingerprint", "Digest of the gameplay files",
                           "iron3d mission fingerprint --root ./game --against ./other", show_fingerprint, arguments);
    digest->add_option("--against", arguments->against, "A second game directory; names the first file that differs");
}

}  // namespace iron::tools
