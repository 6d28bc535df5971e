#include "shared/interchange/asset_kind.hpp"

#include <array>

#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/asset/font.hpp"
#include "shared/asset/palette.hpp"
#include "shared/base/text.hpp"

namespace iron::interchange {
namespace {

using archive::type_tag;

struct TagRow {
    std::uint32_t tag;
    AssetKind kind;
};
constexpr std::array<TagRow, 13> kTags{{{type_tag("MESH"), AssetKind::model},
                                        {type_tag("WEAR"), AssetKind::wear},
                                        {type_tag("MAT0"), AssetKind::material},
                                        {type_tag("Texm"), AssetKind::texture},
                                        {type_tag("TFNT"), AssetKind::font},
                                        {type_tag("FXID"), AssetKind::effect},
                                        {type_tag("CTPT"), AssetKind::control_points},
                                        {type_tag("NDPR"), AssetKind::damage_records},
                                        {type_tag("CTLD"), AssetKind::control_resource},
                                        {type_tag("BASE"), AssetKind::base_contour},
                                        {type_tag("EXPL"), AssetKind::expl},
                                        {type_tag("SUND"), AssetKind::sund},
                                        {type_tag("SWAV"), AssetKind::sound}}};

struct SuffixRow {
    std::string_view suffix;
    AssetKind kind;
};
// Both for entries and for files; longer names first where one ends with the other.
constexpr std::array<SuffixRow, 15> kSuffixes{{{".msh", AssetKind::model},
                                               {".wea", AssetKind::wear},
                                               {".cpt", AssetKind::control_points},
                                               {".ndp", AssetKind::damage_records},
                                               {".ctl", AssetKind::control_resource},
                                               {".bas", AssetKind::base_contour},
                                               {".exp", AssetKind::expl},
                                               {".sun", AssetKind::sund},
                                               {".ani", AssetKind::ani},
                                               {".ske", AssetKind::ske},
                                               {".fml", AssetKind::fml},
                                               {".pal", AssetKind::palette},
                                               {".wav", AssetKind::sound},
                                               {".trf", AssetKind::research_tree},
                                               {".scr", AssetKind::script}}};

std::string_view last_segment(std::string_view path) {
    const std::size_t at = path.find_last_of("/\\");
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

bool starts(ByteView bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && as_text(bytes.first(magic.size())) == magic;
}

/// Inner containers: landscapes and research trees are told by their streams, everything else is a model.
AssetKind container_kind(std::string_view name, ByteView bytes, bool inner) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto nres = archive::view_nres(bytes, context, archive::NresRole::inner);
    if (!nres) return ascii_iends_with(name, ".msh") ? AssetKind::model : AssetKind::nres;
    if (nres->find_type(type_tag("TRF0"))) return AssetKind::research_tree;
    if (nres->size() == 1 && nres->entry(0).type_id == 12) return AssetKind::land_map;
    const bool positions = nres->find_type(3).has_value();
    if (positions && nres->find_type(21)) return AssetKind::land_mesh;
    if (positions || inner || ascii_iends_with(name, ".msh")) return AssetKind::model;
    return AssetKind::nres;
}

std::optional<AssetKind> by_tag(const AssetSource& source) {
    if (!source.type_id) return std::nullopt;
    if (*source.type_id == type_tag("FORT")) return AssetKind::fort;
    for (const TagRow& row : kTags)
        if (row.tag == *source.type_id) return row.kind;
    return std::nullopt;
}

std::optional<AssetKind> by_suffix(std::string_view name) {
    for (const SuffixRow& row : kSuffixes)
        if (ascii_iends_with(name, row.suffix)) return row.kind;
    return std::nullopt;
}

AssetKind entry_kind(const AssetSource& source) {
    if (ascii_iequals(last_segment(source.path), "objects.rlb")) {
        const bool reference_array = source.type_id && *source.type_id == type_tag("FORT");
        return reference_array ? AssetKind::fort : AssetKind::prototype;
    }
    if (const auto kind = by_tag(source)) return *kind;
    if (starts(source.bytes, "Texm")) return AssetKind::texture;
    if (const auto kind = by_suffix(source.entry))
        return *kind == AssetKind::model || *kind == AssetKind::research_tree
                   ? (starts(source.bytes, "NRes") ? container_kind(source.entry, source.bytes, true) : *kind)
                   : *kind;
    if (starts(source.bytes, "NRes")) return container_kind(source.entry, source.bytes, true);
    if (starts(source.bytes, "TFNT")) return AssetKind::font;
    // A font has an unknown head and then a texture at a fixed place.
    if (source.bytes.size() > asset::kFontHeadSize + 4 && starts(source.bytes.subspan(asset::kFontHeadSize), "Texm"))
        return AssetKind::font;
    return AssetKind::raw;
}

AssetKind file_kind(const AssetSource& source) {
    const std::string_view name = last_segment(source.path);
    const auto ends = [&](std::string_view suffix) { return ascii_iends_with(name, suffix); };
    if (starts(source.bytes, "NRes")) {
        if (ends(".rlb") || ends(".lib")) return AssetKind::nres;
        return container_kind(name, source.bytes, false);
    }
    if (starts(source.bytes, std::string_view("NL\0\1", 4))) return AssetKind::rsli;
    if (ends(".rlb") || ends(".lib")) return AssetKind::nres;
    if (ends(".map")) return AssetKind::land_map;
    if (ascii_iequals(name, "land.msh")) return AssetKind::land_mesh;
    if (ends(".tma")) return AssetKind::tma;
    if (ends(".dat")) return AssetKind::unit_dat;
    if (ends(".var")) return AssetKind::variable_set;
    if (ascii_iequals(name, "builddat.lst")) return AssetKind::build_dat;
    if (ascii_iequals(name, "comp.ini")) return AssetKind::comp_ini;
    if (ends(".ini")) return AssetKind::ini;
    if (ascii_iequals(name, "mission.cfg")) return AssetKind::mission_cfg;
    if (ascii_iequals(name, "shade.cfg")) return AssetKind::ini;
    if (ends(".cfg")) return AssetKind::block_config;
    if (starts(source.bytes, "Texm")) return AssetKind::texture;
    if (const auto kind = by_suffix(name)) return *kind;
    for (const std::string_view suffix : {".mis", ".man", ".tbl", ".dsc", ".txt", ".lst", ".manifest"})
        if (ends(suffix)) return AssetKind::text;
    return ascii_iequals(name, "descr") ? AssetKind::text : AssetKind::raw;
}

}  // namespace

std::string_view asset_kind_name(AssetKind kind) {
    static constexpr std::array<std::string_view, kAssetKindCount> kNames{
        "NRes", "RsLi", "MSH", "Land.msh", "Land.map", "Texm", "TFNT", "PAL", "MAT0", "WEAR", "FXID", "SWAV",
        "CTPT", "NDPR", "CTLD", "BASE", "prototype", "FORT", "TRF", "EXPL", "SUND", "ANI", "SKE", "FML", "preload",
        "TMA", "unit DAT", "BuildDat.lst", "Comp.ini", "INI", "mission.cfg", "CFG", "SCR", "VAR", "text", "raw"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string AssetSource::label() const { return entry.empty() ? path : path + "::" + entry; }

AssetKind detect_asset_kind(const AssetSource& source) {
    return source.entry.empty() ? file_kind(source) : entry_kind(source);
}

}  // namespace iron::interchange
