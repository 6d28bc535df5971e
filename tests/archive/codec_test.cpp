#include <array>

#include <catch2/catch.hpp>

#include "shared/archive/deflate.hpp"
#include "shared/archive/lzhuf.hpp"
#include "shared/archive/lzss.hpp"
#include "shared/base/hash.hpp"
#include "support.hpp"

using namespace iron;
using namespace iron::archive;
using namespace iron::archive::test;

namespace {

/// The encoder of archives.md 4.7 word for word: every ring position is tried by copying.
Bytes lzss_reference(ByteView plain) {
    std::array<std::uint8_t, 4096> ring;
    ring.fill(0x20);
    std::size_t write = 0xFEE, control = 0;
    unsigned used = 8;
    Bytes out;
    for (std::size_t at = 0; at < plain.size();) {
        std::size_t best = 0, best_position = 0;
        for (std::size_t position = 0; position < 4096; ++position) {
            auto copy = ring;
            std::size_t length = 0;
            while (length < 18 && at + length < plain.size()) {
                const std::uint8_t byte = copy[(position + length) & 4095];
                if (byte != plain[at + length]) break;
                copy[(write + length) & 4095] = byte;
                ++length;
            }
            if (length > best) {
                best = length;
                best_position = position;
            }
        }
        if (used == 8) {
            control = out.size();
            out.push_back(0);
            used = 0;
        }
        std::size_t step = 1;
        if (best >= 3) {
            out.push_back(static_cast<std::uint8_t>(best_position));
            out.push_back(static_cast<std::uint8_t>(((best_position >> 4) & 0xF0) | (best - 3)));
            step = best;
        } else {
            out[control] = static_cast<std::uint8_t>(out[control] | (1u << used));
            out.push_back(plain[at]);
        }
        ++used;
        for (; step != 0; --step, ++at) {
            ring[write] = plain[at];
            write = (write + 1) & 4095;
        }
    }
    return out;
}

/// True if the bits of `packed` end with `code` and fewer than eight zero pad bits.
bool ends_with_code(const Bytes& packed, const std::string& code) {
    std::string bits;
    for (const std::uint8_t b : packed)
        for (int k = 7; k >= 0; --k) bits += static_cast<char>('0' + ((b >> k) & 1));
    for (int pad = 0; pad < 8 && bits.size() >= code.size(); ++pad) {
        if (bits.compare(bits.size() - code.size(), code.size(), code) == 0) return true;
        if (bits.back() != '0') return false;
        bits.pop_back();
    }
    return false;
}

Bytes unlzss(const Bytes& packed, std::size_t size) { return lzss_decode(packed, size)->plain; }

}  // namespace

TEST_CASE("the XOR stream gives the worked vectors and is its own inverse") {
    CHECK(xor_stream(Bytes(8), 0xA55A) == hex("11 61 82 A6 BB B6 BA A5"));
    CHECK(xor_stream(hex("00 01 02 03"), 0x1234) == hex("7A 86 B2 8C"));
    CHECK(xor_stream(text("HELLO!!!"), 0x0001) == hex("4A 43 47 52 69 46 9D DC"));
    CHECK(xor_stream(text("HELLO!!!"), 0) == text("HELLO!!!"));
    CHECK(xor_stream(xor_stream(text("some text"), 0xBEEF), 0xBEEF) == text("some text"));
    // Pieces continue the stream.
    Bytes pieces = Bytes(8);
    XorStream stream(0xA55A);
    stream.apply(std::span(pieces).first(3));
    stream.apply(std::span(pieces).subspan(3));
    CHECK(pieces == xor_stream(Bytes(8), 0xA55A));
}

TEST_CASE("LZSS gives the worked vectors in both directions") {
    const auto check = [](std::string_view plain, std::string_view packed) {
        CHECK(lzss_encode(text(plain)) == hex(packed));
        const auto decoded = lzss_decode(hex(packed), plain.size());
        REQUIRE(decoded);
        CHECK(decoded->plain == text(plain));
        CHECK(decoded->consumed == hex(packed).size());
    };
    check("ABCABCABCABC", "07 41 42 43 EE F6");
    check("                    ", "06 00 0F 20 20");
    check("abcabcabcabcxyzxyzxyz", "77 61 62 63 EE F6 78 79 7A FA F3");
    check("", "");
}

