// Prototypes and schemes: every scheme type, trees, costs and lives of simulation.md 28.1.
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "shared/asset/build_dat.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/mission_cfg.hpp"
#include "shared/asset/msh.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/base/text.hpp"
#include "tests/content/content_kit.hpp"

using namespace iron;
using namespace iron::content_test;
using asset::UnitEntryType;

namespace {

asset::UnitDat scheme(const std::string& path) {
    ReadContext context;
    auto dat = asset::read_unit_dat(file(path), context);
    if (!dat) throw std::runtime_error(dat.error().to_string());
    if (!context.diagnostics.empty()) throw std::runtime_error(context.diagnostics.front().message);
    return *dat;
}

/// Payload of the first reference with that suffix in the effective list of a prototype.
Bytes resource(const std::string& key, std::string_view suffix, int depth = 0) {
    static const archive::Nres objects = open("objects.rlb");
    const auto index = objects.find(key);
    if (!index || depth > 4) throw std::runtime_error("no prototype " + key);
    ReadContext context;
    const auto prototype = asset::read_prototype(objects.payload(*index), context);
    for (const asset::Ref64& ref : prototype->references) {
        if (ascii_iequals(ref.archive_name(), "objects.rlb")) {
            const Bytes inherited = resource(std::string(ref.resource_name()), suffix, depth + 1);
            if (!inherited.empty()) return inherited;
        } else if (ascii_iends_with(ref.resource_name(), suffix)) {
            const archive::Nres nres = open(ref.archive_name());
            const auto entry = nres.find(ref.resource_name());
            if (!entry) throw std::runtime_error("missing " + std::string(ref.resource_name()));
            const ByteView bytes = nres.payload(*entry);
            return {bytes.begin(), bytes.end()};
        }
    }
    return {};
}

/// Sum of the damage volumes, record 0 of attached parts skipped (simulation.md 3.4).
float life_of(const asset::UnitDat& dat) {
    float sum = 0;
    for (std::size_t i = 0; i < dat.records.size(); ++i) {
        const Bytes ndp = resource(std::string(dat.records[i].prototype.view()), ".ndp");
        if (ndp.empty()) continue;
        ReadContext context;
        const auto records = asset::read_damage_records(ndp, context);
        for (std::size_t k = i == 0 ? 0 : 1; k < records->records.size(); ++k) sum += records->records[k].maximum_volume;
    }
    return sum;
}

/// Ore by simulation.md 19.1: sum over the entries times the size factor, rounded up (in tenths).
int ore_of(const asset::UnitDat& dat, int tenths) {
    const std::map<std::int32_t, int> price{{0, 40}, {1, 15}, {2, 10}, {3, 5}, {4, 12}, {5, 3}};
    int sum = 0;
    for (const auto& r : dat.records) sum += price.at(r.entry_type);
    return (sum * tenths + 9) / 10;
}

float radius_of(const std::string& key) {
    ReadContext context;
    const auto model = asset::read_msh(resource(key, ".msh"), context);
    return model->header.segment_radius;
}

}  // namespace

TEST_CASE("every scheme type of the table has a scheme") {
    std::set<std::uint32_t> seen;
    for (const auto& f : game())
        if (ascii_iends_with(f.path, ".dat")) seen.insert(scheme(f.path).scheme_type);
    for (const std::uint32_t type :
         {0x80010000u, 0x80020000u, 0x80040000u, 0x80000002u, 0x80000004u, 0x80000008u, 0x80000010u, 0x80000040u, 0x80100000u, 0x80200000u,
          0x80000200u, 0x80000400u, 0x80001000u, 0x80002000u, 0x01002000u, 0x01004000u, 0x01008000u, 0x01010000u, 0x01020000u, 0x20000000u}) {
        CAPTURE(type);
        CHECK(seen.count(type) == 1);
    }
}

