// Raw Deflate (RFC 1951, no zlib header) through zlib. Source: archives.md 4.9.
#pragma once

#include <cstddef>

#include "shared/archive/codec.hpp"

namespace iron::archive {

/// Exactly `unpacked_size` bytes and a final block. Errors `input_exhausted`, `deflate_invalid`,
/// `output_size_mismatch` (the stream is shorter or longer).
Result<Decoded> deflate_decode(ByteView packed, std::size_t unpacked_size);
/// Whatever length the stream has, up to `limit`. Errors as above, `limit_exceeded`.
Result<Decoded> deflate_decode_all(ByteView packed, std::size_t limit);
/// zlib level 9, raw.
Bytes deflate_encode(ByteView plain);
/// Stored blocks only (the simplest valid stream of 4.9).
Bytes deflate_encode_stored(ByteView plain);

}  // namespace iron::archive
