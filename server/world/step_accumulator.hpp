// Real time in, whole steps out (runtime.md 10). It belongs to whoever drives worlds, never to a
// world: neither hashed nor saved.
#pragma once

#include <cstdint>

#include "shared/base/error.hpp"

namespace iron::world {

class StepAccumulator {
public:
    /// Error `bad_step` for a zero step or a zero maximum.
    static Result<StepAccumulator> create(std::uint32_t step_ms, std::uint32_t max_steps = 8) {
        if (step_ms == 0 || max_steps == 0) return fail("bad_step", "step and maximum must not be zero");
        StepAccumulator out;
        out.step_ = std::uint64_t{step_ms} * 100;
        out.max_steps_ = max_steps;
        return out;
    }

    /// Steps due after `elapsed_ms` of real time at `scale_percent`; at most the maximum, the rest
    /// is dropped and counted. Nothing accumulates while paused.
    std::uint32_t advance(std::uint64_t elapsed_ms, std::uint32_t scale_percent = 100, bool paused = false) {
        if (paused) return 0;
        acc_ += elapsed_ms * scale_percent;
        const std::uint64_t due = acc_ / step_;
        if (due <= max_steps_) {
            acc_ -= due * step_;
            return static_cast<std::uint32_t>(due);
        }
        dropped_ += acc_ - max_steps_ * step_;
        acc_ = 0;
        ++dropped_frames_;
        return max_steps_;
    }
    std::uint64_t dropped_ms() const { return dropped_ / 100; }
    std::uint64_t dropped_frames() const { return dropped_frames_; }
    /// Real milliseconds until the next step is due at `scale_percent`, at least 1.
    std::uint64_t until_next_ms(std::uint32_t scale_percent = 100) const {
        const std::uint64_t missing = step_ - acc_;
        const std::uint64_t scale = scale_percent ? scale_percent : 1;
        return (missing + scale - 1) / scale;
    }

private:
    StepAccumulator() = default;
    std::uint64_t step_ = 2000, acc_ = 0, dropped_ = 0, dropped_frames_ = 0;  ///< hundredths of a ms
    std::uint32_t max_steps_ = 8;
};

}  // namespace iron::world
