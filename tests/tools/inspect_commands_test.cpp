// `iron3d prototype inspect` and `iron3d script inspect`.
#include <nlohmann/json.hpp>

#include "shared/asset/script_package.hpp"
#include "tests/tools/tool_kit.hpp"

using namespace iron;
using kit::game_root;
using kit::iron3d;
using kit::TemporaryFolder;
using Json = nlohmann::ordered_json;

TEST_CASE("prototype inspect follows a key to its textures") {
    const auto run = iron3d({"prototype", "inspect", "R_H_01", "--root", game_root(), "--json"});
    REQUIRE(run.exit == 0);
    const Json tree = Json::parse(run.out);
    CHECK(tree["status"] == "resolved");
    CHECK(tree["broken"] == 0);
    CHECK(tree["model"]["archive"] == "robots.rlb");
    CHECK(tree["model"]["entry"] == "r_h_01.msh");
    REQUIRE(tree["model"]["wear"]["materials"].size() > 0);
    bool textured = false;
    for (const Json& material : tree["model"]["wear"]["materials"]) {
        CHECK(material["state"] == "found");
        for (const Json& texture : material["textures"]) textured = textured || texture["state"] == "found";
    }
    CHECK(textured);
    bool control = false;
    for (const Json& ref : tree["references"]) control = control || (ref.value("kind", "") == "CTLD" && ref["content"]["parsed"] == true);
    CHECK(control);
    CHECK(iron3d({"prototype", "inspect", "r_h_01", "--root", game_root()}).out.find("entry: r_h_01.msh") != std::string::npos);
}

TEST_CASE("prototype inspect: an unknown key and a broken link have exit code 3 and a cause") {
    const auto run = iron3d({"prototype", "inspect", "nobody", "--root", game_root(), "--json"});
    CHECK(run.exit == 3);
    CHECK(Json::parse(run.out)["status"] == "missing_prototype");
    CHECK(iron3d({"prototype", "inspect", "--root", game_root()}).exit == 2);

    // A copy of the game whose material library lost the texture library beside it.
    const TemporaryFolder folder;
    for (const char* name : {"objects.rlb", "robots.rlb", "Material.lib"}) folder.put(name, read_file(game_root() + "/" + name).value());
    const auto broken = iron3d({"prototype", "inspect", "r_h_01", "--root", folder.path().string(), "--json"});
    CHECK(broken.exit == 3);
    const Json tree = Json::parse(broken.out);
    CHECK(tree["status"] == "resolved");
    CHECK(tree["broken"].get<int>() > 0);
}

TEST_CASE("prototype inspect --all walks the whole registry") {
    const auto run = iron3d({"prototype", "inspect", "--all", "--root", game_root(), "--json"});
    CHECK(run.exit == 0);
    CHECK(Json::parse(run.out).size() > 50);
}

TEST_CASE("script inspect names selectors, operands and variables") {
    const TemporaryFolder folder;
    asset::ScriptPackage package;
    asset::ScriptEvent event;
    event.name = "Init";
    asset::ScriptRecord base;
    base.w0 = 19;
    base.references = {1, 2, 0};
    asset::ScriptRecord set;
    set.w1 = 0;
    set.w2 = 7;
    set.w3 = 6;
    asset::ScriptRecord open;
    open.w0 = 33;
    open.references = {9};
    event.records = {base, set, open};
    package.events = {event};
    const std::string file = folder.put("a.scr", asset::write_script_package(package));
    folder.put("VARSET.VAR", "VAR(DWORD, ClanID, 3)\r\nVAR(DWORD, ClanBaseX, 0)\r\nVAR(DWORD, ClanBaseY, 0)\r\n");

    const auto text = iron3d({"script", "inspect", file});
    REQUIRE(text.exit == 0);
    CHECK(text.out.find("event Init") != std::string::npos);
    CHECK(text.out.find("call 19 clan base [X]") != std::string::npos);
    CHECK(text.out.find("base x: ClanBaseX (1, default 0)") != std::string::npos);
    CHECK(text.out.find("set ClanID = 7") != std::string::npos);
    CHECK(text.out.find("#9(out of range)") != std::string::npos);

    const Json json = Json::parse(iron3d({"script", "inspect", file, "--json"}).out);
    CHECK(json["variables"] == 3);
    CHECK(json["events"][0]["records"][0]["references"][2]["name"] == "ClanID");
    CHECK(json["events"][0]["records"][2]["support"] == "U");
    CHECK(json["events"][0]["records"][1]["selector"] == nullptr);

    // The own variable set wins; without any, references stay numbers.
    folder.put("a.var", "VAR(DWORD, Own, 1)\r\n");
    CHECK(iron3d({"script", "inspect", file}).out.find("clan: Own") != std::string::npos);
    const TemporaryFolder bare;
    CHECK(iron3d({"script", "inspect", bare.put("a.scr", folder.get("a.scr"))}).out.find("base x: #1") != std::string::npos);
    CHECK(iron3d({"script", "inspect", bare.put("b.scr", "junk")}).exit == 3);
}
