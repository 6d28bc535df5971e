#include <catch2/catch.hpp>

#include "shared/archive/deflate.hpp"
#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

namespace {

std::string code_of(const Bytes& bytes, ReadContext context = {}) {
    const auto library = view_rsli(bytes, context);
    return library ? "" : library.error().code();
}

/// The code of loading record 0 of a library that holds it alone.
std::string load_code(std::uint16_t method, std::uint32_t unpacked, const Bytes& packed,
                      ReadContext& context) {
    const Bytes bytes = raw_rsli(
        {{"A", method, 0, unpacked, 64, static_cast<std::uint32_t>(packed.size())}}, packed);
    const auto library = view_rsli(bytes, context);
    REQUIRE(library);
    const auto plain = library->load(0, context);
    return plain ? "" : plain.error().code();
}

}  // namespace

TEST_CASE("the worked RsLi example is read as the specification describes it") {
    const Bytes image = rsli_example();
    REQUIRE(image.size() == 110);
    ReadContext context = strict();
    const auto library = read_rsli(SharedBytes::own(image), context);
    REQUIRE(library);
    CHECK(context.diagnostics.empty());
    REQUIRE(library->size() == 2);
    CHECK(library->seed() == 0xA55A);
    CHECK(library->presorted());
    CHECK_FALSE(library->overlay());
    const RsliRecord& b = library->record(0);
    CHECK(b.name() == "B.TXT");
    CHECK(b.flags == 0x020);
    CHECK(b.sort_to_original == 1);
    CHECK(b.unpacked_size == 8);
    CHECK(b.raw_offset == 0x60);
    CHECK(b.packed_size == 8);
    CHECK(library->key(0) == 1);
    CHECK(library->key(1) == 0);
    CHECK(*library->load(0, context) == text("HELLO!!!"));
    CHECK(*library->load(1, context) == text("ABCABCABCABC"));
    CHECK(context.diagnostics.empty());
}

TEST_CASE("queries are folded to upper case and stored names are not") {
    const Bytes bytes = raw_rsli({{"ABCDEFGHIJKL", 0, 0}, {"lower", 0, 1}}, {});
    ReadContext context;
    const auto library = view_rsli(bytes, context);
    REQUIRE(library);
    CHECK(library->find("abcdefghijkl") == 0u);  // a full name without NUL
    CHECK_FALSE(library->find("lower"));
    CHECK_FALSE(library->find("LOWER"));
    CHECK_FALSE(library->find("ABCDEFGHIJKLM"));
    CHECK_FALSE(library->find("ABCDEFGHIJKLMNOPQRST"));
    CHECK_FALSE(library->find(""));
}

TEST_CASE("check 1: the header must be there and right") {
    const Bytes good = rsli_example();
    CHECK(code_of({good.begin(), good.begin() + 31}) == "truncated");
    for (const std::size_t at : {0u, 1u, 2u, 3u}) {
        Bytes bad = good;
        bad[at] ^= 1;
        CHECK(code_of(bad) == "rsli_bad_magic");
    }
}

TEST_CASE("check 2: the count must be positive and the table must fit") {
    Bytes negative = rsli_example();
    negative[5] = 0x80;
    CHECK(code_of(negative) == "rsli_bad_count");
    Bytes many = rsli_example();
    many[4] = 3;
    CHECK(code_of(many) == "rsli_bad_count");
}

TEST_CASE("check 3: the trailer's overlay must lie inside the file and shifts all offsets") {
    Bytes data = text("zzzHELLO");
    const Bytes trailer = hex("41 4F 03 00 00 00");
    data.insert(data.end(), trailer.begin(), trailer.end());
    const Bytes bytes = raw_rsli({{"A", 0, 0, 5, 64, 5}}, data);
    ReadContext context = strict();
    const auto library = view_rsli(bytes, context);
    REQUIRE(library);
    CHECK(library->overlay() == 3u);
    CHECK(library->effective_offset(0) == 67);
    CHECK(*library->load(0, context) == text("HELLO"));
    Bytes far = bytes;
    put_u32(far, far.size() - 4, static_cast<std::uint32_t>(far.size()) + 1);
    CHECK(code_of(far, compatible()) == "rsli_overlay_out_of_range");
}

TEST_CASE("check 4: a packed range beyond the end is an error in both profiles") {
    const Bytes bytes = raw_rsli({{"A", 0x100, 0, 5, 64, 6}}, Bytes(5));
    CHECK(code_of(bytes) == "rsli_payload_out_of_range");
    CHECK(code_of(bytes, compatible()) == "rsli_payload_out_of_range");
    CHECK(code_of(raw_rsli({{"A", 0, 0, 5, 0xFFFFFFFF, 0xFFFFFFFF}}, Bytes(5)), compatible()) ==
          "rsli_payload_out_of_range");
}

