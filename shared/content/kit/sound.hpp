// Synthesised sound: bit-stable oscillators, noise and envelopes, written as RIFF/WAVE.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/base/bytes.hpp"

namespace iron::content {

inline constexpr int kSampleRate = 22050;

/// Mono samples, -1..1.
using Samples = std::vector<float>;

/// exp(-t / seconds) sampled by repeated multiplication; `seconds` is the decay time constant.
class Decay {
public:
    explicit Decay(float seconds) : factor_(1.0f - 1.0f / (seconds * static_cast<float>(kSampleRate))) {}
    float next() {
        const float v = value_;
        value_ *= factor_;
        return v;
    }

private:
    float factor_, value_ = 1;
};

/// White noise through a one-pole low-pass filter; `open` in 0..1 is the share of the new sample.
class FilteredNoise {
public:
    explicit FilteredNoise(std::uint64_t seed) : state_(seed * 2 + 1) {}
    float next(float open);

private:
    std::uint64_t state_;
    float held_ = 0;
};

/// RIFF/WAVE, PCM 16 bit, mono, 22 050 Hz; peaks are scaled to 0.9.
Bytes write_wave(const Samples& samples);

}  // namespace iron::content
