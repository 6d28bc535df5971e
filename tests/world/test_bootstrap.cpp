#include <catch2/catch.hpp>

#include "server/world/bootstrap.hpp"

using namespace iron;
using namespace iron::world;

namespace {

const std::vector<std::pair<std::string, BootState>> kSteps{
    {"process", BootState::process_created},  {"library", BootState::library_ready},
    {"entry points", BootState::entrypoints_ready}, {"shell", BootState::shell_created},
    {"game", BootState::game_created},        {"config", BootState::subsystems_ready},
    {"files", BootState::subsystems_ready},   {"network", BootState::subsystems_ready}};

struct Trace {
    std::vector<std::string> made, undone;
};

std::vector<BootStep> steps(Trace& trace, std::size_t fail_at = 99) {
    std::vector<BootStep> out;
    for (std::size_t i = 0; i < kSteps.size(); ++i)
        out.push_back({kSteps[i].first, kSteps[i].second,
                       [&trace, i, fail_at]() -> Status {
                           if (i == fail_at) return fail("injected", "this step fails");
                           trace.made.push_back(kSteps[i].first);
                           return {};
                       },
                       [&trace, i] { trace.undone.push_back(kSteps[i].first); }});
    return out;
}

std::vector<std::string> reversed(std::vector<std::string> v) { return {v.rbegin(), v.rend()}; }

}  // namespace

TEST_CASE("a start goes through the documented states and a stop leaves them in reverse") {
    Trace trace;
    Bootstrap b(steps(trace));
    REQUIRE(b.start());
    CHECK(b.state() == BootState::main_loop);
    b.stop();
    using S = BootState;
    CHECK(b.history() == std::vector<S>{S::process_created, S::library_ready, S::entrypoints_ready, S::shell_created,
                                        S::game_created, S::subsystems_ready, S::main_loop, S::subsystems_closed,
                                        S::game_deleted, S::shell_deleted});
    CHECK(trace.undone == reversed(trace.made));
    CHECK(trace.undone.size() == kSteps.size());
    b.stop();
    CHECK(trace.undone.size() == kSteps.size());
}

TEST_CASE("a fault at any step releases exactly the created parts in reverse and never enters the loop") {
    for (std::size_t at = 0; at < kSteps.size(); ++at) {
        Trace trace;
        Bootstrap b(steps(trace, at));
        auto started = b.start();
        REQUIRE_FALSE(started);
        CHECK(started.error().code() == "injected");
        CHECK(started.error().frames().back().object == kSteps[at].first);
        CHECK(trace.made.size() == at);
        CHECK(trace.undone == reversed(trace.made));
        for (std::size_t i = 0; i < kSteps.size(); ++i) CHECK_FALSE(b.created(i));
        for (BootState s : b.history()) CHECK(s != BootState::main_loop);
    }
}

TEST_CASE("destroying a running bootstrap stops it; steps out of order are refused") {
    Trace trace;
    {
        Bootstrap b(steps(trace));
        REQUIRE(b.start());
        CHECK(b.start().error().code() == "boot_state");
    }
    CHECK(trace.undone == reversed(trace.made));
    auto wrong = steps(trace);
    std::swap(wrong[0], wrong[4]);
    Bootstrap b(std::move(wrong));
    CHECK(b.start().error().code() == "boot_order");
}
