#include <catch2/catch.hpp>

#include "server/control/contacts.hpp"
#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {
struct Scene {
    MissionMaker maker;
    std::unique_ptr<World> w;
    std::unique_ptr<Driver> d;
    Scene() { maker.clan("red").clan("blue"); }
    void start() {
        w = make_world(maker);
        d = std::make_unique<Driver>(*w);
    }
    const ObjectView& at(ObjectId id) const { return view(*w->snapshot(), id); }
    float gap(ObjectId a, ObjectId b) const {
        const Vec3 d3 = at(a).position - at(b).position;
        return length(Vec2{d3.x, d3.y});
    }
};
}  // namespace

TEST_CASE("units that stand inside each other come apart to the contact distance") {
    Scene s;
    s.maker.unit(0, 100, 100);
    s.maker.unit(0, 101, 100);
    s.maker.unit(1, 150, 100);
    s.maker.unit(0, 151, 100);
    s.start();
    s.d->run(30);
    CHECK(s.gap(unit_id(1, 0), unit_id(1, 1)) == Approx(4).margin(0.01));  // own: 0.8 x 5
    CHECK(s.gap(unit_id(2, 0), unit_id(1, 2)) == Approx(5).margin(0.01));  // hostile: 5
}

TEST_CASE("two equal units share the correction, whichever id they have") {
    for (bool swapped : {false, true}) {
        Scene s;
        s.maker.unit(0, swapped ? 102.0f : 100.0f, 100);
        s.maker.unit(0, swapped ? 100.0f : 102.0f, 100);
        s.start();
        s.d->run(10);
        const float a = s.at(unit_id(1, swapped ? 1 : 0)).position.x, b = s.at(unit_id(1, swapped ? 0 : 1)).position.x;
        CHECK(a + b == Approx(202));
        CHECK(a == Approx(99).margin(0.01));
        CHECK(b == Approx(103).margin(0.01));
    }
}

TEST_CASE("the same place separates along +X for the lower id") {
    Scene s;
    s.maker.unit(0, 100, 100);
    s.maker.unit(0, 100, 100);
    s.start();
    s.d->run(10);
    CHECK(s.at(unit_id(1, 0)).position.x < 100);
    CHECK(s.at(unit_id(1, 1)).position.x > 100);
    CHECK(s.at(unit_id(1, 0)).position.y == 100);
}

TEST_CASE("an idle unit steps aside for an own one, and comes back after a while") {
    Scene s;
    s.maker.unit(0, 104, 60);
    s.maker.unit(0, 104.5f, 100);
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 104, 180);
    float farthest = 0;
    for (int t = 0; t < 1500; ++t) {
        s.d->run(1);
        farthest = std::max(farthest, s.at(unit_id(1, 1)).position.x);
    }
    // To the side on which it stands: the right.
    CHECK(farthest > 106);
    CHECK(s.at(unit_id(1, 1)).position.x < 109.6f);
    CHECK(s.d->count(EventKind::order_done) == 1);
    CHECK(s.d->count(EventKind::order_failed) == 0);
    CHECK(s.at(unit_id(1, 0)).position.y > 177);
}

TEST_CASE("units stay out of buildings and trees") {
    Scene s;
    s.maker.block(0, 128, 128, 10, 10);
    auto tree = make_scheme("tree_a", 0, 0);
    tree->is_scheme = false;
    auto& t = s.maker.object(tree, -1, 80, 128);
    t.raw_kind = 2;
    t.logic_id = mission::LogicId::static_object;
    for (int i = 0; i < 8; ++i) s.maker.unit(0, 40, 100.0f + 7.0f * static_cast<float>(i));
    s.start();
    std::vector<ObjectId> all;
    for (std::uint32_t i = 0; i < 8; ++i) all.push_back(unit_id(1, i));
    s.d->move(1, all, 210, 128);
    for (int tick = 0; tick < 2500; ++tick) {
        s.d->run(1);
        for (const auto& id : all) {
            const Vec3 p = s.at(id).position;
            const float dx = std::max({118 - p.x, 0.0f, p.x - 138}), dy = std::max({118 - p.y, 0.0f, p.y - 138});
            CHECK(length(Vec2{dx, dy}) > 2.45f);
            CHECK(length(Vec2{p.x - 80, p.y - 128}) > 3.25f);  // 0.8 + 2.5
        }
    }
    CHECK(s.d->count(EventKind::order_done) == 8);
}

