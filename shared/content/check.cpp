// check_file: every file through the strict reader of its kind, and back to the same bytes.
#include <algorithm>

#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/asset/base_contour.hpp"
#include "shared/asset/build_dat.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/asset/material.hpp"
#include "shared/asset/mission_cfg.hpp"
#include "shared/asset/msh.hpp"
#include "shared/asset/palette.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/asset/research_tree.hpp"
#include "shared/asset/script_package.hpp"
#include "shared/asset/texture.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/asset/varset.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/text.hpp"
#include "shared/content/content.hpp"

namespace iron::content {
namespace {

Status same(ByteView original, const Bytes& rewritten) {
    if (std::equal(original.begin(), original.end(), rewritten.begin(), rewritten.end())) return {};
    return fail("content_selfcheck", "rewritten bytes differ");
}
Status same(ByteView original, const Result<Bytes>& rewritten) {
    if (!rewritten) return tl::unexpected(rewritten.error());
    return same(original, *rewritten);
}

/// Reads with `read(bytes, context)` and compares with `write(value)`.
template <class Read, class Write>
Status round_trip(ByteView bytes, Read&& read, Write&& write) {
    ReadContext context;
    auto value = read(bytes, context);
    if (!value) return tl::unexpected(std::move(value).error());
    return same(bytes, write(*value));
}

/// Models and terrain are also written afresh: nothing may depend on the kept image.
Status check_model(ByteView bytes) {
    ReadContext context;
    IRON_TRY(const asset::MshModel model, asset::read_msh(bytes, context));
    IRON_CHECK(same(bytes, asset::write_msh(model)));
    return same(bytes, asset::write_msh_canonical(model));
}
Status check_land_mesh(ByteView bytes) {
    ReadContext context;
    IRON_TRY(const asset::LandMesh mesh, asset::read_land_mesh(bytes, context));
    IRON_CHECK(same(bytes, asset::write_land_mesh(mesh)));
    return same(bytes, asset::write_land_mesh_canonical(mesh));
}
Status check_land_map(ByteView bytes) {
    ReadContext context;
    IRON_TRY(asset::LandMap map, asset::read_land_map(bytes, context));
    IRON_CHECK(same(bytes, asset::write_land_map(map)));
    map.image.clear();
    return same(bytes, asset::write_land_map(map));
}

Status check_wave(ByteView bytes) {
    ByteReader in(bytes);
    IRON_TRY(const ByteView riff, in.view(4, "RIFF"));
    IRON_TRY(const std::uint32_t size, in.u32("size"));
    IRON_TRY(const ByteView wave, in.view(8, "WAVEfmt"));
    if (as_text(riff) != "RIFF" || as_text(wave) != "WAVEfmt " || size + 8 != bytes.size())
        return fail("content_selfcheck", "not a RIFF/WAVE file");
    return {};
}

Status check_entry(std::string_view archive_path, const archive::NresEntry& entry, ByteView payload) {
    const std::uint32_t type = entry.type_id;
    const auto is = [&](const char (&tag)[5]) { return type == archive::type_tag(tag); };
    if (is("MESH")) return check_model(payload);
    if (is("WEAR")) return round_trip(payload, asset::read_wear, [](const auto& v) { return asset::write_wear(v); });
    if (is("CTPT")) return round_trip(payload, asset::read_control_points, asset::write_control_points);
    if (is("NDPR")) return round_trip(payload, asset::read_damage_records, asset::write_damage_records);
    if (is("BASE")) return round_trip(payload, asset::read_base_contour, asset::write_base_contour);
    if (is("Texm")) return round_trip(payload, asset::read_texture, [](const auto& v) { return asset::write_texture(v); });
    if (is("SWAV")) return check_wave(payload);
    if (is("CTLD")) {
        ReadContext context;
        IRON_TRY(const asset::ControlResource control, asset::read_control_resource(payload, context));
        if (!control.parsed()) return fail("content_selfcheck", "the control resource fell back to raw bytes");
        return same(payload, asset::write_control_resource(control));
    }
    if (is("MAT0")) {
        ReadContext context;
        IRON_TRY(const asset::Material material, asset::read_material(payload, {entry.attr1, entry.attr2, entry.attr3}, context));
        return same(payload, asset::write_material(material));
    }
    if (is("SUND")) return {};  // our own data; kept raw by every reader
    if (ascii_iequals(archive_path, "objects.rlb")) return round_trip(payload, asset::read_prototype, asset::write_prototype);
    if (ascii_iends_with(entry.name(), ".pal")) return round_trip(payload, asset::read_palette, [](const auto& v) { return asset::write_palette(v); });
    return fail("content_selfcheck", "no check for this entry type");
}

Status check_archive(std::string_view path, ByteView bytes) {
    ReadContext context;
    IRON_TRY(const archive::Nres nres, archive::view_nres(bytes, context, archive::NresRole::file));
    IRON_CHECK(same(bytes, archive::write_nres_canonical(nres)));
    for (std::size_t i = 0; i < nres.size(); ++i) {
        Status status = check_entry(path, nres.entry(i), nres.payload(i));
        if (!status)
            return tl::unexpected(std::move(status).error().wrap({"entry", "content self-check", std::string(path), std::string(nres.entry(i).name()), {}, {}}));
    }
    return {};
}

Status check_rsli(ByteView bytes) {
    ReadContext context;
    IRON_TRY(const archive::Rsli library, archive::view_rsli(bytes, context));
    for (std::size_t i = 0; i < library.size(); ++i) {
        IRON_TRY(const Bytes plain, library.load(i, context));
        if (plain.empty()) return fail("content_selfcheck", "an empty record");
    }
    return same(bytes, archive::write_rsli_canonical(library));
}

Status check_kind(std::string_view path, ByteView bytes) {
    const auto ends = [&](std::string_view suffix) { return ascii_iends_with(path, suffix); };
    if (ends("gamefont.rlb") || ends("sprites.lib")) return check_rsli(bytes);
    if (ends(".rlb") || ends(".lib")) return check_archive(path, bytes);
    if (ends("land.msh")) return check_land_mesh(bytes);
    if (ends("land.map")) return check_land_map(bytes);
    if (ends(".wea")) return round_trip(bytes, asset::read_wear, [](const auto& v) { return asset::write_wear(v); });
    if (ends(".tma")) return round_trip(bytes, asset::read_tma, asset::write_tma);
    if (ends(".dat")) return round_trip(bytes, asset::read_unit_dat, asset::write_unit_dat);
    if (ends(".scr"))
        return round_trip(bytes, [](ByteView b, ReadContext& c) { return asset::read_script_package(b, c); }, asset::write_script_package);
    if (ends(".var")) return round_trip(bytes, asset::read_variable_set, [](const auto& v) { return asset::write_variable_set(v); });
    if (ends(".trf")) {
        ReadContext context;
        IRON_TRY(asset::ResearchTree tree, asset::read_research_tree(bytes, context));
        IRON_CHECK(same(bytes, asset::write_research_tree(tree)));
        tree.original.clear();
        return same(bytes, asset::write_research_tree(tree));
    }
    if (ends("BuildDat.lst")) return round_trip(bytes, asset::read_build_dat, asset::write_build_dat);
    if (ends("Comp.ini")) return round_trip(bytes, asset::read_comp_ini, [](const auto& v) { return asset::write_comp_ini(v); });
    if (ends(".ini")) {
        ReadContext context;
        IRON_CHECK(same(bytes, asset::write_ini(asset::read_ini(bytes, context))));
        if (!context.diagnostics.empty()) return fail("content_selfcheck", context.diagnostics.front().message);
        return {};
    }
    if (ends("mission.cfg")) return round_trip(bytes, asset::read_mission_cfg, [](const auto& v) { return asset::write_mission_cfg(v); });
    if (ends(".cfg"))
        return round_trip(bytes, [](ByteView b, ReadContext& c) { return asset::read_blocks(b, {{"object"}, 16}, c); },
                          [](const auto& v) { return asset::write_blocks(v); });
    if (ends("/descr") || ends(".mis")) return same(bytes, asset::write_text(asset::read_text(bytes)));
    return fail("content_selfcheck", "no check for this kind of file");
}

}  // namespace

Status check_file(std::string_view path, ByteView bytes) {
    if (bytes.empty()) return tl::unexpected(Error("content_selfcheck", "empty file").in(path));
    Status status = check_kind(path, bytes);
    if (!status) return tl::unexpected(std::move(status).error().wrap({"checking a generated file", "content self-check", std::string(path), {}, {}, {}}));
    return {};
}

}  // namespace iron::content
