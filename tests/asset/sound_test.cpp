// Sounds: the four results of loading one, and the framing of waves.
#include <catch2/catch.hpp>

#include "shared/asset/sound.hpp"
#include "tests/asset/visual_kit.hpp"

using namespace iron;
using namespace iron::asset;
using kit::hex;
using kit::join;
using kit::text;

namespace {

// 22 050 Hz, mono, 16 bits, four samples 0, 1, -1, 256.
Bytes pcm() {
    return join({text("RIFF"), hex("2C000000"), text("WAVEfmt "), hex("10000000 0100 0100 22560000 44AC0000 0200 1000"),
                 text("data"), hex("08000000 0000 0100 FFFF 0001")});
}

Result<std::vector<std::int16_t>> copy_samples(ByteView bytes, const WaveInfo& info) {
    std::vector<std::int16_t> out;
    for (std::uint64_t i = 0; i < info.data_size; i += 2)
        out.push_back(load_le<std::int16_t>(bytes.data() + info.data_offset + i));
    return out;
}
Result<std::vector<std::int16_t>> refuse(ByteView, const WaveInfo&) { return fail("wave_invalid", "no codec"); }

std::string problem_of(const Bytes& bytes) {
    ReadContext ctx;
    const auto info = read_wave(bytes, ctx);
    return info ? "" : info.error().message();
}

}  // namespace

TEST_CASE("A missing, an empty, an invalid and a decoded sound are four results") {
    ReadContext ctx;
    CHECK(load_sound(std::nullopt, copy_samples, ctx).status == SoundStatus::entry_missing);
    CHECK(load_sound(ByteView{}, copy_samples, ctx).status == SoundStatus::entry_empty);
    const Bytes junk = text("this is no wave file");
    const Sound invalid = load_sound(ByteView(junk), copy_samples, ctx);
    CHECK(invalid.status == SoundStatus::wave_invalid);
    CHECK_FALSE(invalid.problem.empty());
    const Bytes wave = pcm();
    const Sound decoded = load_sound(ByteView(wave), copy_samples, ctx);
    REQUIRE(decoded.status == SoundStatus::decoded_sample);
    CHECK(decoded.samples == std::vector<std::int16_t>{0, 1, -1, 256});
    CHECK(decoded.info.rate == 22050);
    CHECK(ctx.diagnostics.empty());
    CHECK(load_sound(ByteView(wave), refuse, ctx).status == SoundStatus::wave_invalid);
}

TEST_CASE("The framing of PCM: frames, place of the samples, warnings") {
    ReadContext ctx;
    Bytes bytes = pcm();
    const auto info = read_wave(bytes, ctx);
    REQUIRE(info);
    CHECK(info->codec == WaveCodec::pcm);
    CHECK(info->frames == 4);
    CHECK(info->data_offset == 44);
    bytes[24] = 0x44, bytes[25] = 0xAC;  // 44 100 Hz
    bytes.push_back(0);
    REQUIRE(read_wave(bytes, ctx));
    CHECK(ctx.has("wave_rate"));
    CHECK(ctx.has("wave_size"));
}

TEST_CASE("Frames of MS ADPCM: whole blocks and a part of one") {
    // Block of 32 bytes, mono: 7 header bytes with two samples, 25 bytes with two each = 52 samples.
    const auto wave = [](std::uint8_t data) {
        Bytes out = join({text("RIFF"), hex("00000000"), text("WAVEfmt "), hex("14000000 0200 0100 22560000 00000000 2000 0400 0200 3400"),
                          text("data"), hex("00000000")});
        out[out.size() - 4] = data;
        out.resize(out.size() + data, 0);
        return out;
    };
    ReadContext ctx;
    CHECK(read_wave(wave(64), ctx)->frames == 104);
    CHECK(read_wave(wave(74), ctx)->frames == 104 + 2 + 6);
    Bytes bytes = wave(64);
    bytes[38] = 0x35;  // 53 samples do not fit
    CHECK(problem_of(bytes) == "the MS ADPCM block cannot hold 53 samples");
}

TEST_CASE("What is no wave is named with its place") {
    const auto at = [](Bytes bytes) {
        ReadContext ctx;
        const auto info = read_wave(bytes, ctx);
        REQUIRE_FALSE(info);
        CHECK(info.error().code() == "wave_invalid");
        return info.error().frames()[0].offset.value();
    };
    Bytes bytes = pcm();
    bytes[20] = 3;  // float
    CHECK(at(bytes) == 20);
    bytes = pcm();
    bytes[22] = 3;
    CHECK(at(bytes) == 22);
    bytes = pcm();
    bytes[34] = 24;
    CHECK(at(bytes) == 34);
    bytes = pcm();
    bytes[32] = 4;
    CHECK(at(bytes) == 32);
    bytes = pcm();
    bytes[40] = 9;  // goes beyond the end
    CHECK(at(bytes) == 36);
    bytes = pcm();
    bytes.resize(36);
    CHECK(at(bytes) == 36);
    bytes = pcm();
    bytes[12] = 'x';
    CHECK(at(bytes) == 36);  // samples before the format
    for (std::size_t cut = 0; cut < 44; ++cut) {
        Bytes part = pcm();
        part.resize(cut);
        ReadContext ctx;
        CHECK_FALSE(read_wave(part, ctx));
    }
}
