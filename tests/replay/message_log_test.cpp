#include <catch2/catch.hpp>

#include "shared/base/rng.hpp"
#include "tests/replay/recording.hpp"

using namespace iron;
using namespace iron::session;

namespace {

std::string random_text(Rng& rng) {
    static const char* const kWords[] = {"", "Vasja", "\xD0\x9F\xD0\xB5\xD1\x82\xD1\x8F", "x y z"};
    return kWords[rng.below(4)];
}

world::InputFrame random_frame(Rng& rng, world::Tick tick) {
    world::InputFrame f;
    f.tick = tick;
    for (std::uint32_t n = rng.below(3); n > 0; --n)
        f.session.push_back({rng.next(), static_cast<world::SessionAct>(rng.below(9)), static_cast<world::PlayerNumber>(rng.below(70)),
                             rng.next(), {rng.next()}, random_text(rng)});
    for (std::uint32_t n = rng.below(4); n > 0; --n) {
        world::Command c;
        c.player = static_cast<world::PlayerNumber>(rng.below(70));
        c.sequence = rng.next();
        c.order = static_cast<std::uint8_t>(rng.below(256));
        c.flags = static_cast<std::uint8_t>(rng.below(256));
        for (std::uint32_t k = rng.below(128); k > 0; --k) c.subjects.push_back({rng.next()});
        if (rng.below(2)) c.target = {rng.next()};
        c.at = {static_cast<std::int32_t>(rng.next()), static_cast<std::int32_t>(rng.next())};
        c.yaw = static_cast<std::int16_t>(rng.next());
        c.param = rng.next();
        c.amount = rng.next();
        for (std::uint32_t k = rng.below(16); k > 0; --k) c.points.push_back({static_cast<std::int32_t>(rng.next()), -5});
        c.key = random_text(rng);
        for (std::uint32_t k = rng.below(2) ? rng.below(8192) : 0; k > 0; --k) c.data.push_back(static_cast<std::uint8_t>(rng.next()));
        f.commands.push_back(std::move(c));
    }
    for (std::uint32_t n = rng.below(3); n > 0; --n) {
        world::ManualInput m;
        m.player = static_cast<world::PlayerNumber>(rng.below(70));
        m.object = {rng.next()};
        m.client_tick = rng.next();
        m.move_x = static_cast<std::int8_t>(rng.next());
        m.move_y = static_cast<std::int8_t>(rng.next());
        m.turn = static_cast<std::int8_t>(rng.next());
        m.aim_yaw = static_cast<std::int16_t>(rng.next());
        m.aim_pitch = static_cast<std::int16_t>(rng.next());
        m.buttons = rng.next();
        m.target = {rng.next()};
        f.manual.push_back(m);
    }
    return f;
}

LogHeader some_header() {
    LogHeader h;
    h.sim_version = 9;
    h.sim_version_text = "nine";
    h.fingerprint.fill(1);
    h.profile = Edition::gog;
    h.mission = "missions/single.01";
    h.rules.fill(2);
    h.rules_text = "{\n  \"a\": 1\n}";
    h.step_ms = 40;
    h.match_seed = 0xFEDCBA9876543210u;
    h.initial_tick = 12;
    h.initial_hash.fill(3);
    h.build = build_description();
    h.checkpoint_interval = 7;
    h.mode = 2;
    h.file_order = true;
    h.options = {{"ai_level", "2"}, {"note", "a/b"}};
    return h;
}

std::string next_code(const Bytes& file) {
    auto log = MessageLogReader::open(file);
    if (!log) return log.error().code();
    for (;;) {
        auto entry = log->next();
        if (!entry) return entry.error().code();
        if (!*entry) return "ok";
    }
}

/// Writes records in any order, as a faulty or hostile program might.
Bytes raw_log(const std::function<void(MessageLogWriter&)>& write) {
    test::TempFile file("raw");
    auto writer = MessageLogWriter::create(file.path(), some_header()).value();
    write(*writer);
    (void)writer->flush();
    return read_file(file.path()).value();
}

}  // namespace