TEST_CASE("own units never come closer than the contact distance while they drive") {
    Scene s;
    std::vector<ObjectId> all;
    for (std::uint32_t i = 0; i < 16; ++i) {
        s.maker.unit(0, 60.0f + 8.0f * static_cast<float>(i % 4), 60.0f + 8.0f * static_cast<float>(i / 4));
        all.push_back(unit_id(1, i));
    }
    s.start();
    s.d->move(1, all, 190, 190);
    float nearest = 100;
    for (int tick = 0; tick < 2500; ++tick) {
        s.d->run(1);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a + 1; b < all.size(); ++b)
                if (((s.at(all[a]).flags | s.at(all[b]).flags) & kPassThrough) == 0) nearest = std::min(nearest, s.gap(all[a], all[b]));
    }
    // Overlap of mobiles may remain until the next tick.
    CHECK(nearest > 3.5f);
    CHECK(s.d->count(EventKind::order_done) == 16);
}

TEST_CASE("a contact is reported once while it lasts, to the lower id first") {
    Scene s;
    s.maker.unit(0, 100, 100);
    s.maker.unit(1, 104, 100);
    s.start();
    auto& state = s.w->mutable_state();
    s.d->run(1);
    CHECK(state.contacts == std::vector<std::pair<ObjectId, ObjectId>>{{unit_id(1, 0), unit_id(2, 0)}});
    s.d->run(5);
    CHECK(state.contacts.size() == 1);
    s.d->session(SessionAct::admin_kill, 0, 0, unit_id(2, 0));
    s.d->run(1);
    CHECK(state.contacts.empty());
}

TEST_CASE("ramming above 8 wu/s costs both the same, own pairs nothing") {
    Scene s;
    s.maker.unit(0, 100, 40);
    s.maker.unit(1, 100, 200).orientation.z = kPi;
    s.start();
    s.d->move(1, {unit_id(1, 0)}, 100, 230);
    s.d->move(2, {unit_id(2, 0)}, 100, 10);
    // Steering would avoid the other one: both are aimed straight for this test.
    auto& state = s.w->mutable_state();
    for (int t = 0; t < 700; ++t) {
        for (auto& b : state.brains) {
            b.want_speed = 10;
            b.heading = {0, b.goal.y > 100 ? 1.0f : -1.0f};
        }
        s.d->run(1);
        if (!state.contacts.empty()) break;
    }
    REQUIRE_FALSE(state.contacts.empty());
    const auto a = s.at(unit_id(1, 0)), b = s.at(unit_id(2, 0));
    CHECK(a.life < a.life_max);
    CHECK(a.life_max - a.life == b.life_max - b.life);
    // (v - 8)^2 / 2 at some 20 wu/s closing speed: at most 72.
    CHECK(a.life_max - a.life <= 72'000);
}

TEST_CASE("damage takes equal shares of the pieces that are left, and zero life kills") {
    Scene s;
    s.maker.unit(0, 100, 100);
    s.start();
    auto& state = s.w->mutable_state();
    const std::uint32_t slot = state.store.slot_of(unit_id(1, 0));
    auto& body = state.bodies[slot];
    body.pieces = body.pieces_max = {300, 100, 0, 600};
    body.life = body.life_max = 1000;
    control::apply_damage(state, slot, 100, KillCause::damage, {});
    CHECK(body.pieces == std::vector<std::uint32_t>{266, 67, 0, 567});  // 33 each, one more for the first
    CHECK(body.life == 900);
    body.invulnerable = 1;
    control::apply_damage(state, slot, 100, KillCause::damage, {});
    CHECK(body.life == 900);
    body.invulnerable = 0;
    control::apply_damage(state, slot, 5000, KillCause::damage, unit_id(2, 0));
    s.d->run(1);
    REQUIRE(s.d->last(EventKind::killed));
    CHECK(s.d->last(EventKind::killed)->other == unit_id(2, 0));
    CHECK(s.w->snapshot()->objects.empty());
}
