#include "dpcompat/wire/body_codec.hpp"

namespace iron::dpcompat {
namespace {

std::uint32_t units_bytes(const std::optional<Text16>& text) {
    return text ? static_cast<std::uint32_t>(2 * (text->size() + 1)) : 0;
}

/// Appends variable parts and knows their place as the message will store it (counted from `play`).
class BodyWriter {
public:
    ByteWriter out;
    /// Where the next byte goes, in the page's p.
    std::uint32_t place() const { return static_cast<std::uint32_t>(out.size() + 8); }
    void words(std::initializer_list<std::uint32_t> values) {
        for (std::uint32_t v : values) out.u32(v);
    }
    void text(const std::optional<Text16>& text) {
        if (text) write_text16(out, *text);
    }
};

void write(BodyWriter& w, const UnknownBody& b) { w.out.bytes(b.bytes); }
void write(BodyWriter&, const EmptyBody&) {}

void write(BodyWriter& w, const EnumSessionsReplyBody& b) {
    write_session_desc(w.out, b.desc);
    w.out.u32(b.name ? 92 : 0);
    w.text(b.name);
}

void write(BodyWriter& w, const EnumSessionsBody& b) {
    w.out.bytes(b.application.bytes);
    w.words({b.password ? 32u : 0u, b.flags});
    w.text(b.password);
}

template <class B>
std::uint32_t write_table_head(BodyWriter& w, const B& b, std::uint32_t shortcuts) {
    const std::uint32_t name = b.name ? 116 : 0, password = 116 + units_bytes(b.name);
    const std::uint32_t entries = password + units_bytes(b.password);
    w.words({static_cast<std::uint32_t>(b.players.size()), static_cast<std::uint32_t>(b.groups.size()), entries, shortcuts, 36, name,
             b.password ? password : 0});
    write_session_desc(w.out, b.desc);
    w.text(b.name);
    w.text(b.password);
    return entries;
}

void write(BodyWriter& w, const EnumPlayersReplyBody& b) {
    write_table_head(w, b, b.shortcut_count);
    for (const auto* list : {&b.players, &b.groups})
        for (const PackedPlayer& p : *list) write_packed_player(w.out, p);
}

void write(BodyWriter& w, const SuperEnumReplyBody& b) {
    write_table_head(w, b, static_cast<std::uint32_t>(b.shortcuts.size()));
    for (const auto* list : {&b.players, &b.groups, &b.shortcuts})
        for (const SuperPackedPlayer& p : *list) write_super_packed_player(w.out, p);
}

void write(BodyWriter& w, const RequestIdBody& b) { w.out.u32(b.flags); }

void write(BodyWriter& w, const RequestReplyBody& b) {
    w.out.u32(b.id);
    w.out.bytes(b.security);
    w.words({b.sspi_provider ? 48u : 0u, b.capi_provider ? 48 + units_bytes(b.sspi_provider) : 0u, b.result});
    w.text(b.sspi_provider);
    w.text(b.capi_provider);
}

/// 0, id, 0, create offset, password offset, packed player, password.
template <class B>
void write_create(BodyWriter& w, const B& b) {
    w.words({0, b.id, 0, 28, 0});
    write_packed_player(w.out, b.player);
    if (b.password) w.out.patch(16, w.place());
    w.text(b.password);
}

void write(BodyWriter& w, const CreateBody& b) {
    write_create(w, b);
    if (b.reserved_tail) w.out.zeros(6);
}
void write(BodyWriter& w, const AddForwardRequestBody& b) {
    write_create(w, b);
    w.out.u32(b.key);
}
void write(BodyWriter& w, const AddForwardBody& b) { write_create(w, b); }

void write(BodyWriter& w, const MembershipBody& b) { w.words({0, b.player, b.group, 0, 0}); }

void write(BodyWriter& w, const DataChangedBody& b) {
    w.words({0, b.id, static_cast<std::uint32_t>(b.data.size()), 24});
    w.out.bytes(b.data);
}

void write(BodyWriter& w, const NameChangedBody& b) {
    w.words({0, b.id, b.short_name ? 24u : 0u, b.long_name ? 24 + units_bytes(b.short_name) : 0u});
    w.text(b.short_name);
    w.text(b.long_name);
}

void write(BodyWriter& w, const PacketBody& b) {
    w.out.bytes(b.message.bytes);
    w.words({b.index, static_cast<std::uint32_t>(b.piece.size()), b.offset, b.total, b.whole_bytes, 48});
    w.out.bytes(b.piece);
}

void write(BodyWriter& w, const PacketAckBody& b) {
    w.out.bytes(b.message.bytes);
    w.out.u32(b.index);
}

void write(BodyWriter& w, const PingBody& b) { w.words({b.id, b.tick_ms}); }
void write(BodyWriter& w, const WrapperBody& b) { w.out.bytes(b.inner); }

void write(BodyWriter& w, const SessionDescChangedBody& b) {
    w.words({0, b.name ? 100u : 0u, b.password ? 100 + units_bytes(b.name) : 0u});
    write_session_desc(w.out, b.desc);
    w.text(b.name);
    w.text(b.password);
}

void write(BodyWriter& w, const AuthTokenBody& b) {
    w.words({b.system_id, static_cast<std::uint32_t>(b.token.size()), 20});
    w.out.bytes(b.token);
}

void write(BodyWriter& w, const AccessGrantedBody& b) {
    w.words({static_cast<std::uint32_t>(b.key.size()), 16});
    w.out.bytes(b.key);
}

void write(BodyWriter& w, const ResultBody& b) { w.out.u32(b.result); }

void write(BodyWriter& w, const KeyExchangeBody& b) {
    const auto session = static_cast<std::uint32_t>(b.session_key.size()), pub = static_cast<std::uint32_t>(b.public_key.size());
    // 2C leaves the public part zero (directplay.md 4.16).
    w.words({session, 24, pub, pub == 0 ? 0 : 24 + session});
    w.out.bytes(b.session_key);
    w.out.bytes(b.public_key);
}

void write(BodyWriter& w, const SignedBody& b) {
    w.words({b.system_id, 28, static_cast<std::uint32_t>(b.message.size()), static_cast<std::uint32_t>(b.signature.size()), b.flags});
    w.out.bytes(b.message);
    w.out.bytes(b.signature);
}

void write(BodyWriter& w, const MulticastBody& b) {
    w.words({b.group, b.from, 20});
    w.out.bytes(b.message);
}

void write(BodyWriter& w, const ChatBody& b) {
    w.words({b.from, b.to, b.flags, b.text ? 24u : 0u});
    w.text(b.text);
}

void write(BodyWriter& w, const AddForwardAckBody& b) { w.out.u32(b.id); }

void write(BodyWriter& w, const NameServerBody& b) {
    w.words({b.to, b.system_id, b.flags, b.sp_data ? 32u : 0u});
    if (b.sp_data) write_sp_data(w.out, *b.sp_data);
}

void write(BodyWriter& w, const VoiceBody& b) {
    w.words({b.from, b.to});
    w.out.bytes(b.packet);
}

}  // namespace

Bytes write_body(const Body& body) {
    BodyWriter w;
    std::visit([&](const auto& b) { write(w, b); }, body);
    return w.out.take();
}

}  // namespace iron::dpcompat
