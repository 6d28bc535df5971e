// File names from archive names, and byte strings in JSON.
#include <bit>

#include <nlohmann/json.hpp>

#include "shared/interchange/json_values.hpp"
#include "shared/interchange/safe_name.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;

TEST_CASE("No entry name leaves the folder or gets a name a platform refuses") {
    CHECK(safe_file_name("WALL.0") == "WALL.0");
    CHECK(safe_file_name("../../etc/passwd") == "%2E.%2F..%2Fetc%2Fpasswd");
    CHECK(safe_file_name("..") == "%2E%2E");
    CHECK(safe_file_name(".") == "%2E");
    CHECK(safe_file_name("a\\b:c*d") == "a%5Cb%3Ac%2Ad");
    CHECK(safe_file_name("a. .") == "a.%20%2E");
    CHECK(safe_file_name("a..") == "a%2E%2E");
    CHECK(safe_file_name(" a ") == "%20a%20");
    CHECK(safe_file_name("CON") == "%43ON");
    CHECK(safe_file_name("nul.txt") == "%6Eul.txt");
    CHECK(safe_file_name("LPT1") == "%4CPT1");
    CHECK(safe_file_name("CONSOLE") == "CONSOLE");
    CHECK(safe_file_name("-rf") == "%2Drf");
    CHECK(safe_file_name("100%") == "100%25");
    CHECK(safe_file_name("") == "%");
    CHECK(safe_file_name(std::string_view("\x01\x00\xC0", 3)) == "%01%00%C0");
    CHECK(safe_file_name(std::string(300, '\\')).size() <= 150);
    for (int c = 0; c < 256; ++c) {
        const std::string raw(1, static_cast<char>(c));
        CAPTURE(c);
        CHECK(is_safe_file_name(safe_file_name(raw)));
        CHECK(is_safe_file_name(safe_file_name(raw + "x" + raw)));
    }
}

TEST_CASE("Names that differ in letter case only become different files") {
    SafeNames names;
    names.reserve("manifest.json");
    CHECK(names.take("a.bin") == "a.bin");
    CHECK(names.take("A.BIN") == "A~2.BIN");
    CHECK(names.take("a.bin") == "a~3.bin");
    CHECK(names.take("Manifest.JSON") == "Manifest~2.JSON");
    CHECK(names.take("x") == "x");
    CHECK(names.take("X") == "X~2");
}

TEST_CASE("A manifest's file names are checked, too") {
    for (const char* bad : {"", ".", "..", "a/b", "a\\b", "/a", "c:a", "a.", "con", "Aux.txt", " a", "a "})
        CHECK_FALSE(is_safe_file_name(bad));
    CHECK_FALSE(is_safe_file_name(std::string_view("a\0b", 3)));
    CHECK(is_safe_file_name("WALL.0"));
}

TEST_CASE("Byte strings stand in JSON without loss") {
    const auto round = [](std::string_view raw) { return text_from_json(text_json(raw), "x").value(); };
    std::string every;
    for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
    CHECK(round(every) == every);
    CHECK(text_json("\xCF\xE0\xF0") == "\xD0\x9F\xD0\xB0\xD1\x80");  // CP1251 to UTF-8
    CHECK(round("\xCF\xE0\xF0") == "\xCF\xE0\xF0");
    CHECK(text_json("\x98").is_object());
    CHECK(text_from_json("\xE2\x82\xBD", "x").error().code() == "json_bad_value");  // rouble sign: not in CP1251
    CHECK(text_from_json(5, "x").error().code() == "json_bad_value");

    FixedString<8> field, back;
    field.raw = {'a', 'b', 0, 'z', 0, 0, 0, 9};
    CHECK(fixed_json(ByteView(field.raw)) == Json{{"text", "ab"}, {"tail", "7a00000009"}});
    REQUIRE(fixed_from_json(fixed_json(ByteView(field.raw)), back.raw, "x"));
    CHECK(back == field);
    CHECK_FALSE(fixed_from_json("123456789", back.raw, "x"));
    field.assign("abc");
    CHECK(fixed_json(ByteView(field.raw)) == "abc");
}

TEST_CASE("Floats read back to the same bits") {
    for (const std::uint32_t bits : {0u, 0x80000000u, 0x3DCCCCCDu, 0x7F7FFFFFu, 0x00000001u, 0x7F800000u, 0xFFC00001u, 0x3EAAAAABu}) {
        const float value = std::bit_cast<float>(bits);
        const Json parsed = parse_json(dump_json(float_json(value)), "x").value();
        CHECK(std::bit_cast<std::uint32_t>(float_from_json(parsed, "x").value()) == bits);
    }
    CHECK(float_json(0.1f).dump() == "0.1");
    CHECK(float_from_json(1e39, "x").error().code() == "json_bad_value");
    CHECK(float_from_json("1", "x").error().code() == "json_bad_value");
}

TEST_CASE("Tags of four characters are text, others numbers, and both come back") {
    for (const std::uint32_t id : {0x3054414Du, 12u, 0x34333231u /* "1234" */, 0x41417830u /* "0xAA" */, 0xFFFFFFFFu, 0x20202020u}) {
        CAPTURE(id);
        CHECK(tag_from_json(tag_json(id)).value() == id);
        CHECK(parse_tag(tag_text(id)).value() == id);
    }
    CHECK(tag_json(0x3054414D) == "MAT0");
    CHECK(parse_tag("MAT").error().code() == "bad_tag");
}

TEST_CASE("Hostile JSON is refused without deep recursion") {
    CHECK(parse_json(std::string(100000, '['), "x").error().code() == "json_syntax");
    CHECK(parse_json(std::string(100, '[') + std::string(100, ']'), "x").error().code() == "json_syntax");
    CHECK(parse_json("{\"a\":", "x").error().code() == "json_syntax");
    CHECK(json_unsigned(Json{{"a", -1}}, "a", 5).error().code() == "json_bad_value");
    CHECK(json_unsigned(Json{{"a", 6}}, "a", 5).error().code() == "json_bad_value");
    CHECK(json_unsigned(Json{{"b", 6}}, "a", 5).error().code() == "json_missing");
    CHECK(json_signed(Json{{"a", 18446744073709551615ull}}, "a", -5, 5).error().code() == "json_bad_value");
}
