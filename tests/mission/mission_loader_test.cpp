#include <catch2/catch.hpp>

#include <algorithm>

#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/mission/dependency_graph.hpp"
#include "shared/mission/fingerprint.hpp"
#include "tests/mission/mission_kit.hpp"

using namespace iron;
using namespace iron::mission;
using namespace iron::mission::kit;

namespace {

Result<std::shared_ptr<const MissionBlueprint>> load(const Root& root, LoadOptions options = {},
                                                     std::vector<LoadFailure>* failures = nullptr) {
    return load_mission(root.vfs(), kMissionKey, options, {}, failures);
}

std::shared_ptr<const MissionBlueprint> must_load(const Root& root, LoadOptions options = {}) {
    auto loaded = load(root, options);
    INFO((loaded ? std::string() : loaded.error().to_string()));
    REQUIRE(loaded);
    return *loaded;
}

std::string code_of(const Root& root, LoadOptions options = {}) {
    const auto loaded = load(root, options);
    return loaded ? "ok" : loaded.error().code();
}

}  // namespace

TEST_CASE("a mission loads into a complete blueprint") {
    Root root = worked_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.tma.clans[0].relations = {{"Plr", 1}, {"Nobody", 0}};
    root.tma.paths = {{7, {{0, 0, 0}, {16, 0, 0}}}};
    root.tma.extras = {{{1, 2, 3}, 4, 5, 6, 7}};
    root.tma.objects[0].owner = 0;
    root.tma.objects[0].order = 9;
    root.tma.objects[0].properties = {{1, {0, 1, 1}, "Invulnerability"}, {0, {1, 2, 3}, "Life state"}};
    LoadOptions options;
    options.visuals = true;
    const auto blueprint = must_load(root, options);

    CHECK(blueprint->key == kMissionKey);
    CHECK(blueprint->data_path == "MISSIONS/Single.01/data.tma");
    CHECK(blueprint->land_path == "DATA\\MAPS\\flat\\land");
    REQUIRE(blueprint->land_mesh);
    CHECK(blueprint->land_mesh->tiles.size() == 1);
    REQUIRE(blueprint->land_map);
    CHECK(blueprint->land_map->areals.size() == 1);
    CHECK(blueprint->content_fingerprint == *content_fingerprint(root.vfs()));
    CHECK(blueprint->paths[0].id == 7);
    CHECK(blueprint->extras[0].word1 == 7);
    REQUIRE(blueprint->behavior);
    REQUIRE(blueprint->components);
    CHECK(blueprint->graph->totals.prototype_requests == 13);

    REQUIRE(blueprint->objects.size() == 9);
    const ObjectBlueprint& five = blueprint->objects[0];
    CHECK(five.owner == 0);
    CHECK(five.order == 9);
    CHECK(five.logic_id == LogicId::unit);
    CHECK(five.scheme_type() == 0x01008000u);
    CHECK(five.property("Life state")->value[2] == 3);
    CHECK_FALSE(five.property("life state"));
    REQUIRE(five.assembly->components.size() == 5);
    CHECK(five.assembly->is_scheme);
    CHECK(five.assembly->well_formed);
    CHECK(five.assembly->path == "UNITS/UNITS/five.DAT");
    CHECK(five.assembly->components[2].key == "gun");
    CHECK(five.assembly->components[2].parent_record == 0);
    CHECK(five.assembly->components[2].attach_index == 1);
    const ResolvedPrototype& chassis = *five.assembly->components[0].prototype;
    CHECK(chassis.geometric);
    CHECK(chassis.model_archive == "bases.rlb");
    CHECK(chassis.model_entry == "chassis_m.msh");
    CHECK(chassis.wear_entry == "chassis_m.wea");
    // A 2 x 2 wu triangle: half diagonal of its XY box.
    CHECK(chassis.radius() == Approx(1.41421356f));
    REQUIRE(chassis.pieces.size() == 2);
    CHECK(chassis.pieces[0].name == "root");
    CHECK(chassis.pieces[0].has_bounds);
    CHECK(chassis.pieces[0].box_max == Vec3{1, 1, 1});
    CHECK(chassis.pieces[1].parent == 0);
    CHECK_FALSE(chassis.pieces[1].has_bounds);
    CHECK(chassis.pieces[1].rest_position == Vec3{1, 2, 8});
    CHECK(chassis.pieces[1].rest_rotation.m[0][0] == 1);

    CHECK(blueprint->objects[1].logic_id == LogicId::building);  // scheme bit 0x80000000
    CHECK(blueprint->objects[2].logic_id == LogicId::unit);
    CHECK(blueprint->objects[3].logic_id == LogicId::building);
    CHECK(blueprint->objects[3].assembly->components.empty());
    CHECK(blueprint->objects[4].logic_id == LogicId::static_object);
    const ObjectBlueprint& fort = blueprint->objects[6];
    CHECK(fort.logic_id == LogicId::building);  // raw kind 0
    REQUIRE(fort.assembly->components.size() == 1);
    CHECK_FALSE(fort.assembly->is_scheme);
    const ResolvedPrototype& bridge = *fort.assembly->components[0].prototype;
    CHECK(bridge.model_entry == "fr_m_brige.msh");
    REQUIRE(bridge.references.size() == 2);
    CHECK(bridge.references[0].source == "fr_base");
    CHECK(bridge.references[0].depth == 2);
    CHECK(bridge.references[1].source == "fr_m_brige");
    CHECK(bridge.references[1].depth == 0);
    CHECK_FALSE(blueprint->objects[7].assembly->components[0].prototype->geometric);
    CHECK(blueprint->objects[7].assembly->components[0].prototype->radius() == 0);

    REQUIRE(blueprint->clans.size() == 1);
    const ClanBlueprint& clan = blueprint->clans[0];
    CHECK(clan.mode == asset::ClanMode::player);
    CHECK(clan.base_x == 500);  // 500.2857 truncated
    CHECK(clan.base_y == 752);
    CHECK(clan.relations[0].clan_index == 0);
    CHECK(clan.relations[1].clan_index == -1);
    REQUIRE(clan.script);
    CHECK(clan.script->package.events[0].name == "Init");
    CHECK(clan.script->package_path == "MISSIONS/SCRIPTS/a.scr");
    CHECK(clan.script->variables_path == "MISSIONS/SCRIPTS/varset.var");
    CHECK(clan.script->variables.index_of("ClanID") == 0);
    CHECK_FALSE(clan.script->formulas_path.empty());

    // Shared things are shared.
    CHECK(blueprint->objects[1].assembly->components[0].prototype ==
          five.assembly->components[0].prototype);
    CHECK(blueprint->find_scheme("units\\UNITS/Five.dat") == five.assembly);
    CHECK(blueprint->find_prototype("CHASSIS") == five.assembly->components[0].prototype);
}

