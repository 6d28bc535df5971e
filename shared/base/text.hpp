// Byte-string keys and the CP1251 border. Source: archives.md 1.1, 2.1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace iron {

/// Folds `A..Z` to `a..z`; bytes 0x80..0xFF stay (Cyrillic is never folded).
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

std::string ascii_lower(std::string_view text);
std::string ascii_upper(std::string_view text);

/// Equal after ASCII folding.
bool ascii_iequals(std::string_view a, std::string_view b);
/// Bytewise unsigned order after folding to lower case; a prefix sorts first. <0, 0, >0.
int ascii_icompare(std::string_view a, std::string_view b);
bool ascii_iends_with(std::string_view text, std::string_view suffix);

/// Without ASCII white space (space, \t, \r, \n, \v, \f) at both ends.
std::string_view ascii_trim(std::string_view text);

/// CP1251 to UTF-8 for display; the undefined byte 0x98 becomes U+FFFD.
std::string cp1251_to_utf8(std::string_view text);
/// UTF-8 to CP1251; characters without a place become '?', malformed bytes too.
std::string utf8_to_cp1251(std::string_view text);
/// True if `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_valid_utf8(std::string_view text);

/// Parses all of `text` as a decimal (or, if allowed, 0x hexadecimal) integer; false otherwise.
bool parse_i64(std::string_view text, std::int64_t& out, bool allow_hex = false);
/// Parses all of `text` as a decimal float, correctly rounded, independent of the locale.
bool parse_f32(std::string_view text, float& out);
bool parse_f64(std::string_view text, double& out);

}  // namespace iron
