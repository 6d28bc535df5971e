// Which native game message means what in the modern protocol: a data file. The native layouts are open
// (net-messages.md 3.4), so the shipped map translates nothing; a map that somebody measured needs no new code.
//
// Fields are read and written in order, without gaps, from `payload_at` on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::dpcompat {

enum class MapFieldKind : std::uint8_t { u8, u16, u32, i16, i32, utf16z, cp1251z, rest };
enum class MapAction : std::uint8_t {
    chat,          ///< text, [to]
    pause,         ///< paused
    order,         ///< order, flags, target, x, y, param, amount, subjects (a list of u32 with its count in front)
    player_data,   ///< data
    game_started,  ///< to originals only: no field
    ignore         ///< known to need no translation
};

struct MapField {
    MapFieldKind kind = MapFieldKind::u32;
    std::string name;                      ///< what the action takes or gives; empty = not used
    std::optional<std::int64_t> constant;  ///< must be this, or is written as this
    bool list = false;                     ///< u32 count, then so many of `kind`
};

struct MapMessage {
    std::uint32_t number = 0;
    std::string name;
    bool to_server = true;  ///< else: from the server to originals
    MapAction action = MapAction::ignore;
    std::vector<MapField> fields;
    std::string evidence;
};

using MapValue = std::variant<std::int64_t, std::string, Bytes, std::vector<std::int64_t>>;
using MapValues = std::map<std::string, MapValue>;

struct MessageMap {
    std::string name;
    bool synthetic = false;     ///< invented layouts for tests; never for an original
    std::size_t number_at = 0;  ///< place of the u32 message number
    std::size_t payload_at = 4;
    std::vector<MapMessage> messages;

    /// The entry for the number in `plain`, if there is one in that direction.
    const MapMessage* find(ByteView plain, bool to_server) const;
    const MapMessage* find_action(MapAction action) const;  ///< to originals
};

/// Errors `bad_setting`; `synthetic_map` unless synthetic maps are allowed.
Result<MessageMap> parse_message_map(std::string_view toml, std::string_view label, bool allow_synthetic);
Result<MessageMap> load_message_map(const std::filesystem::path& path, bool allow_synthetic);

/// All fields of a message, exactly to its end. Errors `map_mismatch` (a constant differs, too short, too long).
Result<MapValues> read_mapped(const MessageMap& map, const MapMessage& message, ByteView plain);
/// Error `map_missing` when a named field has no value.
Result<Bytes> write_mapped(const MessageMap& map, const MapMessage& message, const MapValues& values);

}  // namespace iron::dpcompat
