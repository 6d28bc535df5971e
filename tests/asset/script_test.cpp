#include <catch2/catch.hpp>

#include "shared/asset/script_package.hpp"
#include "shared/asset/varset.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

const auto read_scr = [](ByteView b, ReadContext& c) { return read_script_package(b, c); };
const auto read_var = [](ByteView b, ReadContext& c) { return read_variable_set(b, c); };

// script.md 13, vector 1
const char kPackage[] =
    "49 00 00 00 01 00 00 00 04 00 00 00 49 6E 69 74 00 09 00 00 00 01 00 00 00 01 00 00 00 02 00 00 00 "
    "03 00 00 00 04 00 00 00 05 00 00 00 02 00 00 00 07 00 00 00 08 00 00 00 06 00 00 00 AA BB";

// mission.md 8
const char kSmallPackage[] =
    "49 00 00 00 01 00 00 00 01 00 00 00 41 00 00 00 00 00 01 00 00 00 FF FF FF FF 00 00 00 00 00 00 00 00 "
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";

}  // namespace

TEST_CASE("the script package vector reads word by word") {
    const Bytes bytes = hex(kPackage);
    REQUIRE(bytes.size() == 63);
    ReadContext context = strict();
    const auto package = read_script_package(bytes, context);
    REQUIRE(package);
    CHECK(package->handler_count == 73);
    REQUIRE(package->events.size() == 1);
    CHECK(package->events[0].name == "Init");
    CHECK(package->events[0].word == 9);
    REQUIRE(package->events[0].records.size() == 1);
    const ScriptRecord record{1, 2, 3, 4, 5, {7, 8}, 6};
    CHECK(package->events[0].records[0] == record);
    CHECK(package->trailing == hex("AA BB"));
    CHECK(context.has("script_trailing_bytes"));
    CHECK(classify_selector(record.w0, package->handler_count) == SelectorClass::handler);
    CHECK(write_script_package(*package) == bytes);
}

TEST_CASE("the smallest package of one event has 50 bytes") {
    const Bytes bytes = hex(kSmallPackage);
    REQUIRE(bytes.size() == 50);
    ReadContext context = strict();
    const auto package = read_script_package(bytes, context);
    REQUIRE(package);
    CHECK(context.diagnostics.empty());
    CHECK(package->events[0].name == "A");
    CHECK(classify_selector(package->events[0].records[0].w0, 73) == SelectorClass::sentinel);
    CHECK(write_script_package(*package) == bytes);
}

TEST_CASE("selectors are classified with the file's own handler count") {
    CHECK(classify_selector(73, 73) == SelectorClass::unknown);
    CHECK(classify_selector(72, 73) == SelectorClass::handler);
    CHECK(classify_selector(59, 59) == SelectorClass::unknown);
    CHECK(classify_selector(0xFFFFFFFFu, 73) == SelectorClass::sentinel);
}

TEST_CASE("script package checks") {
    const Bytes good = hex(kPackage);
    Bytes name = good;
    name[16] = 'x';
    CHECK(code_of(read_scr, name) == "script_no_terminator");
    CHECK(code_of(read_scr, hex("49 00 00 00 01 00 00 00")) == "count_too_large");
    CHECK(code_of(read_scr, Bytes(good.begin(), good.begin() + 53)) == "count_too_large");
    CHECK(code_of(read_scr, with_u32(good, 45, 257)) == "count_too_large");
    CHECK(code_of(read_scr, with_u32(good, 4, 4097)) == "count_too_large");
    CHECK(code_of(read_scr, with_u32(good, 21, 0xFFFFFFFF)) == "count_too_large");
    CHECK(code_of(read_scr, with_u32(good, 8, 0xFFFFFFFF)) == "truncated");
    CHECK(reports(read_scr, with_u32(good, 25, 73), "script_unknown_selector"));
    CHECK(reports(read_scr, with_u32(good, 37, 7), "script_record_type"));
    CHECK(code_of(read_scr, Bytes((4u << 20) + 1)) == "file_too_large");
}

