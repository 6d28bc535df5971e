#include <catch2/catch.hpp>

#include <glm/gtc/matrix_transform.hpp>

#include "client/view/geometry.hpp"
#include "client/view/height_field.hpp"
#include "client/view/minimap_image.hpp"
#include "client/view/model.hpp"
#include "client/view/selection.hpp"
#include "tests/client/synthetic_scene.hpp"

using namespace iron::client;
using namespace iron::client::view;

TEST_CASE("the placement matrix follows the worked example of the mission page") {
    // mission.md 2.7: orientation (0, 0, pi/2), scale (2, 1, 0.5), position (10, 20, 30).
    const glm::mat4 m = placement_matrix({10, 20, 30}, {0, 0, iron::kPi / 2}, {2, 1, 0.5f});
    const glm::vec3 p(m * glm::vec4(2, 3, 4, 1));
    CHECK(p.x == Approx(7.0f).margin(1e-5));
    CHECK(p.y == Approx(24.0f).margin(1e-5));
    CHECK(p.z == Approx(32.0f).margin(1e-5));
    const glm::mat4 r = placement_matrix({0, 0, 0}, {0.1f, 0.2f, 0.3f}, glm::vec3(1));
    // glm columns: r[column][row].
    CHECK(r[0][0] == Approx(0.936293f).margin(1e-5));
    CHECK(r[1][0] == Approx(-0.275096f).margin(1e-5));
    CHECK(r[2][0] == Approx(0.218351f).margin(1e-5));
    CHECK(r[0][1] == Approx(0.289629f).margin(1e-5));
    CHECK(r[1][1] == Approx(0.956425f).margin(1e-5));
    CHECK(r[2][1] == Approx(-0.036957f).margin(1e-5));
    CHECK(r[0][2] == Approx(-0.198669f).margin(1e-5));
    CHECK(r[1][2] == Approx(0.097843f).margin(1e-5));
    CHECK(r[2][2] == Approx(0.975170f).margin(1e-5));
}

TEST_CASE("angles wrap into half a turn either way") {
    CHECK(wrap_rad(3 * iron::kPi) == Approx(iron::kPi).margin(1e-5));
    CHECK(wrap_rad(-0.5f) == Approx(-0.5f));
    CHECK(wrap_rad(iron::kTwoPi + 0.25f) == Approx(0.25f).margin(1e-5));
    CHECK(wrap_rad(std::numeric_limits<float>::quiet_NaN()) == 0.0f);
}

TEST_CASE("a frustum keeps what it may see and drops what is certainly outside") {
    const Frustum f = Frustum::from_matrix(glm::perspective(1.0f, 1.0f, 1.0f, 100.0f));
    CHECK(f.may_see(Box{{-1, -1, -11}, {1, 1, -9}}));
    CHECK_FALSE(f.may_see(Box{{-1, -1, 9}, {1, 1, 11}}));      // behind
    CHECK_FALSE(f.may_see(Box{{50, -1, -11}, {52, 1, -9}}));   // far right
    CHECK_FALSE(f.may_see(Box{{-1, -1, -300}, {1, 1, -200}})); // beyond the far plane
    CHECK(f.may_see(glm::vec3(6, 0, -10), 2.0f));              // the sphere reaches in
}

TEST_CASE("rays meet boxes and triangles at the distance worked out by hand") {
    const Ray ray{{0, -10, 0}, {0, 1, 0}};
    CHECK(*hit_box(ray, Box{{-1, -2, -1}, {1, 2, 1}}) == Approx(8.0f));
    CHECK_FALSE(hit_box(ray, Box{{2, -2, -1}, {3, 2, 1}}));
    CHECK_FALSE(hit_box({{0, 10, 0}, {0, 1, 0}}, Box{{-1, -2, -1}, {1, 2, 1}}));
    CHECK(*hit_triangle(ray, {-1, 5, -1}, {1, 5, -1}, {0, 5, 2}) == Approx(15.0f));
    CHECK_FALSE(hit_triangle(ray, {5, 5, -1}, {7, 5, -1}, {6, 5, 2}));
}

TEST_CASE("the height field answers the highest of the layers and nothing outside") {
    // A ramp 0..10 over x 0..10 and a bridge at z 20 over its middle.
    const HeightField field({{0, 0, 0}, {10, 0, 10}, {10, 10, 10}, {0, 10, 0}, {4, 0, 20}, {6, 0, 20}, {6, 10, 20}, {4, 10, 20}},
                            {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}});
    CHECK(*field.height({2.5f, 5}) == Approx(2.5f));
    CHECK(*field.height({5, 5}) == Approx(20.0f));
    CHECK_FALSE(field.height({11, 5}));
    CHECK(field.height_or_nearest({12, 5}) == Approx(10.0f).margin(0.02));
    // The normal of the ramp z = x is (-1, 0, 1) / sqrt 2.
    CHECK(field.normal({2, 5}).x == Approx(-0.70711f).margin(1e-4));
    const auto t = field.hit({{2, 5, 50}, {0, 0, -1}});
    REQUIRE(t);
    CHECK(*t == Approx(48.0f));
}

