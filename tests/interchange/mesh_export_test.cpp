// Models as glTF: numbers worked out by hand from models.md 9.6 and 11.1.
#include <cmath>

#include <nlohmann/json.hpp>

#include "shared/asset/msh_build.hpp"
#include "shared/interchange/mesh_export.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;
using namespace iron::asset;

namespace {

/// One triangle at the root, and an animated child: rotations 0, 90, 180 degrees about z, positions
/// (0,0,0), (2,0,0), (2,4,0) at times 0, 2, 4.
MshModel spinning() {
    MshModel model;
    const MshVertex vertices[] = {{{0, 0, 0}, {0, 0, 1}, {0, 0}}, {{1, 0, 0}, {0, 0, 1}, {1, 0}}, {{0, 1, 0}, {0, 0, 1}, {0, 1}}};
    const std::uint16_t indices[] = {0, 1, 2};
    const auto batch = append_batch(model, vertices, indices, 0).value();
    const auto slot = append_slot(model, batch, 1);
    append_node(model, "root", kNone16, slot);
    append_node(model, "arm", 0, slot);
    const float h = 0.70710678f;
    const MshTrack tracks[] = {{{0, {}}}, {{0, {}}, {2, {{2, 0, 0}, {h, 0, 0, h}}}, {4, {{2, 4, 0}, {0, 0, 0, 1}}}}};
    REQUIRE(set_tracks(model, tracks));
    REQUIRE(finish_model(model));
    return model;
}

Json json_of(const std::vector<OutputFile>& files) { return parse_json(as_text(files.at(0).bytes), "x").value(); }

std::vector<float> floats_of(const std::vector<OutputFile>& files, const Json& json, std::size_t accessor) {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const Bytes& bin = files.at(1).bytes;
    const auto at = view["byteOffset"].get<std::size_t>();
    std::vector<float> out(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(out.data(), bin.data() + at, out.size() * 4);
    return out;
}

}  // namespace

TEST_CASE("A model keeps its hierarchy, its triangles and its bounds in glTF") {
    const auto files = model_to_gltf(spinning(), {}).value().files("m");
    CHECK(files[0].name == "m.gltf");
    CHECK(files[1].name == "m.bin");
    const Json json = json_of(files);
    CHECK(json["asset"]["version"] == "2.0");
    CHECK(json["nodes"][0]["name"] == "root");
    CHECK(json["nodes"][0]["children"] == Json{1});
    CHECK(json["nodes"][1]["name"] == "arm");
    const Json& primitive = json["meshes"][0]["primitives"][0];
    const Json& position = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    CHECK(position["min"] == Json{0.0, 0.0, 0.0});
    CHECK(position["max"] == Json{1.0, 1.0, 0.0});
    CHECK(json["accessors"][primitive["indices"].get<std::size_t>()]["count"] == 3);
    const std::size_t top = json["scenes"][0]["nodes"][0];
    CHECK(json["nodes"][top]["children"] == Json{0});
    CHECK(json["nodes"][top]["rotation"][0].get<double>() == Approx(-0.70710678));
    CHECK(json["buffers"][0]["byteLength"] == files[1].bytes.size());
}

TEST_CASE("The rest pose is the fallback key, turned the game's way") {
    const Json json = json_of(model_to_gltf(spinning(), {}).value().files("m"));
    CHECK(json["nodes"][1]["translation"] == Json{2.0, 4.0, 0.0});
    // q = (0, 0, 0, 1) in w, x, y, z; the game rotates by the conjugate.
    const Json& rotation = json["nodes"][1]["rotation"];
    CHECK(rotation[2].get<double>() == Approx(-1));
    CHECK(rotation[3].get<double>() == Approx(0).margin(1e-6));
}

TEST_CASE("Every axis of a rotation is conjugated, and the matrix of the game agrees") {
    MshModel model;
    const float h = 0.70710678f;
    append_node(model, "x", kNone16, kNone16, {{}, {h, h, 0, 0}});
    append_node(model, "y", kNone16, kNone16, {{}, {h, 0, h, 0}});
    const Json json = json_of(model_to_gltf(model, {}).value().files("m"));
    CHECK(json["nodes"][0]["rotation"][0].get<double>() == Approx(-0.70710678).epsilon(1e-4));
    CHECK(json["nodes"][1]["rotation"][1].get<double>() == Approx(-0.70710678).epsilon(1e-4));
    // models.md 9.5: row 1 of a quarter turn about x is (0, 0, 2(yz + wx)) = (0, 0, 1), so z goes to +y: glTF's
    // quarter turn about -x does the same.
    const Vec3 turned = transform_point(pose_matrix({{}, {h, h, 0, 0}}), {0, 0, 1});
    CHECK(turned.y == Approx(1).epsilon(1e-4));
}

TEST_CASE("Tracks are sampled at whole frames by the rules of the original") {
    const auto files = model_to_gltf(spinning(), {}).value().files("m");
    const Json json = json_of(files);
    REQUIRE(json["animations"].size() == 1);
    const Json& animation = json["animations"][0];
    REQUIRE(animation["channels"].size() == 2);  // only the arm moves
    CHECK(animation["channels"][0]["target"]["node"] == 1);
    const auto times = floats_of(files, json, animation["samplers"][0]["input"]);
    REQUIRE(times.size() == 5);  // F = 1 + the last time
    CHECK(times[3] == Approx(0.1));
    const auto positions = floats_of(files, json, animation["samplers"][0]["output"]);
    // t = 1: (1, 0, 0); t = 3: (2, 2, 0); t = 4: the fallback key.
    CHECK(positions[3] == Approx(1));
    CHECK(positions[9] == Approx(2));
    CHECK(positions[10] == Approx(2));
    CHECK(positions[13] == Approx(4));
    const auto rotations = floats_of(files, json, animation["samplers"][1]["output"]);
    // t = 1: (0.9238795, 0, 0, 0.3826834) in w, x, y, z; its conjugate in x, y, z, w here.
    CHECK(rotations[4 + 2] == Approx(-0.3826834).epsilon(1e-4));
    CHECK(rotations[4 + 3] == Approx(0.9238795).epsilon(1e-4));
    for (std::size_t i = 0; i < rotations.size(); i += 4)
        CHECK(std::hypot(std::hypot(rotations[i], rotations[i + 1]), std::hypot(rotations[i + 2], rotations[i + 3])) == Approx(1).epsilon(1e-6));
}

TEST_CASE("A static model has no animation and one without geometry no buffer") {
    MshModel model;
    append_node(model, "point", kNone16, kNone16);
    const auto files = model_to_gltf(model, {}).value().files("m");
    REQUIRE(files.size() == 1);
    const Json json = json_of(files);
    CHECK_FALSE(json.contains("animations"));
    CHECK_FALSE(json.contains("buffers"));
    CHECK(json["nodes"][0]["name"] == "point");
}

TEST_CASE("A binary glTF is one file whose lengths add up") {
    const Bytes glb = model_to_gltf(spinning(), {}).value().glb();
    REQUIRE(glb.size() > 20);
    CHECK(as_text(ByteView(glb).first(4)) == "glTF");
    CHECK(load_le<std::uint32_t>(glb.data() + 8) == glb.size());
    const std::uint32_t json_size = load_le<std::uint32_t>(glb.data() + 12);
    CHECK(json_size % 4 == 0);
    CHECK(parse_json(as_text(ByteView(glb).subspan(20, json_size)), "x"));
    CHECK(load_le<std::uint32_t>(glb.data() + 20 + json_size) == glb.size() - 28 - json_size);
}

TEST_CASE("OBJ has the posed vertices in Y up") {
    const auto files = model_to_obj(spinning(), {}, "m").value();
    CHECK(files[0].name == "m.obj");
    CHECK(files[1].name == "m.mtl");
    const std::string obj(as_text(files[0].bytes));
    CHECK(obj.find("v 1 0 -0\n") != std::string::npos);  // root: (1, 0, 0)
    CHECK(obj.find("f 1/1/1 2/2/2 3/3/3\n") != std::string::npos);
    CHECK(obj.find("f 4/4/4 5/5/5 6/6/6\n") != std::string::npos);
    CHECK(obj.find("g arm\n") != std::string::npos);
    // The arm at (2, 4, 0) turned by half a turn: its second vertex is at (1, 4, 0), so (1, 0, -4).
    CHECK(obj.find("v 1 0 -4\n") != std::string::npos);
}

TEST_CASE("WEAR rows become materials, a row beyond the table the first one") {
    MshModel model = spinning();
    model.batches[0].word2 = 7;
    model.batches[0].flags = batch_flag::kTwoSided;
    Wear wear;
    wear.add_material("WALL");
    ModelExport options;
    options.wear = &wear;
    const Json json = json_of(model_to_gltf(model, options).value().files("m"));
    REQUIRE(json["materials"].size() == 1);
    CHECK(json["materials"][0]["name"] == "WALL");
    CHECK(json["materials"][0]["doubleSided"] == true);
    CHECK(json["materials"][0]["extras"]["wear_row"] == 7);
}

TEST_CASE("Areals become closed lines with their neighbours") {
    LandMap map;
    Areal areal;
    areal.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}};
    areal.links = {{-1, -1}, {3, 0}, {-1, -1}};
    map.areals = {areal};
    const Json json = json_of(areals_to_gltf(map, "map").files("m"));
    CHECK(json["meshes"][0]["primitives"][0]["mode"] == 2);
    CHECK(json["nodes"][0]["extras"]["neighbours"] == Json{-1, 3, -1});
}
