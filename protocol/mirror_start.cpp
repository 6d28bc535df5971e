#include "protocol/mirror_start.hpp"

namespace iron::protocol {

namespace {
/// 1/256 wu to 1/32 wu, nearest, halves up: integers only, so that both sides agree.
std::int32_t to_state_units(std::int32_t place) {
    constexpr std::int32_t kStep = kUnitsPerWu / kStateUnitsPerWu;
    const std::int32_t shifted = place + kStep / 2;
    return shifted >= 0 ? shifted / kStep : -((-shifted + kStep - 1) / kStep);
}
}  // namespace

QuantisedState mirror_start(const MirrorStartFields& fields) {
    QuantisedState out;
    out.x = to_state_units(fields.x);
    out.y = to_state_units(fields.y);
    out.z = to_state_units(fields.z);
    out.yaw = quantise_turn(fields.yaw, 1024);
    out.pitch = static_cast<std::uint8_t>(quantise_turn(fields.pitch, 256));
    out.roll = static_cast<std::uint8_t>(quantise_turn(fields.roll, 256));
    out.life = quantise_life(fields.life, fields.life_max);
    out.flags = static_cast<std::uint16_t>(fields.flags & 0x3FFF);
    out.behaviour = fields.behaviour_state;
    return out;
}

QuantisedState mirror_start(const MirrorCreate& message) {
    MirrorStartFields fields;
    fields.x = message.position()->x();
    fields.y = message.position()->y();
    fields.z = message.position()->z();
    fields.pitch = message.orientation()->x();
    fields.roll = message.orientation()->y();
    fields.yaw = message.orientation()->z();
    fields.life = message.life();
    fields.life_max = message.life_max();
    fields.flags = message.flags();
    fields.behaviour_state = message.behaviour_state();
    return mirror_start(fields);
}

}  // namespace iron::protocol
