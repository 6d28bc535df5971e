#include <algorithm>

#include "dpcompat/wire/body_codec.hpp"

namespace iron::dpcompat {
namespace {

/// Bytes of `size` at `offset`; offset 0 = absent, which only an empty part may be.
Result<Bytes> blob(const BodyView& in, std::uint32_t offset, std::uint64_t size) {
    if (offset == 0 && size == 0) return Bytes{};
    IRON_TRY(const ByteView part, in.part(offset, size));
    return Bytes(part.begin(), part.end());
}

Bytes rest_from(const BodyView& in, std::size_t at) {
    const ByteView rest = in.fixed_bytes(at, in.size() - at);
    return Bytes(rest.begin(), rest.end());
}

Result<Body> enum_sessions_reply(BodyView in) {
    IRON_CHECK(in.require_fixed(92));  // all of it is there
    IRON_CHECK(in.require_fixed(8));   // the description is part of it
    EnumSessionsReplyBody out;
    IRON_TRY(out.desc, read_session_desc(in, 8));
    IRON_CHECK(in.require_fixed(92));
    IRON_TRY(out.name, in.text(in.word(88), kMaxSessionNameUnits));
    return out;
}

Result<Body> enum_sessions(BodyView in) {
    IRON_CHECK(in.require_fixed(32));
    EnumSessionsBody out;
    const ByteView guid = in.fixed_bytes(8, 16);
    std::copy(guid.begin(), guid.end(), out.application.bytes.begin());
    out.flags = in.word(28);
    IRON_TRY(out.password, in.text(in.word(24), kMaxPasswordUnits));
    return out;
}

/// The seven head words that 03 and 29 share.
struct TableHead {
    std::uint32_t players, groups, shortcuts;
    ByteView entries;
};
template <class Out>
Result<TableHead> table_head(BodyView& in, Out& out, std::size_t entry_bytes, bool shortcuts_count) {
    IRON_CHECK(in.require_fixed(36));
    TableHead head{in.word(8), in.word(12), in.word(20), {}};
    const std::uint64_t shortcuts = shortcuts_count ? head.shortcuts : 0;
    if (head.players > kMaxPlayers || head.groups > kMaxGroups || shortcuts > kMaxGroups)
        return fail("dp_count", std::to_string(head.players) + " players, " + std::to_string(head.groups) + " groups, " +
                                    std::to_string(shortcuts) + " shortcuts");
    IRON_TRY(out.desc, read_session_desc(in, in.word(24)));
    IRON_TRY(out.name, in.text(in.word(28), kMaxSessionNameUnits));
    IRON_TRY(out.password, in.text(in.word(32), kMaxPasswordUnits));
    const std::uint64_t count = std::uint64_t{head.players} + head.groups + shortcuts;
    if (count == 0) return head;
    IRON_TRY(head.entries, in.tail(in.word(16)));
    if (count > head.entries.size() / entry_bytes)
        return fail("dp_count", "a player table of " + std::to_string(head.entries.size()) + " bytes claims " +
                                    std::to_string(count) + " entries");
    return head;
}

Result<Body> enum_players_reply(BodyView in) {
    EnumPlayersReplyBody out;
    IRON_TRY(const TableHead head, table_head(in, out, 44, false));
    out.shortcut_count = head.shortcuts;
    std::size_t at = in.size() - head.entries.size();
    for (auto [list, count] : {std::pair(&out.players, head.players), std::pair(&out.groups, head.groups)})
        for (std::uint32_t i = 0; i < count; ++i) {
            IRON_TRY(PackedPlayer player, read_packed_player(in, at, &at));
            list->push_back(std::move(player));
        }
    return out;
}

Result<Body> super_enum_reply(BodyView in) {
    SuperEnumReplyBody out;
    IRON_TRY(const TableHead head, table_head(in, out, 20, true));
    ByteReader entries(head.entries);
    for (auto [list, count] : {std::pair(&out.players, head.players), std::pair(&out.groups, head.groups),
                               std::pair(&out.shortcuts, head.shortcuts)})
        for (std::uint32_t i = 0; i < count; ++i) {
            IRON_TRY(SuperPackedPlayer player, read_super_packed_player(entries));
            list->push_back(std::move(player));
        }
    return out;
}

Result<Body> request_id(BodyView in) {
    IRON_CHECK(in.require_fixed(12));
    return RequestIdBody{in.word(8)};
}

Result<Body> request_reply(BodyView in) {
    IRON_CHECK(in.require_fixed(48));
    RequestReplyBody out;
    out.id = in.word(8);
    const ByteView security = in.fixed_bytes(12, 24);
    std::copy(security.begin(), security.end(), out.security.begin());
    IRON_TRY(out.sspi_provider, in.text(in.word(36), kMaxNameUnits));
    IRON_TRY(out.capi_provider, in.text(in.word(40), kMaxNameUnits));
    out.result = in.word(44);
    return out;
}

/// Head of 08, 09, 13, 2E, 38: id, packed player, password; returns the place behind the last part.
template <class Out>
Result<std::size_t> create_head(BodyView& in, Out& out) {
    IRON_CHECK(in.require_fixed(28));
    out.id = in.word(12);
    std::size_t end = 0, password_end = 0;
    IRON_TRY(out.player, read_packed_player(in, in.word(20), &end));
    IRON_TRY(out.password, in.text(in.word(24), kMaxPasswordUnits, &password_end));
    return std::max(end, password_end);
}

Result<Body> create(BodyView in) {
    CreateBody out;
    IRON_TRY(const std::size_t end, create_head(in, out));
    out.reserved_tail = in.size() - end >= 6;
    return out;
}

Result<Body> add_forward_request(BodyView in) {
    AddForwardRequestBody out;
    IRON_TRY(const std::size_t end, create_head(in, out));
    if (in.size() - end < 4) return fail("dp_size", "a join request ends before its session key");
    out.key = in.word(end);
    return out;
}

Result<Body> add_forward(BodyView in) {
    AddForwardBody out;
    IRON_TRY([[maybe_unused]] const std::size_t end, create_head(in, out));
    return out;
}

Result<Body> membership(BodyView in) {
    IRON_CHECK(in.require_fixed(28));
    return MembershipBody{in.word(12), in.word(16)};
}

Result<Body> data_changed(BodyView in) {
    IRON_CHECK(in.require_fixed(24));
    DataChangedBody out;
    out.id = in.word(12);
    if (in.word(16) > kMaxPlayerData) return fail("dp_size", "player data of " + std::to_string(in.word(16)) + " bytes");
    IRON_TRY(out.data, blob(in, in.word(20), in.word(16)));
    return out;
}

Result<Body> name_changed(BodyView in) {
    IRON_CHECK(in.require_fixed(24));
    NameChangedBody out;
    out.id = in.word(12);
    IRON_TRY(out.short_name, in.text(in.word(16), kMaxNameUnits));
    IRON_TRY(out.long_name, in.text(in.word(20), kMaxNameUnits));
    return out;
}

Guid guid_at(const BodyView& in, std::size_t at) {
    Guid out;
    const ByteView bytes = in.fixed_bytes(at, 16);
    std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
    return out;
}

Result<Body> packet(BodyView in) {
    IRON_CHECK(in.require_fixed(48));
    PacketBody out;
    out.message = guid_at(in, 8);
    out.index = in.word(24);
    out.offset = in.word(32);
    out.total = in.word(36);
    out.whole_bytes = in.word(40);
    IRON_TRY(const ByteView piece, in.part(in.word(44), in.word(28)));
    out.piece.assign(piece.begin(), piece.end());
    return out;
}

Result<Body> packet_ack(BodyView in) {
    IRON_CHECK(in.require_fixed(28));
    return PacketAckBody{guid_at(in, 8), in.word(24)};
}

Result<Body> ping(BodyView in) {
    IRON_CHECK(in.require_fixed(16));
    return PingBody{in.word(8), in.word(12)};
}

Result<Body> session_desc_changed(BodyView in) {
    IRON_CHECK(in.require_fixed(100));
    IRON_CHECK(in.require_fixed(20));
    SessionDescChangedBody out;
    IRON_TRY(out.desc, read_session_desc(in, 20));
    IRON_CHECK(in.require_fixed(100));
    IRON_TRY(out.name, in.text(in.word(12), kMaxSessionNameUnits));
    IRON_TRY(out.password, in.text(in.word(16), kMaxPasswordUnits));
    return out;
}

Result<Body> auth_token(BodyView in) {
    IRON_CHECK(in.require_fixed(20));
    AuthTokenBody out;
    out.system_id = in.word(8);
    IRON_TRY(out.token, blob(in, in.word(16), in.word(12)));
    return out;
}

Result<Body> access_granted(BodyView in) {
    IRON_CHECK(in.require_fixed(16));
    AccessGrantedBody out;
    IRON_TRY(out.key, blob(in, in.word(12), in.word(8)));
    return out;
}

Result<Body> key_exchange(BodyView in) {
    IRON_CHECK(in.require_fixed(24));
    KeyExchangeBody out;
    IRON_TRY(out.session_key, blob(in, in.word(12), in.word(8)));
    IRON_TRY(out.public_key, blob(in, in.word(20), in.word(16)));
    return out;
}

Result<Body> signed_message(BodyView in) {
    IRON_CHECK(in.require_fixed(28));
    SignedBody out;
    out.system_id = in.word(8);
    out.flags = in.word(24);
    IRON_TRY(out.message, blob(in, in.word(12), in.word(16)));
    IRON_TRY(const ByteView signature, in.part(std::uint64_t{in.word(12)} + in.word(16), in.word(20)));
    out.signature.assign(signature.begin(), signature.end());
    return out;
}

Result<Body> multicast(BodyView in) {
    IRON_CHECK(in.require_fixed(20));
    MulticastBody out;
    out.group = in.word(8);
    out.from = in.word(12);
    IRON_TRY(const ByteView message, in.tail(in.word(16)));
    out.message.assign(message.begin(), message.end());
    return out;
}

Result<Body> chat(BodyView in) {
    IRON_CHECK(in.require_fixed(24));
    ChatBody out;
    out.from = in.word(8);
    out.to = in.word(12);
    out.flags = in.word(16);
    IRON_TRY(out.text, in.text(in.word(20), kMaxChatUnits));
    return out;
}

Result<Body> name_server(BodyView in) {
    IRON_CHECK(in.require_fixed(24));
    NameServerBody out;
    out.to = in.word(8);
    out.system_id = in.word(12);
    out.flags = in.word(16);
    const std::uint32_t bytes = in.word(20);
    if (bytes != 0 && bytes != 32) return fail("dp_size", "provider data of " + std::to_string(bytes) + " bytes");
    if (bytes == 32) {
        IRON_TRY(const ByteView data, in.part(24, 32));
        out.sp_data = SpData{read_sock_addr(data.data()), read_sock_addr(data.data() + 16)};
    }
    return out;
}

Result<Body> voice(BodyView in) {
    IRON_CHECK(in.require_fixed(16));
    return VoiceBody{in.word(8), in.word(12), rest_from(in, 16)};
}

}  // namespace

Result<Body> read_body(std::uint16_t command, ByteView from_play) {
    const BodyView in(from_play);
    switch (static_cast<Command>(command)) {
        case Command::enum_sessions_reply: return enum_sessions_reply(in);
        case Command::enum_sessions: return enum_sessions(in);
        case Command::enum_players_reply: return enum_players_reply(in);
        case Command::enum_player:
        case Command::you_are_dead:
        case Command::logon_denied: return Body(EmptyBody{});
        case Command::request_player_id:
        case Command::request_group_id: return request_id(in);
        case Command::request_player_reply: return request_reply(in);
        case Command::create_player:
        case Command::create_group:
        case Command::create_player_verify: return create(in);
        case Command::delete_player:
        case Command::delete_group:
        case Command::add_player_to_group:
        case Command::delete_player_from_group:
        case Command::add_shortcut_to_group:
        case Command::delete_group_from_group: return membership(in);
        case Command::player_data_changed:
        case Command::group_data_changed: return data_changed(in);
        case Command::player_name_changed:
        case Command::group_name_changed: return name_changed(in);
        case Command::add_forward_request: return add_forward_request(in);
        case Command::packet:
        case Command::packet2_data: return packet(in);
        case Command::packet2_ack: return packet_ack(in);
        case Command::ping:
        case Command::ping_reply: return ping(in);
        case Command::player_wrapper: return Body(WrapperBody{rest_from(in, 8)});
        case Command::session_desc_changed: return session_desc_changed(in);
        case Command::challenge:
        case Command::negotiate:
        case Command::challenge_response: return auth_token(in);
        case Command::access_granted: return access_granted(in);
        case Command::auth_error:
        case Command::add_forward_reply: {
            BodyView body = in;
            IRON_CHECK(body.require_fixed(12));
            return Body(ResultBody{body.word(8)});
        }
        case Command::signed_message: return signed_message(in);
        case Command::ask_multicast:
        case Command::ask_multicast_guaranteed:
        case Command::multicast_delivery: return multicast(in);
        case Command::super_enum_players_reply: return super_enum_reply(in);
        case Command::key_exchange:
        case Command::key_exchange_reply: return key_exchange(in);
        case Command::chat: return chat(in);
        case Command::add_forward: return add_forward(in);
        case Command::add_forward_ack: {
            BodyView body = in;
            IRON_CHECK(body.require_fixed(12));
            return Body(AddForwardAckBody{body.word(8)});
        }
        case Command::i_am_name_server: return name_server(in);
        case Command::voice: return voice(in);
    }
    return Body(UnknownBody{rest_from(in, 8)});
}

}  // namespace iron::dpcompat
