#include "server/world/assemble.hpp"

#include <algorithm>

#include "shared/base/text.hpp"

namespace iron::world {

using control::Role;
using control::Size;

namespace {

struct SchemeRole {
    std::uint32_t type;
    Role role;
};
constexpr SchemeRole kSchemeRoles[] = {
    {0x80010000, Role::bunker_small}, {0x80020000, Role::bunker_medium}, {0x80040000, Role::bunker_large},
    {0x80000002, Role::generator},    {0x80000004, Role::mine},          {0x80000008, Role::storage},
    {0x80000010, Role::plant},        {0x80000040, Role::hangar},        {0x80100000, Role::tower_medium},
    {0x80200000, Role::tower_large},  {0x80000200, Role::teleport},      {0x80000400, Role::institute},
    {0x80001000, Role::bridge},       {0x80002000, Role::ruin},          {0x01020000, Role::hero},
    {0x01002000, Role::transport},    {0x01004000, Role::builder},       {0x01008000, Role::battle},
    {0x01010000, Role::hq}};

std::string_view file_stem(std::string_view path) {
    const std::size_t slash = path.find_last_of("/\\");
    if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
    const std::size_t dot = path.find_last_of('.');
    return dot == std::string_view::npos ? path : path.substr(0, dot);
}

/// Largest absolute component; 0 when nothing usable is there.
float largest(Vec3 v) {
    if (!is_finite(v)) return 0;
    const auto a = [](float x) { return x < 0 ? -x : x; };
    return std::max(a(v.x), std::max(a(v.y), a(v.z)));
}

const mission::ResolvedPrototype* root_prototype(const mission::Assembly& assembly) {
    return assembly.components.empty() ? nullptr : assembly.components.front().prototype.get();
}

const MotionRule& motion_rule(const Rules& rules, Role role) {
    switch (role) {
        case Role::hero: return rules.motion.hero;
        case Role::builder: return rules.motion.builder;
        case Role::transport: return rules.motion.transport;
        case Role::hq: return rules.motion.hq;
        case Role::animal: return rules.motion.animal;
        default: return rules.motion.battle;
    }
}

std::uint32_t base_life(const Rules& rules, Role role, Size size) {
    const auto s = static_cast<std::size_t>(size);
    switch (role) {
        case Role::hero: return rules.life.hero;
        case Role::battle: return rules.life.battle[s];
        case Role::builder: return rules.life.builder;
        case Role::transport: return rules.life.transport;
        case Role::hq: return rules.life.hq;
        case Role::animal: return rules.life.animal;
        case Role::tower_medium: return rules.life.tower[0];
        case Role::tower_large: return rules.life.tower[1];
        case Role::bunker_small: return rules.life.bunker[0];
        case Role::bunker_medium: return rules.life.bunker[1];
        case Role::bunker_large: return rules.life.bunker[2];
        default: return is_building(role) ? rules.life.building : rules.life.other;
    }
}

/// Life from the NDP volumes of all parts, record 0 of attached parts skipped (3.4); none: the table.
void fill_life(control::Body& body, const mission::Assembly& assembly, const Rules& rules) {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < assembly.components.size(); ++i) {
        const auto& prototype = assembly.components[i].prototype;
        if (!prototype || !prototype->damage) continue;
        const auto& records = prototype->damage->records;
        for (std::size_t k = i == 0 ? 0 : 1; k < records.size(); ++k) {
            const float volume = records[k].maximum_volume;
            const float kept = is_finite(volume) && volume > 0 ? std::min(volume, 1e6f) : 0.0f;
            const auto milli = static_cast<std::uint32_t>(floor_i64(static_cast<double>(kept) * 1000.0 + 0.5));
            body.pieces_max.push_back(milli);
            total += milli;
        }
    }
    if (total == 0 || total > 0xFFFFFFFFull) {
        body.pieces_max.clear();
        total = base_life(rules, body.role, body.size);
    }
    body.pieces = body.pieces_max;
    body.life_max = body.life = static_cast<std::uint32_t>(total);
}

/// "Life state" (DD-SIM-05): 0..1 a fraction, above that to 100 percent.
void apply_life_state(control::Body& body, const PropertyBag& bag) {
    const auto value = bag.number("Life state");
    if (!value || !(*value > 0) || *value > 100) return;
    const double fraction = *value <= 1 ? static_cast<double>(*value) : static_cast<double>(*value) / 100.0;
    const auto scaled = [&](std::uint32_t v) {
        return static_cast<std::uint32_t>(floor_i64(static_cast<double>(v) * fraction + 0.5));
    };
    body.life = std::max(1u, scaled(body.life_max));
    if (body.pieces.empty()) return;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < body.pieces.size(); ++i) sum += body.pieces[i] = scaled(body.pieces_max[i]);
    body.life = std::max(1u, sum);
}