TEST_CASE("empty events, empty names and embedded NUL bytes are legal") {
    ScriptPackage package;
    package.events.push_back({"", 1, {}});
    package.events.push_back({std::string("a\0b", 3), 2, {}});
    const Bytes bytes = write_script_package(package);
    ReadContext context = strict();
    const auto again = read_script_package(bytes, context);
    REQUIRE(again);
    CHECK(*again == package);
    CHECK(read_script_package(hex("3B 00 00 00 00 00 00 00"), context));
}

TEST_CASE("variable vector: two numeric declarations among other lines") {
    const std::string text =
        "VAR( float, fDifficulty, 0.5) // x\r\nVAR( DWORD, C, 0x80000000);\r\nSTRING(8, a, b, c)\r\n"
        "// \xFF\r\n";
    ReadContext context = strict();
    const auto set = read_variable_set(as_bytes(text), context);
    REQUIRE(set);
    REQUIRE(set->variables.size() == 3);  // STRING takes an index
    CHECK(set->variables[0].type == VariableType::real);
    CHECK(set->variables[0].name == "fDifficulty");
    CHECK(set->variables[0].as_float() == 0.5f);
    CHECK(set->variables[1].type == VariableType::dword);
    CHECK(set->variables[1].bits == 0x80000000u);
    CHECK(set->variables[2].type == VariableType::string);
    CHECK(set->index_of("C") == 1);
    CHECK(set->index_of("c") == -1);
    CHECK(context.has("var_other_head"));
    CHECK(as_text(write_variable_set(*set)) == text);
}

TEST_CASE("variable errors carry the line") {
    const auto code = [](std::string_view text) { return code_of(read_var, text_bytes(text)); };
    CHECK(code("VAR( float, f0, nope)") == "var_bad_float");
    CHECK(code("VAR( BYTE, b, 1)") == "var_bad_type");
    CHECK(code("VAR( DWORD, d, 0x100000000)") == "var_bad_dword");
    CHECK(code("VAR( DWORD, d, 1") == "var_unterminated");
    ReadContext context = strict();
    const auto bad = read_variable_set(as_bytes("// a\n\nVAR(DWORD, d, -1)\n"), context);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().frames().front().object == "line 3");
}

TEST_CASE("variable checks by profile") {
    const auto code = [](std::string_view text, bool lenient) {
        return code_of(read_var, text_bytes(text), lenient ? compatible() : strict());
    };
    for (const bool lenient : {false, true}) {
        CHECK(code("VAR(float, a)", lenient) == "var_missing_field");
        CHECK(code("VAR(float, , 1)", lenient) == "var_missing_field");
        CHECK(code("VAR(float, \xE4, 1)", lenient) == "var_non_ascii");
        CHECK(code("VAR(float, a, inf)", lenient) == "var_bad_float");
        CHECK(code("VAR(float, a, 1e99)", lenient) == "var_bad_float");
        CHECK(code("VAR(float, a, +-1)", lenient) == "var_bad_float");
        CHECK(code("VAR(float, a, 0x1)", lenient) == "var_bad_float");
        CHECK(code("VAR(DWORD, a, +1)", lenient) == "var_bad_dword");
        CHECK(code("VAR(DWORD, a, 4294967296)", lenient) == "var_bad_dword");
        CHECK(code("VAR(DWORD, a, 4294967295)", lenient) == "ok");
        CHECK(code("VAR(float, a, -1.5E+2)", lenient) == "ok");
        CHECK(code("VAR(float, a, 1 // )", lenient) == "var_unterminated");
    }
    CHECK(code("VAR(DWORD, a, 1) ;", false) == "var_unterminated");
    CHECK(reports(read_var, text_bytes("VAR(DWORD, a, 1) ;"), "var_unterminated", compatible()));
    CHECK(reports(read_var, text_bytes("VAR (DWORD, a, 1)"), "var_near_miss"));
    CHECK(reports(read_var, text_bytes("var(DWORD, a, 1)"), "var_near_miss"));
    CHECK(reports(read_var, text_bytes("VAR(DWORD,a,1)\nVAR(DWORD,a,2)"), "var_duplicate_name"));
    CHECK(reports(read_var, text_bytes("FUNCTION(x)"), "var_other_head"));
    CHECK(reports(read_var, text_bytes("anything"), "config_opaque_line"));
}

