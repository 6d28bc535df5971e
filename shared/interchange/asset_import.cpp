#include "shared/interchange/asset_import.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "shared/base/text.hpp"
#include "shared/interchange/png.hpp"
#include "shared/interchange/view_visual.hpp"
#include "shared/interchange/wave.hpp"

namespace iron::interchange {
namespace {

using archive::type_tag;

bool opaque(const asset::RgbaImage& image) {
    for (std::size_t i = 3; i < image.pixels.size(); i += 4)
        if (image.pixels[i] != 255) return false;
    return true;
}

/// The colours of a picture with at most 256 of them, as a Texm palette. Error `texm_authoring`.
Result<Bytes> exact_palette(const asset::RgbaImage& image) {
    std::set<std::array<std::uint8_t, 4>> colours;
    for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
        colours.insert({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2], image.pixels[i + 3]});
        if (colours.size() > 256) return fail("texm_authoring", "the picture has more than 256 colours; an indexed texture cannot hold them");
    }
    Bytes palette;
    for (const auto& c : colours) palette.insert(palette.end(), c.begin(), c.end());
    palette.resize(1024, 0);
    return palette;
}

Result<AddedEntry> import_texture(ByteView bytes, const ImportOptions& options) {
    IRON_TRY(const asset::RgbaImage image, decode_png(bytes));
    const asset::TexmFormat format = options.format.value_or(opaque(image) ? asset::TexmFormat::rgb565 : asset::TexmFormat::argb8888);
    Bytes palette;
    if (format == asset::TexmFormat::indexed) {
        IRON_TRY(palette, exact_palette(image));
    }
    IRON_TRY(const asset::Texture texture, asset::make_texture(image, format, options.mip_count, palette));
    AddedEntry entry;
    entry.type = type_tag("Texm");
    IRON_TRY(entry.payload, asset::write_texture(texture));
    return entry;
}

Result<AddedEntry> import_sound(ByteView bytes, const ImportOptions& options) {
    IRON_TRY(const Samples samples, read_samples(bytes));
    if (samples.channels > 2) return fail("sound_channels", std::to_string(samples.channels) + " channels; the game has one or two");
    if (samples.rate != asset::kSoundRate)
        return fail("sound_rate", std::to_string(samples.rate) + " Hz; every sound of the game has 22050 Hz, resample it first");
    AddedEntry entry;
    entry.type = type_tag("SWAV");
    IRON_TRY(entry.payload, encode_wave(samples, options.adpcm ? asset::WaveCodec::ms_adpcm : asset::WaveCodec::pcm));
    return entry;
}

Result<AddedEntry> import_wear(const Json& value) {
    IRON_TRY(const asset::Wear wear, wear_from_json(value));
    AddedEntry entry;
    entry.type = type_tag("WEAR");
    entry.attr3 = 1;
    IRON_TRY(entry.payload, asset::write_wear(wear));
    return entry;
}

Result<AddedEntry> import_material(const Json& value) {
    IRON_TRY(const asset::Material material, material_from_json(value));
    AddedEntry entry;
    entry.type = type_tag("MAT0");
    entry.attr1 = material.attributes.attr1;
    entry.attr2 = material.attributes.attr2;
    entry.attr3 = material.attributes.attr3;
    IRON_TRY(entry.payload, asset::write_material(material));
    ReadContext strict;
    IRON_TRY([[maybe_unused]] const asset::Material again, asset::read_material(entry.payload, material.attributes, strict));
    return entry;
}

}  // namespace

Result<ImportKind> parse_import_kind(std::string_view name) {
    if (name == "texm") return ImportKind::texture;
    if (name == "swav") return ImportKind::sound;
    if (name == "wear") return ImportKind::wear;
    if (name == "mat0") return ImportKind::material;
    return fail("usage", "'" + std::string(name) + "' is none of texm, swav, wear, mat0");
}

std::optional<ImportKind> guess_import_kind(std::string_view file_name, ByteView bytes) {
    if (ascii_iends_with(file_name, ".png")) return ImportKind::texture;
    for (const std::string_view sound : {".wav", ".flac", ".ogg", ".aiff", ".aif"})
        if (ascii_iends_with(file_name, sound)) return ImportKind::sound;
    if (!ascii_iends_with(file_name, ".json")) return std::nullopt;
    const auto value = parse_json(as_text(bytes), file_name);
    if (!value) return std::nullopt;
    if (json_member(*value, "phases") != nullptr) return ImportKind::material;
    if (json_member(*value, "materials") != nullptr) return ImportKind::wear;
    return std::nullopt;
}

Result<AddedEntry> import_asset(ImportKind kind, ByteView bytes, const ImportOptions& options) {
    if (kind == ImportKind::texture) return import_texture(bytes, options);
    if (kind == ImportKind::sound) return import_sound(bytes, options);
    IRON_TRY(const Json value, parse_json(as_text(bytes), "the file"));
    return kind == ImportKind::wear ? import_wear(value) : import_material(value);
}

}  // namespace iron::interchange
