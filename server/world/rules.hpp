// The numbers of the game: rules/default.json (simulation.md Appendix A), checked and converted
// once: periods to whole ticks, decimals to parts per million, distances to binary32.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/error.hpp"
#include "shared/base/hash.hpp"

namespace iron::world {

/// One number of the file in every form a rule may want it in.
struct RuleNumber {
    float real = 0;         ///< correctly rounded binary32
    std::int64_t ppm = 0;   ///< value * 1 000 000, rounded half away from zero
    std::int64_t whole = 0; ///< the value when it is an integer
    bool is_integer = false;
    bool operator==(const RuleNumber&) const = default;
};

/// Speed, acceleration and size of a role without CTL data (simulation.md 11).
struct MotionRule {
    float v = 0, a = 0, turn = 0, h = 0;  ///< wu/s, wu/s2, rad/s, wu
    float r[3] = {0, 0, 0};               ///< wu, by size S/M/L
};

struct Rules {
    Hash256 hash{};              ///< SHA-256 of the text: the rules hash of handshake and saves
    std::uint32_t step_ms = 20;
    float dt = 0.02f;            ///< step_ms / 1000, computed once

    float coord_min = 0, coord_max = 10000;
    struct { float candidates[2]; std::uint32_t min_objects; float tie; } height_scale{};
    struct {
        float building_hit_dist, building_nearest_dist, near_build_speed, corridor_radius;
        float near_door_coeff, step_off_building, max_accel, max_rotation, step_dist, radius_class;
        std::uint32_t min_points, fields_per_tick, fields_kept, portals;
    } pathfind{};
    struct {
        std::uint32_t replan_ticks, stuck_ticks, stuck_fails, stuck_retry_ticks, stuck_tries;
        std::uint32_t order_queue, arrive_contact_ticks;
        float stuck_dist, target_moved, arrive_min, arrive_contact_gap, arrive_contact_radii;
    } behavior{};
    struct {
        std::uint32_t period_ticks, order_ticks, neighbours, blocked_ticks, max_points;
        float near, lookahead_s, min, max, better, soft, oncoming, lead_side, lead_gap, blocked_speed;
        std::vector<float> sin, cos;  ///< of the tested headings, in order; first is (0, 1)
    } wizard{};
    struct { MotionRule hero, battle, builder, transport, hq, animal; } motion{};
    std::vector<std::string> flying_chassis;               ///< lower case
    std::vector<std::uint32_t> nonwalkable_areal_classes;
    struct {
        float step_up, slope_default, align_s, fly_height, fly_vspeed, fly_probe, basement_max_diff;
        std::uint32_t align_ticks;
    } terrain{};
    struct {
        float cell, eps, soft, share_first, aside_cos, aside_along, return_radii, slow_per_tick;
        float building_height, tree_r, stone_r, ram_speed, ram_factor;
        std::uint32_t passes, max_pairs, return_ticks, pass_ticks;
    } collision{};
    std::uint32_t slow_update_ticks = 12;
    struct {  ///< milli-life
        std::uint32_t hero, battle[3], builder, transport, hq, animal, tower[2], bunker[3], building;
        std::uint32_t other;
    } life{};
    float size_radius[2] = {2.0f, 3.5f};
    bool lock_behaviour = false;  ///< Behavior.ini: nobody leaves Idle
    bool use_wizard = true;       ///< Behavior.ini: steering around near obstacles
    struct { std::uint32_t subjects, points; float follow_gap, slot_gap, slot_shape; } orders{};

    /// Every number of the file by its path ("energy.engine", "life.battle.1"), for rules that are
    /// read once at load. Ordered, so that iteration is stable.
    std::map<std::string, RuleNumber, std::less<>> numbers;
    std::map<std::string, std::string, std::less<>> strings;
    std::map<std::string, bool, std::less<>> flags;

    /// A number that must exist; error `rules_missing`.
    Result<RuleNumber> number(std::string_view path) const;
    /// Milliseconds at `path` as whole ticks.
    Result<std::uint32_t> ticks(std::string_view path) const;
};

/// The text of rules/default.json, embedded at build time.
std::string_view default_rules_text();

/// Checks `text` against the shape of the default file and converts it. Missing keys take the default;
/// errors `rules_syntax`, `rules_unknown_key`, `rules_duplicate_key`, `rules_type`, `rules_range`,
/// `rules_period` (a period that is no multiple of step_ms), `rules_version`.
Result<Rules> load_rules(std::string_view text, std::uint32_t step_ms = 20);

/// The default rules for `step_ms` 20.
const Rules& default_rules();

}  // namespace iron::world