void fill_motion(WorldState& s, control::Body& body, const mission::Assembly& assembly, const PropertyBag& bag) {
    const Rules& rules = s.rules;
    const MotionRule& rule = motion_rule(rules, body.role);
    body.v_max = rule.v;
    body.accel = rule.a;
    body.turn_max = rule.turn;
    body.height = rule.h;
    float slope = rules.terrain.slope_default;
    const mission::ResolvedPrototype* root = root_prototype(assembly);
    if (root && root->control && root->control->parsed()) {
        const asset::CtlRoot& ctl = root->control->root;
        if (const float v = largest(ctl.max_tangential_speed); v > 0) body.v_max = std::min(v, 1000.0f);
        if (const float a = largest(ctl.max_tangential_acceleration); a > 0) body.accel = std::min(a, 1000.0f);
        const float turn = ctl.max_angular_speed.z < 0 ? -ctl.max_angular_speed.z : ctl.max_angular_speed.z;
        if (is_finite(turn) && turn > 0) body.turn_max = std::min(turn, 100.0f);
        const float limit = ctl.slope_limit;
        if (is_finite(limit) && limit > 0) slope = limit < 1.57f ? limit : std::min(limit, 89.0f) * (kPi / 180.0f);
        const auto positive = [](float v) { return is_finite(v) && v > 0 ? v : 0.0f; };
        body.tilt_limit = {positive(ctl.visual_euler_limit.x), positive(ctl.visual_euler_limit.y)};
    }
    if (const auto percent = bag.number("MaxSpeedPercent"); percent && *percent >= 0 && *percent < 100)
        body.v_max *= *percent / 100.0f;
    body.slope_tan = det_tan(slope);
    body.slope_cos = det_cos(slope);
    for (const std::string& name : rules.flying_chassis)
        if (root && root->folded_key == name) body.flyer = true;
    body.mobility = s.routes.mobility_of(body.slope_cos, body.radius, body.flyer);
}

std::shared_ptr<const ObjectStatic> fixed_part(const mission::ObjectBlueprint& object, const control::Body& body,
                                               const PropertyBag& bag) {
    auto out = std::make_shared<ObjectStatic>();
    out->logic_id = static_cast<std::uint8_t>(object.logic_id);
    out->scheme_type = object.scheme_type();
    out->prototype_key = object.resource;
    out->scale = object.scale;
    out->radius = body.radius;
    out->properties = bag.items();
    for (const auto& c : object.assembly->components) {
        if (!c.prototype || !c.prototype->geometric) continue;
        PartView part;
        part.tag = c.record;
        part.parent_piece = c.attach_index < 0 ? 0 : static_cast<std::uint32_t>(c.attach_index);
        part.archive = c.prototype->model_archive;
        part.entry = c.prototype->model_entry;
        out->parts.push_back(std::move(part));
    }
    return out;
}

/// Outer contours of the basement in world coordinates.
std::vector<std::vector<Vec2>> ground_polygons(const mission::Assembly& assembly, const control::Body& body) {
    std::vector<std::vector<Vec2>> out;
    const mission::ResolvedPrototype* root = root_prototype(assembly);
    if (!root || !root->contour) return out;
    const Mat3 rotation = rotation_zyx(body.orientation);
    for (const auto& contour : root->contour->outer) {
        std::vector<Vec2> polygon;
        for (Vec3 p : contour.points) {
            const Vec3 w = rotation * Vec3{p.x * body.scale.x, p.y * body.scale.y, p.z * body.scale.z} + body.position;
            if (!is_finite(w)) return {};
            const Vec2 q{w.x, w.y};
            if (polygon.empty() || !(polygon.back() == q)) polygon.push_back(q);
        }
        // The last point repeats the first one.
        if (polygon.size() > 1 && length(polygon.front() - polygon.back()) < 1e-3f) polygon.pop_back();
        if (polygon.size() >= 3 && polygon.size() <= 4096) out.push_back(std::move(polygon));
    }
    return out;
}

}  // namespace

Role role_of(std::uint32_t scheme_type, std::uint32_t raw_kind, mission::LogicId logic_id) {
    for (const SchemeRole& r : kSchemeRoles)
        if (r.type == scheme_type) return r.role;
    if (scheme_type & asset::kSchemeBuildingBit) return Role::building;
    if (scheme_type & asset::kSchemeAnimalBit) return Role::animal;
    if (scheme_type & asset::kSchemeRobotBit) return Role::battle;
    switch (static_cast<asset::ObjectKind>(raw_kind)) {
        case asset::ObjectKind::tree: return Role::tree;
        case asset::ObjectKind::stone: return Role::stone;
        case asset::ObjectKind::building: return logic_id == mission::LogicId::unit ? Role::battle : Role::building;
        case asset::ObjectKind::war_robot: return logic_id == mission::LogicId::building ? Role::building : Role::battle;
    }
    return Role::other;
}

