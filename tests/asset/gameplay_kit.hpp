// Helpers of the gameplay format tests: hexadecimal vectors and reading contexts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset::gameplay_kit {

/// Bytes of a hex dump; white space is ignored.
inline Bytes hex(std::string_view text) {
    const auto digit = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    Bytes out;
    int high = -1;
    for (const char c : text) {
        const int d = digit(c);
        if (d < 0) continue;
        if (high < 0) {
            high = d;
        } else {
            out.push_back(static_cast<std::uint8_t>(high * 16 + d));
            high = -1;
        }
    }
    return out;
}

inline Bytes text_bytes(std::string_view text) {
    const ByteView view = as_bytes(text);
    return {view.begin(), view.end()};
}

/// Zero bytes up to `size`.
inline Bytes padded(Bytes bytes, std::size_t size) {
    bytes.resize(size, 0);
    return bytes;
}

inline Bytes joined(std::initializer_list<Bytes> parts) {
    Bytes out;
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

/// A copy with a little-endian word replaced.
inline Bytes with_u32(Bytes bytes, std::size_t at, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    return bytes;
}

inline ReadContext strict() { return {ReadProfile::strict, {}, {}, {}}; }
inline ReadContext compatible() { return {ReadProfile::compatible, {}, {}, {}}; }

/// Code of the error that `read(bytes, context)` gives; "ok" when it succeeds.
template <class Read>
std::string code_of(Read read, const Bytes& bytes, ReadContext context = strict()) {
    const auto result = read(bytes, context);
    return result ? std::string("ok") : result.error().code();
}

/// True if reading succeeds and leaves a diagnostic of that code.
template <class Read>
bool reports(Read read, const Bytes& bytes, std::string_view code, ReadContext context = strict()) {
    const auto result = read(bytes, context);
    return result.has_value() && context.has(code);
}

}  // namespace iron::asset::gameplay_kit
