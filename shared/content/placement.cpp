#include "shared/content/placement.hpp"

#include <algorithm>
#include <bit>

#include "shared/base/text.hpp"
#include "shared/content/kit/noise.hpp"

namespace iron::content {
namespace {

// Value = word 3, range = words 1 and 2 (DD-SIM-04).
asset::TmaProperty integer(const char* name, std::uint32_t low, std::uint32_t high, std::uint32_t value) {
    return {1, {low, high, value}, name};
}
asset::TmaProperty real(const char* name, float low, float high, float value) {
    return {0, {std::bit_cast<std::uint32_t>(low), std::bit_cast<std::uint32_t>(high), std::bit_cast<std::uint32_t>(value)}, name};
}

}  // namespace

int Placement::clan(const std::string& name_utf8, asset::ClanMode mode, Vec2 anchor, const std::string& script_base) {
    asset::TmaClan clan;
    clan.name = utf8_to_cp1251(name_utf8);
    clan.raw_id = static_cast<std::int32_t>(tma_.clans.size());
    clan.anchor_x = anchor.x;
    clan.anchor_y = anchor.y;
    clan.mode = static_cast<std::uint32_t>(mode);
    clan.script_base = script_base;
    clan.research_path = "MISSIONS\\SCRIPTS\\data.trf";
    tma_.clans.push_back(clan);
    return static_cast<int>(tma_.clans.size()) - 1;
}

void Placement::relate() {
    for (asset::TmaClan& a : tma_.clans) {
        a.relations.clear();
        for (const asset::TmaClan& b : tma_.clans) a.relations.push_back({b.name, &a == &b ? 1 : 0});
    }
}

asset::TmaObject& Placement::unit(const std::string& stem, int owner, Vec2 at, float yaw) {
    asset::TmaObject o;
    o.resource = units_.path(stem);
    const std::uint32_t type = units_.type(o.resource);
    o.kind = static_cast<std::uint32_t>((type & 0x80000000u) != 0 ? asset::ObjectKind::building : asset::ObjectKind::war_robot);
    o.owner = owner;
    o.position = {at.x, at.y, land_.height(at.x, at.y)};
    o.orientation = {0, 0, yaw};
    o.name = stem;
    o.properties.push_back(integer("Invulnerability", 0, 1, 0));
    o.properties.push_back(integer("Life state", 0, 100, 100));
    o.properties.push_back(integer("LogicalID", 0, 65535, next_logical_++));
    if (owner >= 0) o.properties.push_back(integer("ClanID", 0, 63, static_cast<std::uint32_t>(owner)));
    o.properties.push_back(integer("Type", type, type, type));
    o.properties.push_back(integer("MaxSpeedPercent", 0, 100, 100));
    tma_.objects.push_back(std::move(o));
    return tma_.objects.back();
}

void Placement::ore(float maximum, float current) {
    tma_.objects.back().properties.push_back(real("MaximumOre", 0, 10000, maximum));
    tma_.objects.back().properties.push_back(real("CurrentOre", 0, maximum, current));
}

void Placement::charge_radius(float wu) {
    tma_.objects.back().properties.push_back(real("ChargeRadius", 0, 100, wu));
}

void Placement::decor(const std::string& key, bool stone, Vec2 at, float yaw, float scale) {
    asset::TmaObject o;
    o.kind = static_cast<std::uint32_t>(stone ? asset::ObjectKind::stone : asset::ObjectKind::tree);
    o.resource = key;
    o.position = {at.x, at.y, land_.height(at.x, at.y)};
    o.orientation = {0, 0, yaw};
    o.scale = {scale, scale, scale};
    o.properties.push_back(integer("Invulnerability", 0, 1, stone ? 1 : 0));
    o.properties.push_back(integer("Life state", 0, 100, 100));
    tma_.objects.push_back(std::move(o));
}

void Placement::scatter(std::uint64_t seed, int count, float border, const std::vector<Vec2>& keep, float keep_wu) {
    Rng rng(seed, 81);
    std::vector<Vec2> taken;
    const float extent = land_.size().extent();
    static const char* const kTrees[] = {"s_tree_01", "s_tree_02", "s_tree_03", "s_tree_04", "s_tree_01", "s_tree_03", "s_tree_05", "s_bush_01"};
    static const char* const kStones[] = {"s_rock_01", "s_rock_02", "s_rock_03"};
    for (int attempt = 0; attempt < count * 200 && static_cast<int>(taken.size()) < count; ++attempt) {
        const Vec2 p{border + rng.unit() * (extent - 2 * border), border + rng.unit() * (extent - 2 * border)};
        const float kind = rng.unit(), pick = rng.unit(), yaw = rng.unit() * kTwoPi, scale = 0.8f + 0.45f * rng.unit();
        const bool stone = kind < 0.22f;
        // Groves: trees gather where the noise is high.
        if (!stone && fbm(seed + 5, p.x / 80.0f, p.y / 80.0f, 3) < 0.53f) continue;
        if (land_.wet(p.x, p.y) || land_.height(p.x, p.y) < land_.plan().water + 0.8f) continue;
        if (land_.normal(p.x, p.y).z < (stone ? 0.72f : 0.86f)) continue;
        if (land_.road_distance(p.x, p.y) < 5.0f) continue;
        const auto near = [&](const std::vector<Vec2>& list, float wu) {
            return std::any_of(list.begin(), list.end(), [&](Vec2 q) { return length(q - p) < wu; });
        };
        if (near(keep, keep_wu) || near(taken, 6.5f)) continue;
        bool on_pad = false;
        for (const Pad& pad : land_.plan().pads) on_pad = on_pad || length(p - pad.centre) < pad.radius + 6.0f;
        if (on_pad) continue;
        taken.push_back(p);
        if (stone) decor(kStones[static_cast<std::size_t>(floor_i32(pick * 2.999f))], true, p, yaw, scale);
        else decor(kTrees[static_cast<std::size_t>(floor_i32(pick * 7.999f))], false, p, yaw, scale);
    }
}

void Placement::deposit(Vec2 at, float ore) {
    asset::TmaExtra extra;
    extra.position = {at.x, at.y, land_.height(at.x, at.y)};
    extra.word0 = static_cast<std::int32_t>(tma_.extras.size());
    extra.value = ore;
    tma_.extras.push_back(extra);
}

void Placement::path(int id, const std::vector<Vec2>& points) {
    asset::TmaPath path;
    path.id = id;
    for (const Vec2 p : points) path.points.push_back({p.x, p.y, land_.height(p.x, p.y)});
    tma_.paths.push_back(std::move(path));
}

}  // namespace iron::content
