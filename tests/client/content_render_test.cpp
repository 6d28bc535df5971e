// The built-in mission is really in the picture: each kind of thing is compared with the frame
// drawn without it.
#include <catch2/catch.hpp>

#include "client/view/frame_builder.hpp"
#include "client/view/scene.hpp"
#include "tests/client/content_scene.hpp"
#include "tests/client/render_bench.hpp"

using namespace iron;
using namespace iron::client;
using iron::client::test::mission_scene;

namespace {

/// A camera that has the object large in the middle of the picture.
view::StrategicCamera look_at(const view::PlacedObject& object) {
    view::Scene& scene = mission_scene();
    view::StrategicCamera camera;
    view::CameraLimits limits;
    limits.map_min = glm::vec2(scene.terrain().bounds.min);
    limits.map_max = glm::vec2(scene.terrain().bounds.max);
    camera.set_limits(limits);
    camera.set_ground([&scene](glm::vec2 at) { return scene.ground().height_or_nearest(at); });
    camera.jump_to({glm::vec2(object.bounds.center()), 0.6f, 0.75f, std::max(16.0f, object.bounds.radius() * 4.0f)});
    return camera;
}

render::Picture picture(const view::StrategicCamera& camera, const view::Visibility& visible) {
    view::Scene& scene = mission_scene();
    auto& bench = test::RenderBench::get();
    static view::Scene* loaded = nullptr;
    if (loaded != &scene) {
        bench.renderer = std::move(render::Renderer::create({1, 1.0f, 1024, view::kCoarseTileDistanceSq}).value());
        bench.renderer->load(render::render_scene(scene));
        loaded = &scene;
    }
    view::FrameBuilder frame(scene);
    view::FrameContext context;
    context.visible = visible;
    view::DrawList list;
    frame.build_offline(context, list);
    return bench.draw(render::render_scene(scene), list, camera);
}

template <class Pred>
const view::PlacedObject* first_placed(Pred&& pred) {
    for (const view::PlacedObject& object : mission_scene().placed())
        if (pred(object) && !object.bounds.empty()) return &object;
    return nullptr;
}

/// Share of the object's rectangle that changes when its kind is hidden.
double visible_share(const view::PlacedObject& object, bool view::Visibility::*kind) {
    const auto camera = look_at(object);
    view::Visibility without;
    without.*kind = false;
    const auto with_it = picture(camera, {}), without_it = picture(camera, without);
    REQUIRE_FALSE(render::looks_empty(with_it));
    const render::PixelRect rect = test::pixels_of(object.bounds, camera, with_it);
    const double area = static_cast<double>(rect.right - rect.left) * (rect.bottom - rect.top);
    REQUIRE(area > 400);
    return static_cast<double>(render::count_different(with_it, without_it, rect)) / area;
}

}  // namespace

TEST_CASE("the built-in mission loads for drawing without anything missing") {
    const view::Scene& scene = mission_scene();
    for (const Diagnostic& note : scene.notes()) FAIL_CHECK(note.message);
    CHECK(scene.height_scale() == 1.0f);
    CHECK(scene.terrain().vertices.size() > 1000);
    CHECK(scene.placed().size() > 10);
    for (std::uint32_t unit = 0; unit < scene.units().size(); ++unit) CHECK_FALSE(scene.is_placeholder(unit));
}

TEST_CASE("a robot of the built-in mission is visible") {
    const auto* robot = first_placed([](const view::PlacedObject& o) {
        return !o.is_building && !o.is_static && (mission_scene().units()[o.unit].scheme_type & 0x01000000u) != 0;
    });
    REQUIRE(robot);
    CHECK(visible_share(*robot, &view::Visibility::units) > 0.2);
}

TEST_CASE("a building of the built-in mission is visible") {
    const auto* building = first_placed([](const view::PlacedObject& o) { return o.is_building; });
    REQUIRE(building);
    CHECK(visible_share(*building, &view::Visibility::buildings) > 0.3);
}

TEST_CASE("a static object of the built-in mission is visible") {
    const auto* object = first_placed([](const view::PlacedObject& o) { return o.is_static; });
    REQUIRE(object);
    CHECK(visible_share(*object, &view::Visibility::statics) > 0.08);
}

TEST_CASE("the terrain of the built-in mission is visible") {
    const auto* building = first_placed([](const view::PlacedObject& o) { return o.is_building; });
    REQUIRE(building);
    const auto camera = look_at(*building);
    view::Visibility bare{true, false, false, false, false}, nothing{false, false, false, false, false};
    const auto with = picture(camera, bare), without = picture(camera, nothing);
    const auto all = static_cast<std::uint64_t>(with.width * with.height);
    CHECK(render::count_different(with, without, {0, 0, with.width, with.height}) > all * 9 / 10);
}
