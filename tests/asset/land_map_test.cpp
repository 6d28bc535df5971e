#include "tests/asset/visual_kit.hpp"

#include "shared/asset/land_map.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

/// One square areal with a 1 x 1 grid, 148 bytes (terrain.md 7.4).
Bytes worked_payload() {
    return join({hex("00 00 80 3F 00 00 80 3F 00 00 00 00 00 00 00 00"
                     "00 00 80 40 00 00 00 00 00 00 00 00 00 00 80 3F"
                     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                     "04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                     "00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00"
                     "00 00 00 40 00 00 00 40 00 00 00 00 00 00 00 00"
                     "00 00 00 40 00 00 00 00"),
                 Bytes(32, 0xFF), hex("01 00 00 00 01 00 00 00 01 00 00 00")});
}
Bytes container(const Bytes& payload, std::uint32_t count = 1, std::uint32_t type = 12) {
    return pack({{type, count, 0, 0, "map", payload}});
}
std::string error_of(const Bytes& payload, std::uint32_t count = 1, ReadContext ctx = strict()) {
    return code_of(read_land_map(container(payload, count), ctx));
}
bool warns(std::string_view code, const Bytes& payload) {
    ReadContext ctx;
    return read_land_map_payload(payload, 1, ctx) && ctx.has(code);
}
template <class T>
Bytes poked(std::size_t at, T value) {
    Bytes p = worked_payload();
    poke(p, at, value);
    return p;
}

Areal rectangle(float x0, float y0, float x1, float y1) {
    Areal a;
    a.anchor = {(x0 + x1) / 2, (y0 + y1) / 2, 0};
    a.vertices = {{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y1, 0}};
    return a;
}

}  // namespace

TEST_CASE("the worked areal map reads field by field and is written back unchanged") {
    REQUIRE(worked_payload().size() == 148);
    const Bytes file = container(worked_payload());
    ReadContext ctx;
    const auto map = read_land_map(file, ctx);
    REQUIRE(code_of(map) == "");
    CHECK(ctx.diagnostics.empty());
    REQUIRE(map->areals.size() == 1);
    const Areal& a = map->areals[0];
    CHECK(a.anchor == Vec3{1, 1, 0});
    CHECK(a.area == 4.0f);
    CHECK(a.normal == Vec3{0, 0, 1});
    CHECK(a.vertices[2] == Vec3{2, 2, 0});
    CHECK(a.links == std::vector<ArealLink>(4));
    CHECK(a.links[0].none());
    CHECK(map->cells_x == 1);
    CHECK(map->cell(0, 0).size() == 1);
    CHECK(map->cell(0, 0)[0] == 0);
    CHECK(write_land_map(*map).value() == file);
    CHECK(write_land_map_payload(*map).value() == worked_payload());
}

TEST_CASE("the map of the one-tile landscape has the published size and checksum") {
    LandMap map;
    map.areals.push_back(rectangle(0, 0, 64, 64));
    link_areals(map);
    CHECK(map.areals[0].area == 4096.0f);
    REQUIRE(build_areal_grid(map, 128, 128, {0, 0, 64, 64}));
    const Bytes file = write_land_map(map).value();
    CHECK(file.size() == 65760);
    CHECK(crc32(file) == 0xC686B845u);
}

