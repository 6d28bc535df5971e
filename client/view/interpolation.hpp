// Between two samples: what the player sees is server time minus 120 ms (DD-FRM-01, frame.md 3;
// net-messages.md 8.1). Times are server milliseconds.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include <glm/glm.hpp>

namespace iron::client::view {

inline constexpr double kShowDelayMs = 120.0;
inline constexpr double kMaxExtrapolationMs = 100.0;
inline constexpr float kTeleportWu = 20.0f;

/// The moving fields of one object at one server time.
struct StateSample {
    double time_ms = 0;
    glm::vec3 position{0};      ///< wu
    glm::vec3 velocity{0};      ///< wu/s
    float yaw = 0, pitch = 0, roll = 0;      ///< rad
    float turret_yaw = 0, turret_pitch = 0;  ///< rad, relative to the chassis
    bool teleported = false;    ///< never blended with the sample before it
};

/// The value at `time_ms` between a and b (a.time_ms < b.time_ms): linear position, shortest-arc
/// angles, fraction clamped to 0..1. A teleport keeps `a` until b's time is reached.
StateSample blend(const StateSample& a, const StateSample& b, double time_ms);

/// The last samples of one object.
class SampleTrack {
public:
    static constexpr std::size_t kLimit = 32;

    /// Appends; a sample not newer than the last one replaces it.
    void push(const StateSample& sample);
    /// The shown state at `time_ms`: blended, or extrapolated along the velocity for at most
    /// 100 ms and then frozen. Nothing if no sample was pushed.
    std::optional<StateSample> at(double time_ms) const;
    bool empty() const { return samples_.empty(); }
    const StateSample* newest() const { return samples_.empty() ? nullptr : &samples_.back(); }

private:
    std::deque<StateSample> samples_;
};

/// Estimates the server's clock from the ticks of arriving states and runs smoothly between
/// them: `now` never goes back and closes a gap gently, so a late packet does not make the
/// picture stutter.
class ServerClock {
public:
    /// A state of server time `server_ms` arrived at local time `local_ms`.
    void arrived(double server_ms, double local_ms);
    /// Estimated server time at `local_ms`; 0 before the first arrival.
    double now(double local_ms);
    bool running() const { return running_; }

private:
    bool running_ = false;
    double offset_ = 0;         ///< server = local + offset
    double target_offset_ = 0;
    double last_local_ = 0;
    double last_now_ = 0;
};

}  // namespace iron::client::view
