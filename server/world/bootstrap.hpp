// Start and stop of a process as a list of steps with created flags (runtime.md 2.1, 2.4).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shared/base/error.hpp"

namespace iron::world {

/// States of runtime.md 2.1; entered in this order, left in reverse.
enum class BootState : std::uint8_t {
    none = 0, process_created, library_ready, entrypoints_ready, shell_created, game_created,
    subsystems_ready, main_loop, subsystems_closed, game_deleted, shell_deleted
};

std::string_view boot_state_name(BootState state);

/// One part that is created on the way up and destroyed on the way down. Several steps may share a
/// state; it is entered when the last of them succeeded.
struct BootStep {
    std::string name;
    BootState state = BootState::process_created;  ///< process_created .. subsystems_ready
    std::function<Status()> create;
    std::function<void()> destroy;  ///< may be empty
};

class Bootstrap {
public:
    explicit Bootstrap(std::vector<BootStep> steps);
    /// Whatever was created is destroyed.
    ~Bootstrap();
    Bootstrap(const Bootstrap&) = delete;
    Bootstrap& operator=(const Bootstrap&) = delete;

    /// Creates everything in order and ends in main_loop. On an error the created parts are destroyed in
    /// reverse and main_loop is never entered; the error names the step. Error `boot_order` for steps
    /// that go backwards, `boot_state` when called twice.
    Status start();
    /// Reverse shutdown by the created flags, from any state; calling it again does nothing.
    void stop();

    BootState state() const { return state_; }
    bool created(std::size_t step) const { return created_[step]; }
    /// States in the order they were entered, and step names in the order they were destroyed.
    const std::vector<BootState>& history() const { return history_; }
    const std::vector<std::string>& destroyed() const { return destroyed_; }

private:
    void enter(BootState state);

    std::vector<BootStep> steps_;
    std::vector<bool> created_;
    BootState state_ = BootState::none;
    std::vector<BootState> history_;
    std::vector<std::string> destroyed_;
};

}  // namespace iron::world
