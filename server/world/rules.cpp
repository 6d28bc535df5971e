#include "server/world/rules.hpp"

#include "server/world/rules_json.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/math.hpp"

namespace iron::world {

namespace {

/// Numbers that are durations and therefore whole ticks. Prices in ms per unit are not.
bool is_period(std::string_view path) {
    if (path.starts_with("capture.ms.")) return true;
    if (path.starts_with("weapons.") && path.ends_with(".reload")) return true;
    if (path.ends_with("_ms") || path.ends_with("Ms") || path == "victory.silence.ms") return true;
    // Elements of a list of periods: "ai.levels.easy.capture_ms.0", "charge.ammo_ms.bunker".
    return path.find("_ms.") != std::string_view::npos;
}

Status flatten(const RuleNode& node, const std::string& path, Rules& out) {
    switch (node.kind) {
        case RuleNode::Kind::object:
            for (const RuleNode& inner : node.items)
                IRON_CHECK(flatten(inner, path.empty() ? inner.key : path + "." + inner.key, out));
            return {};
        case RuleNode::Kind::array:
            for (std::size_t i = 0; i < node.items.size(); ++i)
                IRON_CHECK(flatten(node.items[i], path + "." + std::to_string(i), out));
            return {};
        case RuleNode::Kind::string: out.strings.emplace(path, node.text); return {};
        case RuleNode::Kind::flag: out.flags.emplace(path, node.flag); return {};
        case RuleNode::Kind::number: break;
    }
    IRON_TRY_WRAP(RuleNumber n, convert_number(node.text), "rule '" + path + "'");
    if (is_period(path)) {
        if (!n.is_integer) return fail("rules_period", "period '" + path + "' is not whole milliseconds");
        if (n.whole > 0 && n.whole % out.step_ms != 0)
            return fail("rules_period", "period '" + path + "' is no multiple of the step");
        if (n.whole > 0xFFFFFFFFll) return fail("rules_range", "period '" + path + "' is too long");
    }
    out.numbers.emplace(path, n);
    return {};
}

/// Reads typed values; the first problem is kept and reported once at the end.
class Picker {
public:
    explicit Picker(const Rules& rules) : rules_(rules) {}

