// The decision about a Hello, as a pure rule: no sockets, no clocks (net-messages.md 7.3).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"
#include "protocol/version.hpp"
#include "shared/base/hash.hpp"

namespace iron::protocol {

/// Identifies a player for a return within the grace period; 32 random bytes.
using Token = std::array<std::uint8_t, 32>;

inline constexpr std::uint16_t kServerPlayer = 0;
inline constexpr std::uint16_t kFirstPlayer = 1;        ///< clan index + 1
inline constexpr std::uint16_t kLastPlayer = 64;
inline constexpr std::uint16_t kFirstSpectator = 0x0100;
inline constexpr std::uint16_t kLastSpectator = 0x01FF;
inline constexpr std::uint16_t kInvalidPlayer = 0xFFFF;

constexpr bool is_player(std::uint16_t n) { return n >= kFirstPlayer && n <= kLastPlayer; }
constexpr bool is_spectator(std::uint16_t n) { return n >= kFirstSpectator && n <= kLastSpectator; }

/// What the server knows when a Hello arrives.
struct HandshakePolicy {
    Version version = kVersion;
    Hash256 fingerprint{};
    std::string_view password;            ///< empty = none
    std::uint32_t free_player_slots = 0;
    std::uint32_t free_spectator_slots = 0;
    bool banned = false;                  ///< address or account is on the ban list
    bool joinable = true;                 ///< false: the state of the match admits nobody
    std::span<const std::string> names;   ///< names in use
    /// Player to whom the Hello's token belongs and who may return; 0 = none.
    std::uint16_t returning_player = kServerPlayer;
};

/// Accepted, or the fields of Reject.
struct HandshakeVerdict {
    RejectCode code = RejectCode::none;  ///< none = welcome
    std::string text;                    ///< for people; names both sides of a mismatch
    std::uint16_t returning_player = kServerPlayer;  ///< not 0: this player is back
    bool welcome() const { return code == RejectCode::none; }
};

/// `hello` must have passed Message::receive. Checks in this order: application, version, ban, content, then for
/// newcomers password, state, room, name; a returning player needs only what comes before the password.
HandshakeVerdict judge_hello(const Hello& hello, const HandshakePolicy& policy);

/// Comparison whose time does not depend on the contents.
bool same_secret(ByteView a, ByteView b);

/// First 8 bytes (little-endian) of SHA-256 over "i3d-public" and the match seed: the seed clients may know
/// (GameStarted). The match seed itself is never sent.
std::uint64_t public_seed(std::uint64_t match_seed);

}  // namespace iron::protocol
