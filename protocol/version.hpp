// Version of the wire (net-messages.md 7.2). The version of the rules, `sim_version`, belongs to the world; a log
// names both.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace iron::protocol {

/// Same major: peers interoperate. A newer minor only appends fields, members and enumeration values.
struct Version {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;
    bool operator==(const Version&) const = default;
};

inline constexpr Version kVersion{1, 0};

inline std::string to_string(Version v) { return std::to_string(v.major) + "." + std::to_string(v.minor); }

/// The DirectPlay application GUID of the game in wire order: `Hello.app_id`.
inline constexpr std::array<std::uint8_t, 16> kAppId = {0x01, 0x1f, 0x1d, 0x3c, 0x70, 0xa8, 0xd1, 0x11,
                                                        0x84, 0x00, 0x00, 0x00, 0x21, 0xb1, 0x44, 0x15};

}  // namespace iron::protocol
