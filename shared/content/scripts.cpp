// Variables, script packages and the research tree. Source: script.md, config.md 10, objects.md 13.
#include <bit>

#include "shared/asset/research_tree.hpp"
#include "shared/asset/script_package.hpp"
#include "shared/asset/varset.hpp"
#include "shared/base/text.hpp"
#include "shared/content/missions.hpp"

namespace iron::content {
namespace {

using asset::ScriptEvent;
using asset::ScriptPackage;
using asset::ScriptRecord;
using asset::Variable;
using asset::VariableType;

constexpr std::size_t kClanBaseX = 224;  // fixed by the original shared file
constexpr std::size_t kVariableCount = 231;

/// 231 declarations like the shared file of the original: 31 float, 200 DWORD.
std::vector<Variable> make_variables() {
    std::vector<Variable> out;
    const auto real = [&](std::string name, float value) {
        Variable v;
        v.type = VariableType::real;
        v.name = std::move(name);
        v.bits = std::bit_cast<std::uint32_t>(value);
        out.push_back(v);
    };
    const auto dword = [&](std::string name, std::uint32_t value) {
        Variable v;
        v.type = VariableType::dword;
        v.name = std::move(name);
        v.bits = value;
        out.push_back(v);
    };
    for (int i = 0; i < 29; ++i) real("f" + std::to_string(i), static_cast<float>(i) * 0.5f);
    const std::pair<const char*, std::uint32_t> known[] = {
        {"NONE", 0}, {"ST_SOLVING", 1}, {"ST_SOLVED", 2}, {"TARGET_BY_LOGIC_ID", 0x0201}, {"TARGET_BY_PLACE", 0x0202},
        {"TARGET_BY_TYPE", 0x0203}, {"TARGET_NOT_DEFINED", 0x0204}, {"TARGET_BY_NAME", 0x0205},
        {"CLASS_BUILDING", 0x80000000u}, {"CLASS_ROBOT", 0x01000000u}, {"CLASS_ANIMAL", 0x20000000u},
        {"BUNKER_SMALL", 0x80010000u}, {"BUNKER_MEDIUM", 0x80020000u}, {"BUNKER_LARGE", 0x80040000u},
        {"GENERATOR", 0x80000002u}, {"MINE", 0x80000004u}, {"STORAGE", 0x80000008u}, {"PLANT", 0x80000010u},
        {"HANGAR", 0x80000040u}, {"TOWER_MEDIUM", 0x80100000u}, {"TOWER_LARGE", 0x80200000u},
        {"MAIN_TELEPORT", 0x80000200u}, {"INSTITUTE", 0x80000400u}, {"BRIDGE", 0x80001000u}, {"RUIN", 0x80002000u},
        {"ROBOT_TRANSPORT", 0x01002000u}, {"ROBOT_BUILDER", 0x01004000u}, {"ROBOT_BATTLE", 0x01008000u},
        {"ROBOT_HQ", 0x01010000u}, {"ROBOT_HERO", 0x01020000u},
        {"CMD_OUTCOME", 0}, {"CMD_MESSAGE", 1}, {"OUTCOME_FAILED", 0}, {"OUTCOME_COMPLETED", 1},
        {"MSG_WELCOME", 1}, {"MSG_BUILT", 2}, {"MSG_TELEPORTED", 3}};
    for (const auto& [name, value] : known) dword(name, value);
    for (std::uint32_t i = 0; out.size() < kClanBaseX; ++i) dword("d" + std::to_string(i), i);
    dword("ClanBaseX", 0);
    dword("ClanBaseY", 0);
    dword("ClanID", 0);
    dword("dCurrentProblem", 0);
    dword("dMissionState", 0);
    real("fX", 0);
    real("fY", 0);
    return out;
}

class Scripts {
public:
    explicit Scripts(const asset::VariableSet& variables) : variables_(variables) {}

