#include "server/session/match.hpp"

#include <algorithm>

namespace iron::session {

namespace {

world::WorldEvent refusal(const world::Command& command, std::uint8_t code) {
    world::WorldEvent event;
    event.kind = world::EventKind::command_result;
    event.player = command.player;
    event.sequence = command.sequence;
    event.order = command.order;
    event.code = code;
    event.left_out = static_cast<std::uint8_t>(std::min<std::size_t>(command.subjects.size(), 255));
    return event;
}

constexpr std::uint8_t kRateLimited = 9;  // net-messages.md 9.1

bool same_held(const world::ManualInput& a, const world::ManualInput& b) {
    world::ManualInput copy = a;
    copy.client_tick = b.client_tick;  // the time of sampling is not what is held
    return copy == b;
}

}  // namespace

Match::Match(std::unique_ptr<Simulation> simulation, std::unique_ptr<InputRecorder> recorder,
             const SessionLimits& limits, std::uint32_t checkpoint_every)
    : simulation_(std::move(simulation)),
      recorder_(std::move(recorder)),
      limits_(limits),
      checkpoint_every_(checkpoint_every) {}

void Match::decide(world::SessionAct act, world::PlayerNumber player, std::uint32_t value,
                   std::string name, world::ObjectId object, world::Tick at) {
    world::SessionCommand command;
    command.act = act;
    command.player = player;
    command.value = value;
    command.object = object;
    command.name = std::move(name);
    decisions_.emplace(std::max(at, tick() + 1), std::move(command));
}

void Match::command(world::Command command) { commands_.push_back(std::move(command)); }

void Match::manual(const world::ManualInput& input) {
    Held& held = held_[input.player];
    // An older sample of a reordered packet never replaces a newer one.
    if (held.arrived != 0 && input.object == held.newest.object &&
        static_cast<std::int32_t>(input.client_tick - held.newest.client_tick) <= 0)
        return;
    held.newest = input;
    held.arrived = tick() + 1;
}

void Match::forget(world::PlayerNumber player) {
    commands_.erase(std::remove_if(commands_.begin(), commands_.end(),
                                   [&](const world::Command& c) { return c.player == player; }),
                    commands_.end());
    held_.erase(player);
}

bool Match::has_work() const {
    if (!paused()) return true;
    return !commands_.empty() || (!decisions_.empty() && decisions_.begin()->first <= tick() + 1);
}

void Match::freeze_manual(world::InputFrame& frame) {
    for (auto& [player, held] : held_) {
        world::ManualInput effective = held.newest;
        if (frame.tick - held.arrived >= limits_.manual_hold_ticks) {
            effective = world::ManualInput{};
            effective.player = player;
            effective.object = held.newest.object;
            effective.client_tick = held.newest.client_tick;
        }
        if (held.any_entered && same_held(held.entered, effective)) {
            held.entered.client_tick = effective.client_tick;
            continue;
        }
        held.entered = effective;
        held.any_entered = true;
        frame.manual.push_back(effective);
    }
}

Result<StepResult> Match::step() {
    StepResult result;
    world::InputFrame frame;
    frame.tick = tick() + 1;

    const auto due = decisions_.upper_bound(frame.tick);
    for (auto it = decisions_.begin(); it != due; ++it) {
        it->second.sequence = next_session_sequence_++;
        frame.session.push_back(std::move(it->second));
    }
    decisions_.erase(decisions_.begin(), due);

    std::stable_sort(commands_.begin(), commands_.end(),
                     [](const world::Command& a, const world::Command& b) {
                         return a.player != b.player ? a.player < b.player : a.sequence < b.sequence;
                     });
    for (world::Command& command : commands_) {
        auto [rate, fresh] = rates_.try_emplace(command.player, limits_.commands_per_window,
                                                limits_.command_window_ticks);
        if (rate->second.take(frame.tick))
            frame.commands.push_back(std::move(command));
        else
            result.refused.push_back(refusal(command, kRateLimited));
    }
    commands_.clear();

    const bool stays_paused =
        paused() && std::none_of(frame.session.begin(), frame.session.end(), [](const auto& s) {
            return s.act == world::SessionAct::resume;
        });
    if (!stays_paused) freeze_manual(frame);

    const world::Tick before = tick();
    if (recorder_) IRON_CHECK(recorder_->input(frame));
    IRON_CHECK(simulation_->step(frame));
    if (recorder_ && checkpoint_every_ != 0 && tick() != before && tick() % checkpoint_every_ == 0)
        IRON_CHECK(recorder_->checkpoint(tick(), simulation_->state_hash()));
    result.snapshot = simulation_->snapshot();
    return result;
}

Status Match::finish() {
    if (finished_) return {};
    finished_ = true;
    if (recorder_) return recorder_->end(tick(), simulation_->state_hash());
    return {};
}

std::uint32_t Match::applied_input(world::PlayerNumber player) const {
    const auto it = held_.find(player);
    return it == held_.end() || !it->second.any_entered ? 0 : it->second.entered.client_tick;
}

}  // namespace iron::session
