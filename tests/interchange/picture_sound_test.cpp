// PNG and WAV: colours and samples that are known beforehand.
#include <nlohmann/json.hpp>

#include "shared/interchange/asset_import.hpp"
#include "shared/interchange/png.hpp"
#include "shared/interchange/view_options.hpp"
#include "shared/interchange/view_visual.hpp"
#include "shared/interchange/wave.hpp"
#include "tests/interchange/kit.hpp"

using namespace iron;
using namespace iron::interchange;
using kit::bytes_of;
using kit::hex;

namespace {

// materials.md 3.6: 2x2, red green blue white, 565.
Bytes texm_example() {
    return hex("5465786D 02000000 02000000 02000000 00000000 00000000 00000000 35020000"
               "00F8E007 1F00FFFF 10845061 67650100 00000000 01000000 0200");
}

// materials.md 2.6, 100 bytes.
Bytes material_example() {
    return hex("02000100FFFF0000803F00000000FFFFFF64FFFFFFFF0000000000000000 00FF57414C4C2E3000000000000000000000"
               "FFFFFF6400FFFFFF0000000000000000 00FF57414C4C2E3000000000000000000000"
               "10000000 0200 0000F4010000 0100F4010000");
}

}  // namespace

TEST_CASE("A texture decodes to the colours its words say, through PNG and back") {
    ReadContext ctx;
    const asset::Texture texture = asset::read_texture(texm_example(), ctx).value();
    const asset::RgbaImage image = asset::decode_level(texture, 0).value();
    const Bytes png = encode_png(image).value();
    const asset::RgbaImage back = decode_png(png).value();
    CHECK(back.width == 2);
    CHECK(back.pixels == hex("FF0000FF 00FF00FF 0000FFFF FFFFFFFF"));
    CHECK(encode_png(image).value() == png);  // equal on every run
}

TEST_CASE("Hostile pictures are errors") {
    CHECK(decode_png({}).error().code() == "png_error");
    CHECK(decode_png(bytes_of("no picture")).error().code() == "png_error");
    asset::RgbaImage image{2, 2, Bytes(16, 200)};
    const Bytes png = encode_png(image).value();
    for (std::size_t cut = 0; cut + 12 < png.size(); ++cut)  // without the last chunk the pixels are complete
        if (const auto part = decode_png(ByteView(png).first(cut)); part) CHECK(part->pixels.size() == 16);
    CHECK(decode_png(ByteView(png).first(40)).error().code() == "png_error");
    Bytes huge = png;
    huge[16] = 0x7F;  // width
    CHECK_FALSE(decode_png(huge));
    image.pixels.pop_back();
    CHECK(encode_png(image).error().code() == "png_error");
}

TEST_CASE("PNG becomes a Texm of the wanted format") {
    const asset::RgbaImage solid{4, 2, Bytes(32, 255)};
    AddedEntry entry = import_asset(ImportKind::texture, encode_png(solid).value(), {}).value();
    CHECK(entry.type == archive::type_tag("Texm"));
    ReadContext ctx;
    CHECK(asset::read_texture(entry.payload, ctx)->format == asset::TexmFormat::rgb565);
    CHECK(asset::read_texture(entry.payload, ctx)->mip_count == 3);  // 4x2, 2x1, 1x1

    asset::RgbaImage clear = solid;
    clear.pixels[3] = 7;
    entry = import_asset(ImportKind::texture, encode_png(clear).value(), {.format = {}, .mip_count = 1, .adpcm = false}).value();
    const asset::Texture texture = asset::read_texture(entry.payload, ctx).value();
    CHECK(texture.format == asset::TexmFormat::argb8888);
    CHECK(texture.mip_count == 1);
    CHECK(asset::decode_level(texture, 0)->pixels == clear.pixels);

    entry = import_asset(ImportKind::texture, encode_png(clear).value(), {.format = asset::TexmFormat::indexed, .mip_count = 1, .adpcm = false}).value();
    CHECK(asset::decode_level(asset::read_texture(entry.payload, ctx).value(), 0)->pixels == clear.pixels);
    asset::RgbaImage many{257, 1, Bytes(257 * 4, 255)};
    for (std::size_t i = 0; i < 257; ++i) many.pixels[i * 4] = static_cast<std::uint8_t>(i), many.pixels[i * 4 + 1] = static_cast<std::uint8_t>(i / 256);
    CHECK(import_asset(ImportKind::texture, encode_png(many).value(), {.format = asset::TexmFormat::indexed, .mip_count = 1, .adpcm = false}).error().code() == "texm_authoring");
}

