#include "tests/asset/visual_kit.hpp"

#include "shared/asset/wear.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

std::string error_of(std::string_view t, ReadContext ctx = strict()) { return code_of(read_wear(as_bytes(t), ctx)); }
/// Strict: the code is the error; compatible: accepted with the code as a diagnostic.
void strict_only(std::string_view t, std::string_view code) {
    CHECK(error_of(t) == code);
    auto ctx = compatible();
    const auto wear = read_wear(as_bytes(t), ctx);
    REQUIRE(code_of(wear) == "");
    CHECK(ctx.has(code));
    CHECK(write_wear(*wear).value() == text(t));
}

}  // namespace

TEST_CASE("the canonical WEAR of one material and one lightmap has the published bytes") {
    Wear wear;
    wear.add_material("WALL");
    wear.add_lightmap("LM01.0");
    CHECK(as_text(write_wear(wear).value()) == "1\r\n0 WALL\r\n\r\nLIGHTMAPS\r\n1\r\n0 LM01.0\r\n");
    Wear plain;
    plain.add_material("A");
    plain.add_material("B");
    CHECK(as_text(write_wear(plain).value()) == "2\r\n0 A\r\n1 B\r\n");
}

TEST_CASE("WEAR tables read and keep every byte") {
    for (const char* t : {"1\r\n0 WALL\r\n\r\nLIGHTMAPS\r\n1\r\n0 LM01.0\r\n", "2\n0 A\n1 B\n", "2\n0 A\n1 B",
                          " 2 \r\n\t0\t A \r\n  1 B\r\n\r\n\r\n",
                          "1\r\r\n0 W\r\n\r\nLIGHTMAPS\r\n2\r\n0 x.0\r\n1 y.0\r\n\r\n"}) {
        INFO(t);
        ReadContext ctx;
        const auto wear = read_wear(as_bytes(t), ctx);
        REQUIRE(code_of(wear) == "");
        CHECK(ctx.diagnostics.empty());
        CHECK(as_text(write_wear(*wear).value()) == t);
    }
    ReadContext ctx;
    const auto wear = read_wear(as_bytes("2\n0 A\n1 B\n\nLIGHTMAPS\n1\n0 L.0\n"), ctx).value();
    CHECK(wear.materials.at(1).name == "B");
    CHECK(wear.lightmaps.at(0).name == "L.0");
    CHECK(material_handle(1, 2) == 0x10002u);
}

TEST_CASE("a WEAR count must be a positive number alone on its line") {
    for (const char* t : {"", "\n0 A\n", "x\n0 A\n", "0\n", "-1\n", "1 2\n0 A\n", "1.0\n0 A\n"}) {
        INFO(t);
        CHECK(error_of(t, compatible()) == "wear_bad_count");
    }
}

TEST_CASE("WEAR rows must all be there, as id and name") {
    CHECK(error_of("2\n0 A\n", compatible()) == "wear_missing_row");
    CHECK(error_of("9000000000000000000\n0 A\n", compatible()) == "wear_missing_row");
    CHECK(error_of("2\n0 A\n\n1 B\n", compatible()) == "wear_bad_row");
    CHECK(error_of("1\nA\n", compatible()) == "wear_bad_row");
    strict_only("1\nx A\n", "wear_bad_id");
    ReadContext ctx;
    const auto odd = read_wear(as_bytes("2\n0 A\n5 B C\n"), ctx);
    REQUIRE(code_of(odd) == "");
    CHECK(odd->materials[1].name == "B");
    CHECK(ctx.has("wear_id_position"));
    CHECK(ctx.has("wear_name_spaces"));
}

TEST_CASE("exactly one empty line separates the lightmaps") {
    strict_only("1\r\n0 A\r\nLIGHTMAPS\r\n1\r\n0 L\r\n", "wear_no_separator");
    strict_only("1\n0 A\n\n\nLIGHTMAPS\n1\n0 L\n", "wear_extra_separator");
    strict_only("1\n0 A\n\nLightMaps\n1\n0 L\n", "wear_bad_marker");
    strict_only("1\n0 A\n\nLIGHTMAPS\n1\n0 L\n\nmore\n", "wear_trailing_text");
    strict_only("1\n0 A\n\nLIGHTMAPS\n0\n", "wear_bad_lightmap_count");
    CHECK(error_of("1\n0 A\nmore\n", compatible()) == "wear_unexpected_text");
    CHECK(error_of("1\n0 A\n\nLIGHTMAPS\n", compatible()) == "wear_bad_lightmap_count");
    CHECK(error_of("1\n0 A\n\nLIGHTMAPS\nx\n", compatible()) == "wear_bad_lightmap_count");
    CHECK(error_of("1\n0 A\n\nLIGHTMAPS\n-1\n", compatible()) == "wear_bad_lightmap_count");
    CHECK(error_of("1\n0 A\n\nLIGHTMAPS\n2\n0 L\n", compatible()) == "wear_missing_row");
    CHECK(error_of("1\n0 A\n\nLIGHTMAPS\n1\nL\n", compatible()) == "wear_bad_row");
}

TEST_CASE("an edited WEAR keeps its other lines") {
    ReadContext ctx;
    auto wear = read_wear(as_bytes("2\n 0  A \n1 B\n"), ctx).value();
    wear.materials[1].name = "C";
    wear.add_material("D");
    wear.add_lightmap("L.0");
    CHECK(as_text(write_wear(wear).value()) == "3\n 0  A \n1 C\n2 D\n\nLIGHTMAPS\n1\n0 L.0\n");
    auto open = read_wear(as_bytes("1\n0 A"), ctx).value();
    open.add_material("B");
    CHECK(as_text(write_wear(open).value()) == "2\n0 A\n1 B\n");
    auto shrunk = read_wear(as_bytes("1\n0 A\n\nLIGHTMAPS\n1\n0 L\n"), ctx).value();
    shrunk.lightmaps.clear();
    CHECK(as_text(write_wear(shrunk).value()) == "1\n0 A\n");
    wear.materials[0].name = "two words";
    CHECK(code_of(write_wear(wear)) == "wear_authoring");
    CHECK(code_of(write_wear(Wear{})) == "wear_authoring");
}
