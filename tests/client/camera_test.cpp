#include <catch2/catch.hpp>

#include "client/view/camera.hpp"
#include "client/view/picking.hpp"
#include "shared/base/math.hpp"

using namespace iron::client::view;

namespace {

StrategicCamera flat_camera(const CameraPose& pose) {
    StrategicCamera camera;
    CameraLimits limits;
    limits.map_min = {0, 0};
    limits.map_max = {512, 512};
    camera.set_limits(limits);
    camera.set_ground([](glm::vec2) { return 0.0f; });
    camera.jump_to(pose);
    return camera;
}

const glm::vec2 kScreen{1280, 720};

}  // namespace

TEST_CASE("yaw 0 looks along +Y and a positive yaw turns to the left") {
    CHECK(forward_of(0).y == Approx(1.0f));
    CHECK(forward_of(iron::kPi / 2).x == Approx(-1.0f));
    CHECK(right_of(0).x == Approx(1.0f));
}

TEST_CASE("the eye stands behind and above the focus at the given distance") {
    // pitch 30 degrees, distance 100: 50 above, 86.60 behind.
    const auto camera = flat_camera({{200, 200}, 0, iron::kPi / 6, 100});
    CHECK(camera.eye().z == Approx(50.0f));
    CHECK(camera.eye().y == Approx(200.0f - 86.6025f));
    CHECK(camera.eye().x == Approx(200.0f));
}

TEST_CASE("the focus is in the middle of the picture and a ray through it comes back to it") {
    const auto camera = flat_camera({{200, 150}, 0.7f, 0.8f, 90});
    const glm::vec3 pixel = camera.project({200, 150, 0}, kScreen);
    CHECK(pixel.x == Approx(640.0f).margin(0.05));
    CHECK(pixel.y == Approx(360.0f).margin(0.05));
    const Ray ray = camera.ray_through({900, 500}, kScreen);
    const float t = -ray.origin.z / ray.direction.z;
    const glm::vec3 back = camera.project(ray.at(t), kScreen);
    CHECK(back.x == Approx(900.0f).margin(0.1));
    CHECK(back.y == Approx(500.0f).margin(0.1));
}

TEST_CASE("a point behind the camera has no pixel") {
    const auto camera = flat_camera({{200, 200}, 0, 0.5f, 50});
    CHECK(camera.project({200, 0, 0}, kScreen).z <= 0);
}

TEST_CASE("the focus stays on the map, the pitch and the distance in their limits") {
    auto camera = flat_camera({{-50, 900}, 0, 3.0f, 5000});
    CHECK(camera.pose().focus.x == Approx(0.0f));
    CHECK(camera.pose().focus.y == Approx(512.0f));
    CHECK(camera.pose().pitch == Approx(camera.limits().max_pitch));
    CHECK(camera.pose().distance == Approx(camera.limits().max_distance));
    CameraInput input;
    input.pan_right = -1;
    for (int i = 0; i < 100; ++i) camera.update(input, 0.1f);
    CHECK(camera.pose().focus.x >= 0.0f);
}

TEST_CASE("panning goes to the right of the picture whatever the yaw is") {
    for (const float yaw : {0.0f, 1.0f, 2.5f, -2.0f}) {
        auto camera = flat_camera({{256, 256}, yaw, 0.8f, 80});
        const glm::vec3 before = camera.project({256, 256, 0}, kScreen);
        CameraInput input;
        input.pan_right = 1;
        camera.update(input, 0.2f);
        camera.update({}, 1.0f);
        const glm::vec3 after = camera.project({256, 256, 0}, kScreen);
        CHECK(after.x < before.x - 20);
        CHECK(std::abs(after.y - before.y) < 1.0f);
    }
}

TEST_CASE("the wheel zooms by a factor a step and smoothing ends at the wanted distance") {
    auto camera = flat_camera({{256, 256}, 0, 0.8f, 100});
    CameraInput input;
    input.zoom_steps = 2;
    camera.update(input, 0.016f);
    CHECK(camera.wanted().distance == Approx(100.0f * 0.86f * 0.86f));
    CHECK(camera.pose().distance > camera.wanted().distance);
    for (int i = 0; i < 60; ++i) camera.update({}, 0.05f);
    CHECK(camera.pose().distance == Approx(camera.wanted().distance).margin(0.01));
}

