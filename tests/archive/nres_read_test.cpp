#include <catch2/catch.hpp>

#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

namespace {

/// The code of the error under a profile, empty if the container is accepted.
std::string code_of(const Bytes& bytes, ReadContext context = {}, NresRole role = NresRole::file,
                    const NresLimits& limits = {}) {
    const auto archive = view_nres(bytes, context, role, limits);
    return archive ? "" : archive.error().code();
}

Bytes with_u32(Bytes bytes, std::size_t at, std::uint32_t value) {
    put_u32(bytes, at, value);
    return bytes;
}

}  // namespace

TEST_CASE("the worked NRes example is read as the specification describes it") {
    const Bytes image = nres_example();
    REQUIRE(image.size() == 160);
    ReadContext context = strict();
    const auto archive = read_nres(SharedBytes::own(image), context);
    REQUIRE(archive);
    CHECK(context.diagnostics.empty());
    REQUIRE(archive->size() == 2);
    const NresEntry& b = archive->entry(0);
    CHECK(b.type_id == 1);
    CHECK(b.attr1 == 2);
    CHECK(b.attr2 == 0);
    CHECK(b.attr3 == 3);
    CHECK(b.name() == "b.bin");
    CHECK(b.offset == 0x10);
    CHECK(b.sort_index == 1);
    const ByteView payload = archive->payload(0);
    CHECK(Bytes(payload.begin(), payload.end()) == hex("01 02 03"));
    CHECK(archive->entry(1).name() == "A.bin");
    const ByteView second = archive->payload(1);
    CHECK(Bytes(second.begin(), second.end()) == Bytes(8, 0xAA));
    CHECK(archive->directory_offset() == 0x20);
    CHECK(Bytes(archive->image().begin(), archive->image().end()) == image);
}

TEST_CASE("payloads are views into the image, not copies") {
    const Bytes image = nres_example();
    ReadContext context;
    const auto archive = view_nres(image, context, NresRole::file);
    REQUIRE(archive);
    CHECK(archive->payload(1).data() == image.data() + 0x18);
}

TEST_CASE("names are found with ASCII folding only and exactly as given") {
    const Bytes bytes = raw_nres(Bytes(8), {{"b.bin", 16, 0, 1}, {"A.bin", 16, 0, 0}, {"\xC0z", 16, 0, 2}});
    ReadContext context;
    const auto archive = view_nres(bytes, context, NresRole::file);
    REQUIRE(archive);
    CHECK(archive->find("B.BIN") == 0u);
    CHECK(archive->find("a.bin") == 1u);
    CHECK(archive->find("\xC0Z") == 2u);
    CHECK_FALSE(archive->find("\xE0z"));  // Cyrillic letters are not folded
    CHECK_FALSE(archive->find(" a.bin"));
    CHECK_FALSE(archive->find("dir/a.bin"));
    CHECK_FALSE(archive->find(""));
    CHECK_FALSE(archive->find(std::string(60, 'a')));
}

TEST_CASE("lookup by type gives the first entry in directory order") {
    const Bytes bytes = raw_nres(Bytes(8), {{"c", 16, 0, 2, 7}, {"b", 16, 0, 1, 3}, {"a", 16, 0, 0, 3}});
    ReadContext context;
    const auto archive = view_nres(bytes, context);
    REQUIRE(archive);
    CHECK(archive->find_type(3) == 1u);
    CHECK_FALSE(archive->find_type(4));
    CHECK(type_tag("MAT0") == 0x3054414D);
    CHECK(type_tag("Texm") == 0x6D786554);
}

TEST_CASE("an empty archive of 16 bytes is legal") {
    CHECK(code_of(hex("4E 52 65 73 00 01 00 00 00 00 00 00 10 00 00 00")).empty());
}

TEST_CASE("check 1: a short container or another magic is refused") {
    const Bytes good = nres_example();
    CHECK(code_of({good.begin(), good.begin() + 15}) == "truncated");
    CHECK(code_of({}) == "truncated");
    Bytes bad = good;
    bad[0] = 'n';
    CHECK(code_of(bad) == "nres_bad_magic");
}

TEST_CASE("check 2: another version is refused") {
    CHECK(code_of(with_u32(nres_example(), 4, 0x101)) == "nres_bad_version");
}

TEST_CASE("check 3: a negative count is refused") {
    CHECK(code_of(with_u32(nres_example(), 8, 0xFFFFFFFF)) == "nres_bad_count");
}

