#include "tests/asset/visual_kit.hpp"

#include "shared/asset/land_build.hpp"
#include "shared/asset/land_mesh.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

using Streams = std::vector<Stream>;
template <class Damage>
std::string error_after(Damage damage, ReadContext ctx = strict()) {
    auto streams = minimal_land();
    damage(streams);
    return code_of(read_land_mesh(pack(streams), ctx));
}
template <class Damage>
bool warns_after(std::string_view code, Damage damage, ReadContext ctx = strict()) {
    auto streams = minimal_land();
    damage(streams);
    const auto mesh = read_land_mesh(pack(streams), ctx);
    INFO(code_of(mesh));
    return mesh && ctx.has(code);
}

}  // namespace

TEST_CASE("the one-tile map has the published size and checksum and is written back unchanged") {
    const Bytes file = pack(minimal_land());
    REQUIRE(file.size() == 1152);
    REQUIRE(crc32(file) == 0x0D98EEABu);
    ReadContext ctx;
    const auto mesh = read_land_mesh(file, ctx);
    REQUIRE(code_of(mesh) == "");
    CHECK(ctx.diagnostics.empty());
    CHECK(mesh->columns == 1);
    CHECK(mesh->rows() == 1);
    CHECK(mesh->faces.at(1).vertices == std::array<std::uint16_t, 3>{0, 2, 3});
    CHECK(mesh->faces.at(1).material == 1);
    CHECK(mesh->faces.at(1).blend == kNoBlend);
    CHECK(mesh->face_refs.at(2) == LandFaceRef{2, 0x58});
    CHECK(face_lods(*mesh) == std::vector<std::uint8_t>{0, 0, 1, 1});
    CHECK(slot_faces(*mesh, *tile_slot(*mesh, 0, 1)).size() == 2);
    CHECK(water_level(*mesh) == -1.0f);
    CHECK(write_land_mesh(*mesh).value() == file);
    CHECK(write_land_mesh_canonical(*mesh).value() == file);
}

TEST_CASE("the builder makes the one-tile map byte for byte") {
    const auto mesh = build_land_mesh({});
    REQUIRE(code_of(mesh) == "");
    const Bytes file = write_land_mesh(*mesh).value();
    CHECK(file.size() == 1152);
    CHECK(crc32(file) == 0x0D98EEABu);
    CHECK(file == pack(minimal_land()));
}

TEST_CASE("four by four tiles of four by four quads give the published counts") {
    LandGrid grid;
    grid.columns = grid.rows = grid.quads = 4;
    grid.heights.assign(17 * 17, 1.0f);
    grid.heights[5 * 17 + 5] = 9.0f;  // inside tile (1, 1)
    const auto mesh = build_land_mesh(grid);
    REQUIRE(code_of(mesh) == "");
    CHECK(mesh->positions.size() == 289);
    CHECK(mesh->faces.size() == 544);
    CHECK(mesh->slots.size() == 32);
    std::size_t boundaries = 0;
    for (const auto& r : mesh->face_refs) boundaries += (r.flags & kBatchBoundary) != 0;
    CHECK(boundaries == 32);
    ReadContext ctx;
    const auto back = read_land_mesh(write_land_mesh(*mesh).value(), ctx);
    REQUIRE(code_of(back) == "");
    CHECK(ctx.diagnostics.empty());

    // Column-major tiles: (1, 1) is tile 1 * 4 + 1; its fine slot holds the peak, its coarse one does not.
    CHECK(tile_slot(*back, 5, 0)->box_max.z == 9.0f);
    CHECK(tile_slot(*back, 5, 1)->box_max.z == 1.0f);
    CHECK(tile_slot(*back, 5, 0)->box_min == Vec3{64, 64, 1});
    CHECK(back->header.corners[6] == Vec3{256, 256, 9});
    CHECK(tile_at(*back, 70, 200) == TileCoord{1, 3});
    CHECK(tile_at(*back, -5, 1e9f) == TileCoord{0, 3});
    CHECK(back->tiles[7].slots[0] == 7);
    CHECK(back->tiles[7].slots[1] == 16 + 7);

    // Fine neighbours cross tile borders: the last quad of tile (0, 0) along X meets tile (1, 0),
    // whose faces begin at 4 * 32 = 128. Face 6 is the lower right one of row 0.
    CHECK(back->faces[6].neighbours[1] == 128 + 1);
    CHECK(back->faces[129].neighbours[2] == 6);
    // Face 512 is the first coarse one; its neighbour across x = 64 is coarse too.
    CHECK(back->faces[512].neighbours[1] == 512 + 2 * 4 + 1);
}