TEST_CASE("the fast LZSS encoder makes the choices of the specification") {
    Rng rng(4711, 1);
    for (const std::size_t size : {1u, 2u, 3u, 17u, 300u, 700u}) {
        const Bytes plain = repetitive_bytes(rng, size);
        CHECK(lzss_encode(plain) == lzss_reference(plain));
    }
    // Past one ring length, where old positions are overwritten.
    Bytes plain = repetitive_bytes(rng, 4500);
    const Bytes head(plain.begin(), plain.begin() + 200);
    plain.insert(plain.end(), head.begin(), head.end());
    const Bytes packed = lzss_encode(plain);
    CHECK(packed == lzss_reference(plain));
    CHECK(unlzss(packed, plain.size()) == plain);
}

TEST_CASE("an LZSS match ends at the output size, an early end of input is an error") {
    CHECK(unlzss(hex("07 41 42 43 EE F6"), 5) == text("ABCAB"));
    for (std::size_t n = 0; n < 6; ++n) {
        const Bytes packed = hex("07 41 42 43 EE F6");
        const auto cut = lzss_decode(ByteView(packed).first(n), 12);
        REQUIRE_FALSE(cut);
        CHECK(cut.error().code() == "input_exhausted");
    }
    CHECK(lzss_decode(hex("07 41 42 43 EE F6 FF FF"), 12)->consumed == 6);
    CHECK(lzss_decode({}, 0)->plain.empty());
}

TEST_CASE("a huge declared output costs no memory before it is produced") {
    CHECK(lzss_decode(hex("FF 41"), 0xFFFFFFFFu).error().code() == "input_exhausted");
    CHECK(lzhuf_decode(hex("E6"), 0xFFFFFFFFu).error().code() == "input_exhausted");
    CHECK(deflate_decode(hex("03 00"), 0xFFFFFFFFu).error().code() == "output_size_mismatch");
}

TEST_CASE("LZSS without a length runs to the end of the input within a limit") {
    CHECK(lzss_decode_all(hex("07 41 42 43 EE F6"), 100)->plain == text("ABCABCABCABC"));
    CHECK(lzss_decode_all(hex("07 41 42 43 EE F6"), 11).error().code() == "limit_exceeded");
    CHECK(lzss_decode_all(hex("07 41 42 43 EE"), 100).error().code() == "input_exhausted");
}

TEST_CASE("LZSS parameters of other families round-trip") {
    Rng rng(99, 2);
    const Bytes plain = repetitive_bytes(rng, 6000);
    for (unsigned bits = 0; bits < 32; ++bits) {
        LzssFormat format;
        format.fill = 0;
        format.start = 0xFF0;
        format.min_match = bits & 1 ? 2 : 3;
        format.lsb_first = bits & 2;
        format.literal_flag = bits & 4;
        format.swapped_nibbles = bits & 8;
        format.relative = bits & 16;
        const Bytes packed = lzss_encode(plain, format);
        CHECK(packed.size() < plain.size());
        const auto decoded = lzss_decode(packed, plain.size(), format);
        REQUIRE(decoded);
        CHECK(decoded->plain == plain);
    }
}

TEST_CASE("LZHUF gives the worked vectors in both directions") {
    const auto check = [](std::string_view plain, std::string_view packed) {
        CHECK(lzhuf_encode(text(plain)) == hex(packed));
        const auto decoded = lzhuf_decode(hex(packed), plain.size());
        REQUIRE(decoded);
        CHECK(decoded->plain == text(plain));
        CHECK(decoded->consumed == hex(packed).size());
    };
    check("t", "00");
    check("A", "E6 80");
    check("ABCABCABCABC", "E6 F3 B9 F2 40 20");
}

TEST_CASE("the LZHUF tree survives a rebuild with the published check sum") {
    Bytes plain(33000);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<std::uint8_t>(i % 256);
    const Bytes packed = lzhuf_encode(plain, LzhufMatches::none);
    CHECK(packed.size() == 33075);
    CHECK(crc32(packed) == 0x5C232227u);
    CHECK(lzhuf_decode(packed, plain.size())->plain == plain);
}

