#include "server/net/match_room.hpp"

#include <algorithm>

namespace iron::net {

MatchRoom::MatchRoom(std::unique_ptr<session::Simulation> simulation,
                     std::unique_ptr<session::InputRecorder> recorder, session::Outbox& out,
                     RoomSettings settings, world::StepAccumulator accumulator)
    : match_(std::move(simulation), std::move(recorder), settings.session.limits),
      session_(settings.session, match_, out),
      sender_(out, settings.state, settings.session.step_ms),
      accumulator_(accumulator),
      stop_after_(settings.stop_after) {}

Result<std::unique_ptr<MatchRoom>> MatchRoom::create(std::unique_ptr<session::Simulation> simulation,
                                                     std::unique_ptr<session::InputRecorder> recorder,
                                                     session::Outbox& out, RoomSettings settings) {
    IRON_TRY(world::StepAccumulator accumulator, world::StepAccumulator::create(settings.session.step_ms));
    return std::unique_ptr<MatchRoom>(new MatchRoom(std::move(simulation), std::move(recorder), out,
                                                    std::move(settings), accumulator));
}

Status MatchRoom::step() {
    IRON_TRY(const session::StepResult result, match_.step());
    session_.publish(result);
    sender_.send(session_, match_, *result.snapshot);
    return {};
}

Status MatchRoom::advance(std::uint64_t now_ms) {
    const bool runs = session_.started() && !finished();
    // Time before the start, and time in a pause, is nobody's.
    const std::uint64_t elapsed = clock_runs_ ? now_ms - last_ms_ : 0;
    last_ms_ = now_ms;
    clock_runs_ = runs && !match_.paused();
    if (runs) {
        const std::uint32_t due = accumulator_.advance(elapsed, match_.scale_percent(), match_.paused());
        for (std::uint32_t i = 0; i < due && !match_.paused() && !finished(); ++i) IRON_CHECK(step());
        if (match_.paused() && match_.has_work()) IRON_CHECK(step());
    }
    session_.serve_newcomers();
    session_.maintain(now_ms);
    return {};
}

std::uint32_t MatchRoom::idle_ms(std::uint64_t now_ms, std::uint32_t longest) const {
    if (!clock_runs_) return longest;
    const std::uint64_t due = last_ms_ + accumulator_.until_next_ms(match_.scale_percent());
    return due <= now_ms ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(due - now_ms, longest));
}

Status MatchRoom::close(protocol::GoodbyeReason reason, std::string_view text) {
    session_.shut_down(reason, text);
    return match_.finish();
}

}  // namespace iron::net
