// From the world's views to MirrorCreate and to the state stream, with every value inside the limits
// of the wire. Source: net-messages.md 8 (MirrorCreate), 8.1.
#pragma once

#include <string>
#include <string_view>

#include "protocol/messages.hpp"
#include "protocol/mirror_start.hpp"
#include "server/world/snapshot.hpp"

namespace iron::session {

/// Text of the data files (CP1251) for the wire: UTF-8 without control characters, cut at
/// `max_bytes` between characters.
std::string wire_text(std::string_view cp1251, std::size_t max_bytes);

/// The prototype key as a client gets it; part of the view hash.
std::string wire_prototype(const world::ObjectView& object);

/// 1/256 wu, inside the map.
protocol::Pos3 wire_place(Vec3 position);

flatbuffers::Offset<protocol::MirrorCreate> write_mirror_create(flatbuffers::FlatBufferBuilder& builder,
                                                               const world::ObjectView& object,
                                                               world::Tick tick);

/// The start values the receiver of that object's MirrorCreate derives from it.
protocol::QuantisedState quantised_start(const world::ObjectView& object);
/// The quantised fields as the state stream shows them now.
protocol::QuantisedState quantised_now(const world::ObjectView& object);

}  // namespace iron::session
