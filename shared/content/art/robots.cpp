// Chassis, turrets, weapons and shots of robots. Local +Y is forward, Z up, wu.
#include "shared/content/art/art.hpp"
#include "shared/content/art/parts.hpp"

namespace iron::content {
namespace {

using asset::CtlItemType;
constexpr std::uint32_t kLeft = 0x01000000u, kRight = 0x02000000u;

/// Points every chassis has; `mount` is the node a turret goes to (0: none).
void chassis_points(Model& m, int mount, Vec3 mount_at, Vec3 camera, float half_width, float height) {
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    m.points.push_back({"TurretCenter", 0, mount, mount_at, {0, 0, 1}});
    m.points.push_back({"TurretDirect", 0, mount, mount_at, {0, 1, 0}});
    m.points.push_back({"CameraCenter", 0, 0, camera, {0, 1, 0}});
    m.points.push_back({"Width", 0, 0, {half_width, 0, 0}, {1, 0, 0}});
    m.points.push_back({"Height", 0, 0, {0, 0, height}, {0, 0, 1}});
    m.points.push_back({"Dir", 0, 0, {0, 1, 0}, {0, 1, 0}});
}

/// Ten slots for armour and parts, after the chassis' own items (README: scheme slots).
void scheme_slots(Model& m) {
    for (int i = 0; i < 10; ++i) add_slot(*m.control);
}

void bolts(Model& m, int node, float x, float y0, float y1, float z, int count) {
    for (int i = 0; i < count; ++i) {
        const float y = y0 + (y1 - y0) * (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
        for (const float s : {-1.0f, 1.0f})
            m.on(node, kSteel, 1.0f).cylinder({s * x, y, z}, {s * (x + 0.035f), y, z}, 0.045f, 0.04f, 6);
    }
}

/// A tracked hull shared by battle robot, builder and headquarters.
struct Hull {
    float width, length, deck, belly;  // overall width and length, deck and belly heights
    float track_width, track_height;
    int wheels;
};

int tracked_hull(Model& m, const Hull& h, float life) {
    const int root = m.add("root");
    m[root].life = life * 0.6f;
    m[root].mobility = 0.2f;
    const float l = h.length * 0.5f, inner = h.width * 0.5f - h.track_width;
    for (const float s : {-1.0f, 1.0f}) {
        const int track = m.add(s < 0 ? "track_l" : "track_r", root, {s * (h.width * 0.5f - h.track_width * 0.5f), 0, 0});
        m[track].life = life * 0.2f;
        m[track].mobility = 1;
        track_unit(m, track, s, h.track_width, h.length, h.track_height, h.wheels);
    }
    // Body between the tracks, its upper part reaching over them.
    m.on(root, kHull, 2.4f).profile_x({{-l * 0.9f, h.belly}, {l * 0.72f, h.belly}, {l * 0.98f, h.belly + (h.deck - h.belly) * 0.45f},
                                       {l * 0.7f, h.deck * 0.94f}, {l * 0.45f, h.deck}, {-l * 0.82f, h.deck},
                                       {-l * 0.95f, h.deck * 0.8f}},
                                      -inner, inner, 0.06f);
    const float over = h.track_height * 1.14f;
    m.on(root, kHull, 2.4f).frustum({-h.width * 0.44f, -l * 0.86f, h.width * 0.44f, l * 0.5f},
                                    {-h.width * 0.36f, -l * 0.8f, h.width * 0.36f, l * 0.36f}, over, h.deck, 0.07f);
    // Glacis plate in team colour with a dark visor.
    m.on(root, kTeam, 2.0f).frustum({-inner * 0.9f, l * 0.52f, inner * 0.9f, l * 0.86f},
                                    {-inner * 0.75f, l * 0.42f, inner * 0.75f, l * 0.5f}, over * 0.9f, h.deck * 1.05f, 0.06f);
    m.on(root, kGlass, 1.0f).frustum({-inner * 0.5f, l * 0.60f, inner * 0.5f, l * 0.74f},
                                     {-inner * 0.44f, l * 0.52f, inner * 0.44f, l * 0.6f}, h.deck * 0.82f, h.deck * 1.0f, 0.02f);
    // Engine deck: grilles, exhausts, tool boxes.
    m.on_fitted(root, kVent).quad({-inner * 0.8f, -l * 0.74f, h.deck + 0.012f}, {inner * 0.8f, -l * 0.74f, h.deck + 0.012f},
                                  {inner * 0.8f, -l * 0.4f, h.deck + 0.012f}, {-inner * 0.8f, -l * 0.4f, h.deck + 0.012f});
    for (const float s : {-1.0f, 1.0f}) {
        exhaust(m, root, {s * inner * 0.75f, -l * 0.8f, h.deck * 0.86f}, {s * inner * 0.75f, -l * 1.0f, h.deck * 1.02f}, 0.11f);
        m.on(root, kHull2, 1.4f).box({s * h.width * 0.33f - 0.16f, -l * 0.3f, h.deck - 0.02f},
                                     {s * h.width * 0.33f + 0.16f, l * 0.18f, h.deck + 0.2f}, 0.035f);
        lamp(m, root, {s * inner * 0.78f, l * 0.93f, h.belly + (h.deck - h.belly) * 0.52f}, 0.14f);
    }
    bolts(m, root, h.width * 0.44f, -l * 0.7f, l * 0.3f, over + 0.16f, 6);
    return root;
}

}  // namespace

Model tracked_chassis() {
    Model m;
    const Hull h{3.0f, 4.0f, 1.42f, 0.42f, 0.72f, 0.98f, 5};
    const int root = tracked_hull(m, h, 380);
    const int mount = m.add("turret_mount", root, {0, -0.05f, h.deck});
    m.on(mount, kSteel, 1.0f).cylinder({0, 0, -0.02f}, {0, 0, 0.1f}, 0.86f, 0.82f, 20, 0.03f);
    antenna(m, root, {-0.95f, -1.45f, h.deck}, 1.9f);
    m.control = chassis_control(10, 5, 1.2f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    add_item(*m.control, CtlItemType::mobility_support, 1, "track_l", kLeft);
    add_item(*m.control, CtlItemType::mobility_support, 2, "track_r", kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, -0.05f, h.deck}, {0, 1.2f, 2.2f}, 1.5f, 2.6f);
    m.points.push_back({"Sfx_1", 0, 0, {0.5f, -2.0f, 1.45f}, {0, -1, 0}});
    fit_radius(m, 2.5f);
    return m;
}

Model wheeled_chassis() {
    Model m;
    const int root = m.add("root");
    m[root].life = 140;
    m[root].mobility = 0.2f;
    // Six wheels on a narrow keel, body like a boat.
    const float wx = 0.86f, r = 0.46f;
    int index = 0;
    for (const float y : {0.92f, 0.0f, -0.92f}) {
        for (const float s : {-1.0f, 1.0f}) {
            const char* names[] = {"wheel_fl", "wheel_fr", "wheel_ml", "wheel_mr", "wheel_rl", "wheel_rr"};
            const int node = m.add(names[index++], root, {s * wx, y, r});
            m[node].life = 10;
            m[node].mobility = 1;
            wheel(m, node, {0, 0, 0}, s, r, 0.44f);
            m.on(root, kSteel, 1.0f).cylinder({s * 0.3f, y, r}, {s * (wx - 0.1f), y, r}, 0.08f, 0.08f, 6);
            m.on(root, kTeam, 1.6f).profile_x({{y - 0.44f, r * 1.62f}, {y - 0.3f, r * 2.06f}, {y + 0.3f, r * 2.06f}, {y + 0.44f, r * 1.62f},
                                               {y + 0.4f, r * 1.6f}, {y + 0.27f, r * 1.98f}, {y - 0.27f, r * 1.98f}, {y - 0.4f, r * 1.6f}},
                                              s * wx - 0.24f, s * wx + 0.24f, 0);
        }
    }
    m.on(root, kHull, 2.0f).profile_x({{-1.1f, 0.36f}, {0.85f, 0.36f}, {1.36f, 0.66f}, {1.3f, 0.78f}, {0.7f, 1.12f}, {-0.95f, 1.16f},
                                       {-1.32f, 0.98f}, {-1.36f, 0.6f}},
                                      -0.6f, 0.6f, 0.06f);
    m.on(root, kHull, 2.0f).frustum({-0.84f, -1.1f, 0.84f, 0.5f}, {-0.6f, -0.95f, 0.6f, 0.3f}, 0.9f, 1.22f, 0.05f);
    m.on(root, kTeam, 1.6f).frustum({-0.5f, 0.5f, 0.5f, 1.1f}, {-0.42f, 0.35f, 0.42f, 0.72f}, 0.84f, 1.18f, 0.04f);
    m.on(root, kGlass, 1.0f).frustum({-0.36f, 0.78f, 0.36f, 1.02f}, {-0.3f, 0.6f, 0.3f, 0.78f}, 0.92f, 1.13f, 0.02f);
    m.on_fitted(root, kVent).quad({-0.5f, -0.92f, 1.232f}, {0.5f, -0.92f, 1.232f}, {0.5f, -0.5f, 1.232f}, {-0.5f, -0.5f, 1.232f});
    for (const float s : {-1.0f, 1.0f}) {
        lamp(m, root, {s * 0.42f, 1.31f, 0.72f}, 0.1f);
        exhaust(m, root, {s * 0.4f, -1.2f, 0.9f}, {s * 0.42f, -1.42f, 1.05f}, 0.08f);
    }
    const int mount = m.add("turret_mount", root, {0, -0.2f, 1.2f});
    m.on(mount, kSteel, 1.0f).cylinder({0, 0, -0.02f}, {0, 0, 0.08f}, 0.52f, 0.5f, 16, 0.02f);
    antenna(m, root, {0.5f, -1.0f, 1.2f}, 1.4f);
    m.control = chassis_control(10, 5, 1.2f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    for (int i = 0; i < 6; ++i)
        add_item(*m.control, CtlItemType::wheel, i + 1, m[i + 1].name, i % 2 == 0 ? kLeft : kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, -0.2f, 1.2f}, {0, 0.7f, 1.7f}, 1.1f, 2.0f);
    m.points.push_back({"Sfx_1", 0, 0, {0.4f, -1.4f, 1.0f}, {0, -1, 0}});
    fit_radius(m, 1.8f);
    return m;
}

Model walker_chassis() {
    Model m;
    const int root = m.add("root");
    m[root].life = 320;
    m[root].mobility = 0.2f;
    // Four legs: hip, thigh rising outward, shin falling to a wide foot.
    int index = 0;
    for (const float fy : {1.0f, -1.0f}) {
        for (const float s : {-1.0f, 1.0f}) {
            const char* names[] = {"leg_fl", "leg_fr", "leg_rl", "leg_rr"};
            const Vec3 hip{s * 0.85f, fy * 1.15f, 1.5f};
            const int leg = m.add(names[index++], root, hip);
            m[leg].life = 70;
            m[leg].mobility = 1;
            const Vec3 knee{s * 0.78f, fy * 0.85f, 0.75f}, foot{s * 1.1f, fy * 1.25f, -1.5f};
            m.on(leg, kSteel, 1.0f).cylinder({-s * 0.28f, 0, 0}, {s * 0.3f, 0, 0}, 0.36f, 0.34f, 12, 0.05f);
            m.on(leg, kHull2, 1.4f).cylinder({0, 0, 0}, knee, 0.26f, 0.22f, 8, 0.03f);
            m.on(leg, kTeam, 1.8f).cylinder(Vec3{s * 0.08f, fy * 0.1f, 0.18f}, knee + Vec3{-s * 0.02f, 0, 0.08f}, 0.31f, 0.24f, 6, 0.05f);
            m.on(leg, kSteel, 1.0f).cylinder({knee.x - s * 0.26f, knee.y, knee.z}, {knee.x + s * 0.26f, knee.y, knee.z}, 0.27f, 0.27f, 12, 0.04f);
            m.on(leg, kHull, 1.6f).cylinder(knee, {foot.x, foot.y, foot.z + 0.42f}, 0.27f, 0.19f, 8, 0.03f);
            m.on(leg, kTeam, 1.8f).cylinder(knee + (foot - knee) * 0.12f + Vec3{s * 0.07f, fy * 0.07f, 0},
                                            knee + (foot - knee) * 0.6f + Vec3{s * 0.06f, fy * 0.06f, 0}, 0.27f, 0.2f, 6, 0.05f);
            m.on(leg, kSteel, 1.0f).cylinder({foot.x, foot.y, foot.z + 0.52f}, {foot.x, foot.y, foot.z + 0.2f}, 0.2f, 0.26f, 10, 0.02f);
            m.on(leg, kHull2, 1.2f).cylinder({foot.x, foot.y, foot.z}, {foot.x, foot.y, foot.z + 0.24f}, 0.34f, 0.26f, 8, 0.04f);
            // Hydraulic piston beside the shin.
            m.on(leg, kSteel, 0.6f).cylinder(knee + Vec3{-s * 0.2f, -fy * 0.16f, -0.2f}, foot + Vec3{-s * 0.16f, -fy * 0.14f, 0.6f}, 0.06f, 0.06f, 6);
        }
    }
    // Octagonal body.
    const std::vector<Vec2> body = cut_rect({-1.15f, -1.7f, 1.15f, 1.7f}, 0.55f);
    m.on(root, kHull2, 2.0f).prism(body, 1.05f, 1.42f, 0.1f, 1.0f);
    m.on(root, kHull, 2.4f).prism(cut_rect({-1.3f, -1.85f, 1.3f, 1.85f}, 0.6f), 1.36f, 2.02f, 0.12f, 0.86f);
    m.on(root, kTeam, 2.0f).frustum({-0.75f, 0.9f, 0.75f, 1.95f}, {-0.55f, 0.8f, 0.55f, 1.5f}, 1.5f, 2.14f, 0.08f);
    m.on(root, kGlass, 1.0f).frustum({-0.5f, 1.5f, 0.5f, 1.86f}, {-0.42f, 1.3f, 0.42f, 1.54f}, 1.72f, 2.04f, 0.03f);
    m.on_fitted(root, kVent).quad({-0.7f, -1.5f, 2.035f}, {0.7f, -1.5f, 2.035f}, {0.7f, -1.0f, 2.035f}, {-0.7f, -1.0f, 2.035f});
    for (const float s : {-1.0f, 1.0f}) {
        lamp(m, root, {s * 0.72f, 1.72f, 1.62f}, 0.14f);
        m.on(root, kHull2, 1.4f).frustum({s * 0.95f - 0.3f, -1.3f, s * 0.95f + 0.3f, -0.3f}, {s * 0.9f - 0.24f, -1.2f, s * 0.9f + 0.24f, -0.45f}, 1.9f, 2.2f, 0.05f);
        exhaust(m, root, {s * 0.5f, -1.6f, 1.7f}, {s * 0.5f, -1.98f, 2.1f}, 0.13f);
    }
    const int mount = m.add("turret_mount", root, {0, -0.1f, 2.02f});
    m.on(mount, kSteel, 1.0f).cylinder({0, 0, -0.04f}, {0, 0, 0.12f}, 1.0f, 0.96f, 20, 0.03f);
    antenna(m, root, {0.85f, -1.3f, 2.0f}, 2.0f);
    m.control = chassis_control(10, 5, 1.2f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    for (int i = 0; i < 4; ++i)
        add_item(*m.control, CtlItemType::mobility_support, i + 1, m[i + 1].name, i % 2 == 0 ? kLeft : kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, -0.1f, 2.02f}, {0, 1.4f, 2.6f}, 2.3f, 3.4f);
    m.points.push_back({"Sfx_1", 0, 0, {0.5f, -1.95f, 2.1f}, {0, -1, 0}});
    fit_radius(m, 3.55f);
    return m;
}

Model builder_chassis() {
    Model m;
    const Hull h{3.0f, 4.0f, 1.3f, 0.4f, 0.66f, 0.9f, 4};
    const int root = tracked_hull(m, h, 260);
    // Cabin, crane arm with grapple, dozer blade, cargo of beams.
    m.on(root, kTeam, 2.0f).frustum({-0.62f, -0.1f, 0.62f, 1.0f}, {-0.52f, 0.0f, 0.52f, 0.72f}, 1.28f, 2.2f, 0.07f);
    m.on(root, kGlass, 1.0f).frustum({-0.5f, 0.72f, 0.5f, 1.03f}, {-0.44f, 0.5f, 0.44f, 0.76f}, 1.6f, 2.05f, 0.02f);
    m.on(root, kHazard, 0.9f).box({-1.5f, 1.86f, 0.1f}, {1.5f, 2.0f, 0.75f}, 0.03f);
    for (const float s : {-1.0f, 1.0f})
        m.on(root, kSteel, 1.0f).cylinder({s * 0.8f, 1.4f, 0.6f}, {s * 0.8f, 1.9f, 0.4f}, 0.08f, 0.08f, 6);
    const int crane = m.add("crane", root, {0.0f, -1.0f, 1.3f});
    m[crane].life = 20;
    m.on(crane, kSteel, 1.0f).cylinder({0, 0, 0}, {0, 0, 0.3f}, 0.5f, 0.45f, 14, 0.04f);
    m.on(crane, kHull, 1.6f).box({-0.34f, -0.42f, 0.25f}, {0.34f, 0.4f, 0.85f}, 0.07f);
    const int arm = m.add("arm", crane, {0, 0.1f, 0.75f});
    m[arm].life = 20;
    m.on(arm, kHazard, 0.9f).cylinder({0, 0, 0}, {0, -0.35f, 1.35f}, 0.17f, 0.13f, 6, 0.03f);
    m.on(arm, kSteel, 1.0f).cylinder({-0.2f, -0.35f, 1.35f}, {0.2f, -0.35f, 1.35f}, 0.16f, 0.16f, 10, 0.02f);
    m.on(arm, kHazard, 0.9f).cylinder({0, -0.35f, 1.35f}, {0, 1.5f, 1.75f}, 0.14f, 0.1f, 6, 0.03f);
    m.on(arm, kSteel, 0.8f).cylinder({0, 1.5f, 1.75f}, {0, 1.52f, 1.1f}, 0.03f, 0.03f, 5);
    m.on(arm, kHull2, 0.8f).frustum({-0.14f, 1.38f, 0.14f, 1.66f}, {-0.2f, 1.32f, 0.2f, 1.72f}, 0.95f, 1.2f, 0.03f);
    for (const float s : {-1.0f, 1.0f})
        m.on(arm, kSteel, 0.8f).cylinder({s * 0.12f, 1.52f, 0.98f}, {s * 0.26f, 1.52f, 0.72f}, 0.045f, 0.03f, 5);
    for (int i = 0; i < 3; ++i)
        m.on(root, kSteel, 0.8f).box({0.72f + 0.16f * static_cast<float>(i), -1.75f, 1.3f}, {0.84f + 0.16f * static_cast<float>(i), -0.2f, 1.44f}, 0.01f);
    const int mount = m.add("turret_mount", root, {0, 0, 1.3f});
    antenna(m, root, {-0.5f, -0.05f, 2.2f}, 1.0f);
    m.control = chassis_control(7, 4, 1.0f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    add_item(*m.control, CtlItemType::mobility_support, 1, "track_l", kLeft);
    add_item(*m.control, CtlItemType::mobility_support, 2, "track_r", kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, 0, 1.3f}, {0, 1.0f, 2.2f}, 1.5f, 3.0f);
    m.points.push_back({"Sfx_1", 0, 0, {0, 1.6f, 2.0f}, {0, 1, 0}});
    fit_radius(m, 2.5f);
    return m;
}

Model transport_chassis() {
    Model m;
    const int root = m.add("root");
    m[root].life = 180;
    m[root].mobility = 0.2f;
    int index = 0;
    for (const float y : {1.75f, 0.0f, -1.5f}) {
        for (const float s : {-1.0f, 1.0f}) {
            const char* names[] = {"wheel_fl", "wheel_fr", "wheel_ml", "wheel_mr", "wheel_rl", "wheel_rr"};
            const int node = m.add(names[index++], root, {s * 1.36f, y, 0.66f});
            m[node].life = 20;
            m[node].mobility = 1;
            wheel(m, node, {0, 0, 0}, s, 0.66f, 0.6f);
            m.on(root, kSteel, 1.0f).cylinder({s * 0.4f, y, 0.66f}, {s * 1.2f, y, 0.66f}, 0.12f, 0.12f, 6);
        }
    }
    m.on(root, kHull2, 2.0f).box({-0.75f, -2.3f, 0.55f}, {0.75f, 2.3f, 1.0f}, 0.06f);
    // Cab.
    m.on(root, kTeam, 2.0f).profile_x({{1.15f, 0.95f}, {2.42f, 0.95f}, {2.45f, 1.5f}, {2.0f, 2.3f}, {1.25f, 2.36f}}, -1.1f, 1.1f, 0.08f);
    m.on(root, kGlass, 1.2f).profile_x({{2.18f, 1.62f}, {2.46f, 1.6f}, {2.1f, 2.22f}, {1.9f, 2.24f}}, -0.9f, 0.9f, 0.02f);
    for (const float s : {-1.0f, 1.0f}) {
        m.on(root, kGlass, 1.2f).box({s * 1.09f - 0.02f, 1.5f, 1.62f}, {s * 1.09f + 0.02f, 2.0f, 2.1f}, 0);
        lamp(m, root, {s * 0.8f, 2.47f, 1.2f}, 0.16f);
        exhaust(m, root, {s * 1.0f, 1.05f, 1.0f}, {s * 1.0f, 1.0f, 2.75f}, 0.11f);
    }
    m.on(root, kHazard, 0.9f).box({-1.2f, 2.3f, 0.62f}, {1.2f, 2.45f, 0.9f}, 0.03f);
    // Ore hopper with ribs.
    m.on(root, kHull, 2.4f).frustum({-1.15f, -2.35f, 1.15f, 0.95f}, {-1.5f, -2.42f, 1.5f, 1.0f}, 1.05f, 2.1f, 0.07f);
    m.on(root, "ORE", 2.0f).frustum({-1.36f, -2.28f, 1.36f, 0.88f}, {-0.5f, -1.4f, 0.5f, 0.1f}, 2.0f, 2.42f, 0.05f);
    for (int i = 0; i < 5; ++i) {
        const float y = -2.2f + 0.75f * static_cast<float>(i);
        for (const float s : {-1.0f, 1.0f})
            m.on(root, i % 2 ? kTeam : kHull2, 1.6f).frustum({s * 1.2f - 0.08f, y - 0.09f, s * 1.2f + 0.08f, y + 0.09f},
                                                            {s * 1.54f - 0.08f, y - 0.09f, s * 1.54f + 0.08f, y + 0.09f}, 1.05f, 2.16f, 0.02f);
    }
    const int mount = m.add("turret_mount", root, {0, 1.4f, 2.36f});
    antenna(m, root, {-0.8f, 1.4f, 2.34f}, 1.5f);
    m.control = chassis_control(9, 4, 1.0f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    for (int i = 0; i < 6; ++i)
        add_item(*m.control, CtlItemType::wheel, i + 1, m[i + 1].name, i % 2 == 0 ? kLeft : kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, 1.4f, 2.36f}, {0, 1.8f, 2.6f}, 1.7f, 2.8f);
    m.points.push_back({"Sfx_1", 0, 0, {1.0f, 1.0f, 2.8f}, {0, 0, 1}});
    fit_radius(m, 3.0f);
    return m;
}

Model headquarters_chassis() {
    Model m;
    const Hull h{4.6f, 5.4f, 1.8f, 0.5f, 1.1f, 1.25f, 6};
    const int root = tracked_hull(m, h, 540);
    // Command house behind the turret: windows, mast with a turning dish.
    m.on(root, kHull, 2.4f).frustum({-1.35f, -2.3f, 1.35f, -0.75f}, {-1.15f, -2.1f, 1.15f, -0.9f}, 1.75f, 2.75f, 0.09f);
    for (const float s : {-1.0f, 1.0f}) {
        const float ya = -1.5f - s * 0.45f, yb = -1.5f + s * 0.45f;
        m.on_fitted(root, "WINDOW").quad({s * 1.3f, ya, 2.15f}, {s * 1.3f, yb, 2.15f}, {s * 1.24f, yb, 2.5f}, {s * 1.24f, ya, 2.5f});
        m.on(root, kTeam, 2.0f).box({s * 1.05f - 0.22f, -2.25f, 2.6f}, {s * 1.05f + 0.22f, -0.8f, 2.86f}, 0.05f);
    }
    const int mount = m.add("turret_mount", root, {0, 0.35f, h.deck});
    m.on(mount, kSteel, 1.0f).cylinder({0, 0, -0.04f}, {0, 0, 0.12f}, 1.0f, 0.96f, 20, 0.03f);
    m.on(root, kSteel, 1.0f).cylinder({0, -1.6f, 2.7f}, {0, -1.6f, 3.5f}, 0.14f, 0.1f, 8, 0.02f);
    const int radar = m.add("radar", root, {0, -1.6f, 3.5f});
    m[radar].life = 20;
    dish(m, radar, {0, 0.1f, 0.45f}, 0.7f);
    antenna(m, root, {0.95f, -2.0f, 2.8f}, 2.0f);
    antenna(m, root, {-0.95f, -2.0f, 2.8f}, 1.6f);
    m.control = chassis_control(6, 3, 0.8f);
    add_item(*m.control, CtlItemType::engine, 0, "engine");
    add_item(*m.control, CtlItemType::mobility_support, 1, "track_l", kLeft);
    add_item(*m.control, CtlItemType::mobility_support, 2, "track_r", kRight);
    scheme_slots(m);
    chassis_points(m, mount, {0, 0.35f, h.deck}, {0, 1.6f, 2.8f}, 2.3f, 4.2f);
    m.points.push_back({"Sfx_1", 0, 0, {0.9f, -2.7f, 1.8f}, {0, -1, 0}});
    fit_radius(m, 3.55f);
    return m;
}

Model hero_body() {
    Model m;
    const int root = m.add("root");
    m[root].life = 120;
    m[root].mobility = 1;
    // Armoured suit: boots, legs, hips, torso, pack, helmet; arms are nodes.
    for (const float s : {-1.0f, 1.0f}) {
        const int leg = m.add(s < 0 ? "leg_l" : "leg_r", root, {s * 0.15f, 0, 0.86f});
        m[leg].life = 20;
        m[leg].mobility = 1;
        m.on(leg, kHull2, 0.8f).cylinder({0, 0, 0}, {s * 0.03f, 0.02f, -0.42f}, 0.12f, 0.1f, 8, 0.02f);
        m.on(leg, kTeam, 0.9f).box({s * 0.03f - 0.1f, -0.02f, -0.52f}, {s * 0.03f + 0.1f, 0.14f, -0.36f}, 0.03f);
        m.on(leg, kHull, 0.9f).cylinder({s * 0.03f, 0.02f, -0.42f}, {s * 0.04f, -0.02f, -0.76f}, 0.11f, 0.13f, 8, 0.02f);
        m.on(leg, kHull2, 0.9f).profile_x({{-0.16f, -0.86f}, {0.24f, -0.86f}, {0.22f, -0.78f}, {0.04f, -0.68f}, {-0.14f, -0.7f}}, s * 0.04f - 0.11f,
                                          s * 0.04f + 0.11f, 0.02f);
    }
    m.on(root, kHull2, 0.9f).frustum({-0.22f, -0.14f, 0.22f, 0.14f}, {-0.25f, -0.16f, 0.25f, 0.16f}, 0.78f, 1.0f, 0.04f);
    m.on(root, kTeam, 0.9f).frustum({-0.22f, -0.15f, 0.22f, 0.17f}, {-0.34f, -0.17f, 0.34f, 0.2f}, 0.98f, 1.42f, 0.06f);
    m.on(root, kHull, 0.9f).frustum({-0.2f, 0.1f, 0.2f, 0.24f}, {-0.16f, 0.08f, 0.16f, 0.22f}, 1.1f, 1.36f, 0.03f);
    m.on(root, kHull, 0.9f).frustum({-0.25f, -0.36f, 0.25f, -0.14f}, {-0.21f, -0.32f, 0.21f, -0.14f}, 0.98f, 1.5f, 0.05f);
    for (const float s : {-1.0f, 1.0f})
        m.on(root, kSteel, 0.6f).cylinder({s * 0.15f, -0.36f, 0.92f}, {s * 0.15f, -0.34f, 1.46f}, 0.07f, 0.07f, 8, 0.02f);
    const int head = m.add("head", root, {0, 0.01f, 1.46f});
    m[head].life = 20;
    m.on(head, kHull, 0.9f).sphere({0, 0, 0.16f}, {0.15f, 0.17f, 0.18f}, 10, 6, -kHalfPi, kHalfPi);
    m.on(head, kGlass, 0.6f).sphere({0, 0.05f, 0.17f}, {0.125f, 0.145f, 0.1f}, 10, 4, -1.2f, 1.2f);
    for (const float s : {-1.0f, 1.0f}) {
        const int arm = m.add(s < 0 ? "arm_l" : "arm_r", root, {s * 0.37f, 0.0f, 1.34f});
        m[arm].life = 10;
        m.on(arm, kTeam, 0.9f).sphere({0, 0, 0}, {0.15f, 0.15f, 0.14f}, 8, 5, -kHalfPi, kHalfPi);
        m.on(arm, kHull2, 0.8f).cylinder({0, 0, -0.04f}, {s * 0.04f, 0.02f, -0.32f}, 0.085f, 0.075f, 8, 0.01f);
        m.on(arm, kHull, 0.8f).cylinder({s * 0.04f, 0.02f, -0.3f}, {s * 0.02f, 0.3f, -0.4f}, 0.095f, 0.08f, 8, 0.02f);
    }
    // The four weapons hang at one mount on the right arm, the launcher on the pack.
    const int mount = m.add("gun_mount", root, {0.4f, 0.3f, 0.96f});
    const int launcher = m.add("gun_mount_back", root, {-0.26f, -0.2f, 1.52f});
    m.control = chassis_control(6, 12, 3.1f);
    m.control->root.visual_euler_limit = {0, 0, 0};
    add_item(*m.control, CtlItemType::engine, 0, "suit");
    add_item(*m.control, CtlItemType::radar, 0, "radar");
    scheme_slots(m);
    chassis_points(m, mount, {0.4f, 0.3f, 0.96f}, {0, 0.1f, 1.65f}, 0.5f, 1.8f);
    m.points.push_back({"TargetDirect", launcher, launcher, {0, 0, 0}, {0, 1, 0}});
    fit_radius(m, 0.6f);
    return m;
}

Model crab_body() {
    Model m;
    const int root = m.add("root");
    m[root].life = 44;
    m[root].mobility = 1;
    m.on(root, "CHITIN", 1.2f).sphere({0, 0, 0.46f}, {0.42f, 0.58f, 0.24f}, 12, 6, -kHalfPi, kHalfPi);
    m.on(root, "CHITIN", 1.2f).sphere({0, -0.34f, 0.55f}, {0.34f, 0.4f, 0.26f}, 10, 5, -0.6f, kHalfPi);
    for (const float s : {-1.0f, 1.0f}) {
        m.on(root, kTeamLight, 1.0f).sphere({s * 0.14f, 0.52f, 0.58f}, {0.06f, 0.06f, 0.06f}, 6, 4, -kHalfPi, kHalfPi);
        for (int i = 0; i < 3; ++i) {
            const float y = 0.25f - 0.28f * static_cast<float>(i);
            const int leg = m.add("leg", root, {s * 0.3f, y, 0.42f});
            m[leg].life = 2;
            m[leg].mobility = 1;
            m.on(leg, "CHITIN", 0.8f).cylinder({0, 0, 0}, {s * 0.22f, 0.05f, 0.16f}, 0.055f, 0.05f, 6);
            m.on(leg, "CHITIN", 0.8f).cylinder({s * 0.22f, 0.05f, 0.16f}, {s * 0.34f, 0.08f, -0.42f}, 0.05f, 0.015f, 6);
        }
        const int claw = m.add("claw", root, {s * 0.26f, 0.45f, 0.4f});
        m[claw].life = 2;
        m.on(claw, "CHITIN", 0.8f).cylinder({0, 0, 0}, {s * 0.08f, 0.18f, 0.02f}, 0.06f, 0.07f, 6);
        m.on(claw, "CHITIN", 0.8f).sphere({s * 0.06f, 0.28f, 0.02f}, {0.09f, 0.16f, 0.08f}, 8, 4, -kHalfPi, kHalfPi);
    }
    m.control = chassis_control(5, 6, 2.0f);
    add_item(*m.control, CtlItemType::engine, 0, "muscle");
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    m.points.push_back({"CameraCenter", 0, 0, {0, 0.5f, 0.8f}, {0, 1, 0}});
    fit_radius(m, 1.0f);
    return m;
}

}  // namespace iron::content