TEST_CASE("schemes are well-formed trees of existing prototypes, attached to existing nodes") {
    for (const auto& f : game()) {
        if (!ascii_iends_with(f.path, ".dat")) continue;
        CAPTURE(f.path);
        const asset::UnitDat dat = scheme(f.path);
        const asset::UnitTree tree = asset::build_unit_tree(dat);
        REQUIRE(tree.well_formed);
        for (std::size_t i = 0; i < dat.records.size(); ++i) {
            const auto& r = dat.records[i];
            CAPTURE(std::string(r.prototype.view()));
            const bool geometric = !resource(std::string(r.prototype.view()), ".msh").empty();
            const auto type = static_cast<UnitEntryType>(r.entry_type);
            if (tree.parent[i] < 0) {
                CHECK(r.attach_index == -1);
                CHECK(geometric);
                continue;
            }
            const std::string parent(dat.records[static_cast<std::size_t>(tree.parent[i])].prototype.view());
            ReadContext context;
            if (type == UnitEntryType::turret || type == UnitEntryType::cannon) {
                const auto model = asset::read_msh(resource(parent, ".msh"), context);
                REQUIRE(r.attach_index >= 0);
                REQUIRE(static_cast<std::size_t>(r.attach_index) < model->nodes.size());
                const std::string_view node = model->node_string(static_cast<std::size_t>(r.attach_index));
                CHECK(node.substr(0, type == UnitEntryType::turret ? 12 : 9) == (type == UnitEntryType::turret ? "turret_mount" : "gun_mount"));
                CHECK(geometric);
            } else {
                const auto control = asset::read_control_resource(resource(parent, ".ctl"), context);
                REQUIRE(r.attach_index >= 0);
                REQUIRE(static_cast<std::size_t>(r.attach_index) < control->items.size());
                CHECK(control->items[static_cast<std::size_t>(r.attach_index)].type == 0);  // an empty slot
            }
        }
    }
}

TEST_CASE("standard schemes cost and live what the rules say") {
    struct Row {
        const char* path;
        int tenths, extra, ore;
        float life;
    };
    // simulation.md 28.1; the headquarters chassis adds 60.
    const Row rows[] = {{"UNITS/UNITS/BUILDER/b_m_bld1.dat", 15, 0, 90, 300},   {"UNITS/UNITS/TRANSPRT/t_m_trn1.dat", 15, 0, 75, 300},
                        {"UNITS/UNITS/HQ/h_l_hq1.dat", 23, 60, 359, 800},       {"UNITS/UNITS/BATTLE/w_s_can1.dat", 8, 0, 72, 300},
                        {"UNITS/UNITS/BATTLE/w_s_las1.dat", 8, 0, 74, 300},     {"UNITS/UNITS/BATTLE/w_m_can1.dat", 15, 0, 180, 560},
                        {"UNITS/UNITS/BATTLE/w_m_las1.dat", 15, 0, 186, 560},   {"UNITS/UNITS/BATTLE/w_m_pla1.dat", 15, 0, 186, 560},
                        {"UNITS/UNITS/BATTLE/w_m_mis1.dat", 15, 0, 180, 560},   {"UNITS/UNITS/BATTLE/w_m_em1.dat", 15, 0, 186, 560},
                        {"UNITS/UNITS/BATTLE/w_l_can1.dat", 23, 0, 311, 880},   {"UNITS/UNITS/BATTLE/w_l_las1.dat", 23, 0, 332, 880},
                        {"UNITS/UNITS/BATTLE/w_l_pla1.dat", 23, 0, 332, 880},   {"UNITS/UNITS/BATTLE/w_l_mis1.dat", 23, 0, 311, 880}};
    for (const Row& row : rows) {
        CAPTURE(row.path);
        const asset::UnitDat dat = scheme(row.path);
        CHECK(ore_of(dat, row.tenths) + row.extra == row.ore);
        CHECK(life_of(dat) == Approx(row.life));
    }
    const std::pair<const char*, float> lives[] = {{"UNITS/UNITS/HERO/hero_1.dat", 200.0f}, {"UNITS/UNITS/ANIMALS/crab_1.dat", 60.0f},
                                                   {"UNITS/BUILDS/bunk_s.dat", 3000.0f},    {"UNITS/BUILDS/bunk_m.dat", 5000.0f},
                                                   {"UNITS/BUILDS/bunk_l.dat", 8000.0f},    {"UNITS/BUILDS/tow_m.dat", 1200.0f},
                                                   {"UNITS/BUILDS/tow_l.dat", 2000.0f},     {"UNITS/BUILDS/plant.dat", 2500.0f},
                                                   {"UNITS/BUILDS/mine.dat", 2500.0f},      {"UNITS/BUILDS/gen.dat", 2500.0f}};
    for (const auto& [path, life] : lives) {
        CAPTURE(path);
        CHECK(life_of(scheme(path)) == Approx(life));
    }
}

