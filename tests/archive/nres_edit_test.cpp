#include <catch2/catch.hpp>

#include "shared/archive/nres_edit.hpp"
#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

namespace {

/// Gap 16..24 (non-zero), a 24..27 + padding to 32, b 32..40, gap 40..50 (non-zero), tail of a's
/// name, and a sort table that is kept as stored.
Bytes gappy() {
    Bytes data(34);
    for (std::size_t i = 0; i < 8; ++i) data[i] = 0x51;
    for (std::size_t i = 8; i < 11; ++i) data[i] = 0xA1;
    for (std::size_t i = 16; i < 24; ++i) data[i] = 0xB2;
    for (std::size_t i = 24; i < 34; ++i) data[i] = 0x52;
    Bytes bytes = raw_nres(data, {{"a", 24, 3, 0, 1, 2, 3, 4}, {"b", 32, 8, 1, 5, 6, 7, 8}});
    bytes[16 + 34 + 0x14 + 20] = 0xEE;
    return bytes;
}

Nres parse(const Bytes& bytes) {
    ReadContext context = compatible();
    auto archive = read_nres(SharedBytes::own(bytes), context, NresRole::file);
    REQUIRE(archive);
    return std::move(*archive);
}

Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t end) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

TEST_CASE("an editor without edits returns the original bytes") {
    for (const Bytes& bytes : {nres_example(), gappy(), raw_nres(Bytes(3, 0x11), {}),
                               raw_nres(Bytes(16), {{"x", 17, 3, 5}, {"y", 21, 0, 5}})})
        CHECK(*NresEditor(parse(bytes)).finish() == bytes);
}

TEST_CASE("a payload of the same length changes only its bytes") {
    Bytes expected = gappy();
    for (std::size_t i = 24; i < 27; ++i) expected[i] = 0x99;
    NresEditor editor(parse(gappy()));
    REQUIRE(editor.set_payload(0, Bytes(3, 0x99)));
    CHECK(*editor.finish() == expected);
}

TEST_CASE("a payload that grows inside its padding moves nothing") {
    NresEditor editor(parse(nres_example()));
    REQUIRE(editor.set_payload(0, hex("01 02 03 04")));
    Bytes expected = nres_example();
    expected[19] = 4;
    put_u32(expected, 0x2C, 4);
    CHECK(*editor.finish() == expected);
}

TEST_CASE("a grown payload moves its neighbours to aligned offsets and gaps survive") {
    NresEditor editor(parse(gappy()));
    REQUIRE(editor.set_payload(0, Bytes(9, 0x99)));  // 24..33, padding to 40
    const Bytes out = *editor.finish();
    const Nres archive = parse(out);
    CHECK(slice(out, 16, 24) == Bytes(8, 0x51));
    CHECK(archive.entry(0).offset == 24);
    CHECK(archive.entry(0).size == 9);
    CHECK(archive.entry(1).offset == 40);
    CHECK(slice(out, 33, 40) == Bytes(7, 0));
    CHECK(slice(out, 40, 48) == Bytes(8, 0xB2));
    // The trailing literal moved: verbatim, then zeros up to a multiple of 8. The directory was not
    // aligned before, so only the literal's own rule applies.
    CHECK(slice(out, 48, 58) == Bytes(10, 0x52));
    CHECK(archive.directory_offset() == 64);
    CHECK(archive.entry(0).name_field == parse(gappy()).entry(0).name_field);
}

TEST_CASE("a payload that was a multiple of 8 and grows gets padding before its neighbour") {
    NresEditor editor(parse(*NresBuilder().add(0, 0, 0, 0, "a", Bytes(8, 1)).add(0, 0, 0, 0, "b", Bytes(8, 2)).build()));
    REQUIRE(editor.set_payload(0, Bytes(9, 3)));
    CHECK(*editor.finish() ==
          *NresBuilder().add(0, 0, 0, 0, "a", Bytes(9, 3)).add(0, 0, 0, 0, "b", Bytes(8, 2)).build());
}

TEST_CASE("editing a canonical archive gives the canonical archive of the new content") {
    Rng rng(77, 3);
    for (int round = 0; round < 200; ++round) {
        NresBuilder before, after;
        const std::size_t count = 1 + rng.below(8);
        const std::size_t victim = rng.below(static_cast<std::uint32_t>(count));
        const Bytes replacement = random_bytes(rng, rng.below(30));
        for (std::size_t i = 0; i < count; ++i) {
            const Bytes payload = random_bytes(rng, rng.below(30));
            const std::string name = random_name(rng, i);
            before.add(1, 2, 3, 4, name, payload);
            after.add(1, 2, 3, 4, name, i == victim ? replacement : payload);
        }
        NresEditor editor(parse(*before.build()));
        REQUIRE(editor.set_payload(victim, replacement));
        REQUIRE(*editor.finish() == *after.build());
    }
}

