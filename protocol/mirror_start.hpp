// The values a mirror's state stream starts from: what both sides derive from a MirrorCreate.
// Source: net-messages.md 8.1 ("objects that are not in the base view start from their MirrorCreate values").
#pragma once

#include "protocol/messages.hpp"
#include "protocol/state_stream.hpp"

namespace iron::protocol {

/// The fields of a MirrorCreate that the stream continues.
struct MirrorStartFields {
    std::int32_t x = 0, y = 0, z = 0;  ///< 1/256 wu, as on the wire
    float pitch = 0, roll = 0, yaw = 0;  ///< rad: orientation x, y, z
    std::uint32_t life = 0, life_max = 0, flags = 0;
    std::uint8_t behaviour_state = 0;
};

/// Everything a MirrorCreate does not carry (velocity, turret, energy, target) is zero.
QuantisedState mirror_start(const MirrorStartFields& fields);
QuantisedState mirror_start(const MirrorCreate& message);

}  // namespace iron::protocol