TEST_CASE("units have the radii of the rules") {
    CHECK(radius_of("r_h_01") == Approx(0.6f).margin(0.01));
    CHECK(radius_of("r_s_01") == Approx(1.8f).margin(0.02));
    CHECK(radius_of("r_m_01") == Approx(2.5f).margin(0.02));
    CHECK(radius_of("r_l_01") >= 3.5f);  // "large" begins there (simulation.md 15.1)
    CHECK(radius_of("r_c_01") >= 3.5f);
    CHECK(radius_of("r_b_01") == Approx(2.5f).margin(0.02));
    CHECK(radius_of("r_t_01") == Approx(3.0f).margin(0.02));
    CHECK(radius_of("a_crab_01") == Approx(1.0f).margin(0.01));
}

TEST_CASE("prototypes are direct, inherited and without geometry") {
    CHECK_FALSE(resource("r_m_01", ".msh").empty());
    CHECK_FALSE(resource("fr_bunk_m", ".msh").empty());  // through its parent
    CHECK_FALSE(resource("fr_bunk_m", ".bas").empty());  // its own
    CHECK_FALSE(resource("fr_ruin_old", ".msh").empty());  // through its grandparent
    CHECK(resource("sun_01", ".msh").empty());
    CHECK_FALSE(resource("sun_01", ".sun").empty());
    CHECK(resource("p_empty", ".msh").empty());
}

TEST_CASE("all twelve building categories are listed with schemes that exist") {
    ReadContext context;
    const auto list = asset::read_build_dat(file("BuildDat.lst"), context);
    REQUIRE(list);
    CHECK(context.diagnostics.empty());
    REQUIRE(list->categories.size() == 12);
    for (const auto& category : list->categories) {
        CAPTURE(category.name);
        REQUIRE(category.paths.size() == 1);
        std::string path = category.paths[0];
        for (char& c : path)
            if (c == '\\') c = '/';
        CHECK(scheme(path).scheme_type == category.mask);
    }
}

TEST_CASE("the plant knows the standard schemes from the start") {
    ReadContext context;
    const auto cfg = asset::read_mission_cfg(file("MISSIONS/single.01/mission.cfg"), context);
    REQUIRE(cfg);
    const auto paths = cfg->prebuild_schemes();
    REQUIRE(paths.size() == 14);  // builder, transport, 11 battle robots, headquarters
    CHECK(paths[0] == "UNITS\\UNITS\\BUILDER\\b_m_bld1.dat");
    for (std::string path : paths) {
        for (char& c : path)
            if (c == '\\') c = '/';
        CHECK_NOTHROW(scheme(path));
    }
}

TEST_CASE("weapons tell their class by the rules") {
    const auto item = [](const std::string& key) {
        ReadContext context;
        return asset::read_control_resource(resource(key, ".ctl"), context)->items.at(0);
    };
    CHECK(item("g_las_m").resource.empty());  // rule 2: laser
    CHECK(item("g_can_m").resource.resource_name() == "bl_can");
    ReadContext context;
    const auto seeker = asset::read_control_resource(resource("bl_mis", ".ctl"), context);
    REQUIRE(seeker->items.size() == 1);
    CHECK(seeker->items[0].type == static_cast<std::int32_t>(asset::CtlItemType::guidance));  // rule 3: missile
    const auto shell = asset::read_control_resource(resource("bl_can", ".ctl"), context);
    CHECK(shell->items.empty());  // rule 4: cannon
}
