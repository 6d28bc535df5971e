#include "shared/base/text.hpp"

#include <array>
#include <charconv>

namespace iron {
namespace {

// Unicode code points of CP1251 bytes 0x80..0xFF (0 = undefined).
constexpr std::array<std::uint16_t, 128> kCp1251 = [] {
    std::array<std::uint16_t, 128> t{
        0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409,
        0x2039, 0x040A, 0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x0000, 0x2122, 0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0,
        0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6, 0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB,
        0x00AC, 0x00AD, 0x00AE, 0x0407, 0x00B0, 0x00B1, 0x0406, 0x0456, 0x0491, 0x00B5, 0x00B6,
        0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457};
    for (int i = 64; i < 128; ++i) t[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(0x0410 + i - 64);
    return t;
}();

void append_utf8(std::string& out, std::uint32_t cp) {
    if (cp < 0x80) {
        out += static_cast<char>(cp);
    } else if (cp < 0x800) {
        out += static_cast<char>(0xC0 | (cp >> 6));
        out += static_cast<char>(0x80 | (cp & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | (cp >> 12));
        out += static_cast<char>(0x80 | ((cp >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (cp & 0x3F));
    }
}

// Decodes one code point at `i` and advances; returns 0xFFFFFFFF (and advances by 1) if malformed.
std::uint32_t next_code_point(std::string_view s, std::size_t& i) {
    const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(s[k]); };
    const std::uint8_t lead = byte(i);
    if (lead < 0x80) return s[i++];
    int extra = 0;
    std::uint32_t cp = 0, least = 0;
    if ((lead & 0xE0) == 0xC0) { extra = 1; cp = lead & 0x1F; least = 0x80; }
    else if ((lead & 0xF0) == 0xE0) { extra = 2; cp = lead & 0x0F; least = 0x800; }
    else if ((lead & 0xF8) == 0xF0) { extra = 3; cp = lead & 0x07; least = 0x10000; }
    else { ++i; return 0xFFFFFFFFu; }
    if (i + static_cast<std::size_t>(extra) >= s.size()) {
        ++i;
        return 0xFFFFFFFFu;
    }
    for (int k = 1; k <= extra; ++k) {
        const std::uint8_t c = byte(i + static_cast<std::size_t>(k));
        if ((c & 0xC0) != 0x80) { ++i; return 0xFFFFFFFFu; }
        cp = (cp << 6) | (c & 0x3Fu);
    }
    if (cp < least || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) { ++i; return 0xFFFFFFFFu; }
    i += static_cast<std::size_t>(extra) + 1;
    return cp;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class T>
bool parse_float(std::string_view text, T& out) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    if (text.empty()) return false;
    const auto r = std::from_chars(text.data(), text.data() + text.size(), out);
    return r.ec == std::errc{} && r.ptr == text.data() + text.size();
}

}  // namespace

std::string ascii_lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = ascii_lower(c);
    return out;
}

std::string ascii_upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = ascii_upper(c);
    return out;
}

bool ascii_iequals(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
    return true;
}

int ascii_icompare(std::string_view a, std::string_view b) {
    const std::size_t n = a.size() < b.size() ? a.size() : b.size();
    for (std::size_t i = 0; i < n; ++i) {
        const int x = static_cast<std::uint8_t>(ascii_lower(a[i]));
        const int y = static_cast<std::uint8_t>(ascii_lower(b[i]));
        if (x != y) return x - y;
    }
    if (a.size() == b.size()) return 0;
    return a.size() < b.size() ? -1 : 1;
}

bool ascii_iends_with(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() &&
           ascii_iequals(text.substr(text.size() - suffix.size()), suffix);
}

std::string_view ascii_trim(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string cp1251_to_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (char ch : text) {
        const auto c = static_cast<std::uint8_t>(ch);
        if (c < 0x80) out += ch;
        else append_utf8(out, kCp1251[c - 0x80u] ? kCp1251[c - 0x80u] : 0xFFFDu);
    }
    return out;
}

std::string utf8_to_cp1251(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::uint32_t cp = next_code_point(text, i);
        if (cp < 0x80) { out += static_cast<char>(cp); continue; }
        char found = '?';
        for (std::size_t k = 0; k < kCp1251.size(); ++k)
            if (kCp1251[k] != 0 && kCp1251[k] == cp) found = static_cast<char>(0x80 + k);
        out += found;
    }
    return out;
}

bool is_valid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();)
        if (next_code_point(text, i) == 0xFFFFFFFFu) return false;
    return true;
}

bool parse_i64(std::string_view text, std::int64_t& out, bool allow_hex) {
    bool negative = false;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    int base = 10;
    if (allow_hex && text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    }
    if (text.empty() || text.front() == '-' || text.front() == '+') return false;
    std::uint64_t magnitude = 0;
    const auto r = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
    if (r.ec != std::errc{} || r.ptr != text.data() + text.size()) return false;
    const std::uint64_t limit = negative ? 0x8000000000000000ull : 0x7FFFFFFFFFFFFFFFull;
    if (magnitude > limit) return false;
    out = negative ? static_cast<std::int64_t>(0 - magnitude) : static_cast<std::int64_t>(magnitude);
    return true;
}

bool parse_f32(std::string_view text, float& out) { return parse_float(text, out); }
bool parse_f64(std::string_view text, double& out) { return parse_float(text, out); }

}  // namespace iron
