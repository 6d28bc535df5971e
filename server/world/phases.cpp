#include "server/world/phases.hpp"

#include <array>
#include <initializer_list>
#include <string>

namespace iron::world {

namespace {

constexpr std::uint32_t mask(std::initializer_list<Operation> operations) {
    std::uint32_t bits = 0;
    for (Operation o : operations) bits |= 1u << static_cast<std::uint32_t>(o);
    return bits;
}

using O = Operation;
constexpr std::uint32_t kReadOnly = mask({O::copy_state});

constexpr std::array<std::uint32_t, 13> kAllowed{
    mask({O::read_devices}),
    mask({O::accept_input}),
    mask({O::write_clock}),
    mask({O::write_objects, O::create_object, O::request_delete, O::enqueue, O::draw_random,
          O::derive_data}),
    mask({O::free_object, O::mutate_registry, O::change_owner, O::request_delete, O::enqueue}),
    mask({O::derive_data}),
    kReadOnly,
    kReadOnly,
    kReadOnly,
    mask({O::copy_state, O::notify, O::read_devices}),
    mask({O::evict_cache}),
    0,
    mask({O::write_clock, O::write_objects, O::create_object, O::request_delete, O::enqueue,
          O::draw_random, O::free_object, O::mutate_registry, O::change_owner, O::derive_data,
          O::copy_state}),
};

constexpr std::array<std::string_view, 13> kNames{
    "collect events", "input snapshot", "game clock", "calculate", "deferred operations",
    "derived data", "publish", "render world", "render UI", "end of frame", "maintenance", "idle",
    "loading"};

}  // namespace

std::string_view phase_name(Phase phase) { return kNames[static_cast<std::size_t>(phase)]; }

bool phase_allows(Phase phase, Operation operation) {
    return (kAllowed[static_cast<std::size_t>(phase)] >> static_cast<std::uint32_t>(operation) & 1) != 0;
}

Status PhaseTracker::begin_tick() {
    if (phase_ >= Phase::input && phase_ <= Phase::derive) {
        ++violations_;
        return fail("phase_nested", "a tick begins inside phase '" + std::string(phase_name(phase_)) + "'");
    }
    phase_ = Phase::collect;
    return {};
}

Status PhaseTracker::enter(Phase next) {
    if (phase_ > Phase::maintenance || next > Phase::maintenance || next <= phase_) {
        ++violations_;
        return fail("phase_regression", "phase '" + std::string(phase_name(next)) + "' after '" +
                                            std::string(phase_name(phase_)) + "'");
    }
    phase_ = next;
    return {};
}

Status PhaseTracker::check(Operation operation) const {
    if (phase_allows(phase_, operation)) return {};
    ++violations_;
    return fail("phase_forbidden", "operation " + std::to_string(static_cast<int>(operation)) +
                                       " in phase '" + std::string(phase_name(phase_)) + "'");
}

}  // namespace iron::world
