#include <catch2/catch.hpp>

#include <algorithm>

#include "shared/mission/dependency_graph.hpp"
#include "tests/mission/mission_kit.hpp"

using namespace iron;
using namespace iron::mission;
using namespace iron::mission::kit;

namespace {

std::shared_ptr<const DependencyGraph> graph_of(const Root& root, bool visuals = true,
                                                ReadProfile profile = ReadProfile::strict) {
    LoadOptions options;
    options.visuals = visuals;
    options.profile = profile;
    auto graph = build_graph(root.vfs(), kMissionKey, options);
    INFO((graph ? std::string() : graph.error().to_string()));
    REQUIRE(graph);
    return *graph;
}

std::vector<std::string> codes(const std::vector<LoadFailure>& list) {
    std::vector<std::string> out;
    for (const auto& item : list) out.push_back(item.code);
    return out;
}

bool has(const std::vector<LoadFailure>& list, std::string_view code) {
    return std::any_of(list.begin(), list.end(), [&](const auto& f) { return f.code == code; });
}

}  // namespace

TEST_CASE("the worked count of the specification comes out exactly") {
    const auto graph = graph_of(worked_root());
    for (const auto& failure : graph->failures) UNSCOPED_INFO(failure.to_string());
    const GraphTotals& totals = graph->totals;
    CHECK(totals.failures == 0);
    CHECK(totals.objects == 9);
    CHECK(totals.direct_references == 5);
    CHECK(totals.unit_references == 4);
    CHECK(totals.components == 8);
    CHECK(totals.prototype_requests == 13);
    CHECK(totals.non_geometric == 2);
    CHECK(totals.msh_requests == 11);
    CHECK(totals.wear_requests == 11);
    CHECK(totals.material_slots == 12);
    CHECK(totals.texture_requests == 12);
    CHECK(totals.lightmap_requests == 1);
    CHECK(totals.environment_slots == 2);
    CHECK(totals.environment_textures == 2);
}

TEST_CASE("the graph counts the same without parsing what is only seen") {
    const auto graph = graph_of(worked_root(), false);
    CHECK(graph->totals.material_slots == 12);
    CHECK(graph->totals.texture_requests == 12);
    CHECK(graph->totals.lightmap_requests == 1);
    CHECK(graph->totals.failures == 0);
}

TEST_CASE("a shared resource is one node and counts once per use") {
    const auto graph = graph_of(worked_root());
    std::size_t chassis_models = 0, parents = 0;
    for (const auto& node : graph->nodes())
        if (node.kind == NodeKind::msh && node.entry == "chassis_m.msh") ++chassis_models;
    CHECK(chassis_models == 1);  // used by three schemes
    for (const auto& edge : graph->edges())
        if (edge.kind == EdgeKind::prototype_parent) ++parents;
    CHECK(parents == 2);
    // From the first object the first edges lead down to a texture.
    const auto object = std::find_if(graph->edges().begin(), graph->edges().end(),
                                     [](const auto& e) { return e.kind == EdgeKind::mission_object; });
    REQUIRE(object != graph->edges().end());
    std::uint32_t at = object->to;
    std::string way = std::string(node_kind_name(graph->nodes()[at].kind)) + " ";
    while (!graph->out_edges(at).empty()) {
        at = graph->edges()[graph->out_edges(at).front()].to;
        way += std::string(node_kind_name(graph->nodes()[at].kind)) + " ";
    }
    CHECK(way == "object unit scheme component prototype MSH WEAR material slot MAT0 Texm ");
}

TEST_CASE("a missing scheme, key, parent and model each have their code") {
    Root root = worked_root();
    root.place("UNITS\\gone.dat");
    root.place("no_such_key");
    root.prototype("orphan", {{"objects.rlb", "no_parent"}});
    root.place("orphan");
    root.prototype("hollow", {{"bases.rlb", "gone.msh"}, {"gone.rlb", "x.MSH"}});
    root.place("hollow");
    root.scheme("UNITS/bad.dat", 0x01008000, {"chassis", "no_such_key", ""});
    root.place("UNITS/bad.dat");
    const auto graph = graph_of(root);
    CHECK(codes(graph->failures) ==
          std::vector<std::string>{"missing_unit_dat", "missing_prototype", "missing_parent",
                                   "broken_mesh_reference", "missing_component", "empty_component"});
    const LoadFailure& component = graph->failures[4];
    CHECK(component.object_index == 13);
    CHECK(component.object_name == "UNITS/bad.dat");
    CHECK(component.record_index == 1);
    CHECK(component.key == "no_such_key");
    CHECK(component.edge == "component -> prototype");
    CHECK(graph->failures[3].cause == "no model exists: bases.rlb::gone.msh, gone.rlb::x.MSH");
}

