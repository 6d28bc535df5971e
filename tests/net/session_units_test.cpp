// The parts of the session layer by themselves: windows, names, places, pause rights, input holding.
#include <catch2/catch.hpp>

#include "protocol/view_hash.hpp"
#include "server/session/clean_text.hpp"
#include "server/session/match.hpp"
#include "server/session/mirror_messages.hpp"
#include "server/session/pause_rights.hpp"
#include "server/session/player_registry.hpp"
#include "server/session/rate_window.hpp"
#include "shared/mission/manifest_bytes.hpp"
#include "tests/net/toy_world.hpp"

using namespace iron;
using namespace iron::session;
using iron::test::ToyWorld;

TEST_CASE("a rate window lets its limit through in any span, not in fixed slots") {
    RateWindow window(3, 10);
    CHECK(window.take(5));
    CHECK(window.take(9, 2));
    CHECK_FALSE(window.take(14));
    CHECK(window.take(15));  // the one of 5 has left
    CHECK_FALSE(window.take(18));
    CHECK(window.take(19, 2));
    CHECK_FALSE(window.take(19, 4));  // more than the limit at once never fits
}

TEST_CASE("a line is stripped of control and direction characters and cut between characters") {
    CHECK(clean_line("  a\tb\n\nc  ", 64) == "a b c");
    CHECK(clean_line("a\xE2\x80\xAE\xE2\x80\x8B" "b", 64) == "a b");
    CHECK(clean_line("\xD0\x9F\xD1\x80\xD0\xB8", 5) == "\xD0\x9F\xD1\x80");
    CHECK(clean_line("\xFF\xFE", 64).empty());
    CHECK(clean_name("\xE2\x80\x8F").empty());
    CHECK(clean_name(std::string(100, 'x')).size() == 64);
}

TEST_CASE("player numbers are clan index plus one and are not given twice in a match") {
    PlayerRegistry players({0, 2, 5});
    CHECK(players.admit(1, {}, false) == 1);
    CHECK(players.admit(2, {}, false, 5) == 6);
    CHECK(players.admit(3, {}, false, 9) == 3);
    CHECK_FALSE(players.has_room(false));
    CHECK_FALSE(players.admit(4, {}, false));
    CHECK(players.admit(5, {}, true) == 0x0100);
    CHECK(players.find(1)->host);
    CHECK_FALSE(players.find(6)->host);
    players.remove(6, false);
    CHECK_FALSE(players.has_room(false));
    players.remove(3, true);
    CHECK(players.admit(6, {}, false) == 3);
}

TEST_CASE("the next host is the lowest number that has entered") {
    PlayerRegistry players({0, 1, 2});
    players.admit(1, {}, false);
    players.admit(2, {}, false);
    players.admit(3, {}, false);
    players.find(3)->entered = true;
    players.remove(1, false);
    CHECK(players.pass_host() == 3);
    players.remove(3, false);
    CHECK(players.pass_host() == world::kNoPlayer);
}

