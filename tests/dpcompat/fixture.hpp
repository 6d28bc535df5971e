// The worked packets of directplay.md 14 as bytes, and edits on them. m counts from the SP header.
#pragma once

#include <fstream>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"

namespace iron::test {

inline std::filesystem::path fixture_path(const std::string& name) {
    return std::filesystem::path(IRON_SOURCE_DIR) / "tests/dpcompat/fixtures" / name;
}

/// The bytes of fixtures/NAME.hex.
inline Bytes fixture(const std::string& name) {
    std::ifstream in(fixture_path(name + ".hex"));
    if (!in) throw std::runtime_error("no fixture " + name);
    std::string line, digits;
    while (std::getline(in, line))
        if (line.empty() || line[0] != '#')
            for (char c : line)
                if (c != ' ' && c != '\r') digits += c;
    auto bytes = from_hex(digits);
    if (!bytes) throw std::runtime_error(bytes.error().to_string());
    return *bytes;
}

/// A copy with the bytes at `at` replaced.
inline Bytes changed(Bytes bytes, std::size_t at, std::initializer_list<int> values) {
    for (int v : values) bytes.at(at++) = static_cast<std::uint8_t>(v);
    return bytes;
}
/// Without the SP header.
inline ByteView body_of(const Bytes& block) { return ByteView(block).subspan(20); }

inline constexpr const char* kMessageFixtures[] = {
    "add_forward", "add_forward_ack", "add_forward_reply_bad_password", "add_forward_request", "add_forward_request_password",
    "add_player_to_group", "chat", "create_group", "create_player", "delete_player", "delete_player_from_group",
    "delete_player_system", "enum_sessions_reply", "enum_sessions_request", "enum_sessions_request_password",
    "i_am_name_server", "packet2_ack", "packet2_data", "packet_fragment_0", "packet_fragment_1", "ping", "ping_reply",
    "player_data_changed", "player_message_tcp", "player_name_changed", "request_player_id", "request_player_id_system",
    "request_player_reply", "request_player_reply_full", "request_player_reply_system", "session_desc_changed",
    "super_enum_players_reply", "you_are_dead"};

// The people of the worked session.
inline constexpr std::uint32_t kKey = 0x1F6A9206, kHostSystem = 0x1F6B9206, kHostPlayer = 0x1F6B9207, kThirdSystem = 0x1F6B9204,
                               kThirdPlayer = 0x1F6B9205, kTeam = 0x1F6B9202, kJoinerSystem = 0x1F6B9203,
                               kJoinerPlayer = 0x1F6B9200;

}  // namespace iron::test
