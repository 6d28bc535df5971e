#include "shared/base/hash.hpp"

#include <sodium/crypto_hash_sha256.h>
#include <zlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace iron {

Sha256::Sha256() {
    static_assert(sizeof(State) >= sizeof(crypto_hash_sha256_state));
    crypto_hash_sha256_init(reinterpret_cast<crypto_hash_sha256_state*>(&state_));
}

Sha256& Sha256::update(ByteView bytes) {
    crypto_hash_sha256_update(reinterpret_cast<crypto_hash_sha256_state*>(&state_), bytes.data(),
                              bytes.size());
    return *this;
}

Hash256 Sha256::finish() {
    Hash256 out;
    crypto_hash_sha256_final(reinterpret_cast<crypto_hash_sha256_state*>(&state_), out.data());
    return out;
}

Hash256 sha256(ByteView bytes) { return Sha256().update(bytes).finish(); }

std::uint32_t crc32(ByteView bytes) {
    // zlib takes 32-bit lengths; feed long inputs in parts.
    uLong crc = ::crc32(0, nullptr, 0);
    while (!bytes.empty()) {
        const std::size_t n = bytes.size() < (1u << 30) ? bytes.size() : (1u << 30);
        crc = ::crc32(crc, bytes.data(), static_cast<uInt>(n));
        bytes = bytes.subspan(n);
    }
    return static_cast<std::uint32_t>(crc);
}

std::uint64_t xxh3_64(ByteView bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string to_hex(ByteView bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    out.reserve(bytes.size() * 2);
    for (std::uint8_t b : bytes) {
        out += kDigits[b >> 4];
        out += kDigits[b & 15];
    }
    return out;
}

Result<Bytes> from_hex(std::string_view text) {
    const auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    if (text.size() % 2 != 0) return fail("bad_hex", "odd number of hexadecimal digits");
    Bytes out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int hi = digit(text[i]), lo = digit(text[i + 1]);
        if (hi < 0 || lo < 0) return fail("bad_hex", "not a hexadecimal digit", i);
        out.push_back(static_cast<std::uint8_t>(hi * 16 + lo));
    }
    return out;
}

}  // namespace iron
