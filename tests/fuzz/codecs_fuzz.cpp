// Any bytes through every codec: decoders are bounded, encoders are undone by their decoders.
#include <cstdlib>

#include "shared/archive/deflate.hpp"
#include "shared/archive/lzhuf.hpp"
#include "shared/archive/lzss.hpp"
#include "shared/archive/xor_stream.hpp"

using namespace iron;
using namespace iron::archive;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

LzssFormat format_from(std::uint8_t bits) {
    LzssFormat format;
    format.min_match = bits & 1 ? 2 : 3;
    format.lsb_first = bits & 2;
    format.literal_flag = bits & 4;
    format.swapped_nibbles = bits & 8;
    format.relative = bits & 16;
    if (bits & 32) format.start = 0xFF0;
    if (bits & 64) format.fill = 0;
    return format;
}

}  // namespace

/// Byte 0: LZSS parameters, bytes 1..2: output size, the rest: packed or plain bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const LzssFormat format = format_from(data[0]);
    const std::size_t wanted = load_le<std::uint16_t>(data + 1);
    const ByteView bytes(data + 3, size - 3);
    const Bytes whole(bytes.begin(), bytes.end());

    const auto exact = [&](const Result<Decoded>& out) {
        if (out) require(out->plain.size() == wanted && out->consumed <= bytes.size());
    };
    exact(lzss_decode(bytes, wanted, format));
    exact(lzhuf_decode(bytes, wanted));
    exact(deflate_decode(bytes, wanted));
    if (const auto out = lzss_decode_all(bytes, wanted, format)) require(out->plain.size() <= wanted);
    if (const auto out = deflate_decode_all(bytes, wanted)) require(out->plain.size() <= wanted);

    if (bytes.size() <= 8192) {
        const auto undone = [&](const Result<Decoded>& out) { require(out && out->plain == whole); };
        undone(lzss_decode(lzss_encode(bytes, format), whole.size(), format));
        undone(lzhuf_decode(lzhuf_encode(bytes), whole.size()));
        undone(deflate_decode(deflate_encode(bytes), whole.size()));
        undone(deflate_decode(deflate_encode_stored(bytes), whole.size()));
        const auto key = static_cast<std::uint16_t>(wanted);
        require(xor_stream(xor_stream(bytes, key), key) == whole);
    }
    return 0;
}
