// `iron3d corpus` on the built-in game and on damaged copies of it.
#include <set>

#include <nlohmann/json.hpp>

#include "tests/tools/tool_kit.hpp"

using namespace iron;
using kit::game_root;
using kit::iron3d;
using kit::TemporaryFolder;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// A writable copy of the built-in game.
std::string copy_game(const TemporaryFolder& folder) {
    const fs::path to = folder.path() / "copy";
    fs::copy(game_root(), to, fs::copy_options::recursive);
    return to.string();
}

Json total(const Json& report, std::string_view name) {
    for (const Json& row : report["totals"])
        if (row["name"] == name) return row;
    FAIL("no total of that name");
    return {};
}

}  // namespace

TEST_CASE("corpus verify: the built-in game is sound and no published edition") {
    const auto run = iron3d({"corpus", "verify", "--root", game_root(), "--json"});
    INFO(run.err);
    REQUIRE(run.exit == 0);
    const Json report = Json::parse(run.out);
    CHECK(report["edition"] == "unknown");
    CHECK(report["exact"] == false);
    CHECK(report["health"]["error"] == 0);
    CHECK(report["health"]["quirk"] == 0);
    CHECK(report["health"]["not_rewritten"].empty());
    CHECK(report["reachability"]["sound"] == true);
    CHECK(report["reachability"]["missions"].size() == 3);
    CHECK(total(report, "missions (TMA files)")["found"] == 3);
    CHECK(total(report, "BuildDat categories")["found"] == 12);
    CHECK(total(report, "graph failures")["found"] == 0);
    CHECK(total(report, "FXID, emitting")["found"] == nullptr);
    // Every request with geometry asks for a model and a table.
    CHECK(total(report, "MSH requests")["found"] == total(report, "WEAR requests")["found"]);
    CHECK(report["registry"]["keys"] == total(report, "objects.rlb prototypes")["found"]);
    const auto text = iron3d({"corpus", "verify", "--root", game_root()});
    CHECK(text.exit == 0);
    CHECK(text.out.find("3 of 3 missions reach everything they need") != std::string::npos);
}

TEST_CASE("Every published total names something that is counted, and the sums of the parts agree") {
    const Json data = Json::parse(as_text(read_file(std::string(IRON_SOURCE_DIR) + "/tools/data/published_totals.json").value()));
    const Json facts = Json::parse(iron3d({"corpus", "report", "--root", game_root()}).out)["facts"];
    // Counted only where there is one; the built-in game has none of these.
    const std::set<std::string> absent{"sounds_adpcm", "sounds_empty", "entries FXID", "entries EXPL", "all FML", "all ANI", "all SKE"};
    for (const Json& row : data["totals"]) {
        if (!row.contains("fact")) continue;
        const std::string fact = row["fact"];
        INFO(fact);
        CHECK((facts.contains(fact) || absent.count(fact) == 1));
    }
    const auto published = [&](std::string_view name, std::size_t edition) {
        for (const Json& row : data["totals"])
            if (row["name"] == name) return row["published"][edition].get<std::uint64_t>();
        FAIL("no such row");
        return std::uint64_t{0};
    };
    for (std::size_t edition = 0; edition < 3; ++edition) {
        CHECK(published("objects that are unit schemes", edition) + published("objects that are direct keys", edition) ==
              published("placed objects", edition));
        // One request a direct key and one a component (mission.md 5).
        CHECK(published("objects that are direct keys", edition) + published("components", edition) == published("prototype requests", edition));
    }
}

TEST_CASE("corpus roundtrip rewrites everything to the same bytes") {
    const auto run = iron3d({"corpus", "roundtrip", "--root", game_root(), "--json"});
    REQUIRE(run.exit == 0);
    const Json result = Json::parse(run.out);
    CHECK(result["differ"] == 0);
    CHECK(result["unreadable"] == 0);
    CHECK(result["equal"].get<int>() > 300);
}