TEST_CASE("gliding takes the same time at 30 and at 144 pictures a second") {
    const auto glide = [](int rate) {
        auto camera = flat_camera({{100, 100}, 0, 0.8f, 100});
        camera.glide_to(glm::vec2{300, 100});
        for (int i = 0; i < rate / 5; ++i) camera.update({}, 1.0f / static_cast<float>(rate));
        return camera.pose().focus.x;
    };
    CHECK(glide(30) == Approx(glide(145)).margin(0.5));
}

TEST_CASE("the eye never sinks into a hill behind the focus") {
    StrategicCamera camera;
    CameraLimits limits;
    limits.map_max = {512, 512};
    camera.set_limits(limits);
    camera.set_ground([](glm::vec2 at) { return at.y < 200 ? 80.0f : 0.0f; });
    camera.jump_to({{256, 256}, 0, 0.4f, 100});
    CHECK(camera.eye().z > 80.0f);
}

TEST_CASE("a box selection takes own mobile units inside and nothing else") {
    const auto camera = flat_camera({{200, 200}, 0, 0.9f, 80});
    std::vector<Pickable> objects;
    const auto add = [&](std::uint32_t id, glm::vec2 at, bool own, bool mobile) {
        Pickable p;
        p.id = id;
        p.center = {at, 1};
        p.own = own;
        p.mobile = mobile;
        objects.push_back(p);
    };
    add(7, {205, 200}, true, true);
    add(3, {195, 200}, true, true);
    add(4, {200, 201}, false, true);   // another player's
    add(5, {200, 202}, true, false);   // a building
    add(6, {280, 200}, true, true);    // outside the box
    const glm::vec3 middle = camera.project({200, 200, 1}, kScreen);
    const ScreenBox box{{middle.x + 120, middle.y + 80}, {middle.x - 120, middle.y - 80}};
    CHECK(pick_box(box, objects, camera, kScreen) == std::vector<std::uint32_t>{3, 7});
}

TEST_CASE("a click takes the nearest object under the cursor before the ground") {
    const HeightField ground({{0, 0, 0}, {400, 0, 0}, {400, 400, 0}, {0, 400, 0}}, {{0, 1, 2}, {0, 2, 3}});
    const auto camera = flat_camera({{200, 200}, 0, 0.9f, 80});
    std::vector<Pickable> objects(2);
    for (std::size_t i = 0; i < 2; ++i) {
        objects[i].id = static_cast<std::uint32_t>(10 + i);
        objects[i].local = {{-2, -2, 0}, {2, 2, 3}};
        // The second stands behind the first as the camera sees it.
        objects[i].world = placement_matrix({200, 200 + static_cast<float>(i) * 2, 0}, {0, 0, 0.3f}, glm::vec3(1));
    }
    const glm::vec3 pixel = camera.project({200, 199, 1.5f}, kScreen);
    const auto hit = pick(camera.ray_through(glm::vec2(pixel), kScreen), objects, ground);
    REQUIRE(hit);
    CHECK(hit->object == 10u);
    const glm::vec3 free = camera.project({230, 190, 0}, kScreen);
    const auto bare = pick(camera.ray_through(glm::vec2(free), kScreen), objects, ground);
    REQUIRE(bare);
    CHECK_FALSE(bare->object);
    CHECK(bare->point.x == Approx(230.0f).margin(0.05));
    CHECK(bare->point.y == Approx(190.0f).margin(0.05));
}

TEST_CASE("a ray into the sky hits nothing") {
    const HeightField ground({{0, 0, 0}, {400, 0, 0}, {0, 400, 0}}, {{0, 1, 2}});
    CHECK_FALSE(pick({{50, 50, 10}, {0, 0, 1}}, {}, ground));
}
