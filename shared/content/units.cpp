#include "shared/content/units.hpp"

#include <algorithm>

#include "shared/archive/nres.hpp"
#include "shared/asset/build_dat.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/base/text.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/art/parts.hpp"

namespace iron::content {
namespace {

using asset::CtlItemType;
using asset::UnitEntryType;

/// One record of a scheme tree.
struct Component {
    std::string key;
    std::int32_t attach = -1;
    std::string description;  // UTF-8
    UnitEntryType type = UnitEntryType::part;
    std::vector<Component> children;
};

void flatten(const Component& c, std::vector<asset::UnitRecord>& out) {
    out.push_back(asset::make_unit_record(c.key, c.attach, utf8_to_cp1251(c.description), c.type,
                                          static_cast<std::uint32_t>(c.children.size())));
    for (const Component& child : c.children) flatten(child, out);
}

int node_index(const Model& m, std::string_view name) {
    for (std::size_t i = 0; i < m.nodes.size(); ++i)
        if (m.nodes[i].name == name) return static_cast<int>(i);
    return -1;
}

int first_slot(const Model& m) {
    for (std::size_t i = 0; i < m.control->items.size(); ++i)
        if (m.control->items[i].type == 0) return static_cast<int>(i);
    return -1;
}

class Catalog {
public:
    Catalog(Game& game, std::uint64_t seed) : game_(game), seed_(seed) {}

    Result<UnitCatalog> run() {
        IRON_CHECK(robots());
        IRON_CHECK(weapons());
        parts();
        IRON_CHECK(buildings());
        IRON_CHECK(decor());
        others();
        battle_schemes();
        support_schemes();
        building_schemes();
        build_list();
        return std::move(out_);
    }

private:
    Status chassis(const std::string& key, Model model) {
        mount_[key] = node_index(model, "turret_mount");
        slot_[key] = first_slot(model);
        return game_.model({"robots.rlb", key, key}, model);
    }

    Status robots() {
        IRON_CHECK(chassis("r_s_01", wheeled_chassis()));
        IRON_CHECK(chassis("r_m_01", tracked_chassis()));
        IRON_CHECK(chassis("r_l_01", walker_chassis()));
        IRON_CHECK(chassis("r_b_01", builder_chassis()));
        IRON_CHECK(chassis("r_t_01", transport_chassis()));
        IRON_CHECK(chassis("r_c_01", headquarters_chassis()));
        const Model hero = hero_body();
        mount_["r_h_01"] = node_index(hero, "gun_mount");
        back_mount_ = node_index(hero, "gun_mount_back");
        slot_["r_h_01"] = first_slot(hero);
        IRON_CHECK(game_.model({"robots.rlb", "r_h_01", "r_h_01"}, hero));
        IRON_CHECK(game_.model({"animals.rlb", "a_crab_01", "a_crab_01"}, crab_body()));
        for (const UnitSize size : {UnitSize::small, UnitSize::medium, UnitSize::large}) {
            const std::string key = std::string("t_") + size_letter(size) + "_01";
            const Model turret = robot_turret(size);
            const int single = node_index(turret, "gun_mount");
            if (single >= 0) guns_[key] = {single};
            else guns_[key] = {node_index(turret, "gun_mount_l"), node_index(turret, "gun_mount_r")};
            IRON_CHECK(game_.model({"turrets.rlb", key, key}, turret));
        }
        return {};
    }

    Status weapons() {
        for (const char* kind : {"can", "las", "mis", "pla", "em"}) {
            for (const UnitSize size : {UnitSize::small, UnitSize::medium, UnitSize::large}) {
                const std::string key = std::string("g_") + kind + "_" + size_letter(size);
                IRON_CHECK(game_.model({"weapon.rlb", key, key}, weapon_model(kind, size)));
            }
            if (std::string_view(kind) != "las") {
                const std::string key = std::string("bl_") + kind;
                IRON_CHECK(game_.model({"weapon.rlb", key, key}, shot_model(kind)));
            }
            if (std::string_view(kind) != "pla") {
                const std::string key = std::string("h_") + kind;
                IRON_CHECK(game_.model({"weapon.rlb", key, key}, hero_weapon(kind)));
            }
        }
        return {};
    }

