#include "shared/interchange/asset_export.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "shared/asset/font.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/interchange/loaded_asset.hpp"
#include "shared/interchange/mesh_export.hpp"
#include "shared/interchange/png.hpp"
#include "shared/interchange/view_options.hpp"
#include "shared/interchange/view_visual.hpp"
#include "shared/interchange/wave.hpp"

namespace iron::interchange {
namespace {

constexpr std::array<std::string_view, 8> kFormats{"auto", "gltf", "glb", "obj", "png", "wav", "json", "raw"};

using Files = std::vector<OutputFile>;

OutputFile json_file(std::string name, const Json& value) {
    const std::string text = dump_json(value);
    const ByteView bytes = as_bytes(text);
    return {std::move(name), Bytes(bytes.begin(), bytes.end())};
}

ExportFormat natural_format(AssetKind kind) {
    switch (kind) {
        case AssetKind::model:
        case AssetKind::land_mesh:
        case AssetKind::land_map: return ExportFormat::gltf;
        case AssetKind::texture:
        case AssetKind::font: return ExportFormat::png;
        case AssetKind::sound: return ExportFormat::wav;
        case AssetKind::raw: return ExportFormat::raw;
        default: return ExportFormat::json;
    }
}

Result<Files> export_texture(const asset::Texture& texture, const ExportOptions& options, Json metrics) {
    Files out;
    const std::uint32_t first = options.all_levels ? 0 : options.level;
    const std::uint32_t last = options.all_levels ? texture.mip_count : options.level + 1;
    for (std::uint32_t level = first; level < last; ++level) {
        IRON_TRY(const asset::RgbaImage image, asset::decode_level(texture, level));
        IRON_TRY(Bytes png, encode_png(image));
        out.push_back({options.stem + (level == 0 ? "" : "_" + std::to_string(level)) + ".png", std::move(png)});
    }
    // What a PNG cannot hold stands beside it: the stored format, rectangles, flags, a font's head.
    out.push_back(json_file(options.stem + ".json", metrics));
    return out;
}

Files gltf_files(const Gltf& gltf, const ExportOptions& options, ExportFormat format) {
    if (format == ExportFormat::gltf) return gltf.files(options.stem);
    return {{options.stem + ".glb", gltf.glb()}};
}

Result<Files> export_model(const LocatedAsset& asset, const ExportOptions& options, ExportFormat format, ReadContext& context) {
    IRON_TRY(const asset::MshModel model, asset::read_msh(asset.source.bytes, context));
    const std::optional<asset::Wear> wear = companion_wear(asset);
    std::optional<MaterialLibrary> library;
    if (asset.archives) library.emplace(*asset.archives);
    ModelExport wanted;
    wanted.name = display_text(asset.source.entry.empty() ? asset.source.path : asset.source.entry);
    wanted.wear = wear ? &*wear : nullptr;
    wanted.materials = library ? &*library : nullptr;
    wanted.state = options.state;
    wanted.lod = options.lod;
    wanted.frames_per_second = options.frames_per_second;
    if (options.profile)
        wanted.profile = *options.profile;
    else if (asset.archives)
        wanted.profile = scan_profile(*asset.archives, context);
    if (format == ExportFormat::obj) return model_to_obj(model, wanted, options.stem);
    IRON_TRY(const Gltf gltf, model_to_gltf(model, wanted));
    return gltf_files(gltf, options, format);
}

Result<Files> export_land(const LocatedAsset& asset, const ExportOptions& options, ExportFormat format, ReadContext& context) {
    IRON_TRY(const asset::LandMesh mesh, asset::read_land_mesh(asset.source.bytes, context));
    const std::optional<asset::Wear> wear1 = land_wear(asset, 1), wear2 = land_wear(asset, 2);
    std::optional<MaterialLibrary> library;
    if (asset.archives) library.emplace(*asset.archives);
    LandExport wanted;
    wanted.name = display_text(asset.source.path);
    wanted.wear1 = wear1 ? &*wear1 : nullptr;
    wanted.wear2 = wear2 ? &*wear2 : nullptr;
    wanted.materials = library ? &*library : nullptr;
    wanted.lod = options.lod;
    if (format == ExportFormat::obj) return land_to_obj(mesh, wanted, options.stem);
    IRON_TRY(const Gltf gltf, land_to_gltf(mesh, wanted));
    return gltf_files(gltf, options, format);
}

Result<Files> export_areals(const LocatedAsset& asset, const ExportOptions& options, ExportFormat format, ReadContext& context) {
    IRON_TRY(const asset::LandMap map, asset::read_land_map(asset.source.bytes, context));
    return gltf_files(areals_to_gltf(map, display_text(asset.source.path)), options, format);
}

Result<Files> export_sound(const LocatedAsset& asset, const ExportOptions& options, ReadContext& context) {
    const asset::Sound sound = asset::load_sound(asset.source.bytes, decode_wave, context);
    if (sound.status != asset::SoundStatus::decoded_sample)
        return fail("no_export", std::string(asset::sound_status_name(sound.status)) + (sound.problem.empty() ? "" : ": " + sound.problem));
    Samples samples{sound.info.channels, sound.info.rate, sound.samples};
    IRON_TRY(Bytes wave, encode_wave(samples));
    return Files{{options.stem + ".wav", std::move(wave)}};
}

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view name) {
    for (std::size_t i = 0; i < kFormats.size(); ++i)
        if (kFormats[i] == name) return static_cast<ExportFormat>(i);
    return fail("usage", "'" + std::string(name) + "' is no export format");
}

Result<Files> export_asset(const LocatedAsset& asset, const ExportOptions& options, ReadContext& context) {
    const AssetSource& source = asset.source;
    const ExportFormat format = options.format == ExportFormat::automatic ? natural_format(asset.kind) : options.format;
    const bool mesh = format == ExportFormat::gltf || format == ExportFormat::glb;
    if (format == ExportFormat::raw) return Files{{options.stem + ".bin", Bytes(source.bytes.begin(), source.bytes.end())}};
    if (format == ExportFormat::json) {
        IRON_TRY(const auto loaded, load_asset(asset.kind, source, context));
        Json out{{"asset", display_text(source.label())}, {"kind", asset_kind_name(asset.kind)}};
        out.update(loaded->view({true, 0}));
        return Files{json_file(options.stem + ".json", out)};
    }
    if (asset.kind == AssetKind::texture && format == ExportFormat::png) {
        IRON_TRY(const asset::Texture texture, asset::read_texture(source.bytes, context));
        return export_texture(texture, options, view_json(texture, ViewOptions{true, 0}));
    }
    if (asset.kind == AssetKind::font && format == ExportFormat::png) {
        IRON_TRY(const asset::Font font, asset::read_font(source.bytes, context));
        return export_texture(font.texture, options, view_json(font, ViewOptions{true, 0}));
    }
    if (asset.kind == AssetKind::model && (mesh || format == ExportFormat::obj)) return export_model(asset, options, format, context);
    if (asset.kind == AssetKind::land_mesh && (mesh || format == ExportFormat::obj)) return export_land(asset, options, format, context);
    if (asset.kind == AssetKind::land_map && mesh) return export_areals(asset, options, format, context);
    if (asset.kind == AssetKind::sound && format == ExportFormat::wav) return export_sound(asset, options, context);
    return fail("no_export", std::string(asset_kind_name(asset.kind)) + " cannot be exported as " + std::string(kFormats[static_cast<std::size_t>(format)]));
}

}  // namespace iron::interchange
