#include "shared/asset/sound.hpp"

namespace iron::asset {
namespace {

tl::unexpected<Error> invalid(std::string message, std::uint64_t offset) {
    return fail("wave_invalid", std::move(message), offset);
}

Status read_format(ByteView body, std::uint64_t offset, WaveInfo& info) {
    if (body.size() < 16) return invalid("the format chunk has fewer than 16 bytes", offset);
    const auto word = [&](std::size_t at) { return load_le<std::uint16_t>(body.data() + at); };
    const std::uint16_t tag = word(0);
    info.channels = word(2);
    info.rate = load_le<std::uint32_t>(body.data() + 4);
    info.block_align = word(12);
    info.bits = word(14);
    if (tag != 1 && tag != 2) return invalid("codec " + std::to_string(tag) + " is neither PCM nor MS ADPCM", offset);
    info.codec = static_cast<WaveCodec>(tag);
    if (info.channels < 1 || info.channels > 2) return invalid(std::to_string(info.channels) + " channels", offset + 2);
    if (info.rate == 0) return invalid("sample rate 0", offset + 4);
    if (info.codec == WaveCodec::pcm) {
        if (info.bits != 8 && info.bits != 16) return invalid(std::to_string(info.bits) + " bits a sample", offset + 14);
        if (info.block_align != info.channels * info.bits / 8) return invalid("the block size does not fit the sample", offset + 12);
        return {};
    }
    if (body.size() < 20) return invalid("the MS ADPCM format has no block length", offset);
    info.samples_per_block = word(18);
    // Seven header bytes a channel carry two samples, every further byte two nibbles.
    const std::uint32_t header = 7u * info.channels;
    if (info.bits != 4 || info.block_align <= header)
        return invalid("the MS ADPCM block is too small", offset + 12);
    const std::uint32_t most = 2 + (info.block_align - header) * 2u / info.channels;
    if (info.samples_per_block < 2 || info.samples_per_block > most)
        return invalid("the MS ADPCM block cannot hold " + std::to_string(info.samples_per_block) + " samples", offset + 18);
    return {};
}

std::uint64_t count_frames(const WaveInfo& info) {
    if (info.codec == WaveCodec::pcm) return info.data_size / info.block_align;
    const std::uint64_t blocks = info.data_size / info.block_align, rest = info.data_size % info.block_align;
    std::uint64_t frames = blocks * info.samples_per_block;
    if (rest > 7u * info.channels) {
        const std::uint64_t part = 2 + (rest - 7u * info.channels) * 2 / info.channels;
        frames += part < info.samples_per_block ? part : info.samples_per_block;
    }
    return frames;
}

}  // namespace

std::string_view sound_status_name(SoundStatus status) {
    switch (status) {
        case SoundStatus::entry_missing: return "entry_missing";
        case SoundStatus::entry_empty: return "entry_empty";
        case SoundStatus::wave_invalid: return "wave_invalid";
        case SoundStatus::decoded_sample: return "decoded_sample";
    }
    return "";
}

Result<WaveInfo> read_wave(ByteView bytes, ReadContext& context) {
    if (bytes.size() < 12) return invalid("shorter than a RIFF header", 0);
    if (as_text(bytes.first(4)) != "RIFF") return invalid("no RIFF header", 0);
    if (as_text(bytes.subspan(8, 4)) != "WAVE") return invalid("not a WAVE file", 8);
    const std::uint64_t declared = std::uint64_t{load_le<std::uint32_t>(bytes.data() + 4)} + 8;
    if (declared != bytes.size())
        context.warn("wave_size", "RIFF says " + std::to_string(declared) + " bytes, there are " + std::to_string(bytes.size()), 4);
    WaveInfo info;
    bool have_format = false, have_data = false;
    std::uint64_t at = 12;
    while (!have_data && at + 8 <= bytes.size()) {
        const std::string_view id = as_text(bytes.subspan(static_cast<std::size_t>(at), 4));
        const std::uint64_t size = load_le<std::uint32_t>(bytes.data() + at + 4);
        const std::uint64_t body = at + 8;
        if (size > bytes.size() - body) return invalid("the chunk '" + std::string(id) + "' goes beyond the end", at);
        if (id == "fmt ") {
            if (have_format) return invalid("a second format chunk", at);
            IRON_CHECK(read_format(bytes.subspan(static_cast<std::size_t>(body), static_cast<std::size_t>(size)), body, info));
            have_format = true;
        } else if (id == "data") {
            if (!have_format) return invalid("samples before the format", at);
            info.data_offset = body;
            info.data_size = size;
            have_data = true;
        }
        at = body + size + (size & 1);
    }
    if (!have_format) return invalid("no format chunk", 12);
    if (!have_data) return invalid("no data chunk", at < bytes.size() ? at : bytes.size());
    info.frames = count_frames(info);
    if (info.rate != kSoundRate)
        context.warn("wave_rate", std::to_string(info.rate) + " Hz instead of 22050", 0);
    return info;
}

Sound load_sound(std::optional<ByteView> entry, WaveDecoder decoder, ReadContext& context) {
    Sound sound;
    if (!entry) return sound;
    sound.status = SoundStatus::entry_empty;
    if (entry->empty()) return sound;
    sound.status = SoundStatus::wave_invalid;
    const auto info = read_wave(*entry, context);
    if (!info) {
        sound.problem = info.error().to_string();
        return sound;
    }
    auto samples = decoder(*entry, *info);
    if (!samples) {
        sound.problem = samples.error().to_string();
        return sound;
    }
    sound.status = SoundStatus::decoded_sample;
    sound.info = *info;
    sound.samples = std::move(*samples);
    return sound;
}

}  // namespace iron::asset
