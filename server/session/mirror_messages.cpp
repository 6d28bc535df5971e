#include "server/session/mirror_messages.hpp"

#include <algorithm>
#include <vector>

#include "protocol/limits.hpp"
#include "shared/base/text.hpp"

namespace iron::session {

namespace {

float finite(float v) { return is_finite(v) ? v : 0.0f; }
protocol::Vec3 wire_vec(Vec3 v) { return {finite(v.x), finite(v.y), finite(v.z)}; }

std::int32_t wire_coordinate(float wu, std::int32_t low) {
    const std::int64_t value = round_i64(static_cast<double>(wu) * protocol::kUnitsPerWu);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, low, protocol::kMaxCoordinate));
}

/// Orientation as sent: the yaw of the moving object, its tilt only where the client cannot compute it.
Vec3 wire_orientation(const world::ObjectView& object) {
    return {finite(object.orientation.x), finite(object.orientation.y), finite(object.yaw)};
}

}  // namespace

std::string wire_text(std::string_view cp1251, std::size_t max_bytes) {
    std::string out = cp1251_to_utf8(cp1251);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    if (out.size() > max_bytes) {
        std::size_t end = max_bytes;
        while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0) == 0x80) --end;
        out.resize(end);
    }
    return out;
}

std::string wire_prototype(const world::ObjectView& object) {
    return object.fixed ? wire_text(object.fixed->prototype_key, protocol::kMaxTextBytes) : std::string();
}

protocol::Pos3 wire_place(Vec3 position) {
    return {wire_coordinate(position.x, 0), wire_coordinate(position.y, 0),
            wire_coordinate(position.z, -protocol::kMaxCoordinate)};
}

flatbuffers::Offset<protocol::MirrorCreate> write_mirror_create(flatbuffers::FlatBufferBuilder& builder,
                                                               const world::ObjectView& object,
                                                               world::Tick tick) {
    static const world::ObjectStatic kNothing{};
    const world::ObjectStatic& fixed = object.fixed ? *object.fixed : kNothing;

    std::vector<flatbuffers::Offset<protocol::MirrorPart>> parts;
    for (const world::PartView& part : fixed.parts) {
        if (parts.size() == protocol::kMaxListItems) break;
        parts.push_back(protocol::CreateMirrorPart(
            builder, part.tag, part.parent_piece,
            builder.CreateString(wire_text(part.archive, protocol::kMaxNameBytes)),
            builder.CreateString(wire_text(part.entry, protocol::kMaxNameBytes))));
    }
    std::vector<flatbuffers::Offset<protocol::MirrorProperty>> properties;
    for (const world::PropertyView& property : fixed.properties) {
        if (properties.size() == protocol::kMaxListItems) break;
        properties.push_back(protocol::CreateMirrorProperty(
            builder, builder.CreateString(wire_text(property.name, protocol::kMaxNameBytes)),
            property.words[0], property.words[1], property.words[2], property.words[3]));
    }
    const auto prototype = builder.CreateString(wire_prototype(object));
    const auto part_list = builder.CreateVector(parts);
    const auto property_list = builder.CreateVector(properties);
    const protocol::Pos3 place = wire_place(object.position);
    const protocol::Vec3 orientation = wire_vec(wire_orientation(object));
    const protocol::Vec3 scale = wire_vec(fixed.scale);

    protocol::MirrorCreateBuilder out(builder);
    out.add_object(object.id.raw);
    out.add_owner(object.owner);
    out.add_clan(object.clan);
    out.add_logic_id(fixed.logic_id);
    out.add_scheme_type(fixed.scheme_type);
    out.add_prototype(prototype);
    out.add_parts(part_list);
    out.add_position(&place);
    out.add_orientation(&orientation);
    out.add_scale(&scale);
    out.add_life(object.life);
    out.add_life_max(object.life_max);
    out.add_behaviour_state(object.behaviour_state);
    out.add_properties(property_list);
    out.add_flags(object.flags);
    out.add_last_seen_tick(tick);
    return out.Finish();
}

protocol::QuantisedState quantised_start(const world::ObjectView& object) {
    const protocol::Pos3 place = wire_place(object.position);
    const Vec3 orientation = wire_orientation(object);
    protocol::MirrorStartFields fields;
    fields.x = place.x();
    fields.y = place.y();
    fields.z = place.z();
    fields.pitch = orientation.x;
    fields.roll = orientation.y;
    fields.yaw = orientation.z;
    fields.life = object.life;
    fields.life_max = object.life_max;
    fields.flags = object.flags;
    fields.behaviour_state = object.behaviour_state;
    return protocol::mirror_start(fields);
}

protocol::QuantisedState quantised_now(const world::ObjectView& object) {
    protocol::QuantisedState out;
    out.x = protocol::quantise_place(object.position.x);
    out.y = protocol::quantise_place(object.position.y);
    out.z = protocol::quantise_place(object.position.z);
    out.vx = protocol::quantise_speed(object.velocity.x);
    out.vy = protocol::quantise_speed(object.velocity.y);
    out.vz = protocol::quantise_speed(object.velocity.z);
    out.yaw = protocol::quantise_turn(object.yaw, 1024);
    out.turret_yaw = static_cast<std::uint8_t>(protocol::quantise_turn(object.turret_yaw, 256));
    out.turret_pitch = static_cast<std::uint8_t>(protocol::quantise_turn(object.turret_pitch, 256));
    out.pitch = static_cast<std::uint8_t>(protocol::quantise_turn(object.orientation.x, 256));
    out.roll = static_cast<std::uint8_t>(protocol::quantise_turn(object.orientation.y, 256));
    out.life = protocol::quantise_life(object.life, object.life_max);
    out.flags = static_cast<std::uint16_t>(object.flags & 0x3FFF);
    out.behaviour = object.behaviour_state;
    out.energy = object.energy;
    out.target = object.target.is_none() ? 0 : object.target.raw + 1;
    return out;
}

}  // namespace iron::session
