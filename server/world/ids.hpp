// Object identity. Source: runtime.md 8 (DD-RT-09 for the bit layout).
#pragma once

#include <compare>
#include <cstdint>

namespace iron::world {

using Tick = std::uint64_t;
using PlayerNumber = std::uint16_t;  ///< 0 server/nobody, 1..64 = clan index + 1, 0x0100.. spectators

inline constexpr PlayerNumber kNoPlayer = 0;
inline constexpr PlayerNumber kInvalidPlayer = 0xFFFF;

/// The identity scripts, network, saves and traces use: owner at creation, class, index.
struct ObjectId {
    std::uint32_t raw = 0xFFFFFFFFu;

    static constexpr ObjectId none() { return {}; }
    static constexpr ObjectId make(PlayerNumber owner, std::uint32_t logic_class, std::uint32_t index) {
        return {static_cast<std::uint32_t>(owner) << 16 | (logic_class & 0xF) << 12 | (index & 0xFFF)};
    }
    constexpr bool is_none() const { return raw == 0xFFFFFFFFu; }
    constexpr PlayerNumber owner() const { return static_cast<PlayerNumber>(raw >> 16); }
    constexpr std::uint32_t logic_class() const { return raw >> 12 & 0xF; }
    constexpr std::uint32_t index() const { return raw & 0xFFF; }
    constexpr auto operator<=>(const ObjectId&) const = default;
};

/// The internal reference: a slot and its generation; never leaves the process.
struct ObjectHandle {
    std::uint32_t slot = 0xFFFFFFFFu;
    std::uint32_t generation = 0;
    constexpr bool operator==(const ObjectHandle&) const = default;
};

/// Logic ids of component classes (runtime.md 3.2).
enum class LogicId : std::uint8_t {
    landscape = 1, weapon = 2, building = 3, unit = 4, camera = 5, atmosphere = 7,
    bullet = 9, statics = 10, research = 11, agent12 = 12
};

}  // namespace iron::world
