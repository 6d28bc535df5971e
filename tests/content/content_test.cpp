// The built-in game as a whole: determinism, self-check, transactional writing.
#include <fstream>
#include <set>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "shared/asset/unit_dat.hpp"
#include "shared/base/file.hpp"
#include "shared/content/content.hpp"
#include "shared/content/texts.hpp"
#include "tests/content/content_kit.hpp"

using namespace iron;
using namespace iron::content;
using namespace iron::content_test;
namespace fs = std::filesystem;

namespace {

struct Scratch {
    fs::path path = fs::temp_directory_path() / ("iron_content_" + std::to_string(::getpid()));
    Scratch() { fs::remove_all(path); }
    ~Scratch() { fs::remove_all(path); }
};

std::string golden() {
    std::ifstream in(std::string(IRON_SOURCE_DIR) + "/tests/content/golden.txt");
    std::string line;
    while (std::getline(in, line))
        if (!line.empty() && line[0] != '#') return line;
    return {};
}

}  // namespace

// Regenerate on purpose only: iron3d content build --out /tmp/pg --json, field "manifest".
TEST_CASE("the default seed gives the golden manifest") {
    CHECK(to_hex(summarize(game()).manifest) == golden());
}

TEST_CASE("the same seed gives the same files and another seed differs") {
    const auto again = generate_content({});
    REQUIRE(again);
    CHECK(summarize(*again).manifest == summarize(game()).manifest);
    ContentOptions other;
    other.seed = kDefaultSeed + 1;
    const auto changed = generate_content(other);
    REQUIRE(changed);
    REQUIRE(changed->size() == game().size());
    CHECK(summarize(*changed).manifest != summarize(game()).manifest);
    std::set<std::string> differs;
    for (std::size_t i = 0; i < changed->size(); ++i)
        if ((*changed)[i].bytes != game()[i].bytes) differs.insert(game()[i].path);
    CHECK(differs.count("DATA/MAPS/PG_FOUR/land.msh") == 1);
    CHECK(differs.count("Textures.lib") == 1);
    CHECK(differs.count("MISSIONS/SCRIPTS/varset.var") == 0);  // rules and texts do not depend on it
}

TEST_CASE("every file is read strictly and rewritten byte for byte") {
    for (const auto& f : game()) {
        CAPTURE(f.path);
        const Status status = check_file(f.path, f.bytes);
        CHECK((status ? std::string() : status.error().to_string()) == "");
    }
}

TEST_CASE("the self-check refuses a damaged file") {
    for (const char* path : {"MISSIONS/single.01/data.tma", "objects.rlb", "DATA/MAPS/PG_TUT/land.msh", "UNITS/BUILDS/gen.dat"}) {
        CAPTURE(path);
        Bytes cut = file(path);
        cut.pop_back();
        CHECK_FALSE(check_file(path, cut));
    }
    CHECK_FALSE(check_file("Behavior.ini", {}));
    CHECK_FALSE(check_file("unknown.xyz", as_bytes("x")));
}

TEST_CASE("the game has the files of the demo layout") {
    for (const char* path :
         {"objects.rlb", "bases.rlb", "robots.rlb", "turrets.rlb", "weapon.rlb", "static.rlb", "fortif.rlb", "effects.rlb", "system.rlb",
          "Material.lib", "Textures.lib", "LightMap.lib", "Palettes.lib", "gamefont.rlb", "sprites.lib", "sounds.lib", "Comp.ini",
          "Iron_3D.ini", "Behavior.ini", "ArealMap.ini", "BuildDat.lst", "MISSIONS/SCRIPTS/varset.var", "MISSIONS/SCRIPTS/data.trf",
          "MISSIONS/SCRIPTS/default.scr", "ui/game_resources.cfg"})
        CHECK_NOTHROW(file(path));
    for (const char* mission : {"tutorial.01", "single.01", "single.02"})
        for (const char* name : {"data.tma", "mission.cfg", "briefing.cfg", "messages.cfg", "descr", "mistips.mis"})
            CHECK_NOTHROW(file(std::string("MISSIONS/") + mission + "/" + name));
    for (const char* map : {"PG_TUT", "PG_DUEL", "PG_FOUR"})
        for (const char* name : {"land.msh", "land.map", "land1.wea", "land2.wea"})
            CHECK_NOTHROW(file(std::string("DATA/MAPS/") + map + "/" + name));
}

TEST_CASE("texts are CP1251 with CRLF") {
    const Bytes& title = file("MISSIONS/single.01/descr");
    // "Полигон" in CP1251.
    const std::uint8_t expected[] = {0xCF, 0xEE, 0xEB, 0xE8, 0xE3, 0xEE, 0xED};
    REQUIRE(title.size() > sizeof expected + 2);
    CHECK(std::equal(std::begin(expected), std::end(expected), title.begin()));
    CHECK(title[title.size() - 2] == '\r');
    CHECK(title[title.size() - 1] == '\n');
    CHECK(text_source("no_such_text.txt").empty());
}

TEST_CASE("a build is all or nothing and replaces only what it wrote") {
    Scratch scratch;
    const auto report = build_content(scratch.path / "game", {});
    REQUIRE(report);
    CHECK(report->files.size() == game().size());
    CHECK(report->manifest == summarize(game()).manifest);
    for (const FileSummary& f : report->files) {
        const auto bytes = read_file(scratch.path / "game" / f.path);
        REQUIRE(bytes);
        CHECK(sha256(*bytes) == f.sha256);
    }
    CHECK(fs::exists(scratch.path / "game" / std::string(kManifestName)));
    CHECK_FALSE(fs::exists(scratch.path / "game.new"));

    // Again over its own output: replaced, nothing left behind.
    std::ofstream(scratch.path / "game" / "stale.txt") << "x";
    REQUIRE(build_content(scratch.path / "game", {}));
    CHECK_FALSE(fs::exists(scratch.path / "game" / "stale.txt"));
    CHECK_FALSE(fs::exists(scratch.path / "game.old"));

    // Somebody else's folder stays as it is.
    fs::create_directories(scratch.path / "mine");
    std::ofstream(scratch.path / "mine" / "precious.txt") << "keep";
    const auto refused = build_content(scratch.path / "mine", {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == "exists");
    CHECK(fs::exists(scratch.path / "mine" / "precious.txt"));

    // A target that cannot be made leaves nothing.
    std::ofstream(scratch.path / "file") << "x";
    CHECK_FALSE(build_content(scratch.path / "file" / "below", {}));
}

TEST_CASE("progress names every file and ends complete") {
    std::size_t checked = 0;
    Progress last;
    REQUIRE(generate_content({}, [&](const Progress& p) {
        if (p.phase == "check" && !p.item.empty()) ++checked;
        last = p;
    }));
    CHECK(checked == game().size());
    CHECK(last.done == last.total);
    CHECK(last.bytes == summarize(game()).total_bytes);
}