TEST_CASE("a mission key may be written in several ways") {
    const auto vfs = worked_root().vfs();
    for (const char* key : {"missions/single.01", "MISSIONS\\Single.01", "Missions/SINGLE.01/",
                            "missions\\single.01\\DATA.TMA"}) {
        CAPTURE(key);
        const auto loaded = load_mission(vfs, key);
        REQUIRE(loaded);
        CHECK((*loaded)->key == kMissionKey);
    }
    CHECK(load_mission(vfs, "missions/single.02").error().code() == "not_found");
    CHECK(load_mission(vfs, "../x").error().code() == "parent_traversal");
    CHECK(load_mission(vfs, "data.tma").error().code() == "bad_mission_key");
    CHECK(load_mission(vfs, "").error().code() == "empty");
}

TEST_CASE("the missing unit key error tells the whole way to it") {
    Root root = worked_root();
    root.scheme("UNITS/odd.dat", 0x01008000, {"chassis", "r_unknown"});
    root.place("UNITS\\odd.dat");
    std::vector<LoadFailure> failures;
    const auto loaded = load(root, {}, &failures);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().to_string() ==
          "cannot load mission 'missions/single.01': stage 4, prototype resolution: object 9 "
          "'UNITS\\odd.dat': unit scheme 'UNITS\\odd.dat': record 1: prototype 'r_unknown': objects.rlb "
          "has no such prototype (objects.rlb, entry r_unknown) [missing_component]");
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].to_string() ==
          "mission 'missions/single.01': object 9 'UNITS\\odd.dat': unit scheme 'UNITS\\odd.dat': record "
          "1: prototype 'r_unknown': objects.rlb has no such prototype (objects.rlb, entry r_unknown) "
          "[missing_component]");
}

