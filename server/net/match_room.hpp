// One match with its players and its state stream: everything of a match that a server process needs
// once per match. A process may own several; the loop serves them in order.
#pragma once

#include <cstdint>
#include <memory>

#include "server/net/snapshot_sender.hpp"
#include "server/session/match.hpp"
#include "server/session/session.hpp"
#include "server/world/step_accumulator.hpp"

namespace iron::net {

struct RoomSettings {
    session::SessionSettings session;
    StateSettings state;
    world::Tick stop_after = 0;  ///< ticks, 0 = no limit
};

class MatchRoom {
public:
    /// Error `bad_step` for a zero step.
    static Result<std::unique_ptr<MatchRoom>> create(std::unique_ptr<session::Simulation> simulation,
                                                     std::unique_ptr<session::InputRecorder> recorder,
                                                     session::Outbox& out, RoomSettings settings);

    /// Runs the steps that are due at `now_ms` (platform clock), sends what they produced, serves
    /// newcomers and deadlines. An error ends the match.
    Status advance(std::uint64_t now_ms);
    /// Real ms until advance() has something to do, at most `longest`.
    std::uint32_t idle_ms(std::uint64_t now_ms, std::uint32_t longest) const;
    /// The tick limit is reached.
    bool finished() const { return stop_after_ != 0 && match_.tick() >= stop_after_; }
    /// Goodbye to the players, end record to the log.
    Status close(protocol::GoodbyeReason reason, std::string_view text);

    session::Match& match() { return match_; }
    const session::Match& match() const { return match_; }
    session::Session& session() { return session_; }
    const session::Session& session() const { return session_; }
    const SnapshotSender& sender() const { return sender_; }
    std::uint64_t dropped_ms() const { return accumulator_.dropped_ms(); }

private:
    MatchRoom(std::unique_ptr<session::Simulation> simulation,
              std::unique_ptr<session::InputRecorder> recorder, session::Outbox& out,
              RoomSettings settings, world::StepAccumulator accumulator);
    Status step();

    session::Match match_;
    session::Session session_;
    SnapshotSender sender_;
    world::StepAccumulator accumulator_;
    world::Tick stop_after_;
    std::uint64_t last_ms_ = 0;
    bool clock_runs_ = false;
};

}  // namespace iron::net
