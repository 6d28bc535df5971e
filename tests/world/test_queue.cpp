#include <catch2/catch.hpp>

#include <functional>

#include "server/world/phases.hpp"
#include "server/world/queue.hpp"

using namespace iron;
using namespace iron::world;

namespace {

/// Records what it sees; a hook may act like a game object does.
struct Recorder : QueueHandler {
    std::vector<std::pair<std::uint32_t, MessageId>> seen;
    std::vector<std::uint64_t> commands;
    std::vector<std::uint32_t> released;
    std::function<void(ObjectHandle, const Message&)> hook;
    std::function<void(ObjectHandle)> release_hook;

    Status on_message(ObjectHandle self, const Message& m) override {
        seen.emplace_back(self.slot, m.id);
        if (hook) hook(self, m);
        return {};
    }
    Status on_command(const TargetedCommand& c) override {
        commands.push_back(c.sequence);
        return {};
    }
    void on_release(ObjectHandle h) override {
        released.push_back(h.slot);
        if (release_hook) release_hook(h);
    }
    std::size_t count(std::uint32_t slot, MessageId id) const {
        std::size_t n = 0;
        for (auto& [s, m] : seen) n += s == slot && m == id;
        return n;
    }
};

struct Fixture {
    ObjectStore store;
    Recorder recorder;
    ObjectQueue queue{store, recorder};

    ObjectHandle make(bool add = true, ObjectHandle parent = {}, bool by_parent = false) {
        ObjectSeed seed;
        seed.owner = 1;
        seed.parent = parent;
        seed.created_by_parent = by_parent;
        const auto h = store.create(seed).value();
        if (add) REQUIRE(queue.add(h, 0));
        return h;
    }
    /// One tick: traversal, messages, drain.
    void tick() {
        REQUIRE(queue.begin());
        queue.dispatch_messages();
        REQUIRE(queue.traverse(MessageId::tick));
        queue.dispatch_commands();
        queue.dispatch_messages();
        queue.end();
        queue.drain(0);
    }
};

}  // namespace

TEST_CASE("a created object that was not added is visited by nobody") {
    Fixture f;
    const auto a = f.make(false);
    f.tick();
    CHECK(f.recorder.seen.empty());
    CHECK(f.queue.order().empty());
    CHECK(f.store.find(a));
}

TEST_CASE("objects are visited in registration order, init comes once and first") {
    Fixture f;
    const auto a = f.make(false), b = f.make();
    REQUIRE(f.queue.add(a, 0));
    f.tick();
    f.tick();
    using P = std::pair<std::uint32_t, MessageId>;
    CHECK(f.recorder.seen == std::vector<P>{{b.slot, MessageId::init}, {a.slot, MessageId::init}, {b.slot, MessageId::tick},
                                            {a.slot, MessageId::tick}, {b.slot, MessageId::tick}, {a.slot, MessageId::tick}});
}

TEST_CASE("an object added during a traversal is first visited in the next tick") {
    Fixture f;
    const auto a = f.make();
    ObjectHandle born;
    f.recorder.hook = [&](ObjectHandle, const Message& m) {
        if (m.id == MessageId::tick && born.slot == kNoSlot) {
            born = f.make();
            CHECK(f.queue.add(born, 0).error().code() == "already_registered");
        }
    };
    f.tick();
    CHECK(f.recorder.count(born.slot, MessageId::tick) == 0);
    CHECK(f.queue.order().size() == 2);
    f.tick();
    CHECK(f.recorder.count(born.slot, MessageId::tick) == 1);
    CHECK(f.recorder.count(a.slot, MessageId::tick) == 2);
}

TEST_CASE("an object may delete itself, another one, and ask twice; release follows the requests") {
    Fixture f;
    const auto a = f.make(), b = f.make(), c = f.make();
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id != MessageId::tick || self.slot != a.slot) return;
        CHECK(f.queue.request_delete(c, 0));
        CHECK(f.queue.request_delete(a, 0));
        CHECK(f.queue.request_delete(c, 0));
        CHECK(f.queue.deletions().size() == 2);
        CHECK(f.store.find(a));  // nothing is freed during the traversal
    };
    f.tick();
    CHECK(f.recorder.count(c.slot, MessageId::tick) == 0);  // pending objects are skipped
    CHECK(f.recorder.count(b.slot, MessageId::tick) == 1);
    CHECK(f.recorder.released == std::vector<std::uint32_t>{c.slot, a.slot});
    CHECK(f.store.find(a).error().code() == "handle_deleted");
    CHECK(f.queue.order() == std::vector<std::uint32_t>{b.slot});
}

TEST_CASE("deletion in a collision callback is deferred like any other") {
    Fixture f;
    const auto a = f.make(), b = f.make();
    f.tick();
    f.queue.post({MessageId::collision, a, {}});
    f.queue.post({MessageId::collision, b, {}});
    f.recorder.hook = [&](ObjectHandle, const Message& m) {
        if (m.id == MessageId::collision) CHECK(f.queue.request_delete(b, 0));
    };
    f.tick();
    // The message to b was skipped because a's handler had already marked it.
    CHECK(f.recorder.count(a.slot, MessageId::collision) == 1);
    CHECK(f.recorder.count(b.slot, MessageId::collision) == 0);
    CHECK(f.recorder.released == std::vector<std::uint32_t>{b.slot});
}

TEST_CASE("outside of a traversal, or forced, deletion is immediate") {
    Fixture f;
    const auto a = f.make(), b = f.make();
    REQUIRE(f.queue.request_delete(a, 0));
    CHECK(f.recorder.released.size() == 1);
    CHECK(f.queue.order() == std::vector<std::uint32_t>{b.slot});
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id == MessageId::tick && self.slot == b.slot) CHECK(f.queue.request_delete(b, 0, true));
    };
    f.tick();
    CHECK(f.recorder.released.size() == 2);
    CHECK(f.queue.order().empty());
}

