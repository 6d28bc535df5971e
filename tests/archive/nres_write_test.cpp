#include <catch2/catch.hpp>

#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

TEST_CASE("the builder writes the worked NRes example byte for byte") {
    NresBuilder builder;
    builder.add(1, 2, 0, 3, "b.bin", hex("01 02 03"));
    builder.add(2, 0, 0, 0, "A.bin", Bytes(8, 0xAA));
    const auto bytes = builder.build();
    REQUIRE(bytes);
    CHECK(*bytes == nres_example());
}

TEST_CASE("an empty builder gives the empty archive") {
    CHECK(*NresBuilder().build() == hex("4E 52 65 73 00 01 00 00 00 00 00 00 10 00 00 00"));
}

TEST_CASE("the builder stores the permutation, not the rank, with lower-case folding") {
    NresBuilder builder;
    for (const char* name : {"c", "A", "B"}) builder.add(0, 0, 0, 0, name, {});
    const auto bytes = builder.build();
    ReadContext context = strict();
    const auto archive = read_nres(SharedBytes::own(*bytes), context);
    REQUIRE(archive);
    // Sorted order is A (1), B (2), c (0).
    CHECK(archive->entry(0).sort_index == 1);
    CHECK(archive->entry(1).sort_index == 2);
    CHECK(archive->entry(2).sort_index == 0);

    NresBuilder underscore;
    underscore.add(0, 0, 0, 0, "sun_01", {}).add(0, 0, 0, 0, "s_rock_01", {});
    const auto sorted = read_nres(SharedBytes::own(*underscore.build()), context);
    REQUIRE(sorted);
    CHECK(sorted->entry(0).sort_index == 1);
    CHECK(sorted->entry(1).sort_index == 0);
}

TEST_CASE("the sort is stable for equal names and a prefix sorts first") {
    std::vector<NresEntry> entries(4);
    entries[0].name_field.assign("ab");
    entries[1].name_field.assign("AB");
    entries[2].name_field.assign("a");
    entries[3].name_field.assign("\xC0");
    CHECK(nres_sort_permutation(entries) == std::vector<std::uint32_t>{2, 0, 1, 3});
}

TEST_CASE("bad names are authoring errors") {
    const auto code = [](std::string_view name) {
        const auto built = NresBuilder().add(0, 0, 0, 0, name, {}).build();
        return built ? std::string() : built.error().code();
    };
    CHECK(code("") == "name_empty");
    CHECK(code(std::string(35, 'x')).empty());
    CHECK(code(std::string(36, 'x')) == "name_too_long");
    CHECK(code(std::string_view("a\0b", 3)) == "name_nul");
}

TEST_CASE("a canonical repack drops gaps and keeps attributes, name tails and order") {
    Bytes data(40);
    data[0] = 0x55;
    for (std::size_t i = 24; i < 29; ++i) data[i] = 0x77;  // payload b at 40..45
    Bytes bytes = raw_nres(data, {{"b", 40, 5, 1, 9, 1, 2, 3}, {"a", 24, 3, 0, 8, 4, 5, 6}});
    const std::size_t directory = 16 + data.size();
    bytes[directory + 0x14 + 10] = 0xEE;  // tail of the first name
    ReadContext context = strict();
    const auto archive = view_nres(bytes, context, NresRole::file);
    REQUIRE(archive);
    const auto packed = write_nres_canonical(*archive);
    REQUIRE(packed);
    // 16 + 8 + 8 + 2 * 64
    REQUIRE(packed->size() == 160);
    const auto again = view_nres(*packed, context, NresRole::file);
    REQUIRE(again);
    CHECK(again->entry(0).offset == 16);
    CHECK(again->entry(1).offset == 24);
    CHECK(again->entry(0).name_field == archive->entry(0).name_field);
    CHECK(again->entry(0).attr3 == 3);
    CHECK(again->entry(1).type_id == 8);
    CHECK(again->payload(0)[4] == 0x77);
    CHECK(*write_nres_canonical(*again) == *packed);
}

TEST_CASE("random archives survive build, strict read and repack") {
    Rng rng(20010401, 7);
    for (int round = 0; round < 200; ++round) {
        NresBuilder builder;
        std::vector<Bytes> payloads;
        std::vector<std::string> names;
        const std::size_t count = rng.below(30);
        for (std::size_t i = 0; i < count; ++i) {
            payloads.push_back(random_bytes(rng, rng.below(40)));
            names.push_back(random_name(rng, i));
            builder.add(rng.next(), rng.next(), rng.next(), rng.next(), names.back(), payloads.back());
        }
        const auto bytes = builder.build();
        REQUIRE(bytes);
        ReadContext context = strict();
        const auto archive = view_nres(*bytes, context, NresRole::file);
        REQUIRE(archive);
        REQUIRE(context.diagnostics.empty());
        for (std::size_t i = 0; i < count; ++i) {
            REQUIRE(archive->find(names[i]) == i);
            const ByteView payload = archive->payload(i);
            REQUIRE(Bytes(payload.begin(), payload.end()) == payloads[i]);
        }
        for (const NresRegion& region : archive->regions()) REQUIRE(region.padding);
        REQUIRE(*write_nres_canonical(*archive) == *bytes);
    }
}
