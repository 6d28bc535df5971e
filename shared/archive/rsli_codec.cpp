// The storage methods of archives.md 4.6 in terms of the codecs.
#include "shared/archive/deflate.hpp"
#include "shared/archive/lzhuf.hpp"
#include "shared/archive/lzss.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/archive/xor_stream.hpp"

namespace iron::archive {
namespace {

constexpr std::uint16_t kXorBit = 0x020;

tl::unexpected<Error> unsupported(RsliMethod method) {
    return fail("unsupported_method",
                "storage method " + std::to_string(static_cast<unsigned>(method)) + " is unknown");
}

/// The method without the XOR transform in front.
RsliMethod without_xor(RsliMethod method) {
    return static_cast<RsliMethod>(static_cast<std::uint16_t>(method) & ~kXorBit);
}

}  // namespace

bool rsli_uses_key(std::uint16_t bits) {
    return bits == 0x020 || bits == 0x060 || bits == 0x0A0;
}

Result<Decoded> rsli_decode(RsliMethod method, std::uint16_t key, ByteView packed,
                            std::size_t unpacked_size) {
    if (rsli_uses_key(static_cast<std::uint16_t>(method))) {
        const Bytes plain = xor_stream(packed, key);
        return rsli_decode(without_xor(method), 0, plain, unpacked_size);
    }
    switch (method) {
        case RsliMethod::stored:
            if (packed.size() < unpacked_size)
                return fail("output_size_mismatch", "the packed range has " + std::to_string(packed.size()) +
                                                        " bytes instead of " + std::to_string(unpacked_size));
            return Decoded{Bytes(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(unpacked_size)),
                           unpacked_size};
        case RsliMethod::lzss: return lzss_decode(packed, unpacked_size);
        case RsliMethod::lzhuf: return lzhuf_decode(packed, unpacked_size);
        case RsliMethod::deflate: return deflate_decode(packed, unpacked_size);
        default: return unsupported(method);
    }
}

Result<Bytes> rsli_encode(RsliMethod method, std::uint16_t key, ByteView plain) {
    if (rsli_uses_key(static_cast<std::uint16_t>(method))) {
        IRON_TRY(Bytes packed, rsli_encode(without_xor(method), 0, plain));
        XorStream(key).apply(packed);
        return packed;
    }
    switch (method) {
        case RsliMethod::stored: return Bytes(plain.begin(), plain.end());
        case RsliMethod::lzss: return lzss_encode(plain);
        case RsliMethod::lzhuf: return lzhuf_encode(plain);
        case RsliMethod::deflate: return deflate_encode(plain);
        default: return unsupported(method);
    }
}

}  // namespace iron::archive
