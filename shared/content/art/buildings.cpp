// Buildings, tower turrets, alien relics, bridge, ruin. The entrance faces +Y.
#include "shared/content/art/art.hpp"
#include "shared/content/art/parts.hpp"

namespace iron::content {
namespace {

using asset::CtlItemType;

constexpr const char* kConcrete = "CONCRETE";
constexpr const char* kPanel = "PANEL";
constexpr const char* kRoof = "ROOF";
constexpr const char* kWindow = "WINDOW";
constexpr const char* kDoor = "DOOR";
constexpr const char* kAlien = "ALIEN";
constexpr const char* kGlow = "GLOW_B";

/// Finishes a building: life on the root, entrance, contour, an empty control resource.
Model& finish(Model& m, float life, Vec2 half, float entrance_y, float height) {
    float others = 0;
    for (const ModelNode& n : m.nodes) others += n.life;
    m[0].life = life - others;
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    m.points.push_back({"Sign_Entrance1", 0, 0, {0, entrance_y, 0}, {0, 1, 0}});
    m.points.push_back({"CameraCenter", 0, 0, {0, 0, height + 2}, {0, 1, 0}});
    m.points.push_back({"Sfx_1", 0, 0, {0, 0, height}, {0, 0, 1}});
    m.points.push_back({"Width", 0, 0, {half.x, 0, 0}, {1, 0, 0}});
    m.points.push_back({"Height", 0, 0, {0, 0, height}, {0, 0, 1}});
    m.contour = cut_rect({-half.x, -half.y, half.x, half.y}, (half.x < half.y ? half.x : half.y) * 0.25f);
    m.control = asset::make_control_resource();
    return m;
}

/// Foundation that reaches below the ground, so that slopes show no gap.
void plinth(Model& m, Vec2 half, float height) {
    const float cut = (half.x < half.y ? half.x : half.y) * 0.25f;
    m.on(0, kConcrete, 6.0f).prism(cut_rect({-half.x, -half.y, half.x, half.y}, cut), -2.5f, height, 0.12f);
}

void door(Model& m, float x, float y, float width, float height) {
    m.on(0, kHazard, 1.6f).box({x - width * 0.5f - 0.35f, y - 0.5f, 0}, {x + width * 0.5f + 0.35f, y + 0.12f, height + 0.4f}, 0.1f);
    m.on_fitted(0, kDoor).quad({x + width * 0.5f, y + 0.15f, 0.02f}, {x - width * 0.5f, y + 0.15f, 0.02f},
                               {x - width * 0.5f, y + 0.15f, height}, {x + width * 0.5f, y + 0.15f, height});
    m.on(0, kLamp, 1.0f).box({x - 0.25f, y + 0.1f, height + 0.45f}, {x + 0.25f, y + 0.3f, height + 0.65f}, 0.04f);
}

/// A row of windows on the walls facing +y, -y, +x, -x (bits 1, 2, 4, 8).
void windows(Model& m, Vec2 half, float z, float size, int count, int walls) {
    for (int i = 0; i < count; ++i) {
        const float f = (static_cast<float>(i) + 0.5f) / static_cast<float>(count) * 2 - 1;
        const float x = f * half.x * 0.8f, y = f * half.y * 0.8f, h = size * 0.5f;
        const float ox = half.x + 0.03f, oy = half.y + 0.03f;
        MeshKit& k = m.on_fitted(0, kWindow);
        if (walls & 1) k.quad({x + size, oy, z - h}, {x - size, oy, z - h}, {x - size, oy, z + h}, {x + size, oy, z + h});
        if (walls & 2) k.quad({x - size, -oy, z - h}, {x + size, -oy, z - h}, {x + size, -oy, z + h}, {x - size, -oy, z + h});
        if (walls & 4) k.quad({ox, y - size, z - h}, {ox, y + size, z - h}, {ox, y + size, z + h}, {ox, y - size, z + h});
        if (walls & 8) k.quad({-ox, y + size, z - h}, {-ox, y - size, z - h}, {-ox, y - size, z + h}, {-ox, y + size, z + h});
    }
}

void roof_unit(Model& m, Vec3 at, Vec3 size) {
    m.on(0, kPanel, 2.5f).box({at.x - size.x, at.y - size.y, at.z}, {at.x + size.x, at.y + size.y, at.z + size.z}, 0.08f);
    m.on_fitted(0, kVent).quad({at.x - size.x * 0.8f, at.y - size.y * 0.8f, at.z + size.z + 0.01f}, {at.x + size.x * 0.8f, at.y - size.y * 0.8f, at.z + size.z + 0.01f},
                               {at.x + size.x * 0.8f, at.y + size.y * 0.8f, at.z + size.z + 0.01f}, {at.x - size.x * 0.8f, at.y + size.y * 0.8f, at.z + size.z + 0.01f});
}

void pipe(Model& m, Vec3 a, Vec3 b, float r) { m.on(0, kSteel, 2.0f).cylinder(a, b, r, r, 10); }

void tank(Model& m, Vec3 foot, float radius, float height) {
    m.on(0, kPanel, 3.0f).cylinder(foot, {foot.x, foot.y, foot.z + height}, radius, radius, 16, 0.1f);
    m.on(0, kTeam, 3.0f).cylinder({foot.x, foot.y, foot.z + height * 0.62f}, {foot.x, foot.y, foot.z + height * 0.8f}, radius * 1.03f, radius * 1.03f, 16, 0.02f, false);
    m.on(0, kRoof, 3.0f).sphere({foot.x, foot.y, foot.z + height * 0.98f}, {radius * 0.97f, radius * 0.97f, radius * 0.4f}, 16, 4, 0, kHalfPi);
    ladder(m, 0, {foot.x, foot.y + radius + 0.1f, foot.z}, height, 0.5f);
}

void flag_strip(Model& m, Vec2 half, float z, float height) {
    // A band in team colour around the walls.
    const float cut = (half.x < half.y ? half.x : half.y) * 0.2f;
    m.on(0, kTeam, 3.0f).prism(cut_rect({-half.x, -half.y, half.x, half.y}, cut), z, z + height, 0.06f);
}

Model bunker(UnitSize size) {
    Model m;
    m.add("root");
    const float k = size == UnitSize::small ? 0.75f : size == UnitSize::medium ? 1.0f : 1.35f;
    const Vec2 half{7.2f * k, 6.6f * k};
    plinth(m, half, 0.35f);
    const auto walls = cut_rect({-6.4f * k, -5.8f * k, 6.4f * k, 5.8f * k}, 1.9f * k);
    m.on(0, kConcrete, 5.0f).prism(walls, 0.2f, 2.9f * k, 0.2f, 0.9f);
    flag_strip(m, {5.85f * k, 5.3f * k}, 2.75f * k, 0.55f * k);
    m.on(0, kPanel, 4.0f).prism(cut_rect({-5.2f * k, -4.6f * k, 5.2f * k, 4.6f * k}, 1.6f * k), 3.2f * k, 4.7f * k, 0.2f, 0.82f);
    m.on(0, kRoof, 4.0f).prism(cut_rect({-3.6f * k, -3.0f * k, 3.6f * k, 3.0f * k}, 1.2f * k), 4.6f * k, 5.0f * k, 0.15f);
    // Firing slits, command cupola, mast.
    for (const float s : {-1.0f, 1.0f}) {
        m.on(0, kGlass, 1.0f).box({s * 3.3f * k - 1.0f, 5.2f * k, 1.7f * k}, {s * 3.3f * k + 1.0f, 5.66f * k, 2.15f * k}, 0.03f);
        m.on(0, kConcrete, 3.0f).frustum({s * 5.6f * k - 1.0f * k, -2.6f * k, s * 5.6f * k + 1.0f * k, 2.6f * k},
                                         {s * 4.9f * k - 0.5f * k, -2.2f * k, s * 4.9f * k + 0.5f * k, 2.2f * k}, 0.3f, 3.3f * k, 0.15f);
        lamp(m, 0, {s * 2.2f * k, 5.5f * k, 2.55f * k}, 0.3f);
    }
    m.on(0, kGlass, 1.5f).cylinder({0, -0.3f * k, 4.9f * k}, {0, -0.3f * k, 5.7f * k}, 1.7f * k, 1.5f * k, 12, 0.05f);
    m.on(0, kTeam, 3.0f).cylinder({0, -0.3f * k, 5.65f * k}, {0, -0.3f * k, 6.15f * k}, 1.9f * k, 1.4f * k, 12, 0.12f);
    roof_unit(m, {-2.6f * k, -2.4f * k, 4.9f * k}, {0.8f, 0.6f, 0.7f});
    door(m, 0, 5.55f * k, 2.6f * k, 2.2f * k);
    if (size != UnitSize::small) {
        pipe(m, {2.6f * k, -2.2f * k, 4.8f * k}, {2.6f * k, -2.2f * k, 8.0f * k}, 0.12f);
        const int radar = m.add("radar", 0, {2.6f * k, -2.2f * k, 8.0f * k});
        m[radar].life = 50;
        dish(m, radar, {0, 0.2f, 0.6f * k}, 1.0f * k);
        for (int i = 0; i <= 4; ++i) {
            const float a = -kTwoPi * static_cast<float>(i) / 4.0f * 0.5f;  // half angle
            m[radar].track.push_back({static_cast<float>(i * 30), {{2.6f * k, -2.2f * k, 8.0f * k}, {det_cos(a), 0, 0, det_sin(a)}}});
        }
    }
    antenna(m, 0, {-3.4f * k, 2.0f * k, 4.6f * k}, 4.0f);
    return finish(m, size == UnitSize::small ? 3000 : size == UnitSize::medium ? 5000 : 8000, half, 7.4f * k, 6.2f * k);
}

Model generator() {
    Model m;
    m.add("root");
    const Vec2 half{6.0f, 6.0f};
    // Alien relic: dark stone star with four tusks around a glowing core.
    m.on(0, kAlien, 4.0f).prism(circle(6.2f, 8), -2.5f, 0.6f, 0.2f, 0.94f);
    m.on(0, kAlien, 4.0f).prism(circle(4.6f, 8), 0.5f, 1.4f, 0.2f, 0.86f);
    for (int i = 0; i < 4; ++i) {
        MeshKit& k = m.on(0, kAlien, 3.0f);
        k.push(turn(0, 0, kHalfPi * static_cast<float>(i) + kHalfPi * 0.5f));
        k.cylinder({4.4f, 0, 0.3f}, {4.9f, 0, 3.2f}, 1.0f, 0.8f, 7, 0.1f);
        k.cylinder({4.9f, 0, 3.1f}, {3.9f, 0, 6.4f}, 0.8f, 0.5f, 7, 0.05f);
        k.cylinder({3.9f, 0, 6.3f}, {2.0f, 0, 8.4f}, 0.5f, 0.08f, 7, 0.03f);
        m.on(0, kGlow, 2.0f).box({4.1f, -0.18f, 0.9f}, {4.35f, 0.18f, 2.6f}, 0.05f);
        m.on(0, kTeam, 2.0f).cylinder({4.95f, 0, 3.0f}, {4.8f, 0, 3.5f}, 1.0f, 0.92f, 7, 0.05f);
        k.pop();
    }
    const int core = m.add("core", 0, {0, 0, 4.2f});
    m[core].life = 200;
    m.on(core, kGlow, 2.0f).sphere({0, 0, 0}, {1.5f, 1.5f, 2.4f}, 8, 4, -kHalfPi, kHalfPi);
    m.on(core, kSteel, 2.0f).cylinder({0, 0, -0.16f}, {0, 0, 0.16f}, 2.1f, 2.1f, 16, 0.1f, true);
    for (int i = 0; i <= 4; ++i) {
        const float a = kTwoPi * static_cast<float>(i) / 4.0f * 0.5f;
        const float lift = i == 2 ? 0.35f : 0;
        m[core].track.push_back({static_cast<float>(i * 40), {{0, 0, 4.2f + lift}, {det_cos(a), 0, 0, det_sin(a)}}});
    }
    return finish(m, 2500, half, 6.4f, 8.5f);
}

Model mine() {
    Model m;
    m.add("root");
    const Vec2 half{5.5f, 6.0f};
    plinth(m, half, 0.4f);
    // Derrick over a shaft, crusher house, conveyor, hopper.
    for (const float sx : {-1.0f, 1.0f})
        for (const float sy : {-1.0f, 1.0f}) {
            m.on(0, kSteel, 2.0f).cylinder({sx * 2.6f - 1.6f, sy * 2.6f - 1.6f, 0.3f}, {sx * 0.9f - 1.6f, sy * 0.9f - 1.6f, 9.0f}, 0.22f, 0.16f, 6);
        }
    for (int i = 0; i < 3; ++i) {
        const float z = 2.2f + 2.3f * static_cast<float>(i), r = 2.6f - 1.7f * (z - 0.3f) / 8.7f;
        m.on(0, kHazard, 1.2f).box({-1.6f - r, -1.6f - r - 0.1f, z}, {-1.6f + r, -1.6f - r + 0.1f, z + 0.25f}, 0);
        m.on(0, kHazard, 1.2f).box({-1.6f - r, -1.6f + r - 0.1f, z}, {-1.6f + r, -1.6f + r + 0.1f, z + 0.25f}, 0);
        m.on(0, kSteel, 1.2f).box({-1.6f - r - 0.1f, -1.6f - r, z}, {-1.6f - r + 0.1f, -1.6f + r, z + 0.25f}, 0);
        m.on(0, kSteel, 1.2f).box({-1.6f + r - 0.1f, -1.6f - r, z}, {-1.6f + r + 0.1f, -1.6f + r, z + 0.25f}, 0);
    }
    m.on(0, kTeam, 2.0f).prism(circle(1.5f, 8), 8.8f, 9.7f, 0.12f, 0.9f);
    const auto shifted = [](std::vector<Vec2> p, Vec2 by) {
        for (Vec2& v : p) v = v + by;
        return p;
    };
    m.nodes[0].mesh.push(move(-1.6f, -1.6f, 0));
    m.on(0, kConcrete, 3.0f).prism(circle(2.0f, 12), 0.3f, 1.2f, 0.12f, 0.95f);
    m.nodes[0].mesh.pop();
    const int drill = m.add("drill", 0, {-1.6f, -1.6f, 1.2f});
    m[drill].life = 150;
    m.on(drill, kSteel, 1.5f).cylinder({0, 0, -1.0f}, {0, 0, 7.0f}, 0.45f, 0.35f, 8, 0.05f);
    for (int i = 0; i < 5; ++i)
        m.on(drill, kHull2, 1.5f).cylinder({0, 0, 0.4f + 1.3f * static_cast<float>(i)}, {0, 0, 0.75f + 1.3f * static_cast<float>(i)}, 0.62f, 0.62f, 8, 0.05f);
    for (int i = 0; i <= 4; ++i) {
        const float a = kTwoPi * static_cast<float>(i) / 4.0f * 0.5f;
        m[drill].track.push_back({static_cast<float>(i * 12), {{-1.6f, -1.6f, i == 2 ? 1.9f : 1.2f}, {det_cos(a), 0, 0, det_sin(a)}}});
    }
    m.on(0, kPanel, 3.5f).frustum({1.2f, -5.0f, 5.0f, 1.2f}, {1.5f, -4.8f, 4.7f, 0.9f}, 0.3f, 4.2f, 0.15f);
    m.on(0, kRoof, 3.0f).profile_x({{-5.2f, 4.1f}, {1.4f, 4.1f}, {0.4f, 5.2f}, {-4.2f, 5.2f}}, 1.1f, 5.1f, 0.1f);
    m.on(0, kTeam, 3.0f).box({1.1f, -5.1f, 2.9f}, {5.1f, 1.3f, 3.5f}, 0.08f);
    m.on(0, kHull2, 2.0f).cylinder({-1.0f, -1.2f, 6.4f}, {3.0f, -1.6f, 4.6f}, 0.55f, 0.55f, 6, 0.05f);
    m.on(0, "ORE", 3.0f).prism(shifted(circle(1.9f, 9), {-3.0f, 3.4f}), 0.2f, 1.6f, 0.1f, 0.35f, {-3.0f, 3.4f});
    door(m, 3.1f, 0.95f, 2.4f, 2.2f);
    windows(m, {5.0f, 5.0f}, 2.2f, 0.55f, 4, 2);
    antenna(m, 0, {4.4f, -4.4f, 5.1f}, 2.5f);
    return finish(m, 2500, half, 6.3f, 9.7f);
}

Model storage() {
    Model m;
    m.add("root");
    const Vec2 half{7.0f, 6.0f};
    plinth(m, half, 0.35f);
    for (const float x : {-3.9f, 0.0f, 3.9f}) tank(m, {x, -2.4f, 0.3f}, 1.8f, 5.4f);
    m.on(0, kPanel, 3.5f).frustum({-6.0f, 0.2f, 6.0f, 4.6f}, {-5.7f, 0.4f, 5.7f, 4.4f}, 0.3f, 3.6f, 0.15f);
    m.on(0, kRoof, 4.0f).profile_x({{0.0f, 3.5f}, {4.8f, 3.5f}, {4.2f, 4.2f}, {0.6f, 4.2f}}, -6.2f, 6.2f, 0.1f);
    m.on(0, kTeam, 3.0f).box({-6.1f, 0.1f, 2.4f}, {6.1f, 4.7f, 2.9f}, 0.06f);
    pipe(m, {-5.4f, -2.4f, 4.6f}, {5.4f, -2.4f, 4.6f}, 0.22f);
    pipe(m, {0, -2.4f, 4.6f}, {0, 1.2f, 3.9f}, 0.22f);
    door(m, 0, 4.42f, 3.2f, 2.5f);
    windows(m, {5.95f, 4.6f}, 1.6f, 0.5f, 2, 12);
    return finish(m, 2500, half, 6.2f, 6.6f);
}

Model plant() {
    Model m;
    m.add("root");
    const Vec2 half{9.0f, 8.0f};
    plinth(m, half, 0.3f);
    // Assembly hall with saw-tooth roof, gate, two stacks, gantry.
    m.on(0, kPanel, 4.0f).frustum({-8.0f, -7.0f, 8.0f, 4.6f}, {-7.8f, -6.8f, 7.8f, 4.4f}, 0.2f, 5.2f, 0.2f);
    for (int i = 0; i < 4; ++i) {
        const float y = -6.9f + 2.85f * static_cast<float>(i);
        m.on(0, kRoof, 3.0f).profile_x({{y, 5.1f}, {y + 2.8f, 5.1f}, {y + 2.7f, 6.9f}, {y + 2.5f, 6.95f}, {y, 5.5f}}, -7.9f, 7.9f, 0.06f);
        for (int w = 0; w < 5; ++w) {
            const float x = -6.2f + 3.1f * static_cast<float>(w);
            m.on_fitted(0, kWindow).quad({x + 1.2f, y + 2.82f, 5.4f}, {x - 1.2f, y + 2.82f, 5.4f}, {x - 1.2f, y + 2.74f, 6.7f}, {x + 1.2f, y + 2.74f, 6.7f});
        }
    }
    flag_strip(m, {8.15f, 7.15f}, 3.9f, 0.6f);
    m.on(0, kConcrete, 3.0f).box({-4.6f, 4.2f, 0.2f}, {-3.4f, 7.2f, 5.6f}, 0.15f);
    m.on(0, kConcrete, 3.0f).box({3.4f, 4.2f, 0.2f}, {4.6f, 7.2f, 5.6f}, 0.15f);
    m.on(0, kHazard, 1.6f).box({-4.7f, 6.4f, 5.4f}, {4.7f, 7.3f, 6.2f}, 0.1f);
    m.on(0, kPanel, 3.0f).box({-3.6f, 4.2f, 4.4f}, {3.6f, 6.6f, 5.6f}, 0.1f);
    m.on_fitted(0, kDoor).quad({3.4f, 4.65f, 0.2f}, {-3.4f, 4.65f, 0.2f}, {-3.4f, 4.65f, 4.4f}, {3.4f, 4.65f, 4.4f});
    for (const float x : {-6.2f, -4.0f}) {
        m.on(0, kConcrete, 3.0f).cylinder({x, -5.2f, 5.0f}, {x, -5.2f, 12.0f}, 0.9f, 0.7f, 14, 0.1f);
        m.on(0, kTeam, 2.0f).cylinder({x, -5.2f, 10.4f}, {x, -5.2f, 11.2f}, 0.8f, 0.78f, 14, 0.03f, false);
        m.on(0, kHull2, 2.0f).barrel({x, -5.2f, 11.6f}, {x, -5.2f, 12.3f}, 0.78f, 0.6f, 14);
    }
    roof_unit(m, {5.0f, -5.4f, 6.4f}, {1.3f, 1.0f, 1.0f});
    roof_unit(m, {5.0f, -2.4f, 6.4f}, {1.3f, 0.9f, 0.8f});
    windows(m, {8.0f, 7.0f}, 2.2f, 0.8f, 4, 14);
    tank(m, {7.0f, 6.2f, 0.3f}, 1.1f, 2.6f);
    for (const float s : {-1.0f, 1.0f}) lamp(m, 0, {s * 4.0f, 7.25f, 4.6f}, 0.35f);
    antenna(m, 0, {6.8f, 3.6f, 5.2f}, 4.0f);
    return finish(m, 2500, half, 8.6f, 12.0f);
}

Model hangar() {
    Model m;
    m.add("root");
    const Vec2 half{7.5f, 8.0f};
    plinth(m, half, 0.25f);
    // Half barrel with ribs.
    std::vector<Vec2> outer;
    for (int i = 0; i <= 10; ++i) {
        const float a = kPi * static_cast<float>(i) / 10.0f;
        outer.push_back({6.4f * det_cos(a), 5.4f * det_sin(a)});
    }
    MeshKit& k = m.on(0, kPanel, 4.0f);
    const auto arch = [&](float y, float grow) {
        std::vector<Vec3> r;
        for (const Vec2& p : outer) r.push_back({p.x * grow, y, p.y * grow + 0.2f});
        return r;
    };
    k.loft({arch(4.8f, 1.0f), arch(-7.0f, 1.0f)}, true, true);
    for (int i = 0; i < 5; ++i) {
        const float y = 4.6f - 2.8f * static_cast<float>(i);
        m.on(0, i % 2 ? kHull2 : kTeam, 3.0f);
        k.loft({arch(y + 0.3f, 1.0f), arch(y + 0.2f, 1.05f), arch(y - 0.2f, 1.05f), arch(y - 0.3f, 1.0f)}, false, false);
    }
    m.on(0, kHazard, 1.6f).box({-4.4f, 4.4f, 0.2f}, {4.4f, 5.0f, 4.2f}, 0.1f);
    m.on_fitted(0, kDoor).quad({3.9f, 5.04f, 0.2f}, {-3.9f, 5.04f, 0.2f}, {-3.9f, 5.04f, 3.9f}, {3.9f, 5.04f, 3.9f});
    roof_unit(m, {0, -1.4f, 5.5f}, {1.0f, 1.0f, 0.8f});
    roof_unit(m, {0, -4.4f, 5.5f}, {1.0f, 1.0f, 0.8f});
    tank(m, {-6.6f, 6.2f, 0.2f}, 0.8f, 2.2f);
    for (const float s : {-1.0f, 1.0f}) lamp(m, 0, {s * 4.1f, 5.05f, 4.0f}, 0.3f);
    return finish(m, 2500, half, 8.2f, 6.2f);
}

Model institute() {
    Model m;
    m.add("root");
    const Vec2 half{7.5f, 7.0f};
    plinth(m, half, 0.35f);
    m.on(0, kPanel, 4.0f).prism(circle(6.2f, 10), 0.3f, 3.4f, 0.2f, 0.96f);
    m.on(0, kTeam, 3.0f).prism(circle(6.3f, 10), 3.2f, 3.8f, 0.08f, 0.98f);
    m.on(0, kRoof, 4.0f).prism(circle(5.9f, 10), 3.7f, 4.3f, 0.12f, 0.85f);
    m.on(0, kGlass, 2.0f).sphere({0, 0, 4.2f}, {3.9f, 3.9f, 3.6f}, 16, 6, 0, kHalfPi);
    for (int i = 0; i < 8; ++i) {
        MeshKit& k = m.on(0, kSteel, 2.0f);
        k.push(turn(0, 0, kTwoPi * static_cast<float>(i) / 8.0f));
        k.cylinder({4.0f, 0, 4.2f}, {3.4f, 0, 6.3f}, 0.14f, 0.12f, 6);
        k.cylinder({3.4f, 0, 6.3f}, {1.9f, 0, 7.7f}, 0.12f, 0.1f, 6);
        m.on_fitted(0, kWindow).quad({6.04f, -0.9f, 1.4f}, {6.04f, 0.9f, 1.4f}, {5.95f, 0.9f, 2.6f}, {5.95f, -0.9f, 2.6f});
        k.pop();
    }
    m.on(0, kSteel, 2.0f).cylinder({0, 0, 7.6f}, {0, 0, 8.2f}, 0.6f, 0.5f, 10, 0.05f);
    const int ring = m.add("ring", 0, {0, 0, 9.2f});
    m[ring].life = 100;
    m.on(ring, kGlow, 1.5f).sphere({0, 0, 0}, {0.6f, 0.6f, 0.6f}, 8, 6, -kHalfPi, kHalfPi);
    m.on(ring, kSteel, 1.5f).cylinder({-1.5f, 0, 0}, {1.5f, 0, 0}, 0.1f, 0.1f, 6);
    for (const float s : {-1.0f, 1.0f}) m.on(ring, kTeam, 1.5f).box({s * 1.4f - 0.25f, -0.5f, -0.5f}, {s * 1.4f + 0.25f, 0.5f, 0.5f}, 0.1f);
    for (int i = 0; i <= 4; ++i) {
        const float a = kTwoPi * static_cast<float>(i) / 4.0f * 0.5f;
        m[ring].track.push_back({static_cast<float>(i * 25), {{0, 0, 9.2f}, {det_cos(a), 0, 0, det_sin(a)}}});
    }
    door(m, 0, 6.1f, 2.4f, 2.3f);
    m.on(0, kPanel, 3.0f).box({-1.8f, 4.8f, 0.3f}, {1.8f, 6.2f, 3.2f}, 0.1f);
    antenna(m, 0, {4.4f, -3.6f, 3.8f}, 3.5f);
    return finish(m, 2500, half, 7.3f, 9.5f);
}

Model teleport() {
    Model m;
    m.add("root");
    const Vec2 half{7.0f, 5.0f};
    m.on(0, kAlien, 4.0f).prism(circle(7.0f, 12), -2.5f, 0.5f, 0.2f, 0.95f);
    m.on(0, kAlien, 4.0f).prism(circle(5.2f, 12), 0.4f, 1.0f, 0.15f, 0.92f);
    // An upright ring of twelve stones around a film of light.
    for (int i = 0; i < 12; ++i) {
        MeshKit& k = m.on(0, kAlien, 3.0f);
        k.push(move(0, 0, 5.4f));
        k.push(turn(0, kTwoPi * static_cast<float>(i) / 12.0f, 0));
        k.frustum({-1.15f, -0.7f, 1.15f, 0.7f}, {-1.4f, -0.85f, 1.4f, 0.85f}, 3.9f, 5.1f, 0.15f);
        m.on(0, kGlow, 2.0f).box({-0.3f, -0.76f, 4.2f}, {0.3f, 0.76f, 4.7f}, 0.05f);
        k.pop();
        k.pop();
    }
    const int film = m.add("film", 0, {0, 0, 5.4f});
    m[film].life = 100;
    std::vector<Vec3> disc;
    for (const Vec2& p : circle(4.0f, 16)) disc.push_back({p.x, 0.05f, -p.y});
    m.on(film, "PORTAL", 4.0f).polygon(disc);
    std::vector<Vec3> back(disc.rbegin(), disc.rend());
    for (Vec3& p : back) p.y = -0.05f;
    m.on(film, "PORTAL", 4.0f).polygon(back);
    return finish(m, 2500, half, 6.0f, 10.5f);
}

Model tower(UnitSize size) {
    Model m;
    m.add("root");
    const float k = size == UnitSize::medium ? 1.0f : 1.3f;
    const Vec2 half{2.9f * k, 2.9f * k};
    plinth(m, half, 0.4f);
    m.on(0, kConcrete, 3.0f).prism(cut_rect({-2.1f * k, -2.1f * k, 2.1f * k, 2.1f * k}, 0.7f * k), 0.3f, 6.0f * k, 0.15f, 0.72f);
    for (int i = 0; i < 4; ++i) {
        MeshKit& kit = m.on(0, kPanel, 2.0f);
        kit.push(turn(0, 0, kHalfPi * static_cast<float>(i)));
        kit.frustum({1.5f * k, -0.5f * k, 2.7f * k, 0.5f * k}, {1.3f * k, -0.35f * k, 1.7f * k, 0.35f * k}, 0.3f, 4.6f * k, 0.1f);
        kit.pop();
    }
    m.on(0, kTeam, 2.5f).prism(cut_rect({-1.85f * k, -1.85f * k, 1.85f * k, 1.85f * k}, 0.6f * k), 4.6f * k, 5.1f * k, 0.06f);
    m.on(0, kPanel, 2.5f).prism(cut_rect({-2.0f * k, -2.0f * k, 2.0f * k, 2.0f * k}, 0.6f * k), 5.8f * k, 6.5f * k, 0.12f);
    m.on(0, kHazard, 1.4f).prism(cut_rect({-2.05f * k, -2.05f * k, 2.05f * k, 2.05f * k}, 0.6f * k), 6.4f * k, 6.65f * k, 0.05f);
    ladder(m, 0, {0, 2.15f * k, 0.3f}, 5.6f * k, 0.6f);
    m.add("turret_mount", 0, {0, 0, 6.6f * k});
    antenna(m, 0, {1.5f * k, -1.5f * k, 6.5f * k}, 2.4f);
    return finish(m, (size == UnitSize::medium ? 1200.0f : 2000.0f) - (size == UnitSize::medium ? 200.0f : 300.0f), half, 3.2f * k, 8.5f * k);
}

Model bridge() {
    Model m;
    m.add("root");
    m.on(0, kConcrete, 4.0f).box({-4.0f, -14.0f, -0.6f}, {4.0f, 14.0f, 0.3f}, 0.12f);
    for (const float s : {-1.0f, 1.0f}) {
        m.on(0, kHazard, 1.6f).box({s * 3.7f - 0.2f, -14.0f, 0.25f}, {s * 3.7f + 0.2f, 14.0f, 0.75f}, 0.06f);
        for (int i = 0; i < 8; ++i)
            m.on(0, kSteel, 1.5f).cylinder({s * 3.7f, -12.6f + 3.6f * static_cast<float>(i), 0.7f}, {s * 3.7f, -12.6f + 3.6f * static_cast<float>(i), 1.8f}, 0.1f, 0.1f, 6);
        pipe(m, {s * 3.7f, -14.0f, 1.75f}, {s * 3.7f, 14.0f, 1.75f}, 0.09f);
        for (const float y : {-9.0f, 0.0f, 9.0f}) m.on(0, kConcrete, 3.0f).box({s * 2.6f - 0.7f, y - 0.9f, -8.0f}, {s * 2.6f + 0.7f, y + 0.9f, -0.4f}, 0.1f);
    }
    return finish(m, 2500, {4.0f, 14.0f}, 14.5f, 2.0f);
}

Model ruin() {
    Model m;
    m.add("root");
    const Vec2 half{6.0f, 5.0f};
    plinth(m, half, 0.25f);
    // Broken walls of different heights and fallen slabs.
    const float heights[4] = {4.2f, 2.6f, 3.4f, 1.4f};
    for (int i = 0; i < 4; ++i) {
        const float x = -4.6f + 3.0f * static_cast<float>(i);
        m.on(0, kConcrete, 3.0f).frustum({x, -4.2f, x + 2.6f, -3.5f}, {x + 0.4f, -4.1f, x + 1.9f, -3.6f}, 0.2f, heights[i], 0.08f);
        m.on(0, kConcrete, 3.0f).frustum({-5.0f, -4.0f + 2.0f * static_cast<float>(i), -4.3f, -2.2f + 2.0f * static_cast<float>(i)},
                                         {-4.95f, -3.6f + 2.0f * static_cast<float>(i), -4.4f, -2.8f + 2.0f * static_cast<float>(i)}, 0.2f, heights[(i + 2) % 4], 0.08f);
        MeshKit& k = m.on(0, i % 2 ? "RUST" : kConcrete, 3.0f);
        k.push(move(-1.5f + 1.6f * static_cast<float>(i), 1.0f - 0.9f * static_cast<float>(i % 3), 0.6f));
        k.push(turn(0.35f, -0.25f + 0.2f * static_cast<float>(i), 0.8f * static_cast<float>(i)));
        k.box({-1.3f, -0.8f, -0.15f}, {1.3f, 0.8f, 0.15f}, 0.04f);
        k.pop();
        k.pop();
    }
    for (int i = 0; i < 5; ++i)
        m.on(0, "RUST", 1.5f).cylinder({-3.0f + 1.4f * static_cast<float>(i), -3.8f, heights[i % 4] * 0.8f},
                                       {-2.7f + 1.4f * static_cast<float>(i), -3.6f + 0.3f * static_cast<float>(i % 2), heights[i % 4] + 0.9f}, 0.06f, 0.05f, 5);
    return finish(m, 2500, half, 5.4f, 4.2f);
}

}  // namespace

Model tower_turret(UnitSize size) {
    Model m;
    const int root = m.add("attach");
    const int t = m.add("turret", root);
    const float k = size == UnitSize::medium ? 1.0f : 1.35f;
    m[t].life = size == UnitSize::medium ? 200.0f : 300.0f;
    m.on(t, kSteel, 1.0f).cylinder({0, 0, 0}, {0, 0, 0.35f * k}, 1.2f * k, 1.15f * k, 18, 0.05f);
    m.on(t, kHull, 2.2f).prism(cut_rect({-1.15f * k, -1.4f * k, 1.15f * k, 1.0f * k}, 0.45f * k), 0.3f * k, 1.3f * k, 0.1f * k, 0.82f);
    m.on(t, kTeam, 2.0f).prism(cut_rect({-0.8f * k, -1.05f * k, 0.8f * k, 0.6f * k}, 0.3f * k), 1.25f * k, 1.6f * k, 0.08f * k, 0.86f);
    hatch(m, t, {0, -0.3f * k, 1.58f * k}, 0.34f * k);
    const int guns = size == UnitSize::medium ? 2 : 3;
    for (int i = 0; i < guns; ++i) {
        const float x = (static_cast<float>(i) - 0.5f * static_cast<float>(guns - 1)) * 0.75f * k, z = 0.85f * k;
        m.on(t, kHull2, 1.0f).cylinder({x, 0.7f * k, z}, {x, 1.5f * k, z}, 0.24f * k, 0.2f * k, 10, 0.04f * k);
        m.on(t, "GLOW_R", 0.6f).cylinder({x, 1.4f * k, z}, {x, 2.5f * k, z}, 0.08f * k, 0.08f * k, 8);
        for (int r = 0; r < 4; ++r)
            m.on(t, kSteel, 0.8f).cylinder({x, (1.55f + 0.25f * static_cast<float>(r)) * k, z}, {x, (1.65f + 0.25f * static_cast<float>(r)) * k, z}, 0.17f * k, 0.17f * k, 10, 0.02f);
        m.on(t, kSteel, 0.8f).barrel({x, 2.45f * k, z}, {x, 2.85f * k, z}, 0.14f * k, 0.1f * k, 10);
    }
    dish(m, t, {0.7f * k, -0.9f * k, 1.9f * k}, 0.45f * k);
    m.on(t, kSteel, 1.0f).cylinder({0.7f * k, -0.9f * k, 1.4f * k}, {0.7f * k, -0.9f * k, 1.85f * k}, 0.07f * k, 0.07f * k, 6);
    m.control = asset::make_control_resource();
    add_item(*m.control, CtlItemType::turret_drive, 1, "turret");
    m.points.push_back({"TurretCenter", 1, 1, {0, 0, 0}, {0, 0, 1}});
    m.points.push_back({"TurretDirect", 1, 1, {0, 2.8f * k, 0.85f * k}, {0, 1, 0}});
    return m;
}

std::vector<BuildingArt> make_buildings() {
    std::vector<BuildingArt> out;
    out.push_back({"b_bunk_s", bunker(UnitSize::small)});
    out.push_back({"b_bunk_m", bunker(UnitSize::medium)});
    out.push_back({"b_bunk_l", bunker(UnitSize::large)});
    out.push_back({"b_gen", generator()});
    out.push_back({"b_mine", mine()});
    out.push_back({"b_stor", storage()});
    out.push_back({"b_plant", plant()});
    out.push_back({"b_hang", hangar()});
    out.push_back({"b_tele", teleport()});
    out.push_back({"b_inst", institute()});
    out.push_back({"b_tow_m", tower(UnitSize::medium)});
    out.push_back({"b_tow_l", tower(UnitSize::large)});
    out.push_back({"b_bridge", bridge()});
    out.push_back({"b_ruin", ruin()});
    return out;
}

}  // namespace iron::content
