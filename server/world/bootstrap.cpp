#include "server/world/bootstrap.hpp"

#include <array>

namespace iron::world {

std::string_view boot_state_name(BootState state) {
    static constexpr std::array<std::string_view, 11> kNames{
        "NONE", "PROCESS_CREATED", "LIBRARY_READY", "ENTRYPOINTS_READY", "SHELL_CREATED", "GAME_CREATED",
        "SUBSYSTEMS_READY", "MAIN_LOOP", "SUBSYSTEMS_CLOSED", "GAME_DELETED", "SHELL_DELETED"};
    return kNames[static_cast<std::size_t>(state)];
}

Bootstrap::Bootstrap(std::vector<BootStep> steps)
    : steps_(std::move(steps)), created_(steps_.size(), false) {}

Bootstrap::~Bootstrap() { stop(); }

void Bootstrap::enter(BootState state) {
    state_ = state;
    history_.push_back(state);
}

Status Bootstrap::start() {
    if (state_ != BootState::none) return fail("boot_state", "the process was started before");
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const bool backwards = i > 0 && steps_[i].state < steps_[i - 1].state;
        if (backwards || steps_[i].state == BootState::none || steps_[i].state > BootState::subsystems_ready)
            return fail("boot_order", "step '" + steps_[i].name + "' is out of order");
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (auto made = steps_[i].create(); !made) {
            Error error = std::move(made).error();
            stop();
            return tl::unexpected(
                Error(std::move(error).wrap(ErrorFrame{"starting", "bootstrap", {}, {}, steps_[i].name, {}})));
        }
        created_[i] = true;
        const bool last_of_state = i + 1 == steps_.size() || steps_[i + 1].state != steps_[i].state;
        if (last_of_state) enter(steps_[i].state);
    }
    enter(BootState::main_loop);
    return {};
}

void Bootstrap::stop() {
    if (state_ >= BootState::subsystems_closed) return;
    // Flags decide, not the state: a start that stopped half way is torn down the same way.
    const bool ran = state_ != BootState::none;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        const BootState level = steps_[i].state;
        if (created_[i]) {
            created_[i] = false;
            if (steps_[i].destroy) steps_[i].destroy();
            destroyed_.push_back(steps_[i].name);
        }
        const bool first_of_state = i == 0 || steps_[i - 1].state != level;
        if (!first_of_state) continue;
        if (level == BootState::subsystems_ready) enter(BootState::subsystems_closed);
        if (level == BootState::game_created) enter(BootState::game_deleted);
        if (level == BootState::shell_created) enter(BootState::shell_deleted);
    }
    if (ran || !destroyed_.empty()) state_ = BootState::shell_deleted;
}

}  // namespace iron::world
