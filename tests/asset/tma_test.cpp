#include <catch2/catch.hpp>

#include <limits>

#include "shared/asset/tma.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

const auto parse = [](ByteView bytes, ReadContext& context) { return read_tma(bytes, context); };

// mission.md 2.9
const char kWorked[] = R"(
01 00 00 00 01 00 00 00
07 00 00 00 02 00 00 00
00 00 00 00 00 00 00 00 00 00 00 00
00 00 80 41 00 00 00 00 00 00 00 00
06 00 00 00 01 00 00 00
03 00 00 00 50 6C 72
FF FF FF FF
00 00 00 41 00 00 00 41
01 00 00 00
03 00 00 00 53 5C 61
00 00 00 00
00 00 00 00
00 00 00 00
01 00 00 00 03 00 00 00 50 6C 72 01 00 00 00
0A 00 00 00 01 00 00 00
02 00 00 00 02 00 00 80
06 00 00 00 74 72 65 65 5F 61
FF FF FF FF 00 00 00 00
00 00 00 41 00 00 00 41 00 00 80 3F
00 00 00 00 00 00 00 00 00 00 00 00
00 00 80 3F 00 00 80 3F 00 00 80 3F
00 00 00 00 00 00 00 00 FF FF FF FF FF FF FF FF
01 00 00 00 01 00 00 00
01 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00
0F 00 00 00 49 6E 76 75 6C 6E 65 72 61 62 69 6C 69 74 79
06 00 00 00 4D 5C 6C 61 6E 64
00 00 00 00 00 00 00 00
01 00 00 00 00 00 00 00)";

const char kSmallest[] =
    "01 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00 0A 00 00 00 00 00 00 00 06 00 00 00 4D 5C 6C 61 "
    "6E 64 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00";

Tma worked() {
    ReadContext context = strict();
    return *read_tma(hex(kWorked), context);
}

template <class Edit>
Bytes edited(Edit edit) {
    Tma tma = worked();
    edit(tma);
    return write_tma(tma);
}

}  // namespace

TEST_CASE("the worked mission of 260 bytes reads field by field and writes back") {
    const Bytes bytes = hex(kWorked);
    REQUIRE(bytes.size() == 260);
    ReadContext context = strict();
    const auto tma = read_tma(bytes, context);
    REQUIRE(tma);
    CHECK(context.diagnostics.empty());
    REQUIRE(tma->paths.size() == 1);
    CHECK(tma->paths[0].id == 7);
    CHECK(tma->paths[0].points == std::vector<Vec3>{{0, 0, 0}, {16, 0, 0}});
    REQUIRE(tma->clans.size() == 1);
    const TmaClan& clan = tma->clans[0];
    CHECK(clan.name == "Plr");
    CHECK(clan.raw_id == -1);
    CHECK(clan.anchor_x == 8.0f);
    CHECK(clan.anchor_y == 8.0f);
    CHECK(clan.mode == 1);
    CHECK(clan.script_base == "S\\a");
    CHECK(clan.research_path.empty());
    REQUIRE(clan.relations.size() == 1);
    CHECK(clan.relations[0] == TmaRelation{"Plr", 1});
    REQUIRE(tma->objects.size() == 1);
    const TmaObject& object = tma->objects[0];
    CHECK(object.kind == 2);
    CHECK(object.class_word == 0x80000002u);
    CHECK(object.resource == "tree_a");
    CHECK_FALSE(object.is_unit_scheme());
    CHECK(object.owner == -1);
    CHECK(object.order == 0);
    CHECK(object.position == Vec3{8, 8, 1});
    CHECK(object.orientation == Vec3{});
    CHECK(object.scale == Vec3{1, 1, 1});
    CHECK(object.name.empty());
    CHECK(object.link0 == -1);
    CHECK(object.link1 == -1);
    REQUIRE(object.properties.size() == 1);
    CHECK(object.properties[0] == TmaProperty{1, {0, 1, 0}, "Invulnerability"});
    CHECK(tma->land_path == "M\\land");
    CHECK(tma->mission_flag == 0);
    CHECK(tma->description.empty());
    CHECK(tma->extras.empty());
    CHECK(write_tma(*tma) == bytes);
}

