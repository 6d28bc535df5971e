// Limits of the wire as named constants (net-messages.md 7.2, 10). Limits of single fields are attributes in the
// schema.
#pragma once

#include <cstddef>
#include <cstdint>

namespace iron::protocol {

inline constexpr std::size_t kMaxPacketBytes = 64 * 1024;      ///< channels 0, 1, 3, 4
inline constexpr std::size_t kMaxDatagramBytes = 1200;         ///< channels 2 and 5
inline constexpr std::size_t kMaxChunkBytes = 16 * 1024;       ///< bytes of one bulk chunk
inline constexpr std::size_t kMaxTextBytes = 512;              ///< texts for people
inline constexpr std::size_t kMaxNameBytes = 64;               ///< strings without a limit of their own
inline constexpr std::size_t kMaxListItems = 1024;             ///< lists without a limit of their own
inline constexpr std::uint32_t kVerifierDepth = 16;
inline constexpr std::uint32_t kVerifierTables = 4096;
inline constexpr std::uint32_t kMaxInboundMessages = 256;      ///< per client and window
inline constexpr std::size_t kMaxInboundBytes = 64 * 1024;     ///< per client and window
inline constexpr std::uint32_t kInboundWindowMs = 100;
inline constexpr std::size_t kMaxReassemblyBytes = 256 * 1024; ///< fragments in flight
inline constexpr std::uint32_t kReassemblyMs = 5000;
inline constexpr std::uint32_t kHandshakesPerSecond = 5;       ///< per address
inline constexpr std::int32_t kMaxCoordinate = 10000 * 256;    ///< 10000 wu in 1/256 wu
inline constexpr std::size_t kMaxStateEntries = 4096;          ///< entries of one state packet
inline constexpr std::size_t kStateBudgetBytes = 1100;         ///< data bytes of one state packet
inline constexpr std::size_t kViewRingSize = 64;               ///< state packets a base may be old

}  // namespace iron::protocol
