// Archives as folders: what a manifest keeps, what packing gives, what it refuses.
#include <nlohmann/json.hpp>

#include "shared/interchange/archive_edit.hpp"
#include "shared/interchange/archive_report.hpp"
#include "tests/archive/support.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;
using archive::test::nres_example;
using kit::bytes_of;
using kit::hex;
using kit::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// archives.md 4.13.
Bytes rsli_example() {
    return hex(R"(
        4E 4C 00 01 02 00 00 00 00 00 00 00 00 00 BA AB 00 00 00 00 5A A5 00 00 00 00 00 00 00 00 00 00
        53 4F D6 FE EF B6 BA A5 87 EF 41 8C 93 F0 7B C0 7B 80 9A E0 43 98 AF BE D2 B1 B9 A6 88 E6 59 A1
        AB 44 B5 61 62 78 82 BF 9C D5 09 4A F2 25 0F 33 23 D7 51 8C 8F C8 3F 16 66 03 0A 18 28 7D 97 8F
        4A 43 47 52 69 46 9D DC 07 41 42 43 EE F6)");
}

AnyArchive open(Bytes bytes, ReadProfile profile = ReadProfile::strict) {
    ReadContext context;
    context.profile = profile;
    return read_archive(std::move(bytes), context).value();
}

Json extract(const Bytes& bytes, const std::string& folder) {
    ReadContext context;
    return extract_archive(open(bytes), folder, context).value();
}

/// Changes one member of the first entry of a manifest.
void change(const TemporaryFolder& folder, const char* key, Json value) {
    Json manifest = parse_json(folder.text("x/manifest.json"), "x").value();
    manifest["entries"][0][key] = std::move(value);
    folder.put("x/manifest.json", dump_json(manifest));
}

}  // namespace

TEST_CASE("An NRes archive becomes files and the same archive again") {
    const TemporaryFolder folder;
    Bytes bytes = nres_example();
    bytes[0x34 + 8] = 0x7A;  // a tail behind the name of entry 0
    const Json manifest = extract(bytes, folder.at("x"));
    CHECK(folder.get("x/b.bin") == hex("010203"));
    CHECK(folder.get("x/A.bin") == hex("AAAAAAAAAAAAAAAA"));
    CHECK(manifest["container"] == "NRes");
    CHECK(manifest["entries"][0]["name"]["text"] == "b.bin");
    CHECK(manifest["entries"][0]["type"] == 1);
    CHECK(manifest["entries"][0]["attributes"] == Json{2, 0, 3});
    CHECK(manifest["unindexed"].empty());
    CHECK(pack_archive(folder.at("x")).value() == bytes);
    CHECK(fs::directory_iterator(folder.path()) != fs::directory_iterator());
    std::size_t names = 0;
    for ([[maybe_unused]] const auto& e : fs::directory_iterator(folder.path())) ++names;
    CHECK(names == 1);  // no temporary folder is left
}

TEST_CASE("An RsLi library becomes plain files and the same library again") {
    const TemporaryFolder folder;
    const Json manifest = extract(rsli_example(), folder.at("x"));
    CHECK(folder.text("x/B.TXT") == "HELLO!!!");
    CHECK(folder.text("x/A.TXT") == "ABCABCABCABC");
    CHECK(manifest["entries"][0]["method"] == "xor");
    CHECK(manifest["entries"][1]["method"] == "xor + lzss");
    CHECK(manifest["seed"] == 0xA55A);
    CHECK(pack_archive(folder.at("x")).value() == rsli_example());
}

TEST_CASE("Unindexed ranges are named in the manifest and dropped by packing") {
    Bytes bytes = nres_example();
    // Eight more bytes before the directory that no record addresses.
    bytes.insert(bytes.begin() + 0x20, 8, 0x55);
    archive::test::put_u32(bytes, 12, 168);
    const TemporaryFolder folder;
    const Json manifest = extract(bytes, folder.at("x"));
    REQUIRE(manifest["unindexed"].size() == 1);
    CHECK(manifest["unindexed"][0]["begin"] == 0x20);
    CHECK(manifest["unindexed"][0]["end"] == 0x28);
    CHECK(manifest["unindexed"][0]["zero"] == false);
    CHECK(pack_archive(folder.at("x")).value() == nres_example());
}

TEST_CASE("A folder with files is never written into") {
    const TemporaryFolder folder;
    folder.put("x/mine", "keep");
    ReadContext context;
    CHECK(extract_archive(open(nres_example()), folder.at("x"), context).error().code() == "exists");
    CHECK(folder.text("x/mine") == "keep");
    fs::create_directories(folder.path() / "empty");
    CHECK(extract_archive(open(nres_example()), folder.at("empty"), context));
}

TEST_CASE("A manifest reaches nothing outside its folder") {
    const TemporaryFolder folder;
    folder.put("secret", "secret");
    extract(nres_example(), folder.at("x"));
    for (const char* name : {"../secret", "/etc/passwd", "..", "sub/file", "a\\b"}) {
        change(folder, "file", name);
        CHECK(pack_archive(folder.at("x")).error().code() == "unsafe_name");
    }
    fs::create_symlink(folder.path() / "secret", folder.path() / "x" / "link");
    change(folder, "file", "link");
    CHECK(pack_archive(folder.at("x")).error().code() == "symlink");
    change(folder, "file", "absent");
    CHECK(pack_archive(folder.at("x")).error().code() == "not_found");
}

