// Samples of waves through libsndfile: PCM and MS ADPCM, both directions.
#pragma once

#include <vector>

#include "shared/asset/sound.hpp"

namespace iron::interchange {

/// The decoder to give to asset::load_sound. Error `wave_invalid`.
Result<std::vector<std::int16_t>> decode_wave(ByteView bytes, const asset::WaveInfo& info);

/// Samples of any sound file libsndfile knows (WAV, FLAC, Ogg ...). Errors `sound_unreadable`,
/// `limit_exceeded` (more than 64 Mi samples).
struct Samples {
    std::uint16_t channels = 1;
    std::uint32_t rate = asset::kSoundRate;
    std::vector<std::int16_t> values;  ///< interleaved
};
Result<Samples> read_samples(ByteView bytes);

/// A RIFF/WAVE file. Error `sound_unwritable`.
Result<Bytes> encode_wave(const Samples& samples, asset::WaveCodec codec = asset::WaveCodec::pcm);

}  // namespace iron::interchange
