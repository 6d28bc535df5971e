// The six channels and the size limits of the wire. Source: net-messages.md 7.1, 7.2 (DD-NET-07).
#pragma once

#include <cstddef>
#include <cstdint>

namespace iron::transport {

enum class Channel : std::uint8_t { control = 0, events = 1, state = 2, text = 3, bulk = 4, input = 5 };
inline constexpr std::size_t kChannelCount = 6;

constexpr bool is_reliable(Channel channel) {
    return channel != Channel::state && channel != Channel::input;
}

/// Largest packet of a channel in bytes. A bulk chunk has 16 KiB of content; the rest is its table.
constexpr std::size_t max_packet_bytes(Channel channel) {
    switch (channel) {
        case Channel::state:
        case Channel::input: return 1200;
        case Channel::bulk: return 16 * 1024 + 256;
        default: return 64 * 1024;
    }
}

}  // namespace iron::transport
