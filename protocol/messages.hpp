// All generated messages of the wire (net-messages.md 8): one include for users of the protocol.
// Field names and limits are in the schema files beside this header.
#pragma once

#include <cstdint>

#include <flatbuffers/flatbuffers.h>

#include "protocol/envelope_generated.h"

namespace iron::protocol {

static_assert(sizeof(StateHeader) == 24, "the header of a state datagram is 24 bytes (net-messages.md 7.2)");

inline constexpr std::uint32_t kNoObject = 0xFFFFFFFFu;  ///< objid: none
inline constexpr std::uint32_t kNoNative = 0xFFFFFFFFu;  ///< Envelope.native: no native number
inline constexpr std::int32_t kUnitsPerWu = 256;         ///< Pos2, Pos3: 1/256 wu

}  // namespace iron::protocol
