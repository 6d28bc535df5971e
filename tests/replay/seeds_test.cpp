// Writes seeds of the log fuzz target: `test_replay "[seeds]"`. Not part of a normal run.
#include <catch2/catch.hpp>

#include "tests/replay/recording.hpp"

using namespace iron;

TEST_CASE("write the seed corpus of the log", "[.seeds]") {
    const std::string folder = std::string(IRON_SOURCE_DIR) + "/tests/fuzz/corpus/protocol_log/";
    const Bytes match = session::test::record({.ticks = 70, .checkpoint_every = 70});
    session::test::must(write_file_atomic(folder + "match", match));
    session::test::must(write_file_atomic(folder + "match_records", as_bytes(session::test::contents(match))));
}
