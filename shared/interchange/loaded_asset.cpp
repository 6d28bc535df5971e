#include "shared/interchange/loaded_asset.hpp"



#include "shared/base/hash.hpp"
#include "shared/interchange/facts.hpp"
#include "shared/interchange/view_mission.hpp"
#include "shared/interchange/view_model.hpp"
#include "shared/interchange/view_object.hpp"
#include "shared/interchange/view_options.hpp"
#include "shared/interchange/view_visual.hpp"
#include "shared/interchange/wave.hpp"
#include "shared/asset/mission_cfg.hpp"

namespace iron::interchange {
namespace {

using namespace asset;
using Pointer = std::unique_ptr<const LoadedAsset>;

/// A value with its writer; the view and the facts are found by overload.
template <class T>
class Typed final : public LoadedAsset {
public:
    using Writer = Result<Bytes> (*)(const T&);
    Typed(T value, Writer writer) : value_(std::move(value)), writer_(writer) {}
    Json view(const ViewOptions& options) const override { return view_json(value_, options); }
    Result<Bytes> rewrite() const override { return writer_(value_); }
    void count(Facts& facts) const override { count_facts(value_, facts); }

private:
    T value_;
    Writer writer_;
};

template <class T>
Result<Pointer> typed(Result<T> value, typename Typed<T>::Writer writer) {
    if (!value) return tl::unexpected(std::move(value).error());
    return Pointer(new Typed<T>(std::move(*value), writer));
}


#define IRON_WRITER(T, call) [](const T& value) -> Result<Bytes> { return call; }

/// Bytes nobody interprets.
class Plain final : public LoadedAsset {
public:
    explicit Plain(ByteView bytes) : bytes_(bytes.begin(), bytes.end()) {}
    Json view(const ViewOptions& options) const override {
        const std::size_t shown = options.full ? bytes_.size() : std::min<std::size_t>(bytes_.size(), 64);
        return Json{{"bytes", bytes_.size()}, {"sha256", to_hex(sha256(bytes_))},
                    {"raw", to_hex(ByteView(bytes_).first(shown)) + (shown < bytes_.size() ? "..." : "")}};
    }
    Result<Bytes> rewrite() const override { return bytes_; }
    void count(Facts&) const override {}

private:
    Bytes bytes_;
};

/// A sound keeps its bytes: samples are a view, there is nothing to write but the original.
class Wave final : public LoadedAsset {
public:
    Wave(Sound sound, ByteView bytes) : sound_(std::move(sound)), bytes_(bytes.begin(), bytes.end()) {}
    Json view(const ViewOptions& options) const override { return view_json(sound_, options); }
    Result<Bytes> rewrite() const override { return bytes_; }
    void count(Facts& facts) const override { count_facts(sound_, facts); }

private:
    Sound sound_;
    Bytes bytes_;
};

Result<Pointer> load_wave(ByteView bytes, ReadContext& context) {
    Sound sound = load_sound(bytes, decode_wave, context);
    if (sound.status == SoundStatus::wave_invalid) {
        ReadContext again;  // for the offset; its warnings are in `context` already
        auto info = read_wave(bytes, again);
        if (!info) return tl::unexpected(std::move(info).error());
        return fail("wave_invalid", sound.problem);
    }
    return Pointer(new Wave(std::move(sound), bytes));
}

Result<Pointer> load_raw(RawFamily family, ByteView bytes, ReadContext& context) {
    return typed<RawResource>(read_raw_resource(family, bytes, context), IRON_WRITER(RawResource, write_raw_resource(value)));
}

Result<Pointer> load_visual(AssetKind kind, const AssetSource& s, ReadContext& c) {
    switch (kind) {
        case AssetKind::model: return typed<MshModel>(read_msh(s.bytes, c), write_msh);
        case AssetKind::land_mesh: return typed<LandMesh>(read_land_mesh(s.bytes, c), write_land_mesh);
        case AssetKind::land_map: return typed<LandMap>(read_land_map(s.bytes, c), write_land_map);
        case AssetKind::texture: return typed<Texture>(read_texture(s.bytes, c), write_texture);
        case AssetKind::font: return typed<Font>(read_font(s.bytes, c), write_font);
        case AssetKind::palette: return typed<Palette>(read_palette(s.bytes, c), write_palette);
        case AssetKind::material: return typed<Material>(read_material(s.bytes, s.attributes, c), write_material);
        case AssetKind::wear: return typed<Wear>(read_wear(s.bytes, c), write_wear);
        case AssetKind::effect: return typed<Effect>(read_effect(s.bytes, c), write_effect);
        case AssetKind::sound: return load_wave(s.bytes, c);
        default: return Pointer();
    }
}

Result<Pointer> load_object(AssetKind kind, const AssetSource& s, ReadContext& c) {
    switch (kind) {
        case AssetKind::control_points:
            return typed<ControlPoints>(read_control_points(s.bytes, c), IRON_WRITER(ControlPoints, write_control_points(value)));
        case AssetKind::damage_records:
            return typed<DamageRecords>(read_damage_records(s.bytes, c), IRON_WRITER(DamageRecords, write_damage_records(value)));
        case AssetKind::control_resource:
            return typed<ControlResource>(read_control_resource(s.bytes, c), IRON_WRITER(ControlResource, write_control_resource(value)));
        case AssetKind::base_contour:
            return typed<BaseContour>(read_base_contour(s.bytes, c), IRON_WRITER(BaseContour, write_base_contour(value)));
        case AssetKind::prototype:
            return typed<ReferenceArray>(read_reference_array(s.bytes, c), IRON_WRITER(ReferenceArray, write_reference_array(value)));
        case AssetKind::fort: return typed<Fort>(read_fort(s.bytes, c), IRON_WRITER(Fort, write_fort(value)));
        case AssetKind::research_tree: return typed<ResearchTree>(read_research_tree(s.bytes, c), write_research_tree);
        case AssetKind::unit_dat: return typed<UnitDat>(read_unit_dat(s.bytes, c), IRON_WRITER(UnitDat, write_unit_dat(value)));
        case AssetKind::expl: return load_raw(RawFamily::expl, s.bytes, c);
        case AssetKind::sund: return load_raw(RawFamily::sund, s.bytes, c);
        case AssetKind::ani: return load_raw(RawFamily::ani, s.bytes, c);
        case AssetKind::ske: return load_raw(RawFamily::ske, s.bytes, c);
        case AssetKind::fml: return load_raw(RawFamily::fml, s.bytes, c);
        case AssetKind::preload: return load_raw(RawFamily::preload, s.bytes, c);
        default: return Pointer();
    }
}

Result<Pointer> load_mission_file(AssetKind kind, const AssetSource& s, ReadContext& c) {
    switch (kind) {
        case AssetKind::tma: return typed<Tma>(read_tma(s.bytes, c), IRON_WRITER(Tma, write_tma(value)));
        case AssetKind::script:
            return typed<ScriptPackage>(read_script_package(s.bytes, c), IRON_WRITER(ScriptPackage, write_script_package(value)));
        case AssetKind::variable_set:
            return typed<VariableSet>(read_variable_set(s.bytes, c), IRON_WRITER(VariableSet, write_variable_set(value)));
        case AssetKind::build_dat: return typed<BuildDat>(read_build_dat(s.bytes, c), IRON_WRITER(BuildDat, write_build_dat(value)));
        case AssetKind::comp_ini: return typed<CompIni>(read_comp_ini(s.bytes, c), IRON_WRITER(CompIni, write_comp_ini(value)));
        case AssetKind::ini: return typed<IniDocument>(read_ini(s.bytes, c), IRON_WRITER(IniDocument, write_ini(value)));
        case AssetKind::mission_cfg: {
            auto config = read_mission_cfg(s.bytes, c);
            if (!config) return tl::unexpected(std::move(config).error());
            return typed<BlockDocument>(std::move(config->document), IRON_WRITER(BlockDocument, write_blocks(value)));
        }
        case AssetKind::block_config: {
            // The grammars of the interface files are not published: what does not balance is plain text.
            ReadContext attempt = c;
            auto blocks = read_blocks(s.bytes, {{"object"}, 16}, attempt);
            if (blocks) {
                c = std::move(attempt);
                return typed<BlockDocument>(std::move(*blocks), IRON_WRITER(BlockDocument, write_blocks(value)));
            }
            c.warn("config_opaque_line", "kept as lines: " + blocks.error().message());
            return typed<TextDocument>(read_text(s.bytes), IRON_WRITER(TextDocument, write_text(value)));
        }
        case AssetKind::text: return typed<TextDocument>(read_text(s.bytes), IRON_WRITER(TextDocument, write_text(value)));
        default: return Pointer();
    }
}

#undef IRON_WRITER

}  // namespace

Result<Pointer> load_asset(AssetKind kind, const AssetSource& source, ReadContext& context) {
    if (kind == AssetKind::nres || kind == AssetKind::rsli)
        return tl::unexpected(Error("unknown_container", "an archive is not one asset; name an entry").in(source.path));
    if (kind == AssetKind::raw) return Pointer(new Plain(source.bytes));
    for (const auto loader : {load_visual, load_object, load_mission_file}) {
        auto loaded = loader(kind, source, context);
        if (!loaded) {
            ErrorFrame frame{"reading " + std::string(asset_kind_name(kind)), {}, source.path, source.entry, {}, {}};
            return tl::unexpected(std::move(loaded).error().wrap(std::move(frame)));
        }
        if (*loaded) return loaded;
    }
    return Pointer(new Plain(source.bytes));
}

}  // namespace iron::interchange
