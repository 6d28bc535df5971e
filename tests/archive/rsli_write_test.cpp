#include <catch2/catch.hpp>

#include "shared/archive/deflate.hpp"
#include "shared/archive/rsli_edit.hpp"
#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

namespace {

Rsli parse(const Bytes& bytes) {
    ReadContext context = compatible();
    auto library = read_rsli(SharedBytes::own(bytes), context);
    REQUIRE(library);
    return std::move(*library);
}

Bytes load(const Rsli& library, std::size_t index) {
    ReadContext context = compatible();
    auto plain = library.load(index, context);
    REQUIRE(plain);
    return std::move(*plain);
}

Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t end) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// B at 100..105, A at 107..110, gaps 96..100 and 105..107, tail 110..113, and a trailer.
Bytes gappy(std::uint32_t overlay = 0) {
    Bytes data = text("gap!");
    const Bytes rest = text("HELLOggabctt.");
    data.insert(data.end(), rest.begin(), rest.end());
    Bytes trailer = hex("41 4F 00 00 00 00");
    put_u32(trailer, 2, overlay);
    data.insert(data.end(), trailer.begin(), trailer.end());
    Bytes bytes = raw_rsli({{"B", 0xFE00, 1, 5, 100 - overlay, 5}, {"A", 0, 0, 3, 107 - overlay, 3}}, data);
    bytes[6] = 0x5A;  // reserved header byte
    // A service byte of record 0, under the transform.
    Bytes table = xor_stream(ByteView(bytes).subspan(32, 64), 0x1234);
    table[12] = 0xEE;
    table = xor_stream(table, 0x1234);
    std::copy(table.begin(), table.end(), bytes.begin() + 32);
    return bytes;
}

}  // namespace

TEST_CASE("the builder writes the worked RsLi example byte for byte") {
    RsliBuilder builder(0xA55A);
    builder.add("b.txt", text("HELLO!!!"), RsliMethod::xored);
    builder.add("A.TXT", text("ABCABCABCABC"), RsliMethod::xored_lzss);
    const auto bytes = builder.build();
    REQUIRE(bytes);
    CHECK(*bytes == rsli_example());
    CHECK(*write_rsli_canonical(parse(*bytes)) == rsli_example());
}

TEST_CASE("authoring errors of a library") {
    const auto code = [](std::string_view name, RsliMethod method = RsliMethod::stored) {
        const auto built = RsliBuilder().add(name, {}, method).build();
        return built ? std::string() : built.error().code();
    };
    CHECK(code("") == "name_empty");
    CHECK(code("123456789ABC").empty());
    CHECK(code("123456789ABCD") == "name_too_long");
    CHECK(code(std::string_view("A\0B", 3)) == "name_nul");
    CHECK(code("A", static_cast<RsliMethod>(0x0C0)) == "unsupported_method");
    RsliBuilder many;
    for (int i = 0; i < 32768; ++i) many.add("A", {});
    CHECK(many.build().error().code() == "too_many_records");
}

TEST_CASE("random libraries survive build, strict read and repack") {
    constexpr RsliMethod methods[] = {RsliMethod::stored, RsliMethod::xored, RsliMethod::lzss,
                                      RsliMethod::xored_lzss, RsliMethod::lzhuf,
                                      RsliMethod::xored_lzhuf, RsliMethod::deflate};
    Rng rng(2002, 4);
    for (int round = 0; round < 60; ++round) {
        RsliBuilder builder(rng.next());
        std::vector<Bytes> plain;
        std::vector<std::string> names;
        const std::size_t count = rng.below(12);
        for (std::size_t i = 0; i < count; ++i) {
            plain.push_back(repetitive_bytes(rng, rng.below(400)));
            names.push_back(random_name(rng, i));
            builder.add(names.back(), plain.back(), methods[rng.below(7)]);
        }
        const Bytes bytes = *builder.build();
        ReadContext context = strict();
        const auto library = view_rsli(bytes, context);
        REQUIRE(library);
        for (std::size_t i = 0; i < count; ++i) {
            REQUIRE(library->find(names[i]) == i);
            REQUIRE(*library->load(i, context) == plain[i]);
        }
        REQUIRE(context.diagnostics.empty());
        REQUIRE(*write_rsli_canonical(*library) == bytes);
        REQUIRE(*RsliEditor(*library).finish() == bytes);
    }
}

TEST_CASE("a canonical end that looks like a trailer gets one zero byte") {
    const Bytes bytes = *RsliBuilder().add("A", text("xxAO1234")).build();
    CHECK(bytes.size() == 64 + 9);
    CHECK(bytes.back() == 0);
    CHECK_FALSE(parse(bytes).overlay());
    CHECK(load(parse(bytes), 0) == text("xxAO1234"));
}

