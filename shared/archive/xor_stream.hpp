// The two-byte XOR stream transform. Source: archives.md 4.3. It is its own inverse; key 0 leaves
// data unchanged.
#pragma once

#include <cstdint>
#include <span>

#include "shared/base/bytes.hpp"

namespace iron::archive {

/// The running state; feed pieces in order to transform one long stream.
class XorStream {
public:
    explicit XorStream(std::uint16_t key)
        : lo_(static_cast<std::uint8_t>(key & 0xFF)), hi_(static_cast<std::uint8_t>(key >> 8)) {}
    void apply(std::span<std::uint8_t> data);

private:
    std::uint8_t lo_, hi_;
};

Bytes xor_stream(ByteView data, std::uint16_t key);

}  // namespace iron::archive
