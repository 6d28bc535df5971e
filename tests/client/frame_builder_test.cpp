// From mirrors to the draw list, over the built-in mission.
#include <catch2/catch.hpp>

#include <algorithm>

#include "client/view/frame_builder.hpp"
#include "tests/client/content_scene.hpp"

using namespace iron;
using namespace iron::client;
using iron::client::test::mission_scene;

namespace {

constexpr std::uint32_t kRobotId = 0x00014001, kStaticId = 0x0000A001;
constexpr double kStepMs = 20;

/// A robot of the mission as the server would announce it.
net::Mirror robot_mirror(glm::vec2 at) {
    for (const mission::ObjectBlueprint& object : mission_scene().blueprint().objects)
        if ((object.scheme_type() & 0x01000000u) != 0 && object.scheme_type() != 0x01020000u) {
            net::Mirror m;
            m.id = kRobotId;
            m.owner = 1;
            m.clan = 0;
            m.logic_id = 4;
            m.scheme_type = object.scheme_type();
            m.prototype_key = object.assembly->path;
            m.life_max = 100'000;
            m.created_tick = 100;
            m.current.tick = 100;
            m.current.position = {at.x, at.y, -500};  // the client's own ground decides
            m.current.life = 0.5f;
            m.current.absolute = true;
            m.previous = m.current;
            return m;
        }
    FAIL("the mission has no robot");
    return {};
}

struct Stage {
    net::MirrorStore mirrors;
    view::FrameBuilder frame{mission_scene()};
    view::Selection selection;
    view::DrawList list;
    view::FrameContext context;
    glm::vec2 at{mission_scene().terrain().bounds.center()};

    Stage() {
        context.own_player = 1;
        context.own_clan = 0;
        context.frame_seconds = 0.02f;
    }
    void push(std::uint64_t tick, glm::vec2 place, float yaw = 0) {
        net::MirrorSample s;
        s.tick = tick;
        s.position = {place.x, place.y, -500};
        s.yaw = yaw;
        s.life = 0.5f;
        REQUIRE(mirrors.push_sample(kRobotId, s));
        frame.feed(mirrors, kStepMs);
    }
    const view::ShownObject& show(double ms) {
        context.show_ms = ms;
        frame.build(context, selection, list);
        const view::ShownObject* object = frame.find(kRobotId);
        REQUIRE(object);
        return *object;
    }
};

std::size_t drawn_units(const view::DrawList& list) { return list.contacts.size(); }

}  // namespace