    ScriptRecord handler(std::uint32_t selector, const std::vector<std::string_view>& names) const {
        ScriptRecord r;
        r.w0 = selector;
        for (const std::string_view n : names) r.references.push_back(static_cast<std::uint32_t>(variables_.index_of(n)));
        return r;
    }
    ScriptEvent event(std::string name, std::uint32_t word, std::vector<ScriptRecord> records) const {
        return {std::move(name), word, std::move(records)};
    }
    ScriptEvent init() const { return event("Init", 0, {handler(19, {"ClanBaseX", "ClanBaseY", "ClanID"})}); }
    ScriptEvent message(std::string name, std::uint32_t word, std::string_view key) const {
        return event(std::move(name), word, {handler(30, {"CMD_MESSAGE", key}), handler(0, {})});
    }

private:
    const asset::VariableSet& variables_;
};

/// Components a plant can be taught, and four upgrades of all weapons.
asset::ResearchTree make_research() {
    asset::ResearchTree tree;
    const auto node = [&](const char* short_name, const char* title, const char* help, float cost, float time, std::uint8_t state) {
        asset::ResearchNode n;
        n.short_name = short_name;
        n.long_name = utf8_to_cp1251(title);
        n.help = utf8_to_cp1251(help);
        n.cost = cost;
        n.time = time;
        n.view_x = static_cast<float>(tree.nodes.size() % 4) * 20.0f;
        n.view_y = static_cast<float>(tree.nodes.size() / 4) * 40.0f;
        n.state = state;
        tree.nodes.push_back(n);
        return static_cast<std::uint32_t>(tree.nodes.size() - 1);
    };
    const auto after = [&](std::uint32_t child, std::uint32_t parent) {
        tree.nodes[child].prerequisites.push_back(parent);
        tree.nodes[parent].unlocks.push_back(child);
    };
    using namespace asset;
    const std::uint8_t known = kResearchAvailable | kResearchDone | kResearchActive;
    const std::uint8_t open = kResearchAvailable | kResearchActive, locked = kResearchActive;
    const std::uint32_t cannon = node("g_can_m", "Автопушка", "Дешёвое орудие против лёгких машин.", 0, 0, known);
    const std::uint32_t laser = node("g_las_m", "Лазер", "Не знает промаха, но расходует энергию.", 10, 40, open);
    const std::uint32_t missile = node("g_mis_m", "Ракеты", "Осадное оружие: бьёт дальше башен.", 20, 60, open);
    const std::uint32_t plasma = node("g_pla_m", "Плазма", "Против тяжёлых машин и плотных групп.", 30, 90, locked);
    const std::uint32_t em = node("g_em_m", "ЭМ-излучатель", "Лишает цель энергии и щитов.", 30, 90, locked);
    const std::uint32_t heavy = node("r_l_01", "Шагающее шасси", "Тяжёлая платформа на четырёх опорах.", 40, 120, locked);
    after(plasma, laser);
    after(em, laser);
    after(heavy, missile);
    after(laser, cannon);
    after(missile, cannon);
    std::uint32_t last = 0;
    const char* names[] = {"up_weapon_1", "up_weapon_2", "up_weapon_3", "up_weapon_4"};
    const char* titles[] = {"Усиление оружия I", "Усиление оружия II", "Усиление оружия III", "Усиление оружия IV"};
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t up = node(names[i], titles[i], "Урон всех орудий +10 %.", 45, 150, i == 0 ? open : locked);
        tree.nodes[up].upgrade_level = static_cast<std::uint8_t>(i + 1);
        if (i > 0) after(up, last);
        last = up;
    }
    return tree;
}

}  // namespace

Status add_scripts(Game& game) {
    const asset::VariableSet variables = asset::make_variable_set(make_variables());
    if (variables.variables.size() != kVariableCount || variables.index_of("ClanBaseX") != static_cast<std::int32_t>(kClanBaseX))
        return fail("content_selfcheck", "the variable file lost its fixed indices");
    game.file("MISSIONS/SCRIPTS/varset.var", asset::write_variable_set(variables));

    const Scripts s(variables);
    ScriptPackage standard;
    standard.events = {s.init(), s.message("Mission", 1, "MSG_WELCOME"), s.message("Fort_Task_Complete", 2, "MSG_BUILT"),
                       s.message("Hero_Teleported", 3, "MSG_TELEPORTED")};
    game.file("MISSIONS/SCRIPTS/default.scr", asset::write_script_package(standard));
    ScriptPackage tutorial = standard;
    tutorial.events.back() = s.event("Hero_Teleported", 3, {s.handler(30, {"CMD_OUTCOME", "OUTCOME_COMPLETED"}), s.handler(0, {})});
    game.file("MISSIONS/SCRIPTS/tut_01.scr", asset::write_script_package(tutorial));

    IRON_TRY(Bytes research, asset::write_research_tree(make_research()));
    game.file("MISSIONS/SCRIPTS/data.trf", std::move(research));
    return {};
}

}  // namespace iron::content