TEST_CASE("all failures of a stage come together and later stages do not run") {
    Root root = worked_root();
    root.place("unknown_a");
    root.place("unknown_b");
    root.find("bases.rlb", "chassis_m.msh")->payload.resize(40);  // would fail in stage 5
    std::vector<LoadFailure> failures;
    const auto loaded = load(root, {}, &failures);
    REQUIRE_FALSE(loaded);
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].stage == LoadStage::prototypes);
    CHECK(failures[1].key == "unknown_b");
    const std::string text = loaded.error().to_string();
    CHECK(text.find("2 failures") != std::string::npos);
    CHECK(text.find("unknown_a") != std::string::npos);
    CHECK(text.find("unknown_b") != std::string::npos);
    CHECK(text.find("chassis") == std::string::npos);
}

TEST_CASE("a server loads without any visual archive, a client does not") {
    Root root = worked_root();
    for (const char* name : {"Material.lib", "Textures.lib", "LightMap.lib"}) root.archives.erase(name);
    root.plain.erase("DATA/MAPS/flat/Land1.wea");
    root.plain.erase("DATA/MAPS/flat/Land2.wea");
    CHECK(code_of(root) == "ok");
    LoadOptions client;
    client.visuals = true;
    CHECK(code_of(root, client) == "missing_wear");  // the terrain's tables come first
    std::vector<LoadFailure> failures;
    CHECK_FALSE(load(root, client, &failures));
    CHECK(std::count_if(failures.begin(), failures.end(), [](const LoadFailure& f) {
              return f.code == "missing_material";
          }) == 12);
}

TEST_CASE("stages 1 to 3 stop the load with their codes") {
    Root root = worked_root();
    root.plain.erase("DATA/MAPS/flat/Land.msh");
    CHECK(code_of(root) == "missing_terrain");
    root = worked_root();
    root.file("DATA/MAPS/flat/Land.map").resize(20);
    CHECK(code_of(root) != "ok");
    root = worked_root();
    root.file("BuildDat.lst") = text_bytes("Castle 0\n");
    CHECK(code_of(root) == "build_dat_unknown_category");
    root = worked_root();
    root.tma.land_path = "..\\land";
    CHECK(code_of(root) == "tma_bad_path");
    root = worked_root();
    root.tma.land_path.clear();
    CHECK(code_of(root) == "tma_empty_name");
    root = worked_root();
    root.place("");
    CHECK(code_of(root) == "tma_empty_name");
    root = worked_root();
    root.place("C:\\x.dat");
    CHECK(code_of(root) == "tma_bad_path");
    root = worked_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a").anchor_x = 10000.5f;
    CHECK(code_of(root) == "tma_anchor_range");
    root = worked_root();
    root.clan("Plr").anchor_x = -1;  // without a script the anchor is not needed
    CHECK(code_of(root) == "ok");
}

TEST_CASE("an error behind the land path is found in stage 3, after the terrain") {
    Root root = worked_root();
    auto files = root.files();
    files["MISSIONS/Single.01/data.tma"].push_back(0);
    auto vfs = *archive::Vfs::from_memory(files);
    CHECK(load_mission(vfs, kMissionKey).error().code() == "trailing_bytes");
    files.erase("BuildDat.lst");
    vfs = *archive::Vfs::from_memory(files);
    CHECK(load_mission(vfs, kMissionKey).error().code() == "missing_terrain");
}

TEST_CASE("scripts are part of the load") {
    Root root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.plain.erase("MISSIONS/SCRIPTS/a.scr");
    CHECK(code_of(root) == "missing_script");

    root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.file("MISSIONS/SCRIPTS/a.scr").pop_back();
    CHECK(code_of(root) != "ok");

    // A malformed own set never falls through to the shared one.
    root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.file("MISSIONS/SCRIPTS/a.var") = text_bytes("VAR(DWORD, x)\n");
    CHECK(code_of(root) == "var_missing_field");
    root.file("MISSIONS/SCRIPTS/a.var") = text_bytes("VAR(DWORD, x, 3)\n");
    CHECK(must_load(root)->clans[0].script->variables.index_of("x") == 0);

    root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.file("MISSIONS/SCRIPTS/a.scr")[0] = 60;
    CHECK(code_of(root) == "script_version");
    LoadOptions lenient;
    lenient.profile = ReadProfile::compatible;
    CHECK(code_of(root, lenient) == "ok");

    // A base with an extension is used as it is.
    root = minimal_root();
    root.clan("Plr", "MISSIONS\\SCRIPTS\\a");
    root.tma.clans[0].script_base = "MISSIONS\\SCRIPTS\\a.scr";
    CHECK(must_load(root)->clans[0].script->formulas_path == "MISSIONS/SCRIPTS/a.fml");
}

