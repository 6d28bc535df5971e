// `iron3d archive`: exit codes, JSON, transactional output.
#include <nlohmann/json.hpp>

#include "tests/archive/support.hpp"
#include "tests/tools/tool_kit.hpp"

using namespace iron;
using archive::test::nres_example;
using kit::iron3d;
using kit::TemporaryFolder;
using Json = nlohmann::ordered_json;

TEST_CASE("archive list prints names, tags and sizes, and the same as JSON") {
    const TemporaryFolder folder;
    const std::string file = folder.put("a.lib", nres_example());
    const auto text = iron3d({"archive", "list", file});
    CHECK(text.exit == 0);
    CHECK(text.out.find("b.bin") != std::string::npos);
    CHECK(text.out.find("NRes, 2 entries, 11 bytes of payloads") != std::string::npos);
    const auto json = iron3d({"archive", "list", file, "--json"});
    CHECK(json.err.empty());
    const Json value = Json::parse(json.out);
    CHECK(value["container"] == "NRes");
    CHECK(value["entries"][1]["name"] == "A.bin");
    CHECK(value["entries"][1]["offset"] == 0x18);
}

TEST_CASE("archive verify: 0 for a sound archive, 3 with offset and code for a damaged one") {
    const TemporaryFolder folder;
    CHECK(iron3d({"archive", "verify", folder.put("a.lib", nres_example())}).exit == 0);
    const auto bad = iron3d({"archive", "verify", folder.put("b.lib", kit::with(nres_example(), 12, 0xA1)), "--json"});
    CHECK(bad.exit == 3);
    const Json value = Json::parse(bad.out);
    CHECK(value["strict"] == "error");
    CHECK(value["errors"][0]["code"] == "nres_size_mismatch");
    CHECK(value["errors"][0].contains("offset"));
    CHECK(iron3d({"archive", "verify", folder.at("absent")}).exit == 3);
    CHECK(iron3d({"archive", "verify", folder.put("t", "some text")}).exit == 3);
}

TEST_CASE("archive extract and pack give the canonical archive back") {
    const TemporaryFolder folder;
    const std::string file = folder.put("a.lib", nres_example());
    CHECK(iron3d({"archive", "extract", file, "--out", folder.at("x")}).exit == 0);
    CHECK(iron3d({"archive", "pack", folder.at("x"), "--out", folder.at("b.lib")}).exit == 0);
    CHECK(folder.get("b.lib") == nres_example());
    const auto again = iron3d({"archive", "extract", file, "--out", folder.at("x")});
    CHECK(again.exit == 3);
    CHECK(again.err.find("[exists]") != std::string::npos);
}

TEST_CASE("archive edit writes all or nothing") {
    const TemporaryFolder folder;
    const std::string file = folder.put("a.lib", nres_example());
    const std::string payload = folder.put("p", "xyz");
    const auto edited = iron3d({"archive", "edit", file, "--replace", "b.bin=" + payload, "--out", folder.at("b.lib"), "--json"});
    CHECK(edited.exit == 0);
    CHECK(Json::parse(edited.out)["replaced"] == 1);
    Bytes expected = nres_example();
    expected[16] = 'x', expected[17] = 'y', expected[18] = 'z';
    CHECK(folder.get("b.lib") == expected);
    CHECK(folder.get("a.lib") == nres_example());

    // A failing edit leaves an existing output alone.
    const auto failed = iron3d({"archive", "edit", file, "--remove", "nope", "--out", folder.at("b.lib")});
    CHECK(failed.exit == 3);
    CHECK(failed.err.find("nope") != std::string::npos);
    CHECK(folder.get("b.lib") == expected);

    CHECK(iron3d({"archive", "edit", file, "--rename", "b.bin=c.bin", "--remove", "A.bin", "--add", "n.wav=" + payload, "--in-place"}).exit == 0);
    const Json value = Json::parse(iron3d({"archive", "list", file, "--json"}).out);
    REQUIRE(value["entries"].size() == 2);
    CHECK(value["entries"][0]["name"] == "c.bin");
    CHECK(value["entries"][1]["type"] == "SWAV");
    CHECK(iron3d({"archive", "edit", file, "--remove", "c.bin"}).exit == 2);  // no output chosen
    CHECK(iron3d({"archive", "edit", file, "--in-place"}).exit == 2);         // nothing to do
    CHECK(iron3d({"archive", "edit", file, "--rename", "c.bin", "--in-place"}).exit == 2);
}

TEST_CASE("Every archive command explains itself with an example") {
    for (const char* name : {"list", "verify", "extract", "pack", "edit"}) {
        const auto help = iron3d({"archive", name, "--help"});
        CHECK(help.exit == 0);
        CHECK(help.out.find(std::string("Example: iron3d archive ") + name) != std::string::npos);
    }
    CHECK(iron3d({"archive"}).exit == 2);
    CHECK(iron3d({"archive", "list"}).exit == 2);
}
