// Named random streams. Source: runtime.md 12 (DD-RT-16: PCG32 XSH-RR, splitmix64 seeding).
#pragma once

#include <cstdint>

namespace iron {

/// Streams 1..4 are in the state hash; cosmetic is never used by the server.
enum class RngStream : std::uint64_t { world = 1, ai = 2, fx = 3, atmosphere = 4, cosmetic = 5 };

constexpr std::uint64_t splitmix64(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/// PCG32; state, increment and the number of draws go to hashes and saves.
class Rng {
public:
    Rng() : Rng(0, 0) {}
    Rng(std::uint64_t seed, std::uint64_t stream) : inc_(2 * stream + 1) {
        step();
        state_ += seed;
        step();
    }
    /// The stream of a match (seed through splitmix64).
    static Rng for_match(std::uint64_t match_seed, RngStream stream) {
        return Rng(splitmix64(match_seed), static_cast<std::uint64_t>(stream));
    }
    static Rng restore(std::uint64_t state, std::uint64_t inc, std::uint64_t draws) {
        Rng r;
        r.state_ = state;
        r.inc_ = inc;
        r.draws_ = draws;
        return r;
    }

    std::uint32_t next() {
        ++draws_;
        return step();
    }
    /// Uniform in 0..n-1, n >= 1.
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * n) >> 32);
    }
    /// Uniform in [0, 1) with 24 bits.
    float unit() { return static_cast<float>(next() >> 8) * 0x1p-24f; }

    std::uint64_t state() const { return state_; }
    std::uint64_t increment() const { return inc_; }
    std::uint64_t draws() const { return draws_; }
    bool operator==(const Rng&) const = default;

private:
    std::uint32_t step() {
        const std::uint64_t old = state_;
        state_ = old * 6364136223846793005ull + inc_;
        const auto x = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const auto r = static_cast<std::uint32_t>(old >> 59);
        return (x >> r) | (x << ((32 - r) & 31));
    }
    std::uint64_t state_ = 0, inc_ = 1, draws_ = 0;
};

}  // namespace iron
