#include "client/view/interpolation.hpp"

#include <algorithm>
#include <cmath>

#include "client/view/geometry.hpp"

namespace iron::client::view {

StateSample blend(const StateSample& a, const StateSample& b, double time_ms) {
    const double span = b.time_ms - a.time_ms;
    const double fraction = span > 0 ? std::clamp((time_ms - a.time_ms) / span, 0.0, 1.0) : 1.0;
    StateSample out = a;
    out.time_ms = time_ms;
    if (b.teleported || glm::distance(a.position, b.position) > kTeleportWu) {
        if (fraction < 1.0) return out;
        out = b;
        out.time_ms = time_ms;
        return out;
    }
    const float t = static_cast<float>(fraction);
    out.position = glm::mix(a.position, b.position, t);
    out.velocity = glm::mix(a.velocity, b.velocity, t);
    out.yaw = mix_angle(a.yaw, b.yaw, t);
    out.pitch = mix_angle(a.pitch, b.pitch, t);
    out.roll = mix_angle(a.roll, b.roll, t);
    out.turret_yaw = mix_angle(a.turret_yaw, b.turret_yaw, t);
    out.turret_pitch = mix_angle(a.turret_pitch, b.turret_pitch, t);
    return out;
}

void SampleTrack::push(const StateSample& sample) {
    if (!samples_.empty() && sample.time_ms <= samples_.back().time_ms) {
        if (sample.time_ms == samples_.back().time_ms) samples_.back() = sample;
        return;
    }
    samples_.push_back(sample);
    if (samples_.size() > kLimit) samples_.pop_front();
}

std::optional<StateSample> SampleTrack::at(double time_ms) const {
    if (samples_.empty()) return std::nullopt;
    if (time_ms <= samples_.front().time_ms) return samples_.front();
    const StateSample& last = samples_.back();
    if (time_ms >= last.time_ms) {
        const double ahead = std::min(time_ms - last.time_ms, kMaxExtrapolationMs);
        StateSample out = last;
        out.position += last.velocity * static_cast<float>(ahead / 1000.0);
        out.time_ms = time_ms;
        return out;
    }
    const auto after = std::upper_bound(
        samples_.begin(), samples_.end(), time_ms,
        [](double t, const StateSample& s) { return t < s.time_ms; });
    return blend(*(after - 1), *after, time_ms);
}

void ServerClock::arrived(double server_ms, double local_ms) {
    const double offset = server_ms - local_ms;
    if (!running_) {
        running_ = true;
        offset_ = target_offset_ = offset;
        last_local_ = local_ms;
        last_now_ = server_ms;
        return;
    }
    // The least delayed packets show the true offset; a slow drift back follows real changes.
    target_offset_ = std::max(offset, target_offset_ - 0.5);
    if (std::abs(target_offset_ - offset_) > 1000.0) offset_ = target_offset_ = offset;
}

double ServerClock::now(double local_ms) {
    if (!running_) return 0;
    const double elapsed = std::max(0.0, local_ms - last_local_);
    last_local_ = std::max(last_local_, local_ms);
    // At most 5 % faster or slower than real time.
    const double step = elapsed * 0.05;
    offset_ += std::clamp(target_offset_ - offset_, -step, step);
    const double value = local_ms + offset_;
    const bool jumped = std::abs(value - last_now_) > 1000.0 + elapsed;
    last_now_ = jumped ? value : std::max(last_now_, value);
    return last_now_;
}

}  // namespace iron::client::view