TEST_CASE("the quirk deflate_eof_plus_one is bound to its method, name, library and one byte") {
    const Bytes packed = deflate_encode_stored(text("sprite"));
    const auto size = static_cast<std::uint32_t>(packed.size());
    const auto library = [&](std::string name, std::uint16_t method, std::uint32_t extra) {
        return raw_rsli({{std::move(name), method, 0, 6, 64, size + extra}}, packed);
    };
    const auto in_file = [](std::string path) {
        ReadContext context = compatible();
        context.path = std::move(path);
        return context;
    };
    const Bytes right = library("INTERF8.TEX", 0x100, 1);
    ReadContext context = in_file("ui\\Sprites.LIB");
    const auto accepted = view_rsli(right, context);
    REQUIRE(accepted);
    CHECK(context.has("deflate_eof_plus_one"));
    CHECK(accepted->short_by_one(0));
    CHECK(accepted->packed(0).size() == size);
    CHECK(accepted->record(0).packed_size == size + 1);
    CHECK(*accepted->load(0, context) == text("sprite"));

    CHECK(code_of(right, compatible()).empty());  // the file name is not known
    CHECK(code_of(right, strict()) == "deflate_eof_plus_one");
    CHECK(code_of(right, in_file("other.lib")) == "rsli_payload_out_of_range");
    CHECK(code_of(library("INTERF7.TEX", 0x100, 1), in_file("sprites.lib")) == "rsli_payload_out_of_range");
    CHECK(code_of(library("INTERF8.TEX", 0x040, 1), in_file("sprites.lib")) == "rsli_payload_out_of_range");
    CHECK(code_of(library("INTERF8.TEX", 0x100, 2), in_file("sprites.lib")) == "rsli_payload_out_of_range");
}

TEST_CASE("check 5: a bad presorted table is rebuilt under its quirk, and the keys with it") {
    // Names B, A; the stored table says 0, 1, so names decrease. The payload of B is transformed
    // with key 1, the value after the rebuild.
    Bytes data = hex("4A 43 47 52 69 46 9D DC");
    const auto table = [&](std::int16_t first, std::int16_t second) {
        return raw_rsli({{"B", 0x020, first, 8, 96, 8}, {"A", 0, second, 0, 96, 0}}, data);
    };
    for (const auto& [first, second] : {std::pair{0, 1}, {1, 1}, {-1, 0}, {2, 0}}) {
        const Bytes bytes = table(static_cast<std::int16_t>(first), static_cast<std::int16_t>(second));
        CHECK(code_of(bytes) == "rsli_bad_presorted_table");
        ReadContext context = compatible();
        const auto library = view_rsli(bytes, context);
        REQUIRE(library);
        CHECK(context.has("rsli_bad_presorted_table"));
        CHECK_FALSE(library->stored_order_usable());
        CHECK(library->find("a") == 1u);
        CHECK(*library->load(0, context) == text("HELLO!!!"));
    }
}

TEST_CASE("without the presorted word the stored values are replaced") {
    const Bytes bytes = raw_rsli({{"B", 0x020, 77, 8, 96, 8}, {"A", 0, -5, 0, 96, 0}},
                                 hex("4A 43 47 52 69 46 9D DC"), 0);
    ReadContext context = strict();
    const auto library = view_rsli(bytes, context);
    REQUIRE(library);
    CHECK(context.diagnostics.empty());
    CHECK(library->key(0) == 1);
    CHECK(library->record(0).sort_to_original == 77);
    CHECK(library->find("B") == 0u);
    CHECK(*library->load(0, context) == text("HELLO!!!"));
}

TEST_CASE("check 6: an unknown method blocks its own record only") {
    for (const std::uint16_t method : std::initializer_list<std::uint16_t>{0x0C0, 0x0E0, 0x120, 0x140, 0x180, 0x1E0}) {
        const Bytes bytes = raw_rsli({{"A", method, 0, 1, 96, 1}, {"B", 0, 1, 1, 96, 1}}, Bytes(1, 7));
        ReadContext context = strict();
        const auto library = view_rsli(bytes, context);
        REQUIRE(library);
        CHECK(library->load(0, context).error().code() == "unsupported_method");
        CHECK(*library->load(1, context) == Bytes(1, 7));
    }
}

TEST_CASE("foreign flag bits do not disturb the method") {
    ReadContext context = strict();
    CHECK(load_code(0xFE1F & ~0x1E0, 3, Bytes(3), context).empty());
}

