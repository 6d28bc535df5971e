#include <catch2/catch.hpp>

#include "server/world/behavior_ini.hpp"
#include "server/world/rules.hpp"
#include "shared/asset/config_text.hpp"

using namespace iron;
using namespace iron::world;

namespace {
std::string code_of(std::string_view text, std::uint32_t step_ms = 20) {
    auto r = load_rules(text, step_ms);
    return r ? "" : r.error().code();
}
}  // namespace

TEST_CASE("the default rules carry the numbers of the decisions") {
    const Rules& r = default_rules();
    CHECK(r.step_ms == 20);
    CHECK(r.dt == 0.02f);
    CHECK(r.pathfind.corridor_radius == 6.0f);
    CHECK(r.pathfind.fields_per_tick == 8);
    CHECK(r.pathfind.fields_kept == 256);
    CHECK(r.behavior.stuck_ticks == 150);          // 3 000 ms
    CHECK(r.behavior.arrive_contact_ticks == 10);  // 200 ms
    CHECK(r.wizard.period_ticks == 4);
    CHECK(r.wizard.order_ticks == 5);
    CHECK(r.wizard.sin.size() == 7);
    CHECK(r.wizard.cos[0] == 1.0f);
    CHECK(r.wizard.sin[1] < 0);                    // the first alternative is to the right
    CHECK(r.motion.battle.r[0] == 1.8f);
    CHECK(r.motion.battle.r[2] == 3.5f);
    CHECK(r.motion.hero.v == 6.0f);
    CHECK(r.collision.pass_ticks == 100);
    CHECK(r.slow_update_ticks == 12);
    CHECK(r.life.battle[1] == 560'000);            // milli-life
    CHECK(r.life.tower[0] == 1'200'000);
    CHECK(r.hash == sha256(as_bytes(default_rules_text())));
}

TEST_CASE("a partial file keeps the defaults and changes the hash") {
    const Rules r = load_rules(R"({"motion": {"hero": {"v": 7.5}}})").value();
    CHECK(r.motion.hero.v == 7.5f);
    CHECK(r.motion.hero.a == 12.0f);
    CHECK(r.hash != default_rules().hash);
}

TEST_CASE("decimals become parts per million, halves away from zero, and exact binary32") {
    const Rules r = load_rules(R"({"shield": {"regen": 0.0000015}, "fire": {"spread": 1e-2},
        "armour_factor": 0.8500004, "target": {"em_shocked": -0.0000005}, "collision": {"cell": 16}})").value();
    CHECK(r.number("shield.regen")->ppm == 2);
    CHECK(r.number("fire.spread")->ppm == 10'000);
    CHECK(r.number("fire.spread")->real == 0.01f);
    CHECK(r.number("armour_factor")->ppm == 850'000);
    CHECK(r.number("target.em_shocked")->ppm == -1);
    CHECK(r.number("collision.cell")->whole == 16);
    CHECK(r.number("weapons.laser.dmg.0")->ppm == 6'500'000);
    CHECK(r.number("no.such.rule").error().code() == "rules_missing");
    // 2^-24 * 3 + 1 lies between two floats: the nearest one is chosen.
    CHECK(load_rules(R"({"wizard": {"near": 1.00000017881393432617187500001}})")->wizard.near == 1.0f + 0x1p-22f);
}

TEST_CASE("periods must be whole ticks") {
    CHECK(code_of(R"({"behavior": {"replan_ms": 510}})") == "rules_period");
    CHECK(code_of(R"({"weapons": {"laser": {"reload": 490}}})") == "rules_period");
    CHECK(code_of(R"({"capture": {"ms": {"mine": 15001}}})") == "rules_period");
    CHECK(code_of(R"({"behavior": {"replan_ms": 500.5}})") == "rules_period");
    CHECK(code_of("{}", 30) == "rules_period");  // 500 is no multiple of 30
    CHECK(code_of("{}", 10).empty());
    CHECK(load_rules("{}", 10)->behavior.stuck_ticks == 300);
    // A price in ms per unit is no period.
    CHECK(code_of(R"({"produce": {"ms_per_ore": 301}})").empty());
    CHECK(default_rules().ticks("hero.board_ms").value() == 25);
}

TEST_CASE("unknown, doubled and misshapen rules are refused") {
    CHECK(code_of(R"({"speling": 1})") == "rules_unknown_key");
    CHECK(code_of(R"({"motion": {"hero": {"w": 1}}})") == "rules_unknown_key");
    CHECK(code_of(R"({"version": 2, "version": 2})") == "rules_duplicate_key");
    CHECK(code_of(R"({"motion": 3})") == "rules_type");
    CHECK(code_of(R"({"slow_update_ms": "240"})") == "rules_type");
    CHECK(code_of(R"({"slow_update_ms": null})") == "rules_type");
    CHECK(code_of(R"({"life": {"battle": [1, 2]}})") == "rules_type");
    CHECK(code_of(R"([1])") == "rules_type");
    CHECK(code_of(R"({"coords": )") == "rules_syntax");
    CHECK(code_of(R"({"coords": {"min": 1e999}})") == "rules_syntax");
    CHECK(code_of(R"({"version": 3})") == "rules_version");
    CHECK(code_of(R"({"collision": {"passes": 0}})") == "rules_range");
    CHECK(code_of(R"({"coords": {"min": 500, "max": 400}})") == "rules_range");
    CHECK(code_of("{}", 0) == "rules_range");
}

TEST_CASE("open maps and lists take names of their own") {
    const Rules r = load_rules(R"({"unit_size": {"units/x.dat": "large"}, "flying_chassis": ["R_FLY_01"],
        "nonwalkable_areal_classes": [7], "weapons": {"laser": {"ammo": 5}}})").value();
    CHECK(r.strings.at("unit_size.units/x.dat") == "large");
    CHECK(r.flying_chassis == std::vector<std::string>{"r_fly_01"});
    CHECK(r.nonwalkable_areal_classes == std::vector<std::uint32_t>{7});
    CHECK(r.number("weapons.laser.ammo")->whole == 5);
    CHECK(code_of(R"({"unit_size": {"x": 3}})") == "rules_type");
    CHECK(code_of(R"({"weapons": {"laser": {"colour": 5}}})") == "rules_unknown_key");
}

TEST_CASE("Behavior.ini replaces path numbers and switches; bad values are named and left out") {
    const std::string text = "[Debug]\r\nLockBehaviour = 1\r\nUseWizard = 0\r\n[Path]\r\npathfind_corridorradius = 7.5\r\n"
                             "PathFind_NearBuildSpeedPercent = 25\r\nPathFind_MinPointInTrajectory = 5\r\n"
                             "PathFind_fStepDist = fast\r\nPathFind_MaxAccel = -3\r\n";
    ReadContext context;
    const auto ini = asset::read_ini(as_bytes(text), context);
    Rules r = default_rules();
    std::vector<std::string> notes;
    apply_behavior_ini(ini, r, notes);
    CHECK(r.lock_behaviour);
    CHECK_FALSE(r.use_wizard);
    CHECK(r.pathfind.corridor_radius == 7.5f);
    CHECK(r.pathfind.near_build_speed == 0.25f);
    CHECK(r.pathfind.min_points == 5);
    CHECK(r.pathfind.step_dist == 2.0f);
    CHECK(r.pathfind.max_accel == 10.0f);
    CHECK(notes.size() == 2);
}
