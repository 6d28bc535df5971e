#include "client/view/frame_builder.hpp"

#include <algorithm>
#include <cmath>


namespace iron::client::view {
namespace {

constexpr std::uint32_t kRobotBit = 0x01000000u, kHero = 0x01020000u;
constexpr std::uint32_t kFlagInside = 1u << 1, kFlagFiring = 1u << 4, kFlagWithoutPower = 1u << 12;

constexpr std::uint8_t kStaticLogic = 10;  // runtime.md 3.2

void add_contact(DrawList& out, const UnitModel& unit, const glm::mat4& root, bool building) {
    const float size = std::min(unit.bounds.size().x, unit.bounds.size().y);
    out.contacts.push_back({root, unit.bounds, std::clamp(size * 0.30f, 0.4f, 3.2f), building ? 0.62f : 0.50f});
}

std::pair<std::int32_t, std::int32_t> place_key(glm::vec2 at) {
    const glm::vec2 q = glm::clamp(glm::round(at * 4.0f), glm::vec2(-1e6f), glm::vec2(1e6f));
    return {static_cast<std::int32_t>(q.x), static_cast<std::int32_t>(q.y)};
}

bool is_building(const net::Mirror& mirror) {
    return (mirror.scheme_type & 0x80000000u) != 0 || mirror.logic_id == 3;
}

StateSample to_sample(const net::MirrorSample& s, double step_ms) {
    StateSample out;
    out.time_ms = static_cast<double>(s.tick) * step_ms;
    out.position = to_glm(s.position);
    out.velocity = to_glm(s.velocity);
    out.yaw = s.yaw;
    out.pitch = s.pitch;
    out.roll = s.roll;
    out.turret_yaw = s.turret_yaw;
    out.turret_pitch = s.turret_pitch;
    out.teleported = s.absolute;
    return out;
}

glm::mat4 upright(glm::vec3 up, float yaw) {
    // Local +Y points along the yaw (DD-SIM-02), bent into the plane of the ground.
    const glm::vec3 ahead(-std::sin(yaw), std::cos(yaw), 0);
    const glm::vec3 right = glm::normalize(glm::cross(ahead, up));
    const glm::vec3 forward = glm::cross(up, right);
    glm::mat4 m(1.0f);
    m[0] = glm::vec4(right, 0);
    m[1] = glm::vec4(forward, 0);
    m[2] = glm::vec4(up, 0);
    return m;
}

}  // namespace

FrameBuilder::FrameBuilder(Scene& scene) : scene_(scene) {
    const auto& placed = scene.placed();
    static_gone_.assign(placed.size(), false);
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (placed[i].is_static) static_places_.emplace(place_key(glm::vec2(placed[i].world[3])), i);
}

void FrameBuilder::feed_static(const net::Mirror& mirror) {
    const auto found = static_places_.find(place_key({mirror.current.position.x, mirror.current.position.y}));
    if (found != static_places_.end()) static_gone_[found->second] = mirror.phase == net::MirrorPhase::dying;
}

void FrameBuilder::feed(const net::MirrorStore& mirrors, double step_ms) {
    ++generation_;
    for (const auto& [id, mirror] : mirrors.all()) {
        if (mirror.logic_id == kStaticLogic) {
            feed_static(mirror);
            continue;
        }
        if (mirror.phase == net::MirrorPhase::dying) continue;
        auto [found, fresh] = entries_.try_emplace(id);
        Entry& entry = found->second;
        if (fresh || entry.mirror.created_tick != mirror.created_tick) {
            entry.track = SampleTrack();
            entry.has_sample = false;
            std::vector<PartName> parts;
            for (const net::MirrorPart& p : mirror.parts)
                parts.push_back({p.tag, p.parent_piece, p.archive, p.entry});
            entry.unit = scene_.unit_by_parts(mirror.prototype_key, parts);
            if (scene_.is_placeholder(entry.unit)) content_errors_.emplace_back(id, mirror.prototype_key);
        }
        entry.generation = generation_;
        if (!entry.has_sample || mirror.current.tick != entry.last_tick) {
            if (!entry.has_sample && mirror.previous.tick < mirror.current.tick)
                entry.track.push(to_sample(mirror.previous, step_ms));
            entry.track.push(to_sample(mirror.current, step_ms));
            entry.has_sample = true;
            entry.last_tick = mirror.current.tick;
        }
        entry.mirror = mirror;
    }
    for (auto it = entries_.begin(); it != entries_.end();)
        it = it->second.generation == generation_ ? std::next(it) : entries_.erase(it);
}

glm::mat4 FrameBuilder::place(Entry& entry, const StateSample& sample, const FrameContext& context,
                              bool on_ground) {
    const glm::vec3 scale = to_glm(entry.mirror.scale);
    if (!on_ground) {
        // Buildings keep the tilt they were placed with; what flies streams its own.
        const Vec3 placed = entry.mirror.orientation;
        const glm::vec3 euler(sample.pitch != 0.0f ? sample.pitch : placed.x,
                              sample.roll != 0.0f ? sample.roll : placed.y, sample.yaw);
        return placement_matrix(sample.position, euler, scale);
    }
    const UnitModel& unit = scene_.units()[entry.unit];
    glm::vec3 wanted(0, 0, 1);
    if (entry.mirror.scheme_type != kHero) {
        const float radius = std::max(unit.bounds.size().x, unit.bounds.size().y) * 0.5f;
        wanted = scene_.ground().footprint_normal(glm::vec2(sample.position), radius);
    }
    // Tilt settles in about 0.2 s (simulation.md 13.4).
    const float t = entry.up_known ? 1.0f - std::exp(-context.frame_seconds / 0.08f) : 1.0f;
    entry.up = glm::normalize(glm::mix(entry.up, wanted, t));
    entry.up_known = true;
    glm::mat4 m = upright(entry.up, sample.yaw);
    for (int i = 0; i < 3; ++i) m[i] *= scale[i];
    m[3] = glm::vec4(sample.position.x, sample.position.y,
                     scene_.ground().height_or_nearest(glm::vec2(sample.position)), 1);
    return m;
}

void FrameBuilder::build(const FrameContext& context, const Selection& selection, DrawList& out) {
    out.clear();
    out.terrain = context.visible.terrain;
    shown_.clear();
    std::map<std::uint32_t, glm::vec3> centers;
    struct Shooter {
        glm::vec3 from;
        std::uint32_t target;
        std::uint32_t id;
    };
    std::vector<Shooter> shooters;
    for (auto& [id, entry] : entries_) {
        const auto sample = entry.track.at(context.show_ms);
        if (!sample) continue;
        const net::Mirror& mirror = entry.mirror;
        const bool building = is_building(mirror);
        const bool on_ground = !building && (mirror.scheme_type & kRobotBit) != 0;
        const bool inside = (mirror.current.flags & kFlagInside) != 0;
        UnitPose pose;
        pose.root = place(entry, *sample, context, on_ground);
        pose.turret_yaw = sample->turret_yaw;
        pose.turret_pitch = sample->turret_pitch;
        // Without power everything stands still; the id keeps equal buildings out of step.
        if ((mirror.current.flags & kFlagWithoutPower) == 0)
            pose.loop_seconds = static_cast<float>(std::fmod(context.show_ms / 1000.0 + id % 64 * 0.7, 3600.0));
        ShownObject shown;
        shown.id = id;
        shown.unit = entry.unit;
        shown.clan = mirror.clan;
        shown.owner = mirror.owner;
        shown.building = building;
        shown.own = mirror.owner != 0 && mirror.owner == context.own_player;
        shown.remembered = mirror.phase == net::MirrorPhase::remembered;
        shown.position = glm::vec3(pose.root[3]);
        shown.yaw = sample->yaw;
        shown.life = mirror.current.life;
        shown.life_max = mirror.life_max;
        shown.behaviour_state = mirror.current.behaviour_state;
        shown.flags = mirror.current.flags;
        shown_.push_back(shown);
        if (inside) continue;
        if (building ? !context.visible.buildings : !context.visible.units) continue;

        const UnitModel& unit = scene_.units()[entry.unit];
        const bool hovered = context.hovered == id;
        const bool selected = selection.contains(id);
        out.add_unit(unit, scene_.models(), pose, scene_.clan_color(mirror.clan), hovered ? 0.35f : 0.0f,
                     shown.remembered ? 0.45f : 1.0f);
        if (!shown.remembered) add_contact(out, unit, pose.root, building);
        const Box world = unit.bounds.transformed(pose.root);
        const glm::vec3 center = world.center();
        centers[id] = center;
        const float radius = std::max(world.size().x, world.size().y) * 0.5f;
        if (shown.remembered) continue;
        out.pickables.push_back({id, pose.root, unit.bounds, center, radius, shown.own, !building});
        if (selected || hovered) {
            GroundMark ring;
            ring.at = glm::vec2(shown.position);
            ring.radius = radius * 1.12f + 0.35f;
            ring.color = shown.own ? glm::vec4(0.45f, 1.0f, 0.55f, selected ? 0.95f : 0.45f)
                                   : glm::vec4(1.0f, 0.55f, 0.35f, selected ? 0.95f : 0.45f);
            out.marks.push_back(ring);
        }
        if (selected || hovered || shown.life < 0.999f)
            out.bars.push_back({glm::vec3(shown.position.x, shown.position.y, world.max.z + 0.8f), shown.life,
                                std::clamp(radius * 1.6f, 2.4f, 12.0f), selected, building});
        if ((mirror.current.flags & kFlagFiring) != 0 && mirror.current.target != 0xFFFFFFFFu)
            shooters.push_back({glm::vec3(center.x, center.y, world.max.z - world.size().z * 0.2f),
                                mirror.current.target, id});
    }
    for (const Shooter& shooter : shooters) {
        const auto target = centers.find(shooter.target);
        if (target == centers.end()) continue;
        // One tracer every 220 ms, its start shifted by the id so that a line does not fire as one.
        const double phase = std::fmod(context.local_ms + shooter.id * 37.0, 220.0) / 220.0;
        const float head = static_cast<float>(std::min(1.0, phase * 1.6));
        const float tail = std::max(0.0f, head - 0.22f);
        if (tail >= 1.0f || phase > 0.75) continue;
        out.streaks.push_back({glm::mix(shooter.from, target->second, tail),
                               glm::mix(shooter.from, target->second, head), 0.22f,
                               glm::vec4(1.0f, 0.82f, 0.45f, 1.0f)});
    }
    add_statics(context, out);
    add_signs(context, out);
}

void FrameBuilder::add_statics(const FrameContext& context, DrawList& out) {
    if (!context.visible.statics) return;
    for (std::size_t i = 0; i < scene_.placed().size(); ++i) {
        const PlacedObject& placed = scene_.placed()[i];
        if (!placed.is_static || static_gone_[i]) continue;
        UnitPose pose;
        pose.root = placed.world;
        out.add_unit(scene_.units()[placed.unit], scene_.models(), pose, kNeutralColor);
    }
}

void FrameBuilder::build_offline(const FrameContext& context, DrawList& out) {
    out.clear();
    out.terrain = context.visible.terrain;
    shown_.clear();
    for (const PlacedObject& placed : scene_.placed()) {
        if (placed.is_static) continue;
        if (placed.is_building ? !context.visible.buildings : !context.visible.units) continue;
        const UnitModel& unit = scene_.units()[placed.unit];
        UnitPose pose;
        pose.root = placed.world;
        pose.loop_seconds = static_cast<float>(context.show_ms / 1000.0 + placed.file_index * 0.7);
        if (!placed.is_building) {
            // Stand on the ground like the running game would show it.
            const glm::vec2 at(placed.world[3]);
            const float yaw = std::atan2(placed.world[0].y, placed.world[0].x);
            pose.root = upright(scene_.ground().footprint_normal(at, unit.bounds.radius() * 0.5f), yaw);
            pose.root[3] = glm::vec4(at, scene_.ground().height_or_nearest(at), 1);
        }
        out.add_unit(unit, scene_.models(), pose, scene_.clan_color(placed.clan));
        add_contact(out, unit, pose.root, placed.is_building);
        const Box world = unit.bounds.transformed(pose.root);
        const float radius = std::max(world.size().x, world.size().y) * 0.5f;
        out.pickables.push_back({placed.file_index, pose.root, unit.bounds, world.center(), radius, false, false});
        ShownObject shown;
        shown.id = placed.file_index;
        shown.unit = placed.unit;
        shown.clan = placed.clan;
        shown.building = placed.is_building;
        shown.position = glm::vec3(pose.root[3]);
        shown_.push_back(shown);
    }
    add_statics(context, out);
    add_signs(context, out);
}

void FrameBuilder::add_signs(const FrameContext& context, DrawList& out) {
    markers_.erase(std::remove_if(markers_.begin(), markers_.end(),
                                  [&](const OrderMarker& m) { return context.local_ms - m.born_ms > kOrderMarkerMs; }),
                   markers_.end());
    for (const OrderMarker& marker : markers_) {
        const auto age = static_cast<float>((context.local_ms - marker.born_ms) / kOrderMarkerMs);
        GroundMark sign;
        sign.at = marker.at;
        sign.radius = 3.2f * (1.0f - 0.6f * age);
        sign.color = marker.kind == OrderMarker::Kind::attack ? glm::vec4(1.0f, 0.35f, 0.25f, 1.0f - age)
                                                              : glm::vec4(0.55f, 1.0f, 0.6f, 1.0f - age);
        out.marks.push_back(sign);
        sign.kind = GroundMark::Kind::disc;
        sign.radius *= 0.3f;
        out.marks.push_back(sign);
    }
}

const ShownObject* FrameBuilder::find(std::uint32_t id) const {
    const auto at = std::lower_bound(shown_.begin(), shown_.end(), id,
                                     [](const ShownObject& o, std::uint32_t v) { return o.id < v; });
    return at != shown_.end() && at->id == id ? &*at : nullptr;
}

std::vector<std::pair<std::uint32_t, std::string>> FrameBuilder::take_content_errors() {
    return std::exchange(content_errors_, {});
}

}  // namespace iron::client::view
