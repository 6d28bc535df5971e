#include <catch2/catch.hpp>

#include "protocol/view_ring.hpp"

using namespace iron::protocol;

namespace {
View view(std::uint64_t tick, std::uint32_t sequence) {
    View v;
    v.tick = tick;
    v.sequence = sequence;
    return v;
}
}  // namespace

TEST_CASE("the ring keeps the newest 64 views whatever their order of arrival") {
    ViewRing ring;
    for (std::uint64_t n = 1; n <= 70; ++n) ring.push(view(n * 2, static_cast<std::uint32_t>(n)));
    CHECK(ring.size() == 64);
    CHECK(ring.find(12) == nullptr);
    CHECK(ring.find(14) != nullptr);
    ring.push(view(15, 1000));
    CHECK(ring.size() == 64);
    CHECK(ring.find(14) == nullptr);
    CHECK(ring.find(15) != nullptr);
}

TEST_CASE("the base is the newest acknowledged view still in the ring") {
    ViewRing ring;
    CHECK(ring.base() == nullptr);
    for (std::uint64_t n = 1; n <= 10; ++n) ring.push(view(n, static_cast<std::uint32_t>(n)));
    ring.acknowledge(4);
    CHECK(ring.base()->tick == 4);
    ring.acknowledge(3);
    CHECK(ring.base()->tick == 4);
    ring.acknowledge(99);
    CHECK(ring.base()->tick == 4);
    ring.acknowledge(9);
    CHECK(ring.base()->tick == 9);
    for (std::uint64_t n = 11; n <= 74; ++n) ring.push(view(n, static_cast<std::uint32_t>(n)));
    CHECK(ring.base() == nullptr);
}

TEST_CASE("the acknowledgement names the newest tick and the 32 packets before it") {
    ViewRing ring;
    CHECK(ring.acknowledgement().newest_tick == 0);
    ring.push(view(100, 50));
    ring.push(view(98, 49));
    ring.push(view(94, 47));
    ring.push(view(36, 18));
    ring.push(view(34, 17));
    const auto a = ring.acknowledgement();
    CHECK(a.newest_tick == 100);
    CHECK(a.received == (1u << 0 | 1u << 2 | 1u << 31));
}
