#include "shared/asset/land_map.hpp"

#include <algorithm>
#include <string>

#include "shared/archive/nres_edit.hpp"
#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

constexpr std::size_t kArealHeadSize = 56;
constexpr std::uint32_t kMaxHits = 1024;             // cell counts have 10 bits at run time
constexpr std::uint32_t kMaxGridIds = 1u << 22;      // and starts have 22

Result<Vec3> read_vec3(ByteReader& in, std::string_view what) {
    IRON_TRY(const ByteView raw, in.view(12, what));
    return Vec3{load_le<float>(raw.data()), load_le<float>(raw.data() + 4),
                load_le<float>(raw.data() + 8)};
}

/// The blocks behind the links (terrain.md 7.2): n and its vertices, kept raw.
Status read_polygons(ByteReader& in, Areal& areal, PolygonReading reading) {
    const std::size_t begin = in.position();
    for (std::uint32_t i = 0; i < areal.polygon_count; ++i) {
        IRON_TRY(const std::uint32_t n, in.u32("areal polygon size"));
        const std::uint64_t words = std::uint64_t{n} * 3 + 1;
        const std::uint64_t counted = reading == PolygonReading::count_inside ? words - 1 : words;
        IRON_TRY([[maybe_unused]] const auto data, in.view(counted * 4, "areal polygon"));
    }
    const ByteView raw = in.whole().subspan(begin, in.position() - begin);
    areal.polygon_data.assign(raw.begin(), raw.end());
    return {};
}

Result<Areal> read_areal(ByteReader& in, PolygonReading reading) {
    Areal a;
    IRON_TRY(a.anchor, read_vec3(in, "areal anchor"));
    IRON_TRY(a.word_0c, in.f32("areal word 0x0C"));
    IRON_TRY(a.area, in.f32("areal metric"));
    IRON_TRY(a.normal, read_vec3(in, "areal normal"));
    IRON_TRY(a.logic_flag, in.u32("areal logic flag"));
    IRON_TRY(a.word_24, in.u32("areal word 0x24"));
    IRON_TRY(a.class_id, in.u32("areal class"));
    IRON_TRY(a.word_2c, in.u32("areal word 0x2C"));
    IRON_TRY(const std::uint32_t vertices, in.u32("areal vertex count"));
    IRON_TRY(a.polygon_count, in.u32("areal polygon count"));
    IRON_CHECK(in.require_count(vertices, 12, "areal vertices"));
    IRON_TRY(const ByteView points, in.view(std::uint64_t{vertices} * 12, "areal vertices"));
    a.vertices = codec::decode_array<Vec3>(points);
    const std::uint64_t links = vertices + std::uint64_t{a.polygon_count} * 3;
    IRON_CHECK(in.require_count(links, 8, "areal links"));
    IRON_TRY(const ByteView raw, in.view(links * 8, "areal links"));
    a.links = codec::decode_array<ArealLink>(raw);
    IRON_CHECK(read_polygons(in, a, reading));
    return a;
}

Status read_grid(ByteReader& in, LandMap& map) {
    IRON_TRY(map.cells_x, in.u32("grid columns"));
    IRON_TRY(map.cells_y, in.u32("grid rows"));
    if (map.cells_x == 0 || map.cells_y == 0)
        return fail("land_map_empty_grid", "ArealMap Cells are empty", in.offset());
    const std::uint64_t cells = std::uint64_t{map.cells_x} * map.cells_y;  // fits: 32 x 32 bits
    IRON_CHECK(in.require_count(cells, 2, "grid cells"));
    map.cell_start.reserve(static_cast<std::size_t>(cells) + 1);
    map.cell_start.push_back(0);
    for (std::uint64_t n = 0; n < cells; ++n) {
        IRON_TRY(const std::uint16_t hits, in.u16("cell hit count"));
        if (hits >= kMaxHits)
            return fail("land_map_bad_cell", "cell " + std::to_string(n) + " lists " +
                                                 std::to_string(hits) + " areals", in.offset());
        IRON_TRY(const ByteView raw, in.view(std::uint64_t{hits} * 2, "cell areal ids"));
        for (std::size_t i = 0; i < hits; ++i) {
            const auto id = load_le<std::uint16_t>(raw.data() + i * 2);
            if (id >= map.areals.size())
                return fail("land_map_bad_cell", "cell " + std::to_string(n) + " names areal " +
                                                     std::to_string(id) + " of " +
                                                     std::to_string(map.areals.size()), in.offset());
            map.cell_ids.push_back(id);
        }
        if (map.cell_ids.size() >= kMaxGridIds)
            return fail("land_map_bad_cell", "the grid lists 2^22 or more areal ids", in.offset());
        map.cell_start.push_back(static_cast<std::uint32_t>(map.cell_ids.size()));
    }
    return {};
}