TEST_CASE("the smallest mission has 50 bytes") {
    const Bytes bytes = hex(kSmallest);
    REQUIRE(bytes.size() == 50);
    ReadContext context = strict();
    const auto tma = read_tma(bytes, context);
    REQUIRE(tma);
    CHECK(tma->land_path == "M\\land");
    CHECK(write_tma(*tma) == bytes);
    Tma authored;
    authored.land_path = "M\\land";
    CHECK(write_tma(authored) == bytes);
}

TEST_CASE("the prefix ends behind the land path and does not see what follows") {
    Bytes bytes = hex(kWorked);
    ReadContext context = strict();
    auto prefix = read_tma_prefix(bytes, context);
    REQUIRE(prefix);
    CHECK(prefix->land_path == "M\\land");
    CHECK(prefix->end_offset == 0xF4);
    bytes.resize(0xF4);
    prefix = read_tma_prefix(bytes, context);
    CHECK(prefix);
    bytes.resize(0xF3);
    CHECK(code_of([](ByteView b, ReadContext& c) { return read_tma_prefix(b, c); }, bytes) ==
          "count_too_large");
}

TEST_CASE("every cut of the worked mission is an error") {
    const Bytes bytes = hex(kWorked);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        ReadContext context = compatible();
        CHECK_FALSE(read_tma(ByteView(bytes).first(n), context));
    }
}

TEST_CASE("mission checks that are errors") {
    const Bytes good = hex(kWorked);
    CHECK(code_of(parse, joined({good, {0}})) == "trailing_bytes");
    CHECK(code_of(parse, with_u32(good, 0x43, 4)) == "tma_clan_mode");
    CHECK(code_of(parse, with_u32(good, 0x04, 0xFFFFFFFF)) == "count_too_large");
    CHECK(code_of(parse, with_u32(good, 0x0C, 0x20000000)) == "count_too_large");
    CHECK(code_of(parse, with_u32(good, 0x6D, 100)) == "count_too_large");
    CHECK(code_of(parse, with_u32(good, 0x79, 70000)) == "count_too_large");
    const std::uint32_t nan = 0x7FC00001, infinity = 0x7F800000;
    CHECK(code_of(parse, with_u32(good, 0x8B, nan)) == "tma_non_finite");
    CHECK(code_of(parse, with_u32(good, 0x97, infinity)) == "tma_non_finite");
    CHECK(code_of(parse, with_u32(good, 0xA3, nan)) == "tma_non_finite");
    CHECK(code_of(parse, with_u32(good, 0x8B, nan), compatible()) == "tma_non_finite");
}

TEST_CASE("versions and the class word are errors in strict, warnings in compatible") {
    const Bytes good = hex(kWorked);
    struct Row {
        std::size_t at;
        const char* code;
    };
    for (const Row row : {Row{0x00, "tma_bad_version"}, Row{0x28, "tma_bad_version"},
                          Row{0x69, "tma_bad_version"}, Row{0xFC, "tma_bad_version"},
                          Row{0xBF, "tma_bad_schema"}, Row{0x75, "tma_class_word"}}) {
        CAPTURE(row.at);
        const Bytes bytes = with_u32(good, row.at, 3);
        CHECK(code_of(parse, bytes) == row.code);
        ReadContext context = compatible();
        const auto tma = read_tma(bytes, context);
        REQUIRE(tma);
        CHECK(context.has(row.code));
        CHECK(write_tma(*tma) == bytes);
    }
}

TEST_CASE("mission checks that are warnings") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(reports(parse, edited([&](Tma& t) { t.paths[0].points[0].x = nan; }), "tma_path_non_finite"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans[0].anchor_x = -0.5f; }), "tma_anchor_range"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans[0].anchor_y = 10000.5f; }), "tma_anchor_range"));
    CHECK(reports(parse, edited([](Tma& t) { t.objects[0].resource.clear(); }), "tma_empty_name"));
    CHECK(reports(parse, edited([](Tma& t) { t.land_path.clear(); }), "tma_empty_name"));
    CHECK(reports(parse, edited([](Tma& t) { t.land_path = "..\\land"; }), "tma_bad_path"));
    CHECK(reports(parse, edited([](Tma& t) { t.objects[0].resource = "C:\\a.dat"; }), "tma_bad_path"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans[0].script_base = std::string("a\0b", 3); }),
                  "tma_bad_path"));
    CHECK(reports(parse, edited([](Tma& t) { t.objects[0].owner = 1; }), "tma_owner_range"));
    CHECK(reports(parse, edited([](Tma& t) { t.objects[0].owner = -2; }), "tma_owner_range"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans[0].relations[0].clan = "X"; }),
                  "tma_unknown_relation"));
    CHECK(reports(parse, edited([](Tma& t) { t.paths.push_back(t.paths[0]); }), "tma_duplicate_path_id"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans.push_back(t.clans[0]); }), "tma_duplicate_clan"));
    CHECK(reports(parse, edited([](Tma& t) { t.objects[0].properties[0].type = 2; }),
                  "tma_property_type"));
    CHECK(reports(parse, edited([](Tma& t) { t.clans[0].first_tag = 5; }), "clan_first_tag"));
}

