#include "tests/mission/mission_kit.hpp"

#include <algorithm>

#include "shared/asset/build_dat.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/land_build.hpp"
#include "shared/asset/land_map.hpp"
#include "shared/asset/material.hpp"
#include "shared/asset/msh_build.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/asset/script_package.hpp"
#include "shared/asset/texture.hpp"
#include "shared/asset/varset.hpp"
#include "shared/asset/wear.hpp"

namespace iron::mission::kit {

using archive::type_tag;

namespace {

Bytes model_bytes(float size) {
    asset::MshModel model;
    const asset::MshVertex vertices[] = {
        {{-size / 2, -size / 2, 0}, {0, 0, 1}, {}},
        {{size / 2, -size / 2, 0}, {0, 0, 1}, {}},
        {{size / 2, size / 2, 1}, {0, 0, 1}, {}},
    };
    const std::uint16_t indices[] = {0, 1, 2};
    const auto batch = asset::append_batch(model, vertices, indices, 0);
    const auto slot = asset::append_slot(model, *batch, 1);
    asset::append_node(model, "root", asset::kNone16, slot, {{1, 2, 3}, {}});
    asset::append_node(model, "socket", 0, asset::kNone16, {{0, 0, 5}, {}});
    (void)asset::finish_model(model);
    return *asset::write_msh(model);
}

Bytes land_map_bytes() {
    asset::LandMap map;
    asset::Areal areal;
    areal.anchor = {32, 32, 0};
    areal.vertices = {{0, 0, 0}, {64, 0, 0}, {64, 64, 0}, {0, 64, 0}};
    areal.links.resize(4);
    map.areals.push_back(areal);
    asset::link_areals(map);
    (void)asset::build_areal_grid(map, 8, 8, asset::areal_bounds(map));
    return *asset::write_land_map(map);
}

Entry material(const std::string& texture) {
    asset::Material value;
    value.phases.resize(1);
    value.phases[0].texture.assign(texture);
    return {type_tag("MAT0"), value.attributes.attr1, value.attributes.attr2, 0,
            *asset::write_material(value)};
}

Entry texture() {
    const asset::RgbaImage image{2, 2, Bytes(16, 0x80)};
    const auto value = asset::make_texture(image, asset::TexmFormat::argb8888);
    return {type_tag("Texm"), 0, 0, 0, *asset::write_texture(*value)};
}

Bytes wear_bytes(const std::vector<std::string>& materials, const std::vector<std::string>& lightmaps) {
    asset::Wear wear;
    for (const auto& name : materials) wear.add_material(name);
    for (const auto& name : lightmaps) wear.add_lightmap(name);
    return *asset::write_wear(wear);
}

}  // namespace

Bytes text_bytes(std::string_view text) {
    const ByteView view = as_bytes(text);
    return {view.begin(), view.end()};
}

void Root::entry(const std::string& archive, const std::string& name, Entry value) {
    archives[archive].emplace_back(name, std::move(value));
}

Entry* Root::find(const std::string& archive, const std::string& name) {
    for (auto& [key, value] : archives[archive])
        if (key == name) return &value;
    return nullptr;
}

void Root::remove(const std::string& archive, const std::string& name) {
    auto& list = archives[archive];
    std::erase_if(list, [&](const auto& item) { return item.first == name; });
}

void Root::prototype(const std::string& key, const Names& references) {
    asset::ReferenceArray value;
    for (const auto& [archive, name] : references)
        value.references.push_back(asset::make_ref64(archive, name));
    entry("objects.rlb", key, {0, 0, 0, 0, asset::write_reference_array(value)});
}

void Root::model(const std::string& archive, const std::string& stem, float size,
                 const std::vector<std::string>& materials, const std::vector<std::string>& lightmaps) {
    entry(archive, stem + ".msh", {type_tag("MESH"), 0, 0, 0, model_bytes(size)});
    entry(archive, stem + ".wea", {type_tag("WEAR"), 0, 0, 1, wear_bytes(materials, lightmaps)});
}

void Root::scheme(const std::string& path, std::uint32_t type, const std::vector<std::string>& keys) {
    asset::UnitDat dat;
    dat.scheme_type = type;
    for (std::size_t i = 0; i < keys.size(); ++i)
        dat.records.push_back(asset::make_unit_record(
            keys[i], static_cast<std::int32_t>(i) - 1, "part",
            i == 0 ? asset::UnitEntryType::chassis : asset::UnitEntryType::turret,
            i == 0 ? static_cast<std::uint32_t>(keys.size() - 1) : 0));
    file(path) = asset::write_unit_dat(dat);
}

asset::TmaObject& Root::place(const std::string& resource, asset::ObjectKind kind) {
    asset::TmaObject object;
    object.kind = static_cast<std::uint32_t>(kind);
    object.resource = resource;
    object.position = {8, 8, 0};
    return tma.objects.emplace_back(std::move(object));
}

asset::TmaClan& Root::clan(const std::string& name, const std::string& script_base) {
    asset::TmaClan value;
    value.name = name;
    value.mode = 1;
    value.anchor_x = 500.2857f;
    value.anchor_y = 752;
    value.script_base = script_base;
    if (!script_base.empty()) {
        std::string base = script_base;
        std::replace(base.begin(), base.end(), '\\', '/');
        asset::ScriptPackage package;
        package.events.push_back({"Init", 0, {asset::ScriptRecord{}}});
        file(base + ".scr") = asset::write_script_package(package);
        file("MISSIONS/SCRIPTS/varset.var") = text_bytes("VAR( DWORD, ClanID, 0)\r\n");
        file(base + ".fml") = text_bytes("formulas");
    }
    return tma.clans.emplace_back(std::move(value));
}

std::map<std::string, Bytes> Root::files() const {
    auto out = plain;
    for (const auto& [path, entries] : archives) {
        archive::NresBuilder builder;
        for (const auto& [name, value] : entries)
            builder.add(value.type, value.attr1, value.attr2, value.attr3, name, value.payload);
        out[path] = *builder.build();
    }
    out["MISSIONS/Single.01/data.tma"] = asset::write_tma(tma);
    return out;
}

archive::Vfs Root::vfs() const { return *archive::Vfs::from_memory(files()); }

Root minimal_root() {
    Root root;
    root.tma.land_path = "DATA\\MAPS\\flat\\land";
    root.file("DATA/MAPS/flat/Land.msh") = *asset::write_land_mesh(*asset::build_land_mesh({}));
    root.file("DATA/MAPS/flat/Land.map") = land_map_bytes();
    root.file("DATA/MAPS/flat/Land1.wea") = wear_bytes({"WALL"}, {});
    root.file("DATA/MAPS/flat/Land2.wea") = wear_bytes({"WALL"}, {});
    root.file("BuildDat.lst") = text_bytes("Mine 0\r\n");
    root.file("Behavior.ini") = text_bytes("UseWizard = 1\r\n");
    root.file("Comp.ini") = asset::write_comp_ini(asset::make_comp_ini(asset::default_components()));
    root.file("MISSIONS/Single.01/mission.cfg") = text_bytes("// none\r\n");
    root.file("MISSIONS/Single.01/descr") = text_bytes("First\r\nmore\r\n");
    root.archives["objects.rlb"];
    root.entry("Material.lib", "DEFAULT", material("WALL.0"));
    root.entry("Material.lib", "WALL", material("WALL.0"));
    root.entry("Textures.lib", "WALL.0", texture());
    root.entry("LightMap.lib", "LM01.0", texture());
    return root;
}

Root worked_root() {
    Root root = minimal_root();
    const auto direct = [&](const std::string& key, const std::string& archive) {
        root.model(archive, key + "_m");
        root.prototype(key, {{archive, key + "_m.msh"}});
    };
    for (const char* key : {"chassis", "turret", "gun", "armour", "part"}) direct(key, "bases.rlb");
    direct("s_stone_01", "static.rlb");
    root.model("static.rlb", "s_tree_0_04", 2, {"WALL", "WALL"}, {"LM01.0"});
    root.prototype("s_tree_04", {{"static.rlb", "s_tree_0_04.msh"}});
    root.model("fortif.rlb", "fr_m_brige", 30);
    root.prototype("fr_base", {{"fortif.rlb", "fr_m_brige.msh"}});
    root.prototype("fr_middle", {{"objects.rlb", "fr_base"}});
    root.prototype("fr_m_brige", {{"OBJECTS.RLB", "FR_MIDDLE"}, {"fortif.rlb", "fr_m_brige.bas"}});
    root.prototype("sun_01", {{"effects.rlb", "sun_01.sun"}});
    root.prototype("nothing", {});
    root.scheme("UNITS/UNITS/five.dat", 0x01008000, {"chassis", "turret", "gun", "armour", "part"});
    root.scheme("UNITS/UNITS/two.dat", 0x80000010, {"chassis", "turret"});
    root.scheme("UNITS/UNITS/one.dat", 0x01020000, {"chassis"});
    root.scheme("UNITS/UNITS/zero.dat", 0x80000040, {});

    for (const char* path : {"five", "two", "one", "zero"})
        root.place("UNITS\\UNITS\\" + std::string(path) + ".DAT");
    root.place("s_tree_04", asset::ObjectKind::tree);
    root.place("s_stone_01", asset::ObjectKind::stone);
    root.place("fr_m_brige", asset::ObjectKind::building);
    root.place("sun_01", asset::ObjectKind::stone);
    root.place("nothing", asset::ObjectKind::stone);
    return root;
}

}  // namespace iron::mission::kit