TEST_CASE("a ray along the ground finds the first hill even through many cells") {
    const auto scene = test::make_synthetic_scene();
    for (int i = 0; i < 40; ++i) {
        const float a = static_cast<float>(i) * 0.37f;
        const glm::vec2 from(256 + 200 * std::cos(a), 256 + 200 * std::sin(a));
        const glm::vec3 origin(from, 60);
        const glm::vec3 direction = glm::normalize(glm::vec3(256, 256, 0) - origin);
        const auto t = scene.ground.hit({origin, direction});
        REQUIRE(t);
        // The point lies on the ground, and no earlier point of the ray is below it.
        const glm::vec3 p = origin + direction * *t;
        CHECK(p.z == Approx(*scene.ground.height(glm::vec2(p))).margin(0.05));
        for (float s = 0; s < *t - 0.5f; s += 1.0f) {
            const glm::vec3 q = origin + direction * s;
            CHECK(q.z >= scene.ground.height_or_nearest(glm::vec2(q)) - 0.05f);
        }
    }
}

TEST_CASE("a turret turns around the node it is attached to and its own node 0 is skipped") {
    const auto scene = test::make_synthetic_scene();
    std::vector<glm::mat4> matrices;
    UnitPose pose;
    pose.root = placement_matrix({100, 50, 5}, {0, 0, iron::kPi / 2}, glm::vec3(1));
    pose.turret_yaw = iron::kPi / 2;
    pose_unit(scene.robot, scene.models, pose, matrices);
    REQUIRE(matrices.size() == 4);
    // The attach node lies at local (0, -0.3, 1.6): turned by the chassis (+0.3, 0, 1.6).
    const glm::vec3 attach(matrices[1][3]);
    CHECK(attach.x == Approx(100.3f).margin(1e-4));
    CHECK(attach.y == Approx(50.0f).margin(1e-4));
    CHECK(attach.z == Approx(6.6f).margin(1e-4));
    // The turret's +Y: a quarter turn of the chassis and one of its own = backward.
    const glm::vec3 forward(matrices[3] * glm::vec4(0, 1, 0, 0));
    CHECK(forward.y == Approx(-1.0f).margin(1e-4));
    CHECK(glm::vec3(matrices[3][3]).x == Approx(attach.x));
}

TEST_CASE("a looping node runs through its frames at 30 a second and starts again") {
    Model model;
    model.nodes.resize(2);
    model.nodes[1].parent = 0;
    ModelLoop loop;
    loop.node = 1;
    for (int f = 0; f < 3; ++f) loop.frames.push_back(glm::translate(glm::mat4(1.0f), glm::vec3(10 * f, 0, 0)));
    model.loops.push_back(loop);
    const auto x = [&](float seconds) {
        std::vector<glm::mat4> out(2);
        pose_model(model, glm::mat4(1.0f), out, seconds);
        return out[1][3].x;
    };
    CHECK(x(0) == Approx(0.0f));
    CHECK(x(0.5f / 30) == Approx(5.0f));
    CHECK(x(2.0f / 30) == Approx(20.0f));
    CHECK(x(2.5f / 30) == Approx(10.0f));   // back toward the first frame
    CHECK(x(3.0f / 30) == Approx(0.0f).margin(1e-3));
    CHECK(local_matrix(model, 0, 1.0f) == glm::mat4(1.0f));
}

TEST_CASE("the draw list marks attached models so that their node 0 is not drawn") {
    const auto scene = test::make_synthetic_scene();
    DrawList list;
    list.add_unit(scene.robot, scene.models, {}, {1, 0, 0});
    list.add_unit(scene.hut, scene.models, {}, {0, 1, 0});
    REQUIRE(list.models.size() == 3);
    CHECK_FALSE(list.models[0].skip_root_node);
    CHECK(list.models[1].skip_root_node);
    CHECK(list.models[1].first_matrix == 2);
    CHECK_FALSE(list.models[2].skip_root_node);
    CHECK(list.models[2].first_matrix == 4);
    CHECK(list.matrices.size() == 5);
}

TEST_CASE("a selection keeps order and limit, groups come back, the dead are forgotten") {
    Selection s;
    s.set({5, 3, 5, 9});
    CHECK(s.ids() == std::vector<std::uint32_t>{3, 5, 9});
    s.toggle(5);
    CHECK_FALSE(s.contains(5));
    s.toggle(7);
    CHECK(s.ids() == std::vector<std::uint32_t>{3, 7, 9});
    s.store_group(4);
    s.set({1});
    CHECK_FALSE(s.recall_group(4));
    CHECK(s.recall_group(4));  // the second time
    CHECK(s.group_of(7) == 4);
    s.keep_only([](std::uint32_t id) { return id != 7; });
    CHECK(s.ids() == std::vector<std::uint32_t>{3, 9});
    CHECK(s.group(4) == std::vector<std::uint32_t>{3, 9});
    std::vector<std::uint32_t> many(500);
    for (std::uint32_t i = 0; i < 500; ++i) many[i] = i;
    s.set(many);
    CHECK(s.ids().size() == Selection::kLimit);
}

TEST_CASE("the minimap puts north up and is undone by its inverse") {
    Box map{{0, 0, 0}, {400, 200, 10}};
    // The longer side fills the picture: 100 wu of margin above and below.
    CHECK(minimap_position(map, {0, 200}).x == Approx(0.0f));
    CHECK(minimap_position(map, {0, 200}).y == Approx(0.25f));
    CHECK(minimap_position(map, {400, 0}).y == Approx(0.75f));
    const glm::vec2 back = minimap_world(map, minimap_position(map, {123, 45}));
    CHECK(back.x == Approx(123.0f).margin(1e-3));
    CHECK(back.y == Approx(45.0f).margin(1e-3));
}
