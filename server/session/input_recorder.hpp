// Where a match writes everything that crosses its input boundary, so that it can be replayed.
#pragma once

#include "server/world/input.hpp"
#include "server/world/snapshot.hpp"
#include "shared/base/error.hpp"

namespace iron::session {

class InputRecorder {
public:
    virtual ~InputRecorder() = default;
    /// Before the frame is stepped; frames without input may be left out.
    virtual Status input(const world::InputFrame& frame) = 0;
    /// After the tick that published this hash.
    virtual Status checkpoint(world::Tick tick, const world::StateHash& hash) = 0;
    /// The match ended in order after `tick`.
    virtual Status end(world::Tick tick, const world::StateHash& hash) = 0;
};

}  // namespace iron::session
