#include "protocol/view_hash.hpp"

#include "shared/base/hash.hpp"

namespace iron::protocol {

namespace {

void put_count(ByteWriter& out, std::size_t count) { out.u32(static_cast<std::uint32_t>(count)); }

void put_block(ByteWriter& out, ByteView bytes) {
    put_count(out, bytes.size());
    out.bytes(bytes);
}

void put_mirror(ByteWriter& out, std::uint32_t id, const ViewMirror& mirror) {
    out.u32(id);
    out.u8(static_cast<std::uint8_t>(mirror.mode));
    out.u16(mirror.owner);
    out.u8(mirror.clan);
    put_block(out, as_bytes(mirror.prototype_key));
    put_count(out, mirror.attached.size());
    for (const auto& [child, piece] : mirror.attached) {
        out.u32(child);
        out.u32(piece);
    }
    put_count(out, mirror.items.size());
    for (const auto& [item, state] : mirror.items) {
        out.u8(item);
        out.u8(state);
    }
    put_count(out, mirror.life_pieces.size());
    for (const auto& [piece, value] : mirror.life_pieces) {
        out.u8(piece);
        out.u32(value.life);
        out.u8(value.flags);
    }
    put_block(out, mirror.building);
    put_block(out, mirror.orders);
}

template <class Key>
void put_blocks(ByteWriter& out, const std::map<Key, Bytes>& blocks) {
    put_count(out, blocks.size());
    for (const auto& [key, bytes] : blocks) {
        out.put(key);
        put_block(out, bytes);
    }
}

}  // namespace

bool ViewModel::create(std::uint32_t id, std::uint16_t owner, std::uint8_t clan,
                       std::string prototype_key) {
    const auto it = mirrors.find(id);
    if (it != mirrors.end() && it->second.mode == MirrorMode::live) return false;
    ViewMirror fresh;
    fresh.owner = owner;
    fresh.clan = clan;
    fresh.prototype_key = std::move(prototype_key);
    mirrors[id] = std::move(fresh);
    return true;
}

bool ViewModel::hide(std::uint32_t id, bool keep) {
    const auto it = mirrors.find(id);
    if (it == mirrors.end()) return false;
    if (!keep) return kill(id);
    it->second.mode = MirrorMode::remembered;
    return true;
}

bool ViewModel::kill(std::uint32_t id) {
    if (mirrors.erase(id) == 0) return false;
    for (auto& [other, mirror] : mirrors) mirror.attached.erase(id);
    return true;
}

bool ViewModel::change_owner(std::uint32_t id, std::uint16_t owner, std::uint8_t clan) {
    const auto it = mirrors.find(id);
    if (it == mirrors.end()) return false;
    it->second.owner = owner;
    it->second.clan = clan;
    return true;
}

Bytes ViewModel::canonical_bytes() const {
    ByteWriter out;
    put_count(out, mirrors.size());
    for (const auto& [id, mirror] : mirrors) put_mirror(out, id, mirror);
    put_blocks(out, clans);
    put_blocks(out, research);
    put_blocks(out, schemes);
    put_blocks(out, deposits);
    return out.take();
}

std::uint64_t ViewModel::hash() const { return xxh3_64(canonical_bytes()); }

}  // namespace iron::protocol
