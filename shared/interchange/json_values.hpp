// How raw game values stand in JSON without loss: byte strings, fixed fields, floats, tags, bytes.
// Small on purpose: headers of this room need the forward declaration of Json only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "shared/base/bytes.hpp"

namespace iron::interchange {

using Json = nlohmann::ordered_json;

/// CP1251 bytes for people: always valid UTF-8, maybe lossy (texts of errors may be UTF-8 already).
std::string display_text(std::string_view raw);

/// A byte string: a JSON string when its CP1251 text has no control character and converts back to
/// the same bytes, else {"hex": "..."}.
Json text_json(std::string_view raw);
/// Error `json_bad_value`.
Result<std::string> text_from_json(const Json& value, std::string_view what);

/// A fixed field: as text_json of its value, or {"text": ..., "tail": "hex"} when the bytes after the
/// NUL are not all zero.
Json fixed_json(ByteView field);
/// Fills `field` (zeros behind the text without a tail). Error `json_bad_value`: text or tail too long.
Status fixed_from_json(const Json& value, std::span<std::uint8_t> field, std::string_view what);


/// The shortest decimal that reads back to the same float; {"bits": "0x7FC00000"} when not finite.
Json float_json(float value);
Result<float> float_from_json(const Json& value, std::string_view what);

/// Four printable characters as text ("MAT0"), anything else as a number.
Json tag_json(std::uint32_t type_id);
/// The same for people: MAT0, or 0x0000000C.
std::string tag_text(std::uint32_t type_id);
Result<std::uint32_t> tag_from_json(const Json& value);
/// "MAT0" (exactly four bytes) or a decimal or 0x number. Error `bad_tag`.
Result<std::uint32_t> parse_tag(std::string_view text);

/// "0x80000002".
std::string hex32(std::uint32_t value);

/// Parsing with a limit on depth (64) and without exceptions. Error `json_syntax`.
Result<Json> parse_json(std::string_view text, std::string_view what);

/// Member access that never throws. Errors `json_missing`, `json_bad_value`.
Result<std::uint64_t> json_unsigned(const Json& object, std::string_view key, std::uint64_t most);
Result<std::int64_t> json_signed(const Json& object, std::string_view key, std::int64_t least, std::int64_t most);
Result<std::string> json_string(const Json& object, std::string_view key);
Result<Bytes> json_hex(const Json& object, std::string_view key);
/// nullptr when there is no such member or `object` is no object.
const Json* json_member(const Json& object, std::string_view key);
/// The array behind a key. Errors as above.
Result<const Json*> json_array(const Json& object, std::string_view key);

/// Pretty text with two spaces, ending in a line feed.
std::string dump_json(const Json& value);
/// Indented "key: value" lines for a terminal; short arrays of numbers stay on one line.
std::string json_to_text(const Json& value);

}  // namespace iron::interchange