TEST_CASE("a slot reused after a forced deletion in the same traversal is listed once") {
    Fixture f;
    const auto a = f.make(), b = f.make();
    bool once = false;
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id != MessageId::tick || self.slot != a.slot || once) return;
        once = true;
        CHECK(f.queue.request_delete(b, 0, true));
        CHECK(f.make().slot == b.slot);
    };
    f.tick();
    CHECK(f.queue.order() == std::vector<std::uint32_t>{a.slot, b.slot});
    CHECK(f.recorder.count(b.slot, MessageId::tick) == 0);
}

TEST_CASE("commands run in FIFO order with the queue's own numbers; pending targets are skipped silently") {
    Fixture f;
    const auto a = f.make(), b = f.make(), gone = f.make();
    REQUIRE(f.queue.request_delete(gone, 0));
    TargetedCommand c;
    c.sequence = 777;
    c.target = a;
    CHECK(f.queue.enqueue(c) == 1);
    c.target = b;
    f.queue.enqueue(c);
    c.target = gone;
    f.queue.enqueue(c);
    c.target = a;
    f.queue.enqueue(c);
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id == MessageId::tick && self.slot == b.slot) CHECK(f.queue.request_delete(b, 0));
    };
    f.tick();
    CHECK(f.recorder.commands == std::vector<std::uint64_t>{1, 4});
    REQUIRE(f.queue.faults().size() == 1);
    CHECK(f.queue.faults()[0].code == "handle_deleted");
}

TEST_CASE("a kill request never frees; the handler decides") {
    Fixture f;
    const auto a = f.make();
    f.queue.kill(a, 3, ObjectId::make(1, 4, 9));
    Message got;
    f.recorder.hook = [&](ObjectHandle, const Message& m) {
        if (m.id == MessageId::kill) got = m;
    };
    f.tick();
    CHECK(got.args[0] == 3);
    CHECK(got.args[1] == ObjectId::make(1, 4, 9).raw);
    CHECK(f.store.find(a));
}

TEST_CASE("children are detached first and go with the parent that created them") {
    Fixture f;
    const auto parent = f.make();
    const auto own = f.make(true, parent, true), other = f.make(true, parent, false);
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id == MessageId::tick && self.slot == parent.slot) CHECK(f.queue.request_delete(parent, 0));
    };
    f.tick();
    CHECK(f.recorder.count(own.slot, MessageId::after_detached) == 1);
    CHECK(f.recorder.count(other.slot, MessageId::after_detached) == 1);
    CHECK(f.recorder.released == std::vector<std::uint32_t>{parent.slot, own.slot});
    CHECK(f.store.at(other.slot).parent == ObjectHandle{});
}

TEST_CASE("a deletion asked for by the drain is part of the same drain") {
    Fixture f;
    const auto a = f.make(), b = f.make();
    f.recorder.release_hook = [&](ObjectHandle h) {
        if (h.slot == a.slot) CHECK(f.queue.request_delete(b, 0));
    };
    f.recorder.hook = [&](ObjectHandle self, const Message& m) {
        if (m.id == MessageId::tick && self.slot == a.slot) CHECK(f.queue.request_delete(a, 0));
    };
    f.tick();
    CHECK(f.recorder.released == std::vector<std::uint32_t>{a.slot, b.slot});
}

TEST_CASE("at most 4096 releases happen in one drain") {
    Fixture f;
    std::vector<ObjectHandle> all;
    for (std::uint32_t i = 0; i < kReleasesPerDrain; ++i) all.push_back(f.make());
    ObjectSeed seed;
    seed.owner = 2;
    all.push_back(f.store.create(seed).value());
    REQUIRE(f.queue.add(all.back(), 0));
    REQUIRE(f.queue.begin());
    for (auto h : all) REQUIRE(f.queue.request_delete(h, 0));
    f.queue.end();
    f.queue.drain(0);
    CHECK(f.recorder.released.size() == kReleasesPerDrain);
    CHECK(f.queue.order().size() == 1);
    f.queue.drain(0);
    CHECK(f.queue.order().empty());
}

TEST_CASE("a calculation inside a calculation is refused") {
    Fixture f;
    f.make();
    REQUIRE(f.queue.begin());
    CHECK(f.queue.begin().error().code() == "nested_calculation");
}

TEST_CASE("phases only go forward and forbid what does not belong") {
    PhaseTracker p;
    CHECK(p.enter(Phase::input).error().code() == "phase_regression");  // no tick runs
    REQUIRE(p.begin_tick());
    REQUIRE(p.enter(Phase::input));
    CHECK(p.check(Operation::write_objects).error().code() == "phase_forbidden");
    REQUIRE(p.enter(Phase::calculate));
    CHECK(p.check(Operation::write_objects));
    CHECK(p.check(Operation::draw_random));
    CHECK(p.check(Operation::free_object).error().code() == "phase_forbidden");
    CHECK(p.check(Operation::mutate_registry).error().code() == "phase_forbidden");
    CHECK(p.check(Operation::read_devices).error().code() == "phase_forbidden");
    CHECK(p.enter(Phase::clock).error().code() == "phase_regression");
    CHECK(p.begin_tick().error().code() == "phase_nested");
    REQUIRE(p.enter(Phase::deferred));
    CHECK(p.check(Operation::free_object));
    CHECK(p.check(Operation::draw_random).error().code() == "phase_forbidden");
    REQUIRE(p.enter(Phase::publish));
    CHECK(p.check(Operation::write_objects).error().code() == "phase_forbidden");
    CHECK(p.begin_tick());
    CHECK(p.violations() == 9);
}