TEST_CASE("LZHUF codes every distance and length") {
    Rng rng(5, 5);
    // Random bytes, then copies from all over the window.
    Bytes plain = random_bytes(rng, 4200);
    for (int i = 0; i < 800; ++i) {
        const std::size_t from = plain.size() - 1 - rng.below(4036);
        const std::size_t length = 3 + rng.below(60);
        for (std::size_t k = 0; k < length; ++k) plain.push_back(plain[from + k]);
        plain.push_back(static_cast<std::uint8_t>(rng.below(256)));
    }
    const Bytes packed = lzhuf_encode(plain);
    CHECK(packed.size() < 4200 * 9 / 8 + 800 * 5);
    CHECK(lzhuf_decode(packed, plain.size())->plain == plain);
    // Three rebuilds and more.
    const Bytes long_text = repetitive_bytes(rng, 400000);
    CHECK(lzhuf_decode(lzhuf_encode(long_text), long_text.size())->plain == long_text);
}

TEST_CASE("LZHUF position codes are those of the specification") {
    const auto packed_tail = [](std::size_t d) {
        // d + 1 bytes without a repeated triple (and without spaces), then bytes 0..2 again: the
        // only match has distance d and ends the stream.
        Bytes plain;
        for (std::size_t i = 0; plain.size() < d + 1; ++i)
            plain.push_back(i % 2 == 0 ? static_cast<std::uint8_t>(128 + (i / 2) % 64)
                                       : static_cast<std::uint8_t>(64 + (i / 128) % 64));
        for (std::size_t i = 0; i < 3; ++i) plain.push_back(plain[i]);
        const Bytes packed = lzhuf_encode(plain);
        CHECK(lzhuf_decode(packed, plain.size())->plain == plain);
        return packed;
    };
    CHECK(ends_with_code(packed_tail(100), "0010100100"));
    CHECK(ends_with_code(packed_tail(4035), "11111111000011"));
}

TEST_CASE("LZHUF takes the smallest distance among equal matches") {
    // The last three bytes occur at d = 3 and at d = 7.
    CHECK(ends_with_code(lzhuf_encode(text("abcXabcYabc")), "000000011"));
}

TEST_CASE("LZHUF input that ends early is an error") {
    const Bytes packed = hex("E6 F3 B9 F2 40 20");
    for (std::size_t n = 0; n < packed.size(); ++n)
        CHECK(lzhuf_decode(ByteView(packed).first(n), 12).error().code() == "input_exhausted");
    CHECK(lzhuf_decode(packed, 5)->plain == text("ABCAB"));
}

TEST_CASE("Deflate reads the stored block of the specification and needs a final block") {
    const Bytes stored = hex("01 0C 00 F3 FF 41 42 43 41 42 43 41 42 43 41 42 43");
    CHECK(deflate_encode_stored(text("ABCABCABCABC")) == stored);
    CHECK(deflate_decode(stored, 12)->plain == text("ABCABCABCABC"));
    CHECK(deflate_decode(stored, 11).error().code() == "output_size_mismatch");
    CHECK(deflate_decode(stored, 13).error().code() == "output_size_mismatch");
    Bytes open_end = stored;
    open_end[0] = 0;  // not final
    CHECK(deflate_decode(open_end, 12).error().code() == "input_exhausted");
    CHECK(deflate_decode(hex("07 00"), 12).error().code() == "deflate_invalid");
    CHECK(deflate_decode({}, 0).error().code() == "input_exhausted");
    Bytes longer = stored;
    longer.push_back(9);
    CHECK(deflate_decode(longer, 12)->consumed == stored.size());
}

TEST_CASE("Deflate encoders round-trip, also beyond one stored block") {
    Rng rng(1, 1);
    for (const std::size_t size : {0u, 1u, 65535u, 65536u, 200000u}) {
        const Bytes plain = repetitive_bytes(rng, size);
        CHECK(deflate_decode(deflate_encode(plain), size)->plain == plain);
        CHECK(deflate_decode(deflate_encode_stored(plain), size)->plain == plain);
        CHECK(deflate_decode_all(deflate_encode(plain), size)->plain == plain);
        if (size != 0)
            CHECK(deflate_decode_all(deflate_encode(plain), size - 1).error().code() == "limit_exceeded");
    }
}

TEST_CASE("random texts survive LZSS and LZHUF") {
    Rng rng(31337, 9);
    for (int round = 0; round < 60; ++round) {
        const std::size_t size = rng.below(3000);
        const Bytes plain = round % 3 == 0 ? random_bytes(rng, size) : repetitive_bytes(rng, size);
        REQUIRE(unlzss(lzss_encode(plain), size) == plain);
        REQUIRE(lzhuf_decode(lzhuf_encode(plain), size)->plain == plain);
    }
}