TEST_CASE("a canonical repack keeps the trailer and subtracts its overlay") {
    const Bytes bytes = *write_rsli_canonical(parse(gappy(50)));
    const Rsli library = parse(bytes);
    REQUIRE(library.overlay() == 50u);
    CHECK(library.record(0).raw_offset == 96 - 50);
    CHECK(library.record(0).flags == 0);  // flags = method
    CHECK(library.record(0).service == std::array<std::uint8_t, 4>{});
    CHECK(load(library, 0) == text("HELLO"));
    CHECK(load(library, 1) == text("abc"));
    CHECK(bytes.size() == 96 + 8 + 6);
    // The overlay must not exceed the position of a payload.
    const Bytes far = raw_rsli({{"A", 0, 0, 0, 0, 0}}, [] {
        Bytes data(60);
        const Bytes trailer = hex("41 4F 70 00 00 00");
        data.insert(data.end(), trailer.begin(), trailer.end());
        return data;
    }());
    CHECK(write_rsli_canonical(parse(far)).error().code() == "rsli_offset_below_overlay");
}

TEST_CASE("a canonical repack transforms payloads whose key changes") {
    // Equal names in an unstable stored order: the stable sort exchanges the keys 1 and 0.
    Bytes data = hex("4A 43 47 52 69 46 9D DC");
    const Bytes plain = text("HELLO!!!");
    data.insert(data.end(), plain.begin(), plain.end());
    const Bytes bytes = raw_rsli({{"A", 0x020, 1, 8, 96, 8}, {"A", 0x020, 0, 8, 104, 8}}, data);
    const Bytes repacked = *write_rsli_canonical(parse(bytes));
    CHECK(slice(repacked, 96, 104) == plain);
    CHECK(slice(repacked, 104, 112) == hex("4A 43 47 52 69 46 9D DC"));
    CHECK(load(parse(repacked), 0) == plain);
    CHECK(load(parse(repacked), 1) == plain);
}

TEST_CASE("an edited payload shifts what follows; gaps, header, service and foreign bits survive") {
    for (const std::uint32_t overlay : {0u, 50u}) {
        RsliEditor editor(parse(gappy(overlay)));
        REQUIRE(editor.set_payload(0, text("GOODBYE")));
        const Bytes out = *editor.finish();
        const Rsli library = parse(out);
        CHECK(slice(out, 0, 32) == slice(gappy(overlay), 0, 32));
        CHECK(slice(out, 96, out.size() - 6) == text("gap!GOODBYEggabctt."));
        CHECK(library.overlay() == overlay);
        CHECK(library.record(0).service[0] == 0xEE);
        CHECK(library.record(0).flags == 0xFE00);
        CHECK(library.record(0).unpacked_size == 7);
        CHECK(library.record(1).raw_offset == 109 - overlay);
        CHECK(load(library, 1) == text("abc"));
    }
}

TEST_CASE("an added payload goes before the trailer, a removed one leaves its gaps") {
    RsliEditor add(parse(gappy()));
    CHECK(*add.add("0", text("new")) == 2u);
    const Bytes more = *add.finish();
    CHECK(slice(more, 128, more.size() - 6) == text("gap!HELLOggabctt.new"));
    const Rsli library = parse(more);
    CHECK(library.find("0") == 2u);
    CHECK(library.stored_order_usable());
    CHECK(load(library, 0) == text("HELLO"));
    CHECK(load(library, 2) == text("new"));

    RsliEditor remove(parse(gappy()));
    REQUIRE(remove.remove(0));
    const Bytes less = *remove.finish();
    CHECK(slice(less, 64, less.size() - 6) == text("gap!ggabctt."));
    CHECK(load(parse(less), 0) == text("abc"));
}

TEST_CASE("a rename gives new keys and the transformed payloads follow") {
    // 4.13: after the rename the order is B (0), Z (1): keys 0 and 1 instead of 1 and 0.
    RsliEditor editor(parse(rsli_example()));
    REQUIRE(editor.rename(1, "z.txt"));
    const Bytes out = *editor.finish();
    CHECK(out == *RsliBuilder(0xA55A)
                      .add("B.TXT", text("HELLO!!!"), RsliMethod::xored)
                      .add("Z.TXT", text("ABCABCABCABC"), RsliMethod::xored_lzss)
                      .build());
}

TEST_CASE("a library sorted at load keeps its stored values but its keys follow the names") {
    const Bytes bytes = raw_rsli({{"B", 0x020, 77, 8, 96, 8}, {"A", 0, -5, 0, 96, 0}},
                                 hex("4A 43 47 52 69 46 9D DC"), 0);
    RsliEditor editor(parse(bytes));
    REQUIRE(editor.rename(1, "C"));
    const Rsli library = parse(*editor.finish());
    CHECK(library.record(0).sort_to_original == 77);
    CHECK(library.record(1).sort_to_original == -5);
    CHECK(library.key(0) == 0);
    CHECK(load(library, 0) == text("HELLO!!!"));
}

