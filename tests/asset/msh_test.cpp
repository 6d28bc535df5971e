#include "tests/asset/visual_kit.hpp"

#include "shared/asset/msh.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

template <class Damage>
std::string error_after(Damage damage, ReadContext ctx = strict()) {
    auto streams = minimal_model();
    damage(streams);
    return code_of(read_msh(pack(streams), ctx));
}
template <class Damage>
bool warns_after(std::string_view code, Damage damage, ReadContext ctx = strict()) {
    auto streams = minimal_model();
    damage(streams);
    const auto model = read_msh(pack(streams), ctx);
    INFO(code_of(model));
    return model && ctx.has(code);
}
using Streams = std::vector<Stream>;

}  // namespace

TEST_CASE("the minimal model is 1344 bytes, reads without a word and is written back unchanged") {
    const Bytes file = pack(minimal_model());
    REQUIRE(file.size() == 1344);
    ReadContext ctx;
    const auto model = read_msh(file, ctx);
    REQUIRE(code_of(model) == "");
    CHECK(ctx.diagnostics.empty());
    CHECK(model->nodes.size() == 1);
    CHECK(model->node_string(0) == "root");
    CHECK(model->slots.at(0).triangle_count == 1);
    CHECK(model->slots.at(0).base_area == 1.0f);
    CHECK(model->header.segment_radius == kHalfRoot2);
    CHECK(model->positions.at(1) == Vec3{1, 0, 0});
    CHECK(unpack_normal(model->normals.at(0)) == Vec3{0, 0, 1});
    CHECK(unpack_uv(model->uvs.at(1)) == Vec2{1, 0});
    CHECK(model->batches.at(0).index_count == 3);
    CHECK(model->batches.at(0).vertex_count == 3);
    CHECK(model->triangles.at(0).normal == std::array<std::int16_t, 3>{0, 0, 32767});
    CHECK(model->frame_count == 1);
    CHECK(fallback_local_pose(*model, 0, {}) == Pose{});
    CHECK(write_msh(*model).value() == file);
    CHECK(write_msh_canonical(*model).value() == file);
}

TEST_CASE("the quaternion order decides where the scalar part is") {
    const MshKey key{{}, 0, {0, 0, 0, 32767}};
    CHECK(decode_key(key, QuatOrder::xyzw).rotation == Quat{1, 0, 0, 0});
    CHECK(decode_key(key, QuatOrder::wxyz).rotation == Quat{0, 0, 0, 1});
    CHECK(encode_rotation({1, 0, 0, 0}, QuatOrder::wxyz) == std::array<std::int16_t, 4>{32767, 0, 0, 0});
}

TEST_CASE("containers are told apart by their streams") {
    ReadContext ctx;
    CHECK(detect_msh_variant(pack(minimal_model()), ctx).value() == MshVariant::model);
    CHECK(detect_msh_variant(pack(minimal_land()), ctx).value() == MshVariant::landscape);
    CHECK(error_after([](Streams& s) { drop(s, 13); }) == "unknown_msh_variant");
    CHECK(code_of(read_msh(pack(minimal_land()), ctx)) == "unknown_msh_variant");
}

TEST_CASE("a required stream must be there exactly once") {
    CHECK(error_after([](Streams& s) { drop(s, 1); }) == "msh_missing_stream");
    CHECK(error_after([](Streams& s) { drop(s, 2); }) == "msh_missing_stream");
    CHECK(error_after([](Streams& s) { s.push_back(of(s, 3)); }) == "msh_duplicate_stream");
    CHECK(warns_after("msh_duplicate_stream", [](Streams& s) { s.push_back(of(s, 4)); }));
}

TEST_CASE("the usual streams may be missing with a warning") {
    CHECK(warns_after("msh_missing_stream", [](Streams& s) { drop(s, 4); }));
    CHECK(warns_after("msh_missing_stream", [](Streams& s) { drop(s, 8); }));
    CHECK(warns_after("msh_missing_stream", [](Streams& s) { drop(s, 10); }));
    CHECK(warns_after("msh_missing_stream", [](Streams& s) { drop(s, 19); }));
    CHECK(error_after([](Streams& s) { drop(s, 7); }) == "msh_bad_reference");
    CHECK(warns_after("msh_missing_stream", [](Streams& s) {
        drop(s, 7);
        poke<std::uint16_t>(of(s, 2).payload, 0x8C + 2, 0);
    }));
}

