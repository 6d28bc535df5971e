// Adaptive Huffman coding over LZSS ("LZHUF"). Source: archives.md 4.8, level inferred: no original
// payload of this method exists. Not used in built-in content.
#pragma once

#include <cstddef>

#include "shared/archive/codec.hpp"

namespace iron::archive {

/// Exactly `unpacked_size` bytes; ends there, even inside a match. Error `input_exhausted`.
Result<Decoded> lzhuf_decode(ByteView packed, std::size_t unpacked_size);

enum class LzhufMatches : bool { none, greedy };
/// The canonical greedy encoder: longest match, smallest distance on ties; or literals only.
Bytes lzhuf_encode(ByteView plain, LzhufMatches matches = LzhufMatches::greedy);

}  // namespace iron::archive