    float real(std::string_view path, float low = 0.0f, float high = 1e6f) {
        const RuleNumber* n = get(path);
        if (n && (n->real < low || n->real > high)) range(path);
        return n ? n->real : 0;
    }
    std::uint32_t count(std::string_view path, std::uint32_t low, std::uint32_t high) {
        const RuleNumber* n = get(path);
        if (n && (!n->is_integer || n->whole < low || n->whole > high)) {
            range(path);
            return low;
        }
        return n ? static_cast<std::uint32_t>(n->whole) : low;
    }
    /// A period of at least one tick.
    std::uint32_t ticks(std::string_view path) {
        const RuleNumber* n = get(path);
        if (n && n->whole < static_cast<std::int64_t>(rules_.step_ms)) range(path);
        return n ? static_cast<std::uint32_t>(n->whole / rules_.step_ms) : 1;
    }
    std::uint32_t milli(std::string_view path) {
        const RuleNumber* n = get(path);
        if (!n || n->ppm <= 0 || n->ppm % 1000 != 0 || n->ppm / 1000 > 1'000'000'000) {
            if (n) range(path);
            return 1;
        }
        return static_cast<std::uint32_t>(n->ppm / 1000);
    }
    MotionRule motion(const std::string& role) {
        MotionRule m;
        const std::string base = "motion." + role + ".";
        m.v = real(base + "v", 0.01f, 1000);
        m.a = real(base + "a", 0.01f, 1000);
        m.turn = real(base + "turn", 0.01f, 100);
        m.h = real(base + "h", 0.01f, 100);
        const bool sizes = rules_.numbers.find(base + "r.0") != rules_.numbers.end();
        for (int i = 0; i < 3; ++i)
            m.r[i] = real(sizes ? base + "r." + std::to_string(i) : base + "r", 0.1f, 20);
        return m;
    }
    Status status() const {
        if (!bad_.empty()) return fail("rules_range", "rule '" + bad_ + "' is missing or out of range");
        return {};
    }
    void range(std::string_view path) {
        if (bad_.empty()) bad_ = path;
    }

private:
    const RuleNumber* get(std::string_view path) {
        const auto it = rules_.numbers.find(path);
        if (it == rules_.numbers.end()) {
            range(path);
            return nullptr;
        }
        return &it->second;
    }
    const Rules& rules_;
    std::string bad_;
};

void pick_navigation(Picker& p, Rules& r) {
    r.coord_min = p.real("coords.min", 0, 10000);
    r.coord_max = p.real("coords.max", 1, 100000);
    r.height_scale = {{p.real("height_scale.candidates.0", 1e-6f), p.real("height_scale.candidates.1", 1e-6f)},
                      p.count("height_scale.min_objects", 1, 1000), p.real("height_scale.tie", 1e-6f)};
    auto& f = r.pathfind;
    f.building_hit_dist = p.real("pathfind.BuildingHitDist");
    f.building_nearest_dist = p.real("pathfind.BuildingNearestDist");
    f.near_build_speed = p.real("pathfind.NearBuildSpeedPercent", 1, 100) / 100.0f;
    f.corridor_radius = p.real("pathfind.CorridorRadius", 0.1f, 100);
    f.near_door_coeff = p.real("pathfind.NearDoorCoeff", 0.01f, 1);
    f.step_off_building = p.real("pathfind.fStepOffBuilding", 0, 100);
    f.max_accel = p.real("pathfind.MaxAccel", 0.01f, 1000);
    f.max_rotation = p.real("pathfind.MaxRotation", 0.01f, 100);
    f.step_dist = p.real("pathfind.fStepDist", 0.25f, 100);
    f.min_points = p.count("pathfind.MinPointInTrajectory", 1, 32);
    f.radius_class = p.real("pathfind.radius_class", 0.1f, 20);
    f.fields_per_tick = p.count("pathfind.fields_per_tick", 1, 4096);
    f.fields_kept = p.count("pathfind.fields_kept", 1, 65536);
    f.portals = p.count("pathfind.portals", 1, 1024);
}

void pick_behavior(Picker& p, Rules& r) {
    auto& b = r.behavior;
    b.replan_ticks = p.ticks("behavior.replan_ms");
    b.stuck_ticks = p.ticks("behavior.stuck_ms");
    b.stuck_dist = p.real("behavior.stuck_dist");
    b.stuck_fails = p.count("behavior.stuck_fails", 1, 1000);
    b.stuck_retry_ticks = p.ticks("behavior.stuck_retry_ms");
    b.stuck_tries = p.count("behavior.stuck_tries", 1, 1000);
    b.target_moved = p.real("behavior.target_moved");
    b.order_queue = p.count("behavior.order_queue", 1, 64);
    b.arrive_min = p.real("behavior.arrive_min", 0.01f, 100);
    b.arrive_contact_gap = p.real("behavior.arrive_contact_gap");
    b.arrive_contact_radii = p.real("behavior.arrive_contact_radii");
    b.arrive_contact_ticks = p.ticks("behavior.arrive_contact_ms");
    auto& w = r.wizard;
    w.period_ticks = p.ticks("wizard.period_ms");
    w.order_ticks = p.ticks("wizard.order_ms");
    w.neighbours = p.count("wizard.neighbours", 0, 64);
    w.near = p.real("wizard.near", 0, 200);
    w.lookahead_s = p.real("wizard.lookahead_s", 0, 60);
    w.min = p.real("wizard.min", 0.1f, 200);
    w.max = p.real("wizard.max", 0.1f, 200);
    w.better = p.real("wizard.better");
    w.soft = p.real("wizard.soft", 0.01f, 1);
    w.oncoming = p.real("wizard.oncoming");
    w.lead_side = p.real("wizard.lead_side", 0, 2);
    w.lead_gap = p.real("wizard.lead_gap");
    w.blocked_ticks = p.ticks("wizard.blocked_ms");
    w.blocked_speed = p.real("wizard.blocked_speed");
    w.max_points = p.count("wizard.max_points", 1, 64);
    for (std::size_t i = 0; i < 32; ++i) {
        const auto it = r.numbers.find("wizard.angles_deg." + std::to_string(i));
        if (it == r.numbers.end()) break;
        const float rad = it->second.real * (kPi / 180.0f);
        w.sin.push_back(det_sin(rad));
        w.cos.push_back(det_cos(rad));
    }
    if (w.sin.empty()) p.range("wizard.angles_deg");
}

void pick_control(Picker& p, Rules& r) {
    r.motion = {p.motion("hero"), p.motion("battle"), p.motion("builder"),
                p.motion("transport"), p.motion("hq"), p.motion("animal")};
    auto& t = r.terrain;
    t.step_up = p.real("terrain.step_up");
    t.slope_default = p.real("terrain.slope_default", 0.01f, 1.57f);
    t.align_s = p.real("terrain.align_s", 0.001f, 60);
    t.align_ticks = p.ticks("terrain.align_ms");
    t.fly_height = p.real("terrain.fly_height");
    t.fly_vspeed = p.real("terrain.fly_vspeed");
    t.fly_probe = p.real("terrain.fly_probe");
    t.basement_max_diff = p.real("terrain.basement_max_diff");
    auto& c = r.collision;
    c.cell = p.real("collision.cell", 1, 1000);
    c.passes = p.count("collision.passes", 1, 16);
    c.eps = p.real("collision.eps", 0, 1);
    c.max_pairs = p.count("collision.max_pairs", 1, 256);
    c.soft = p.real("collision.soft", 0.01f, 1);
    c.share_first = p.real("collision.share_first", 0, 1);
    c.aside_cos = det_cos(p.real("collision.aside_deg", 0, 90) * (kPi / 180.0f));
    c.aside_along = p.real("collision.aside_along", 0, 1);
    c.return_radii = p.real("collision.return_radii");
    c.return_ticks = p.ticks("collision.return_ms");
    c.pass_ticks = p.ticks("collision.pass_ms");
    c.slow_per_tick = p.real("collision.slow_per_tick");
    c.ram_speed = p.real("collision.ram_speed");
    c.ram_factor = p.real("collision.ram_factor");
    c.building_height = p.real("collision.building_height", 0.1f, 1000);
    c.tree_r = p.real("collision.tree_r", 0.01f, 20);
    c.stone_r = p.real("collision.stone_r", 0.01f, 20);
    r.slow_update_ticks = p.ticks("slow_update_ms");
    auto& l = r.life;
    l.hero = p.milli("life.hero");
    l.builder = p.milli("life.builder");
    l.transport = p.milli("life.transport");
    l.hq = p.milli("life.hq");
    l.animal = p.milli("life.animal");
    l.building = p.milli("life.building");
    l.other = p.milli("life.other");
    for (int i = 0; i < 3; ++i) {
        l.battle[i] = p.milli("life.battle." + std::to_string(i));
        l.bunker[i] = p.milli("life.bunker." + std::to_string(i));
    }
    for (int i = 0; i < 2; ++i) {
        l.tower[i] = p.milli("life.tower." + std::to_string(i));
        r.size_radius[i] = p.real("size_radius." + std::to_string(i), 0.1f, 20);
    }
    r.orders = {p.count("orders.subjects", 1, 4096), p.count("orders.points", 1, 256),
                p.real("orders.follow_gap"), p.real("orders.slot_gap"), p.real("orders.slot_shape", 0.1f, 100)};
}

}  // namespace

Result<RuleNumber> Rules::number(std::string_view path) const {
    const auto it = numbers.find(path);
    if (it == numbers.end()) return fail("rules_missing", "no rule '" + std::string(path) + "'");
    return it->second;
}

Result<std::uint32_t> Rules::ticks(std::string_view path) const {
    IRON_TRY(RuleNumber n, number(path));
    if (!n.is_integer || n.whole < 0 || n.whole % step_ms != 0)
        return fail("rules_period", "rule '" + std::string(path) + "' is no period");
    return static_cast<std::uint32_t>(n.whole / step_ms);
}

Result<Rules> load_rules(std::string_view text, std::uint32_t step_ms) {
    if (step_ms == 0 || step_ms > 1000) return fail("rules_range", "the step must be 1 to 1000 ms");
    IRON_TRY(RuleNode tree, parse_rules(default_rules_text()));
    IRON_TRY(const RuleNode given, parse_rules(text));
    IRON_CHECK(merge_rules(tree, given, ""));

    Rules rules;
    rules.hash = sha256(as_bytes(text));
    rules.step_ms = step_ms;
    rules.dt = static_cast<float>(step_ms) / 1000.0f;
    IRON_CHECK(flatten(tree, "", rules));
    IRON_TRY(const RuleNumber version, rules.number("version"));
    if (!version.is_integer || version.whole != 2)
        return fail("rules_version", "this program knows rules version 2");

    Picker picker(rules);
    pick_navigation(picker, rules);
    pick_behavior(picker, rules);
    pick_control(picker, rules);
    IRON_CHECK(picker.status());
    if (rules.coord_min >= rules.coord_max) return fail("rules_range", "coords.min is not below coords.max");
    for (const auto& node : tree.find("nonwalkable_areal_classes")->items) {
        IRON_TRY(const RuleNumber n, convert_number(node.text));
        if (!n.is_integer || n.whole < 0 || n.whole > 0xFFFFFFFFll)
            return fail("rules_range", "an areal class is a 32-bit number");
        rules.nonwalkable_areal_classes.push_back(static_cast<std::uint32_t>(n.whole));
    }
    for (const auto& node : tree.find("flying_chassis")->items) {
        std::string name = node.text;
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        rules.flying_chassis.push_back(std::move(name));
    }
    return rules;
}

const Rules& default_rules() {
    // The embedded text is part of the program: a failure here is a broken build.
    static const Rules rules = load_rules(default_rules_text()).value();
    return rules;
}

}  // namespace iron::world