TEST_CASE("stream sizes must be whole records") {
    for (const std::uint32_t type : {3u, 6u, 7u, 8u, 13u})
        CHECK(error_after([type](Streams& s) { of(s, type).payload.push_back(0); }) == "msh_bad_size");
    CHECK(error_after([](Streams& s) { of(s, 1).payload.push_back(0); }) == "msh_bad_size");
    CHECK(error_after([](Streams& s) { of(s, 2).payload.push_back(0); }) == "msh_bad_size");
    CHECK(error_after([](Streams& s) { of(s, 2).payload.resize(0x8B); }) == "msh_bad_size");
    CHECK(error_after([](Streams& s) { of(s, 19).payload.push_back(0); }) == "msh_bad_size");
    CHECK(warns_after("msh_bad_size", [](Streams& s) { of(s, 15).payload.push_back(0); }));
}

TEST_CASE("attributes that differ from the data are warnings") {
    for (const std::uint32_t type : {1u, 2u, 3u, 10u, 13u})
        CHECK(warns_after("msh_attr_count", [type](Streams& s) { of(s, type).attr1 = 7; }));
    CHECK(warns_after("msh_attr_stride", [](Streams& s) { of(s, 8).attr3 = 24; }));
    CHECK(error_after([](Streams& s) { of(s, 1).attr3 = 30; }) == "msh_bad_stride");
}

TEST_CASE("node words must point at things that exist") {
    CHECK(error_after([](Streams& s) { poke<std::uint16_t>(of(s, 1).payload, 8, 1); }) == "msh_bad_reference");
    CHECK(error_after([](Streams& s) { poke<std::uint16_t>(of(s, 1).payload, 6, 1); }) == "msh_bad_reference");
    CHECK(error_after([](Streams& s) { poke<std::uint16_t>(of(s, 1).payload, 4, 0); }) == "msh_bad_reference");
    // Without type 8 the fallback key is not looked at.
    CHECK(error_after([](Streams& s) {
              drop(s, 8);
              poke<std::uint16_t>(of(s, 1).payload, 6, 9);
          }) == "");
}

namespace {
/// Three nodes with the given parents.
Streams with_parents(std::array<std::uint16_t, 3> parents) {
    auto s = minimal_model();
    const Bytes node = of(s, 1).payload;
    of(s, 1).payload = join({node, node, node});
    of(s, 1).attr1 = 3;
    for (std::size_t i = 0; i < 3; ++i) poke(of(s, 1).payload, i * 38 + 2, parents[i]);
    of(s, 10).payload = join({of(s, 10).payload, Bytes(8, 0)});
    of(s, 10).attr1 = 3;
    return s;
}
}  // namespace

TEST_CASE("a parent comes before its children; a cycle is never accepted") {
    auto ctx = strict();
    auto good = read_msh(pack(with_parents({0xFFFF, 0, 1})), ctx);
    REQUIRE(code_of(good) == "");
    CHECK_FALSE(good->flat_hierarchy);

    const Bytes forward = pack(with_parents({2, 0, 0xFFFF}));
    CHECK(code_of(read_msh(forward, ctx)) == "msh_bad_parent");
    auto loose = compatible();
    auto flat = read_msh(forward, loose);
    REQUIRE(code_of(flat) == "");
    CHECK(flat->flat_hierarchy);
    CHECK(loose.has("msh_bad_parent"));
    CHECK(fallback_pose(*flat, {}).at(1) == Mat34{});
    CHECK(write_msh(*flat).value() == forward);

    const Bytes cycle = pack(with_parents({1, 0, 0xFFFF}));
    CHECK(code_of(read_msh(cycle, loose)) == "msh_bad_parent");
    const Bytes self = pack(with_parents({0xFFFF, 1, 0xFFFF}));
    CHECK(code_of(read_msh(self, loose)) == "msh_bad_parent");
}

