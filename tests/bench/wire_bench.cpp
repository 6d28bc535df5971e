// Bytes on the wire: what one client costs per moving unit and second, far send rate (every 5 ticks),
// acknowledgements two packets late. On-wire adds the state header, ENet's and UDP/IP's headers.
#include <benchmark/benchmark.h>

#include "protocol/state_stream.hpp"
#include "protocol/view_ring.hpp"
#include "server/session/mirror_messages.hpp"
#include "tests/bench/crowd.hpp"

using namespace iron;

namespace {

constexpr double kHeaderBytes = 24;        // StateHeader
constexpr double kTransportBytes = 12 + 28;  // ENet unreliable command with peer header; UDP and IPv4

void state_packets(benchmark::State& state) {
    const auto count = static_cast<std::uint32_t>(state.range(0));
    const auto world = bench::make_world(bench::crowd(*bench::load("missions/single.02"), count));
    std::uint32_t sequence = 0;
    protocol::ViewRing ring;
    std::vector<protocol::StateSource> sources;
    std::map<std::uint32_t, protocol::QuantisedState> starts;
    double payload = 0, packets = 0, moving_seconds = 0, waiting = 0;
    std::uint64_t acknowledged[3] = {};
    for (auto _ : state) {
        state.PauseTiming();
        for (int i = 0; i < 5; ++i) {
            world::InputFrame frame;
            frame.tick = world->tick() + 1;
            if (world->tick() == 0) frame = bench::everybody_moves(*world, sequence);
            if (!world->step(frame)) state.SkipWithError("step failed");
        }
        const auto snapshot = world->snapshot();
        sources.clear();
        for (const auto& object : snapshot->objects) {
            protocol::StateSource source;
            source.id = object.id.raw;
            source.on_terrain = object.on_terrain;
            source.now = session::quantised_now(object);
            source.start = starts.try_emplace(object.id.raw, session::quantised_start(object)).first->second;
            sources.push_back(source);
            moving_seconds += length(object.velocity) > 0.5f ? 0.1 : 0.0;
        }
        state.ResumeTiming();
        auto encoded = protocol::encode_state(ring.base(), sources, {snapshot->tick, static_cast<std::uint32_t>(packets + 1)});
        benchmark::DoNotOptimize(encoded.data.data());
        state.PauseTiming();
        payload += static_cast<double>(encoded.data.size());
        waiting += encoded.waiting;
        ++packets;
        ring.push(std::move(encoded.view));
        ring.acknowledge(acknowledged[0]);
        acknowledged[0] = acknowledged[1];
        acknowledged[1] = snapshot->tick;
        state.ResumeTiming();
    }
    const double wire = payload + packets * (kHeaderBytes + kTransportBytes);
    state.counters["payload_B_per_unit_s"] = moving_seconds > 0 ? payload / moving_seconds : 0;
    state.counters["wire_B_per_unit_s"] = moving_seconds > 0 ? wire / moving_seconds : 0;
    state.counters["moving"] = moving_seconds / (packets * 0.1);
    state.counters["late_entries"] = waiting;
}
BENCHMARK(state_packets)->Arg(100)->Unit(benchmark::kMicrosecond)->Iterations(300);

}  // namespace

BENCHMARK_MAIN();
