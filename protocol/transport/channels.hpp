// Channels as the transport sees them. Source: net-messages.md 7.1, 7.2 (DD-NET-07).
#pragma once

#include "protocol/limits.hpp"
#include "protocol/registry.hpp"

namespace iron::transport {

using protocol::Channel;
using protocol::is_reliable;
using protocol::kChannelCount;

/// Largest packet of a channel in bytes.
constexpr std::size_t max_packet_bytes(Channel channel) {
    return is_reliable(channel) ? protocol::kMaxPacketBytes : protocol::kMaxDatagramBytes;
}

}  // namespace iron::transport
