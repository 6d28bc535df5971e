// sounds.lib: engines, weapons, explosions, interface. Source: archives.md 3.11.
#include "shared/archive/nres.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/kit/sound.hpp"

namespace iron::content {
namespace {

std::size_t length_of(float seconds) { return static_cast<std::size_t>(trunc_i32(seconds * static_cast<float>(kSampleRate))); }

float sine(float cycles) { return det_sin(kTwoPi * (cycles - static_cast<float>(floor_i32(cycles)))); }
float saw(float cycles) { return 2.0f * (cycles - static_cast<float>(floor_i32(cycles))) - 1.0f; }

/// Loops without a click: whole cycles and noise that fades over its own start.
Samples engine(std::uint64_t seed, float base, float rough) {
    const std::size_t n = length_of(1.0f);
    FilteredNoise noise(seed);
    Samples out(n), hiss(n + n / 8);
    for (float& h : hiss) h = noise.next(0.18f);
    for (std::size_t i = 0; i < n; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(kSampleRate);
        float h = hiss[i];
        if (i < n / 8) {
            const float k = static_cast<float>(i) / static_cast<float>(n / 8);
            h = h * k + hiss[n + i] * (1.0f - k);
        }
        const float throb = 0.7f + 0.3f * sine(t * base * 0.5f);
        out[i] = throb * (0.5f * saw(t * base) + 0.3f * sine(t * base * 2) + 0.2f * saw(t * base * 3)) + rough * h;
    }
    return out;
}

Samples shot(std::uint64_t seed, float seconds, float pitch, float boom) {
    const std::size_t n = length_of(seconds);
    FilteredNoise crack(seed), tail(seed + 1);
    Decay fast(seconds * 0.06f), slow(seconds * 0.25f);
    Samples out(n);
    float phase = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float f = fast.next(), s = slow.next();
        phase += (pitch * (0.35f + 0.65f * f)) / static_cast<float>(kSampleRate);
        out[i] = crack.next(0.9f) * f + tail.next(0.12f) * 2.2f * s + boom * sine(phase) * s;
    }
    return out;
}

Samples laser(float from, float to, float seconds) {
    const std::size_t n = length_of(seconds);
    Decay decay(seconds * 0.3f);
    Samples out(n);
    float phase = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float k = static_cast<float>(i) / static_cast<float>(n);
        phase += (from + (to - from) * k) / static_cast<float>(kSampleRate);
        out[i] = (0.6f * sine(phase) + 0.3f * saw(phase * 2.01f) + 0.2f * sine(phase * 5)) * decay.next();
    }
    return out;
}

Samples explosion(std::uint64_t seed, float seconds) {
    const std::size_t n = length_of(seconds);
    FilteredNoise noise(seed), rumble(seed + 3);
    Decay body(seconds * 0.22f), long_tail(seconds * 0.4f);
    Samples out(n);
    float phase = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float b = body.next(), l = long_tail.next();
        phase += (32.0f + 70.0f * b) / static_cast<float>(kSampleRate);
        const float open = 0.05f + 0.5f * b;
        out[i] = noise.next(open) * b * 1.6f + rumble.next(0.03f) * l * 3.5f + 0.8f * sine(phase) * b;
    }
    return out;
}

Samples whoosh(std::uint64_t seed, float seconds) {
    const std::size_t n = length_of(seconds);
    FilteredNoise noise(seed);
    Samples out(n);
    for (std::size_t i = 0; i < n; ++i) {
        const float k = static_cast<float>(i) / static_cast<float>(n);
        const float swell = k < 0.15f ? k / 0.15f : 1.0f - (k - 0.15f) / 0.85f;
        out[i] = noise.next(0.1f + 0.35f * (1.0f - k)) * swell;
    }
    return out;
}

Samples click(float pitch) {
    const std::size_t n = length_of(0.06f);
    Decay decay(0.010f);
    Samples out(n);
    for (std::size_t i = 0; i < n; ++i)
        out[i] = sine(pitch * static_cast<float>(i) / static_cast<float>(kSampleRate)) * decay.next();
    return out;
}

/// Short tones one after the other: the "voice" of robots and of the mission.
Samples tones(const std::vector<float>& pitches, float each) {
    Samples out;
    for (const float pitch : pitches) {
        const std::size_t n = length_of(each);
        Decay decay(each * 0.5f);
        for (std::size_t i = 0; i < n; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(kSampleRate);
            const float attack = i < 200 ? static_cast<float>(i) / 200.0f : 1.0f;
            out.push_back((0.7f * sine(t * pitch) + 0.25f * sine(t * pitch * 2.0f) + 0.1f * saw(t * pitch)) * attack * decay.next());
        }
    }
    return out;
}

}  // namespace

void add_sounds(Game& game, std::uint64_t seed) {
    const auto add = [&](const char* library, const char* name, const Samples& samples) {
        game.entry(library, archive::type_tag("SWAV"), 0, 0, 0, name, write_wave(samples));
    };
    add("sounds.lib", "engine_s.wav", engine(seed + 1, 55, 0.25f));
    add("sounds.lib", "engine_m.wav", engine(seed + 2, 38, 0.4f));
    add("sounds.lib", "engine_l.wav", engine(seed + 3, 26, 0.5f));
    add("sounds.lib", "shot_can.wav", shot(seed + 4, 0.45f, 160, 0.9f));
    add("sounds.lib", "shot_las.wav", laser(2400, 500, 0.28f));
    add("sounds.lib", "shot_mis.wav", whoosh(seed + 5, 0.9f));
    add("sounds.lib", "shot_pla.wav", laser(700, 180, 0.45f));
    add("sounds.lib", "shot_em.wav", laser(300, 1800, 0.4f));
    add("sounds.lib", "hit.wav", shot(seed + 6, 0.25f, 320, 0.4f));
    add("sounds.lib", "explode_s.wav", explosion(seed + 7, 1.0f));
    add("sounds.lib", "explode_m.wav", explosion(seed + 8, 1.6f));
    add("sounds.lib", "explode_l.wav", explosion(seed + 9, 2.4f));
    add("sounds.lib", "click.wav", click(1400));
    add("sounds.lib", "error.wav", tones({220, 180}, 0.14f));
    add("sounds.lib", "ack.wav", tones({660, 880}, 0.09f));
    add("sounds.lib", "build.wav", tones({392, 494, 587}, 0.12f));
    add("sounds.lib", "wind.wav", whoosh(seed + 10, 2.5f));
    add("voices.lib", "VOICE_MISSION_COMPLETE.WAV", tones({523, 659, 784, 1046}, 0.22f));
    add("voices.lib", "VOICE_MISSION_FAIL.WAV", tones({392, 330, 262, 196}, 0.26f));
}

}  // namespace iron::content