TEST_CASE("check 4: the header's total size must be the length of the container") {
    CHECK(code_of(with_u32(nres_example(), 12, 0xA1)) == "nres_size_mismatch");
    Bytes longer = nres_example();
    longer.push_back(0);
    CHECK(code_of(longer) == "nres_size_mismatch");
}

TEST_CASE("check 5: a directory that would begin inside the header is refused") {
    CHECK(code_of(with_u32(nres_example(), 8, 3)) == "nres_bad_count");
    CHECK(code_of(with_u32(nres_example(), 8, 0x7FFFFFFF)) == "nres_bad_count");
}

TEST_CASE("check 6: a name must have a NUL and at least one byte") {
    Bytes full = nres_example();
    for (std::size_t i = 0; i < 36; ++i) full[0x34 + i] = 'x';
    CHECK(code_of(full) == "nres_bad_name");
    Bytes empty = nres_example();
    empty[0x34] = 0;
    CHECK(code_of(empty) == "nres_bad_name");
    CHECK(code_of(empty, compatible()) == "nres_bad_name");
}

TEST_CASE("check 7: a payload must lie inside the data region") {
    CHECK(code_of(with_u32(nres_example(), 0x58, 8)) == "nres_payload_out_of_range");
    CHECK(code_of(with_u32(nres_example(), 0x98, 0x20)) == "nres_payload_out_of_range");
    CHECK(code_of(with_u32(nres_example(), 0x6C, 0xFFFFFFFF)) == "nres_payload_out_of_range");
    CHECK(code_of(with_u32(nres_example(), 0x6C, 9)) == "nres_payload_out_of_range");
}

TEST_CASE("check 8: payloads must not overlap, empty ones not lie strictly inside another") {
    CHECK(code_of(with_u32(nres_example(), 0x2C, 9)) == "nres_payload_overlap");
    const auto empty_at = [](std::uint32_t offset) {
        return code_of(raw_nres(Bytes(16), {{"a", 16, 16, 0}, {"b", offset, 0, 1}}));
    };
    CHECK(empty_at(16).empty());
    CHECK(empty_at(24) == "nres_payload_overlap");
    CHECK(empty_at(32).empty());
}

TEST_CASE("check 9: a sort table that is no permutation is a quirk with correct lookups") {
    for (const std::uint32_t index : {0u, 2u, 0xFFFFFFFFu}) {
        const Bytes bytes = with_u32(nres_example(), 0x5C, index);
        CHECK(code_of(bytes) == "nres_bad_sort_table");
        ReadContext context = compatible();
        const auto archive = view_nres(bytes, context, NresRole::file);
        REQUIRE(archive);
        CHECK(context.has("nres_bad_sort_table"));
        CHECK_FALSE(archive->sort_table_usable());
        CHECK(archive->find("a.BIN") == 1u);
        CHECK(archive->find("b.bin") == 0u);
    }
}

TEST_CASE("check 10: names that decrease through the table are the same quirk") {
    Bytes bytes = with_u32(nres_example(), 0x5C, 0);
    put_u32(bytes, 0x9C, 1);
    CHECK(code_of(bytes) == "nres_bad_sort_table");
    ReadContext context = compatible();
    const auto archive = view_nres(bytes, context, NresRole::file);
    REQUIRE(archive);
    CHECK(context.has("nres_bad_sort_table"));
    CHECK(archive->find("A.bin") == 1u);
}

TEST_CASE("the sort order folds to lower case: an underscore sorts before letters") {
    const auto table = [](std::uint32_t first, std::uint32_t second) {
        return raw_nres(Bytes(8), {{"sun_01", 16, 0, first}, {"s_rock_01", 16, 0, second}});
    };
    CHECK(code_of(table(1, 0)).empty());
    // The other order is refused, and the message names upper-case folding as its likely cause.
    ReadContext context = strict();
    const Bytes upper = table(0, 1);
    const auto archive = view_nres(upper, context, NresRole::file);
    REQUIRE_FALSE(archive);
    CHECK(archive.error().code() == "nres_bad_sort_table");
    CHECK(archive.error().message().find("upper-case") != std::string::npos);
}

