// The world of the game as a Simulation.
#pragma once

#include <memory>

#include "server/session/simulation.hpp"
#include "server/world/world.hpp"

namespace iron::session {

class WorldSimulation final : public Simulation {
public:
    explicit WorldSimulation(std::unique_ptr<world::World> world) : world_(std::move(world)) {}

    Status step(const world::InputFrame& input) override { return world_->step(input); }
    world::SnapshotPtr snapshot() const override { return world_->snapshot(); }
    world::StateHash state_hash() const override { return world_->state_hash(); }
    world::Tick tick() const override { return world_->tick(); }
    bool paused() const override { return world_->paused(); }
    std::uint32_t scale_percent() const override { return world_->scale_percent(); }

    world::World& world() { return *world_; }

private:
    std::unique_ptr<world::World> world_;
};

}  // namespace iron::session
