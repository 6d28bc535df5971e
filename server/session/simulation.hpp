// What the session layer needs of a world. The real one is behind world_simulation.hpp; tests of the
// session layer bring a small one of their own.
#pragma once

#include <cstdint>

#include "server/world/input.hpp"
#include "server/world/snapshot.hpp"
#include "shared/base/error.hpp"

namespace iron::session {

class Simulation {
public:
    virtual ~Simulation() = default;

    /// One tick, see World::step (a frame that passes here replays exactly).
    virtual Status step(const world::InputFrame& input) = 0;
    /// After the last step; never null.
    virtual world::SnapshotPtr snapshot() const = 0;
    virtual world::StateHash state_hash() const = 0;
    virtual world::Tick tick() const = 0;
    virtual bool paused() const = 0;
    virtual std::uint32_t scale_percent() const = 0;
};

}  // namespace iron::session