TEST_CASE("slots stay inside their streams and have possible bounds") {
    const auto slot = [](std::size_t at, auto value) {
        return error_after([=](Streams& s) { poke(of(s, 2).payload, 0x8C + at, value); });
    };
    CHECK(slot(0x00, std::uint16_t{1}) == "msh_bad_reference");
    CHECK(slot(0x02, std::uint16_t{2}) == "msh_bad_reference");
    CHECK(slot(0x04, std::uint16_t{1}) == "msh_bad_reference");
    CHECK(slot(0x06, std::uint16_t{2}) == "msh_bad_reference");
    CHECK(slot(0x08, 2.0f) == "msh_bad_bounds");   // minimum above maximum
    CHECK(slot(0x14, kNan) == "msh_bad_bounds");
    CHECK(slot(0x20, kNan) == "msh_bad_bounds");
    CHECK(slot(0x2C, -1.0f) == "msh_bad_bounds");
    CHECK(slot(0x30, kNan) == "");                 // opaque floats are only kept
}

TEST_CASE("batches and triangles stay inside their streams") {
    const auto batch = [](std::size_t at, auto value) {
        return error_after([=](Streams& s) { poke(of(s, 13).payload, at, value); });
    };
    CHECK(batch(0x08, std::uint16_t{4}) == "msh_bad_reference");
    CHECK(batch(0x0A, std::uint32_t{0xFFFFFFFF}) == "msh_bad_reference");
    CHECK(batch(0x10, std::uint32_t{1}) == "msh_bad_reference");
    CHECK(batch(0x10, std::uint32_t{0xFFFFFFFF}) == "msh_bad_reference");
    CHECK(batch(0x08, std::uint16_t{0}) == "");
    CHECK(warns_after("msh_batch_rest", [](Streams& s) { poke<std::uint16_t>(of(s, 13).payload, 8, 2); }));
    CHECK(error_after([](Streams& s) { poke<std::uint16_t>(of(s, 6).payload, 0, 3); }) == "msh_bad_reference");
    CHECK(error_after([](Streams& s) { poke<std::uint16_t>(of(s, 7).payload, 2, 1); }) == "msh_bad_reference");
}

TEST_CASE("a batch that no slot uses is checked too") {
    CHECK(error_after([](Streams& s) {
              of(s, 13).payload = join({of(s, 13).payload, of(s, 13).payload});
              poke<std::uint32_t>(of(s, 13).payload, 20 + 0x10, 5);
          }) == "msh_bad_reference");
}

TEST_CASE("vertex streams have one length, and a batch needs all of them") {
    CHECK(warns_after("msh_vertex_count", [](Streams& s) { of(s, 15).payload.resize(32); }));
    CHECK(error_after([](Streams& s) { of(s, 4).payload.resize(8); }) == "msh_bad_reference");
    CHECK(error_after([](Streams& s) { poke(of(s, 3).payload, 0, kNan); }) == "msh_non_finite");
    CHECK(warns_after("msh_non_finite", [](Streams& s) { poke(of(s, 3).payload, 0, kNan); }, compatible()));
}

TEST_CASE("node strings are complete, terminated and nothing follows them") {
    const auto strings = [](const char* bytes, ReadContext ctx = strict()) {
        return error_after([bytes](Streams& s) { of(s, 10).payload = hex(bytes); }, ctx);
    };
    CHECK(strings("05 00 00 00 72 6F 6F 74 00") == "truncated");
    CHECK(strings("FF FF FF FF 72 6F 6F 74 00", compatible()) == "truncated");
    CHECK(strings("") == "count_too_large");
    CHECK(strings("00 00 00 00") == "");
    CHECK(strings("04 00 00 00 72 6F 6F 74 21") == "msh_bad_string");
    CHECK(strings("04 00 00 00 72 6F 6F 74 00 AA") == "trailing_bytes");

    auto streams = minimal_model();
    of(streams, 10).payload = hex("04 00 00 00 72 00 6F 74 21 AA");
    auto ctx = compatible();
    const Bytes file = pack(streams);
    const auto model = read_msh(file, ctx);
    REQUIRE(code_of(model) == "");
    CHECK(model->node_string(0) == "r");
    CHECK(ctx.has("msh_bad_string"));
    CHECK(ctx.has("msh_string_nul"));
    CHECK(ctx.has("trailing_bytes"));
    CHECK(write_msh(*model).value() == file);
}