TEST_CASE("check 11: an unaligned payload is an error only for a file in the strict profile") {
    const Bytes bytes = raw_nres(Bytes(16), {{"a", 17, 3, 0}});
    CHECK(code_of(bytes) == "nres_unaligned");
    ReadContext relaxed = compatible();
    CHECK(view_nres(bytes, relaxed, NresRole::file));
    CHECK(relaxed.has("nres_unaligned"));
    ReadContext inner = strict();
    CHECK(view_nres(bytes, inner, NresRole::inner));
    CHECK(inner.has("nres_unaligned"));
}

TEST_CASE("check 12: bytes between payloads are preserved regions, never errors") {
    Bytes data(40);
    data[0] = 0x55;  // 16..24 before the first payload: not padding, non-zero
    data[20] = 0x66; // between the payloads: non-zero, so not padding
    const Bytes bytes = raw_nres(data, {{"a", 24, 3, 0}, {"b", 40, 5, 1}});
    ReadContext context = strict();
    const auto archive = view_nres(bytes, context, NresRole::file);
    REQUIRE(archive);
    const std::vector<NresRegion> expected = {
        {16, 24, false, false}, {27, 40, false, false}, {45, 56, false, true}};
    CHECK(archive->regions() == expected);
}

TEST_CASE("padding is 1 to 7 zero bytes from a payload's end to an aligned start") {
    ReadContext context;
    const Bytes image = nres_example();
    const auto archive = view_nres(image, context, NresRole::file);
    REQUIRE(archive);
    CHECK(archive->regions() == std::vector<NresRegion>{{19, 24, true, true}});

    // Seven zero bytes before the first payload follow no payload; a gap that ends at an unaligned
    // payload is no padding either.
    const Bytes odd = raw_nres(Bytes(16), {{"a", 23, 2, 0}, {"b", 27, 5, 1}});
    const auto inner = view_nres(odd, context);
    REQUIRE(inner);
    CHECK(inner->regions() == std::vector<NresRegion>{{16, 23, false, true}, {25, 27, false, true}});

    // One byte that is not zero makes a preserved region of it.
    Bytes used = image;
    used[20] = 1;
    const auto preserved = view_nres(used, context);
    REQUIRE(preserved);
    CHECK(preserved->regions() == std::vector<NresRegion>{{19, 24, false, false}});
}

TEST_CASE("check 13: equal folded names warn for a file only, the lowest index is found") {
    // The stored table lists the higher index first, which check 10 allows.
    const Bytes bytes = raw_nres(Bytes(8), {{"Same", 16, 0, 1}, {"sAME", 16, 0, 0}});
    ReadContext file = strict();
    const auto archive = view_nres(bytes, file, NresRole::file);
    REQUIRE(archive);
    CHECK(file.has("nres_duplicate_name"));
    CHECK(archive->find("same") == 0u);
    ReadContext inner = strict();
    CHECK(view_nres(bytes, inner, NresRole::inner));
    CHECK(inner.diagnostics.empty());
}

TEST_CASE("limits are checked") {
    const Bytes bytes = nres_example();
    NresLimits limits;
    limits.image = 159;
    CHECK(code_of(bytes, {}, NresRole::file, limits) == "limit_exceeded");
    limits = {};
    limits.entries = 1;
    CHECK(code_of(bytes, {}, NresRole::file, limits) == "limit_exceeded");
    limits = {};
    limits.payload = 7;
    CHECK(code_of(bytes, {}, NresRole::file, limits) == "limit_exceeded");
    limits = {};
    limits.payload_sum = 10;
    CHECK(code_of(bytes, {}, NresRole::file, limits) == "limit_exceeded");
    limits = {};
    limits.preserved = 7;
    CHECK(code_of(raw_nres(Bytes(8), {}), {}, NresRole::file, limits) == "limit_exceeded");
}

TEST_CASE("an error names the file, the entry being read and the offset") {
    ReadContext context;
    context.path = "objects.rlb";
    context.entry = "r_h_01.msh";
    const Bytes bytes = with_u32(nres_example(), 0x58, 8);
    const auto archive = view_nres(bytes, context);
    REQUIRE_FALSE(archive);
    const ErrorFrame& frame = archive.error().frames().front();
    CHECK(frame.path == "objects.rlb");
    CHECK(frame.entry == "r_h_01.msh");
    CHECK(frame.offset == 0x58u);
}

TEST_CASE("every prefix of a valid container is refused") {
    const Bytes good = nres_example();
    for (std::size_t n = 0; n < good.size(); ++n)
        CHECK_FALSE(code_of({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}, compatible()).empty());
}
