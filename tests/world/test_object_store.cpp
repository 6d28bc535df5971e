#include <catch2/catch.hpp>

#include "server/world/object_store.hpp"
#include "server/world/property_bag.hpp"

using namespace iron;
using namespace iron::world;

namespace {
ObjectSeed seed(PlayerNumber owner, std::uint8_t logic_class = 4) {
    ObjectSeed s;
    s.owner = owner;
    s.logic_class = logic_class;
    return s;
}
}  // namespace

TEST_CASE("an id holds owner, class and index in its documented bits") {
    const ObjectId id = ObjectId::make(3, 4, 0x123);
    CHECK(id.raw == 0x00034123u);
    CHECK(id.owner() == 3);
    CHECK(id.logic_class() == 4);
    CHECK(id.index() == 0x123);
}

TEST_CASE("indices count per owner and class in registration order") {
    ObjectStore store;
    const auto a = store.create(seed(1)).value(), b = store.create(seed(1)).value(), c = store.create(seed(2)).value();
    const auto d = store.create(seed(1, 3)).value();
    for (auto h : {b, a, c, d}) REQUIRE(store.add(h, 0));
    CHECK(store.at(b.slot).id == ObjectId::make(1, 4, 0));
    CHECK(store.at(a.slot).id == ObjectId::make(1, 4, 1));
    CHECK(store.at(c.slot).id == ObjectId::make(2, 4, 0));
    CHECK(store.at(d.slot).id == ObjectId::make(1, 3, 0));
    CHECK(store.at(b.slot).registration == 1);
    CHECK(store.slot_of(ObjectId::make(1, 4, 1)) == a.slot);
    CHECK(store.slot_of(ObjectId::make(9, 4, 1)) == kNoSlot);
}

TEST_CASE("registering twice is an error, and so is an identity that lives already") {
    ObjectStore store;
    const auto a = store.create(seed(1)).value();
    REQUIRE(store.add(a, 0));
    CHECK(store.add(a, 0).error().code() == "already_registered");
    ObjectSeed forced = seed(1);
    forced.id = ObjectId::make(1, 4, 0);
    const auto b = store.create(forced).value();
    CHECK(store.add(b, 0).error().code() == "duplicate_id");
    forced.id = ObjectId::make(1, 4, 7);
    const auto c = store.create(forced).value();
    CHECK(store.add(c, 0));
    // The index in between is still free, the forced one is not.
    const auto d = store.create(seed(1)).value();
    REQUIRE(store.add(d, 0));
    CHECK(store.at(d.slot).id.index() == 1);
}

TEST_CASE("stale, deleted and invalid handles are three different errors") {
    ObjectStore store;
    const auto a = store.create(seed(1)).value();
    CHECK(a.generation == 1);
    REQUIRE(store.release(a, 0));
    CHECK(store.find(a).error().code() == "handle_deleted");
    const auto b = store.create(seed(1)).value();
    CHECK(b.slot == a.slot);
    CHECK(b.generation == 2);
    CHECK(store.find(a).error().code() == "handle_stale");
    CHECK(store.find({99, 1}).error().code() == "handle_invalid");
    CHECK(store.find({b.slot, 3}).error().code() == "handle_invalid");
    CHECK(store.find({b.slot, 0}).error().code() == "handle_invalid");
}

TEST_CASE("a freed index rests for 2048 ticks, then the lowest comes first") {
    ObjectStore store;
    std::vector<ObjectHandle> h;
    for (int i = 0; i < 4; ++i) {
        h.push_back(store.create(seed(1)).value());
        REQUIRE(store.add(h.back(), 0));
    }
    REQUIRE(store.release(h[2], 100));
    REQUIRE(store.release(h[1], 200));
    const auto next = [&](Tick now) {
        const auto x = store.create(seed(1)).value();
        REQUIRE(store.add(x, now));
        return store.at(x.slot).id.index();
    };
    CHECK(next(2147) == 4);  // 100 + 2048 is not reached
    CHECK(next(2148) == 2);
    CHECK(next(2248) == 1);
}

TEST_CASE("the 4097th object of an owner and class fails with limit") {
    ObjectStore store;
    for (std::uint32_t i = 0; i < kIndexLimit; ++i) REQUIRE(store.add(store.create(seed(1)).value(), 0));
    const auto over = store.create(seed(1)).value();
    CHECK(store.add(over, 0).error().code() == "limit");
    CHECK(store.free_indices(1, 4, 0) == 0);
    CHECK(store.free_indices(2, 4, 0) == kIndexLimit);
    CHECK(store.add(store.create(seed(2)).value(), 0));
}

TEST_CASE("a property bag keeps order and duplicates and reads the first") {
    PropertyBag bag;
    bag.add({"Life state", {1, 0, 100, 40}});
    bag.add({"NOT USED", {1, 0, 0, 0}});
    bag.add({"Life state", {0, 0, 0, 0x3F000000}});  // 0.5f
    CHECK(bag.size() == 3);
    CHECK(bag.integer("Life state") == 40);
    CHECK(bag.number("Life state") == 40.0f);
    CHECK_FALSE(bag.number("life state"));
    bag.items();
    PropertyBag nan;
    nan.add({"x", {0, 0, 0, 0x7FC00000}});
    CHECK_FALSE(nan.number("x"));
}