TEST_CASE("a variable of unknown type keeps its index in the compatible profile") {
    ReadContext context = compatible();
    const auto set = read_variable_set(as_bytes("VAR(BYTE, b, 1)\nVAR(DWORD, d, 2, min, max)\n"), context);
    REQUIRE(set);
    REQUIRE(set->variables.size() == 2);
    CHECK(set->variables[0].type == VariableType::opaque);
    CHECK(set->index_of("d") == 1);
    CHECK(set->variables[1].extra_fields == std::vector<std::string>{"min", "max"});
}

TEST_CASE("more than 4096 declarations are an error") {
    std::string text;
    for (int i = 0; i < 4096; ++i) text += "VAR(DWORD,v" + std::to_string(i) + ",0)\n";
    CHECK(code_of(read_var, text_bytes(text)) == "ok");
    CHECK(code_of(read_var, text_bytes(text + "VAR(DWORD,x,0)\n")) == "var_too_many");
}

TEST_CASE("an authored variable set has the canonical form") {
    Variable real{VariableType::real, "f", std::bit_cast<std::uint32_t>(0.1f), {}, 0};
    Variable word{VariableType::dword, "ST_SOLVING", 1, {}, 0};
    const VariableSet set = make_variable_set({real, word});
    CHECK(as_text(write_variable_set(set)) == "VAR( float, f, 0.1)\r\nVAR( DWORD, ST_SOLVING, 1)\r\n");
    ReadContext context = strict();
    const auto again = read_variable_set(write_variable_set(set), context);
    REQUIRE(again);
    CHECK(again->variables[0].as_float() == 0.1f);
}

TEST_CASE("the binary variable form keeps raw words") {
    const Bytes bytes = hex(
        "01 00 00 00 04 00 00 00 03 00 00 00 00 00 00 00 02 00 00 00 41 42 00 00 00 00 "
        "01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00");
    const auto read = [](ByteView b, ReadContext& c) { return read_binary_variables(b, c); };
    ReadContext context = strict();
    const auto items = read_binary_variables(bytes, context);
    REQUIRE(items);
    REQUIRE(items->size() == 1);
    CHECK((*items)[0].name == "AB");
    CHECK((*items)[0].type == 3);
    CHECK((*items)[0].values[3] == 4);
    CHECK(context.diagnostics.empty());
    CHECK(write_binary_variables(*items) == bytes);

    CHECK(code_of(read, joined({bytes, {0}})) == "trailing_bytes");
    CHECK(code_of(read, with_u32(bytes, 0, 0xFFFFFFFF)) == "var_negative_length");
    CHECK(code_of(read, with_u32(bytes, 0, 2)) == "count_too_large");
    CHECK(code_of(read, with_u32(bytes, 4, 0x80000000)) == "var_negative_length");
    CHECK(code_of(read, with_u32(bytes, 4, 1000)) == "count_too_large");
    CHECK(code_of(read, with_u32(bytes, 16, 0xFFFFFFFF)) == "var_negative_length");
    CHECK(code_of(read, with_u32(bytes, 16, 1000)) == "truncated");
    CHECK(reports(read, with_u32(bytes, 8, 4), "var_raw_type"));
    CHECK(reports(read, with_u32(bytes, 4, 2), "var_value_length"));
}
