// Digests: SHA-256 (libsodium) for states and content, CRC-32 (zlib) for framing, XXH3-64 for the
// view hash. Sources: runtime.md 13, saves.md 6, net-messages.md 8.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "shared/base/bytes.hpp"

namespace iron {

using Hash256 = std::array<std::uint8_t, 32>;

/// Streaming SHA-256.
class Sha256 {
public:
    Sha256();
    Sha256& update(ByteView bytes);
    Sha256& update(std::string_view text) { return update(as_bytes(text)); }
    template <class T>
    Sha256& put(T value) {
        static_assert(std::is_arithmetic_v<T>);
        return update(ByteView(reinterpret_cast<const std::uint8_t*>(&value), sizeof value));
    }
    Hash256 finish();

private:
    struct alignas(8) State {
        std::uint8_t bytes[104];
    } state_;
};

Hash256 sha256(ByteView bytes);
std::uint32_t crc32(ByteView bytes);
std::uint64_t xxh3_64(ByteView bytes);

std::string to_hex(ByteView bytes);
/// Parses exactly 2*N hexadecimal digits. Error `bad_hex`.
Result<Bytes> from_hex(std::string_view text);

}  // namespace iron