TEST_CASE("a canonical grid lists areals that touch a cell, borders included") {
    LandMap map;
    map.areals = {rectangle(0, 0, 2, 4), rectangle(2, 0, 4, 4)};
    link_areals(map);
    REQUIRE(build_areal_grid(map, 4, 2, {0, 0, 4, 4}));
    const auto ids = [&map](std::uint32_t x, std::uint32_t y) {
        const auto cell = map.cell(x, y);
        return std::vector<std::uint16_t>(cell.begin(), cell.end());
    };
    CHECK(ids(0, 0) == std::vector<std::uint16_t>{0});
    CHECK(ids(1, 1) == std::vector<std::uint16_t>{0, 1});
    CHECK(ids(2, 0) == std::vector<std::uint16_t>{0, 1});
    CHECK(ids(3, 1) == std::vector<std::uint16_t>{1});
    CHECK(map.areals[0].links[1] == ArealLink{1, 3});
    CHECK(map.areals[1].links[3] == ArealLink{0, 1});
    CHECK(map.areals[0].links[0].none());
    ReadContext ctx;
    const auto back = read_land_map(write_land_map(map).value(), ctx);
    REQUIRE(code_of(back) == "");
    CHECK(ctx.diagnostics.empty());

    const MapRect extent = areal_bounds(*back);
    CHECK(extent.x1 == 4.0f);
    CHECK(locate_areal(*back, extent, 1, 1) == 0u);
    CHECK(locate_areal(*back, extent, 2, 1) == 0u);  // the border belongs to both: lowest id
    CHECK(locate_areal(*back, extent, 3, 4) == 1u);
    CHECK_FALSE(locate_areal(*back, extent, 5, 1));
    CHECK_FALSE(locate_areal(*back, extent, kNan, 1));
    // A wrong extent only costs a full scan.
    CHECK(locate_areal(*back, {100, 100, 101, 101}, 3, 1) == 1u);
    CHECK(cell_of_point(*back, extent, 3.5f, 1) == 3 * 2 + 0);
    CHECK(cell_of_point(*back, extent, -9, 99) == 1);
    CHECK(cell_of_point(*back, {0, 0, 0, 0}, 0.9f, 0) == 3 * 2);  // a degenerate width counts as 1
}

TEST_CASE("polygons contain their border and nothing beyond, concave ones too") {
    const std::vector<Vec3> hook = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 1, 0}, {0, 4, 0}};
    CHECK(polygon_contains(hook, 2, 0.5f));
    CHECK(polygon_contains(hook, 2, 1));
    CHECK_FALSE(polygon_contains(hook, 2, 2));
    CHECK(polygon_contains(hook, 0, 4));
    CHECK(polygon_contains(hook, 3.5f, 3));
    CHECK_FALSE(polygon_contains(hook, -1, 0));
    CHECK_FALSE(polygon_contains({}, 0, 0));
    CHECK(polygon_area(hook) == 10.0f);
}

TEST_CASE("Land.map holds one entry of type 12 and at least one areal") {
    ReadContext ctx;
    CHECK(code_of(read_land_map(container(worked_payload(), 1, 11), ctx)) == "land_map_entries");
    CHECK(code_of(read_land_map(pack({{12, 1, 0, 0, "a", worked_payload()}, {12, 1, 0, 0, "b", {}}}), ctx)) ==
          "land_map_entries");
    CHECK(error_of(worked_payload(), 0) == "land_map_no_areals");
    CHECK(error_of(Bytes(65536 * 60, 0), 65536) == "land_map_too_many_areals");
}

TEST_CASE("areal counts must fit and the payload must end exactly") {
    CHECK(error_of(worked_payload(), 60000) == "count_too_large");
    CHECK(error_of(poked(0x30, 0xFFFFFFFFu)) == "count_too_large");
    CHECK(error_of(poked(0x34, 0xFFFFFFFFu)) == "count_too_large");
    Bytes longer = worked_payload();
    longer.push_back(0);
    CHECK(error_of(longer) == "trailing_bytes");
    Bytes shorter = worked_payload();
    shorter.pop_back();
    CHECK(error_of(shorter) == "truncated");
    CHECK(error_of(poked(0x88, 0u)) == "land_map_empty_grid");
    CHECK(error_of(poked(0x8C, 0u)) == "land_map_empty_grid");
    CHECK(error_of(poked(0x88, 0xFFFFFFFFu)) == "count_too_large");
}

TEST_CASE("links are both -1 or both valid") {
    CHECK(error_of(poked(0x68, 0)) == "land_map_bad_link");
    CHECK(error_of(poked(0x6C, 0)) == "land_map_bad_link");
    Bytes p = poked(0x68, 0);
    poke(p, 0x6C, 4);
    CHECK(error_of(p) == "land_map_bad_link");
    poke(p, 0x6C, 3);
    CHECK(error_of(p) == "");
    CHECK(warns("land_map_one_sided_link", p));
    poke(p, 0x68, 1);
    CHECK(error_of(p) == "land_map_bad_link");
}

