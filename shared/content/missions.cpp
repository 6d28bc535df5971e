#include "shared/content/missions.hpp"

#include "shared/archive/nres.hpp"
#include "shared/asset/mission_cfg.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/wear.hpp"
#include "shared/base/rng.hpp"
#include "shared/base/text.hpp"
#include "shared/content/areals.hpp"
#include "shared/content/placement.hpp"
#include "shared/content/texts.hpp"

namespace iron::content {
namespace {

constexpr const char* kScriptBase = "MISSIONS\\SCRIPTS\\default";

Vec2 mirrored(Vec2 p, float extent) { return {extent - p.x, extent - p.y}; }

Status add_map(Game& game, const Land& land, const std::string& folder, const ArealOptions& areals) {
    IRON_TRY_WRAP(Bytes mesh, land.encode(), folder + "land.msh");
    game.file(folder + "land.msh", std::move(mesh));
    IRON_TRY_WRAP(const asset::LandMap map, make_areals(land, areals), folder + "land.map");
    IRON_TRY(Bytes map_bytes, asset::write_land_map(map));
    game.file(folder + "land.map", std::move(map_bytes));
    // Row order is the order of Surface; the second table holds the coarse twins of LOD 1.
    asset::Wear fine, coarse;
    for (const char* name : {"L_DIRT", "L_GRASS", "L_MEADOW", "L_ROCK", "L_SAND", "L_SCREE", "L_ROAD", "WATER"}) {
        fine.add_material(name);
        coarse.add_material(std::string(name) + "_M");
    }
    IRON_TRY(Bytes wear1, asset::write_wear(fine));
    IRON_TRY(Bytes wear2, asset::write_wear(coarse));
    game.file(folder + "land1.wea", std::move(wear1));
    game.file(folder + "land2.wea", std::move(wear2));
    return {};
}

/// The text files of a mission come from text/<id>_*.txt.
void add_texts(Game& game, const std::string& folder, const std::string& id, const UnitCatalog& units) {
    game.text(folder + "briefing.cfg", text_source(id + "_briefing.txt"));
    game.text(folder + "messages.cfg", text_source(id + "_messages.txt"));
    game.text(folder + "descr", text_source(id + "_descr.txt"));
    game.text(folder + "mistips.mis", text_source(id + "_tips.txt"));
    asset::MissionCfgObject prebuild{"prebuild", {{"desc", "schemes of the plant"}, {"type", "1"}}};
    for (std::size_t i = 0; i < units.prebuild.size(); ++i)
        prebuild.entries.emplace_back("scheme" + std::to_string(i + 1), units.prebuild[i]);
    const asset::MissionCfgObject ambient{"ambient", {{"desc", "wind over the range"}, {"library", "sounds.lib"}, {"libtype", "NRes"}, {"type", "2"}, {"name", "wind.wav"}}};
    game.file(folder + "mission.cfg", asset::write_mission_cfg(asset::make_mission_cfg({prebuild, ambient})));
}

Status finish_mission(Game& game, Placement& place, const std::string& folder, const std::string& map_folder,
                      const std::string& id, const UnitCatalog& units) {
    place.relate();
    place.tma().land_path = "DATA\\MAPS\\" + map_folder + "\\land";
    place.tma().description = utf8_to_cp1251("Полигон: " + id);
    game.file(folder + "data.tma", asset::write_tma(place.tma()));
    add_texts(game, folder, id, units);
    return {};
}

/// Buildings of simulation.md 28.2 around an anchor; `s` = 1, or -1 for the mirrored base.
void duel_base(Placement& place, int clan, Vec2 anchor, float s) {
    const float yaw = s > 0 ? 0.0f : kPi;
    const auto at = [&](float x, float y) { return Vec2{anchor.x + s * x, anchor.y + s * y}; };
    place.unit("bunk_m", clan, at(0, 0), yaw);
    place.ore(300, 0);
    place.charge_radius(25);
    place.unit("stor", clan, at(-24, 0), yaw);
    place.ore(2000, 250);
    place.unit("plant", clan, at(24, 0), yaw);
    place.ore(500, 150);
    place.unit("mine", clan, at(24, -26), yaw);
    place.ore(500, 0);
    place.unit("gen", clan, at(-24, -26), yaw);
    place.charge_radius(15);
    place.unit("tow_m", clan, at(30, 30), yaw);
    place.unit("hero_1", clan, at(0, 12), yaw);
    place.unit("b_m_bld1", clan, at(-12, 14), yaw);
    place.unit("t_m_trn1", clan, at(40, -14), yaw);
    place.ore(50, 0);
    place.unit("w_s_can1", clan, at(12, 20), yaw);
    place.unit("w_s_can1", clan, at(20, 12), yaw);
}

Status tutorial(Game& game, const UnitCatalog& units, std::uint64_t seed) {
    const Land land(tutorial_plan(seed));
    IRON_CHECK(add_map(game, land, "DATA/MAPS/PG_TUT/", {128, 12, 2, 0.74f, 2.0f, 0}));
    Placement place(land, units);
    const Vec2 home{110, 110};
    const int player = place.clan("Капитан", asset::ClanMode::player, home, "MISSIONS\\SCRIPTS\\tut_01");
    const int target = place.clan("Мишень", asset::ClanMode::ai, {290, 290}, kScriptBase);
    place.unit("bunk_s", player, home, 0);
    place.ore(300, 100);
    place.charge_radius(25);
    place.unit("hero_1", player, {110, 126}, 0);
    place.unit("w_m_can1", player, {124, 128}, -0.5f);
    place.unit("t_m_trn1", target, {290, 290}, 2.4f);
    place.unit("ruin", -1, {255, 130}, 0.7f);
    place.unit("gen", -1, {140, 260}, 0.3f);
    place.charge_radius(15);
    place.scatter(seed + 301, 70, 30, {home, {290, 290}, {255, 130}, {140, 260}}, 22);
    place.deposit({190, 90}, 1800);
    place.path(1, {{124, 140}, {180, 190}, {240, 240}, {290, 290}});
    return finish_mission(game, place, "MISSIONS/tutorial.01/", "PG_TUT", "tutorial_01", units);
}

Status duel(Game& game, const UnitCatalog& units, std::uint64_t seed) {
    const Land land(duel_plan(seed));
    IRON_CHECK(add_map(game, land, "DATA/MAPS/PG_DUEL/", {128, 15, 2, 0.74f, 2.0f, 0}));
    Placement place(land, units);
    const float extent = land.size().extent();
    const Vec2 a{150, 150}, b = mirrored(a, extent);
    const int red = place.clan("Север", asset::ClanMode::player, a, kScriptBase);
    const int blue = place.clan("Юг", asset::ClanMode::player, b, kScriptBase);
    duel_base(place, red, a, 1);
    duel_base(place, blue, b, -1);
    std::vector<Vec2> keep{a, b};
    for (const Vec2 g : {Vec2{260, 90}, mirrored({260, 90}, extent), Vec2{360, 360}}) {
        place.unit("gen", -1, g, 0.4f);
        place.charge_radius(15);
        keep.push_back(g);
    }
    // The own deposit, the four free ones of each side, and the two between the bases.
    for (const Vec2 offset : {Vec2{24, -26}, Vec2{-70, 50}, Vec2{80, -30}, Vec2{200, -20}, Vec2{-20, 200}}) {
        place.deposit(a + offset, 1800);
        place.deposit(b - offset, 1800);
        keep.push_back(a + offset);
        keep.push_back(b - offset);
    }
    place.deposit({330, 390}, 1800);
    place.deposit({390, 330}, 1800);
    keep.push_back({330, 390});
    keep.push_back({390, 330});
    place.scatter(seed + 302, 150, 34, keep, 20);
    place.path(1, {{150, 180}, {250, 260}, {360, 345}, {470, 460}, {570, 540}});
    place.path(2, {{180, 150}, {260, 110}, {350, 130}});
    return finish_mission(game, place, "MISSIONS/single.01/", "PG_DUEL", "single_01", units);
}

Status four(Game& game, const UnitCatalog& units, std::uint64_t seed) {
    const Land land(four_plan(seed));
    IRON_CHECK(add_map(game, land, "DATA/MAPS/PG_FOUR/", {128, 16, 2, 0.74f, 2.0f, 720}));
    Placement place(land, units);
    const Vec2 corners[4] = {{220, 220}, {980, 220}, {980, 980}, {220, 980}};
    const char* names[4] = {"Север", "Восток", "Юг", "Запад"};
    for (int i = 0; i < 4; ++i) place.clan(names[i], asset::ClanMode::player, corners[i], kScriptBase);
    for (int i = 0; i < 4; ++i) {
        // Quarter turns in exact numbers: (x, y) -> (-y, x).
        const auto at = [&](float x, float y) {
            Vec2 p{x, y};
            for (int q = 0; q < i; ++q) p = {-p.y, p.x};
            return corners[i] + p;
        };
        const float yaw = wrap_angle(kHalfPi * static_cast<float>(i));
        place.unit("bunk_m", i, at(0, 0), yaw);
        place.ore(300, 150);
        place.charge_radius(25);
        place.unit("plant", i, at(26, 0), yaw);
        place.ore(500, 250);
        place.unit("mine", i, at(24, -26), yaw);
        place.ore(500, 0);
        place.unit("gen", i, at(-24, -26), yaw);
        place.charge_radius(15);
        place.unit("hero_1", i, at(0, 14), yaw);
        place.unit("b_m_bld1", i, at(-12, 16), yaw);
        place.unit("w_m_can1", i, at(12, 20), yaw);
        for (const Vec2 d : {Vec2{24, -26}, Vec2{-70, 50}, Vec2{90, -40}, Vec2{150, 60}}) place.deposit(at(d.x, d.y), 1800);
    }
    place.unit("gen", -1, {600, 600}, 0.4f);
    place.charge_radius(15);
    place.unit("ruin", -1, {690, 640}, 0.8f);
    place.decor("s_tree_03", false, {668, 600}, 0.3f, 1.2f);
    place.decor("s_tree_01", false, {560, 660}, 1.3f, 1.1f);
    place.decor("s_tree_04", false, {545, 560}, 2.3f, 1.0f);
    place.decor("s_rock_02", true, {640, 690}, 0.9f, 1.3f);
    place.decor("s_rock_01", true, {520, 610}, 2.0f, 1.1f);
    // Along the roads, from every corner to the middle.
    const std::vector<Vec2>& first = land.plan().roads[0].points;
    const std::vector<Vec2>& second = land.plan().roads[1].points;
    place.path(1, {first.begin(), first.begin() + 5});
    place.path(2, {second.begin(), second.begin() + 5});
    place.path(3, {first.rbegin(), first.rbegin() + 5});
    place.path(4, {second.rbegin(), second.rbegin() + 5});
    return finish_mission(game, place, "MISSIONS/single.02/", "PG_FOUR", "single_02", units);
}

}  // namespace

LandPlan tutorial_plan(std::uint64_t seed) {
    LandPlan p;
    p.seed = splitmix64(seed + 1001);
    p.size = {6, 4, 2, false, false, 64};
    p.base = 42;
    p.roll = 4;
    p.rim = 30;
    p.water = 36;
    p.hills = {{{250, 205}, 46, 20, 0.4f}, {{70, 220}, 60, 24, 0.35f}};
    p.lakes = {{{200, 300}, 40, 6}};
    p.pads = {{{110, 110}, 32, 30}, {{290, 290}, 20, 20}, {{255, 130}, 14, 16}, {{140, 260}, 14, 16}, {{190, 90}, 10, 12}};
    p.roads = {{{{110, 124}, {135, 160}, {185, 190}, {215, 250}, {262, 272}, {290, 290}}, 8}};
    return p;
}

LandPlan duel_plan(std::uint64_t seed) {
    LandPlan p;
    p.seed = splitmix64(seed + 1002);
    p.size = {10, 4, 2, false, false, 72};
    p.base = 44;
    p.roll = 4.5f;
    p.rim = 30;
    p.water = 38;
    p.hills = {{{140, 585}, 110, 42, 0.4f}, {{580, 135}, 110, 42, 0.4f}, {{268, 262}, 58, 10, 0.3f}, {{452, 458}, 58, 10, 0.3f},
               {{70, 430}, 60, 22, 0.35f},  {{650, 290}, 60, 22, 0.35f}};
    p.lakes = {{{235, 465}, 48, 7}, {{485, 255}, 48, 7}};
    const Vec2 a{150, 150};
    p.pads = {{a, 62, 45}, {mirrored(a, 720), 62, 45}, {{360, 360}, 24, 24}};
    for (const Vec2 spot : {Vec2{260, 90}, Vec2{80, 200}, Vec2{230, 120}, Vec2{350, 130}, Vec2{130, 350}, Vec2{330, 390}}) {
        p.pads.push_back({spot, 15, 18});
        p.pads.push_back({mirrored(spot, 720), 15, 18});
    }
    p.roads = {{{{150, 168}, {178, 215}, {230, 320}, {310, 372}, {362, 345}, {415, 350}, {490, 400}, {542, 505}, {570, 552}}, 9},
               {{{176, 150}, {205, 112}, {260, 106}, {310, 122}, {350, 130}}, 7},
               {{{544, 570}, {515, 608}, {460, 614}, {410, 598}, {370, 590}}, 7}};
    return p;
}

LandPlan four_plan(std::uint64_t seed) {
    LandPlan p;
    p.seed = splitmix64(seed + 1003);
    p.size = {16, 4, 2, true, true, 75};
    p.base = 48;
    p.roll = 7;
    p.roll_wave = 260;
    p.patch_wave = 260;
    p.rim = 40;
    p.water = 40;
    p.hills = {{{600, 215}, 120, 50, 0.4f}, {{985, 600}, 125, 55, 0.4f}, {{600, 985}, 120, 50, 0.4f}, {{215, 600}, 125, 55, 0.4f},
               {{420, 760}, 75, 32, 0.35f}, {{790, 430}, 75, 32, 0.35f}};
    p.lakes = {{{400, 410}, 78, 9}, {{810, 790}, 78, 9}};
    const Vec2 corners[4] = {{220, 220}, {980, 220}, {980, 980}, {220, 980}};
    p.pads = {{{600, 600}, 55, 50}};
    for (int i = 0; i < 4; ++i) {
        p.pads.push_back({corners[i], 65, 50});
        for (Vec2 d : {Vec2{-70, 50}, Vec2{90, -40}, Vec2{150, 60}}) {
            for (int q = 0; q < i; ++q) d = {-d.y, d.x};
            p.pads.push_back({corners[i] + d, 16, 20});
        }
    }
    p.roads = {{{{220, 238}, {250, 330}, {300, 500}, {440, 580}, {580, 612}, {760, 620}, {900, 700}, {950, 870}, {980, 962}}, 10},
               {{{962, 220}, {870, 250}, {700, 300}, {620, 440}, {596, 585}, {580, 760}, {500, 900}, {330, 950}, {238, 980}}, 10}};
    return p;
}

Status add_missions(Game& game, const UnitCatalog& units, std::uint64_t seed) {
    IRON_CHECK(tutorial(game, units, seed));
    IRON_CHECK(duel(game, units, seed));
    IRON_CHECK(four(game, units, seed));
    return {};
}

}  // namespace iron::content
