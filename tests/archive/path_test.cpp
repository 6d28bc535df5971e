#include <catch2/catch.hpp>

#include "shared/archive/path.hpp"

using namespace iron;
using namespace iron::archive;
using namespace std::string_view_literals;

namespace {

/// The normalised text, or '!' and the error code.
std::string result(std::string_view raw, PathProfile profile) {
    const auto path = normalize_path(raw, profile);
    return path ? path->text : "!" + path.error().code();
}
std::string strict_of(std::string_view raw) { return result(raw, PathProfile::strict); }
std::string host_of(std::string_view raw) { return result(raw, PathProfile::host_compatible); }

}  // namespace

TEST_CASE("the path table of the specification holds for both profiles") {
    const struct {
        std::string_view raw, strict, host;
    } cases[] = {
        {""sv, "!empty", "!empty"},
        {"a\0b"sv, "!embedded_nul", "!embedded_nul"},
        {"/a"sv, "!absolute", "!absolute"},
        {"\\a"sv, "!absolute", "!absolute"},
        {"C:\\a"sv, "!absolute", "!absolute"},
        {"c:"sv, "!absolute", "!absolute"},
        {"a/../b"sv, "!parent_traversal", "!parent_traversal"},
        {".."sv, "!parent_traversal", "!parent_traversal"},
        {"a\\.."sv, "!parent_traversal", "!parent_traversal"},
        {"a//b"sv, "!invalid_segment", "a/b"},
        {"a/./b"sv, "!invalid_segment", "a/b"},
        {"a/"sv, "!invalid_segment", "a"},
        {"a/x:y"sv, "!absolute", "a/x:y"},
        {"1:x"sv, "!absolute", "1:x"},
        {"."sv, "!invalid_segment", "!empty"},
        {"./"sv, "!invalid_segment", "!empty"},
        {"..."sv, "...", "..."},
        {"a"sv, "a", "a"},
        {"DATA\\Maps/x.Dat"sv, "DATA/Maps/x.Dat", "DATA/Maps/x.Dat"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.raw);
        CHECK(strict_of(c.raw) == c.strict);
        CHECK(host_of(c.raw) == c.host);
    }
}

TEST_CASE("segment checks run from left to right") {
    CHECK(strict_of("a//..") == "!invalid_segment");
    CHECK(strict_of("x:y/..") == "!absolute");
    CHECK(strict_of("../x:y") == "!parent_traversal");
    CHECK(host_of("a//..") == "!parent_traversal");
    // A NUL is found before anything else in the path.
    CHECK(strict_of("/a\0"sv) == "!embedded_nul");
}

TEST_CASE("raw bytes and letter case are kept, the key is folded without Cyrillic") {
    const auto path = normalize_path("UNITS\\\xCF\xF0./X.dat");
    REQUIRE(path);
    CHECK(path->raw == "UNITS\\\xCF\xF0./X.dat");
    CHECK(path->text == "UNITS/\xCF\xF0./X.dat");
    CHECK(path->key() == "units/\xCF\xF0./x.dat");
}
