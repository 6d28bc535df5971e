#include "shared/interchange/material_look.hpp"

#include <algorithm>

#include "shared/asset/material.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {
namespace {

constexpr std::string_view kMaterials = "Material.lib", kTextures = "Textures.lib";

bool has_transparency(const asset::RgbaImage& image) {
    for (std::size_t i = 3; i < image.pixels.size(); i += 4)
        if (image.pixels[i] != 255) return true;
    return false;
}

float channel(std::uint8_t byte) { return static_cast<float>(byte) / 255.0f; }

}  // namespace

const MaterialLook& MaterialLibrary::look(std::string_view name) {
    const std::string key = ascii_lower(name);
    auto it = looks_.find(key);
    if (it == looks_.end()) it = looks_.emplace(key, load(name)).first;
    return it->second;
}

Result<asset::RgbaImage> MaterialLibrary::texture(std::string_view library, std::string_view name) {
    IRON_TRY(const archive::NresResource found, archives_.find(library, name));
    ReadContext context;
    context.profile = ReadProfile::compatible;
    IRON_TRY(const asset::Texture decoded, asset::read_texture(found.bytes, context));
    return asset::decode_level(decoded, 0);
}

MaterialLook MaterialLibrary::load(std::string_view name) {
    MaterialLook look;
    look.name = display_text(name);
    const auto library = archives_.open_nres(kMaterials);
    if (!library) {
        look.problem = library.error().to_string();
        return look;
    }
    std::optional<std::size_t> index = (*library)->find(name);
    if (!index) {
        look.problem = "no material '" + look.name + "'";
        index = (*library)->find("DEFAULT");
        if (!index && (*library)->size() != 0) index = 0;
        if (!index) return look;
    }
    const archive::NresEntry& entry = (*library)->entry(*index);
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto material = asset::read_material((*library)->payload(*index), {entry.attr1, entry.attr2, entry.attr3}, context);
    if (!material || material->phases.empty()) {
        look.problem = material ? "the material has no phase" : material.error().to_string();
        return look;
    }
    const asset::MaterialPhase& phase = material->phases.front();
    for (std::size_t i = 0; i < 4; ++i) look.colour[i] = channel(phase.diffuse[i]);
    look.colour[3] = std::clamp(look.colour[3] * material->alpha, 0.0f, 1.0f);
    for (std::size_t i = 0; i < 3; ++i) look.emissive[i] = channel(phase.emissive[i]);
    // Anything but "one, zero" mixes with what is behind (Direct3D numbers).
    const bool blends = material->destination_blend != asset::kBlendNotSet && material->destination_blend != 1;
    if (blends || look.colour[3] < 1) look.alpha = AlphaMode::blend;
    if (!phase.textured()) return look;
    look.texture = display_text(phase.texture.view());
    auto image = texture(kTextures, phase.texture.view());
    if (!image) {
        look.problem = image.error().to_string();
        return look;
    }
    if (look.alpha == AlphaMode::opaque && has_transparency(*image)) look.alpha = AlphaMode::mask;
    look.image = std::move(*image);
    return look;
}

}  // namespace iron::interchange