TEST_CASE("cycles and deep chains of parents are errors of their own") {
    Root root = minimal_root();
    root.prototype("a", {{"objects.rlb", "b"}});
    root.prototype("b", {{"objects.rlb", "A"}});
    root.place("a");
    // depth_00 asks depth_01 ... : 33 prototypes are the longest legal chain.
    for (int i = 0; i <= 33; ++i) {
        const auto name = [](int n) { return "depth_" + std::to_string(n); };
        root.prototype(name(i), i < 33 ? Names{{"objects.rlb", name(i + 1)}} : Names{});
    }
    root.place("depth_1");
    root.place("depth_0");
    const auto graph = graph_of(root);
    CHECK(codes(graph->failures) ==
          std::vector<std::string>{"inheritance_cycle", "inheritance_depth"});
    CHECK(graph->failures[0].cause == "parents form a ring: 'a' -> 'b' -> 'a'");
    CHECK(graph->failures[1].object_index == 2);
}

TEST_CASE("a failure of a shared prototype is reported for every use") {
    Root root = worked_root();
    root.find("bases.rlb", "chassis_m.msh")->payload.resize(40);
    const auto graph = graph_of(root);
    REQUIRE(graph->failures.size() == 3);  // five, two and one
    for (const auto& failure : graph->failures) {
        CHECK(failure.code == "parse_failure");
        CHECK(failure.record_index == 0);
        CHECK(failure.archive == "bases.rlb");
        CHECK(failure.entry == "chassis_m.msh");
        CHECK(failure.edge == "prototype -> MSH");
    }
    CHECK(graph->failures[1].object_index == 1);
}

TEST_CASE("visual gaps are failures for a client and warnings for a server") {
    const auto check = [](const Root& root, std::string_view code, std::size_t uses) {
        const auto client = graph_of(root, true);
        CHECK(codes(client->failures) == std::vector<std::string>(uses, std::string(code)));
        const auto server = graph_of(root, false);
        CHECK(server->failures.empty());
        CHECK(has(server->warnings, code));
    };
    Root root = worked_root();
    root.remove("static.rlb", "s_tree_0_04.wea");
    check(root, "missing_wear", 1);
    root = worked_root();
    root.find("static.rlb", "s_tree_0_04.wea")->type = 0;
    check(root, "missing_wear", 1);
    root = worked_root();
    root.remove("LightMap.lib", "LM01.0");
    check(root, "missing_lightmap", 1);
    root = worked_root();
    root.remove("Textures.lib", "WALL.0");
    check(root, "missing_texture", 12 + 2);  // and the two terrain tables
    root = worked_root();
    root.archives.erase("Material.lib");
    check(root, "missing_material", 12 + 2);
    root = worked_root();
    root.file("DATA/MAPS/flat/Land1.wea").clear();
    root.plain.erase("DATA/MAPS/flat/Land1.wea");
    check(root, "missing_wear", 1);
}

TEST_CASE("a missing material falls back to DEFAULT, then to entry 0, with a warning") {
    Root root = worked_root();
    root.remove("Material.lib", "WALL");
    auto graph = graph_of(root);
    CHECK(graph->failures.empty());
    CHECK(has(graph->warnings, "material_fallback"));
    CHECK(graph->totals.texture_requests == 12);

    Entry other = *root.find("Material.lib", "DEFAULT");
    root.remove("Material.lib", "DEFAULT");
    root.entry("Material.lib", "OTHER", other);
    graph = graph_of(root);
    CHECK(graph->failures.empty());
    CHECK(graph->warnings.front().cause == "material not found, entry 0 is used");

    root.find("Material.lib", "OTHER")->type = 0;
    graph = graph_of(root);
    CHECK(has(graph->failures, "missing_material"));
}

TEST_CASE("clan files: missing ones have their codes, optional ones warn") {
    Root root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a").research_path = "MISSIONS\\SCRIPTS\\data.trf";
    auto graph = graph_of(root);
    CHECK(graph->failures.empty());
    CHECK(has(graph->warnings, "missing_research"));
    CHECK_FALSE(has(graph->warnings, "missing_formulas"));

    root.plain.erase("MISSIONS/SCRIPTS/a.fml");
    root.plain.erase("MISSIONS/SCRIPTS/a.scr");
    root.plain.erase("MISSIONS/SCRIPTS/varset.var");
    graph = graph_of(root);
    CHECK(codes(graph->failures) == std::vector<std::string>{"missing_script", "missing_varset"});
    CHECK(has(graph->warnings, "missing_formulas"));
}

TEST_CASE("names in the texts of failures are UTF-8 whatever their code page") {
    Root root = minimal_root();
    root.clan("\xCA\xEB\xE0\xED", "MISSIONS\\SCRIPTS\\a");  // "Клан" in CP1251
    root.plain.erase("MISSIONS/SCRIPTS/a.scr");
    const auto graph = graph_of(root);
    REQUIRE(graph->failures.size() == 1);
    CHECK(graph->failures[0].cause == "clan 'Клан': the file does not exist");
}

TEST_CASE("missing terrain files are failures and the graph goes on") {
    Root root = worked_root();
    root.plain.erase("DATA/MAPS/flat/Land.map");
    root.plain.erase("BuildDat.lst");
    const auto graph = graph_of(root);
    CHECK(codes(graph->failures) == std::vector<std::string>{"missing_terrain", "missing_terrain"});
    CHECK(graph->totals.material_slots == 12);
}
