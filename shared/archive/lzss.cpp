#include "shared/archive/lzss.hpp"

#include <array>

#include "shared/archive/match_finder.hpp"

namespace iron::archive {
namespace {

constexpr std::size_t kMask = kRingSize - 1;
// A pair of bytes and its flag give at most 18 bytes: no honest stream expands more.
constexpr std::size_t kMaxExpansion = 9;

/// `exact`: stop at `limit` bytes of output; else run to the end of the input.
Result<Decoded> decode(ByteView packed, std::size_t limit, bool exact, const LzssFormat& format) {
    std::array<std::uint8_t, kRingSize> ring;
    ring.fill(format.fill);
    std::size_t write = format.start & kMask;
    Decoded out;
    out.plain.reserve(std::min(limit, packed.size() * kMaxExpansion));
    std::size_t in = 0;
    unsigned flags = 0, flags_left = 0;
    const auto put = [&](std::uint8_t byte) {
        out.plain.push_back(byte);
        ring[write] = byte;
        write = (write + 1) & kMask;
    };
    while (!exact || out.plain.size() < limit) {
        if (!exact && in == packed.size()) break;
        if (flags_left == 0) {
            if (in == packed.size()) return fail("input_exhausted", "the LZSS stream ends early", in);
            flags = packed[in++];
            flags_left = 8;
            continue;
        }
        const bool flag = (format.lsb_first ? flags : flags >> 7) & 1;
        flags = format.lsb_first ? flags >> 1 : (flags << 1) & 0xFF;
        --flags_left;
        if (flag == format.literal_flag) {
            if (in == packed.size()) return fail("input_exhausted", "the LZSS stream ends early", in);
            if (out.plain.size() == limit) return fail("limit_exceeded", "the LZSS output is too long", in);
            put(packed[in++]);
            continue;
        }
        if (packed.size() - in < 2)
            return fail("input_exhausted", "the LZSS stream ends inside a match", in);
        const unsigned low = packed[in], high = packed[in + 1];
        in += 2;
        const unsigned upper = format.swapped_nibbles ? high & 0x0F : high >> 4;
        const unsigned count = format.swapped_nibbles ? high >> 4 : high & 0x0F;
        std::size_t from = low | (upper << 8);
        if (format.relative) from = write - 1 - from;
        std::size_t length = count + format.min_match;
        if (length > limit - out.plain.size()) {
            if (!exact) return fail("limit_exceeded", "the LZSS output is too long", in);
            length = limit - out.plain.size();
        }
        for (; length != 0; --length) put(ring[from++ & kMask]);
    }
    out.consumed = in;
    return out;
}

}  // namespace

Result<Decoded> lzss_decode(ByteView packed, std::size_t unpacked_size, const LzssFormat& format) {
    return decode(packed, unpacked_size, true, format);
}

Result<Decoded> lzss_decode_all(ByteView packed, std::size_t limit, const LzssFormat& format) {
    return decode(packed, limit, false, format);
}

Bytes lzss_encode(ByteView plain, const LzssFormat& format) {
    MatchFinder finder(plain, format.fill, format.min_match);
    const std::size_t longest = format.min_match + 15u;
    Bytes out;
    std::size_t control = 0;
    unsigned used = 8;
    for (std::size_t at = 0; at < plain.size();) {
        // Ties go to the lowest place as it is written in the stream.
        std::size_t best_length = 0, best_place = 0;
        finder.matches(at, kRingSize, longest, [&](std::size_t distance, std::size_t length) {
            const std::size_t place =
                format.relative ? distance - 1 : (format.start + at - distance) & kMask;
            if (length > best_length || (length == best_length && place < best_place)) {
                best_length = length;
                best_place = place;
            }
            return true;
        });
        if (used == 8) {
            control = out.size();
            out.push_back(0);
            used = 0;
        }
        const bool literal = best_length < format.min_match;
        if (literal == format.literal_flag)
            out[control] = static_cast<std::uint8_t>(out[control] | (format.lsb_first ? 1u << used : 0x80u >> used));
        ++used;
        if (literal) {
            out.push_back(plain[at++]);
            continue;
        }
        const auto upper = static_cast<unsigned>(best_place >> 8);
        const auto count = static_cast<unsigned>(best_length - format.min_match);
        out.push_back(static_cast<std::uint8_t>(best_place & 0xFF));
        out.push_back(static_cast<std::uint8_t>(format.swapped_nibbles ? (count << 4) | upper
                                                                       : (upper << 4) | count));
        at += best_length;
    }
    return out;
}

}  // namespace iron::archive
