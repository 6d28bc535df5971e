// `iron3d asset`: every format of the built-in game shown and exported; imports into archives.
#include <nlohmann/json.hpp>

#include "shared/asset/texture.hpp"
#include "shared/interchange/png.hpp"
#include "tests/tools/tool_kit.hpp"

using namespace iron;
using kit::game_root;
using kit::iron3d;
using kit::TemporaryFolder;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

Json inspect(const std::vector<std::string>& what) {
    std::vector<std::string> arguments{"asset", "inspect"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    arguments.push_back("--json");
    const auto run = iron3d(arguments);
    INFO(run.err);
    REQUIRE(run.exit == 0);
    return Json::parse(run.out);
}

}  // namespace

TEST_CASE("asset inspect names the kind of everything a game directory has") {
    const auto kind = [](const std::string& name) { return inspect({game_root(), name})["kind"].get<std::string>(); };
    CHECK(kind("robots.rlb::r_s_01.msh") == "MSH");
    CHECK(kind("ROBOTS.RLB::R_S_01.WEA") == "WEAR");
    CHECK(kind("robots.rlb::r_s_01.cpt") == "CTPT");
    CHECK(kind("robots.rlb::r_s_01.ndp") == "NDPR");
    CHECK(kind("robots.rlb::r_s_01.ctl") == "CTLD");
    CHECK(kind("Material.lib::HULL") == "MAT0");
    CHECK(kind("Textures.lib::#0") == "Texm");
    CHECK(kind("sounds.lib::hit.wav") == "SWAV");
    CHECK(kind("effects.rlb::sun_01.sun") == "SUND");
    CHECK(kind("objects.rlb::r_s_01") == "prototype");
    CHECK(kind("missions\\single.01\\data.tma") == "TMA");
    CHECK(kind("missions/single.01/mission.cfg") == "mission.cfg");
    CHECK(kind("missions/single.01/descr") == "text");
    CHECK(kind("missions/scripts/default.scr") == "SCR");
    CHECK(kind("missions/scripts/varset.var") == "VAR");
    CHECK(kind("missions/scripts/data.trf") == "TRF");
    CHECK(kind("units/builds/gen.dat") == "unit DAT");
    CHECK(kind("BuildDat.lst") == "BuildDat.lst");
    CHECK(kind("comp.ini") == "Comp.ini");
    CHECK(kind("data/maps/pg_duel/land.msh") == "Land.msh");
    CHECK(kind("data/maps/pg_duel/land.map") == "Land.map");
    CHECK(kind("data/maps/pg_duel/land1.wea") == "WEAR");
    CHECK(kind("gamefont.rlb::FONT8.FNT") == "raw");
}

TEST_CASE("asset inspect shows typed values, and the whole of them with --full") {
    const std::string model = "robots.rlb::r_s_01.msh";
    const Json brief = inspect({game_root(), model});
    CHECK(brief["positions"]["count"].get<std::size_t>() > 100);
    CHECK(brief["positions"]["first"].size() == 8);
    const Json full = inspect({game_root(), model, "--full"});
    CHECK(full["positions"].size() == brief["positions"]["count"]);
    CHECK(inspect({game_root(), "Material.lib::HULL"})["phases"].size() == 1);
    const auto text = iron3d({"asset", "inspect", game_root(), "Material.lib::HULL"});
    CHECK(text.out.find("kind: MAT0\n") != std::string::npos);
}

TEST_CASE("asset inspect takes a single archive or file, too") {
    const std::string root = game_root();
    CHECK(inspect({root + "/Material.lib", "HULL"})["kind"] == "MAT0");
    CHECK(inspect({root + "/Material.lib", "::hull"})["kind"] == "MAT0");
    CHECK(inspect({root + "/BuildDat.lst"})["categories"].size() == 12);
    CHECK(iron3d({"asset", "inspect", root, "Material.lib::NOPE"}).exit == 3);
    CHECK(iron3d({"asset", "inspect", root, "../x"}).exit == 3);
    CHECK(iron3d({"asset", "inspect", root}).exit == 2);
    const auto archive = iron3d({"asset", "inspect", root + "/Material.lib"});
    CHECK(archive.err.find("[unknown_container]") != std::string::npos);
}