TEST_CASE("control, contour, point and damage data come with the prototype") {
    Root root = worked_root();
    asset::BaseContour contour;
    contour.inner.push_back(asset::make_inner_contour({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}));
    root.entry("fortif.rlb", "fr_m_brige.bas", {0, 0, 0, 0, asset::write_base_contour(contour)});
    root.entry("bases.rlb", "a.ctl", {0, 0, 0, 0, asset::write_control_resource(asset::make_control_resource())});
    root.entry("bases.rlb", "b.ctl", {0, 0, 0, 0, Bytes(3)});
    asset::ControlPoints points;
    points.points.resize(1);
    points.points[0].name.assign("Root");
    root.entry("bases.rlb", "a.cpt", {0, 0, 0, 0, asset::write_control_points(points)});
    asset::DamageRecords damage;
    damage.records.resize(2);
    root.entry("bases.rlb", "a.ndp", {0, 0, 0, 0, asset::write_damage_records(damage)});
    // The first reference of each extension counts, so the broken b.ctl is not read.
    root.prototype("full", {{"bases.rlb", "part_m.msh"}, {"bases.rlb", "a.CTL"}, {"bases.rlb", "b.ctl"},
                            {"bases.rlb", "a.cpt"}, {"bases.rlb", "a.ndp"}, {"bases.rlb", "gone.exp"}});
    root.place("full");
    const auto blueprint = must_load(root);
    const ResolvedPrototype& full = *blueprint->objects.back().assembly->components[0].prototype;
    REQUIRE(full.control);
    CHECK(full.control->parsed());
    REQUIRE(full.control_points);
    CHECK(full.control_points->find("Root"));
    REQUIRE(full.damage);
    CHECK(full.damage->records.size() == 2);
    CHECK_FALSE(full.contour);
    const ResolvedPrototype& bridge = *blueprint->objects[6].assembly->components[0].prototype;
    REQUIRE(bridge.contour);
    CHECK(bridge.contour->inner.size() == 1);
    const auto& all = blueprint->diagnostics;
    CHECK(std::any_of(all.begin(), all.end(), [](const Diagnostic& d) {
        return d.code == "missing_resource" && d.entry == "gone.exp";
    }));

    // A target that exists and cannot be read stops the load.
    root.prototype("broken", {{"bases.rlb", "b.ctl"}});
    root.place("broken");
    CHECK(code_of(root) == "parse_failure");
}

TEST_CASE("buildable schemes are in the blueprint; broken ones are left out with a warning") {
    Root root = worked_root();
    root.scheme("UNITS/BUILDS/mine.dat", 0x80000004, {"part"});
    root.scheme("UNITS/BUILDS/broken.dat", 0x80000004, {"unknown"});
    root.file("BuildDat.lst") = text_bytes(
        "Mine 3\r\n\"UNITS\\BUILDS\\mine.dat\"\r\n\"UNITS\\BUILDS\\broken.dat\"\r\n\"UNITS\\gone.dat\"\r\n");
    root.scheme("UNITS/UNITS/PREBLD/scr.dat", 0x01004000, {"chassis", "gun"});
    root.file("MISSIONS/Single.01/mission.cfg") =
        text_bytes("object prebuild\r\n scheme \"units\\\\units\\\\prebld\\\\scr.dat\"\r\nend\r\n");
    const auto blueprint = must_load(root);
    REQUIRE(blueprint->build_categories.size() == 1);
    REQUIRE(blueprint->build_categories[0].schemes.size() == 1);
    CHECK(blueprint->build_categories[0].mask == 0x80000004u);
    CHECK(blueprint->build_categories[0].schemes[0]->components[0].prototype->key == "part");
    REQUIRE(blueprint->prebuild_schemes.size() == 1);
    CHECK(blueprint->prebuild_schemes[0]->components.size() == 2);
    CHECK(blueprint->find_scheme("units/builds/MINE.dat"));
    CHECK_FALSE(blueprint->find_scheme("units/builds/broken.dat"));
    std::vector<std::string> codes;
    for (const auto& warning : blueprint->graph->warnings)
        if (!warning.scheme_path.empty()) codes.push_back(warning.code);
    CHECK(codes == std::vector<std::string>{"missing_component", "missing_unit_dat"});
}

