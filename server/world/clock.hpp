// Game time: a count of ticks and nothing else (runtime.md 10).
#pragma once

#include <cstdint>

#include "server/world/ids.hpp"

namespace iron::world {

struct GameClock {
    Tick tick = 0;
    std::uint32_t step_ms = 20;
    bool paused = false;

    std::uint64_t game_time_ms() const { return tick * step_ms; }
    void advance() { ++tick; }
    bool operator==(const GameClock&) const = default;
};

}  // namespace iron::world