TEST_CASE("an environment clan keeps its groups") {
    const Bytes bytes = edited([](Tma& t) {
        t.clans[0].mode = 0;
        t.clans[0].groups = {{{1, 2, 3, 4, 5}}, {{6, 7, 8, 9, 10}}};
        t.clans[0].research_path = "a.trf";
        t.clans[0].second_tag = 9;
    });
    ReadContext context = strict();
    const auto tma = read_tma(bytes, context);
    REQUIRE(tma);
    CHECK(context.diagnostics.empty());
    REQUIRE(tma->clans[0].groups.size() == 2);
    CHECK(tma->clans[0].groups[1][0][4] == 10.0f);
    CHECK(tma->clans[0].research_path == "a.trf");
    CHECK(tma->clans[0].second_tag == 9);
    CHECK(write_tma(*tma) == bytes);

    const Bytes two = edited([](Tma& t) {
        t.clans[0].mode = 0;
        t.clans[0].groups = {{{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}};
    });
    CHECK(reports(parse, two, "clan_group_count"));
}

TEST_CASE("24-byte records in a standard clan are a quirk that needs the exact end") {
    const Bytes bytes = edited([](Tma& t) {
        t.clans[0].first_tag = 1;
        t.clans[0].spatial = {{1, {2, 3, 4}, 5, 6}};
    });
    REQUIRE(bytes.size() == 284);
    CHECK(code_of(parse, bytes) == "clan_spatial_in_standard_mode");
    ReadContext context = compatible();
    const auto tma = read_tma(bytes, context);
    REQUIRE(tma);
    CHECK(context.has("clan_spatial_in_standard_mode"));
    REQUIRE(tma->clans[0].spatial.size() == 1);
    CHECK(tma->clans[0].spatial[0].position == Vec3{2, 3, 4});
    CHECK(tma->land_path == "M\\land");
    CHECK(write_tma(*tma) == bytes);

    ReadContext prefix_context = compatible();
    const auto prefix = read_tma_prefix(bytes, prefix_context);
    REQUIRE(prefix);
    CHECK(prefix->land_path == "M\\land");
    CHECK(prefix->end_offset == 0xF4 + 24);

    // One byte more: neither reading fits, so the error of the documented one stays.
    ReadContext again = compatible();
    const auto bad = read_tma(joined({bytes, {0}}), again);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code() != "clan_spatial_in_standard_mode");
    CHECK(again.has("clan_first_tag"));
}

TEST_CASE("extras, embedded NUL bytes and odd float bits survive a mission round trip") {
    const Bytes bytes = edited([](Tma& t) {
        t.extras = {{{1, 2, 3}, -4, 5, 6.5f, -7}};
        t.description = std::string("\x01\0\xFF tail", 8);
        t.objects[0].name = std::string("n\0m", 3);
        t.objects[0].properties.push_back(t.objects[0].properties[0]);
        t.objects[0].position.x = -0.0f;
    });
    Bytes odd = bytes;
    const std::size_t point = 0x10;
    odd = with_u32(odd, point, 0x7FA00001);  // a signalling NaN in a path point
    ReadContext context = strict();
    const auto tma = read_tma(odd, context);
    REQUIRE(tma);
    CHECK(tma->objects[0].properties.size() == 2);
    CHECK(tma->extras[0].word1 == -7);
    CHECK(write_tma(*tma) == odd);
}

TEST_CASE("an object error names the object and the offset") {
    ReadContext context = strict();
    const auto bad = read_tma(with_u32(hex(kWorked), 0x8B, 0x7FC00000), context);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().to_string() == "object 0: position is not finite (offset 139) [tma_non_finite]");
}
