#include "tests/asset/visual_kit.hpp"

#include "shared/asset/msh_build.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

const std::vector<MshVertex> kQuad = {{{0, 0, 0}, {0, 0, 1}, {0, 0}},
                                      {{2, 0, 0}, {0, 0, 1}, {1, 0}},
                                      {{2, 1, 0}, {0, 0, 1}, {1, 1}},
                                      {{0, 1, 0}, {0, 0, 1}, {0, 1}}};
const std::vector<std::uint16_t> kQuadIndices = {0, 1, 2, 0, 2, 3};
const Quat kQuarterZ{0.70710678f, 0, 0, 0.70710678f};

}  // namespace

TEST_CASE("a triangle built from vertices is the minimal model byte for byte") {
    const std::vector<MshVertex> vertices = {{{0, 0, 0}, {0, 0, 1}, {0, 0}},
                                             {{1, 0, 0}, {0, 0, 1}, {1, 0}},
                                             {{0, 1, 0}, {0, 0, 1}, {0, 1}}};
    const std::vector<std::uint16_t> indices = {0, 1, 2};
    MshModel model;
    const std::uint16_t batch = append_batch(model, vertices, indices, 0).value();
    append_node(model, "root", kNone16, append_slot(model, batch, 1));
    REQUIRE(finish_model(model));
    CHECK(write_msh(model).value() == pack(minimal_model()));

    MshModel other;
    const MshProfile profile{QuatOrder::wxyz, BatchRow::byte4};
    append_slot(other, append_batch(other, vertices, indices, 5, 0, profile).value(), 1);
    append_node(other, "root", kNone16, 0, {}, 0, profile);
    REQUIRE(finish_model(other, profile));
    auto expected = minimal_model();
    of(expected, 13).payload[4] = 5;
    of(expected, 8).payload = join({Bytes(16, 0), hex("FF 7F 00 00 00 00 00 00")});
    CHECK(write_msh(other).value() == pack(expected));
}

TEST_CASE("triangles of a slot know their neighbours, normals and bounds") {
    MshModel model;
    const std::uint16_t first = append_batch(model, kQuad, kQuadIndices, 1).value();
    append_batch(model, kQuad, kQuadIndices, 2).value();
    append_node(model, "a", kNone16, append_slot(model, first, 2));
    REQUIRE(finish_model(model));
    REQUIRE(model.triangles.size() == 4);
    CHECK(model.triangles[0].neighbours == std::array<std::uint16_t, 3>{kNone16, kNone16, 1});
    CHECK(model.triangles[1].neighbours == std::array<std::uint16_t, 3>{0, kNone16, kNone16});
    CHECK(model.triangles[3].neighbours == std::array<std::uint16_t, 3>{2, kNone16, kNone16});
    CHECK(model.triangles[0].normal == std::array<std::int16_t, 3>{0, 0, 32767});
    CHECK(model.batches[1].local_number == 1);
    CHECK(model.batches[1].vertex_count == 4);
    CHECK(model.batches[1].word2 == 2);
    CHECK(model.batches[1].base_vertex == 4);
    const MshSlot& s = model.slots[0];
    CHECK(s.box_max == Vec3{2, 1, 0});
    CHECK(s.sphere_centre == Vec3{1, 0.5f, 0});
    CHECK(s.base_area == 2.0f);
    CHECK(s.base_volume == 0.0f);
    ReadContext ctx;
    CHECK(code_of(read_msh(write_msh(model).value(), ctx)) == "");
    CHECK(ctx.diagnostics.empty());
}

TEST_CASE("the header covers turned and moved nodes in the fallback pose") {
    MshModel model;
    const std::uint16_t slot = append_slot(model, append_batch(model, kQuad, kQuadIndices, 0).value(), 1);
    append_node(model, "root", kNone16, kNone16, {{10, 0, 0}, {}});
    append_node(model, "part", 0, slot, {{0, 0, 5}, kQuarterZ});
    REQUIRE(finish_model(model));
    // A stored quarter turn about z maps (2, 1) to (1, -2): models.md 9.5 rotates by the conjugate.
    CHECK(model.header.corners[0].x == Approx(10).margin(1e-4));
    CHECK(model.header.corners[0].y == Approx(-2).margin(1e-3));
    CHECK(model.header.corners[6].x == Approx(11).margin(1e-3));
    CHECK(model.header.corners[6].y == Approx(0).margin(1e-3));
    CHECK(model.header.segment_bottom.z == Approx(5).margin(1e-4));
    CHECK(canonical_header(MshModel{}).sphere_radius == 0.0f);
}