TEST_CASE("cells list few and existing areals") {
    CHECK(error_of(poked(0x92, std::uint16_t{1})) == "land_map_bad_cell");
    Bytes many = worked_payload();
    poke(many, 0x90, std::uint16_t{1024});
    many.resize(many.size() + 1023 * 2, 0);
    CHECK(error_of(many) == "land_map_bad_cell");
    poke(many, 0x90, std::uint16_t{1023});
    many.resize(many.size() - 2);
    CHECK(error_of(many) == "");

    // 4 100 cells of 1 023 ids stay below 2^22 = 4 194 304, 4 101 do not.
    for (const std::uint32_t cells : {4100u, 4101u}) {
        ByteWriter out;
        out.bytes(ByteView(worked_payload()).first(0x88));
        out.u32(cells);
        out.u32(1);
        for (std::uint32_t i = 0; i < cells; ++i) {
            out.u16(1023);
            out.zeros(2046);
        }
        CHECK(error_of(out.take()) == (cells == 4100 ? "" : "land_map_bad_cell"));
    }
}

TEST_CASE("odd areals are warnings") {
    CHECK(warns("land_map_normal", poked(0x1C, 1.01f)));
    CHECK_FALSE(warns("land_map_normal", poked(0x1C, 1.0005f)));
    CHECK(warns("land_map_anchor", poked(0x00, 3.0f)));
    CHECK(warns("land_map_reserved", poked(0x0C, 1.0f)));
    CHECK(warns("land_map_reserved", poked(0x24, 1u)));
    CHECK(warns("land_map_reserved", poked(0x2C, 1u)));
    ByteWriter out;  // two vertices only
    out.bytes(ByteView(worked_payload()).first(0x30));
    out.u32(2);
    out.u32(0);
    out.zeros(24);
    out.bytes(Bytes(16, 0xFF));
    out.bytes(hex("01 00 00 00 01 00 00 00 01 00 00 00"));
    CHECK(warns("land_map_few_vertices", out.take()));
}

TEST_CASE("polygon blocks are read by either reading and kept raw") {
    const auto with_block = [](const Bytes& block) {
        ByteWriter out;
        const Bytes p = worked_payload();
        out.bytes(ByteView(p).first(0x34));
        out.u32(1);                                   // one polygon: three more links
        out.bytes(ByteView(p).subspan(0x38, 0x88 - 0x38));
        out.bytes(Bytes(24, 0xFF));
        out.bytes(block);
        out.bytes(ByteView(p).subspan(0x88));
        return out.take();
    };
    const Bytes after = join({hex("01 00 00 00"), Bytes(16, 0)});   // n, then 4 * (3n + 1) bytes
    const Bytes inside = join({hex("01 00 00 00"), Bytes(12, 0)});  // 4 * (3n + 1) bytes in all
    for (const auto& [block, reading] : {std::pair(after, PolygonReading::count_then_data),
                                         std::pair(inside, PolygonReading::count_inside)}) {
        ReadContext ctx;
        const auto map = read_land_map_payload(with_block(block), 1, ctx);
        REQUIRE(code_of(map) == "");
        CHECK(map->polygon_reading == reading);
        CHECK(ctx.has("areal_polygons_unverified"));
        CHECK(map->areals[0].polygon_data == block);
        CHECK(write_land_map_payload(*map).value() == with_block(block));
    }
    ReadContext ctx;
    CHECK_FALSE(read_land_map_payload(with_block(hex("01 00 00 00 00")), 1, ctx));
}

TEST_CASE("an areal edit updates count and payload, and impossible maps are refused") {
    ReadContext ctx;
    auto map = read_land_map(pack({{12, 1, 7, 8, "odd", worked_payload()}}), ctx).value();
    map.areals.push_back(rectangle(2, 0, 4, 2));
    link_areals(map);
    REQUIRE(build_areal_grid(map, 1, 1, {0, 0, 4, 2}));
    const auto back = read_streams(write_land_map(map).value(), ctx).value();
    CHECK(back.streams.at(0).attr1 == 2);
    CHECK(back.streams.at(0).attr2 == 7);
    CHECK(back.streams.at(0).attr3 == 8);
    CHECK(back.streams.at(0).name == "odd");

    CHECK(code_of(build_areal_grid(map, 0, 1, {})) == "land_map_empty_grid");
    LandMap crowded;
    crowded.areals.assign(1024, rectangle(0, 0, 1, 1));
    CHECK(code_of(build_areal_grid(crowded, 1, 1, {0, 0, 1, 1})) == "land_map_bad_cell");
    map.areals[0].links.pop_back();
    CHECK(code_of(write_land_map(map)) == "land_map_bad_link");
    CHECK(code_of(write_land_map(LandMap{})) == "land_map_empty_grid");
}