TEST_CASE("in a versus match a player has three pauses of sixty seconds and only he or the host ends one") {
    PauseRights rights(true, SessionLimits{});
    for (int i = 0; i < 3; ++i) {
        CHECK(rights.pauses_left(2, false) == 3 - i);
        CHECK(rights.request(2, false, true, 1000));
        CHECK_FALSE(rights.request(3, false, true, 1000));   // already paused
        CHECK_FALSE(rights.request(3, false, false, 1000));  // not his
        CHECK_FALSE(rights.expired(60'999));
        CHECK(rights.expired(61'000));
        CHECK_FALSE(rights.running());
    }
    CHECK_FALSE(rights.request(2, false, true, 1000));
    CHECK(rights.request(1, true, true, 1000));  // the host, without limit
    CHECK_FALSE(rights.expired(10'000'000));
    CHECK(rights.player_gone(1));
    CHECK_FALSE(rights.running());
}

TEST_CASE("in a campaign everybody may pause and resume") {
    PauseRights rights(false, SessionLimits{});
    for (int i = 0; i < 10; ++i) {
        CHECK(rights.request(2, false, true, 0));
        CHECK(rights.request(3, false, false, 0));
    }
}

TEST_CASE("commands of a tick enter by player and sequence, session decisions with own numbers") {
    struct Probe final : InputRecorder {
        std::vector<world::InputFrame>* frames;
        explicit Probe(std::vector<world::InputFrame>& out) : frames(&out) {}
        Status input(const world::InputFrame& frame) override {
            frames->push_back(frame);
            return {};
        }
        Status checkpoint(world::Tick, const world::StateHash&) override { return {}; }
        Status end(world::Tick, const world::StateHash&) override { return {}; }
    };
    std::vector<world::InputFrame> frames;
    Match match(std::make_unique<ToyWorld>(), std::make_unique<Probe>(frames));
    const auto command = [](world::PlayerNumber player, std::uint32_t sequence) {
        world::Command c;
        c.player = player;
        c.sequence = sequence;
        return c;
    };
    match.command(command(2, 1));
    match.command(command(1, 1));
    match.command(command(1, 2));
    match.decide(world::SessionAct::set_scale, 0, 200, {}, {}, 2);
    match.decide(world::SessionAct::player_joined, 1, 0, "anna");
    REQUIRE(match.step());
    REQUIRE(match.step());
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].session.size() == 1);
    CHECK(frames[0].session[0].sequence == 1);
    CHECK(frames[0].session[0].name == "anna");
    REQUIRE(frames[0].commands.size() == 3);
    CHECK(frames[0].commands[0].player == 1);
    CHECK(frames[0].commands[1].sequence == 2);
    CHECK(frames[0].commands[2].player == 2);
    CHECK(frames[1].session[0].act == world::SessionAct::set_scale);
    CHECK(frames[1].session[0].sequence == 2);
    CHECK(frames[1].commands.empty());
}

TEST_CASE("held input enters when it changes and becomes neutral after 12 ticks of silence") {
    auto simulation = std::make_unique<ToyWorld>();
    ToyWorld* world = simulation.get();
    Match match(std::move(simulation), nullptr);
    world::ManualInput input;
    input.player = 1;
    input.object = ToyWorld::unit(0, 0);
    input.client_tick = 10;
    input.move_y = 50;
    match.manual(input);
    for (int i = 0; i < 5; ++i) REQUIRE(match.step());
    CHECK(world->manual_log == "50 ");
    input.client_tick = 9;  // older: never replaces the newer
    input.move_y = 1;
    match.manual(input);
    input.client_tick = 11;
    input.move_y = 60;
    match.manual(input);  // arrives for tick 6
    REQUIRE(match.step());
    CHECK(world->manual_log == "50 60 ");
    CHECK(match.applied_input(1) == 11);
    for (int i = 0; i < 11; ++i) REQUIRE(match.step());  // ticks 7..17: held
    CHECK(world->manual_log == "50 60 ");
    REQUIRE(match.step());  // tick 18 = 6 + 12
    CHECK(world->manual_log == "50 60 0 ");
    for (int i = 0; i < 5; ++i) REQUIRE(match.step());
    CHECK(world->manual_log == "50 60 0 ");
}

TEST_CASE("the view hash is taken over these bytes") {
    protocol::ViewModel model;
    REQUIRE(model.create(0x00014002, 1, 3, "ab"));
    const Bytes expected = {
        1, 0, 0, 0,              // mirrors
        0x02, 0x40, 0x01, 0x00,  // id
        0,                       // mode live
        1, 0,                    // owner
        3,                       // clan
        2, 0, 0, 0, 'a', 'b',    // prototype
        0, 0, 0, 0,              // attached
        0, 0, 0, 0,              // items
        0, 0, 0, 0,              // life pieces
        0, 0, 0, 0,              // building
        0, 0, 0, 0,              // orders
        0, 0, 0, 0,              // clans
        0, 0, 0, 0,              // research
        0, 0, 0, 0,              // schemes
        0, 0, 0, 0,              // deposits
    };
    CHECK(model.canonical_bytes() == expected);
    CHECK(model.hash() == xxh3_64(expected));
    CHECK_FALSE(model.create(0x00014002, 9, 9, "other"));  // a duplicate creates nothing
    CHECK(model.canonical_bytes() == expected);
    REQUIRE(model.change_owner(0x00014002, 2, 3));
    CHECK(model.hash() != xxh3_64(expected));
    REQUIRE(model.hide(0x00014002, true));
    CHECK(model.create(0x00014002, 1, 3, "ab"));  // a remembered one becomes live again
    CHECK(model.canonical_bytes() == expected);
    REQUIRE(model.kill(0x00014002));
    CHECK_FALSE(model.kill(0x00014002));
    CHECK(model.mirrors.empty());
}

TEST_CASE("both sides derive the same start values from a MirrorCreate") {
    world::ObjectView object;
    object.id = ToyWorld::unit(0, 1);
    object.position = {1234.567f, 8765.4321f, -12.345f};
    object.yaw = -2.5f;
    object.orientation = {0.3f, -0.2f, 1.0f};
    object.life = 700;
    object.life_max = 1000;
    object.flags = world::kCritical;
    object.behaviour_state = 5;
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(write_mirror_create(builder, object, 3));
    const auto* message = flatbuffers::GetRoot<protocol::MirrorCreate>(builder.GetBufferPointer());
    CHECK(protocol::mirror_start(*message) == quantised_start(object));
    CHECK(quantised_start(object).x == 39506);  // 1234.567 wu = 316049 / 256, / 8 rounded
    CHECK(quantised_start(object).z == -395);   // -12.345 wu = -3160 / 256, / 8
    CHECK(quantised_start(object).life == 717);  // 0.7 * 1023 = 716.1, rounded up
}

TEST_CASE("a place outside of the map or without a value stays inside the limits of the wire") {
    world::ObjectView object;
    object.position = {-5.0f, 20000.0f, std::numeric_limits<float>::quiet_NaN()};
    const protocol::Pos3 place = wire_place(object.position);
    CHECK(place.x() == 0);
    CHECK(place.y() == 2'560'000);
    CHECK(place.z() == 0);
}

TEST_CASE("names of the data files reach the wire as clean text") {
    CHECK(wire_text("units\\\xD2\xE0\xED\xEA.dat", 512) == "units\\\xD0\xA2\xD0\xB0\xD0\xBD\xD0\xBA.dat");
    CHECK(wire_text("a\x01" "b", 512) == "a?b");
    CHECK(wire_text("\xD2\xE0", 3) == "\xD0\xA2");
}

TEST_CASE("a content list that is written reads back equal and hashes to the fingerprint") {
    mission::ContentManifest manifest;
    manifest.files.push_back({"a", 1, sha256(as_bytes("1"))});
    manifest.files.push_back({"b/c", 300, sha256(as_bytes("2"))});
    const Bytes bytes = mission::write_manifest(manifest);
    REQUIRE(bytes.size() == (1 + 1 + 8 + 32) + (3 + 1 + 8 + 32));
    CHECK(sha256(bytes) == mission::fingerprint(manifest));
    CHECK(mission::read_manifest(bytes).value() == manifest);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        const auto part = mission::read_manifest(ByteView(bytes).first(cut));
        CHECK((!part || part->files.size() == 1));
    }
    Bytes swapped = mission::write_manifest({{manifest.files[1], manifest.files[0]}});
    CHECK(mission::read_manifest(swapped).error().code() == "bad_manifest");
    CHECK(mission::read_manifest(Bytes(2000, 'x')).error().code() == "bad_manifest");
}
