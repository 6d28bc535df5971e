#include "dpcompat/wire/structures.hpp"

#include <algorithm>

namespace iron::dpcompat {
namespace {

/// Units up to the terminator inside `bytes`. Errors `dp_unterminated`, `dp_string`.
Result<Text16> scan_text(ByteView bytes, std::size_t limit, std::size_t* used) {
    Text16 out;
    for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
        const auto unit = load_le<std::uint16_t>(bytes.data() + at);
        if (unit == 0) {
            if (used) *used = at + 2;
            return out;
        }
        if (out.size() == limit) return fail("dp_string", "a text has more than " + std::to_string(limit) + " units");
        out += static_cast<char16_t>(unit);
    }
    return fail("dp_unterminated", "a text has no terminator inside the message");
}

/// A name of a PACKEDPLAYER: its byte count is stored, terminator included.
Result<std::optional<Text16>> sized_text(ByteView bytes) {
    if (bytes.empty()) return std::optional<Text16>();
    IRON_TRY(Text16 text, scan_text(bytes, kMaxNameUnits, nullptr));
    return std::optional<Text16>(std::move(text));
}

SpData read_sp_data(const std::uint8_t* p) { return {read_sock_addr(p), read_sock_addr(p + 16)}; }

std::uint32_t text_bytes(const std::optional<Text16>& text) {
    return text ? static_cast<std::uint32_t>(2 * (text->size() + 1)) : 0;
}

std::uint32_t code_for(std::size_t value) { return value == 0 ? 0 : value < 0x100 ? 1 : value < 0x10000 ? 2 : 3; }

void put_coded(ByteWriter& out, std::uint32_t code, std::size_t value) {
    if (code == 1) out.u8(static_cast<std::uint8_t>(value));
    if (code == 2) out.u16(static_cast<std::uint16_t>(value));
    if (code == 3) out.u32(static_cast<std::uint32_t>(value));
}

/// A length or count whose width is a two-bit code; 3 means four bytes (directplay.md 5.3).
Result<std::uint32_t> read_coded(ByteReader& in, std::uint32_t code) {
    const auto short_of = [] { return fail("dp_size", "an entry of the player table ends early"); };
    if (code == 0) return 0u;
    if (code == 1) {
        const auto v = in.u8("length");
        if (!v) return short_of();
        return std::uint32_t{*v};
    }
    if (code == 2) {
        const auto v = in.u16("length");
        if (!v) return short_of();
        return std::uint32_t{*v};
    }
    const auto v = in.u32("length");
    if (!v) return short_of();
    return *v;
}

Result<std::vector<DpId>> read_ids(ByteReader& in, std::uint32_t count) {
    if (count > in.remaining() / 4) return fail("dp_count", "an entry claims " + std::to_string(count) + " ids");
    std::vector<DpId> ids(count);
    for (DpId& id : ids) id = *in.u32("id");
    return ids;
}

}  // namespace

Status BodyView::require_fixed(std::size_t fixed) {
    if (bytes_.size() < fixed)
        return fail("dp_size", "a body of " + std::to_string(bytes_.size()) + " bytes needs " + std::to_string(fixed));
    fixed_ = fixed;
    return {};
}

