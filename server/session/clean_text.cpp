#include "server/session/clean_text.hpp"

#include <cstdint>

#include "shared/base/text.hpp"

namespace iron::session {

namespace {

/// Code point at `pos` of well-formed UTF-8 and its length.
char32_t code_point(std::string_view text, std::size_t pos, std::size_t& length) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[pos + i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) {
        length = 1;
        return lead;
    }
    length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t value = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) value = value << 6 | (byte(i) & 0x3Fu);
    return value;
}

/// Characters that would break a line, reorder its neighbours or hide.
bool is_forbidden(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF ||
           (c >= 0xFFF9 && c <= 0xFFFB) || (c & 0xFFFE) == 0xFFFE;
}

}  // namespace

std::string clean_line(std::string_view text, std::size_t max_bytes) {
    std::string out;
    if (!is_valid_utf8(text)) return out;
    bool space_due = false;
    for (std::size_t pos = 0; pos < text.size();) {
        std::size_t length = 1;
        const char32_t c = code_point(text, pos, length);
        if (c == ' ' || c == 0xA0 || is_forbidden(c)) {
            space_due = !out.empty();
        } else {
            if (out.size() + length + (space_due ? 1 : 0) > max_bytes) break;
            if (space_due) out += ' ';
            space_due = false;
            out += text.substr(pos, length);
        }
        pos += length;
    }
    return out;
}

std::string clean_name(std::string_view text) { return clean_line(text, 64); }

}  // namespace iron::session
