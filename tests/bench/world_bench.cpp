// Simulation costs: load, empty tick, a thousand moving units.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "tests/bench/crowd.hpp"

using namespace iron;

namespace {

void load_mission_files(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(bench::load("missions/single.02"));
}
BENCHMARK(load_mission_files)->Unit(benchmark::kMillisecond);

void create_world(benchmark::State& state) {
    const auto blueprint = bench::load("missions/single.02");
    for (auto _ : state) benchmark::DoNotOptimize(bench::make_world(blueprint));
}
BENCHMARK(create_world)->Unit(benchmark::kMillisecond);

void empty_tick(benchmark::State& state) {
    const auto world = bench::make_world(bench::load("missions/single.02"));
    for (auto _ : state) {
        world::InputFrame frame;
        frame.tick = world->tick() + 1;
        if (!world->step(frame)) state.SkipWithError("step failed");
    }
}
BENCHMARK(empty_tick)->Unit(benchmark::kMicrosecond);

void state_hash(benchmark::State& state) {
    const auto world = bench::make_world(bench::crowd(*bench::load("missions/single.02"), 1000));
    for (auto _ : state) benchmark::DoNotOptimize(world->state_hash());
}
BENCHMARK(state_hash)->Unit(benchmark::kMicrosecond);

void moving_units(benchmark::State& state) {
    const auto count = static_cast<std::uint32_t>(state.range(0));
    const auto world = bench::make_world(bench::crowd(*bench::load("missions/single.02"), count));
    std::uint32_t sequence = 0;
    double moving = 0, ticks = 0;
    for (auto _ : state) {
        world::InputFrame frame;
        frame.tick = world->tick() + 1;
        state.PauseTiming();
        if (world->tick() % 1000 == 0) frame = bench::everybody_moves(*world, sequence);
        state.ResumeTiming();
        if (!world->step(frame)) state.SkipWithError("step failed");
        state.PauseTiming();
        if (world->tick() % 50 == 0) {
            for (const auto& object : world->snapshot()->objects)
                moving += length(object.velocity) > 0.5f;
            ++ticks;
        }
        state.ResumeTiming();
    }
    state.counters["units"] = count;
    state.counters["moving"] = ticks > 0 ? moving / ticks : 0;
}
BENCHMARK(moving_units)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond)->Iterations(500);

}  // namespace

BENCHMARK_MAIN();