TEST_CASE("asset export writes a texture whose pixels are those of the Texm") {
    const TemporaryFolder folder;
    CHECK(iron3d({"asset", "export", game_root(), "Textures.lib::HULL.0", "--out", folder.at("hull.png")}).exit == 0);
    const auto png = interchange::decode_png(folder.get("hull.png")).value();
    REQUIRE(iron3d({"asset", "export", game_root(), "Textures.lib::HULL.0", "--format", "raw", "--out", folder.at("")}).exit == 0);
    ReadContext ctx;
    const auto texture = asset::read_texture(folder.get("HULL.0.bin"), ctx).value();
    CHECK(png.pixels == asset::decode_level(texture, 0)->pixels);
    CHECK(Json::parse(folder.text("hull.json"))["width"] == png.width);
    CHECK(iron3d({"asset", "export", game_root(), "Textures.lib::HULL.0", "--all-levels", "--out", folder.at("levels")}).exit == 0);
    CHECK(fs::exists(folder.path() / "levels" / "HULL.0_1.png"));
    CHECK(iron3d({"asset", "export", game_root(), "Textures.lib::HULL.0", "--format", "obj", "--out", folder.at("x")}).exit == 3);
}

TEST_CASE("asset export writes models and maps with materials and textures beside them") {
    const TemporaryFolder folder;
    CHECK(iron3d({"asset", "export", game_root(), "robots.rlb::r_h_01.msh", "--out", folder.at("m/hero.gltf")}).exit == 0);
    const Json model = Json::parse(folder.text("m/hero.gltf"));
    CHECK(model["materials"].size() > 1);
    CHECK(model["images"].size() >= 1);
    for (const Json& image : model["images"]) CHECK(fs::exists(folder.path() / "m" / image["uri"].get<std::string>()));
    CHECK(iron3d({"asset", "export", game_root(), "data/maps/pg_duel/land.msh", "--out", folder.at("land.glb")}).exit == 0);
    CHECK(as_text(ByteView(folder.get("land.glb")).first(4)) == "glTF");
    CHECK(iron3d({"asset", "export", game_root(), "data/maps/pg_duel/land.map", "--out", folder.at("areals.gltf")}).exit == 0);
    CHECK(iron3d({"asset", "export", game_root(), "robots.rlb::r_h_01.msh", "--out", folder.at("hero.obj")}).exit == 0);
    CHECK(folder.text("hero.obj").find("usemtl ") != std::string::npos);
}

TEST_CASE("asset export of the formats without pictures is JSON, of sounds WAV") {
    const TemporaryFolder folder;
    CHECK(iron3d({"asset", "export", game_root(), "missions/scripts/data.trf", "--out", folder.at("tree.json")}).exit == 0);
    CHECK(Json::parse(folder.text("tree.json"))["nodes"].size() > 1);
    CHECK(iron3d({"asset", "export", game_root(), "missions/scripts/default.scr", "--out", folder.at("s")}).exit == 0);
    CHECK(Json::parse(folder.text("s/default.scr.json")).contains("events"));
    CHECK(iron3d({"asset", "export", game_root(), "sounds.lib::hit.wav", "--out", folder.at("hit.wav")}).exit == 0);
    CHECK(as_text(ByteView(folder.get("hit.wav")).first(4)) == "RIFF");
}

TEST_CASE("asset import puts a picture and a material into archives and leaves the rest alone") {
    const TemporaryFolder folder;
    folder.put("Textures.lib", read_file(game_root() + "/Textures.lib").value());
    folder.put("Material.lib", read_file(game_root() + "/Material.lib").value());
    const asset::RgbaImage image{8, 8, Bytes(256, 255)};
    const std::string png = folder.put("white.png", interchange::encode_png(image).value());
    CHECK(iron3d({"asset", "import", png, "--archive", folder.at("Textures.lib"), "--name", "WHITE.0"}).exit == 0);
    CHECK(inspect({folder.at("Textures.lib"), "WHITE.0"})["width"] == 8);
    CHECK(inspect({folder.at("Textures.lib"), "HULL.0"})["sha256"] == inspect({game_root(), "Textures.lib::HULL.0"})["sha256"]);

    const std::string json = folder.put("m.json", R"({"attributes": [4, 6, 0], "phases": [{"texture": "WHITE.0"}]})");
    CHECK(iron3d({"asset", "import", json, "--archive", folder.at("Material.lib"), "--name", "HULL"}).exit == 0);
    const Json hull = inspect({folder.at("Material.lib"), "HULL"});
    CHECK(hull["phases"][0]["texture"] == "WHITE.0");
    CHECK(hull["entry_attributes"] == Json{4, 6, 0});
    CHECK(iron3d({"archive", "verify", folder.at("Material.lib")}).exit == 0);

    CHECK(iron3d({"asset", "import", png, "--out", folder.at("w.texm"), "--texture-format", "4444", "--mips", "1"}).exit == 0);
    CHECK(inspect({folder.at("w.texm")})["format"] == 4444);
    CHECK(iron3d({"asset", "import", png}).exit == 2);
    CHECK(iron3d({"asset", "import", folder.put("x.bin", "x"), "--out", folder.at("y")}).exit == 2);
    CHECK(iron3d({"asset", "import", folder.put("bad.png", "x"), "--out", folder.at("y")}).exit == 3);
}
