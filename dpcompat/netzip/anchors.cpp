// Signs of a correct unpack. Source: directplay.md 16.1, net-messages.md 2 and 3.
#include <cmath>

#include "dpcompat/netzip/identify.hpp"

namespace iron::dpcompat {
namespace {

bool is_message_number(std::uint32_t v) {
    if (v >= 0x80000000u) return v <= 0x80000007u || v == 0x80000020u;
    return v == 1 || v == 4 || v == 6 || v == 7 || (v >= 0x14 && v <= 0x1C) || (v >= 0x3E8 && v <= 0x3F2);
}

bool is_letter(std::uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '\\' || c == ' ';
}

/// A 32-byte name field: at least two printable characters, then only zeros.
bool is_name_field(ByteView b) {
    std::size_t n = 0;
    while (n < b.size() && is_letter(b[n])) ++n;
    if (n < 2 || n == b.size()) return false;
    for (std::size_t i = n; i < b.size(); ++i)
        if (b[i] != 0) return false;
    return true;
}

float float_at(ByteView b, std::size_t at) { return load_le<float>(b.data() + at); }

/// Position, rotation, strafe angle: 3 + 4 + 1 floats (net-messages.md 3.2).
bool is_transform(ByteView b) {
    for (std::size_t i = 0; i < 8; ++i)
        if (!std::isfinite(float_at(b, 4 * i)) || std::abs(float_at(b, 4 * i)) > 1e5f) return false;
    float length = 0;
    for (std::size_t i = 3; i < 7; ++i) length += float_at(b, 4 * i) * float_at(b, 4 * i);
    return std::abs(length - 1) < 1e-3f;
}

}  // namespace

Anchors find_anchors(ByteView b) {
    Anchors out;
    for (std::size_t at : {0u, 4u, 8u})
        if (b.size() >= at + 4 && is_message_number(load_le<std::uint32_t>(b.data() + at))) out.number = true;
    for (std::size_t at = 0; at + 32 <= b.size() && at <= 64; at += 4) {
        if (is_transform(b.subspan(at, 32))) out.quaternion = true;
        if (at + 76 <= b.size() && is_name_field(b.subspan(at, 32)) && is_name_field(b.subspan(at + 32, 32))) out.resource = true;
    }
    std::size_t run = 0;
    bool slash = false;
    for (std::size_t i = 0; i < b.size(); ++i) {
        // CP1251 letters count as text; a path is ASCII.
        const bool letter = is_letter(b[i]) || b[i] >= 0xC0;
        if (letter) {
            ++run;
            slash = slash || b[i] == '\\';
            continue;
        }
        if (b[i] == 0 && run >= 6) {
            out.text = true;
            if (slash || (run >= 4 && as_text(b.subspan(i - 4, 4)) == ".tma")) out.path = true;
        }
        run = 0;
        slash = false;
    }
    return out;
}

}  // namespace iron::dpcompat
