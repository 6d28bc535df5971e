// Structures inside messages. Source: directplay.md 5.1-5.3.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "dpcompat/wire/sp_header.hpp"

namespace iron::dpcompat {

// Limits of directplay.md 13 [dd].
inline constexpr std::size_t kMaxSessionNameUnits = 255, kMaxNameUnits = 127, kMaxPasswordUnits = 127, kMaxChatUnits = 1023;
inline constexpr std::size_t kMaxPlayers = 1024, kMaxGroups = 256, kMaxPlayerData = 64 * 1024;

/// DPSESSIONDESC2, 80 bytes. The two pointers are garbage from Windows and are only carried.
struct SessionDesc {
    std::uint32_t flags = 0;
    Guid instance;
    Guid application;
    std::uint32_t max_players = 0;      ///< 0 = no limit; normal players only
    std::uint32_t current_players = 0;  ///< normal players (inferred)
    std::uint32_t name_pointer = 0, password_pointer = 0;
    std::uint32_t key = 0;  ///< Reserved1, the session key of the ids
    std::uint32_t reserved2 = 0;
    std::array<std::uint32_t, 4> user{};  ///< the game's own values
    bool operator==(const SessionDesc&) const = default;
};
inline constexpr std::size_t kSessionDescBytes = 80;

/// PACKEDPLAYER: a player or group in 03, 08, 09, 13, 2E, 38.
struct PackedPlayer {
    std::uint32_t flags = 0;
    DpId id = 0;
    DpId system_id = 0;  ///< system player of the owning machine
    std::uint32_t fixed_size = 48;  ///< 48; 44 (no parent) is accepted
    std::uint32_t version = kNewestVersion;  ///< meaningful for system players
    DpId parent = 0;
    std::optional<Text16> short_name, long_name;
    std::optional<SpData> sp_data;
    Bytes data;
    std::vector<DpId> ids;  ///< members of a group
    bool operator==(const PackedPlayer&) const = default;
};

/// SUPERPACKEDPLAYER: an entry of 29.
struct SuperPackedPlayer {
    std::uint32_t flags = 0;
    DpId id = 0;
    std::uint32_t version_or_system = 0;  ///< version with flag SYSPLAYER, else the owner's system player id
    std::optional<Text16> short_name, long_name;
    Bytes data;
    std::optional<SpData> sp_data;
    std::vector<DpId> ids;
    std::optional<DpId> parent;
    std::vector<DpId> shortcuts;
    bool operator==(const SuperPackedPlayer&) const = default;
};

/// A message body seen from its `play`: every access is checked and follows the offsets in the message
/// (directplay.md 13). `fixed` = end of the fixed part; variable parts lie behind it.
class BodyView {
public:
    explicit BodyView(ByteView from_play) : bytes_(from_play) {}
    std::size_t size() const { return bytes_.size(); }
    /// Error `dp_size` when the fixed part is not there. Call before word().
    Status require_fixed(std::size_t fixed);
    std::uint32_t word(std::size_t at) const { return load_le<std::uint32_t>(bytes_.data() + at); }
    ByteView fixed_bytes(std::size_t at, std::size_t count) const { return bytes_.subspan(at, count); }
    /// `count` bytes at a stored offset. Error `dp_offset`.
    Result<ByteView> part(std::uint64_t offset, std::uint64_t count) const;
    /// Everything from a stored offset on. Error `dp_offset`.
    Result<ByteView> tail(std::uint64_t offset) const;
    /// Text at a stored offset, which is absent when the offset is 0. Errors `dp_offset`, `dp_unterminated`,
    /// `dp_string` (longer than `limit` units). `end` receives the place behind the terminator.
    Result<std::optional<Text16>> text(std::uint32_t offset, std::size_t limit, std::size_t* end = nullptr) const;

private:
    ByteView bytes_;
    std::size_t fixed_ = 8;
};

/// Errors `dp_offset`, `dp_structure` (size word).
Result<SessionDesc> read_session_desc(const BodyView& body, std::uint64_t offset);
void write_session_desc(ByteWriter& out, const SessionDesc& desc);

/// `end` receives the place behind the structure and its ids. Errors `dp_offset`, `dp_structure`, `dp_string`,
/// `dp_unterminated`, `dp_size`, `dp_count`.
Result<PackedPlayer> read_packed_player(const BodyView& body, std::uint64_t offset, std::size_t* end = nullptr);
void write_packed_player(ByteWriter& out, const PackedPlayer& player);

/// Errors as above.
Result<SuperPackedPlayer> read_super_packed_player(ByteReader& in);
void write_super_packed_player(ByteWriter& out, const SuperPackedPlayer& player);

void write_text16(ByteWriter& out, const Text16& text);  ///< with terminator
void write_sp_data(ByteWriter& out, const SpData& data);

}  // namespace iron::dpcompat
