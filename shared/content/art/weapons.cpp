// Turrets, weapons and shots.
#include "shared/content/art/art.hpp"
#include "shared/content/art/parts.hpp"

namespace iron::content {
namespace {

using asset::CtlItemType;

/// Key of the shot a weapon fires (README: weapons); laser has none.
std::string shot_key(const std::string& kind) { return kind == "las" ? "" : "bl_" + kind; }

/// A control resource with one weapon item that fires from control point 0.
asset::ControlResource weapon_control(const std::string& kind) {
    asset::ControlResource out = asset::make_control_resource();
    asset::CtlBinding muzzle;
    muzzle.piece = 1;
    muzzle.primary_point = 0;
    out.bindings.push_back(muzzle);
    const int i = add_item(out, CtlItemType::projectile_weapon, 1, kind);
    asset::CtlItem& item = out.items[static_cast<std::size_t>(i)];
    item.bindings.push_back(0);
    if (!shot_key(kind).empty()) item.resource = asset::make_ref64("objects.rlb", shot_key(kind));
    add_slot(out);  // ammunition
    return out;
}

}  // namespace

Model robot_turret(UnitSize size) {
    Model m;
    const int root = m.add("attach");
    const int t = m.add("turret", root);
    const float k = size == UnitSize::small ? 0.62f : size == UnitSize::medium ? 1.0f : 1.25f;
    m[t].life = size == UnitSize::small ? 80.0f : size == UnitSize::medium ? 120.0f : 200.0f;
    // Ring, faceted body, sloped cheek plates in team colour.
    m.on(t, kSteel, 1.0f).cylinder({0, 0, 0.02f}, {0, 0, 0.16f * k}, 0.78f * k, 0.78f * k, 18, 0.02f);
    m.on(t, kHull, 2.2f).prism(cut_rect({-0.82f * k, -1.0f * k, 0.82f * k, 0.86f * k}, 0.36f * k), 0.12f * k, 0.46f * k, 0.05f * k);
    m.on(t, kHull, 2.2f).prism(cut_rect({-0.82f * k, -1.0f * k, 0.82f * k, 0.86f * k}, 0.36f * k), 0.42f * k, 0.86f * k, 0.06f * k, 0.72f,
                               {0, -0.12f * k});
    for (const float s : {-1.0f, 1.0f})
        m.on(t, kTeam, 1.8f).frustum({s * 0.72f * k - 0.14f * k, -0.75f * k, s * 0.72f * k + 0.14f * k, 0.5f * k},
                                     {s * 0.56f * k - 0.1f * k, -0.7f * k, s * 0.56f * k + 0.1f * k, 0.32f * k}, 0.2f * k, 0.9f * k, 0.05f * k);
    // Mantlet and sight.
    m.on(t, kHull2, 1.4f).frustum({-0.36f * k, 0.62f * k, 0.36f * k, 0.96f * k}, {-0.3f * k, 0.5f * k, 0.3f * k, 0.74f * k}, 0.2f * k, 0.74f * k, 0.05f * k);
    m.on_fitted(t, kGlass).quad({0.18f * k, 0.97f * k, 0.42f * k}, {-0.18f * k, 0.97f * k, 0.42f * k}, {-0.16f * k, 0.84f * k, 0.62f * k},
                                {0.16f * k, 0.84f * k, 0.62f * k});
    hatch(m, t, {-0.26f * k, -0.3f * k, 0.84f * k}, 0.26f * k);
    m.on(t, kHull2, 1.2f).box({0.1f * k, -0.5f * k, 0.82f * k}, {0.44f * k, -0.16f * k, 1.08f * k}, 0.04f * k);
    m.on_fitted(t, kLamp).quad({0.4f * k, -0.155f * k, 0.9f * k}, {0.14f * k, -0.155f * k, 0.9f * k}, {0.14f * k, -0.155f * k, 1.03f * k},
                               {0.4f * k, -0.155f * k, 1.03f * k});
    m.on(t, kTeamLight, 1.0f).box({-0.3f * k, -1.02f * k, 0.5f * k}, {0.3f * k, -0.98f * k, 0.6f * k}, 0);
    antenna(m, t, {0.42f * k, -0.72f * k, 0.82f * k}, 1.1f * k);
    if (size == UnitSize::small) {
        m.add("gun_mount", t, {0, 0.72f * k, 0.46f * k});
    } else {
        m.add("gun_mount_l", t, {-1.0f * k, 0.1f * k, 0.48f * k});
        m.add("gun_mount_r", t, {1.0f * k, 0.1f * k, 0.48f * k});
        for (const float s : {-1.0f, 1.0f})
            m.on(t, kSteel, 1.0f).cylinder({s * 0.6f * k, 0.1f * k, 0.48f * k}, {s * 0.92f * k, 0.1f * k, 0.48f * k}, 0.2f * k, 0.2f * k, 12, 0.02f);
    }
    m.control = asset::make_control_resource();
    add_item(*m.control, CtlItemType::turret_drive, 1, "turret");
    m.points.push_back({"TurretCenter", 1, 1, {0, 0, 0}, {0, 0, 1}});
    m.points.push_back({"TurretDirect", 1, 1, {0, 0.9f * k, 0.5f * k}, {0, 1, 0}});
    m.points.push_back({"TargetDirect", 1, 1, {0, 0.9f * k, 0.5f * k}, {0, 1, 0}});
    return m;
}

Model weapon_model(const std::string& kind, UnitSize size) {
    Model m;
    const int root = m.add("attach");
    const int g = m.add("gun", root);
    const float k = size == UnitSize::small ? 0.7f : size == UnitSize::medium ? 1.0f : 1.3f;
    m[g].life = size == UnitSize::small ? 20.0f : size == UnitSize::medium ? 30.0f : 40.0f;
    Vec3 muzzle{0, 1.9f * k, 0};
    if (kind == "can") {
        m.on(g, kHull, 1.4f).box({-0.17f * k, -0.5f * k, -0.19f * k}, {0.17f * k, 0.55f * k, 0.19f * k}, 0.05f * k);
        m.on(g, kTeam, 1.4f).box({-0.19f * k, -0.3f * k, -0.1f * k}, {0.19f * k, 0.2f * k, 0.21f * k}, 0.03f * k);
        m.on(g, kSteel, 0.8f).cylinder({0, 0.5f * k, 0}, {0, 0.95f * k, 0}, 0.13f * k, 0.1f * k, 10, 0.02f * k);
        m.on(g, kSteel, 0.8f).cylinder({0, 0.9f * k, 0}, {0, 1.66f * k, 0}, 0.075f * k, 0.07f * k, 10);
        m.on(g, kHull2, 0.6f).barrel({0, 1.6f * k, 0}, {0, 1.9f * k, 0}, 0.11f * k, 0.06f * k, 10);
        m.on(g, kHull2, 1.0f).frustum({-0.3f * k, -0.35f * k, -0.15f * k, 0.1f * k}, {-0.3f * k, -0.3f * k, -0.15f * k, 0.05f * k}, -0.16f * k, 0.12f * k, 0.03f * k);
    } else if (kind == "las") {
        muzzle.y = 1.75f * k;
        m.on(g, kHull, 1.4f).frustum({-0.2f * k, -0.55f * k, 0.2f * k, 0.75f * k}, {-0.14f * k, -0.5f * k, 0.14f * k, 0.6f * k}, -0.18f * k, 0.22f * k, 0.05f * k);
        m.on(g, kTeam, 1.2f).box({-0.21f * k, -0.45f * k, -0.06f * k}, {0.21f * k, -0.05f * k, 0.1f * k}, 0.02f * k);
        for (int i = 0; i < 4; ++i) {
            const float y = (0.8f + 0.2f * static_cast<float>(i)) * k;
            m.on(g, kSteel, 0.6f).cylinder({0, y, 0}, {0, y + 0.09f * k, 0}, 0.15f * k, 0.15f * k, 10, 0.02f * k);
        }
        m.on(g, "GLOW_R", 0.6f).cylinder({0, 0.7f * k, 0}, {0, 1.55f * k, 0}, 0.06f * k, 0.06f * k, 8);
        m.on(g, kSteel, 0.6f).barrel({0, 1.5f * k, 0}, {0, 1.75f * k, 0}, 0.12f * k, 0.08f * k, 10);
    } else if (kind == "mis") {
        muzzle.y = 0.9f * k;
        m.on(g, kHull, 1.6f).box({-0.36f * k, -0.75f * k, -0.2f * k}, {0.36f * k, 0.8f * k, 0.42f * k}, 0.06f * k);
        m.on(g, kTeam, 1.4f).box({-0.38f * k, -0.5f * k, 0.08f * k}, {0.38f * k, 0.3f * k, 0.46f * k}, 0.04f * k);
        for (const float x : {-0.17f, 0.17f})
            for (const float z : {-0.03f, 0.27f}) {
                m.on(g, kHull2, 0.8f).barrel({x * k, 0.7f * k, z * k}, {x * k, 0.9f * k, z * k}, 0.14f * k, 0.11f * k, 10);
                m.on(g, kHazard, 0.3f).cylinder({x * k, 0.5f * k, z * k}, {x * k, 0.84f * k, z * k}, 0.09f * k, 0.02f * k, 8);
            }
    } else if (kind == "pla") {
        muzzle.y = 1.5f * k;
        m.on(g, kHull, 1.4f).box({-0.22f * k, -0.6f * k, -0.2f * k}, {0.22f * k, 0.35f * k, 0.24f * k}, 0.06f * k);
        m.on(g, "GLOW_G", 0.8f).sphere({0, 0.5f * k, 0.03f * k}, {0.2f * k, 0.24f * k, 0.2f * k}, 10, 6, -kHalfPi, kHalfPi);
        for (const float x : {-0.2f, 0.2f})
            m.on(g, kSteel, 0.8f).cylinder({x * k, 0.2f * k, 0.03f * k}, {x * k, 0.85f * k, 0.03f * k}, 0.05f * k, 0.05f * k, 6);
        m.on(g, kTeam, 1.2f).cylinder({0, 0.75f * k, 0.03f * k}, {0, 0.95f * k, 0.03f * k}, 0.24f * k, 0.2f * k, 10, 0.03f * k);
        m.on(g, kHull2, 0.8f).barrel({0, 0.9f * k, 0.03f * k}, {0, 1.5f * k, 0.03f * k}, 0.17f * k, 0.12f * k, 10);
    } else {  // em
        muzzle.y = 1.35f * k;
        m.on(g, kHull, 1.4f).box({-0.2f * k, -0.55f * k, -0.18f * k}, {0.2f * k, 0.4f * k, 0.2f * k}, 0.05f * k);
        for (int i = 0; i < 3; ++i)
            m.on(g, i == 1 ? kTeam : kSteel, 0.8f).cylinder({0, (0.45f + 0.26f * static_cast<float>(i)) * k, 0},
                                                            {0, (0.6f + 0.26f * static_cast<float>(i)) * k, 0}, 0.2f * k, 0.2f * k, 12, 0.04f * k);
        m.on(g, "GLOW_B", 0.6f).cylinder({0, 0.35f * k, 0}, {0, 1.2f * k, 0}, 0.07f * k, 0.07f * k, 8);
        for (const float s : {-1.0f, 1.0f})
            m.on(g, kSteel, 0.8f).box({s * 0.16f * k - 0.03f * k, 0.9f * k, -0.05f * k}, {s * 0.16f * k + 0.03f * k, 1.35f * k, 0.05f * k}, 0.01f * k);
    }
    m.points.push_back({"Muzzle", 1, 1, muzzle, {0, 1, 0}});
    m.control = weapon_control(kind);
    return m;
}

Model hero_weapon(const std::string& kind) {
    Model m;
    const int root = m.add("attach");
    const int g = m.add("gun", root);
    m[g].life = 0;
    Vec3 muzzle{0, 0.5f, 0};
    if (kind == "can") {
        m.on(g, kHull2, 0.5f).box({-0.05f, -0.2f, -0.07f}, {0.05f, 0.25f, 0.07f}, 0.015f);
        m.on(g, kSteel, 0.4f).barrel({0, 0.22f, 0}, {0, 0.5f, 0}, 0.03f, 0.018f, 8);
    } else if (kind == "las") {
        muzzle = {0, 0.38f, -0.09f};
        m.on(g, kSteel, 0.4f).cylinder({0, 0.05f, -0.09f}, {0, 0.38f, -0.09f}, 0.025f, 0.015f, 6);
        m.on(g, "GLOW_R", 0.4f).sphere({0, 0.39f, -0.09f}, {0.02f, 0.02f, 0.02f}, 6, 4, -kHalfPi, kHalfPi);
    } else if (kind == "mis") {
        muzzle = {0, 0.3f, 0.1f};
        m.on(g, kHull, 0.6f).box({-0.11f, -0.22f, 0}, {0.11f, 0.25f, 0.2f}, 0.03f);
        for (const float x : {-0.05f, 0.05f})
            for (const float z : {0.055f, 0.145f}) m.on(g, kHull2, 0.4f).barrel({x, 0.22f, z}, {x, 0.3f, z}, 0.042f, 0.034f, 8);
    } else {
        muzzle = {0.1f, 0.36f, 0.02f};
        m.on(g, kHull2, 0.5f).cylinder({0.1f, -0.1f, 0.02f}, {0.1f, 0.3f, 0.02f}, 0.045f, 0.035f, 8, 0.01f);
        m.on(g, "GLOW_B", 0.4f).cylinder({0.1f, 0.28f, 0.02f}, {0.1f, 0.36f, 0.02f}, 0.02f, 0.02f, 6);
    }
    m.points.push_back({"Muzzle", 1, 1, muzzle, {0, 1, 0}});
    m.control = weapon_control(kind);
    return m;
}

Model shot_model(const std::string& kind) {
    Model m;
    const int root = m.add("root");
    if (kind == "can") {
        m.on(root, "GLOW_Y", 0.4f).cylinder({0, -0.5f, 0}, {0, 0.35f, 0}, 0.03f, 0.05f, 6, 0.01f);
    } else if (kind == "mis") {
        m.on(root, kHull, 0.6f).cylinder({0, -0.5f, 0}, {0, 0.3f, 0}, 0.09f, 0.09f, 10);
        m.on(root, kHazard, 0.4f).cylinder({0, 0.3f, 0}, {0, 0.55f, 0}, 0.09f, 0.01f, 10);
        for (int i = 0; i < 4; ++i) {
            m[root].mesh.push(turn(0, kHalfPi * static_cast<float>(i), 0));
            m.on(root, kTeam, 0.6f).box({0.07f, -0.5f, -0.01f}, {0.24f, -0.28f, 0.01f}, 0);
            m[root].mesh.pop();
        }
        m.on(root, "GLOW_Y", 0.4f).sphere({0, -0.52f, 0}, {0.07f, 0.16f, 0.07f}, 8, 4, -kHalfPi, kHalfPi);
    } else {
        m.on(root, kind == "pla" ? "GLOW_G" : "GLOW_B", 0.6f).sphere({0, 0, 0}, {0.2f, 0.3f, 0.2f}, 10, 6, -kHalfPi, kHalfPi);
    }
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    m.control = asset::make_control_resource();
    // Guidance makes a shot a missile (simulation.md 15.1 rule 3).
    if (kind == "mis" || kind == "em") add_item(*m.control, CtlItemType::guidance, 0, "seeker");
    return m;
}

}  // namespace iron::content
