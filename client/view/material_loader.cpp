#include "client/view/material_loader.hpp"

#include <algorithm>

#include "shared/asset/material.hpp"
#include "shared/asset/texture.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"

namespace iron::client::view {
namespace {

constexpr std::string_view kMaterialLibrary = "Material.lib";
constexpr std::string_view kTextureLibrary = "Textures.lib";
constexpr std::uint32_t kMat0 = archive::type_tag("MAT0");
constexpr std::uint8_t kBlendOne = 2, kBlendZero = 1;  // Direct3D enumeration

glm::vec3 rgb(const std::array<std::uint8_t, 4>& c) {
    return glm::vec3(c[0], c[1], c[2]) / 255.0f;
}

Result<Image> decode_image(ByteView bytes, std::string_view name) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    context.entry = name;
    IRON_TRY(const asset::Texture texture, asset::read_texture(bytes, context));
    Image out;
    out.name = name;
    out.width = static_cast<int>(texture.width);
    out.height = static_cast<int>(texture.height);
    const std::uint32_t levels =
        std::min(texture.mip_count, asset::full_mip_count(texture.width, texture.height));
    for (std::uint32_t i = 0; i < levels; ++i) {
        IRON_TRY(asset::RgbaImage level, asset::decode_level(texture, i));
        out.levels.push_back(std::move(level.pixels));
    }
    complete_mips(out);
    const auto& top = out.levels.front();
    for (std::size_t i = 3; i < top.size(); i += 4) out.has_alpha |= top[i] < 255;
    return out;
}

}  // namespace

void MaterialLoader::note(std::string_view code, std::string message) {
    notes_.push_back({Severity::warning, std::string(code), std::move(message), {}, {}, {}});
}

std::uint32_t MaterialLoader::image(std::string_view name) {
    const std::string key = ascii_lower(name);
    if (const auto found = images_.find(key); found != images_.end()) return found->second;
    Image picture;
    auto entry = archives_.find(kTextureLibrary, name);
    if (entry) {
        if (auto decoded = decode_image(entry->bytes, name)) {
            picture = std::move(*decoded);
        } else {
            note("texture_damaged", "texture '" + std::string(name) + "': " + decoded.error().to_string());
        }
    } else {
        note("texture_missing", "texture '" + std::string(name) + "' is not in " + std::string(kTextureLibrary));
    }
    if (picture.levels.empty()) picture = placeholder_image();
    const auto index = static_cast<std::uint32_t>(set_.images.size());
    set_.images.push_back(std::move(picture));
    images_.emplace(key, index);
    return index;
}

std::uint32_t MaterialLoader::material(std::string_view name) {
    const std::string key = ascii_lower(name);
    if (const auto found = materials_.find(key); found != materials_.end()) return found->second;

    Material out;
    out.name = name;
    out.team = key.rfind("team", 0) == 0;
    auto library = archives_.open_nres(kMaterialLibrary);
    const archive::NresEntry* entry = nullptr;
    if (library) {
        const archive::Nres& nres = **library;
        const auto usable = [&](std::optional<std::size_t> at) -> const archive::NresEntry* {
            return at && nres.entry(*at).type_id == kMat0 ? &nres.entry(*at) : nullptr;
        };
        entry = usable(nres.find(name));
        if (!entry) {
            note("material_missing", "Material " + std::string(name) + " not found.");
            entry = usable(nres.find("DEFAULT"));
            if (!entry && nres.size() > 0) entry = usable(std::size_t{0});
        }
    } else {
        note("material_library", library.error().to_string());
    }
    if (entry) {
        ReadContext context;
        context.profile = ReadProfile::compatible;
        context.entry = name;
        auto mat = asset::read_material((*library)->payload(*entry),
                                        {entry->attr1, entry->attr2, entry->attr3}, context);
        if (mat && !mat->phases.empty()) {
            const asset::MaterialPhase& phase = mat->phases.front();
            out.diffuse = rgb(phase.diffuse);
            out.specular = rgb(phase.specular);
            out.emissive = rgb(phase.emissive);
            out.alpha = static_cast<float>(phase.diffuse[3]) / 255.0f * std::clamp(mat->alpha, 0.0f, 1.0f);
            out.shininess = std::max(4.0f, static_cast<float>(phase.power));
            if (phase.textured()) out.image = image(phase.texture.view());
            const bool blended = mat->source_blend != asset::kBlendNotSet ||
                                 mat->destination_blend != asset::kBlendNotSet;
            const bool replaces = mat->source_blend == kBlendOne && mat->destination_blend == kBlendZero;
            if (blended && !replaces)
                out.blend = mat->destination_blend == kBlendOne ? Blend::additive : Blend::alpha;
            else if (out.alpha < 0.995f)
                out.blend = Blend::alpha;
            else if (out.image != 0xFFFFFFFFu && set_.images[out.image].has_alpha)
                out.blend = Blend::cutout;
        } else if (!mat) {
            note("material_damaged", "material '" + std::string(name) + "': " + mat.error().to_string());
        }
    }
    const auto index = static_cast<std::uint32_t>(set_.materials.size());
    set_.materials.push_back(std::move(out));
    materials_.emplace(key, index);
    return index;
}

std::vector<std::uint32_t> MaterialLoader::rows(Result<Bytes> bytes, std::string_view path) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    context.path = path;
    std::vector<std::uint32_t> out;
    if (bytes) {
        auto wear = asset::read_wear(*bytes, context);
        if (wear) {
            for (const asset::WearRow& row : wear->materials) out.push_back(material(row.name));
        } else {
            note("wear_damaged", wear.error().to_string());
        }
    } else {
        note("wear_missing", bytes.error().to_string());
    }
    if (out.empty()) out.push_back(material("DEFAULT"));
    return out;
}

std::vector<std::uint32_t> MaterialLoader::wear_entry(std::string_view archive, std::string_view entry) {
    auto found = archives_.find(archive, entry);
    if (!found) return rows(tl::unexpected(std::move(found).error()), entry);
    return rows(Bytes(found->bytes.begin(), found->bytes.end()), entry);
}

std::vector<std::uint32_t> MaterialLoader::wear_file(std::string_view path) {
    return rows(archives_.vfs().read(path), path);
}

}  // namespace iron::client::view
