#include <catch2/catch.hpp>

#include <filesystem>

#include "shared/base/file.hpp"
#include "tests/client/render_bench.hpp"
#include "tests/client/synthetic_scene.hpp"

using namespace iron;
using namespace iron::client;

namespace {

render::Picture plain(int width, int height, std::uint8_t value) {
    render::Picture out;
    out.width = width;
    out.height = height;
    out.rgba.assign(static_cast<std::size_t>(width * height) * 4, value);
    return out;
}

struct Stage {
    test::SyntheticScene scene = test::make_synthetic_scene();
    view::StrategicCamera camera = scene.camera({{206, 140}, 0.2f, 0.8f, 60});
    test::RenderBench& bench = test::RenderBench::get();
    Stage() { bench.renderer = std::move(render::Renderer::create({1, 1.0f, 1024, view::kCoarseTileDistanceSq}).value()); bench.renderer->load(scene.renderable()); }
};

}  // namespace

TEST_CASE("a picture of one colour or of nearly one colour counts as empty") {
    CHECK(render::looks_empty(plain(64, 64, 0)));
    CHECK(render::looks_empty(plain(64, 64, 200)));
    CHECK(render::looks_empty(render::Picture{}));
    render::Picture few = plain(64, 64, 90);
    for (int i = 0; i < 20; ++i) few.rgba[static_cast<std::size_t>(i) * 4] = static_cast<std::uint8_t>(i * 12);
    CHECK(render::looks_empty(few));
    render::Picture many = plain(64, 64, 0);
    for (std::size_t i = 0; i < many.rgba.size(); ++i) many.rgba[i] = static_cast<std::uint8_t>(i * 37 / 3);
    CHECK_FALSE(render::looks_empty(many));
}

TEST_CASE("the difference of two pictures counts pixels inside the rectangle above the threshold") {
    const render::Picture a = plain(10, 10, 100);
    render::Picture b = a;
    b.rgba[(3 * 10 + 4) * 4 + 1] = 150;   // pixel (4, 3), one channel
    b.rgba[(8 * 10 + 8) * 4] = 110;       // pixel (8, 8), below the threshold
    CHECK(render::count_different(a, b, {0, 0, 10, 10}) == 1);
    CHECK(render::count_different(a, b, {0, 0, 4, 10}) == 0);
    CHECK(render::count_different(a, b, {-5, -5, 50, 50}, 5) == 2);
    CHECK(render::count_different(a, plain(9, 10, 100), {0, 0, 10, 10}) == 100);
}

TEST_CASE("the terrain fills the lower part of the picture and is missing when it is hidden") {
    Stage stage;
    view::DrawList list;
    const auto with = stage.bench.draw(stage.scene.renderable(), list, stage.camera);
    CHECK_FALSE(render::looks_empty(with));
    list.terrain = false;
    const auto without = stage.bench.draw(stage.scene.renderable(), list, stage.camera);
    const auto differ = render::count_different(with, without, {0, 0, with.width, with.height});
    CHECK(differ > static_cast<std::uint64_t>(with.width * with.height) * 9 / 10);
}

TEST_CASE("a robot, its turret and its shadow are in the picture") {
    Stage stage;
    view::DrawList empty, robot;
    const auto pose = stage.scene.stand({206, 140}, 0.5f, 1.0f);
    robot.add_unit(stage.scene.robot, stage.scene.models, pose, {0.1f, 0.4f, 0.9f});
    const auto with = stage.bench.draw(stage.scene.renderable(), robot, stage.camera);
    const auto without = stage.bench.draw(stage.scene.renderable(), empty, stage.camera);
    const view::Box world = stage.scene.robot.bounds.transformed(pose.root);
    const render::PixelRect rect = test::pixels_of(world, stage.camera, with);
    const auto area = static_cast<std::uint64_t>((rect.right - rect.left) * (rect.bottom - rect.top));
    REQUIRE(area > 200);
    CHECK(render::count_different(with, without, rect) > area / 3);
    // The shadow darkens ground outside the robot's own pixels.
    const render::PixelRect around{rect.left - 20, rect.top - 12, rect.right + 20, rect.bottom + 12};
    CHECK(render::count_different(with, without, around) > render::count_different(with, without, rect) + 20);
    // Turning only the turret changes the picture, but only a little.
    view::DrawList turned;
    auto other = pose;
    other.turret_yaw += 0.8f;
    turned.add_unit(stage.scene.robot, stage.scene.models, other, {0.1f, 0.4f, 0.9f});
    const auto moved = stage.bench.draw(stage.scene.renderable(), turned, stage.camera);
    const auto change = render::count_different(with, moved, around);
    CHECK(change > 5);
    CHECK(change < area / 2);
}