Result<ByteView> BodyView::part(std::uint64_t offset, std::uint64_t count) const {
    if (offset < fixed_ || offset > bytes_.size() || count > bytes_.size() - offset)
        return fail("dp_offset", "a part at " + std::to_string(offset) + " of " + std::to_string(count) +
                                     " bytes is outside the body of " + std::to_string(bytes_.size()));
    return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

Result<ByteView> BodyView::tail(std::uint64_t offset) const {
    return part(offset, offset <= bytes_.size() ? bytes_.size() - offset : 1);
}

Result<std::optional<Text16>> BodyView::text(std::uint32_t offset, std::size_t limit, std::size_t* end) const {
    if (offset == 0) return std::optional<Text16>();
    IRON_TRY(const ByteView rest, tail(offset));
    std::size_t used = 0;
    IRON_TRY(Text16 text, scan_text(rest, limit, &used));
    if (end) *end = offset + used;
    return std::optional<Text16>(std::move(text));
}

Result<SessionDesc> read_session_desc(const BodyView& body, std::uint64_t offset) {
    IRON_TRY(const ByteView bytes, body.part(offset, kSessionDescBytes));
    const auto word = [&](std::size_t at) { return load_le<std::uint32_t>(bytes.data() + at); };
    if (word(0) != kSessionDescBytes) return fail("dp_structure", "session description of " + std::to_string(word(0)) + " bytes");
    SessionDesc desc;
    desc.flags = word(4);
    std::copy_n(bytes.data() + 8, 16, desc.instance.bytes.begin());
    std::copy_n(bytes.data() + 24, 16, desc.application.bytes.begin());
    desc.max_players = word(40);
    desc.current_players = word(44);
    desc.name_pointer = word(48);
    desc.password_pointer = word(52);
    desc.key = word(56);
    desc.reserved2 = word(60);
    for (std::size_t i = 0; i < 4; ++i) desc.user[i] = word(64 + 4 * i);
    return desc;
}

void write_session_desc(ByteWriter& out, const SessionDesc& desc) {
    out.u32(kSessionDescBytes);
    out.u32(desc.flags);
    out.bytes(desc.instance.bytes);
    out.bytes(desc.application.bytes);
    for (std::uint32_t v : {desc.max_players, desc.current_players, desc.name_pointer, desc.password_pointer, desc.key, desc.reserved2})
        out.u32(v);
    for (std::uint32_t v : desc.user) out.u32(v);
}

Result<PackedPlayer> read_packed_player(const BodyView& body, std::uint64_t offset, std::size_t* end) {
    IRON_TRY(const ByteView head, body.part(offset, 44));
    const auto word = [&](std::size_t at) { return load_le<std::uint32_t>(head.data() + at); };
    const std::uint64_t size = word(0), short_bytes = word(12), long_bytes = word(16), sp_bytes = word(20), data_bytes = word(24),
                        id_count = word(28);
    PackedPlayer out;
    out.flags = word(4);
    out.id = word(8);
    out.system_id = word(32);
    out.fixed_size = word(36);
    out.version = word(40);
    if (out.fixed_size != 48 && out.fixed_size != 44)
        return fail("dp_structure", "fixed part of " + std::to_string(out.fixed_size) + " bytes in a packed player");
    if (out.fixed_size == 48) {
        IRON_TRY(const ByteView full, body.part(offset, 48));
        out.parent = load_le<std::uint32_t>(full.data() + 44);
    }
    for (std::uint64_t name : {short_bytes, long_bytes})
        if (name % 2 != 0) return fail("dp_string", "a name of " + std::to_string(name) + " bytes");
    if (sp_bytes != 0 && sp_bytes != 32) return fail("dp_size", "provider data of " + std::to_string(sp_bytes) + " bytes");
    if (data_bytes > kMaxPlayerData) return fail("dp_size", "player data of " + std::to_string(data_bytes) + " bytes");
    if (size < out.fixed_size) return fail("dp_size", "packed player of " + std::to_string(size) + " bytes");
    IRON_TRY(const ByteView whole, body.part(offset, size));
    if (size != out.fixed_size + short_bytes + long_bytes + sp_bytes + data_bytes)
        return fail("dp_size", "the parts of a packed player do not fill its " + std::to_string(size) + " bytes");
    std::size_t at = out.fixed_size;
    const auto next = [&](std::uint64_t count) {
        const ByteView v = whole.subspan(at, static_cast<std::size_t>(count));
        at += static_cast<std::size_t>(count);
        return v;
    };
    IRON_TRY(out.short_name, sized_text(next(short_bytes)));
    IRON_TRY(out.long_name, sized_text(next(long_bytes)));
    if (sp_bytes == 32) out.sp_data = read_sp_data(next(32).data());
    const ByteView data = next(data_bytes);
    out.data.assign(data.begin(), data.end());
    IRON_TRY(const ByteView rest, body.tail(offset + size));
    ByteReader in(rest);
    IRON_TRY(out.ids, read_ids(in, static_cast<std::uint32_t>(id_count)));
    if (end) *end = static_cast<std::size_t>(offset + size) + 4 * out.ids.size();
    return out;
}

void write_packed_player(ByteWriter& out, const PackedPlayer& p) {
    const std::uint32_t short_bytes = text_bytes(p.short_name), long_bytes = text_bytes(p.long_name), sp_bytes = p.sp_data ? 32 : 0;
    const auto data_bytes = static_cast<std::uint32_t>(p.data.size());
    out.u32(p.fixed_size + short_bytes + long_bytes + sp_bytes + data_bytes);
    for (std::uint32_t v : {p.flags, p.id, short_bytes, long_bytes, sp_bytes, data_bytes,
                            static_cast<std::uint32_t>(p.ids.size()), p.system_id, p.fixed_size, p.version})
        out.u32(v);
    if (p.fixed_size == 48) out.u32(p.parent);
    if (p.short_name) write_text16(out, *p.short_name);
    if (p.long_name) write_text16(out, *p.long_name);
    if (p.sp_data) write_sp_data(out, *p.sp_data);
    out.bytes(p.data);
    for (DpId id : p.ids) out.u32(id);
}

Result<SuperPackedPlayer> read_super_packed_player(ByteReader& in) {
    if (in.remaining() < 20) return fail("dp_count", "the player table ends before its last entry");
    if (*in.u32("size") != 16) return fail("dp_structure", "an entry of the player table has another size than 16");
    SuperPackedPlayer out;
    out.flags = *in.u32("flags");
    out.id = *in.u32("id");
    const std::uint32_t mask = *in.u32("mask");
    out.version_or_system = *in.u32("version or owner");
    for (auto* name : {&out.short_name, &out.long_name}) {
        if ((mask & (name == &out.short_name ? 1u : 2u)) == 0) continue;
        std::size_t used = 0;
        IRON_TRY(Text16 text, scan_text(in.whole().subspan(in.position()), kMaxNameUnits, &used));
        IRON_TRY([[maybe_unused]] const ByteView skipped, in.view(used, "name"));
        *name = std::move(text);
    }
    // Player data comes before provider data although its mask bits are higher.
    IRON_TRY(const std::uint32_t data_bytes, read_coded(in, mask >> 4 & 3));
    if (data_bytes > kMaxPlayerData || data_bytes > in.remaining())
        return fail("dp_size", "player data of " + std::to_string(data_bytes) + " bytes");
    const ByteView data = *in.view(data_bytes, "player data");
    out.data.assign(data.begin(), data.end());
    IRON_TRY(const std::uint32_t sp_bytes, read_coded(in, mask >> 2 & 3));
    if ((sp_bytes != 0 && sp_bytes != 32) || sp_bytes > in.remaining())
        return fail("dp_size", "provider data of " + std::to_string(sp_bytes) + " bytes");
    if (sp_bytes == 32) out.sp_data = read_sp_data(in.view(32, "provider data")->data());
    IRON_TRY(const std::uint32_t id_count, read_coded(in, mask >> 6 & 3));
    IRON_TRY(out.ids, read_ids(in, id_count));
    if (mask & 0x100) {
        if (in.remaining() < 4) return fail("dp_size", "an entry of the player table ends before its parent");
        out.parent = *in.u32("parent");
    }
    IRON_TRY(const std::uint32_t shortcut_count, read_coded(in, mask >> 9 & 3));
    IRON_TRY(out.shortcuts, read_ids(in, shortcut_count));
    return out;
}

void write_super_packed_player(ByteWriter& out, const SuperPackedPlayer& p) {
    const std::uint32_t data_code = code_for(p.data.size()), sp_code = p.sp_data ? 1 : 0, id_code = code_for(p.ids.size()),
                        shortcut_code = code_for(p.shortcuts.size());
    const std::uint32_t mask = (p.short_name ? 1u : 0u) | (p.long_name ? 2u : 0u) | sp_code << 2 | data_code << 4 | id_code << 6 |
                               (p.parent ? 0x100u : 0u) | shortcut_code << 9;
    for (std::uint32_t v : {16u, p.flags, p.id, mask, p.version_or_system}) out.u32(v);
    if (p.short_name) write_text16(out, *p.short_name);
    if (p.long_name) write_text16(out, *p.long_name);
    put_coded(out, data_code, p.data.size());
    out.bytes(p.data);
    if (p.sp_data) {
        out.u8(32);
        write_sp_data(out, *p.sp_data);
    }
    put_coded(out, id_code, p.ids.size());
    for (DpId id : p.ids) out.u32(id);
    if (p.parent) out.u32(*p.parent);
    put_coded(out, shortcut_code, p.shortcuts.size());
    for (DpId id : p.shortcuts) out.u32(id);
}

void write_text16(ByteWriter& out, const Text16& text) {
    for (char16_t unit : text) out.u16(static_cast<std::uint16_t>(unit));
    out.u16(0);
}

void write_sp_data(ByteWriter& out, const SpData& data) {
    write_sock_addr(out, data.tcp);
    write_sock_addr(out, data.udp);
}

}  // namespace iron::dpcompat
