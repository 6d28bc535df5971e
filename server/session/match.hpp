// One match: a simulation, what waits to enter it, and the log of what entered. No sockets, no
// players' connections, no clock: the server loop decides when step() happens.
// Source: runtime.md 9.3, 10, 11 (phases 1 to 6, 9); net-messages.md 9.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "server/session/input_recorder.hpp"
#include "server/session/limits.hpp"
#include "server/session/rate_window.hpp"
#include "server/session/simulation.hpp"

namespace iron::session {

/// What one step produced.
struct StepResult {
    world::SnapshotPtr snapshot;
    /// Commands that did not pass the input boundary (rate limited); they belong to this tick.
    std::vector<world::WorldEvent> refused;
};

class Match {
public:
    /// `recorder` may be null. `checkpoint_every` in ticks, 0 = none.
    Match(std::unique_ptr<Simulation> simulation, std::unique_ptr<InputRecorder> recorder,
          const SessionLimits& limits = {}, std::uint32_t checkpoint_every = 50);

    /// A decision of the session layer for tick `at` (or the next tick, if that is later). Its
    /// sequence number is given here.
    void decide(world::SessionAct act, world::PlayerNumber player, std::uint32_t value = 0,
                std::string name = {}, world::ObjectId object = {}, world::Tick at = 0);

    /// A player's command, already checked for form and sequence; enters the next tick.
    void command(world::Command command);
    /// Newest held input of a player; enters ticks where it changes, neutral after 12 ticks.
    void manual(const world::ManualInput& input);
    /// Commands and held input of the player that have not entered yet are dropped.
    void forget(world::PlayerNumber player);

    /// True if step() would do something now: the world runs, or something waits to be applied.
    bool has_work() const;
    /// Freezes the input of the next tick, logs it, steps. Errors are those of the simulation or the
    /// recorder and end the match.
    Result<StepResult> step();

    /// Closes the log. Called once, when the match is over or the server stops.
    Status finish();

    world::Tick tick() const { return simulation_->tick(); }
    bool paused() const { return simulation_->paused(); }
    std::uint32_t scale_percent() const { return simulation_->scale_percent(); }
    world::SnapshotPtr snapshot() const { return simulation_->snapshot(); }
    world::StateHash state_hash() const { return simulation_->state_hash(); }
    /// Client tick of the newest held input that has entered the world; 0 = none.
    std::uint32_t applied_input(world::PlayerNumber player) const;

private:
    struct Held {
        world::ManualInput newest;
        world::ManualInput entered;
        world::Tick arrived = 0;
        bool any_entered = false;
    };

    void freeze_manual(world::InputFrame& frame);

    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<InputRecorder> recorder_;
    SessionLimits limits_;
    std::uint32_t checkpoint_every_;
    std::uint32_t next_session_sequence_ = 1;
    std::multimap<world::Tick, world::SessionCommand> decisions_;  ///< by tick, then order of arrival
    std::vector<world::Command> commands_;
    std::map<world::PlayerNumber, Held> held_;
    std::map<world::PlayerNumber, RateWindow> rates_;
    bool finished_ = false;
};

}  // namespace iron::session
