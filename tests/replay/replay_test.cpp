#include <catch2/catch.hpp>

#include "shared/base/exit_code.hpp"
#include "shared/mission/fingerprint.hpp"
#include "tests/replay/recording.hpp"

using namespace iron;
using namespace iron::session;

namespace {

world::InputFrame& frame_at(std::vector<LogEntry>& list, world::Tick tick) {
    for (LogEntry& e : list)
        if (auto* frame = std::get_if<world::InputFrame>(&e); frame && frame->tick == tick) return *frame;
    throw std::runtime_error("no such frame");
}

}  // namespace

TEST_CASE("a recorded match replays to the same hashes") {
    const auto report = test::replay(test::record());
    REQUIRE(report);
    CHECK(report->verified());
    CHECK(report->final_tick == 200);
    CHECK(report->checkpoints == 4);
    CHECK(report->commands == 6);
    CHECK(report->session_commands == 3);
    CHECK(report->ended);
    CHECK(report->tail == protocol::LogTail::complete);
}

TEST_CASE("replaying twice gives the same final hash and every checkpoint is shown") {
    const Bytes file = test::record({.checkpoint_every = 1});
    std::vector<world::StateHash> shown;
    ReplayOptions options;
    options.on_checkpoint = [&](world::Tick, const world::StateHash& hash) { shown.push_back(hash); };
    const auto first = test::replay(file, options);
    const auto second = test::replay(file);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->final_hash == second->final_hash);
    CHECK(shown.size() == 200);
    CHECK(first->checkpoints == 200);
}

TEST_CASE("the same match recorded twice gives the same bytes") { CHECK(test::record() == test::record()); }

TEST_CASE("a log of a crashed server replays to its last record") {
    const auto report = test::replay(test::record({.end = false}));
    REQUIRE(report);
    CHECK(report->verified());
    CHECK_FALSE(report->ended);
    CHECK(report->final_tick == 200);
}

TEST_CASE("a changed command fails and names tick, block and object") {
    const Bytes file = test::record({.checkpoint_every = 1, .object_digests = true});
    const Bytes changed = test::rewrite(file, [](LogHeader&, std::vector<LogEntry>& list) {
        frame_at(list, 30).commands[0].at = synthetic::pos(181, 180);
    });
    const auto report = test::replay(changed);
    REQUIRE(report);
    REQUIRE(report->divergence);
    const Divergence& d = *report->divergence;
    CHECK(d.tick == 30);
    CHECK(d.last_good_tick == 29);
    CHECK(d.block == "BEHAVIOR");
    REQUIRE(d.object);
    CHECK(*d.object == synthetic::unit_id(1, 1));
    CHECK(d.to_string().find("tick 30: block BEHAVIOR differs (object 0x00014001)") == 0);
}

TEST_CASE("with sparse checkpoints the first differing checkpoint is named") {
    const Bytes changed = test::rewrite(test::record(), [](LogHeader&, std::vector<LogEntry>& list) {
        frame_at(list, 120).commands[0].at = synthetic::pos(10, 10);
    });
    const auto report = test::replay(changed);
    REQUIRE(report);
    REQUIRE(report->divergence);
    CHECK(report->divergence->tick == 150);
    CHECK(report->divergence->last_good_tick == 100);
    CHECK(report->checkpoints == 2);
    CHECK_FALSE(report->divergence->object);
}

TEST_CASE("a changed checkpoint names exactly the changed block") {
    const Bytes changed = test::rewrite(test::record(), [](LogHeader&, std::vector<LogEntry>& list) {
        for (LogEntry& e : list)
            if (auto* checkpoint = std::get_if<LogCheckpoint>(&e); checkpoint && checkpoint->tick == 100) {
                checkpoint->hash.blocks[10][0] ^= 1;
                checkpoint->hash.total[0] ^= 1;
            }
    });
    const auto report = test::replay(changed);
    REQUIRE(report);
    REQUIRE(report->divergence);
    CHECK(report->divergence->tick == 100);
    CHECK(report->divergence->blocks == std::vector<std::uint32_t>{11});
    CHECK(report->divergence->block == "RNG");
}

TEST_CASE("a left out command fails") {
    const Bytes changed = test::rewrite(test::record(), [](LogHeader&, std::vector<LogEntry>& list) {
        std::erase_if(list, [](const LogEntry& e) {
            const auto* frame = std::get_if<world::InputFrame>(&e);
            return frame && frame->tick == 30;
        });
    });
    const auto report = test::replay(changed);
    REQUIRE(report);
    CHECK_FALSE(report->verified());
}

TEST_CASE("another match seed differs at the start") {
    const Bytes changed = test::rewrite(test::record(), [](LogHeader& header, std::vector<LogEntry>&) { header.match_seed = 78; });
    const auto report = test::replay(changed);
    REQUIRE(report);
    REQUIRE(report->divergence);
    CHECK(report->divergence->tick == 0);
    CHECK(report->ticks == 0);
}

