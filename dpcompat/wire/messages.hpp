// Every message of DirectPlay 4 as a value, read and written without loss. Source: directplay.md 2-4, 6.
//
// A Message is what stands behind the SP header, from its `play` on. Fields that the page calls zero are not
// modelled; when a sender fills them, or puts its parts at unusual places, the received body is kept beside the
// typed view (`irregular`) and goes out again as long as the typed view is unchanged.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "dpcompat/wire/structures.hpp"

namespace iron::dpcompat {

/// Commands of directplay.md 3. Other values exist on the wire and are carried.
enum class Command : std::uint16_t {
    enum_sessions_reply = 0x01, enum_sessions = 0x02, enum_players_reply = 0x03, enum_player = 0x04,
    request_player_id = 0x05, request_group_id = 0x06, request_player_reply = 0x07, create_player = 0x08,
    create_group = 0x09, delete_player = 0x0B, delete_group = 0x0C, add_player_to_group = 0x0D,
    delete_player_from_group = 0x0E, player_data_changed = 0x0F, player_name_changed = 0x10, group_data_changed = 0x11,
    group_name_changed = 0x12, add_forward_request = 0x13, packet = 0x15, ping = 0x16, ping_reply = 0x17,
    you_are_dead = 0x18, player_wrapper = 0x19, session_desc_changed = 0x1A, challenge = 0x1C, access_granted = 0x1D,
    logon_denied = 0x1E, auth_error = 0x1F, negotiate = 0x20, challenge_response = 0x21, signed_message = 0x22,
    add_forward_reply = 0x24, ask_multicast = 0x25, ask_multicast_guaranteed = 0x26, add_shortcut_to_group = 0x27,
    delete_group_from_group = 0x28, super_enum_players_reply = 0x29, key_exchange = 0x2B, key_exchange_reply = 0x2C,
    chat = 0x2D, add_forward = 0x2E, add_forward_ack = 0x2F, packet2_data = 0x30, packet2_ack = 0x31,
    i_am_name_server = 0x35, voice = 0x36, multicast_delivery = 0x37, create_player_verify = 0x38,
};
/// "CREATEPLAYER", or "UNKNOWN" for a code without a meaning.
std::string_view command_name(std::uint16_t command);

/// 04, 18, 1E: no body.
struct EmptyBody { bool operator==(const EmptyBody&) const = default; };
/// A command without a known body.
struct UnknownBody { Bytes bytes; bool operator==(const UnknownBody&) const = default; };

struct EnumSessionsReplyBody {  // 01
    SessionDesc desc;
    std::optional<Text16> name;
    bool operator==(const EnumSessionsReplyBody&) const = default;
};
struct EnumSessionsBody {  // 02
    Guid application;
    std::uint32_t flags = 0;
    std::optional<Text16> password;
    bool operator==(const EnumSessionsBody&) const = default;
};
struct EnumPlayersReplyBody {  // 03
    SessionDesc desc;
    std::optional<Text16> name, password;
    std::vector<PackedPlayer> players, groups;
    std::uint32_t shortcut_count = 0;  ///< garbage, carried
    bool operator==(const EnumPlayersReplyBody&) const = default;
};
struct RequestIdBody {  // 05, 06
    std::uint32_t flags = 0;
    bool operator==(const RequestIdBody&) const = default;
};
struct RequestReplyBody {  // 07
    DpId id = 0;
    std::array<std::uint8_t, 24> security{};
    std::optional<Text16> sspi_provider, capi_provider;
    HResult result = kDpOk;
    bool operator==(const RequestReplyBody&) const = default;
};
struct CreateBody {  // 08, 09, 38
    DpId id = 0;
    PackedPlayer player;
    std::optional<Text16> password;
    bool reserved_tail = true;  ///< six zero bytes at the end; 08 and 38 are sent with them, 09 without
    bool operator==(const CreateBody&) const = default;
};
struct MembershipBody {  // 0B, 0C, 0D, 0E, 27, 28
    DpId player = 0;     ///< player, or child group of 27 and 28
    DpId group = 0;      ///< group, or parent group
    bool operator==(const MembershipBody&) const = default;
};
struct DataChangedBody {  // 0F, 11
    DpId id = 0;
    Bytes data;
    bool operator==(const DataChangedBody&) const = default;
};
struct NameChangedBody {  // 10, 12
    DpId id = 0;
    std::optional<Text16> short_name, long_name;
    bool operator==(const NameChangedBody&) const = default;
};
struct AddForwardRequestBody {  // 13
    DpId id = 0;
    PackedPlayer player;
    std::optional<Text16> password;
    std::uint32_t key = 0;  ///< Reserved1 of the session ([wine] [cap] [obs]; [spec] calls it a tick count)
    bool operator==(const AddForwardRequestBody&) const = default;
};
struct PacketBody {  // 15, 30
    Guid message;
    std::uint32_t index = 0;   ///< from 0
    std::uint32_t offset = 0;  ///< of this piece in the whole
    std::uint32_t total = 0;   ///< number of packets
    std::uint32_t whole_bytes = 0;
    Bytes piece;
    bool operator==(const PacketBody&) const = default;
};
struct PacketAckBody {  // 31
    Guid message;
    std::uint32_t index = 0;
    bool operator==(const PacketAckBody&) const = default;
};
struct PingBody {  // 16, 17
    DpId id = 0;
    std::uint32_t tick_ms = 0;
    bool operator==(const PingBody&) const = default;
};
struct WrapperBody {  // 19: from, to, data of a player message (layout inferred)
    Bytes inner;
    bool operator==(const WrapperBody&) const = default;
};
struct SessionDescChangedBody {  // 1A
    SessionDesc desc;
    std::optional<Text16> name, password;
    bool operator==(const SessionDescChangedBody&) const = default;
};
struct AuthTokenBody {  // 1C, 20, 21
    DpId system_id = 0;
    Bytes token;
    bool operator==(const AuthTokenBody&) const = default;
};
struct AccessGrantedBody {  // 1D
    Bytes key;
    bool operator==(const AccessGrantedBody&) const = default;
};
struct ResultBody {  // 1F, 24
    HResult result = kDpOk;
    bool operator==(const ResultBody&) const = default;
};
struct KeyExchangeBody {  // 2B, 2C
    Bytes session_key, public_key;
    bool operator==(const KeyExchangeBody&) const = default;
};
struct SignedBody {  // 22
    DpId system_id = 0;
    std::uint32_t flags = 0;
    Bytes message, signature;
    bool operator==(const SignedBody&) const = default;
};
struct MulticastBody {  // 25, 26, 37
    DpId group = 0, from = 0;
    Bytes message;  ///< from its `play`
    bool operator==(const MulticastBody&) const = default;
};
struct SuperEnumReplyBody {  // 29
    SessionDesc desc;
    std::optional<Text16> name, password;
    std::vector<SuperPackedPlayer> players, groups, shortcuts;
    bool operator==(const SuperEnumReplyBody&) const = default;
};
struct ChatBody {  // 2D
    DpId from = 0, to = 0;
    std::uint32_t flags = 0;  ///< bit 0 = guaranteed
    std::optional<Text16> text;
    bool operator==(const ChatBody&) const = default;
};
struct AddForwardBody {  // 2E
    DpId id = 0;
    PackedPlayer player;
    std::optional<Text16> password;
    bool operator==(const AddForwardBody&) const = default;
};
struct AddForwardAckBody {  // 2F
    DpId id = 0;
    bool operator==(const AddForwardAckBody&) const = default;
};
struct NameServerBody {  // 35
    DpId to = 0, system_id = 0;
    std::uint32_t flags = 7;
    std::optional<SpData> sp_data;
    bool operator==(const NameServerBody&) const = default;
};
struct VoiceBody {  // 36
    DpId from = 0, to = 0;
    Bytes packet;
    bool operator==(const VoiceBody&) const = default;
};

using Body = std::variant<UnknownBody, EmptyBody, EnumSessionsReplyBody, EnumSessionsBody, EnumPlayersReplyBody, RequestIdBody,
                          RequestReplyBody, CreateBody, MembershipBody, DataChangedBody, NameChangedBody, AddForwardRequestBody,
                          PacketBody, PacketAckBody, PingBody, WrapperBody, SessionDescChangedBody, AuthTokenBody,
                          AccessGrantedBody, ResultBody, KeyExchangeBody, SignedBody, MulticastBody, SuperEnumReplyBody, ChatBody,
                          AddForwardBody, AddForwardAckBody, NameServerBody, VoiceBody>;

struct Message {
    std::uint16_t command = 0;
    std::uint16_t version = kNewestVersion;
    Body body;
    Bytes trailing;   ///< behind the last part
    Bytes irregular;  ///< the received body when write_message() would lay it out differently

