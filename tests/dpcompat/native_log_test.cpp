#include <catch2/catch.hpp>

#include "dpcompat/capture/native_log.hpp"
#include "tests/dpcompat/traffic.hpp"
#include "tests/dpcompat/temp_folder.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

TEST_CASE("a capture becomes a message log: messages whole, payloads as they were, no address and no password") {
    const TempFolder folder;
    const auto capture = analyse_capture(small_session_pcap());
    REQUIRE(capture);
    const auto summary = capture_to_log(*capture, 0, folder.path() / "session.i3dlog");
    REQUIRE(summary);
    CHECK(summary->opaque == 2);
    CHECK(summary->opaque_bytes == 16);
    CHECK(summary->left_out == 0);
    const auto records = read_native_log(folder.path() / "session.i3dlog");
    REQUIRE(records);
    CHECK(records->size() == 16);  // 17 messages, of which two fragments make one
    CHECK(summary->messages == 16);

    const auto of_kind = [&](std::uint32_t kind) {
        for (const NativeRecord& r : *records)
            if (r.kind == kind) return r;
        FAIL("no record of that kind");
        return NativeRecord{};
    };
    const NativeRecord data = of_kind(kNativePlayerData);
    CHECK(data.direction == NativeDirection::to_host);
    CHECK(data.bytes == fixture("player_message_udp"));
    CHECK(of_kind(kNativePlayerData | kNativeUdp).bytes == fixture("player_message_udp"));
    const NativeRecord whole = of_kind(0x0F | kNativeUdp | kNativeAssembled);
    CHECK(read_message(whole.bytes)->as<DataChangedBody>()->data.size() == 60);
    CHECK(of_kind(0x29).direction == NativeDirection::from_host);

    const auto join = read_message(of_kind(0x13).bytes);
    REQUIRE(join);
    CHECK(join->as<AddForwardRequestBody>()->password == Text16(u"******"));
    CHECK(join->as<AddForwardRequestBody>()->key == kKey);
    const auto table = read_message(of_kind(0x29).bytes);
    REQUIRE(table);
    for (const auto& p : table->as<SuperEnumReplyBody>()->players)
        if (p.sp_data) CHECK(p.sp_data->tcp.endpoint.ip == 0);
    // A log is never overwritten.
    CHECK(capture_to_log(*capture, 0, folder.path() / "session.i3dlog").error().code() == "exists");
}

TEST_CASE("a message longer than a record is continued and comes back whole") {
    const TempFolder folder;
    auto log = NativeLogWriter::create(folder.path() / "long.i3dlog");
    REQUIRE(log);
    const PlayerMessage large{1, 2, Bytes(600'000, 7)};
    REQUIRE(log->message(5, NativeDirection::from_host, 3, false, false, large));
    REQUIRE(log->message(6, NativeDirection::to_host, 3, true, false, PlayerMessage{1, 2, {}}));
    REQUIRE(log->note("a\nline"));
    REQUIRE(log->close());
    const auto records = read_native_log(folder.path() / "long.i3dlog");
    REQUIRE(records);
    REQUIRE(records->size() == 2);
    CHECK((*records)[0] == NativeRecord{5, NativeDirection::from_host, 3, kNativePlayerData, write_bare_player_message(large)});
    CHECK((*records)[1].bytes.size() == 8);
}
