#include "shared/content/art/parts.hpp"

namespace iron::content {

void track_unit(Model& m, int node, float side, float width, float length, float height, int wheels) {
    const float l = length * 0.5f, h = height, c = height * 0.5f;
    // Belt: a long rounded loop, sprockets higher than the ground run.
    const std::vector<Vec2> belt{{-l + c * 0.9f, 0},     {l - c * 0.9f, 0},      {l - c * 0.25f, h * 0.32f},
                                 {l, h * 0.62f},         {l - c * 0.2f, h * 0.9f}, {l - c * 0.7f, h},
                                 {-l + c * 0.7f, h},     {-l + c * 0.2f, h * 0.9f}, {-l, h * 0.62f},
                                 {-l + c * 0.25f, h * 0.32f}};
    m.on(node, kTrack, 1.0f).profile_x(belt, -width * 0.5f, width * 0.5f, width * 0.06f);
    // Recessed side plate, road wheels and sprockets on the outside.
    const float out = side * width * 0.5f;
    for (int i = 0; i < wheels; ++i) {
        const float y = -l + c + (length - 2 * c) * (static_cast<float>(i) + 0.5f) / static_cast<float>(wheels);
        const float r = h * 0.3f;
        m.on(node, kTyre, 1.5f).cylinder({out - side * 0.04f, y, r + 0.03f}, {out + side * 0.07f, y, r + 0.03f}, r, r, 12, 0.02f);
        m.on(node, kSteel, 1.0f).cylinder({out, y, r + 0.03f}, {out + side * 0.11f, y, r + 0.03f}, r * 0.55f, r * 0.45f, 8, 0.02f);
    }
    for (const float end : {-1.0f, 1.0f}) {
        const Vec3 a{out - side * 0.04f, end * (l - c * 0.75f), h * 0.62f};
        m.on(node, kSteel, 1.0f).cylinder(a, {out + side * 0.09f, a.y, a.z}, h * 0.3f, h * 0.26f, 10, 0.03f);
        m.on(node, kHull2, 1.0f).cylinder({out, a.y, a.z}, {out + side * 0.14f, a.y, a.z}, h * 0.12f, h * 0.1f, 8);
    }
    for (int i = 0; i < wheels - 1; ++i) {
        const float y = -l + c + (length - 2 * c) * (static_cast<float>(i) + 1.0f) / static_cast<float>(wheels);
        m.on(node, kSteel, 1.0f).cylinder({out - side * 0.04f, y, h * 0.8f}, {out + side * 0.05f, y, h * 0.8f}, h * 0.1f, h * 0.1f, 8);
    }
    // Mud guard over the whole length, its edges turned down.
    m.on(node, kTeam, 2.0f).profile_x({{-l * 0.98f, h * 1.02f}, {l * 0.86f, h * 1.02f}, {l * 1.02f, h * 0.84f},
                                       {l * 1.04f, h * 0.9f}, {l * 0.88f, h * 1.12f}, {-l * 1.0f, h * 1.12f}},
                                      -width * 0.54f, width * 0.54f, 0.02f);
}

void wheel(Model& m, int node, Vec3 centre, float side, float radius, float width) {
    const Vec3 in{centre.x - side * width * 0.5f, centre.y, centre.z}, out{centre.x + side * width * 0.5f, centre.y, centre.z};
    m.on(node, kTyre, 1.2f).cylinder(in, out, radius, radius, 14, width * 0.16f);
    m.on(node, kSteel, 0.8f).cylinder({out.x - side * 0.02f, centre.y, centre.z}, {out.x + side * 0.05f, centre.y, centre.z},
                                      radius * 0.62f, radius * 0.55f, 12, 0.01f);
    m.on(node, kHull2, 0.8f).cylinder({out.x, centre.y, centre.z}, {out.x + side * 0.1f, centre.y, centre.z},
                                      radius * 0.3f, radius * 0.22f, 8, 0.01f);
}

void lamp(Model& m, int node, Vec3 at, float size) {
    m.on(node, kHull2, 1.0f).box({at.x - size, at.y - size * 0.8f, at.z - size * 0.8f},
                                 {at.x + size, at.y, at.z + size * 0.8f}, size * 0.2f);
    m.on_fitted(node, kLamp).quad({at.x + size * 0.75f, at.y + 0.012f, at.z - size * 0.55f},
                                  {at.x - size * 0.75f, at.y + 0.012f, at.z - size * 0.55f},
                                  {at.x - size * 0.75f, at.y + 0.012f, at.z + size * 0.55f},
                                  {at.x + size * 0.75f, at.y + 0.012f, at.z + size * 0.55f});
}

void antenna(Model& m, int node, Vec3 foot, float height) {
    m.on(node, kHull2, 1.0f).cylinder(foot, {foot.x, foot.y, foot.z + height * 0.14f}, 0.07f, 0.05f, 6, 0.01f);
    m.on(node, kSteel, 1.0f).cylinder({foot.x, foot.y, foot.z + height * 0.12f}, {foot.x, foot.y - height * 0.06f, foot.z + height},
                                      0.022f, 0.01f, 4);
    m.on(node, kTeamLight, 1.0f).sphere({foot.x, foot.y - height * 0.06f, foot.z + height}, {0.045f, 0.045f, 0.045f}, 5, 3,
                                        -kHalfPi, kHalfPi);
}

void hatch(Model& m, int node, Vec3 c, float radius) {
    m.on(node, kHull2, 1.2f).cylinder(c, {c.x, c.y, c.z + radius * 0.18f}, radius, radius * 0.95f, 10, radius * 0.06f);
    m.on(node, kHull, 1.2f).cylinder({c.x, c.y, c.z + radius * 0.15f}, {c.x, c.y, c.z + radius * 0.34f}, radius * 0.8f,
                                     radius * 0.66f, 10, radius * 0.08f);
    m.on(node, kSteel, 1.0f).box({c.x - radius * 0.3f, c.y - radius * 0.95f, c.z + radius * 0.1f},
                                 {c.x + radius * 0.3f, c.y - radius * 0.7f, c.z + radius * 0.36f}, 0.01f);
}

void exhaust(Model& m, int node, Vec3 from, Vec3 to, float radius) {
    m.on(node, kHull2, 0.8f).cylinder(from, from + (to - from) * 0.75f, radius * 1.25f, radius * 1.25f, 8, radius * 0.2f);
    m.on(node, kSteel, 0.8f).barrel(from, to, radius, radius * 0.75f, 8);
}

void ladder(Model& m, int node, Vec3 foot, float height, float width) {
    MeshKit& k = m.on(node, kSteel, 1.0f);
    for (const float s : {-0.5f, 0.5f})
        k.box({foot.x + s * width - 0.03f, foot.y - 0.03f, foot.z}, {foot.x + s * width + 0.03f, foot.y + 0.03f, foot.z + height}, 0);
    for (float z = foot.z + 0.3f; z < foot.z + height; z += 0.4f)
        k.box({foot.x - width * 0.5f, foot.y - 0.025f, z}, {foot.x + width * 0.5f, foot.y + 0.025f, z + 0.05f}, 0);
}

void dish(Model& m, int node, Vec3 c, float radius) {
    // Two shells of a bowl whose rim faces +y.
    MeshKit& k = m.on(node, kHull, 2.0f);
    k.push(move(c.x, c.y, c.z));
    k.push(turn(-kHalfPi, 0, 0));
    const auto bowl = [&](float lift, float r) {
        std::vector<std::vector<Vec3>> rings;
        for (int s = 0; s <= 4; ++s) {
            const float t = static_cast<float>(s) / 4.0f;
            std::vector<Vec3> ring;
            for (const Vec2& p : circle(r * (0.08f + 0.92f * t), 12))
                ring.push_back({p.x, p.y, r * (0.42f * t * t - 0.42f) + lift});
            rings.push_back(ring);
        }
        return rings;
    };
    auto outer = bowl(0, radius);
    auto inner = bowl(radius * 0.07f, radius * 0.97f);
    k.loft(outer, true, false);
    std::vector<std::vector<Vec3>> back(inner.rbegin(), inner.rend());
    std::vector<std::vector<Vec3>> rim{outer.back(), back.front()};
    k.loft(rim, false, false);
    m.on(node, kTeam, 2.0f);
    k.loft(back, false, true);
    m.on(node, kSteel, 1.0f);
    k.cylinder({0, 0, -radius * 0.35f}, {0, 0, radius * 0.35f}, radius * 0.03f, radius * 0.03f, 5);
    m.on(node, kTeamLight, 1.0f);
    k.sphere({0, 0, radius * 0.36f}, {radius * 0.09f, radius * 0.09f, radius * 0.09f}, 6, 4, -kHalfPi, kHalfPi);
    k.pop();
    k.pop();
}

asset::ControlResource chassis_control(float speed, float acceleration, float turn_rate) {
    asset::ControlResource out = asset::make_control_resource();
    out.root.max_tangential_acceleration = {0, acceleration, 0};
    out.root.max_tangential_speed = {0, speed, 0};
    out.root.max_angular_speed = {0, 0, turn_rate};
    out.root.torque_response = {1, 1, 1};
    out.root.visual_euler_limit = {0.6f, 0.6f, 0};
    out.root.cleanup_delay_ms = 5000;
    out.root.slope_limit = 0.75f;
    return out;
}

int add_item(asset::ControlResource& control, asset::CtlItemType type, int piece, std::string_view name,
             std::uint32_t flags) {
    asset::CtlItem item;
    item.type = static_cast<std::int32_t>(type);
    item.piece = piece;
    item.flags = flags;
    item.optional_index = {-1, -1, -1};
    item.link_index = -1;
    item.name.assign(name.begin(), name.end());
    if (!name.empty()) item.name.push_back(0);
    control.items.push_back(item);
    return static_cast<int>(control.items.size()) - 1;
}

int add_slot(asset::ControlResource& control) {
    return add_item(control, static_cast<asset::CtlItemType>(0), 0, {});
}

}  // namespace iron::content
