#include <catch2/catch.hpp>

#include "protocol/discovery.hpp"
#include "protocol/version.hpp"

using namespace iron;
using namespace iron::protocol;

TEST_CASE("a query is padded so that no answer is longer than it") {
    const Bytes query = pack_server_query(0x1234);
    CHECK(query.size() == 512);
    const auto message = DiscoveryMessage::receive(query);
    REQUIRE(message);
    REQUIRE(message->query());
    CHECK(message->query()->nonce() == 0x1234);
    CHECK(message->query()->major() == kVersion.major);
    CHECK(message->info() == nullptr);
}

TEST_CASE("an answer round-trips and keeps within the query's size") {
    const auto answer = [](const std::string& name, const std::string& mission) {
        flatbuffers::FlatBufferBuilder b;
        const auto name_at = b.CreateString(name);
        const auto mission_at = b.CreateString(mission);
        const auto hash = b.CreateVector(std::vector<std::uint8_t>(32, 5));
        return pack_server_info(b, CreateServerInfo(b, 7, 1, 0, 26800, name_at, mission_at, GameMode::multiplayer, RoomState::open, 1, 4,
                                                    Profile::part1, hash, true));
    };
    const auto packet = answer("server", "missions/m.01");
    REQUIRE(packet);
    const auto message = DiscoveryMessage::receive(*packet);
    REQUIRE(message);
    CHECK(message->info()->port() == 26800);
    const auto longest = answer(std::string(64, 'n'), std::string(256, 'm'));
    REQUIRE(longest);
    CHECK(longest->size() <= 512);
    CHECK_FALSE(answer(std::string(600, 'n'), ""));
}

TEST_CASE("damaged and short datagrams are refused") {
    const Bytes query = pack_server_query(1);
    for (std::size_t n = 0; n < query.size(); ++n)
        CHECK(!DiscoveryMessage::receive(ByteView(query).first(n)));
    Bytes other = query;
    other[11] = 'X';
    CHECK(DiscoveryMessage::receive(other).error().code() == "bad_identifier");
    CHECK(DiscoveryMessage::receive(Bytes(513, 0)).error().code() == "packet_too_large");
}