Result<LandMap> parse(ByteView payload, std::uint32_t areal_count, PolygonReading reading) {
    ByteReader in(payload);
    IRON_CHECK(in.require_count(areal_count, kArealHeadSize, "areals"));
    LandMap map;
    map.areals.reserve(areal_count);
    for (std::uint32_t i = 0; i < areal_count; ++i) {
        IRON_TRY_WRAP(auto areal, read_areal(in, reading), "Incorrect ArealMap: areal " + std::to_string(i));
        map.areals.push_back(std::move(areal));
    }
    IRON_CHECK(read_grid(in, map));
    IRON_CHECK(in.expect_end("Incorrect ArealMap"));
    return map;
}

bool has_polygons(const LandMap& map) {
    for (const auto& a : map.areals)
        if (a.polygon_count != 0) return true;
    return false;
}

Status check_links(const LandMap& map, ReadContext& ctx) {
    codec::Tally one_sided;
    for (std::size_t i = 0; i < map.areals.size(); ++i) {
        const auto& links = map.areals[i].links;
        for (std::size_t e = 0; e < links.size(); ++e) {
            const ArealLink link = links[e];
            if (link.areal == -1 && link.edge == -1) continue;
            const bool valid = link.areal >= 0 && link.edge >= 0 &&
                               static_cast<std::size_t>(link.areal) < map.areals.size() &&
                               static_cast<std::size_t>(link.edge) <
                                   map.areals[static_cast<std::size_t>(link.areal)].links.size();
            if (!valid)
                return fail("land_map_bad_link", "areal " + std::to_string(i) + " edge " +
                                                     std::to_string(e) + " links to areal " +
                                                     std::to_string(link.areal) + " edge " +
                                                     std::to_string(link.edge));
            const ArealLink back = map.areals[static_cast<std::size_t>(link.areal)]
                                       .links[static_cast<std::size_t>(link.edge)];
            if (static_cast<std::size_t>(back.areal) != i || static_cast<std::size_t>(back.edge) != e)
                one_sided.hit(i);
        }
    }
    one_sided.warn(ctx, "land_map_one_sided_link", "areal links that are not mutual");
    return {};
}

void note_oddities(const LandMap& map, ReadContext& ctx) {
    codec::Tally normal, anchor, reserved, flat;
    for (std::size_t i = 0; i < map.areals.size(); ++i) {
        const Areal& a = map.areals[i];
        const float len = length(a.normal);
        if (!(len >= 1 - 1e-3f && len <= 1 + 1e-3f)) normal.hit(i);
        if (a.vertices.size() < 3) flat.hit(i);
        if (!polygon_contains(a.vertices, a.anchor.x, a.anchor.y)) anchor.hit(i);
        if (std::bit_cast<std::uint32_t>(a.word_0c) != 0 || a.word_24 != 0 || a.word_2c != 0)
            reserved.hit(i);
    }
    normal.warn(ctx, "land_map_normal", "areal normals that are not of unit length");
    anchor.warn(ctx, "land_map_anchor", "areal anchors outside their polygon");
    reserved.warn(ctx, "land_map_reserved", "areals with non-zero reserved words");
    flat.warn(ctx, "land_map_few_vertices", "areals with fewer than three vertices");
}

}  // namespace

Result<LandMap> read_land_map_payload(ByteView payload, std::uint32_t areal_count, ReadContext& ctx) {
    if (areal_count == 0) return fail("land_map_no_areals", "the map has no areals");
    if (areal_count > 65535)
        return fail("land_map_too_many_areals",
                    std::to_string(areal_count) + " areals, the grid can name 65 535");
    auto first = parse(payload, areal_count, PolygonReading::count_then_data);
    if (!first) {
        // Both readings are equal without polygon blocks, so the second one can only help with them.
        auto second = parse(payload, areal_count, PolygonReading::count_inside);
        if (!second) return first;
        first = std::move(second);
        first->polygon_reading = PolygonReading::count_inside;
    } else if (has_polygons(*first)) {
        first->polygon_reading = PolygonReading::count_then_data;
    }
    if (first->polygon_reading != PolygonReading::none)
        ctx.warn("areal_polygons_unverified", "areals with polygon blocks, never seen in game data");
    IRON_CHECK(check_links(*first, ctx));
    note_oddities(*first, ctx);
    return first;
}

