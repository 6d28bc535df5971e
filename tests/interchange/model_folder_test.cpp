// Models as folders: identical without edits, exactly the edited numbers with them.
#include <functional>

#include <nlohmann/json.hpp>

#include "shared/asset/msh_build.hpp"
#include "shared/interchange/gltf_read.hpp"
#include "shared/interchange/model_folder.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;
using namespace iron::asset;
using kit::TemporaryFolder;

namespace {

/// Two nodes with one triangle each, the second one animated; a tail in the container's first name.
Bytes model_bytes() {
    MshModel model;
    const std::uint16_t indices[] = {0, 1, 2};
    for (int i = 0; i < 2; ++i) {
        const float z = static_cast<float>(i);
        const MshVertex vertices[] = {{{0, 0, z}, {0, 0, 1}, {0, 0}}, {{1, 0, z}, {0, 0, 1}, {1, 0}}, {{0, 1, z}, {0, 0, 1}, {0, 1}}};
        const auto batch = append_batch(model, vertices, indices, static_cast<std::uint16_t>(i)).value();
        const auto slot = append_slot(model, batch, 1);
        append_node(model, i == 0 ? "root" : "arm", i == 0 ? kNone16 : std::uint16_t{0}, slot);
    }
    const MshTrack tracks[] = {{{0, {}}}, {{0, {}}, {2, {{2, 0, 0}, {}}}}};
    REQUIRE(set_tracks(model, tracks));
    REQUIRE(finish_model(model));
    Bytes bytes = write_msh_canonical(model).value();
    const std::size_t directory = bytes.size() - 64 * bytes[8];
    bytes[directory + 0x14 + 10] = 0x77;  // behind the name's NUL: only a lossless way keeps it
    return bytes;
}

MshModel model_of(ByteView bytes) {
    ReadContext context;
    return read_msh(bytes, context).value();
}

/// The folder of the model below `folder`/m.
std::string unpack(const TemporaryFolder& folder) {
    ReadContext context;
    const std::vector<OutputFile> files = unpack_model(model_bytes(), {}, context).value();
    for (const OutputFile& file : files) folder.put("m/" + file.name, file.bytes);
    return folder.at("m");
}

Json gltf_of(const TemporaryFolder& folder) { return parse_json(folder.text("m/model.gltf"), "x").value(); }

/// Writes floats over the buffer at the start of an accessor's view.
void poke(const TemporaryFolder& folder, std::size_t accessor, std::size_t element, std::vector<float> values) {
    const Json json = gltf_of(folder);
    const Json& view = json["bufferViews"][json["accessors"][accessor]["bufferView"].get<std::size_t>()];
    Bytes bin = folder.get("m/model.bin");
    std::memcpy(bin.data() + view["byteOffset"].get<std::size_t>() + element * values.size() * 4, values.data(), values.size() * 4);
    folder.put("m/model.bin", bin);
}

std::string code_of(const std::string& place) {
    const auto packed = pack_model(place);
    return packed ? "" : packed.error().code();
}

}  // namespace

TEST_CASE("An unedited folder packs to the identical bytes") {
    const TemporaryFolder folder;
    const std::string place = unpack(folder);
    const PackedModel packed = pack_model(place).value();
    CHECK(packed.bytes == model_bytes());
    CHECK_FALSE(packed.changes.any());
}