TEST_CASE("frames come back from the log unchanged, whatever they hold") {
    Rng rng(3, 14);
    test::TempFile file("frames");
    std::vector<LogEntry> written;
    {
        auto writer = MessageLogWriter::create(file.path(), some_header()).value();
        for (world::Tick tick = 13; tick < 213; ++tick) {
            world::InputFrame frame = random_frame(rng, tick);
            REQUIRE(writer->input(frame));
            if (!frame.empty()) written.push_back(std::move(frame));
            if (tick % 20 == 0) {
                LogCheckpoint checkpoint;
                checkpoint.tick = tick;
                checkpoint.hash.total.fill(static_cast<std::uint8_t>(tick));
                for (std::size_t i = 0; i < checkpoint.hash.blocks.size(); ++i) checkpoint.hash.blocks[i].fill(static_cast<std::uint8_t>(tick + i));
                LogObjectDigests digests{tick, world::HashBlock::control, {{{1}, checkpoint.hash.total}, {{7}, checkpoint.hash.blocks[3]}}};
                REQUIRE(writer->object_digests(digests.tick, digests.block, digests.digests));
                REQUIRE(writer->checkpoint(checkpoint.tick, checkpoint.hash));
                written.push_back(digests);
                written.push_back(checkpoint);
            }
        }
        REQUIRE(writer->note(213, "done"));
        written.push_back(LogNote{213, "done"});
        world::StateHash last;
        last.total.fill(9);
        REQUIRE(writer->end(213, last));
        written.push_back(LogEnd{213, last.total});
    }
    const Bytes bytes = read_file(file.path()).value();
    CHECK(test::entries(bytes) == written);
    auto log = MessageLogReader::open(bytes);
    REQUIRE(log);
    CHECK(log->header() == some_header());
}

TEST_CASE("ticks without input leave no record") {
    CHECK(test::entries(raw_log([](MessageLogWriter& w) {
              for (world::Tick t = 13; t < 100; ++t) {
                  world::InputFrame frame;
                  frame.tick = t;
                  REQUIRE(w.input(frame));
              }
          })).empty());
}

TEST_CASE("ticks that go back are refused") {
    const auto input = [](world::Tick tick) {
        world::InputFrame f;
        f.tick = tick;
        f.commands.push_back({});
        return f;
    };
    CHECK(next_code(raw_log([&](MessageLogWriter& w) { (void)w.input(input(20)); (void)w.input(input(20)); })) == "ok");
    CHECK(next_code(raw_log([&](MessageLogWriter& w) { (void)w.input(input(20)); (void)w.input(input(19)); })) == "bad_log_order");
    // A checkpoint may lie one tick before the input of a paused world, not two.
    CHECK(next_code(raw_log([&](MessageLogWriter& w) { (void)w.input(input(20)); (void)w.checkpoint(19, {}); })) == "ok");
    CHECK(next_code(raw_log([&](MessageLogWriter& w) { (void)w.input(input(20)); (void)w.checkpoint(18, {}); })) == "bad_log_order");
    CHECK(next_code(raw_log([&](MessageLogWriter& w) { (void)w.input(input(11)); })) == "bad_log_order");
}

TEST_CASE("a log of another kind is refused") {
    test::TempFile file("bridge");
    auto writer = protocol::LogWriter::create(file.path()).value();
    flatbuffers::FlatBufferBuilder b;
    const auto bytes = b.CreateVector(std::vector<std::uint8_t>{1});
    REQUIRE(writer.append(b, protocol::record::CreateNative(b, 1, 0, 0, 0, bytes)));
    REQUIRE(writer.close());
    CHECK(next_code(read_file(file.path()).value()) == "bad_log");
    CHECK(next_code(Bytes{}) == "bad_log");
    CHECK(next_code(Bytes(100, 'x')) == "bad_log");
}

TEST_CASE("what a reader would refuse is not written") {
    const auto create_code = [](const std::function<void(LogHeader&)>& change) {
        LogHeader h = some_header();
        change(h);
        test::TempFile file("refused");
        const auto writer = MessageLogWriter::create(file.path(), h);
        return writer ? std::string("ok") : writer.error().code();
    };
    CHECK(create_code([](LogHeader&) {}) == "ok");
    CHECK(create_code([](LogHeader& h) { h.mission = "../secret"; }) == "bad_path");
    CHECK(create_code([](LogHeader& h) { h.mission = "/abs"; }) == "bad_path");
    CHECK(create_code([](LogHeader& h) { h.build = "made in /home/somebody"; }) == "bad_build");
    CHECK(create_code([](LogHeader& h) { h.sim_version_text = "two\nlines"; }) == "bad_text");
}

TEST_CASE("a log of 64 players with full input is within the limits") {
    const Bytes file = raw_log([](MessageLogWriter& w) {
        world::InputFrame frame;
        frame.tick = 13;
        for (world::PlayerNumber p = 1; p <= 64; ++p) {
            for (std::uint32_t k = 1; k <= 30; ++k) {
                world::Command c;
                c.player = p;
                c.sequence = k;
                c.subjects.assign(128, {5});
                frame.commands.push_back(c);
            }
            world::ManualInput m;
            m.player = p;
            frame.manual.push_back(m);
        }
        REQUIRE(w.input(frame));
    });
    CHECK(next_code(file) == "ok");
}