Size size_of(const Rules& rules, std::string_view scheme_path, float radius) {
    std::string stem(file_stem(scheme_path));
    for (char& c : stem)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    for (const auto& [path, value] : rules.strings) {
        if (!path.starts_with("unit_size.") || !ascii_iequals(file_stem(std::string_view(path).substr(10)), stem)) continue;
        return value == "small" ? Size::small : value == "large" ? Size::large : Size::medium;
    }
    const std::size_t first = stem.find('_');
    if (first != std::string::npos) {
        const std::size_t second = stem.find('_', first + 1);
        const std::string_view token =
            std::string_view(stem).substr(first + 1, second == std::string::npos ? second : second - first - 1);
        if (token == "s") return Size::small;
        if (token == "m") return Size::medium;
    }
    return radius < rules.size_radius[0] ? Size::small : radius < rules.size_radius[1] ? Size::medium : Size::large;
}

std::uint8_t clan_of(const mission::ObjectBlueprint& object, std::size_t clans) {
    std::int64_t index = object.owner;
    if (const auto* p = object.property("ClanID")) {
        PropertyBag bag;
        bag.add({p->name, {p->type, p->value[0], p->value[1], p->value[2]}});
        const auto value = bag.integer("ClanID");
        if (value && *value >= 0) index = *value;
    }
    if (index < 0 || index >= static_cast<std::int64_t>(std::min(clans, kMaxClans))) return kNoClan;
    return static_cast<std::uint8_t>(index);
}

Status assemble_object(WorldState& s, std::uint32_t slot, const mission::ObjectBlueprint& object) {
    if (!is_finite(object.position) || !is_finite(object.orientation) || !is_finite(object.scale))
        return fail("non_finite", "the placement of object " + std::to_string(object.file_index) + " is not finite");
    PropertyBag bag;
    for (const auto& p : object.properties) bag.add({p.name, {p.type, p.value[0], p.value[1], p.value[2]}});

    control::Body body;
    body.position = object.position;
    body.orientation = object.orientation;
    body.scale = object.scale;
    body.role = role_of(object.scheme_type(), object.raw_kind, object.logic_id);
    body.mobile = control::is_mobile(body.role);
    const mission::ResolvedPrototype* root = root_prototype(*object.assembly);
    float radius = root ? root->radius() : 0.0f;
    if (!is_finite(radius) || radius < 0) radius = 0;
    radius *= std::max(1e-3f, std::max(object.scale.x, object.scale.y));
    if (radius > 0) radius = std::clamp(radius, 0.5f, body.mobile ? 20.0f : 200.0f);
    body.size = size_of(s.rules, object.assembly->path, radius > 0 ? radius : s.rules.motion.battle.r[1]);
    if (body.role == Role::tree) radius = s.rules.collision.tree_r;
    if (body.role == Role::stone) radius = s.rules.collision.stone_r;
    if (body.mobile && radius <= 0) radius = motion_rule(s.rules, body.role).r[static_cast<std::size_t>(body.size)];
    body.radius = radius;
    body.height = s.rules.collision.building_height;
    body.invulnerable = bag.integer("Invulnerability").value_or(0) != 0;
    for (const auto& [path, name] : s.rules.strings) {
        if (!path.starts_with("invulnerable.")) continue;
        if ((name == "generator" && body.role == Role::generator) || (name == "main_teleport" && body.role == Role::teleport))
            body.invulnerable = 1;
    }
    fill_life(body, *object.assembly, s.rules);
    apply_life_state(body, bag);
    if (body.mobile) {
        fill_motion(s, body, *object.assembly, bag);
        body.orientation.z = wrap_angle(body.orientation.z);
        if (const auto z = s.surface.height_at(body.position.x, body.position.y))
            body.position.z = body.flyer ? *z + s.rules.terrain.fly_height : *z;
    }
    body.forward = control::forward_of(body.orientation.z);
    body.previous = body.position;

    behavior::Brain brain;
    brain.heading = body.forward;
    brain.idle_place = {body.position.x, body.position.y};
    if (body.mobile)
        brain.areal = s.areals.locate(body.position.x, body.position.y, body.position.z).value_or(navigation::kNoAreal);

    s.resize_slots();
    s.polygons[slot].clear();
    if (control::is_building(body.role)) s.polygons[slot] = ground_polygons(*object.assembly, body);
    s.fixed[slot] = fixed_part(object, body, bag);
    s.bodies[slot] = std::move(body);
    s.brains[slot] = std::move(brain);
    s.properties[slot] = std::move(bag);
    return {};
}

void rebuild_obstacles(WorldState& s) {
    s.obstacles.clear();
    for (std::uint32_t slot : s.queue->order()) {
        const control::Body& b = s.bodies[slot];
        if (b.mobile || b.role == Role::bridge || b.role == Role::ruin || b.role == Role::none) continue;
        const ObjectId id = s.store.at(slot).id;
        const float z0 = b.position.z, z1 = z0 + b.height;
        const bool building = control::is_building(b.role);
        const auto& polygons = s.polygons[slot];
        for (const auto& polygon : polygons) s.obstacles.add_polygon(id, polygon, z0 - b.height, z1, building);
        if (polygons.empty() && b.radius > 0)
            s.obstacles.add_circle(id, {b.position.x, b.position.y}, b.radius, z0 - b.height, z1, building);
    }
    s.obstacles.finish(s.rules.collision.cell);
    s.routes.map_changed();
}

}  // namespace iron::world
