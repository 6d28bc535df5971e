#include <catch2/catch.hpp>

#include "dpcompat/wire/fragments.hpp"
#include "dpcompat/wire/stream.hpp"
#include "tests/dpcompat/fixture.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

TEST_CASE("messages split and glued at every place come out whole") {
    Bytes stream;
    std::vector<Bytes> expected;
    for (const char* name : {"request_player_id", "player_message_tcp", "create_player", "you_are_dead", "super_enum_players_reply"}) {
        expected.push_back(fixture(name));
        stream.insert(stream.end(), expected.back().begin(), expected.back().end());
    }
    for (std::size_t step = 1; step < 200; step += 3) {
        StreamFramer framer;
        std::vector<Bytes> got;
        for (std::size_t at = 0; at < stream.size(); at += step) {
            framer.feed(ByteView(stream).subspan(at, std::min(step, stream.size() - at)));
            for (;;) {
                auto block = framer.next();
                REQUIRE(block);
                if (!*block) break;
                got.push_back(std::move(**block));
            }
        }
        CHECK(got == expected);
        CHECK(framer.waiting() == 0);
    }
}

TEST_CASE("a broken header ends a stream") {
    StreamFramer framer;
    framer.feed(Bytes(24, 0xFF));
    CHECK_FALSE(framer.next());
}

TEST_CASE("two pieces make the player data of the worked example") {
    FragmentAssembler assembler;
    const auto first = read_block(fixture("packet_fragment_0")), second = read_block(fixture("packet_fragment_1"));
    CHECK_FALSE(*assembler.add(*first->message()->as<PacketBody>(), 0));
    const auto whole = assembler.add(*second->message()->as<PacketBody>(), 5);
    REQUIRE(whole);
    REQUIRE(*whole);
    const auto message = read_message(**whole);
    REQUIRE(message);
    const auto* body = message->as<DataChangedBody>();
    REQUIRE(body);
    CHECK(body->id == kJoinerPlayer);
    REQUIRE(body->data.size() == 60);
    for (std::size_t i = 0; i < 60; ++i) CHECK(body->data[i] == i);

    const auto pieces = split_message(**whole, first->message()->as<PacketBody>()->message, 48);
    REQUIRE(pieces.size() == 2);
    CHECK(frame_message(make_message(Command::packet, pieces[0]), 2300) == fixture("packet_fragment_0"));
    CHECK(frame_message(make_message(Command::packet, pieces[1]), 2300) == fixture("packet_fragment_1"));
}

TEST_CASE("assembly has limits: four messages, fifteen seconds, no nesting, no contradiction") {
    FragmentAssembler assembler;
    const Bytes whole(100, 1);
    const auto piece = [&](std::uint8_t id, std::size_t index) {
        Guid guid;
        guid.bytes[0] = id;
        return split_message(whole, guid, 50)[index];
    };
    for (std::uint8_t id = 1; id <= 4; ++id) CHECK(assembler.add(piece(id, 0), 100));
    CHECK(assembler.add(piece(5, 0), 100).error().code() == "dp_fragment");
    CHECK(assembler.add(piece(5, 0), 15'099).error().code() == "dp_fragment");
    CHECK(assembler.add(piece(5, 0), 15'100));
    CHECK(assembler.expired() == 4);

    PacketBody other = piece(5, 1);
    other.whole_bytes = 101;
    CHECK(assembler.add(other, 15'100).error().code() == "dp_fragment");

    PacketBody many = piece(6, 0);
    many.total = 4097;
    CHECK(assembler.add(many, 0).error().code() == "dp_fragment");
    PacketBody large = piece(6, 0);
    large.whole_bytes = 1024 * 1024 + 1;
    CHECK(assembler.add(large, 0).error().code() == "dp_fragment");

    const Bytes nested = write_message(make_message(Command::packet, piece(9, 0)));
    const auto parts = split_message(nested, Guid{{7}}, 1000);
    CHECK(assembler.add(parts[0], 20'000).error().code() == "dp_fragment");
}

TEST_CASE("stop and wait: one piece at a time, repeated on time, given up at last") {
    const Bytes whole(100, 1);
    StopAndWaitSender sender(whole, Guid{{1}}, 50);
    REQUIRE(sender.poll(0)->index == 0);
    CHECK_FALSE(sender.poll(899));
    REQUIRE(sender.poll(900)->index == 0);
    sender.acknowledge({Guid{{2}}, 0}, 950);
    CHECK_FALSE(sender.poll(950));
    sender.acknowledge({Guid{{1}}, 0}, 1000);
    REQUIRE(sender.poll(1000)->index == 1);
    sender.acknowledge({Guid{{1}}, 1}, 1040);  // a clean round trip of 40 ms
    CHECK(sender.done());

    StopAndWaitSender lonely(whole, Guid{{1}}, 50);
    int sends = 0;
    for (std::uint64_t now = 0; now <= 120'000 && !lonely.failed(); now += 100) sends += lonely.poll(now) ? 1 : 0;
    CHECK(lonely.failed());
    CHECK(sends >= 16);
    CHECK(sends >= 60'000 / 900);
}
