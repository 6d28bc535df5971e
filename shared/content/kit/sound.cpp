#include "shared/content/kit/sound.hpp"

#include <algorithm>

#include "shared/base/math.hpp"
#include "shared/base/rng.hpp"

namespace iron::content {

float FilteredNoise::next(float open) {
    state_ = splitmix64(state_);
    const float white = static_cast<float>(state_ >> 40) * 0x1p-23f - 1.0f;
    held_ += (white - held_) * open;
    return held_;
}

Bytes write_wave(const Samples& samples) {
    float peak = 1e-6f;
    for (const float s : samples) peak = std::max(peak, s < 0 ? -s : s);
    ByteWriter out;
    const auto data = static_cast<std::uint32_t>(samples.size() * 2);
    out.text("RIFF");
    out.u32(36 + data);
    out.text("WAVEfmt ");
    out.u32(16);
    out.u16(1);  // PCM
    out.u16(1);  // mono
    out.u32(kSampleRate);
    out.u32(kSampleRate * 2);
    out.u16(2);
    out.u16(16);
    out.text("data");
    out.u32(data);
    for (const float s : samples) {
        const std::int32_t v = trunc_i32(s / peak * 29490.0f);
        out.i16(static_cast<std::int16_t>(v));
    }
    return out.take();
}

}  // namespace iron::content