TEST_CASE("An edited position changes its stream, the bounds that follow and nothing else") {
    const TemporaryFolder folder;
    const std::string place = unpack(folder);
    const std::size_t positions = gltf_of(folder)["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    poke(folder, positions, 1, {5, 0, 0});
    const PackedModel packed = pack_model(place).value();
    CHECK(packed.changes.positions == 1);
    const MshModel before = model_of(model_bytes()), after = model_of(packed.bytes);
    CHECK(after.positions[1] == Vec3{5, 0, 0});
    CHECK(after.positions[0] == before.positions[0]);
    CHECK(after.slots[0].box_max == Vec3{5, 1, 0});
    CHECK(after.slots[1].box_max == before.slots[1].box_max);
    CHECK(after.header.corners[1] == Vec3{5, 0, 0});
    CHECK(after.normals == before.normals);
    CHECK(after.batches == before.batches);
    CHECK(packed.bytes.size() == model_bytes().size());
    // The tail of the first name survives the edit.
    const std::size_t directory = packed.bytes.size() - 64 * packed.bytes[8];
    CHECK(packed.bytes[directory + 0x14 + 10] == 0x77);
}

TEST_CASE("Texture coordinates, normals, indices and rest poses come back in the game's units") {
    const TemporaryFolder folder;
    const std::string place = unpack(folder);
    Json json = gltf_of(folder);
    const Json attributes = json["meshes"][0]["primitives"][0]["attributes"];
    poke(folder, attributes["TEXCOORD_0"], 2, {0.5f, 0.25f});
    poke(folder, attributes["NORMAL"], 0, {1, 0, 0});
    json["nodes"][0]["translation"] = {7.0, 8.0, 9.0};
    json["nodes"][0]["rotation"] = {0.0, 0.0, -1.0, 0.0};  // half a turn, the conjugate of the game's
    folder.put("m/model.gltf", dump_json(json));
    const PackedModel packed = pack_model(place).value();
    CHECK(packed.changes.uvs == 1);
    CHECK(packed.changes.normals == 1);
    CHECK(packed.changes.poses == 1);
    const MshModel after = model_of(packed.bytes);
    CHECK(after.uvs[2] == PackedUv{512, 256});
    CHECK(after.normals[0] == PackedNormal{127, 0, 0, 0});
    const MshKey& key = after.keys[after.nodes[0].fallback_key];
    CHECK(key.position == Vec3{7, 8, 9});
    CHECK(key.rotation == std::array<std::int16_t, 4>{0, 0, 32767, 0});
}

TEST_CASE("What a folder cannot hold is refused instead of lost") {
    const TemporaryFolder folder;
    const std::string place = unpack(folder);
    const std::string good = folder.text("m/model.gltf");
    const auto code = [&](const std::function<void(Json&)>& change) {
        Json json = parse_json(good, "x").value();
        change(json);
        folder.put("m/model.gltf", dump_json(json));
        return code_of(place);
    };
    CHECK(code([](Json& j) { j["nodes"].push_back(Json::object()); }) == "model_topology");
    CHECK(code([](Json& j) { j["nodes"][1]["name"] = "leg"; }) == "model_topology");
    CHECK(code([](Json& j) { j["nodes"][0].erase("children"); }) == "model_topology");
    CHECK(code([](Json& j) { j["nodes"][0]["scale"] = {2, 2, 2}; }) == "gltf_unsupported");
    CHECK(code([](Json& j) { j["meshes"][0]["primitives"] = Json::array(); }) == "model_topology");
    CHECK(code([](Json& j) { j["accessors"][0]["count"] = 2; }) == "model_topology");
    CHECK(code([](Json& j) { j["animations"] = Json::array(); }) == "model_topology");
    CHECK(code([](Json& j) { j["buffers"][0]["uri"] = "../model.bin"; }) == "unsafe_name");
    CHECK(code([](Json& j) { j["bufferViews"][0]["byteOffset"] = 1000000; }) == "gltf_invalid");
    CHECK(code([](Json& j) { j["accessors"][0]["componentType"] = 9999; }) == "gltf_invalid");
    CHECK(code([](Json& j) { j["meshes"][0]["primitives"][0]["indices"] = 99; }) == "gltf_invalid");
    CHECK(code([](Json&) {}) == "");

    folder.put("m/original.msh", kit::with(model_bytes(), 100, 1));
    CHECK(code_of(place) == "model_sidecar");
    folder.put("m/original.msh", model_bytes());
    folder.put("m/model.json", "{\"format\": \"something\", \"version\": 1}");
    CHECK(code_of(place) == "model_sidecar");
}

TEST_CASE("A glb reads like a glTF with its buffer, and a cut one is an error") {
    ReadContext context;
    const Bytes glb = model_to_gltf(model_of(model_bytes()), {}).value().glb();
    const GltfDocument document = GltfDocument::parse(glb, {}, "x").value();
    CHECK(document.floats(0, 3).value().size() == 18);
    CHECK(document.floats(0, 2).error().code() == "gltf_invalid");
    CHECK(document.floats(999, 3).error().code() == "gltf_invalid");
    for (std::size_t cut = 0; cut < glb.size(); cut += 7) {
        const auto part = GltfDocument::parse(Bytes(glb.begin(), glb.begin() + static_cast<std::ptrdiff_t>(cut)), {}, "x");
        CHECK_FALSE(part);
    }
}
