#include "shared/interchange/wave.hpp"

#include <algorithm>
#include <memory>

#include <sndfile.h>

namespace iron::interchange {
namespace {

constexpr std::int64_t kMostSamples = 64ll << 20;

/// A file in memory for libsndfile.
struct MemoryFile {
    Bytes bytes;
    sf_count_t at = 0;

    sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }
    static MemoryFile& of(void* user) { return *static_cast<MemoryFile*>(user); }
    static SF_VIRTUAL_IO io() {
        SF_VIRTUAL_IO io{};
        io.get_filelen = [](void* user) { return of(user).size(); };
        io.tell = [](void* user) { return of(user).at; };
        io.seek = [](sf_count_t offset, int whence, void* user) {
            MemoryFile& file = of(user);
            const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.at : file.size();
            file.at = std::clamp<sf_count_t>(base + offset, 0, file.size());
            return file.at;
        };
        io.read = [](void* to, sf_count_t count, void* user) {
            MemoryFile& file = of(user);
            const sf_count_t n = std::clamp<sf_count_t>(count, 0, file.size() - file.at);
            if (n != 0) std::memcpy(to, file.bytes.data() + file.at, static_cast<std::size_t>(n));
            file.at += n;
            return n;
        };
        io.write = [](const void* from, sf_count_t count, void* user) {
            MemoryFile& file = of(user);
            const auto end = static_cast<std::size_t>(file.at + count);
            if (end > file.bytes.size()) file.bytes.resize(end);
            if (count != 0) std::memcpy(file.bytes.data() + file.at, from, static_cast<std::size_t>(count));
            file.at += count;
            return count;
        };
        return io;
    }
};

struct Close {
    void operator()(SNDFILE* file) const { sf_close(file); }
};
using Handle = std::unique_ptr<SNDFILE, Close>;

}  // namespace

Result<Samples> read_samples(ByteView bytes) {
    MemoryFile memory{Bytes(bytes.begin(), bytes.end()), 0};
    SF_VIRTUAL_IO io = MemoryFile::io();
    SF_INFO info{};
    const Handle file(sf_open_virtual(&io, SFM_READ, &info, &memory));
    if (!file) return fail("sound_unreadable", sf_strerror(nullptr));
    if (info.channels < 1 || info.channels > 64 || info.samplerate < 1)
        return fail("sound_unreadable", std::to_string(info.channels) + " channels at " + std::to_string(info.samplerate) + " Hz");
    if (info.frames < 0 || info.frames > kMostSamples / info.channels)
        return fail("limit_exceeded", "a sound of " + std::to_string(info.frames) + " samples");
    Samples out;
    out.channels = static_cast<std::uint16_t>(info.channels);
    out.rate = static_cast<std::uint32_t>(info.samplerate);
    out.values.resize(static_cast<std::size_t>(info.frames * info.channels));
    const sf_count_t read = sf_readf_short(file.get(), out.values.data(), info.frames);
    if (read < 0 || sf_error(file.get()) != SF_ERR_NO_ERROR) return fail("sound_unreadable", sf_strerror(file.get()));
    out.values.resize(static_cast<std::size_t>(read * info.channels));
    return out;
}

Result<std::vector<std::int16_t>> decode_wave(ByteView bytes, const asset::WaveInfo& info) {
    auto samples = read_samples(bytes);
    if (!samples) return fail("wave_invalid", samples.error().message());
    const std::uint64_t frames = samples->values.size() / samples->channels;
    // libsndfile counts whole ADPCM blocks only, so it may stop before a part of one.
    if (samples->channels != info.channels || frames > info.frames)
        return fail("wave_invalid", "decoded " + std::to_string(frames) + " instead of " + std::to_string(info.frames) + " samples");
    return std::move(samples->values);
}

Result<Bytes> encode_wave(const Samples& samples, asset::WaveCodec codec) {
    MemoryFile memory;
    SF_VIRTUAL_IO io = MemoryFile::io();
    SF_INFO info{};
    info.channels = samples.channels;
    info.samplerate = static_cast<int>(std::min<std::uint32_t>(samples.rate, 0x7FFFFFFF));
    info.format = SF_FORMAT_WAV | (codec == asset::WaveCodec::pcm ? SF_FORMAT_PCM_16 : SF_FORMAT_MS_ADPCM);
    Handle file(sf_open_virtual(&io, SFM_WRITE, &info, &memory));
    if (!file) return fail("sound_unwritable", sf_strerror(nullptr));
    const auto frames = static_cast<sf_count_t>(samples.values.size() / samples.channels);
    const bool whole = sf_writef_short(file.get(), samples.values.data(), frames) == frames;
    file.reset();  // writes the header
    if (!whole) return fail("sound_unwritable", "the samples could not be written");
    return std::move(memory.bytes);
}

}  // namespace iron::interchange
