// Trees, bushes, stones.
#include "shared/base/rng.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/kit/noise.hpp"

namespace iron::content {
namespace {

constexpr const char* kBark = "BARK";
constexpr const char* kLeaf = "LEAF";
constexpr const char* kNeedle = "NEEDLE";
constexpr const char* kStone = "STONE";

Model conifer(std::uint64_t seed, float height, float radius) {
    Rng rng(seed, 71);
    Model m;
    const int root = m.add("root");
    m[root].life = 60;
    m.on(root, kBark, 1.6f).cylinder({0, 0, -0.6f}, {0, 0, height * 0.6f}, radius * 0.13f, radius * 0.05f, 7);
    m.on(root, kBark, 1.6f).cylinder({0, 0, -0.5f}, {0, 0, 0.5f}, radius * 0.22f, radius * 0.13f, 7);
    const int layers = 6;
    for (int l = 0; l < layers; ++l) {
        const float t = static_cast<float>(l) / static_cast<float>(layers);
        const float top = height * (0.36f + 0.64f * (t + 1.0f / static_cast<float>(layers)));
        const float bottom = height * (0.13f + 0.72f * t) ;
        const float r = radius * (1.0f - 0.84f * t);
        const int sides = 9;
        const float phase = rng.unit() * kTwoPi;
        MeshKit& k = m.on(root, kNeedle, 2.0f);
        k.round_light({0, 0, bottom});
        for (int i = 0; i < sides; ++i) {
            const float a0 = phase + kTwoPi * static_cast<float>(i) / static_cast<float>(sides);
            const float a1 = phase + kTwoPi * static_cast<float>(i + 1) / static_cast<float>(sides);
            const float sag = 0.12f * r * rng.unit();
            const Vec3 p0{r * det_cos(a0), r * det_sin(a0), bottom - sag}, p1{r * det_cos(a1), r * det_sin(a1), bottom + sag * 0.4f};
            const Vec3 tip{0, 0, top};
            const float u = static_cast<float>(i % 3) / 3.0f;
            const Vec3 q0 = p0 + (tip - p0) * 0.96f, q1 = p1 + (tip - p1) * 0.96f;
            k.quad_uv(p0, p1, q1, q0, {u, 1}, {u + 0.333f, 1}, {u + 0.22f, 0}, {u + 0.11f, 0});
            // Underside, so that a layer is closed from below.
            k.quad_uv(p1, p0, Vec3{0, 0, bottom + r * 0.3f}, Vec3{0, 0, bottom + r * 0.3f}, {u + 0.333f, 1}, {u, 1}, {u + 0.16f, 0.3f}, {u + 0.16f, 0.3f});
        }
        k.flat_light();
    }
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    return m;
}

/// A lump of leaves: a few crossed cards.
void leaf_cluster(Model& m, int node, Vec3 c, float size, Vec3 light, Rng& rng) {
    MeshKit& k = m.on(node, kLeaf, 2.0f);
    k.round_light(light);
    const float phase = rng.unit() * kPi;
    for (int i = 0; i < 3; ++i) {
        const float a = phase + kPi * static_cast<float>(i) / 3.0f;
        const float tilt = (rng.unit() - 0.5f) * 1.0f;
        k.push(move(c.x, c.y, c.z));
        k.push(turn(tilt, 0, a));
        k.card({-size, 0, -size * 0.8f}, {size, 0, -size * 0.8f}, {size, 0, size * 0.8f}, {-size, 0, size * 0.8f});
        k.pop();
        k.pop();
    }
    k.flat_light();
}

Model broadleaf(std::uint64_t seed, float height, float radius) {
    Rng rng(seed, 72);
    Model m;
    const int root = m.add("root");
    m[root].life = 60;
    const float crown = height * 0.68f;
    m.on(root, kBark, 1.6f).cylinder({0, 0, -0.6f}, {radius * 0.06f, 0, height * 0.32f}, radius * 0.14f, radius * 0.1f, 8);
    m.on(root, kBark, 1.6f).cylinder({0, 0, -0.5f}, {0, 0, 0.6f}, radius * 0.24f, radius * 0.13f, 8);
    const Vec3 fork{radius * 0.06f, 0, height * 0.31f}, centre{0, 0, crown};
    for (int i = 0; i < 5; ++i) {
        const float a = kTwoPi * (static_cast<float>(i) + 0.4f * rng.unit()) / 5.0f;
        const Vec3 end{radius * 0.55f * det_cos(a), radius * 0.55f * det_sin(a), crown + height * (rng.unit() * 0.2f - 0.06f)};
        m.on(root, kBark, 1.4f).cylinder(fork, end, radius * 0.075f, radius * 0.025f, 6);
    }
    for (int i = 0; i < 17; ++i) {
        // Spread over a flattened ball by the golden angle.
        const float t = (static_cast<float>(i) + 0.5f) / 17.0f;
        const float z = 1.0f - 1.75f * t, r = sqrt_f(clamp01(1.0f - z * z));
        const float a = 2.39996f * static_cast<float>(i) + 0.4f * rng.unit();
        const float s = 0.62f + 0.16f * rng.unit();
        const Vec3 c{radius * s * r * det_cos(a), radius * s * r * det_sin(a), crown + height * 0.24f * z};
        leaf_cluster(m, root, c, radius * (0.46f + 0.12f * rng.unit()), centre + Vec3{0, 0, -height * 0.1f}, rng);
    }
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    return m;
}

Model bush(std::uint64_t seed, float radius) {
    Rng rng(seed, 73);
    Model m;
    const int root = m.add("root");
    m[root].life = 20;
    for (int i = 0; i < 6; ++i) {
        const float a = kTwoPi * static_cast<float>(i) / 6.0f + rng.unit();
        const float d = i == 0 ? 0 : radius * 0.55f;
        leaf_cluster(m, root, {d * det_cos(a), d * det_sin(a), radius * (0.4f + 0.25f * rng.unit())}, radius * 0.62f, {0, 0, -radius * 0.3f}, rng);
    }
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    return m;
}

Model dead_tree(std::uint64_t seed, float height) {
    Rng rng(seed, 74);
    Model m;
    const int root = m.add("root");
    m[root].life = 40;
    m.on(root, kBark, 1.4f).cylinder({0, 0, -0.5f}, {0.2f, 0.1f, height * 0.5f}, height * 0.07f, height * 0.045f, 7);
    m.on(root, kBark, 1.4f).cylinder({0.2f, 0.1f, height * 0.49f}, {0.05f, -0.2f, height}, height * 0.045f, height * 0.008f, 6);
    for (int i = 0; i < 7; ++i) {
        const float a = 2.4f * static_cast<float>(i) + rng.unit(), z = height * (0.38f + 0.08f * static_cast<float>(i));
        const float l = height * (0.34f - 0.035f * static_cast<float>(i));
        const Vec3 from{0.15f, 0, z}, mid{0.15f + l * 0.6f * det_cos(a), l * 0.6f * det_sin(a), z + l * 0.35f};
        m.on(root, kBark, 1.2f).cylinder(from, mid, height * 0.022f, height * 0.014f, 5);
        m.on(root, kBark, 1.2f).cylinder(mid, mid + Vec3{l * 0.35f * det_cos(a + 0.5f), l * 0.35f * det_sin(a + 0.5f), l * 0.4f}, height * 0.014f, height * 0.004f, 4);
    }
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    return m;
}

Model stone(std::uint64_t seed, Vec3 radii) {
    Model m;
    const int root = m.add("root");
    m[root].life = 200;
    // A ball of 12 x 7 points pushed in and out, the lowest part under ground.
    const int sides = 11, stacks = 7;
    std::vector<std::vector<Vec3>> rings;
    for (int s = 0; s <= stacks; ++s) {
        const float angle = -kHalfPi + kPi * static_cast<float>(s) / static_cast<float>(stacks);
        std::vector<Vec3> ring;
        for (int i = 0; i < sides; ++i) {
            const float a = kTwoPi * static_cast<float>(i) / static_cast<float>(sides);
            const float grow = 0.72f + 0.56f * value_noise(seed, 4.0f + 1.5f * det_cos(a) + 1.3f * det_sin(angle), 4.0f + 1.5f * det_sin(a));
            const float r = det_cos(angle) * grow;
            ring.push_back({radii.x * r * det_cos(a), radii.y * r * det_sin(a), radii.z * (det_sin(angle) * grow * 0.9f + 0.35f)});
        }
        rings.push_back(std::move(ring));
    }
    m.on(root, kStone, 2.6f).loft(rings, false, false);
    m.points.push_back({"Root", 0, 0, {0, 0, 0}, {0, 1, 0}});
    return m;
}

}  // namespace

std::vector<DecorArt> make_decor(std::uint64_t seed) {
    std::vector<DecorArt> out;
    out.push_back({"s_tree_0_01", false, conifer(seed + 1, 11.0f, 2.6f)});
    out.push_back({"s_tree_0_02", false, conifer(seed + 2, 8.0f, 2.1f)});
    out.push_back({"s_tree_0_03", false, broadleaf(seed + 3, 9.0f, 3.4f)});
    out.push_back({"s_tree_0_04", false, broadleaf(seed + 4, 7.0f, 2.7f)});
    out.push_back({"s_tree_0_05", false, dead_tree(seed + 5, 7.5f)});
    out.push_back({"s_bush_0_01", false, bush(seed + 6, 1.3f)});
    out.push_back({"s_rock_0_01", true, stone(seed + 7, {1.6f, 1.3f, 1.1f})});
    out.push_back({"s_rock_0_02", true, stone(seed + 8, {2.4f, 1.8f, 2.2f})});
    out.push_back({"s_rock_0_03", true, stone(seed + 9, {1.2f, 1.4f, 0.8f})});
    return out;
}

}  // namespace iron::content
