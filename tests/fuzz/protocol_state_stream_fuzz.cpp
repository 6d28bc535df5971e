// First byte: seed of a random base view; the rest the dense stream. Fields stay in range, ids ascend, and a second
// decoding gives the same.
#include <cstdlib>

#include "protocol/state_stream.hpp"
#include "shared/base/rng.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

QuantisedState random_state(Rng& rng) {
    QuantisedState s;
    s.x = static_cast<std::int32_t>(rng.below(2u << 24)) - (1 << 24);
    s.y = static_cast<std::int32_t>(rng.below(2u << 24)) - (1 << 24);
    s.vx = static_cast<std::int32_t>(rng.below(2u << 20)) - (1 << 20);
    s.vz = static_cast<std::int32_t>(rng.below(2u << 20)) - (1 << 20);
    s.yaw = static_cast<std::uint16_t>(rng.below(1024));
    s.life = static_cast<std::uint16_t>(rng.below(1024));
    s.target = rng.next();
    return s;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    Rng rng(data[0], 1);
    std::vector<MirrorStart> live;
    View base;
    base.tick = 5;
    for (std::uint32_t id = 1; id < 64; ++id) {
        if (rng.below(3) != 0) live.push_back({id, rng.below(20), random_state(rng)});
        if (rng.below(3) == 0) continue;
        ViewEntry entry;
        entry.id = id;
        entry.state = random_state(rng);
        entry.anchor_x = entry.state.x, entry.anchor_y = entry.state.y;
        base.entries.push_back(entry);
    }
    const auto removed = [](std::uint32_t id) { return id % 2 == 0; };
    const ByteView stream(data + 1, size - 1);
    const auto out = decode_state(stream, &base, live, removed, {10, 1, 20});
    if (!out) return 0;
    for (std::size_t i = 0; i < out->view.entries.size(); ++i) {
        const ViewEntry& e = out->view.entries[i];
        require(i == 0 || out->view.entries[i - 1].id < e.id);
        require(std::abs(e.state.x) <= kMaxStatePlace && std::abs(e.state.vx) <= kMaxStateSpeed);
        require(e.state.yaw < 1024 && e.state.strafe < 1024 && e.state.life <= 1023 && e.state.energy <= 63);
    }
    const auto again = decode_state(stream, &base, live, removed, {10, 1, 20});
    require(again && again->view.entries.size() == out->view.entries.size());
    require(scan_state(stream).has_value());
    return 0;
}
