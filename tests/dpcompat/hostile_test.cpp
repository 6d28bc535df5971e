// The table of directplay.md 13; offsets are m. Ownership and role rows are in host_rules_test.cpp.
#include <catch2/catch.hpp>

#include "dpcompat/wire/fragments.hpp"
#include "dpcompat/wire/stream.hpp"
#include "tests/dpcompat/fixture.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

namespace {

/// The code a live receiver rejects a datagram with; "accepted" otherwise.
std::string verdict(const Bytes& bytes) {
    if (const auto checked = check_block(bytes, true, {}); !checked) return checked.error().code();
    if (const auto block = read_block(bytes); !block) return block.error().code();
    return "accepted";
}

}  // namespace

TEST_CASE("the unchanged fixtures of the table are accepted") {
    for (const char* name : {"enum_sessions_request", "enum_sessions_request_password", "add_forward_request", "create_player",
                             "super_enum_players_reply", "player_message_tcp", "packet_fragment_0"})
        CHECK(verdict(fixture(name)) == "accepted");
}

TEST_CASE("a short datagram and a wrong size field are rejected by size") {
    Bytes cut = fixture("enum_sessions_request");
    cut.pop_back();
    CHECK(verdict(cut) == "dp_size");
    CHECK(verdict(changed(fixture("enum_sessions_request"), 0, {0x35, 0x00})) == "dp_size");
    CHECK(verdict(changed(fixture("player_message_tcp"), 0, {0x1b})) == "dp_size");
    CHECK(verdict(Bytes(19, 0)) == "dp_size");
    CHECK(verdict({}) == "dp_size");
}

TEST_CASE("a player message of 27 bytes in a stream is rejected by size") {
    StreamFramer framer;
    framer.feed(changed(fixture("player_message_tcp"), 0, {0x1b}));
    const auto block = framer.next();
    REQUIRE_FALSE(block);
    CHECK(block.error().code() == "dp_size");
}

TEST_CASE("a helper token from outside is dropped") {
    CHECK(verdict(changed(fixture("enum_sessions_request"), 2, {0xb0, 0xca})) == "dp_token");
    HeaderPolicy loopback;
    loopback.allow_helper_tokens = true;
    CHECK(check_block(changed(fixture("enum_sessions_request"), 2, {0xb0, 0xca}), true, loopback));
}

TEST_CASE("family and header port are checked, the padding is not") {
    CHECK(verdict(changed(fixture("ping"), 4, {0x17})) == "dp_family");
    CHECK(verdict(changed(fixture("ping"), 6, {0x03, 0xff})) == "dp_port");
    CHECK(verdict(changed(fixture("ping"), 6, {0x04, 0x00})) == "accepted");
    CHECK(verdict(changed(fixture("ping"), 12, {9, 9, 9, 9, 9, 9, 9, 9})) == "accepted");
}

TEST_CASE("offsets that lead out of the message are rejected") {
    CHECK(verdict(changed(fixture("enum_sessions_request"), 44, {0xff})) == "dp_offset");
    CHECK(verdict(changed(fixture("add_forward_request"), 48, {0xff, 0xff, 0xff, 0x7f})) == "dp_offset");
    CHECK(verdict(changed(fixture("super_enum_players_reply"), 36, {0x10, 0x00})) == "dp_offset");
    CHECK(verdict(changed(fixture("add_forward_request"), 40, {0x10})) == "dp_offset");
    CHECK(verdict(changed(fixture("chat"), 40, {0xff, 0xff, 0xff, 0xff})) == "dp_offset");
}

TEST_CASE("a text without terminator is rejected") {
    CHECK(verdict(changed(fixture("enum_sessions_request_password"), 64, {0x41, 0x41})) == "dp_unterminated");
    CHECK(verdict(changed(fixture("create_player"), 106, {0x41, 0x00})) == "dp_unterminated");
}

TEST_CASE("lengths and structures of a packed player are checked without wrapping") {
    CHECK(verdict(changed(fixture("add_forward_request"), 84, {0x10})) == "dp_structure");
    CHECK(verdict(changed(fixture("add_forward_request"), 68, {0xff, 0xff, 0xff, 0xff})) == "dp_size");
    CHECK(verdict(changed(fixture("create_player"), 60, {0x0d})) == "dp_string");
    CHECK(verdict(changed(fixture("create_player"), 72, {0xff, 0xff, 0xff, 0xff})) == "dp_size");
    CHECK(verdict(changed(fixture("create_player"), 76, {0xff, 0xff, 0xff, 0x3f})) == "dp_count");
}

TEST_CASE("counts of the player table are checked against what is there") {
    CHECK(verdict(changed(fixture("super_enum_players_reply"), 28, {0xff, 0xff, 0xff, 0x7f})) == "dp_count");
    CHECK(verdict(changed(fixture("super_enum_players_reply"), 28, {0x64})) == "dp_count");
    CHECK(verdict(changed(fixture("super_enum_players_reply"), 28, {0x06})) != "accepted");
    CHECK(verdict(changed(fixture("super_enum_players_reply"), 502, {0x7f})) == "dp_count");
}

TEST_CASE("a three in a two-bit length code means four bytes") {
    SuperPackedPlayer player;
    player.data = Bytes(0x10000, 1);
    ByteWriter out;
    write_super_packed_player(out, player);
    REQUIRE(out.size() == 20 + 4 + 0x10000);
    CHECK(load_le<std::uint32_t>(out.buffer().data() + 12) == 3u << 4);
    ByteReader in(out.buffer());
    CHECK(*read_super_packed_player(in) == player);
}

TEST_CASE("a piece that claims a place outside the whole is rejected, an early one ignored") {
    const auto piece = [](const Bytes& bytes) { return *read_block(bytes)->message()->as<PacketBody>(); };
    FragmentAssembler assembler;
    const auto bad = assembler.add(piece(changed(fixture("packet_fragment_0"), 52, {0xff, 0xff, 0xff, 0xff})), 0);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code() == "dp_fragment");
    const auto early = assembler.add(piece(fixture("packet_fragment_1")), 0);
    REQUIRE(early);
    CHECK_FALSE(*early);
    CHECK(assembler.ignored() == 1);
    CHECK(assembler.messages() == 0);
}

TEST_CASE("limits of the messages: 64 KiB for management, 1 MiB for data") {
    Bytes play(70'000, 0), data(70'000, 0);
    const std::uint32_t word = 70'000u | 0xFABu << 20;
    for (Bytes* b : {&play, &data}) {
        std::memcpy(b->data(), &word, 4);
        (*b)[4] = 2;
        (*b)[6] = 8;
    }
    std::memcpy(play.data() + 20, "play", 4);
    CHECK(check_block(play, true, {}).error().code() == "dp_size");
    CHECK(check_block(data, true, {}));
}