TEST_CASE("a batch boundary stands where the material changes inside a slot") {
    LandGrid grid;
    grid.quads = 2;
    grid.fine.resize(4);
    grid.fine[1].material = 2;  // quads in row order: 1, 2, 1, 1
    const auto mesh = build_land_mesh(grid).value();
    std::vector<std::uint16_t> flags;
    for (const auto& r : mesh.face_refs) flags.push_back(r.flags);
    CHECK(flags == std::vector<std::uint16_t>{0x58, 0x48, 0x58, 0x48, 0x58, 0x48, 0x48, 0x48, 0x58, 0x48});
}

TEST_CASE("vertex normals come from the fine faces") {
    LandGrid grid;
    grid.quads = 2;
    grid.tile_size = 2;
    grid.heights = {0, 0, 0, 1, 1, 1, 2, 2, 2};  // rises along y
    const auto mesh = build_land_mesh(grid).value();
    for (const PackedNormal& n : mesh.normals) CHECK(n == PackedNormal{0, -90, 90, 0});  // 127 / sqrt 2
    CHECK(mesh.faces[0].normal == std::array<std::int16_t, 3>{0, -23170, 23170});
}

TEST_CASE("landscapes that the format cannot hold are refused") {
    const auto code = [](auto change) {
        LandGrid grid;
        change(grid);
        return code_of(build_land_mesh(grid));
    };
    CHECK(code([](LandGrid& g) { g.columns = 0; }) == "land_authoring");
    CHECK(code([](LandGrid& g) { g.columns = 16, g.rows = 8; }) == "land_authoring");  // 128 tiles
    CHECK(code([](LandGrid& g) { g.columns = 16, g.rows = 16; }) == "");               // 256 tiles
    CHECK(code([](LandGrid& g) { g.columns = 16, g.rows = 16, g.quads = 12; }) == "land_authoring");
    CHECK(code([](LandGrid& g) { g.columns = 4294967295u, g.rows = 4294967295u; }) == "land_authoring");
    CHECK(code([](LandGrid& g) { g.heights = {1}; }) == "land_authoring");
    CHECK(code([](LandGrid& g) { g.heights = {1, 2, 3, kNan}; }) == "land_authoring");
    CHECK(code([](LandGrid& g) { g.tile_size = 0; }) == "land_authoring");
}

TEST_CASE("compact masks follow the table and lose nothing") {
    CHECK(compact_mask(0x00020409) == CompactMask{0x0283, 0, 0});
    CHECK(compact_mask(0x00108100) == CompactMask{0, 0x03, 0x00100000});
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
        const std::uint32_t full = 1u << bit;
        CHECK(full_mask(compact_mask(full)) == full);
        CHECK((compact_mask(full).main & 0x4000) == 0);
    }
    CHECK(full_mask(compact_mask(0xFFFFFFFF)) == 0xFFFFFFFF);
    CHECK(compact_mask(0xFFFFFFFF).main == 0xBFFF);
    CHECK(compact_mask(0xFFFFFFFF).material_class == 0x3F);
    const SurfaceFilter filter{0x8, 0x20000};
    CHECK(filter.passes(0x9));
    CHECK_FALSE(filter.passes(0x1));
    CHECK_FALSE(filter.passes(0x20008));
}

TEST_CASE("every landscape stream must be there once") {
    for (const std::uint32_t type : {1u, 2u, 4u, 5u, 11u, 18u})
        CHECK(error_after([type](Streams& s) { drop(s, type); }) == "land_missing_stream");
    CHECK(error_after([](Streams& s) { drop(s, 21); }) == "unknown_msh_variant");
    CHECK(warns_after("land_missing_stream", [](Streams& s) { drop(s, 14); }));
    CHECK(error_after([](Streams& s) { s.push_back(of(s, 14)); }) == "land_duplicate_stream");
    ReadContext ctx;
    auto streams = minimal_land();
    drop(streams, 18);
    CHECK(read_land_mesh(pack(streams), ctx).error().message() == "Unable to find microtexture mapping chunk");
}

TEST_CASE("unknown streams and another order are kept with a warning") {
    auto streams = minimal_land();
    streams.insert(streams.begin(), {99, 0, 0, 0, "odd", hex("01")});
    std::swap(streams[1], streams[2]);
    const Bytes file = pack(streams);
    ReadContext ctx;
    const auto mesh = read_land_mesh(file, ctx);
    REQUIRE(code_of(mesh) == "");
    CHECK(ctx.has("land_unknown_stream"));
    CHECK(ctx.has("land_stream_order"));
    CHECK(write_land_mesh(*mesh).value() == file);
}

