// `iron3d model unpack|pack` on a model of the built-in game.
#include <nlohmann/json.hpp>

#include "tests/tools/tool_kit.hpp"

using namespace iron;
using kit::game_root;
using kit::iron3d;
using kit::TemporaryFolder;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

TEST_CASE("model unpack and pack give the identical archive back") {
    const TemporaryFolder folder;
    const Bytes before = read_file(game_root() + "/robots.rlb").value();
    folder.put("robots.rlb", before);
    REQUIRE(iron3d({"model", "unpack", game_root(), "robots.rlb::r_s_01.msh", "--out", folder.at("m")}).exit == 0);
    for (const char* name : {"model.gltf", "model.bin", "model.json", "original.msh"}) CHECK(fs::exists(folder.path() / "m" / name));
    const auto packed = iron3d({"model", "pack", folder.at("m"), "--archive", folder.at("robots.rlb"), "--name", "r_s_01.msh"});
    CHECK(packed.exit == 0);
    CHECK(packed.out.find("identical to the original") != std::string::npos);
    CHECK(folder.get("robots.rlb") == before);
}

TEST_CASE("An edited pose reaches the archive and only its model changes") {
    const TemporaryFolder folder;
    folder.put("robots.rlb", read_file(game_root() + "/robots.rlb").value());
    REQUIRE(iron3d({"model", "unpack", game_root(), "robots.rlb::r_s_01.msh", "--out", folder.at("m")}).exit == 0);
    Json gltf = Json::parse(folder.text("m/model.gltf"));
    gltf["nodes"][1]["translation"] = {1.5, 2.5, 3.5};
    folder.put("m/model.gltf", gltf.dump());
    const auto packed = iron3d({"model", "pack", folder.at("m"), "--archive", folder.at("robots.rlb"), "--name", "r_s_01.msh", "--json"});
    REQUIRE(packed.exit == 0);
    CHECK(Json::parse(packed.out)["edited"]["poses"] == 1);
    CHECK(iron3d({"archive", "verify", folder.at("robots.rlb")}).exit == 0);
    const Json view = Json::parse(iron3d({"asset", "inspect", folder.at("robots.rlb"), "r_s_01.msh", "--json", "--full"}).out);
    CHECK(view["keys"][view["nodes"][1]["fallback_key"].get<std::size_t>()]["position"] == Json{1.5, 2.5, 3.5});
    const auto other = [](const std::string& place) {
        return Json::parse(iron3d({"asset", "inspect", place, "r_m_01.msh", "--json"}).out)["sha256"];
    };
    CHECK(other(folder.at("robots.rlb")) == other(game_root() + "/robots.rlb"));
}

TEST_CASE("model unpack wants a model, pack one target") {
    const TemporaryFolder folder;
    CHECK(iron3d({"model", "unpack", game_root(), "robots.rlb::r_s_01.wea", "--out", folder.at("m")}).exit == 3);
    CHECK_FALSE(fs::exists(folder.path() / "m"));
    REQUIRE(iron3d({"model", "unpack", game_root(), "robots.rlb::r_s_01.msh", "--out", folder.at("m")}).exit == 0);
    CHECK(iron3d({"model", "unpack", game_root(), "robots.rlb::r_s_01.msh", "--out", folder.at("m")}).exit == 3);
    CHECK(iron3d({"model", "pack", folder.at("m")}).exit == 2);
    CHECK(iron3d({"model", "pack", folder.at("m"), "--out", folder.at("x.msh")}).exit == 0);
    folder.put("m/original.msh", "changed");
    CHECK(iron3d({"model", "pack", folder.at("m"), "--out", folder.at("y.msh")}).exit == 3);
    CHECK_FALSE(fs::exists(folder.path() / "y.msh"));
    for (const char* name : {"unpack", "pack"})
        CHECK(iron3d({"model", name, "--help"}).out.find(std::string("Example: iron3d model ") + name) != std::string::npos);
}