    /// Systems without geometry: a prototype that names one control resource.
    void part(const std::string& key, int item_type) {
        asset::ControlResource control = asset::make_control_resource();
        if (item_type > 0) add_item(control, static_cast<CtlItemType>(item_type), 0, key);
        game_.entry("parts.rlb", archive::type_tag("CTLD"), 0, 0, 0, key + ".ctl", asset::write_control_resource(control));
        game_.prototype(key, {asset::make_ref64("parts.rlb", key + ".ctl")});
    }
    void parts() {
        part("p_radar", 0x08);
        part("p_battery", 0x13);
        part("p_target", 0x04);
        part("p_shield", 0x09);
        part("p_stealth", 0x0A);
        part("p_repair", 0x0F);
        part("p_deflect", 0x15);
        for (const char size : {'s', 'm', 'l'}) part(std::string("p_armour_") + size, 0x1B);
        part("am_can", 0);
        part("am_mis", 0);
        part("am_em", 0);
    }

    Status buildings() {
        for (BuildingArt& b : make_buildings()) {
            const Bytes contour = encode_contour(b.model.contour);
            b.model.contour.clear();
            mount_[b.stem] = node_index(b.model, "turret_mount");
            IRON_CHECK(game_.model({"bases.rlb", b.stem, b.stem}, b.model));
            // `fr_*`: the geometry comes from the parent, the ground contour is its own.
            IRON_CHECK(game_.fort("fr_" + b.stem.substr(2), b.stem, "fortif.rlb", contour));
            if (b.stem == "b_ruin") IRON_CHECK(game_.fort("fr_ruin_old", "fr_ruin", "fortif.rlb", contour));
        }
        for (const UnitSize size : {UnitSize::medium, UnitSize::large}) {
            const std::string key = std::string("t_tow_") + size_letter(size);
            IRON_CHECK(game_.model({"turrets.rlb", key, key}, tower_turret(size)));
        }
        return {};
    }

    Status decor() {
        for (const DecorArt& d : make_decor(seed_)) {
            // `s_tree_0_04` is the model, `s_tree_04` the prototype, as in the original archives.
            std::string key = d.stem;
            key.erase(key.find("_0_"), 2);
            IRON_CHECK(game_.model({"static.rlb", d.stem, key}, d.model));
        }
        return {};
    }

    /// Prototypes without geometry and the archives that hold only what later stages add.
    void others() {
        // Six keys of (hour, red, green, blue): our own data, the original layout is unknown.
        ByteWriter sun;
        const float keys[6][4] = {{0, 0.10f, 0.12f, 0.22f}, {6, 0.55f, 0.40f, 0.32f}, {9, 0.92f, 0.88f, 0.80f},
                                  {12, 1.0f, 0.98f, 0.94f}, {18, 0.85f, 0.60f, 0.42f}, {21, 0.20f, 0.20f, 0.34f}};
        for (const auto& key : keys)
            for (const float v : key) sun.f32(v);
        game_.entry("effects.rlb", archive::type_tag("SUND"), 0, 0, 0, "sun_01.sun", sun.take());
        game_.prototype("sun_01", {asset::make_ref64("effects.rlb", "sun_01.sun")});
        game_.prototype("p_empty", {});
    }

    void scheme(const std::string& folder, const std::string& stem, std::uint32_t type, const Component& root) {
        asset::UnitDat dat;
        dat.scheme_type = type;
        flatten(root, dat.records);
        const std::string path = folder + "\\" + stem + ".dat";
        std::string slashes = path;
        std::replace(slashes.begin(), slashes.end(), '\\', '/');
        game_.file(slashes, asset::write_unit_dat(dat));
        out_.schemes.push_back({path, type, stem});
    }