TEST_CASE("a bad presorted table survives an edit that needs no new one") {
    const Bytes bytes = raw_rsli({{"B", 0x020, 0, 8, 96, 8}, {"A", 0, 1, 3, 104, 3}},
                                 [] { Bytes b = hex("4A 43 47 52 69 46 9D DC"); b.insert(b.end(), 3, 'x'); return b; }());
    RsliEditor editor(parse(bytes));
    REQUIRE(editor.set_payload(1, text("long")));
    const Rsli library = parse(*editor.finish());
    CHECK_FALSE(library.stored_order_usable());
    CHECK(library.record(0).sort_to_original == 0);
    CHECK(load(library, 0) == text("HELLO!!!"));
    CHECK(load(library, 1) == text("long"));
}

TEST_CASE("the record of deflate_eof_plus_one keeps its declared size until it is replaced") {
    const Bytes packed = deflate_encode_stored(text("sprite"));
    Bytes data = text("ab");
    data.insert(data.end(), packed.begin(), packed.end());
    const auto size = static_cast<std::uint32_t>(packed.size());
    const Bytes bytes = raw_rsli({{"A", 0, 0, 2, 96, 2}, {"INTERF8.TEX", 0x100, 1, 6, 98, size + 1}}, data);
    RsliEditor other(parse(bytes));
    REQUIRE(other.set_payload(0, text("abcd")));
    const Rsli moved = parse(*other.finish());
    CHECK(moved.record(1).packed_size == size + 1);
    CHECK(moved.short_by_one(1));
    CHECK(load(moved, 1) == text("sprite"));
    RsliEditor itself(parse(bytes));
    REQUIRE(itself.set_payload(1, text("new")));
    const Rsli replaced = parse(*itself.finish());
    CHECK_FALSE(replaced.short_by_one(1));
    CHECK(load(replaced, 1) == text("new"));
}

TEST_CASE("overlapping ranges can only be edited without changing lengths") {
    const Bytes bytes = raw_rsli({{"A", 0, 0, 4, 128, 4}, {"B", 0, 1, 4, 130, 4}, {"C", 0, 2, 2, 136, 2}},
                                 text("abcdefggcc"));
    RsliEditor longer(parse(bytes));
    REQUIRE(longer.set_payload(0, text("12345")));
    CHECK(longer.finish().error().code() == "rsli_edit_overlap");
    RsliEditor removed(parse(bytes));
    REQUIRE(removed.remove(1));
    CHECK(removed.finish().error().code() == "rsli_edit_overlap");
    RsliEditor same(parse(bytes));
    REQUIRE(same.set_payload(0, text("1234")));
    const Bytes patched = *same.finish();
    CHECK(slice(patched, 128, 138) == text("1234efggcc"));
    // Another record may change its length: the overlapping ones move together.
    RsliEditor other(parse(bytes));
    REQUIRE(other.set_payload(2, text("longer")));
    const Rsli library = parse(*other.finish());
    CHECK(load(library, 0) == text("abcd"));
    CHECK(load(library, 1) == text("cdef"));
    CHECK(load(library, 2) == text("longer"));
    // A range over the table cannot stay where it is when the table grows.
    const Bytes over_table = raw_rsli({{"A", 0, 0, 4, 60, 8}}, text("abcd"));
    RsliEditor grow(parse(over_table));
    REQUIRE(grow.add("B", {}));
    CHECK(grow.finish().error().code() == "rsli_edit_overlap");
}

TEST_CASE("an empty record that points nowhere gets a place when it is filled") {
    const Bytes bytes = raw_rsli({{"A", 0, 0, 0, 0, 0}, {"B", 0, 1, 2, 96, 2}}, text("bb"));
    RsliEditor touched(parse(bytes));
    REQUIRE(touched.set_payload(1, text("bbb")));
    CHECK(parse(*touched.finish()).record(0).raw_offset == 0);
    RsliEditor filled(parse(bytes));
    REQUIRE(filled.set_payload(0, text("aaa")));
    const Rsli library = parse(*filled.finish());
    CHECK(load(library, 0) == text("aaa"));
    CHECK(load(library, 1) == text("bb"));
}

TEST_CASE("wrong indices, names and methods of an edit are errors and change nothing") {
    RsliEditor editor(parse(rsli_example()));
    CHECK(editor.set_payload(2, {}).error().code() == "bad_index");
    CHECK(editor.rename(0, "123456789ABCD").error().code() == "name_too_long");
    CHECK(editor.add("X", {}, static_cast<RsliMethod>(0x1E0)).error().code() == "unsupported_method");
    CHECK(*editor.finish() == rsli_example());
    RsliEditor unknown(parse(raw_rsli({{"A", 0x1E0, 0, 0, 64, 0}}, {})));
    CHECK(unknown.set_payload(0, {}).error().code() == "unsupported_method");
}
