// One row a message: stable key, and on which channels each side may send it (net-messages.md 7.1, 8). The rows
// are read from the attributes of the schema.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"

namespace iron::protocol {

/// Transport channels (7.1).
enum class Channel : std::uint8_t { control = 0, events = 1, state = 2, text = 3, bulk = 4, input = 5 };
inline constexpr std::uint8_t kChannelCount = 6;

/// Who sends.
enum class Direction : std::uint8_t { from_client, from_server };

/// Reliable and ordered; the others are unreliable, newest wins.
constexpr bool is_reliable(Channel channel) { return channel != Channel::state && channel != Channel::input; }

/// Name for logs and metrics: "control", "events" ...
std::string_view to_string(Channel channel);

struct MessageInfo {
    Body body = Body::NONE;
    std::string name;              ///< as in the schema, e.g. "MirrorCreate"
    std::uint16_t key = 0;         ///< stable key of logs, metrics and documents, e.g. 0x0102
    std::uint8_t client_channels = 0;  ///< bit n: a client may send it on channel n
    std::uint8_t server_channels = 0;
    Channel client_channel = Channel::control;  ///< the usual one, if client_channels is not 0
    Channel server_channel = Channel::control;

    std::uint8_t channels(Direction from) const {
        return from == Direction::from_client ? client_channels : server_channels;
    }
    Channel usual_channel(Direction from) const {
        return from == Direction::from_client ? client_channel : server_channel;
    }
};

/// All messages in the order of the union.
std::span<const MessageInfo> messages();

/// nullptr for NONE and for members this build does not know.
const MessageInfo* find_message(Body body);
const MessageInfo* find_message(std::uint16_t key);

/// True if that side may send the message on the channel.
bool is_allowed(Body body, Direction from, Channel channel);

}  // namespace iron::protocol