Result<LandMap> read_land_map(ByteView container, ReadContext& ctx) {
    IRON_TRY(const auto nres, archive::view_nres(container, ctx, archive::NresRole::file));
    if (nres.size() != 1 || nres.entry(0).type_id != stream_type::kAreals)
        return fail("land_map_entries", "Land.map must hold exactly one entry, of type 12");
    const auto& entry = nres.entry(0);
    IRON_TRY(LandMap map, read_land_map_payload(nres.payload(0), entry.attr1, ctx));
    map.attr2 = entry.attr2;
    map.attr3 = entry.attr3;
    map.image.assign(container.begin(), container.end());
    return map;
}

Result<Bytes> write_land_map_payload(const LandMap& map) {
    const std::uint64_t cells = std::uint64_t{map.cells_x} * map.cells_y;
    if (cells == 0) return fail("land_map_empty_grid", "ArealMap Cells are empty");
    if (map.areals.empty()) return fail("land_map_no_areals", "the map has no areals");
    if (map.areals.size() > 65535)
        return fail("land_map_too_many_areals", "more than 65 535 areals");
    if (map.cell_start.size() != cells + 1 || map.cell_start.front() != 0 ||
        map.cell_start.back() != map.cell_ids.size() || map.cell_ids.size() >= kMaxGridIds)
        return fail("land_map_bad_cell", "the grid's lists do not match its size");
    ByteWriter out;
    const auto put_vec3 = [&out](Vec3 v) { out.f32(v.x), out.f32(v.y), out.f32(v.z); };
    for (const Areal& a : map.areals) {
        if (a.links.size() != a.vertices.size() + std::uint64_t{a.polygon_count} * 3)
            return fail("land_map_bad_link", "an areal needs one link for every edge");
        put_vec3(a.anchor);
        out.f32(a.word_0c);
        out.f32(a.area);
        put_vec3(a.normal);
        out.u32(a.logic_flag);
        out.u32(a.word_24);
        out.u32(a.class_id);
        out.u32(a.word_2c);
        out.u32(static_cast<std::uint32_t>(a.vertices.size()));
        out.u32(a.polygon_count);
        out.bytes(codec::encode_array(a.vertices));
        out.bytes(codec::encode_array(a.links));
        out.bytes(a.polygon_data);
    }
    out.u32(map.cells_x);
    out.u32(map.cells_y);
    for (std::uint64_t n = 0; n < cells; ++n) {
        const std::uint32_t begin = map.cell_start[n], end = map.cell_start[n + 1];
        if (end < begin || end > map.cell_ids.size() || end - begin >= kMaxHits)
            return fail("land_map_bad_cell", "cell " + std::to_string(n) + " is not a short list");
        out.u16(static_cast<std::uint16_t>(end - begin));
        for (std::uint32_t i = begin; i < end; ++i) out.u16(map.cell_ids[i]);
    }
    return out.take();
}

Result<Bytes> write_land_map(const LandMap& map) {
    IRON_TRY(Bytes payload, write_land_map_payload(map));
    const auto count = static_cast<std::uint32_t>(map.areals.size());
    if (map.image.empty()) {
        archive::NresBuilder builder;
        builder.add(stream_type::kAreals, count, map.attr2, map.attr3, "map", std::move(payload));
        return builder.build();
    }
    ReadContext ctx;
    ctx.profile = ReadProfile::compatible;  // the reader has accepted the image already
    IRON_TRY(const auto nres, archive::view_nres(map.image, ctx, archive::NresRole::file));
    archive::NresEditor editor(nres);
    const auto& entry = nres.entry(0);
    const ByteView old = nres.payload(0);
    if (entry.attr1 != count || entry.attr2 != map.attr2 || entry.attr3 != map.attr3)
        IRON_CHECK(editor.set_attributes(0, count, map.attr2, map.attr3));
    if (!std::equal(old.begin(), old.end(), payload.begin(), payload.end()))
        IRON_CHECK(editor.set_payload(0, std::move(payload)));
    return editor.finish();
}

}  // namespace iron::asset