TEST_CASE("corpus report is the same on every run and with any number of threads") {
    const TemporaryFolder folder;
    REQUIRE(iron3d({"corpus", "report", "--root", game_root(), "--jobs", "1", "--out", folder.at("a.json")}).exit == 0);
    REQUIRE(iron3d({"corpus", "report", "--root", game_root(), "--jobs", "4", "--out", folder.at("b.json")}).exit == 0);
    CHECK(folder.text("a.json") == folder.text("b.json"));
    const std::string copy = copy_game(folder);
    REQUIRE(iron3d({"corpus", "report", "--root", copy, "--out", folder.at("c.json")}).exit == 0);
    CHECK(folder.text("a.json") == folder.text("c.json"));  // no paths of the machine
    const Json report = Json::parse(folder.text("a.json"));
    CHECK(report["files"][0].contains("sha256"));
    CHECK(report["tool"].get<std::string>().substr(0, 7) == "iron3d ");
    std::uint64_t bytes = 0;
    for (const Json& file : report["files"]) bytes += file["bytes"].get<std::uint64_t>();
    CHECK(total(report, "bytes on disk")["found"] == bytes);
}

TEST_CASE("A damaged archive is named with entry and offset, apart from what missions reach") {
    const TemporaryFolder folder;
    const std::string copy = copy_game(folder);
    // An entry no mission needs: archive health suffers, the missions do not.
    folder.put("bad.msh", "NRes, but not really");
    REQUIRE(iron3d({"archive", "edit", copy + "/robots.rlb", "--add", "spare.msh=" + folder.at("bad.msh"), "--in-place"}).exit == 0);
    const auto run = iron3d({"corpus", "verify", "--root", copy, "--json"});
    CHECK(run.exit == 3);
    const Json report = Json::parse(run.out);
    CHECK(report["health"]["error"] == 1);
    CHECK(report["reachability"]["sound"] == true);
    const auto text = iron3d({"corpus", "verify", "--root", copy});
    CHECK(text.out.find("ERROR  robots.rlb::spare.msh") != std::string::npos);
    CHECK(iron3d({"corpus", "roundtrip", "--root", copy}).exit == 3);
}

TEST_CASE("A missing material is a broken mission, not a damaged archive") {
    const TemporaryFolder folder;
    const std::string copy = copy_game(folder);
    fs::remove(copy + "/Textures.lib");
    const auto run = iron3d({"corpus", "verify", "--root", copy, "--json"});
    CHECK(run.exit == 3);
    const Json report = Json::parse(run.out);
    CHECK(report["health"]["error"] == 0);
    CHECK(report["reachability"]["sound"] == false);
    const Json& failure = report["reachability"]["missions"][0]["failures"][0];
    CHECK(failure["code"] == "missing_texture");
    CHECK(failure.contains("archive"));
    CHECK(failure.contains("edge"));
}

TEST_CASE("corpus diff names files and entries") {
    const TemporaryFolder folder;
    const std::string copy = copy_game(folder);
    const auto same = iron3d({"corpus", "diff", "--root", game_root(), "--against", copy, "--json"});
    CHECK(same.exit == 0);
    CHECK(Json::parse(same.out)["equal"] == true);

    const std::string payload = folder.put("p.wav", "x");
    REQUIRE(iron3d({"archive", "edit", copy + "/sounds.lib", "--replace", "hit.wav=" + payload, "--add", "new.wav=" + payload, "--remove", "shot_em.wav", "--in-place"}).exit == 0);
    fs::remove(copy + "/ArealMap.ini");
    const auto run = iron3d({"corpus", "diff", "--root", game_root(), "--against", copy, "--json"});
    CHECK(run.exit == 6);
    const Json diff = Json::parse(run.out);
    CHECK(diff["files"]["removed"] == 1);
    CHECK(diff["files"]["changed"] == 1);
    CHECK(diff["nres_entries"]["changed"] == 1);
    CHECK(diff["nres_entries"]["added"] == 1);
    CHECK(diff["nres_entries"]["removed"] == 1);
    const auto text = iron3d({"corpus", "diff", "--root", game_root(), "--against", copy});
    CHECK(text.out.find("changed  hit.wav") != std::string::npos);
    CHECK(text.out.find("removed  arealmap.ini") != std::string::npos);
}

TEST_CASE("Every inspecting and corpus command explains itself with an example") {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"asset", "inspect"}, {"asset", "export"}, {"asset", "import"}, {"prototype", "inspect"}, {"script", "inspect"},
             {"corpus", "verify"}, {"corpus", "roundtrip"}, {"corpus", "report"}, {"corpus", "diff"}}) {
        const auto help = iron3d({words[0], words[1], "--help"});
        CHECK(help.exit == 0);
        CHECK(help.out.find("Example: iron3d " + words[0] + " " + words[1]) != std::string::npos);
    }
    CHECK(iron3d({"corpus", "verify"}).exit == 2);
    CHECK(iron3d({"corpus", "verify", "--root", "/nowhere/at/all"}).exit == 3);
}