TEST_CASE("a scheme sent later is assembled from the prototypes of the mission") {
    Root root = worked_root();
    asset::ResearchTree tree;
    tree.nodes.resize(1);
    tree.nodes[0].short_name = "unlocked";
    root.model("bases.rlb", "unlocked");
    root.prototype("unlocked", {{"bases.rlb", "unlocked.msh"}});
    root.clan("Plr").research_path = "MISSIONS\\SCRIPTS\\data.trf";
    root.file("MISSIONS/SCRIPTS/data.trf") = *asset::write_research_tree(tree);
    const auto blueprint = must_load(root);
    REQUIRE(blueprint->clans[0].research);

    asset::UnitDat dat;
    dat.scheme_type = 0x01008000;
    dat.records = {asset::make_unit_record("Chassis", -1, "", asset::UnitEntryType::chassis, 1),
                   asset::make_unit_record("unlocked", 1, "", asset::UnitEntryType::turret, 0)};
    const auto scheme = assemble_scheme(*blueprint, "own/robot.dat", dat);
    REQUIRE(scheme);
    CHECK((*scheme)->components[1].prototype->key == "unlocked");
    CHECK((*scheme)->components[1].parent_record == 0);
    dat.records[1].prototype.assign("fr_nowhere");
    CHECK(assemble_scheme(*blueprint, "own/robot.dat", dat).error().code() == "missing_component");
    dat.records[1].prototype.assign("");
    CHECK(assemble_scheme(*blueprint, "own/robot.dat", dat).error().code() == "empty_component");
    dat.records.pop_back();
    CHECK(assemble_scheme(*blueprint, "own/robot.dat", dat).error().code() == "dat_tree_mismatch");
}

TEST_CASE("progress names every stage in order") {
    std::vector<LoadStage> stages;
    const auto loaded = load_mission(worked_root().vfs(), kMissionKey, {}, [&](const LoadProgress& p) {
        if (stages.empty() || stages.back() != p.stage) stages.push_back(p.stage);
        if (p.total != 0) CHECK(p.done <= p.total);
    });
    REQUIRE(loaded);
    CHECK(stages == std::vector<LoadStage>{LoadStage::context, LoadStage::foundation,
                                           LoadStage::description, LoadStage::prototypes,
                                           LoadStage::resources});
}

TEST_CASE("the mission lists stop at the first gap") {
    std::map<std::string, Bytes> files;
    for (const char* key : {"single.01", "single.02", "single.04", "tutorial.00", "tutorial.01",
                            "campaign/campaign.01", "campaign/campaign.01/mission.01"})
        files["MISSIONS/" + std::string(key) + "/descr"] = text_bytes("Title " + std::string(key) + "\r\nx");
    files["MISSIONS/single.02/data.tma"] = {};
    files["MISSIONS/Autodemo.00/data.tma"] = {};
    const auto list = list_missions(*archive::Vfs::from_memory(files));
    std::vector<std::string> keys;
    for (const auto& entry : list) keys.push_back(entry.key);
    CHECK(keys == std::vector<std::string>{"missions/single.01", "missions/single.02",
                                           "missions/tutorial.00", "missions/tutorial.01",
                                           "missions/campaign/campaign.01/mission.01",
                                           "missions/autodemo.00"});
    CHECK(list[0].title == "Title single.01");
    CHECK(list[0].data_path.empty());
    CHECK(list[1].data_path == "MISSIONS/single.02/data.tma");
    CHECK(list[4].campaign == "missions/campaign/campaign.01");
    CHECK(list[5].group == "autodemo");
}