TEST_CASE("a log of another sim_version is refused by name") {
    const auto report = test::replay(test::record({.header = [](LogHeader& h) {
        h.sim_version = world::kSimVersion + 1;
        h.sim_version_text = "rules of tomorrow";
    }}));
    REQUIRE(!report);
    CHECK(report.error().code() == "other_sim_version");
    CHECK(report.error().message().find("rules of tomorrow") != std::string::npos);
    CHECK(report.error().message().find(std::to_string(world::kSimVersion)) != std::string::npos);
    CHECK(exit_code_for(report.error()) == ExitCode::incompatible);
}

TEST_CASE("a log of other content is refused with the first file that differs") {
    const auto other = [](LogHeader& h) { h.fingerprint = sha256(as_bytes("other content")); };
    const auto plain = test::replay(test::record({.header = other}));
    REQUIRE(!plain);
    CHECK(plain.error().code() == "other_content");

    const Bytes file = test::record({.header = other, .before_first_tick = [](MessageLogWriter& w) {
        test::must(w.manifest({{"behavior.ini", 10, sha256(as_bytes("a"))}, {"objects.rlb", 20, sha256(as_bytes("b"))}}));
    }});
    ReplayOptions options;
    options.manifest = []() -> Result<mission::ContentManifest> {
        mission::ContentManifest here;
        here.files = {{"behavior.ini", 10, sha256(as_bytes("a"))}, {"objects.rlb", 21, sha256(as_bytes("c"))}};
        return here;
    };
    const auto named = test::replay(file, options);
    REQUIRE(!named);
    CHECK(named.error().code() == "other_content");
    CHECK(named.error().message().find("objects.rlb") != std::string::npos);
}

TEST_CASE("a log with other rules is refused") {
    const auto report = test::replay(test::record({.header = [](LogHeader& h) { h.rules[0] ^= 1; }}));
    REQUIRE(!report);
    CHECK(report.error().code() == "other_rules");
}

TEST_CASE("a log that continues a save is refused by name") {
    const auto report = test::replay(test::record({.ticks = 1, .checkpoint_every = 100, .end = false,
                                                   .header = [](LogHeader& h) { h.initial_tick = 500; }}));
    REQUIRE(!report);
    CHECK(report.error().code() == "needs_save");
}

TEST_CASE("a log that expects ticks of a paused world is refused instead of running for ever") {
    const Bytes changed = test::rewrite(test::record(), [](LogHeader&, std::vector<LogEntry>& list) {
        // Without the resume nothing moves after tick 60.
        std::erase_if(list, [](const LogEntry& e) {
            const auto* frame = std::get_if<world::InputFrame>(&e);
            return frame && !frame->session.empty() && frame->session[0].act == world::SessionAct::resume;
        });
    });
    const auto report = test::replay(changed);
    REQUIRE(!report);
    CHECK(report.error().code() == "bad_log_order");
}

TEST_CASE("a replay can stop at a tick") {
    ReplayOptions options;
    options.last_tick = 73;
    const auto report = test::replay(test::record(), options);
    REQUIRE(report);
    CHECK(report->verified());
    CHECK(report->final_tick == 73);
    CHECK(report->checkpoints == 1);
}

TEST_CASE("a torn log replays up to its last whole block") {
    const Bytes whole = test::record({.ticks = 40, .checkpoint_every = 10});
    std::size_t replayed = 0, blocks = 0;
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        const Bytes torn(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        auto log = MessageLogReader::open(torn);
        if (!log) {
            CHECK(log.error().code() == "bad_log");
            continue;
        }
        if (log->file().block_count() == blocks) continue;  // the same prefix as before
        blocks = log->file().block_count();
        const auto report = replay_log(*log, test::loader());
        REQUIRE(report);
        CHECK(report->verified());
        CHECK(report->checkpoints == std::min<std::size_t>(blocks - 1, 4));
        ++replayed;
    }
    CHECK(replayed == 6);  // header, four checkpoints, end
}

TEST_CASE("a flipped byte in each block never replays as verified to the end") {
    const Bytes whole = test::record({.ticks = 40, .checkpoint_every = 10});
    const auto blocks = MessageLogReader::open(whole)->file().block_count();
    std::size_t at = 0, checked = 0;
    while (at < whole.size()) {
        const std::size_t size = protocol::kLogBlockHeaderBytes + load_le<std::uint32_t>(whole.data() + at + 8);
        for (const std::size_t offset : {std::size_t{5}, std::size_t{17}, protocol::kLogBlockHeaderBytes + 3, size - 1}) {
            Bytes hurt = whole;
            hurt[at + offset] ^= 0x40;
            const auto report = test::replay(hurt);
            if (report) {
                CHECK(report->tail == protocol::LogTail::torn);
                CHECK_FALSE(report->ended);
                CHECK(report->cut_bytes == size);
            } else {
                CHECK((report.error().code() == "damaged_block" || report.error().code() == "bad_log"));
            }
            ++checked;
        }
        at += size;
    }
    CHECK(checked == blocks * 4);
}
