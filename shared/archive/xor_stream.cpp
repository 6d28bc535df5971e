#include "shared/archive/xor_stream.hpp"

namespace iron::archive {

void XorStream::apply(std::span<std::uint8_t> data) {
    unsigned lo = lo_, hi = hi_;
    for (std::uint8_t& byte : data) {
        lo = (hi ^ (lo << 1)) & 0xFF;
        byte = static_cast<std::uint8_t>(byte ^ lo);
        hi = lo ^ (hi >> 1);
    }
    lo_ = static_cast<std::uint8_t>(lo);
    hi_ = static_cast<std::uint8_t>(hi);
}

Bytes xor_stream(ByteView data, std::uint16_t key) {
    Bytes out(data.begin(), data.end());
    XorStream(key).apply(out);
    return out;
}

}  // namespace iron::archive
