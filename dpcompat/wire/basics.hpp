// Small values of DirectPlay 4: GUIDs, addresses, wide text, ids, flags, results.
// Source: directplay.md 0 (conventions), 5.4-5.7.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "shared/base/bytes.hpp"

namespace iron::dpcompat {

/// A GUID in wire order (first three groups little-endian).
struct Guid {
    std::array<std::uint8_t, 16> bytes{};
    auto operator<=>(const Guid&) const = default;
    bool is_zero() const { return *this == Guid{}; }
};
/// "{3C1D1F01-A870-11D1-8400-000021B14415}".
std::string to_string(const Guid& guid);
/// With or without braces. Error `bad_guid`.
Result<Guid> parse_guid(std::string_view text);
/// The application GUID of the game.
inline constexpr Guid kGameGuid{{0x01, 0x1f, 0x1d, 0x3c, 0x70, 0xa8, 0xd1, 0x11, 0x84, 0x00, 0x00, 0x00, 0x21, 0xb1,
                                 0x44, 0x15}};

/// IPv4 address in reading order: 192.0.2.10 = 0xC000020A. 0 = "use the address this came from".
using Ipv4 = std::uint32_t;
struct Endpoint {
    Ipv4 ip = 0;
    std::uint16_t port = 0;
    auto operator<=>(const Endpoint&) const = default;
};
std::string ip_text(Ipv4 ip);
std::string to_string(const Endpoint& endpoint);  ///< "192.0.2.10:2300"
/// Four decimal parts. Error `bad_address`.
Result<Ipv4> parse_ipv4(std::string_view text);
/// Private, loopback or link-local.
bool is_lan_address(Ipv4 ip);

/// UTF-16 units as they travel, without the terminator; lone surrogates stay (directplay.md 13).
using Text16 = std::u16string;
std::string to_utf8(std::u16string_view text);  ///< lone surrogates become U+FFFD
Text16 to_text16(std::string_view utf8);        ///< malformed bytes become U+FFFD

using DpId = std::uint32_t;
inline constexpr DpId kIdAll = 0;  ///< all players, or "to the name server"

/// id = ((uniqueness << 16) | slot) XOR key (directplay.md 5.6).
struct IdParts {
    std::uint16_t slot = 0;
    std::uint16_t uniqueness = 0;
    bool operator==(const IdParts&) const = default;
};
constexpr DpId make_id(IdParts parts, std::uint32_t key) {
    return ((static_cast<std::uint32_t>(parts.uniqueness) << 16) | parts.slot) ^ key;
}
constexpr IdParts split_id(DpId id, std::uint32_t key) {
    const std::uint32_t plain = id ^ key;
    return {static_cast<std::uint16_t>(plain & 0xFFFF), static_cast<std::uint16_t>(plain >> 16)};
}

namespace player_flag {  // directplay.md 5.4
inline constexpr std::uint32_t kSystem = 1, kNameServer = 2, kInGroup = 4, kLocal = 8;
inline constexpr std::uint32_t kServerPlayer = 0x100;  ///< inferred
inline constexpr std::uint32_t kSpectator = 0x200;     ///< seen in captures of other games
}  // namespace player_flag

namespace session_flag {  // directplay.md 5.5
inline constexpr std::uint32_t kNewPlayersDisabled = 0x1, kMigrateHost = 0x4, kNoMessageId = 0x8, kJoinDisabled = 0x20,
                               kKeepAlive = 0x40, kNoDataMessages = 0x80, kSecureServer = 0x100, kPrivate = 0x200,
                               kPasswordRequired = 0x400, kMulticastServer = 0x800, kClientServer = 0x1000,
                               kDirectPlayProtocol = 0x2000, kNoPreserveOrder = 0x4000, kOptimizeLatency = 0x8000,
                               kAcquireVoice = 0x10000, kNoSessionDescMessages = 0x20000;
}  // namespace session_flag

namespace enum_flag {  // directplay.md 4.1
inline constexpr std::uint32_t kAvailable = 1, kAll = 2, kPasswordRequired = 0x40;
}  // namespace enum_flag

/// Results that travel (directplay.md 5.7).
using HResult = std::uint32_t;
inline constexpr HResult kDpOk = 0, kDpAccessDenied = 0x8877000A, kDpCantCreatePlayer = 0x8877003C, kDpTimeout = 0x887700F0,
                         kDpNoNewPlayers = 0x8877014A, kDpInvalidPassword = 0x88770154, kDpSessionLost = 0x88770136,
                         kDpNoConnection = 0x887700AA, kDpInvalidFlags = 0x88770078, kDpUnavailable = 0x887700FA;
/// "NONEWPLAYERS"; "0x8877...." for a value without a name.
std::string result_name(HResult result);

/// Ports of directplay.md 1.1.
inline constexpr std::uint16_t kEnumPort = 47624, kTcpFirst = 2300, kTcpLast = 2349, kUdpFirst = 2350, kUdpLast = 2399;

/// Dialect numbers accepted and sent (directplay.md 2.1).
inline constexpr std::uint16_t kOldestVersion = 7, kNewestVersion = 14, kVerifyVersion = 13;

}  // namespace iron::dpcompat
