// Every limit and period of the session layer as a named setting.
// Source: net-messages.md 5, 6, 7.2, 9, 10.
#pragma once

#include <cstdint>

#include "protocol/limits.hpp"

namespace iron::session {

struct SessionLimits {
    std::uint32_t inbound_window_ms = protocol::kInboundWindowMs;  ///< window of the next two
    std::uint32_t inbound_messages = protocol::kMaxInboundMessages;  ///< per client and window
    std::size_t inbound_bytes = protocol::kMaxInboundBytes;  ///< per client and window
    std::uint32_t commands_per_window = 30;       ///< per player and window of ticks
    std::uint32_t command_window_ticks = 50;
    std::uint32_t texts_per_window = 10;          ///< chat lines per client and second
    std::uint32_t resyncs_per_window = 2;         ///< full mirror bursts per client and 10 s
    std::uint32_t handshake_ms = 10'000;          ///< from transport to PlayerData
    std::uint32_t refused_linger_ms = 5'000;      ///< a refused client may ask for the content list
    std::uint32_t lagging_after_ms = 10'000;
    std::uint32_t lost_after_ms = 30'000;         ///< the transport closes a silent connection
    std::uint32_t grace_ms = 60'000;              ///< how long a lost player keeps his place
    std::uint32_t status_every_ms = 2'000;        ///< PlayerStatus with the ping of everybody
    std::uint32_t manual_hold_ticks = 12;         ///< 240 ms without input, then neutral
    std::uint32_t tick_end_every = 10;            ///< at least every so many ticks
    std::uint32_t view_hash_every = 50;           ///< ticks
    std::uint32_t pauses_per_player = 3;          ///< versus only
    std::uint32_t pause_ms = 60'000;              ///< versus only, each pause
    std::uint32_t pause_delay_ticks = 2;          ///< from the request to the effective tick
};

}  // namespace iron::session
