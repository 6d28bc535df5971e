// The reliable part of what one client was told, and its hash. Server and client keep one
// ViewModel each, change it by the same calls and compare hashes at TickEnd.
// Source: net-messages.md 4.3 (life cycle), 8.3 (DD-NET-16).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "shared/base/bytes.hpp"

namespace iron::protocol {

/// How a known mirror is held.
enum class MirrorMode : std::uint8_t {
    live = 0,
    remembered = 1  ///< hidden, kept as last seen (MirrorHide mode 1)
};

struct LifePiece {
    std::uint32_t life = 0;
    std::uint8_t flags = 0;
    bool operator==(const LifePiece&) const = default;
};

struct ViewMirror {
    MirrorMode mode = MirrorMode::live;
    std::uint16_t owner = 0;
    std::uint8_t clan = 0xFF;
    std::string prototype_key;
    std::map<std::uint32_t, std::uint32_t> attached;  ///< child id -> piece of this object
    std::map<std::uint8_t, std::uint8_t> items;       ///< item -> state
    std::map<std::uint8_t, LifePiece> life_pieces;
    Bytes building;  ///< canonical bytes of the last BuildingState; empty = none
    Bytes orders;    ///< canonical bytes of the last UnitOrders; empty = none
    bool operator==(const ViewMirror&) const = default;
};

struct ViewModel {
    std::map<std::uint32_t, ViewMirror> mirrors;  ///< live and remembered, by object id
    // Canonical bytes of the last message, by its key.
    std::map<std::uint8_t, Bytes> clans;
    std::map<std::uint8_t, Bytes> research;
    std::map<std::uint8_t, Bytes> schemes;
    std::map<std::uint16_t, Bytes> deposits;

    bool operator==(const ViewModel&) const = default;

    /// MirrorCreate. A live id creates nothing (false); a remembered one becomes live again with
    /// the values given.
    bool create(std::uint32_t id, std::uint16_t owner, std::uint8_t clan, std::string prototype_key);
    /// MirrorHide: `keep` false forgets the object. False for an unknown id.
    bool hide(std::uint32_t id, bool keep);
    /// ObjectKill: the mirror and every attachment to or from it end. False for an unknown id.
    bool kill(std::uint32_t id);
    /// ObjectOwner: never makes a second object. False for an unknown id.
    bool change_owner(std::uint32_t id, std::uint16_t owner, std::uint8_t clan);

    /// Integers little-endian, strings and byte blocks with a u32 length, every list with a u32 count;
    /// mirrors by id, then clans, research, schemes, deposits by key.
    Bytes canonical_bytes() const;
    /// XXH3-64 over canonical_bytes().
    std::uint64_t hash() const;
};

}  // namespace iron::protocol
