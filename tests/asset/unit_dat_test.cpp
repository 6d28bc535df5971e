#include <catch2/catch.hpp>

#include "shared/asset/prototype.hpp"
#include "shared/asset/unit_dat.hpp"
#include "tests/asset/gameplay_kit.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::gameplay_kit;

namespace {

const auto read_dat = [](ByteView bytes, ReadContext& context) { return read_unit_dat(bytes, context); };

// objects.md 3.6: battle robot with a body and one turret.
Bytes worked_scheme() {
    Bytes out = hex("F1 F0 00 00 00 80 00 01");
    const auto field = [&](std::string_view text) {
        const Bytes bytes = padded(text_bytes(text), 32);
        out.insert(out.end(), bytes.begin(), bytes.end());
    };
    const auto words = [&](std::string_view text) {
        const Bytes bytes = hex(text);
        out.insert(out.end(), bytes.begin(), bytes.end());
    };
    field("objects.rlb");
    field("r_x_01");
    words("01 00 00 00 FF FF FF FF");
    field("body");
    words("00 00 00 00 01 00 00 00");
    field("objects.rlb");
    field("t_x_01");
    words("01 00 00 00 00 00 00 00");
    field("turret");
    words("01 00 00 00 00 00 00 00");
    return out;
}

UnitDat tree_of(std::vector<std::uint32_t> children) {
    UnitDat dat;
    dat.scheme_type = 0x01008000;
    for (const auto count : children)
        dat.records.push_back(make_unit_record("k", -1, "", UnitEntryType::part, count));
    return dat;
}

}  // namespace

