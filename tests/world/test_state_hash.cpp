#include <catch2/catch.hpp>

#include <functional>

#include "tests/world/synthetic.hpp"

using namespace iron;
using namespace iron::world;
using namespace synthetic;

namespace {

MissionMaker plain_mission() {
    MissionMaker m;
    m.clan("red").clan("blue");
    for (int i = 0; i < 4; ++i) {
        auto& o = m.unit(0, 30.0f + 10.0f * static_cast<float>(i), 30);
        o.properties.push_back({1, {0, 100, 5}, "LogicalID"});
    }
    m.unit(1, 200, 200);
    m.block(0, 120, 120, 6, 6);
    return m;
}

}  // namespace

TEST_CASE("the blocks have their names and numbers") {
    CHECK(block_name(1) == "CLOCK");
    CHECK(block_name(6) == "BEHAVIOR");
    CHECK(block_name(13) == "SHOTS");
    CHECK(block_name(17) == "MATCH");
    CHECK(block_name(0).empty());
    CHECK(block_name(18).empty());
}

TEST_CASE("the total is the hash over tag, numbers, lengths and digests; empty blocks count") {
    StateBlocks blocks;
    blocks[0] = {1, 2, 3};
    Sha256 expected;
    expected.update("ironserver-state-v1").put(std::uint8_t{0});
    for (std::uint32_t i = 0; i < 17; ++i)
        expected.put(std::uint32_t{i + 1}).put(std::uint64_t{i == 0 ? 3u : 0u}).update(sha256(blocks[i]));
    const StateHash h = hash_blocks(blocks);
    CHECK(h.total == expected.finish());
    // SHA-256 of nothing.
    CHECK(to_hex(h.blocks[12]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("one changed field changes the digest of its block and of no other") {
    struct Change {
        HashBlock block;
        const char* what;
        std::function<void(WorldState&)> apply;
    };
    const std::uint32_t kSlot = 2;
    const std::vector<Change> changes{
        {HashBlock::clock, "tick", [](WorldState& s) { s.clock.tick++; }},
        {HashBlock::clock, "paused", [](WorldState& s) { s.clock.paused = true; }},
        {HashBlock::ids, "next shot", [](WorldState& s) { s.next_shot++; }},
        {HashBlock::objects, "position", [&](WorldState& s) { s.bodies[kSlot].position.x += 0.001f; }},
        {HashBlock::objects, "speed", [&](WorldState& s) { s.bodies[kSlot].speed = -0.0f; }},
        {HashBlock::objects, "owner", [&](WorldState& s) { s.store.at(kSlot).authority = 2; }},
        {HashBlock::objects, "clan", [&](WorldState& s) { s.store.at(kSlot).clan = 1; }},
        {HashBlock::objects, "life state", [&](WorldState& s) { s.store.at(kSlot).life = LifeState::pending_delete; }},
        {HashBlock::props, "property word", [&](WorldState& s) { s.properties[kSlot].find("LogicalID")->words[3] = 6; }},
        {HashBlock::props, "added property", [&](WorldState& s) { s.properties[kSlot].add({"x", {}}); }},
        {HashBlock::control, "life", [&](WorldState& s) { s.bodies[kSlot].life--; }},
        {HashBlock::control, "tilt", [&](WorldState& s) { s.bodies[kSlot].tilt_goal.x = 0.1f; }},
        {HashBlock::behavior, "state", [&](WorldState& s) { s.brains[kSlot].state = iron::behavior::State::stuck; }},
        {HashBlock::behavior, "stance", [&](WorldState& s) { s.brains[kSlot].stance = 1; }},
        {HashBlock::behavior, "order", [&](WorldState& s) { s.brains[kSlot].orders.emplace_back(); }},
        {HashBlock::behavior, "heading", [&](WorldState& s) { s.brains[kSlot].heading.x += 1e-6f; }},
        {HashBlock::behavior, "pass-through", [&](WorldState& s) { s.brains[kSlot].pass_until = 99; }},
        {HashBlock::rng, "a draw", [](WorldState& s) { s.rng[1].next(); }},
        {HashBlock::queue, "a message", [](WorldState& s) { s.queue->post({MessageId::collision, s.store.handle_of(0), {}}); }},
        {HashBlock::contacts, "a pair", [](WorldState& s) { s.contacts.push_back({unit_id(1, 0), unit_id(1, 1)}); }},
        {HashBlock::routes, "a request", [](WorldState& s) { s.routes.mutable_waiting().push_back({3, 1, 0}); }},
        {HashBlock::match, "score", [](WorldState& s) { s.clans[0].score++; }},
        {HashBlock::match, "relation", [](WorldState& s) { s.pairs[1].hostile_until = 50; }},
    };
    for (const Change& c : changes) {
        auto m = plain_mission();
        auto w = make_world(m);
        Driver d(*w);
        d.run(3);
        const StateHash before = w->state_hash();
        c.apply(w->mutable_state());
        const StateHash after = w->state_hash();
        INFO(block_name(static_cast<std::uint32_t>(c.block)) << ": " << c.what);
        CHECK(differing_blocks(before, after) == std::vector<std::uint32_t>{static_cast<std::uint32_t>(c.block)});
        CHECK(before.total != after.total);
    }
}

TEST_CASE("what is derived does not reach the hash") {
    auto m = plain_mission();
    auto w = make_world(m);
    Driver d(*w);
    d.move(1, {unit_id(1, 0), unit_id(1, 1)}, 150, 60);
    d.run(40);
    const StateHash before = w->state_hash();
    WorldState& s = w->mutable_state();
    s.refresh_grid();
    s.registry_changed = true;
    s.refresh_lists();
    s.events.clear();
    s.scale_percent = 400;  // decides when ticks happen, never what they do
    CHECK(w->state_hash() == before);
}

TEST_CASE("a difference names its object") {
    auto ma = plain_mission(), mb = plain_mission();
    auto a = make_world(ma), b = make_world(mb);
    b->mutable_state().bodies[3].position.y += 1;
    CHECK(differing_objects(a->object_digests(HashBlock::objects), b->object_digests(HashBlock::objects)) ==
          std::vector<ObjectId>{b->state().id(3)});
    CHECK(differing_objects(a->object_digests(HashBlock::props), b->object_digests(HashBlock::props)).empty());
    CHECK(a->object_digests(HashBlock::clock).empty());
    CHECK(a->object_digests(HashBlock::control).size() == 6);
    // An object that exists on one side only.
    auto list = a->object_digests(HashBlock::objects);
    const ObjectId gone = list[2].id;
    list.erase(list.begin() + 2);
    CHECK(differing_objects(a->object_digests(HashBlock::objects), list) == std::vector<ObjectId>{gone});
}

TEST_CASE("another seed, another rule or another input gives another hash") {
    auto run = [](std::uint64_t seed, float goal) {
        auto m = plain_mission();
        auto w = make_world(m, seed);
        Driver d(*w);
        d.move(1, {unit_id(1, 0)}, goal, 60);
        d.run(100);
        return w->state_hash();
    };
    const StateHash base = run(1, 100);
    CHECK(run(1, 100) == base);
    CHECK(differing_blocks(run(2, 100), base) == std::vector<std::uint32_t>{11});
    CHECK(run(1, 101).total != base.total);
}