TEST_CASE("a rename zero-fills the field and recomputes the sort table") {
    NresEditor editor(parse(gappy()));
    REQUIRE(editor.rename(0, "z"));
    const Bytes out = *editor.finish();
    const Nres archive = parse(out);
    CHECK(archive.entry(0).name() == "z");
    CHECK(archive.entry(0).name_field.raw[20] == 0);
    CHECK(archive.entry(0).sort_index == 1);
    CHECK(archive.entry(1).sort_index == 0);
    CHECK(slice(out, 16, 50) == slice(gappy(), 16, 50));
}

TEST_CASE("an unusable sort table survives an edit that needs no new one") {
    Bytes bytes = gappy();
    put_u32(bytes, 50 + 0x3C, 77);
    NresEditor editor(parse(bytes));
    REQUIRE(editor.set_attributes(1, 60, 70, 80));
    REQUIRE(editor.set_type(1, 50));
    Bytes expected = bytes;
    put_u32(expected, 114, 50);
    put_u32(expected, 118, 60);
    put_u32(expected, 122, 70);
    put_u32(expected, 130, 80);
    CHECK(*editor.finish() == expected);
}

TEST_CASE("an added payload goes behind the trailing literal, aligned and padded") {
    NresEditor editor(parse(gappy()));
    const auto index = editor.add(9, 1, 2, 3, "0", Bytes(5, 0xC3));
    REQUIRE(index);
    CHECK(*index == 2);
    const Bytes out = *editor.finish();
    const Nres archive = parse(out);
    CHECK(slice(out, 16, 50) == slice(gappy(), 16, 50));
    CHECK(archive.entry(2).offset == 56);
    CHECK(archive.directory_offset() == 64);
    CHECK(archive.entry(0).sort_index == 2);
    CHECK(archive.find("0") == 2u);
}

TEST_CASE("adding to a canonical archive gives the canonical archive") {
    NresEditor editor(parse(nres_example()));
    REQUIRE(editor.add(7, 0, 0, 0, "c", hex("05")));
    CHECK(*editor.finish() == *NresBuilder()
                                   .add(1, 2, 0, 3, "b.bin", hex("01 02 03"))
                                   .add(2, 0, 0, 0, "A.bin", Bytes(8, 0xAA))
                                   .add(7, 0, 0, 0, "c", hex("05"))
                                   .build());
}

TEST_CASE("a removed entry takes its padding along, any other literal stays") {
    NresEditor first(parse(gappy()));
    REQUIRE(first.remove(0));
    const Bytes out = *first.finish();
    const Nres archive = parse(out);
    REQUIRE(archive.size() == 1);
    CHECK(slice(out, 16, 24) == Bytes(8, 0x51));
    CHECK(archive.entry(0).offset == 24);  // the payload and its padding are gone
    CHECK(archive.entry(0).sort_index == 0);
    CHECK(slice(out, 32, 42) == Bytes(10, 0x52));

    NresEditor second(parse(gappy()));
    REQUIRE(second.remove(1));
    const Bytes rest = *second.finish();
    CHECK(slice(rest, 16, 32) == slice(gappy(), 16, 32));
    CHECK(slice(rest, 32, 42) == Bytes(10, 0x52));
}

TEST_CASE("the padding of a removed entry leaves nothing behind, not even an alignment") {
    // p 16..20, a 20..27 + padding to 32, b 32..35, literal 35..37, c 37..40.
    Bytes data(24, 0x11);
    for (std::size_t i = 11; i < 16; ++i) data[i] = 0;
    data[19] = data[20] = 0x77;
    NresEditor editor(parse(raw_nres(data, {{"p", 16, 4, 0}, {"a", 20, 7, 1}, {"b", 32, 3, 2}, {"c", 37, 3, 3}})));
    REQUIRE(editor.remove(2));
    REQUIRE(editor.remove(1));
    CHECK(slice(*editor.finish(), 16, 27) == hex("11 11 11 11 77 77 00 00 11 11 11"));
}

TEST_CASE("moving a record changes the directory only") {
    NresEditor editor(parse(nres_example()));
    REQUIRE(editor.move(0, 1));
    const Bytes out = *editor.finish();
    const Nres archive = parse(out);
    CHECK(archive.entry(0).name() == "A.bin");
    CHECK(archive.entry(0).offset == 0x18);
    CHECK(archive.entry(0).sort_index == 0);
    CHECK(archive.entry(1).sort_index == 1);
    CHECK(slice(out, 16, 32) == slice(nres_example(), 16, 32));
}

TEST_CASE("wrong indices and names are errors and change nothing") {
    NresEditor editor(parse(nres_example()));
    CHECK(editor.set_payload(2, {}).error().code() == "bad_index");
    CHECK(editor.remove(2).error().code() == "bad_index");
    CHECK(editor.move(0, 2).error().code() == "bad_index");
    CHECK(editor.rename(0, "").error().code() == "name_empty");
    CHECK(editor.add(0, 0, 0, 0, std::string(36, 'x'), {}).error().code() == "name_too_long");
    CHECK(*editor.finish() == nres_example());
}
