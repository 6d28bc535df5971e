#include "shared/archive/deflate.hpp"

#include <algorithm>
#include <memory>

#include <zlib.h>

namespace iron::archive {
namespace {

// Deflate codes at most 258 bytes in 2 bits: about 1032 bytes of output a byte of input.
constexpr std::uint64_t kMaxExpansion = 1032;
constexpr std::uint64_t kZlibMax = 0xFFFFFFFF;  // zlib counts in 32 bits

/// Inflates a raw stream into at most `limit` bytes.
Result<Decoded> inflate_raw(ByteView packed, std::size_t limit, const char* too_long) {
    if (packed.size() > kZlibMax) return fail("limit_exceeded", "the Deflate stream exceeds 4 GiB");
    z_stream stream{};
    if (inflateInit2(&stream, -15) != Z_OK) return fail("deflate_invalid", "zlib cannot start");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);

    // One byte of room beyond the limit shows a stream that is too long.
    const std::uint64_t bound =
        std::min({std::uint64_t{limit} + 1, std::uint64_t{packed.size()} * kMaxExpansion + 64, kZlibMax});
    Decoded out;
    out.plain.resize(static_cast<std::size_t>(bound));
    stream.next_in = const_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = out.plain.data();
    stream.avail_out = static_cast<uInt>(out.plain.size());
    const int code = inflate(&stream, Z_FINISH);
    out.consumed = packed.size() - stream.avail_in;
    const std::size_t produced = out.plain.size() - stream.avail_out;
    if (produced > limit)
        return fail(too_long, "the Deflate stream is longer than " + std::to_string(limit) + " bytes",
                    out.consumed);
    if (code == Z_BUF_ERROR || code == Z_OK)
        return fail("input_exhausted", "the Deflate stream has no final block", out.consumed);
    if (code != Z_STREAM_END)
        return fail("deflate_invalid",
                    std::string("the Deflate stream is damaged: ") + (stream.msg ? stream.msg : "?"),
                    out.consumed);
    out.plain.resize(produced);
    return out;
}

}  // namespace

Result<Decoded> deflate_decode(ByteView packed, std::size_t unpacked_size) {
    IRON_TRY(Decoded out, inflate_raw(packed, unpacked_size, "output_size_mismatch"));
    if (out.plain.size() != unpacked_size)
        return fail("output_size_mismatch", "the Deflate stream has " + std::to_string(out.plain.size()) +
                                                " bytes instead of " + std::to_string(unpacked_size));
    return out;
}

Result<Decoded> deflate_decode_all(ByteView packed, std::size_t limit) {
    return inflate_raw(packed, limit, "limit_exceeded");
}

Bytes deflate_encode(ByteView plain) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return deflate_encode_stored(plain);  // out of memory in zlib: still a valid stream
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &deflateEnd);
    Bytes out(deflateBound(&stream, static_cast<uLong>(plain.size())));
    stream.next_in = const_cast<Bytef*>(plain.data());
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return deflate_encode_stored(plain);
    out.resize(out.size() - stream.avail_out);
    return out;
}

Bytes deflate_encode_stored(ByteView plain) {
    ByteWriter out;
    do {
        const std::size_t size = std::min<std::size_t>(plain.size(), 0xFFFF);
        out.u8(size == plain.size() ? 1 : 0);  // final flag, block type 00
        out.u16(static_cast<std::uint16_t>(size));
        out.u16(static_cast<std::uint16_t>(~size));
        out.bytes(plain.first(size));
        plain = plain.subspan(size);
    } while (!plain.empty());
    return out.take();
}

}  // namespace iron::archive