TEST_CASE("a robot is shown between its samples and on the client's own ground") {
    Stage stage;
    REQUIRE(stage.mirrors.create({robot_mirror(stage.at)}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.push(102, stage.at + glm::vec2(2, 0));
    stage.push(104, stage.at + glm::vec2(6, 0), 0.4f);
    // Tick 103 = 2060 ms: half way from 2 to 6.
    const view::ShownObject& shown = stage.show(2060);
    CHECK(shown.position.x == Approx(stage.at.x + 4));
    CHECK(shown.yaw == Approx(0.2f));
    CHECK(shown.position.z == Approx(mission_scene().ground().height_or_nearest(glm::vec2(shown.position))));
    CHECK(shown.own);
    CHECK_FALSE(shown.building);
    CHECK(stage.list.pickables.size() == 1);
    CHECK(stage.list.pickables[0].mobile);
}

TEST_CASE("a damaged robot has a life bar, a selected one a ring") {
    Stage stage;
    REQUIRE(stage.mirrors.create({robot_mirror(stage.at)}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.show(2000);
    REQUIRE(stage.list.bars.size() == 1);
    CHECK(stage.list.bars[0].life == 0.5f);
    CHECK(stage.list.marks.empty());
    stage.selection.set({kRobotId});
    stage.show(2000);
    CHECK(stage.list.marks.size() == 1);
    CHECK(stage.list.bars[0].selected);
}

TEST_CASE("hiding a kind leaves it out of the draw list and the rest in") {
    Stage stage;
    REQUIRE(stage.mirrors.create({robot_mirror(stage.at)}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.show(2000);
    const std::size_t all = stage.list.models.size();
    CHECK(drawn_units(stage.list) == 1);
    stage.context.visible.units = false;
    stage.show(2000);
    CHECK(drawn_units(stage.list) == 0);
    CHECK(stage.list.models.size() < all);
    CHECK(stage.list.pickables.empty());
    stage.context.visible.statics = false;
    stage.show(2000);
    CHECK(stage.list.models.empty());
}

TEST_CASE("a remembered object is a ghost that cannot be clicked") {
    Stage stage;
    REQUIRE(stage.mirrors.create({robot_mirror(stage.at)}));
    REQUIRE(stage.mirrors.hide(kRobotId, true, 110));
    stage.frame.feed(stage.mirrors, kStepMs);
    CHECK(stage.show(2200).remembered);
    CHECK(stage.list.pickables.empty());
    CHECK(stage.list.models.front().fade < 1.0f);
}

TEST_CASE("a killed object is gone from the next frame") {
    Stage stage;
    REQUIRE(stage.mirrors.create({robot_mirror(stage.at)}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.show(2000);
    REQUIRE(stage.mirrors.kill(kRobotId, 110));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.context.show_ms = 2200;
    stage.frame.build(stage.context, stage.selection, stage.list);
    CHECK(stage.frame.find(kRobotId) == nullptr);
}

TEST_CASE("a tree is drawn once although the server mirrors it, and no more when it is killed") {
    Stage stage;
    const auto& placed = mission_scene().placed();
    const auto tree = std::find_if(placed.begin(), placed.end(), [](const view::PlacedObject& o) { return o.is_static; });
    REQUIRE(tree != placed.end());
    stage.frame.build(stage.context, stage.selection, stage.list);
    const std::size_t before = stage.list.models.size();
    net::Mirror m;
    m.id = kStaticId;
    m.logic_id = 10;
    m.current.position = {tree->world[3].x, tree->world[3].y, 0};
    m.previous = m.current;
    REQUIRE(stage.mirrors.create({m}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.frame.build(stage.context, stage.selection, stage.list);
    CHECK(stage.list.models.size() == before);
    CHECK(stage.frame.shown().empty());
    REQUIRE(stage.mirrors.kill(kStaticId, 50));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.frame.build(stage.context, stage.selection, stage.list);
    CHECK(stage.list.models.size() < before);
}

TEST_CASE("a prototype the content lacks is shown as a placeholder and reported once") {
    Stage stage;
    net::Mirror m = robot_mirror(stage.at);
    m.prototype_key = "units/nowhere.dat";
    REQUIRE(stage.mirrors.create({m}));
    stage.frame.feed(stage.mirrors, kStepMs);
    stage.frame.feed(stage.mirrors, kStepMs);
    const auto errors = stage.frame.take_content_errors();
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].first == kRobotId);
    CHECK(errors[0].second == "units/nowhere.dat");
    stage.show(2000);
    CHECK(drawn_units(stage.list) == 1);
}

TEST_CASE("an order marker shrinks away after its time") {
    Stage stage;
    stage.context.visible.statics = false;
    stage.context.local_ms = 10'000;
    stage.frame.add_marker({view::OrderMarker::Kind::move, {10, 10}, 10'000});
    stage.frame.build(stage.context, stage.selection, stage.list);
    CHECK(stage.list.marks.size() == 2);
    stage.context.local_ms = 10'000 + view::kOrderMarkerMs + 1;
    stage.frame.build(stage.context, stage.selection, stage.list);
    CHECK(stage.list.marks.empty());
}

TEST_CASE("clans have different colours, neutral ones are grey") {
    const view::Scene& scene = mission_scene();
    CHECK(scene.clan_color(0xFF) == view::kNeutralColor);
    CHECK(scene.clan_color(200) == view::kNeutralColor);
    CHECK(scene.clan_color(0) != scene.clan_color(1));
}