    Command code() const { return static_cast<Command>(command); }
    template <class T>
    const T* as() const { return std::get_if<T>(&body); }
};
Message make_message(Command command, Body body, std::uint16_t version = kNewestVersion);

/// Reads from `play` to the end of `bytes`. Errors `dp_size`, `dp_signature` and those of the structures.
Result<Message> read_message(ByteView bytes);
/// The bytes from `play` on; equal to what was read unless the typed view was changed.
Bytes write_message(const Message& message);

// ---- whole blocks (with SP header)

/// from, to, data (directplay.md 6). With NOMESSAGEID both ids are absent on the wire and 0 here.
struct PlayerMessage {
    DpId from = 0, to = kIdAll;
    Bytes data;
    bool operator==(const PlayerMessage&) const = default;
};
struct Block {
    SpHeader header;
    std::variant<Message, PlayerMessage> content;
    const Message* message() const { return std::get_if<Message>(&content); }
    const PlayerMessage* player() const { return std::get_if<PlayerMessage>(&content); }
};

/// Reads a whole block whose header was checked with check_block(). Errors of read_message(), `dp_size`.
Result<Block> read_block(ByteView bytes, bool no_message_id = false);
/// The same bytes that were read. The header's size is recomputed.
Bytes write_block(const Block& block, bool no_message_id = false);
/// A block with our own header: `tcp_port` is the sender's listening port, address 0.0.0.0, padding zero.
Bytes frame_message(const Message& message, std::uint16_t tcp_port);
Bytes frame_player_message(const PlayerMessage& message, std::uint16_t tcp_port, bool no_message_id = false);

/// The bare form of a UDP data port (directplay.md 6.2). Error `dp_size`.
Result<PlayerMessage> read_bare_player_message(ByteView bytes, bool no_message_id = false);
Bytes write_bare_player_message(const PlayerMessage& message, bool no_message_id = false);

}  // namespace iron::dpcompat
