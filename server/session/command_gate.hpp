// Commands of one connection on their way to the input boundary: sequence numbers without gaps,
// duplicates dropped, the table turned into the value the world understands.
// Source: net-messages.md 8.4, 9 (DD-NET-11). Limits of fields were checked by the protocol.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/messages.hpp"
#include "server/world/input.hpp"
#include "shared/base/error.hpp"

namespace iron::session {

class CommandGate {
public:
    /// The commands of the batch that are new, in order. Error `sequence_gap`: a protocol error.
    Result<std::vector<world::Command>> pass(const protocol::CommandBatch& batch,
                                             world::PlayerNumber player);
    /// The next sequence number to come; 1 at first.
    std::uint32_t next() const { return next_; }

private:
    std::uint32_t next_ = 1;
};

/// The newest sample of the message as held input of `player`.
world::ManualInput newest_sample(const protocol::ManualInput& message, world::PlayerNumber player);

}  // namespace iron::session