    void add_parts(Component& root, const std::vector<std::string>& keys) {
        int slot = slot_.at(root.key);
        for (const Component& c : root.children)
            if (c.type == UnitEntryType::armour || c.type == UnitEntryType::part) ++slot;
        for (const std::string& key : keys) {
            const bool armour = key.substr(0, 9) == "p_armour_";
            root.children.push_back({key, slot++, armour ? "Броня" : description(key), armour ? UnitEntryType::armour : UnitEntryType::part, {}});
        }
    }
    static std::string description(const std::string& key) {
        if (key == "p_radar") return "Радар";
        if (key == "p_battery") return "Батарея";
        if (key == "p_target") return "Прицел";
        if (key == "p_shield") return "Силовой щит";
        if (key == "p_stealth") return "Маскировка";
        if (key == "p_repair") return "Ремонтная система";
        return "Отражатель";
    }

    Component turret(const std::string& chassis_key, UnitSize size, const std::string& kind, int guns) {
        const std::string key = std::string("t_") + size_letter(size) + "_01";
        Component t{key, mount_.at(chassis_key), "Башня", UnitEntryType::turret, {}};
        for (int i = 0; i < guns; ++i) {
            Component gun{"g_" + kind + "_" + size_letter(size), guns_.at(key)[static_cast<std::size_t>(i)], "Орудие", UnitEntryType::cannon, {}};
            // Only cannons and missiles take ammunition (simulation.md 28.1); slot 1 of the weapon.
            if (kind == "can" || kind == "mis") gun.children.push_back({"am_" + kind, 1, "Боекомплект", UnitEntryType::ammunition, {}});
            t.children.push_back(std::move(gun));
        }
        return t;
    }

    void battle(UnitSize size, const std::string& kind) {
        const int n = static_cast<int>(size);
        const char letter = size_letter(size);
        const std::string key = std::string("r_") + letter + "_01";
        Component root{key, -1, size == UnitSize::small ? "Шасси лёгкое" : size == UnitSize::medium ? "Шасси среднее" : "Шасси тяжёлое",
                       UnitEntryType::chassis, {}};
        root.children.push_back(turret(key, size, kind, size == UnitSize::small ? 1 : 2));
        std::vector<std::string> keys(static_cast<std::size_t>(n + 1), std::string("p_armour_") + letter);
        keys.insert(keys.end(), {"p_radar", "p_battery"});
        if (n >= 1) keys.push_back("p_target");
        if (n >= 2) keys.push_back("p_battery");
        if (kind == "las" || kind == "pla" || kind == "em")
            for (int i = 0; i <= n; ++i) keys.push_back("p_battery");
        add_parts(root, keys);
        const std::string stem = std::string("w_") + letter + "_" + kind + "1";
        scheme("UNITS\\UNITS\\BATTLE", stem, 0x01008000u, root);
        out_.prebuild.push_back(out_.schemes.back().path);
    }

    void battle_schemes() {
        // Builder first: a plant always has its blueprint.
        Component builder{"r_b_01", -1, "Строитель", UnitEntryType::chassis, {}};
        add_parts(builder, {"p_radar", "p_battery", "p_repair", "p_battery"});
        scheme("UNITS\\UNITS\\BUILDER", "b_m_bld1", 0x01004000u, builder);
        out_.prebuild.push_back(out_.schemes.back().path);
        Component transport{"r_t_01", -1, "Транспорт", UnitEntryType::chassis, {}};
        add_parts(transport, {"p_radar", "p_battery"});
        scheme("UNITS\\UNITS\\TRANSPRT", "t_m_trn1", 0x01002000u, transport);
        out_.prebuild.push_back(out_.schemes.back().path);
        battle(UnitSize::small, "can");
        battle(UnitSize::small, "las");
        for (const char* kind : {"can", "las", "pla", "mis", "em"}) battle(UnitSize::medium, kind);
        for (const char* kind : {"can", "las", "pla", "mis"}) battle(UnitSize::large, kind);
        Component hq{"r_c_01", -1, "Штаб", UnitEntryType::chassis, {}};
        hq.children.push_back(turret("r_c_01", UnitSize::large, "can", 1));
        add_parts(hq, {"p_armour_l", "p_armour_l", "p_armour_l", "p_radar", "p_battery", "p_target", "p_battery", "p_repair", "p_deflect"});
        scheme("UNITS\\UNITS\\HQ", "h_l_hq1", 0x01010000u, hq);
        out_.prebuild.push_back(out_.schemes.back().path);
    }