namespace {
/// One node with three keys at the given times and the map 0 0 1 1 2.
Streams animated(float t0, float t1, float t2) {
    auto s = minimal_model();
    ByteWriter keys;
    for (const float t : {t0, t1, t2}) {
        keys.bytes(floats({0, 0, 0, t}));
        keys.bytes(hex("00 00 00 00 00 00 FF 7F"));
    }
    of(s, 8).payload = keys.take();
    of(s, 8).attr1 = 3;
    of(s, 19) = {19, 5, 5, 2, "one", hex("00 00 00 00 01 00 01 00 02 00")};
    poke<std::uint16_t>(of(s, 1).payload, 4, 0);
    poke<std::uint16_t>(of(s, 1).payload, 6, 2);
    return s;
}
}  // namespace

TEST_CASE("animation keys are finite and their times increase inside a track") {
    auto ctx = strict();
    CHECK(code_of(read_msh(pack(animated(0, 2, 4)), ctx)) == "");
    CHECK(code_of(read_msh(pack(animated(0, 2, 2)), ctx)) == "msh_bad_times");
    CHECK(code_of(read_msh(pack(animated(0, kNan, 4)), ctx)) == "msh_non_finite");
    auto loose = compatible();
    CHECK(code_of(read_msh(pack(animated(0, 2, 2)), loose)) == "");
    CHECK(loose.has("msh_bad_times"));

    auto no_frames = animated(0, 2, 4);
    of(no_frames, 19).attr2 = 0;
    ReadContext warned;
    CHECK(code_of(read_msh(pack(no_frames), warned)) == "");
    CHECK(warned.has("msh_frame_count"));
}

TEST_CASE("without tracks every key pair that the map uses is checked") {
    // Two nodes with the same fallback key: no tracks.
    const auto two_nodes = [](float t1, float t2) {
        auto s = animated(0, t1, t2);
        of(s, 1).payload = join({of(s, 1).payload, of(s, 1).payload});
        of(s, 1).attr1 = of(s, 10).attr1 = 2;
        of(s, 10).payload = join({of(s, 10).payload, Bytes(4, 0)});
        return pack(s);
    };
    auto ctx = strict();
    CHECK(code_of(read_msh(two_nodes(2, 4), ctx)) == "");
    CHECK(ctx.has("msh_tracks_unordered"));
    CHECK(code_of(read_msh(two_nodes(2, 2), ctx)) == "msh_bad_times");
    CHECK(code_of(read_msh(two_nodes(0, 4), ctx)) == "msh_bad_times");
}

TEST_CASE("the 24-byte node variant is read and copied through") {
    auto streams = minimal_model();
    of(streams, 1).payload = hex("00 00 FF FF FF FF 00 00 00 00 FF FF FF FF FF FF FF FF FF FF FF FF FF FF");
    of(streams, 1).attr3 = 24;
    const Bytes file = pack(streams);
    ReadContext ctx;
    const auto model = read_msh(file, ctx);
    REQUIRE(code_of(model) == "");
    CHECK(model->node_stride == 24);
    CHECK(model->nodes.at(0).slots.at(0) == 0);
    CHECK(model->nodes.at(0).slots.at(8) == kNone16);
    CHECK(write_msh(*model).value() == file);
}

