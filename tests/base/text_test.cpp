#include <catch2/catch.hpp>

#include "shared/base/text.hpp"

using namespace iron;

TEST_CASE("folding touches ASCII letters only and orders underscore before letters") {
    CHECK(ascii_lower("AbC_\xC0") == "abc_\xC0");
    CHECK(ascii_icompare("s_rock_01", "SUN_01") < 0);
    CHECK(ascii_icompare("ab", "ABC") < 0);
    CHECK(ascii_iequals("Land.MSH", "land.msh"));
    CHECK_FALSE(ascii_iequals("\xC0", "\xE0"));
}

TEST_CASE("CP1251 and UTF-8 convert both ways") {
    const std::string russian = "\xCF\xE0\xF0\xEA\xE0\xED";  // "Паркан"
    CHECK(cp1251_to_utf8(russian) == "Паркан");
    CHECK(utf8_to_cp1251("Паркан") == russian);
    CHECK(cp1251_to_utf8("\x98") == "\xEF\xBF\xBD");
    CHECK(utf8_to_cp1251("\xE4\xB8\xAD!") == "?!");
    CHECK(utf8_to_cp1251("\xD0") == "?");
}

TEST_CASE("UTF-8 validation refuses overlong, surrogate and cut sequences") {
    CHECK(is_valid_utf8("Ж"));
    CHECK_FALSE(is_valid_utf8("\xC0\xAF"));
    CHECK_FALSE(is_valid_utf8("\xED\xA0\x80"));
    CHECK_FALSE(is_valid_utf8("ab\xE4\xB8"));
}

TEST_CASE("numbers are parsed whole or not at all") {
    std::int64_t i = 0;
    CHECK((parse_i64("-12", i) && i == -12));
    CHECK((parse_i64("0x80000002", i, true) && i == 0x80000002ll));
    CHECK_FALSE(parse_i64("12a", i));
    CHECK_FALSE(parse_i64("--1", i));
    CHECK_FALSE(parse_i64("99999999999999999999", i));
    float f = 0;
    CHECK((parse_f32("0.1", f) && f == 0.1f));
    CHECK((parse_f32("+1e3", f) && f == 1000.0f));
    CHECK_FALSE(parse_f32("1,5", f));
    CHECK_FALSE(parse_f32("", f));
}