    void support_schemes() {
        Component hero{"r_h_01", -1, "Капитан", UnitEntryType::chassis, {}};
        const int hand = mount_.at("r_h_01");
        hero.children.push_back({"h_las", hand, "Лазер", UnitEntryType::cannon, {}});
        hero.children.push_back({"h_can", hand, "Автопушка 20 мм", UnitEntryType::cannon, {{"am_can", 1, "Боекомплект", UnitEntryType::ammunition, {}}}});
        hero.children.push_back({"h_mis", back_mount_, "Ракеты", UnitEntryType::cannon, {{"am_mis", 1, "Боекомплект", UnitEntryType::ammunition, {}}}});
        hero.children.push_back({"h_em", hand, "ЭМ-излучатель", UnitEntryType::cannon, {{"am_em", 1, "Боекомплект", UnitEntryType::ammunition, {}}}});
        scheme("UNITS\\UNITS\\HERO", "hero_1", 0x01020000u, hero);
        scheme("UNITS\\UNITS\\ANIMALS", "crab_1", asset::kSchemeAnimalBit, {"a_crab_01", -1, "Краб", UnitEntryType::chassis, {}});
    }

    void building_schemes() {
        struct Row {
            const char* stem;
            std::uint32_t type;
            const char* description;
        };
        const Row rows[] = {{"bunk_s", 0x80010000u, "Бункер малый"},    {"bunk_m", 0x80020000u, "Бункер средний"},
                            {"bunk_l", 0x80040000u, "Бункер большой"},  {"gen", 0x80000002u, "Генератор"},
                            {"mine", 0x80000004u, "Шахта"},             {"stor", 0x80000008u, "Склад"},
                            {"plant", 0x80000010u, "Завод"},            {"hang", 0x80000040u, "Ангар"},
                            {"tele", 0x80000200u, "Главный телепорт"},  {"inst", 0x80000400u, "Институт"},
                            {"tow_m", 0x80100000u, "Башня средняя"},    {"tow_l", 0x80200000u, "Башня большая"},
                            {"bridge", 0x80001000u, "Мост"},            {"ruin", 0x80002000u, "Руины"}};
        for (const Row& row : rows) {
            const std::string stem = row.stem;
            Component root{stem == "ruin" ? "fr_ruin_old" : "fr_" + stem, -1, row.description, UnitEntryType::chassis, {}};
            const int mount = mount_.at("b_" + stem);
            if (mount >= 0) root.children.push_back({std::string("t_") + stem, mount, "Башня", UnitEntryType::turret, {}});
            scheme("UNITS\\BUILDS", stem, row.type, root);
        }
    }

    void build_list() {
        asset::BuildDat list;
        for (const asset::BuildCategoryName& known : asset::known_build_categories()) {
            asset::BuildCategory category{std::string(known.name), known.mask, {}};
            for (const SchemeInfo& s : out_.schemes)
                if (s.type == known.mask) category.paths.push_back(s.path);
            list.categories.push_back(std::move(category));
        }
        game_.file("BuildDat.lst", asset::write_build_dat(list));
    }

    Game& game_;
    std::uint64_t seed_;
    UnitCatalog out_;
    std::map<std::string, int> mount_, slot_;
    std::map<std::string, std::vector<int>> guns_;
    int back_mount_ = -1;
};

}  // namespace

std::string UnitCatalog::path(std::string_view stem) const {
    for (const SchemeInfo& s : schemes)
        if (s.stem == stem) return s.path;
    return {};
}

std::uint32_t UnitCatalog::type(std::string_view path) const {
    for (const SchemeInfo& s : schemes)
        if (s.path == path) return s.type;
    return 0;
}

Result<UnitCatalog> add_units(Game& game, std::uint64_t seed) { return Catalog(game, seed).run(); }

}  // namespace iron::content