TEST_CASE("every storage method is decoded") {
    const Bytes plain = text("ABCABCABCABC");
    const struct {
        std::uint16_t method;
        const char* packed;
    } cases[] = {{0x000, "41 42 43 41 42 43 41 42 43 41 42 43"},
                 {0x040, "07 41 42 43 EE F6"},
                 {0x080, "E6 F3 B9 F2 40 20"},
                 {0x0A0, "E4 F5 B2 EC 66 47"},
                 {0x100, "01 0C 00 F3 FF 41 42 43 41 42 43 41 42 43 41 42 43"}};
    for (const auto& c : cases) {
        // Record B sits at index 0, so its payload key is 1.
        const Bytes packed = hex(c.packed);
        const auto size = static_cast<std::uint32_t>(packed.size());
        const Bytes bytes = raw_rsli({{"B", c.method, 1, 12, 96, size}, {"A", 0, 0, 0, 96, 0}}, packed);
        ReadContext context = strict();
        const auto library = view_rsli(bytes, context);
        REQUIRE(library);
        const auto loaded = library->load(0, context);
        REQUIRE(loaded);
        CHECK(*loaded == plain);
        if (c.method != 0x100) CHECK(*rsli_encode(static_cast<RsliMethod>(c.method), 1, plain) == packed);
    }
}

TEST_CASE("check 7: stored records must have their exact size, slack is a quirk") {
    for (const std::uint16_t method : std::initializer_list<std::uint16_t>{0x000, 0x020}) {
        ReadContext context = strict();
        CHECK(load_code(method, 4, Bytes(3), context) == "output_size_mismatch");
        CHECK(load_code(method, 3, Bytes(4), context) == "rsli_stored_slack");
        ReadContext relaxed = compatible();
        CHECK(load_code(method, 4, Bytes(3), relaxed) == "output_size_mismatch");
        CHECK(load_code(method, 3, Bytes(4), relaxed).empty());
        CHECK(relaxed.has("rsli_stored_slack"));
    }
}

TEST_CASE("check 7: compressed records must give their size, unused input is a warning") {
    ReadContext context = strict();
    CHECK(load_code(0x040, 13, hex("07 41 42 43 EE F6"), context) == "input_exhausted");
    CHECK(load_code(0x080, 13, hex("E6 F3 B9 F2 40"), context) == "input_exhausted");
    CHECK(load_code(0x100, 13, deflate_encode_stored(text("ABCABCABCABC")), context) == "output_size_mismatch");
    CHECK(load_code(0x100, 11, deflate_encode_stored(text("ABCABCABCABC")), context) == "output_size_mismatch");
    CHECK(context.diagnostics.empty());
    CHECK(load_code(0x040, 12, hex("07 41 42 43 EE F6 00"), context).empty());
    CHECK(context.has("rsli_unused_packed_bytes"));
}

TEST_CASE("an empty record is legal for every method but Deflate") {
    for (const std::uint16_t method : std::initializer_list<std::uint16_t>{0x000, 0x020, 0x040, 0x060, 0x080, 0x0A0}) {
        ReadContext context = strict();
        CHECK(load_code(method, 0, {}, context).empty());
    }
    ReadContext context = strict();
    CHECK(load_code(0x100, 0, {}, context) == "input_exhausted");
}

TEST_CASE("record limits are checked before decoding") {
    ReadContext context = strict();
    CHECK(load_code(0x040, 0xFFFFFFFF, Bytes(10), context) == "limit_exceeded");
}

TEST_CASE("checks 8 to 10: overlaps, empty names and equal names are warnings") {
    ReadContext overlap = strict();
    CHECK(view_rsli(raw_rsli({{"A", 0, 0, 4, 96, 4}, {"B", 0, 1, 4, 98, 4}}, Bytes(8)), overlap));
    CHECK(overlap.has("rsli_overlap"));
    ReadContext table = strict();
    CHECK(view_rsli(raw_rsli({{"A", 0, 0, 4, 60, 4}, {"B", 0, 1, 4, 98, 4}}, Bytes(8)), table));
    CHECK(table.has("rsli_overlap"));
    ReadContext trailer = strict();
    CHECK(view_rsli(raw_rsli({{"A", 0, 0, 4, 64, 4}}, hex("00 00 41 4F 00 00 00 00")), trailer));
    CHECK(trailer.has("rsli_overlap"));
    ReadContext empty = strict();
    CHECK(view_rsli(raw_rsli({{"", 0, 0, 0, 64, 0}}, {}), empty));
    CHECK(empty.has("rsli_empty_name"));
    ReadContext equal = strict();
    const Bytes twice = raw_rsli({{"A", 0, 0, 0, 96, 0}, {"A", 0, 1, 0, 96, 0}}, {});
    const auto library = view_rsli(twice, equal);
    REQUIRE(library);
    CHECK(equal.has("rsli_duplicate_name"));
    CHECK(library->find("a") == 0u);
}
