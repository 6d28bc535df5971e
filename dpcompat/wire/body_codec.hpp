// Bodies by command; internal to wire/.
#pragma once

#include "dpcompat/wire/messages.hpp"

namespace iron::dpcompat {

/// `from_play` is the whole message from `play` on.
Result<Body> read_body(std::uint16_t command, ByteView from_play);
/// The body behind the version word, laid out the usual way.
Bytes write_body(const Body& body);

}  // namespace iron::dpcompat