TEST_CASE("A damaged manifest is refused with the entry at fault") {
    const TemporaryFolder folder;
    extract(nres_example(), folder.at("x"));
    const std::string good = folder.text("x/manifest.json");
    const auto code = [&](const char* key, Json value) {
        folder.put("x/manifest.json", good);
        change(folder, key, std::move(value));
        const auto packed = pack_archive(folder.at("x"));
        REQUIRE_FALSE(packed);
        CHECK(packed.error().to_string().find("entry 0 of the manifest") != std::string::npos);
        return packed.error().code();
    };
    CHECK(code("type", "MATERIAL") == "bad_tag");
    CHECK(code("attributes", Json{1, 2}) == "json_bad_value");
    CHECK(code("attributes", Json{1, 2, 4294967296ull}) == "json_bad_value");
    CHECK(code("attributes", "x") == "json_bad_value");
    CHECK(code("name", 5) == "json_bad_value");
    CHECK(code("file", 5) == "json_bad_value");
    folder.put("x/manifest.json", "{");
    CHECK(pack_archive(folder.at("x")).error().code() == "json_syntax");
    folder.put("x/manifest.json", R"({"format": "iron3d archive folder", "version": 2})");
    CHECK(pack_archive(folder.at("x")).error().code() == "manifest_version");
}

TEST_CASE("An edit changes what it names and nothing else") {
    const AnyArchive source = open(nres_example());
    CHECK(edit_archive(source, {}).value() == nres_example());

    ArchiveEdit replace;
    replace.replace.emplace_back("B.BIN", hex("0908 07"));  // same length: only three bytes differ
    Bytes expected = nres_example();
    expected[16] = 9, expected[17] = 8, expected[18] = 7;
    CHECK(edit_archive(source, replace).value() == expected);

    ArchiveEdit mixed;
    mixed.remove.push_back("b.bin");
    mixed.rename.emplace_back("a.bin", "b.bin");  // the name gets free by the removal
    mixed.add.push_back(guess_entry("new.wea", bytes_of("1\r\n0 X\r\n")));
    const AnyArchive edited = open(edit_archive(source, mixed).value());
    REQUIRE(edited.size() == 2);
    CHECK(edited.name(0) == "b.bin");
    CHECK(edited.nres()->payload(0)[0] == 0xAA);
    CHECK(edited.name(1) == "new.wea");
    CHECK(edited.nres()->entry(1).type_id == archive::type_tag("WEAR"));
    CHECK(edited.nres()->entry(1).attr3 == 1);
}

TEST_CASE("Contradictions and unknown names stop an edit") {
    const AnyArchive source = open(nres_example());
    const auto code = [&](ArchiveEdit edit) { return edit_archive(source, std::move(edit)).error().code(); };
    ArchiveEdit edit;
    edit.remove = {"nope"};
    CHECK(code(edit) == "entry_missing");
    edit.remove = {"#2"};
    CHECK(code(edit) == "entry_missing");
    edit.remove = {"#0", "b.bin"};
    CHECK(code(edit) == "edit_conflict");
    edit.remove = {"b.bin"};
    edit.rename = {{"b.bin", "c"}};
    CHECK(code(edit) == "edit_conflict");
    edit = {};
    edit.rename = {{"b.bin", "a.BIN"}};
    CHECK(code(edit) == "name_exists");
    edit.rename = {{"b.bin", std::string(36, 'x')}};
    CHECK(code(edit) == "name_too_long");
}

TEST_CASE("Renaming in an RsLi library re-encodes for the new payload keys") {
    const AnyArchive source = open(rsli_example());
    ArchiveEdit edit;
    edit.rename.emplace_back("B.TXT", "0.TXT");  // sorts first now: both keys change
    const AnyArchive edited = open(edit_archive(source, edit).value());
    ReadContext context;
    CHECK(as_text(edited.load(0, context).value()) == "HELLO!!!");
    CHECK(as_text(edited.load(1, context).value()) == "ABCABCABCABC");
    CHECK(edited.name(0) == "0.TXT");
}

TEST_CASE("Verification names the byte offset and what the compatible profile would accept") {
    const auto good = verify_archive(nres_example(), "a.lib").value();
    CHECK(good.strict_ok);
    CHECK(good.lossless);
    CHECK(good.canonical);
    CHECK(good.errors.empty());

    Bytes swapped = nres_example();  // sort table 0, 1: wrong order
    swapped[0x5C] = 0, swapped[0x9C] = 1;
    const auto quirk = verify_archive(swapped, "a.lib").value();
    CHECK_FALSE(quirk.strict_ok);
    CHECK(quirk.compatible_ok);
    CHECK(quirk.lossless);
    CHECK_FALSE(quirk.canonical);
    REQUIRE(quirk.errors.size() == 1);
    CHECK(quirk.errors[0].code() == "nres_bad_sort_table");

    Bytes outside = nres_example();
    archive::test::put_u32(outside, 0x58, 0x5F);  // offset + size beyond the directory
    const auto broken = verify_archive(outside, "a.lib").value();
    CHECK_FALSE(broken.compatible_ok);
    CHECK(broken.errors[0].code() == "nres_payload_out_of_range");
    CHECK(broken.errors[0].frames()[0].offset.has_value());
    CHECK(verify_archive(bytes_of("hello world"), "x").error().code() == "unknown_container");

    Bytes library = rsli_example();
    library[104] = 0xFF;  // five literals instead of three and a match: the packed bytes end too early
    const auto damaged = verify_archive(library, "x.lib").value();
    CHECK_FALSE(damaged.strict_ok);
    REQUIRE(damaged.errors.size() == 1);
    CHECK(damaged.errors[0].code() == "input_exhausted");
}