TEST_CASE("the worked unit scheme reads as a battle robot with a turret") {
    const Bytes bytes = worked_scheme();
    REQUIRE(bytes.size() == 232);
    ReadContext context = strict();
    const auto dat = read_unit_dat(bytes, context);
    REQUIRE(dat);
    CHECK(context.diagnostics.empty());
    CHECK(dat->scheme_type == 0x01008000u);
    CHECK(scheme_type_name(dat->scheme_type) == "battle robot");
    CHECK_FALSE(dat->is_building());
    REQUIRE(dat->records.size() == 2);
    CHECK(dat->records[0].prototype.view() == "r_x_01");
    CHECK(dat->records[0].attach_index == -1);
    CHECK(dat->records[0].description.view() == "body");
    CHECK(dat->records[0].entry_type == 0);
    CHECK(dat->records[0].child_count == 1);
    CHECK(dat->records[1].prototype.view() == "t_x_01");
    CHECK(dat->records[1].attach_index == 0);
    CHECK(dat->records[1].entry_type == 1);
    CHECK(write_unit_dat(*dat) == bytes);

    const UnitTree tree = build_unit_tree(*dat);
    CHECK(tree.well_formed);
    CHECK(tree.parent == std::vector<std::int32_t>{-1, 0});
    CHECK(tree.depth == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("authored records give the bytes of the worked scheme") {
    UnitDat dat;
    dat.scheme_type = 0x01008000;
    dat.records = {make_unit_record("r_x_01", -1, "body", UnitEntryType::chassis, 1),
                   make_unit_record("t_x_01", 0, "turret", UnitEntryType::turret, 0)};
    CHECK(write_unit_dat(dat) == worked_scheme());
}

TEST_CASE("name tails of a unit scheme survive") {
    Bytes bytes = worked_scheme();
    bytes[8 + 20] = 0xCD;     // behind "objects.rlb"
    bytes[0x28 + 31] = 0x7F;  // behind "r_x_01"
    ReadContext context = strict();
    const auto dat = read_unit_dat(bytes, context);
    REQUIRE(dat);
    CHECK(dat->records[0].archive.view() == "objects.rlb");
    CHECK(write_unit_dat(*dat) == bytes);
}

TEST_CASE("a unit scheme without records is legal and a tree") {
    ReadContext context = strict();
    const auto dat = read_unit_dat(hex("F1 F0 00 00 40 00 00 80"), context);
    REQUIRE(dat);
    CHECK(dat->is_building());
    CHECK(build_unit_tree(*dat).well_formed);
    CHECK(context.diagnostics.empty());
}

TEST_CASE("unit scheme checks") {
    const Bytes good = worked_scheme();
    CHECK(code_of(read_dat, hex("F1 F0 00")) == "truncated");
    CHECK(code_of(read_dat, Bytes(good.begin(), good.end() - 1)) == "dat_bad_size");
    Bytes magic = good;
    magic[0] = 0xF0;
    CHECK(code_of(read_dat, magic) == "dat_bad_magic");
    magic = good;
    magic[1] = 0;
    CHECK(code_of(read_dat, magic) == "dat_bad_magic");

    Bytes word = good;
    word[2] = 1;
    CHECK(reports(read_dat, word, "dat_header_bytes"));
    CHECK(reports(read_dat, with_u32(good, 4, 0x12345678), "dat_unknown_scheme_type"));
    CHECK(reports(read_dat, with_u32(good, 0x48, 2), "dat_bad_kind"));
    CHECK(reports(read_dat, with_u32(good, 0x70, 6), "dat_unknown_entry_type"));
    CHECK(reports(read_dat, with_u32(good, 0x74, 2), "dat_tree_mismatch"));
    Bytes archive = good;
    archive[8] = 'x';
    CHECK(reports(read_dat, archive, "dat_archive"));
    Bytes empty = good;
    std::fill_n(empty.begin() + 0x28, 32, std::uint8_t{' '});
    CHECK(reports(read_dat, empty, "dat_empty_key"));
}

TEST_CASE("a description without NUL is valid") {
    Bytes bytes = worked_scheme();
    std::fill_n(bytes.begin() + 0x50, 32, std::uint8_t{'d'});
    ReadContext context = strict();
    const auto dat = read_unit_dat(bytes, context);
    REQUIRE(dat);
    CHECK(dat->records[0].description.view().size() == 32);
    CHECK(context.diagnostics.empty());
}

TEST_CASE("child counts form a tree only when they consume all records exactly") {
    CHECK(build_unit_tree(tree_of({2, 1, 0, 0})).well_formed);
    CHECK(build_unit_tree(tree_of({2, 1, 0, 0})).parent == std::vector<std::int32_t>{-1, 0, 1, 0});
    CHECK_FALSE(build_unit_tree(tree_of({0, 0})).well_formed);            // a second root
    CHECK_FALSE(build_unit_tree(tree_of({2, 0})).well_formed);            // a child is missing
    CHECK_FALSE(build_unit_tree(tree_of({1, 0xFFFFFFFFu})).well_formed);  // hostile count
    const UnitTree broken = build_unit_tree(tree_of({1, 0, 0}));
    CHECK_FALSE(broken.well_formed);
    CHECK(broken.parent == std::vector<std::int32_t>{-1, 0, -1});
}

TEST_CASE("a chain of ten thousand records does not recurse") {
    std::vector<std::uint32_t> counts(10000, 1);
    counts.back() = 0;
    const UnitTree tree = build_unit_tree(tree_of(counts));
    CHECK(tree.well_formed);
    CHECK(tree.depth.back() == 9999);
}

TEST_CASE("a prototype keeps references in order with their tails") {
    Bytes bytes = padded(text_bytes("bases.rlb"), 32);
    bytes[20] = 0xAB;
    const Bytes name = padded(text_bytes(" r_h_01.msh "), 32);
    bytes.insert(bytes.end(), name.begin(), name.end());
    ReadContext context = strict();
    const auto prototype = read_prototype(bytes, context);
    REQUIRE(prototype);
    REQUIRE(prototype->references.size() == 1);
    CHECK(prototype->references[0].archive_name() == "bases.rlb");
    CHECK(prototype->references[0].resource_name() == "r_h_01.msh");
    CHECK(write_prototype(*prototype) == bytes);
    CHECK(context.diagnostics.empty());
}

TEST_CASE("prototype checks") {
    const auto parse = [](ByteView b, ReadContext& c) { return read_prototype(b, c); };
    ReadContext context = strict();
    const auto empty = read_prototype({}, context);
    REQUIRE(empty);
    CHECK(empty->references.empty());
    CHECK(code_of(parse, Bytes(63)) == "prototype_bad_size");
    CHECK(code_of(parse, Bytes(65)) == "prototype_bad_size");
    CHECK(reports(parse, Bytes(64, 'x'), "ref_no_terminator"));
    CHECK(reports(parse, Bytes(64, 0), "ref_empty_name"));
}

TEST_CASE("a FORT of another length is an error in strict and raw in compatible") {
    const auto parse = [](ByteView b, ReadContext& c) { return read_fort(b, c); };
    Bytes bytes = padded(text_bytes("fortif.rlb"), 32);
    bytes = joined({bytes, padded(text_bytes("fr_a.bas"), 32), padded(text_bytes("objects.rlb"), 32),
                    padded(text_bytes("fr_base"), 32)});
    ReadContext context = strict();
    const auto fort = read_fort(bytes, context);
    REQUIRE(fort);
    CHECK(fort->second.resource_name() == "fr_base");
    CHECK(write_fort(*fort) == bytes);

    const Bytes odd(100, 7);
    CHECK(code_of(parse, odd) == "fort_bad_size");
    ReadContext lenient = compatible();
    const auto raw = read_fort(odd, lenient);
    REQUIRE(raw);
    CHECK(raw->is_raw);
    CHECK(lenient.has("fort_bad_size"));
    CHECK(write_fort(*raw) == odd);
}