TEST_CASE("the colour of the clan shows on the team material and nowhere else") {
    Stage stage;
    const auto picture = [&](glm::vec3 color) {
        view::DrawList list;
        list.add_unit(stage.scene.robot, stage.scene.models, stage.scene.stand({206, 140}, 0.5f), color);
        list.add_unit(stage.scene.hut, stage.scene.models, stage.scene.stand({222, 150}, 0.0f), color);
        return stage.bench.draw(stage.scene.renderable(), list, stage.camera);
    };
    const auto blue = picture({0.1f, 0.3f, 0.95f}), red = picture({0.95f, 0.15f, 0.1f});
    const auto rect_of = [&](const view::UnitModel& unit, glm::vec2 at, float yaw) {
        return test::pixels_of(unit.bounds.transformed(stage.scene.stand(at, yaw).root), stage.camera, blue);
    };
    CHECK(render::count_different(blue, red, rect_of(stage.scene.robot, {206, 140}, 0.5f), 40) > 20);
    CHECK(render::count_different(blue, red, rect_of(stage.scene.hut, {222, 150}, 0.0f)) == 0);
}

TEST_CASE("the same frame drawn twice is the same picture") {
    Stage stage;
    view::DrawList list;
    list.add_unit(stage.scene.hut, stage.scene.models, stage.scene.stand({206, 140}, 0.5f), {1, 1, 1});
    const auto a = stage.bench.draw(stage.scene.renderable(), list, stage.camera);
    const auto b = stage.bench.draw(stage.scene.renderable(), list, stage.camera);
    CHECK(a.rgba == b.rgba);
}

TEST_CASE("a world drawn with fewer pixels shows the same things") {
    Stage stage;
    view::DrawList list;
    list.add_unit(stage.scene.hut, stage.scene.models, stage.scene.stand({206, 140}, 0.5f), {1, 1, 1});
    render::FrameTarget full, half;
    REQUIRE(full.resize(480, 320, 1));
    REQUIRE(half.resize(480, 320, 1, 0.5f));
    stage.bench.renderer->draw(full, stage.scene.renderable(), list, stage.camera, 1.0f);
    stage.bench.renderer->draw(half, stage.scene.renderable(), list, stage.camera, 1.0f);
    const auto a = full.read(), b = half.read();
    CHECK(b.width == 480);
    CHECK(a.rgba != b.rgba);
    CHECK(render::count_different(a, b, {0, 0, 480, 320}, 60) < 480 * 320 / 50);
}

TEST_CASE("water moves with time and dry land does not") {
    Stage stage;
    const auto changed = [&](const view::CameraPose& pose) {
        const auto camera = stage.scene.camera(pose);
        stage.bench.renderer->draw(stage.bench.target, stage.scene.renderable(), {}, camera, 1.0f);
        const auto a = stage.bench.target.read();
        stage.bench.renderer->draw(stage.bench.target, stage.scene.renderable(), {}, camera, 2.5f);
        const auto b = stage.bench.target.read();
        return static_cast<double>(render::count_different(a, b, {0, 0, a.width, a.height}, 1)) / (a.width * a.height);
    };
    CHECK(changed({{330, 200}, 0, 0.9f, 60}) > 0.3);
    CHECK(changed({{120, 400}, 0, 1.2f, 60}) == 0.0);
}

TEST_CASE("a screenshot is a PNG of the picture's size") {
    render::Picture picture = plain(33, 17, 120);
    const auto path = std::filesystem::temp_directory_path() / "iron3d_render_test.png";
    REQUIRE(render::write_png(path, picture));
    const auto bytes = read_file(path).value();
    std::filesystem::remove(path);
    REQUIRE(bytes.size() > 33);
    CHECK(bytes[1] == 'P');
    CHECK(bytes[19] == 33);   // IHDR width, big-endian
    CHECK(bytes[23] == 17);   // height
    CHECK_FALSE(render::write_png("/proc/none/x.png", picture));
    CHECK_FALSE(render::write_png(path, render::Picture{}));
}