TEST_CASE("an edit changes its stream and nothing else") {
    auto streams = minimal_model();
    of(streams, 17).payload = hex("DE AD");                 // opaque stream
    streams.push_back({77, 1, 2, 3, "odd", hex("01 02 03")});  // unknown stream
    of(streams, 4).payload[3] = 0x55;                       // opaque fourth normal byte
    ReadContext ctx;
    const Bytes file = pack(streams);
    auto model = read_msh(file, ctx);
    REQUIRE(code_of(model) == "");
    REQUIRE(write_msh(*model).value() == file);

    model->positions.push_back({2, 2, 2});
    model->normals.push_back({0, 0, 127, 0});
    model->uvs.push_back({});
    of(model->source.streams, 15).payload.resize(32);
    of(streams, 3).payload = join({of(streams, 3).payload, floats({2, 2, 2})});
    of(streams, 4).payload = join({of(streams, 4).payload, hex("00 00 7F 00")});
    of(streams, 5).payload.resize(16);
    of(streams, 15).payload.resize(32);
    of(streams, 3).attr1 = of(streams, 4).attr1 = of(streams, 5).attr1 = 4;
    // The canonical container of the edited streams has the same layout as the edited original.
    const Bytes edited = write_msh(*model).value();
    ReadContext again;
    const auto back = read_streams(edited, again).value();
    REQUIRE(back.streams.size() == streams.size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
        INFO("stream " << streams[i].type);
        CHECK(back.streams[i].payload == streams[i].payload);
        CHECK(back.streams[i].attr1 == streams[i].attr1);
        CHECK(back.streams[i].name == streams[i].name);
    }
}

TEST_CASE("light records are decoded and kept raw") {
    auto streams = minimal_model();
    streams.push_back({20, 1, 5, 48, "one", join({hex("03 00 00 00"), floats({1, 2, 3, 0, 0, -1, 1, 0.5f, 0, 1, 2})})});
    ReadContext ctx;
    const Bytes file = pack(streams);
    auto model = read_msh(file, ctx).value();
    CHECK(ctx.diagnostics.empty());
    const auto lights = decode_lights(model);
    REQUIRE(lights.size() == 1);
    CHECK(lights[0].piece == 3);
    CHECK(lights[0].direction == Vec3{0, 0, -1});
    CHECK(lights[0].colour[1] == 0.5f);
    CHECK(lights[0].intensity == 2.0f);
    CHECK(write_msh(model).value() == file);
    CHECK(decode_lights(MshModel{}).empty());
}

TEST_CASE("an animation edit also updates the frame count") {
    ReadContext ctx;
    auto model = read_msh(pack(minimal_model()), ctx).value();
    model.frame_count = 9;
    ReadContext again;
    const auto back = read_streams(write_msh(model).value(), again).value();
    CHECK(back.find(19)->attr2 == 9);
    CHECK(back.find(19)->attr1 == 0);
}

TEST_CASE("one scan of a layer decides the disputed readings") {
    MshModel model;
    const auto verdict = [&model](std::optional<std::size_t> rows, ReadContext& ctx) {
        MshProfileScan scan;
        scan.add(model, rows);
        return scan.verdict(ctx);
    };
    ReadContext silent;
    CHECK(verdict(1, silent) == MshProfile{});
    CHECK(silent.has("quat_order_undecided"));
    CHECK_FALSE(silent.has("batch_row_undecided"));

    model.keys.assign(16, {{}, 0, {32767, 0, -1, 1}});
    model.keys.resize(20, {{}, 0, {0, 0, 0, 32767}});
    MshBatch batch;
    batch.byte4 = 1;
    batch.index_count = 3;
    model.batches.assign(16, batch);
    model.batches.push_back({});
    model.batches.back().word2 = 1;
    ReadContext ctx;
    CHECK(verdict(2, ctx) == MshProfile{QuatOrder::wxyz, BatchRow::byte4});
    CHECK(ctx.diagnostics.empty());

    // A fifth key of the other order, and a byte that reaches the row count: no verdict.
    model.keys.resize(21, {{}, 0, {0, 0, 0, 32767}});
    model.batches.back().index_count = 3;
    ReadContext none;
    CHECK(verdict(1, none) == MshProfile{});
    CHECK(none.has("quat_order_undecided"));
    CHECK(none.has("batch_row_undecided"));

    model.keys.assign(16, {{}, 0, {0, 0, 0, -32767}});
    model.batches.assign(1, {});
    model.batches.back().word2 = 1;
    model.batches.back().index_count = 3;
    ReadContext seed;
    CHECK(verdict(2, seed) == MshProfile{QuatOrder::xyzw, BatchRow::word2});
    CHECK(seed.diagnostics.empty());
}
