#include <catch2/catch.hpp>

#include "shared/asset/build_dat.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

const auto parse = [](ByteView b, ReadContext& c) { return read_build_dat(b, c); };
std::string written(const BuildDat& value) { return std::string(as_text(write_build_dat(value))); }

}  // namespace

TEST_CASE("the twelve categories carry the masks of the specification") {
    const std::pair<const char*, std::uint32_t> table[] = {
        {"Bunker_Small", 0x80010000u}, {"Bunker_Medium", 0x80020000u}, {"Bunker_Large", 0x80040000u},
        {"Generator", 0x80000002u},    {"Mine", 0x80000004u},          {"Storage", 0x80000008u},
        {"Hangar", 0x80000040u},       {"MainTeleport", 0x80000200u},  {"Institute", 0x80000400u},
        {"Tower_Medium", 0x80100000u}, {"Tower_Large", 0x80200000u},   {"Plant", 0x80000010u}};
    std::string text;
    for (const auto& row : table)
        text += std::string(row.first) + " 1\r\n\"UNITS\\BUILDS\\" + row.first + ".dat\"\r\n";
    ReadContext context = strict();
    const auto dat = read_build_dat(as_bytes(text), context);
    REQUIRE(dat);
    CHECK(context.diagnostics.empty());
    REQUIRE(dat->categories.size() == 12);
    for (const auto& row : table) {
        REQUIRE(dat->find(row.first));
        CHECK(dat->find(row.first)->mask == row.second);
        CHECK(dat->find_mask(row.second)->name == row.first);
    }
    CHECK(written(*dat) == text);
}

TEST_CASE("BuildDat.lst ignores comments and blank lines between sections") {
    const std::string text =
        "// \xC0 comment\n\n  Mine   2  \n \"a\\b-1.dat\" \n\"c/d_2.DAT\"\n\nPlant 0\n// end\n";
    ReadContext context = strict();
    const auto dat = read_build_dat(as_bytes(text), context);
    REQUIRE(dat);
    CHECK(dat->find("Mine")->paths == std::vector<std::string>{"a\\b-1.dat", "c/d_2.DAT"});
    CHECK(dat->find("Plant")->paths.empty());
    CHECK(context.has("build_dat_missing_category"));
    CHECK(written(*dat) == text);
}

TEST_CASE("BuildDat.lst checks") {
    const auto code = [](const char* text) { return code_of(parse, text_bytes(text)); };
    CHECK(code("Mine\n") == "build_dat_corrupted");
    CHECK(code("Mine x\n") == "build_dat_corrupted");
    CHECK(code("Mine -1\n") == "build_dat_corrupted");
    CHECK(code("Mine 1 2\n\"a\"\n") == "build_dat_corrupted");
    CHECK(code("mine 1\n\"a\"\n") == "build_dat_unknown_category");
    CHECK(code("Castle 0\n") == "build_dat_unknown_category");
    CHECK(code("Mine 1\na.dat\n") == "build_dat_corrupted");
    CHECK(code("Mine 1\n\"\"\n") == "build_dat_corrupted");
    CHECK(code("Mine 1\n\"a b\"\n") == "build_dat_corrupted");
    CHECK(code("Mine 2\n\"a\"\n") == "build_dat_corrupted");
    CHECK(code("Mine 2\n\"a\"\n\n\"b\"\n") == "build_dat_corrupted");
    CHECK(code("Mine 2\n\"a\"\n// c\n\"b\"\n") == "build_dat_corrupted");
    CHECK(code("Mine 99999999999999999999\n") == "build_dat_corrupted");
    CHECK(code("Mine 1\n\"a\"\nMine 1\n\"b\"\n") == "build_dat_duplicate_category");
    ReadContext context = compatible();
    const auto joined_paths = read_build_dat(as_bytes("Mine 1\n\"a\"\nMine 1\n\"b\"\n"), context);
    REQUIRE(joined_paths);
    CHECK(joined_paths->find("Mine")->paths == std::vector<std::string>{"a", "b"});
    CHECK(context.has("build_dat_duplicate_category"));
}

TEST_CASE("editing one category of BuildDat.lst keeps the other lines") {
    ReadContext context = strict();
    auto dat = read_build_dat(as_bytes("// top\nMine 1\n \"a\"\n// mid\nPlant 1\n\"p\"\n// tail\n"), context);
    REQUIRE(dat);
    dat->categories[1].paths.push_back("q");
    dat->categories.push_back({"Hangar", 0x80000040u, {"h"}});
    CHECK(written(*dat) ==
          "// top\nMine 1\n \"a\"\n// mid\nPlant 2\r\n\"p\"\r\n\"q\"\r\n// tail\nHangar 1\r\n\"h\"\r\n");
    dat->categories.erase(dat->categories.begin());
    CHECK(written(*dat) ==
          "// top\n// mid\nPlant 2\r\n\"p\"\r\n\"q\"\r\n// tail\nHangar 1\r\n\"h\"\r\n");
}
