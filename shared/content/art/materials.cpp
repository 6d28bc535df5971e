// Textures.lib, Material.lib, LightMap.lib and Palettes.lib. Every picture has a material of its
// name; terrain materials have a coarse twin `<name>_M` for LOD 1. Source: materials.md.
#include <algorithm>

#include "shared/archive/nres.hpp"
#include "shared/asset/material.hpp"
#include "shared/asset/palette.hpp"
#include "shared/content/art/art.hpp"

namespace iron::content {
namespace {

using archive::type_tag;
using asset::Material;
using asset::MaterialPhase;
using asset::PhaseBlock;
using asset::PhaseMode;

asset::RgbaImage to_rgba(const Image& image) {
    return {static_cast<std::uint32_t>(image.width()), static_cast<std::uint32_t>(image.height()), image.rgba8()};
}

/// A full chain made here: the float filter weights colour by alpha, so cut-outs keep their tone.
Result<asset::Texture> texture_of(const Picture& picture) {
    Bytes palette;
    if (picture.format == asset::TexmFormat::indexed) {
        for (int i = 0; i < 256; ++i)
            for (int c = 0; c < 4; ++c) palette.push_back(static_cast<std::uint8_t>(c == 3 ? 255 : i));
    }
    asset::Texture out;
    out.width = static_cast<std::uint32_t>(picture.image.width());
    out.height = static_cast<std::uint32_t>(picture.image.height());
    out.format = picture.format;
    out.palette = palette;
    out.mip_count = asset::full_mip_count(out.width, out.height);
    Image level = picture.image;
    for (std::uint32_t i = 0; i < out.mip_count; ++i) {
        IRON_TRY(Bytes pixels, asset::encode_pixels(to_rgba(level), picture.format, palette));
        out.pixels.insert(out.pixels.end(), pixels.begin(), pixels.end());
        level = level.half();
    }
    return out;
}

struct Look {
    std::uint8_t specular = 30, power = 12;
    std::uint8_t emissive = 0;
    std::uint8_t alpha = 255;
    bool blended = false;  ///< drawn with source alpha over the background
    bool pulse = false;    ///< emission goes up and down
};

Look look_of(std::string_view name) {
    Look look;
    const auto is = [&](std::string_view other) { return name == other; };
    const auto starts = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
    if (is("STEEL") || is("TRACK")) look = {110, 24, 0, 255, false, false};
    if (is("HULL") || is("HULL_DK") || is("TEAM")) look = {70, 20, 0, 255, false, false};
    if (is("GLASS")) look = {230, 60, 20, 255, false, false};
    if (is("LAMP") || is("TEAM_L")) look = {0, 0, 235, 255, false, false};
    if (is("WINDOW")) look = {60, 30, 150, 255, false, false};
    if (starts("GLOW_")) look = {0, 0, 220, 255, false, true};
    if (is("ALIEN")) look = {90, 30, 40, 255, false, true};
    if (is("PORTAL")) look = {0, 0, 200, 255, true, true};
    if (is("WATER")) look = {220, 50, 0, 235, true, false};
    if (starts("L_")) look = {0, 0, 0, 255, false, false};
    if (is("LEAF") || is("NEEDLE") || is("BARK")) look = {0, 0, 0, 255, false, false};
    return look;
}

Material material_of(const std::string& picture) {
    const Look look = look_of(picture);
    Material out;
    MaterialPhase phase;
    phase.specular = {look.specular, look.specular, look.specular, 255};
    phase.emissive = {look.emissive, look.emissive, look.emissive, 255};
    phase.diffuse[3] = look.alpha;
    phase.power = look.power;
    phase.texture.assign(picture + ".0");
    out.phases.push_back(phase);
    if (look.pulse) {
        MaterialPhase dim = phase;
        for (int i = 0; i < 3; ++i) dim.emissive[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(look.emissive * 5 / 10);
        out.phases.push_back(dim);
        PhaseBlock block;
        block.header = PhaseBlock::make_header(PhaseMode::loop, asset::phase_mask::kEmissive);
        block.keys = {{0, 900, 0}, {1, 900, 0}};
        out.blocks.push_back(block);
    } else {
        PhaseBlock block;
        block.header = PhaseBlock::make_header(PhaseMode::loop, 0);
        block.keys = {{0, 1000, 0}};
        out.blocks.push_back(block);
    }
    if (look.blended) {
        out.source_blend = 5;       // source alpha
        out.destination_blend = 6;  // inverse source alpha
    }
    return out;
}

Status add_material(Game& game, const std::string& name, const Material& material) {
    IRON_TRY(Bytes payload, asset::write_material(material));
    game.entry("Material.lib", type_tag("MAT0"), material.attributes.attr1, material.attributes.attr2,
               material.attributes.attr3, name, std::move(payload));
    return {};
}

Image soft_light(std::uint64_t seed) {
    Image out(32, 32);
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            const float dx = (static_cast<float>(x) - 15.5f) / 16.0f, dy = (static_cast<float>(y) - 15.5f) / 16.0f;
            const float v = std::max(0.25f, 1.0f - 0.7f * (dx * dx + dy * dy));
            out.at(x, y) = {v, v * 0.97f, v * (seed % 2 ? 0.9f : 0.85f), 1};
        }
    return out;
}

}  // namespace

Status add_materials(Game& game, std::uint64_t seed) {
    const std::vector<Picture> pictures = make_pictures(seed);
    // DEFAULT first: it is also entry 0, the last step of the fallback chain.
    Material fallback = material_of("HULL_DK");
    IRON_CHECK(add_material(game, "DEFAULT", fallback));
    for (const Picture& picture : pictures) {
        IRON_TRY_WRAP(const asset::Texture texture, texture_of(picture), "texture " + picture.name);
        IRON_TRY_WRAP(Bytes bytes, asset::write_texture(texture), "texture " + picture.name);
        game.entry("Textures.lib", type_tag("Texm"), 0, 0, 0, picture.name, std::move(bytes));
        const std::string name = picture.name.substr(0, picture.name.size() - 2);
        IRON_CHECK(add_material(game, name, material_of(name)));
        if (name.substr(0, 2) == "L_" || name == "WATER") IRON_CHECK(add_material(game, name + "_M", material_of(name)));
    }
    Material light = material_of("TEAM_L");  // the shade manager's material
    IRON_CHECK(add_material(game, "LIGHT1", light));

    for (int i = 0; i < 2; ++i) {
        Picture picture{i == 0 ? "LM01.0" : "LM02.0", soft_light(static_cast<std::uint64_t>(i)), asset::TexmFormat::rgb565};
        IRON_TRY(asset::Texture texture, asset::make_texture(to_rgba(picture.image), picture.format, 1));
        IRON_TRY(Bytes bytes, asset::write_texture(texture));
        game.entry("LightMap.lib", type_tag("Texm"), 0, 0, 0, picture.name, std::move(bytes));
    }

    asset::Palette grey;
    grey.blend_table.resize(65536);
    for (int i = 0; i < 256; ++i) {
        for (int c = 0; c < 4; ++c) grey.colours[static_cast<std::size_t>(4 * i + c)] = static_cast<std::uint8_t>(c == 3 ? 0 : i);
        for (int j = 0; j < 256; ++j) grey.blend_table[static_cast<std::size_t>(256 * i + j)] = static_cast<std::uint8_t>((i + j) / 2);
    }
    IRON_TRY(Bytes palette, asset::write_palette(grey));
    game.entry("Palettes.lib", 0, 0, 0, 0, "A.PAL", std::move(palette));
    return {};
}

}  // namespace iron::content