TEST_CASE("a subtree's box honours the stop flags") {
    MshModel model;
    const std::uint16_t slot = append_slot(model, append_batch(model, kQuad, kQuadIndices, 0).value(), 1);
    append_node(model, "root", kNone16, kNone16);
    append_node(model, "arm", 0, slot, {{10, 0, 0}, {}});
    append_node(model, "hand", 1, slot, {{10, 0, 0}, {}});
    append_node(model, "tip", 2, kNone16, {{0, 0, 7}, {}});
    REQUIRE(finish_model(model));
    const auto matrices = fallback_pose(model, {});
    CHECK(joint_box(model, matrices, 0, true).max == Vec3{0, 0, 0});
    CHECK(joint_box(model, matrices, 0, false).max == Vec3{22, 1, 0});
    CHECK(joint_box(model, matrices, 1, true).max == Vec3{12, 1, 0});
    CHECK(joint_box(model, matrices, 1, false).max == Vec3{22, 1, 7});
    CHECK(joint_sphere(model, matrices, 2, true).centre == Vec3{21, 0.5f, 0});
    CHECK(joint_sphere(model, matrices, 3, true).radius == 0.0f);
    CHECK(joint_sphere(model, matrices, 0, false).centre == model.header.sphere_centre);
    CHECK(joint_sphere(model, matrices, 1, false).centre == Vec3{16, 0.5f, 3.5f});
    model.nodes[2].flags = node_flag::kStopChildren;
    CHECK(joint_box(model, matrices, 1, false).max == Vec3{22, 1, 0});
    model.nodes[1].flags = node_flag::kStopBounds;
    CHECK(joint_box(model, matrices, 1, false).max == Vec3{12, 1, 0});
}

TEST_CASE("tracks become canonical keys, map blocks and fallback indices") {
    MshModel model;
    append_node(model, "a", kNone16, kNone16);
    append_node(model, "b", 0, kNone16);
    append_node(model, "c", 0, kNone16);
    const MshTrack moving = {{0, {{0, 0, 0}, {}}}, {2, {{2, 0, 0}, {}}}, {4, {{2, 4, 0}, {}}}};
    const MshTrack still = {{0, {{9, 9, 9}, {}}}};
    const MshTrack shorter = {{0, {}}, {1, {}}};
    REQUIRE(set_tracks(model, std::vector<MshTrack>{moving, still, shorter}));
    CHECK(model.frame_count == 5);
    CHECK(model.frame_map == std::vector<std::uint16_t>{0, 0, 1, 1, 2, 4, 5, 5, 5, 5});
    CHECK(model.nodes[0].map_start == 0);
    CHECK(model.nodes[0].fallback_key == 2);
    CHECK(model.nodes[1].map_start == kNone16);
    CHECK(model.nodes[1].fallback_key == 3);
    CHECK(model.nodes[2].map_start == 5);
    CHECK(model.nodes[2].fallback_key == 5);
    CHECK(fallback_local_pose(model, 1, {}).position == Vec3{9, 9, 9});
    REQUIRE(finish_model(model));
    ReadContext ctx;
    CHECK(code_of(read_msh(write_msh(model).value(), ctx)) == "");
    CHECK(ctx.diagnostics.empty());
}

TEST_CASE("tracks that the format cannot hold are refused") {
    MshModel model;
    append_node(model, "a", kNone16, kNone16);
    const auto code = [&model](MshTrack track) { return code_of(set_tracks(model, std::vector<MshTrack>{track})); };
    CHECK(code({}) == "msh_authoring");
    CHECK(code({{1, {}}}) == "msh_authoring");
    CHECK(code({{0, {}}, {1.5f, {}}}) == "msh_authoring");
    CHECK(code({{0, {}}, {2, {}}, {2, {}}}) == "msh_authoring");
    CHECK(code({{0, {{kNan, 0, 0}, {}}}}) == "msh_authoring");
    CHECK(code({{0, {}}, {3, {}}}) == "");
    CHECK(code_of(set_tracks(model, {})) == "msh_authoring");
}

TEST_CASE("geometry that the format cannot hold is refused") {
    MshModel model;
    const std::vector<std::uint16_t> beyond = {0, 1, 4};
    CHECK(code_of(append_batch(model, kQuad, beyond, 0)) == "msh_authoring");
    const std::vector<std::uint16_t> many(65536, 0);
    CHECK(code_of(append_batch(model, kQuad, many, 0)) == "msh_authoring");
    auto bad = kQuad;
    bad[1].uv.x = kNan;
    CHECK(code_of(append_batch(model, bad, kQuadIndices, 0)) == "msh_authoring");
    CHECK(code_of(append_batch(model, kQuad, kQuadIndices, 256, 0, {QuatOrder::xyzw, BatchRow::byte4})) ==
          "msh_authoring");
    model.nodes.resize(65536);
    CHECK(code_of(write_msh(model)) == "msh_authoring");
}

TEST_CASE("packed attributes round halves away from zero and clamp") {
    CHECK(pack_normal({1, -1, 0.5f}) == PackedNormal{127, -127, 64, 0});  // 63.5 -> 64
    CHECK(pack_normal({2, -2, 0}).y == -128);
    CHECK(unpack_normal({-128, 127, 0, 9}) == Vec3{-1, 1, 0});
    CHECK(pack_uv({0.5f / 1024, -0.5f / 1024}) == PackedUv{1, -1});
    CHECK(pack_uv({100, -100}) == PackedUv{32767, -32768});
    CHECK(unpack_uv({512, -1024}) == Vec2{0.5f, -1});
    CHECK(pack_unit(-2) == -32767);
    for (int c = -127; c <= 127; ++c) {
        const PackedNormal n{static_cast<std::int8_t>(c), 0, 0, 0};
        CHECK(pack_normal(unpack_normal(n)) == n);
    }
}
