// The phases of a tick and what each allows (runtime.md 11). Every part of the world that mutates
// something asks the tracker, so that a forbidden operation is an error a test can see.
#pragma once

#include <cstdint>
#include <string_view>

#include "shared/base/error.hpp"

namespace iron::world {

enum class Phase : std::uint8_t {
    collect = 0, input, clock, calculate, deferred, derive, publish, render_world, render_ui,
    end_of_frame, maintenance,
    idle,    ///< between ticks: nothing may change
    loading  ///< building or tearing down a world: everything but devices may change
};

enum class Operation : std::uint8_t {
    read_devices, accept_input, write_clock, write_objects, create_object, request_delete,
    enqueue, draw_random, free_object, mutate_registry, change_owner, derive_data, copy_state,
    notify, evict_cache
};

std::string_view phase_name(Phase phase);
bool phase_allows(Phase phase, Operation operation);

/// Where the tick is. Phases 0 to 10 only go forward; `begin_tick` starts over.
class PhaseTracker {
public:
    Phase phase() const { return phase_; }
    /// Into `idle` or `loading` from anywhere.
    void rest() { phase_ = Phase::idle; }
    void load() { phase_ = Phase::loading; }
    /// From idle or after the last phase. Error `phase_nested` while a tick is in phases 1 to 5: a
    /// calculation inside a calculation is forbidden (DD-RT-08).
    Status begin_tick();
    /// Error `phase_regression` unless `next` is later than the current phase.
    Status enter(Phase next);
    /// Error `phase_forbidden`; counted, so that an ignored error still shows.
    Status check(Operation operation) const;
    std::uint64_t violations() const { return violations_; }

private:
    Phase phase_ = Phase::idle;
    mutable std::uint64_t violations_ = 0;
};

}  // namespace iron::world
