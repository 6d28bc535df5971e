#include "server/world/behavior_ini.hpp"

#include "server/world/rules_json.hpp"
#include "shared/asset/config_text.hpp"
#include "shared/base/math.hpp"
#include "shared/base/text.hpp"

namespace iron::world {

namespace {

/// A plain decimal, as the rules file writes them.
bool is_decimal(std::string_view text) {
    std::size_t digits = 0, dots = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] >= '0' && text[i] <= '9') ++digits;
        else if (text[i] == '.') ++dots;
        else if (!(text[i] == '-' && i == 0)) return false;
    }
    return digits > 0 && dots <= 1;
}

class Reader {
public:
    Reader(const asset::IniDocument& document, std::vector<std::string>& notes) : document_(document), notes_(notes) {}

    void real(std::string_view key, float& value, float low, float high, float factor = 1) {
        for (const asset::IniEntry& e : document_.entries) {
            if (!ascii_iequals(e.key, key)) continue;
            const auto n = is_decimal(e.value) ? convert_number(e.value) : fail("rules_range", "no number");
            if (!n || n->real < low || n->real > high) notes_.push_back("Behavior.ini: bad value of " + e.key);
            else value = n->real * factor;
            return;
        }
    }
    void flag(std::string_view key, bool& value) {
        float v = value ? 1.0f : 0.0f;
        real(key, v, 0, 1);
        value = v != 0;
    }
    void count(std::string_view key, std::uint32_t& value, float low, float high) {
        float v = static_cast<float>(value);
        real(key, v, low, high);
        value = static_cast<std::uint32_t>(trunc_i32(v));
    }

private:
    const asset::IniDocument& document_;
    std::vector<std::string>& notes_;
};

}  // namespace

void apply_behavior_ini(const asset::IniDocument& document, Rules& rules, std::vector<std::string>& notes) {
    Reader in(document, notes);
    in.flag("LockBehaviour", rules.lock_behaviour);
    in.flag("UseWizard", rules.use_wizard);
    auto& p = rules.pathfind;
    in.real("PathFind_BuildingHitDist", p.building_hit_dist, 0, 1000);
    in.real("PathFind_BuildingNearestDist", p.building_nearest_dist, 0, 1000);
    in.real("PathFind_NearBuildSpeedPercent", p.near_build_speed, 1, 100, 0.01f);
    in.real("PathFind_CorridorRadius", p.corridor_radius, 0.1f, 100);
    in.real("PathFind_NearDoorCoeff", p.near_door_coeff, 0.01f, 1);
    in.real("PathFind_fStepOffBuilding", p.step_off_building, 0, 100);
    in.real("PathFind_MaxAccel", p.max_accel, 0.01f, 1000);
    in.real("PathFind_MaxRotation", p.max_rotation, 0.01f, 100);
    in.real("PathFind_fStepDist", p.step_dist, 0.25f, 100);
    in.count("PathFind_MinPointInTrajectory", p.min_points, 1, 32);
}

}  // namespace iron::world