TEST_CASE("landscape attributes and sizes are checked") {
    for (const std::uint32_t type : {1u, 2u, 3u, 4u, 5u, 11u, 14u, 18u, 21u}) {
        CHECK(error_after([type](Streams& s) { of(s, type).attr1 += 1; }) == "land_bad_count");
        CHECK(error_after([type](Streams& s) { of(s, type).attr3 += 1; }) == "land_bad_stride");
        CHECK(error_after([type](Streams& s) { of(s, type).payload.push_back(0); }) == "msh_bad_size");
    }
    CHECK(error_after([](Streams& s) { of(s, 2).payload.resize(20); }) == "msh_bad_size");
    CHECK(warns_after("land_attr2", [](Streams& s) { of(s, 21).attr2 = 1; }));
    CHECK(error_after([](Streams& s) { of(s, 1).attr2 = 0; }) == "land_bad_tiles");
    CHECK(error_after([](Streams& s) { of(s, 1).attr2 = 2; }) == "land_bad_tiles");
}

TEST_CASE("vertex streams of a landscape have one length") {
    const auto longer = [](Streams& s) {
        of(s, 5).payload.resize(20);
        of(s, 5).attr1 = 5;
    };
    CHECK(error_after(longer) == "land_bad_count");
    CHECK(warns_after("land_bad_count", longer, compatible()));
    const auto nan = [](Streams& s) { poke(of(s, 3).payload, 4, kNan); };
    CHECK(error_after(nan) == "msh_non_finite");
    CHECK(warns_after("msh_non_finite", nan, compatible()));
}

TEST_CASE("landscape references stay inside their streams") {
    const auto bad = [](std::uint32_t type, std::size_t at, std::uint16_t value) {
        return error_after([=](Streams& s) { poke(of(s, type).payload, at, value); }, compatible());
    };
    CHECK(bad(1, 8, 2) == "land_bad_reference");            // slot word
    CHECK(bad(1, 36, 2) == "land_bad_reference");           // the last slot word too
    CHECK(bad(2, 0x8C + 2, 5) == "land_bad_reference");     // slot range
    CHECK(bad(21, 8, 4) == "land_bad_reference");           // vertex
    CHECK(bad(21, 14, 4) == "land_bad_reference");          // neighbour
    CHECK(error_after([](Streams& s) {                      // slots must fit type 11 as well
              of(s, 11).payload.resize(12);
              of(s, 11).attr1 = 3;
          }) == "land_bad_reference");
}

TEST_CASE("odd but harmless landscape data are warnings") {
    const auto warns = [](std::string_view code, std::uint32_t type, std::size_t at, std::uint16_t value) {
        return warns_after(code, [=](Streams& s) { poke(of(s, type).payload, at, value); });
    };
    CHECK(warns("land_face_word6", 21, 6, 0));
    CHECK(warns("land_one_sided_neighbour", 21, 14, 2));
    CHECK(warns("land_face_ref_key", 11, 0, 9));
    CHECK(warns("land_face_in_no_slot", 2, 0x8C + 2, 1));
    CHECK(warns("land_face_in_many_slots", 2, 0x8C + 2, 3));
    CHECK(warns_after("land_face_ref_count", [](Streams& s) {
        of(s, 11).payload.resize(20);
        of(s, 11).attr1 = 5;
    }));
    ReadContext ctx;
    const auto mesh = read_land_mesh(pack(minimal_land()), ctx).value();
    check_land_materials(mesh, 2, 2, ctx);
    CHECK(ctx.diagnostics.empty());
    check_land_materials(mesh, 2, 1, ctx);
    CHECK(ctx.has("land_material_row"));
}

TEST_CASE("slot number 255 means no coarse geometry") {
    auto mesh = build_land_mesh({}).value();
    mesh.slots.resize(256);
    mesh.tiles[0].slots[1] = 0x00FF;
    CHECK(tile_slot(mesh, 0, 1) == nullptr);
    mesh.tiles[0].slots[0] = 0x00FF;
    CHECK(tile_slot(mesh, 0, 0) != nullptr);
    mesh.tiles[0].slots[0] = kNone16;
    CHECK(tile_slot(mesh, 0, 0) == nullptr);
    CHECK(tile_slot(mesh, 9, 0) == nullptr);
}

TEST_CASE("a landscape edit keeps the other streams") {
    ReadContext ctx;
    auto mesh = read_land_mesh(pack(minimal_land()), ctx).value();
    mesh.faces[0].flags = surface::kWater;
    mesh.positions[0].z = 3;
    auto expected = minimal_land();
    poke<std::uint32_t>(of(expected, 21).payload, 0, 0x20000);
    poke(of(expected, 3).payload, 8, 3.0f);
    CHECK(write_land_mesh(mesh).value() == pack(expected));
    CHECK(water_level(mesh) == 3.0f);
}
