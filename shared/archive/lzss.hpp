// LZSS with a 4096-byte ring. Source: archives.md 4.7; the parameters exist for the packet codec
// search of directplay.md 16.2, archives use the defaults.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shared/archive/codec.hpp"

namespace iron::archive {

struct LzssFormat {
    std::uint8_t fill = 0x20;          ///< initial ring bytes
    std::uint16_t start = 0xFEE;       ///< first write position, 0..4095
    std::uint8_t min_match = 3;        ///< shortest match, 2 or 3; the longest is min_match + 15
    bool lsb_first = true;             ///< order of the 8 flags of a control byte
    bool literal_flag = true;          ///< flag value of a literal
    bool swapped_nibbles = false;      ///< length in the high nibble of the second byte
    bool relative = false;             ///< position = distance - 1 instead of an absolute place
};

/// Exactly `unpacked_size` bytes; ends there, even inside a match. Error `input_exhausted`.
Result<Decoded> lzss_decode(ByteView packed, std::size_t unpacked_size,
                            const LzssFormat& format = {});
/// Until the packed bytes end. Errors `input_exhausted` (inside a match), `limit_exceeded`.
Result<Decoded> lzss_decode_all(ByteView packed, std::size_t limit, const LzssFormat& format = {});
/// The canonical greedy encoder of 4.7: longest match, lowest ring position on ties.
Bytes lzss_encode(ByteView plain, const LzssFormat& format = {});

}  // namespace iron::archive