TEST_CASE("PCM samples survive a WAV exactly, MS ADPCM nearly, and both decode by the game's framing") {
    Samples samples;
    for (int i = 0; i < 2000; ++i) samples.values.push_back(static_cast<std::int16_t>((i * 37) % 2001 - 1000));
    ReadContext ctx;
    const Bytes pcm = encode_wave(samples).value();
    const asset::Sound sound = asset::load_sound(ByteView(pcm), decode_wave, ctx);
    REQUIRE(sound.status == asset::SoundStatus::decoded_sample);
    CHECK(sound.samples == samples.values);
    CHECK(ctx.diagnostics.empty());

    // A slow ramp: four bits a sample follow it closely.
    samples.values.clear();
    for (int i = 0; i < 4000; ++i) samples.values.push_back(static_cast<std::int16_t>(i * 2));
    const Bytes adpcm = encode_wave(samples, asset::WaveCodec::ms_adpcm).value();
    CHECK(adpcm.size() < samples.values.size() * 2 / 3);
    const asset::Sound coded = asset::load_sound(ByteView(adpcm), decode_wave, ctx);
    REQUIRE(coded.status == asset::SoundStatus::decoded_sample);
    CHECK(coded.info.codec == asset::WaveCodec::ms_adpcm);
    REQUIRE(coded.samples.size() >= 4000);
    for (std::size_t i = 100; i < 4000; i += 100) CHECK(std::abs(coded.samples[i] - static_cast<int>(i) * 2) < 64);
}

TEST_CASE("Sounds the game cannot play are refused at import") {
    Samples fast;
    fast.rate = 44100;
    fast.values.assign(100, 0);
    CHECK(import_asset(ImportKind::sound, encode_wave(fast).value(), {}).error().code() == "sound_rate");
    CHECK(import_asset(ImportKind::sound, bytes_of("noise"), {}).error().code() == "sound_unreadable");
    fast.rate = asset::kSoundRate;
    CHECK(import_asset(ImportKind::sound, encode_wave(fast).value(), {})->type == archive::type_tag("SWAV"));
}

TEST_CASE("A material's view is what import reads") {
    ReadContext ctx;
    const Bytes payload = material_example();
    REQUIRE(payload.size() == 100);
    const asset::Material material = asset::read_material(payload, {0, 6, 0}, ctx).value();
    const Json view = view_json(material, ViewOptions{});
    CHECK(view["phases"][1]["diffuse"][0] == 0);
    CHECK(view["phases"][0]["texture"] == "WALL.0");
    CHECK(view["blocks"][0]["mask"] == 2);
    CHECK(view["blocks"][0]["keys"][0]["duration_ms"] == 500);
    const std::string text = dump_json(view);
    const AddedEntry entry = import_asset(ImportKind::material, as_bytes(text), {}).value();
    CHECK(entry.payload == payload);
    CHECK(entry.attr2 == 6);
}

TEST_CASE("A material may be written from its phases alone, and mistakes are named") {
    const auto import = [](std::string_view text) { return import_asset(ImportKind::material, as_bytes(text), {}); };
    const AddedEntry entry = import(R"({"phases": [{"texture": "WALL.0"}]})").value();
    // materials.md 2.6: one phase, no block, blend not set, C = 1, D = 0.
    CHECK(entry.payload == hex("0100 0000 FF FF 0000803F 00000000 FFFFFF64 FFFFFFFF 00000000 00000000 00 FF 57414C4C2E3000000000000000000000"));
    CHECK(import(R"({"blocks": []})").error().code() == "json_missing");
    CHECK(import(R"({"phases": [{"diffuse": [1, 2, 3]}]})").error().code() == "json_bad_value");
    CHECK(import(R"({"phases": [{"diffuse": [1, 2, 3, 256]}]})").error().code() == "json_bad_value");
    CHECK(import(R"({"phases": [5]})").error().code() == "json_bad_value");
    CHECK(import(R"({"phases": [{"texture": "A.NAME.TOO.LONG.0"}]})").error().code() == "json_bad_value");
    CHECK(import(R"({"phases": [{}], "blocks": [{"mode": 0, "keys": [{"phase": 1}]}]})").error().code() == "mat0_bad_phase");
    CHECK(import("{").error().code() == "json_syntax");
}

TEST_CASE("A WEAR table from names is the canonical one") {
    const auto import = [](std::string_view text) { return import_asset(ImportKind::wear, as_bytes(text), {}); };
    const AddedEntry entry = import(R"({"materials": ["WALL"], "lightmaps": ["LM01.0"]})").value();
    CHECK(as_text(entry.payload) == "1\r\n0 WALL\r\n\r\nLIGHTMAPS\r\n1\r\n0 LM01.0\r\n");
    CHECK(entry.attr3 == 1);
    CHECK(as_text(import(R"({"materials": [{"id": "0", "name": "A"}, {"name": "B"}]})")->payload) == "2\r\n0 A\r\n1 B\r\n");
    CHECK(import(R"({"materials": []})").error().code() == "wear_authoring");
    CHECK(import(R"({"materials": ["A B"]})").error().code() == "wear_authoring");
}
