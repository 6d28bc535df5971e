// What a match records replays to the same state (net-messages.md 12).
#include <filesystem>

#include <catch2/catch.hpp>

#include "server/session/message_log.hpp"
#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;

namespace {

struct TemporaryFile {
    std::filesystem::path path;
    explicit TemporaryFile(const std::string& name)
        : path(std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))) {
        std::filesystem::remove(path);
    }
    ~TemporaryFile() { std::filesystem::remove(path); }
};

session::LogHeader header(const ToyWorld& world) {
    session::LogHeader out;
    out.sim_version = 1;
    out.sim_version_text = "toy";
    out.mission = "missions/toy.01";
    out.match_seed = 7;
    out.initial_hash = world.state_hash().total;
    out.build = session::build_description();
    return out;
}

}  // namespace

TEST_CASE("a recorded match of two clients replays to the same hashes") {
    const TemporaryFile file("iron3d_net_log_");
    std::uint64_t last_tick = 0;
    Hash256 last_hash{};
    {
        ArenaOptions options{toy_room(), {}, 3, nullptr};
        auto writer = session::MessageLogWriter::create(file.path, header(ToyWorld{}));
        REQUIRE(writer);
        options.recorder = std::move(*writer);
        Arena arena(std::move(options));
        REQUIRE(arena.start_two());
        arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 300, 300));
        arena.clients[1].send(move_order(ToyWorld::unit(1, 1), 10, 20));
        arena.clients[1].send(move_order(ToyWorld::unit(0, 1), 10, 20));  // refused, still input
        client::net::StickState stick;
        stick.object = ToyWorld::unit(0, 2).raw;
        stick.move_y = 100;
        arena.clients[0].set_stick(stick);
        REQUIRE(arena.until([&] { return !arena.world->manual_log.empty(); }));
        REQUIRE(arena.ticks(75));
        arena.clients[0].request_pause(true);
        REQUIRE(arena.until([&] { return arena.world->paused(); }));
        arena.clients[1].send(move_order(ToyWorld::unit(1, 2), 10, 20));
        REQUIRE(arena.until([&] { return arena.clients[1].unanswered() == 0; }));
        arena.clients[0].request_pause(false);
        REQUIRE(arena.until([&] { return !arena.world->paused(); }));
        arena.clients[1].leave();
        REQUIRE(arena.ticks(75));
        REQUIRE(arena.room->close(protocol::GoodbyeReason::server_shutdown, "end"));
        last_tick = arena.world->tick();
        last_hash = arena.world->state_hash().total;
    }

    auto reader = session::MessageLogReader::open_file(file.path);
    REQUIRE(reader);
    ToyWorld replayed;
    REQUIRE(reader->header().initial_hash == replayed.state_hash().total);
    std::size_t frames = 0, checkpoints = 0;
    bool ended = false;
    const auto run_to = [&](world::Tick tick) {
        while (replayed.tick() < tick) {
            world::InputFrame empty;
            empty.tick = replayed.tick() + 1;
            REQUIRE(replayed.step(empty));
        }
    };
    while (true) {
        auto entry = reader->next();
        REQUIRE(entry);
        if (!*entry) break;
        if (const auto* frame = std::get_if<world::InputFrame>(&**entry)) {
            run_to(frame->tick - 1);
            REQUIRE(replayed.step(*frame));
            ++frames;
        } else if (const auto* check = std::get_if<session::LogCheckpoint>(&**entry)) {
            run_to(check->tick);
            REQUIRE(replayed.state_hash().total == check->hash.total);
            ++checkpoints;
        } else if (const auto* end = std::get_if<session::LogEnd>(&**entry)) {
            run_to(end->tick);
            CHECK(replayed.tick() == last_tick);
            CHECK(replayed.state_hash().total == last_hash);
            CHECK(end->total == last_hash);
            ended = true;
        }
    }
    CHECK(ended);
    CHECK(frames >= 6);
    CHECK(checkpoints >= 3);
    CHECK(replayed.session_log == "0:1 0:2 4:1 5:1 1:2 ");
}

TEST_CASE("a log without one of its commands does not replay to the same hash") {
    ToyWorld whole, poorer;
    world::InputFrame frame;
    frame.tick = 1;
    world::Command move;
    move.player = 1;
    move.sequence = 1;
    move.order = static_cast<std::uint8_t>(world::Order::move);
    move.subjects = {ToyWorld::unit(0, 0)};
    move.at = {256000, 256000};
    frame.commands.push_back(move);
    REQUIRE(whole.step(frame));
    frame.commands.clear();
    REQUIRE(poorer.step(frame));
    CHECK(whole.state_hash().total != poorer.state_hash().total);
}
