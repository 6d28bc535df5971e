// SWAV: sounds are RIFF/WAVE files. Only the framing is read here; samples are decoded by
// shared/interchange/wave.hpp. Source: archives.md 3.11.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

/// The four results of loading a sound. An empty entry is legal and never reaches the RIFF parser.
enum class SoundStatus : std::uint8_t { entry_missing, entry_empty, wave_invalid, decoded_sample };
std::string_view sound_status_name(SoundStatus status);

enum class WaveCodec : std::uint16_t { pcm = 1, ms_adpcm = 2 };

inline constexpr std::uint32_t kSoundRate = 22050;  ///< Hz, every shipped sound

/// The framing of a wave: where its samples are and how they are coded.
struct WaveInfo {
    WaveCodec codec = WaveCodec::pcm;
    std::uint16_t channels = 0;
    std::uint32_t rate = 0;               ///< Hz
    std::uint16_t bits = 0;               ///< per stored sample
    std::uint16_t block_align = 0;        ///< bytes
    std::uint16_t samples_per_block = 0;  ///< MS ADPCM only, per channel
    std::uint64_t frames = 0;             ///< samples per channel
    std::uint64_t data_offset = 0, data_size = 0;
};

/// Errors `wave_invalid` (with the offset) for anything that is not RIFF/WAVE with PCM or MS ADPCM
/// samples. Warnings `wave_rate`, `wave_size` (the RIFF length is not that of the entry).
Result<WaveInfo> read_wave(ByteView bytes, ReadContext& context);

/// Result of a load: samples are 16-bit, interleaved; both empty unless `decoded_sample`.
struct Sound {
    SoundStatus status = SoundStatus::entry_missing;
    WaveInfo info;
    std::vector<std::int16_t> samples;
    std::string problem;  ///< why the wave is invalid
};

/// Decodes the samples of a whole RIFF/WAVE file; set by whoever has a codec library.
using WaveDecoder = Result<std::vector<std::int16_t>> (*)(ByteView bytes, const WaveInfo& info);

/// `entry` is the payload, nullopt when the archive has no such entry. Never fails: the status says
/// what happened.
Sound load_sound(std::optional<ByteView> entry, WaveDecoder decoder, ReadContext& context);

}  // namespace iron::asset
