// Hostile and broken clients: garbage, gaps, floods, duplicates (net-messages.md 7.2, 9, 10).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "protocol/envelope.hpp"
#include "shared/base/rng.hpp"
#include "tests/net/arena.hpp"

using namespace iron;
using namespace iron::test;
using protocol::Channel;

namespace {

Bytes envelope(Channel channel, std::uint32_t sequence) {
    flatbuffers::FlatBufferBuilder b;
    protocol::Head head;
    head.sequence = sequence;
    return protocol::pack(b, protocol::CreatePauseRequest(b, true), head, channel);
}

Bytes command_batch(std::uint32_t packet_sequence, std::vector<std::uint32_t> sequences) {
    flatbuffers::FlatBufferBuilder b;
    std::vector<flatbuffers::Offset<protocol::Command>> list;
    const protocol::Pos2 at(0, 0);
    for (const std::uint32_t s : sequences)
        list.push_back(protocol::CreateCommand(b, s, protocol::OrderCode::stop, 0, b.CreateVector(std::vector<std::uint32_t>{}),
                                               protocol::kNoObject, &at, 0, 0, 0,
                                               b.CreateVectorOfStructs(std::vector<protocol::Pos2>{}), b.CreateString(""),
                                               b.CreateVector(std::vector<std::uint8_t>{})));
    protocol::Head head;
    head.sequence = packet_sequence;
    return protocol::pack(b, protocol::CreateCommandBatch(b, 0, b.CreateVector(list)), head, Channel::events);
}

void check_boris_is_out_and_anna_plays_on(Arena& arena) {
    REQUIRE(arena.until([&] { return arena.clients[1].phase() == SessionPhase::ended; }));
    CHECK(arena.clients[1].ending()->code() == "protocol_error");
    REQUIRE(arena.ticks(60));
    CHECK(arena.clients[0].phase() == SessionPhase::running);
    CHECK(arena.clients[0].stats().hashes_different == 0);
}

}  // namespace

TEST_CASE("garbage on a reliable channel ends that connection and no other") {
    Arena arena;
    REQUIRE(arena.start_two());
    const Bytes garbage = {0xDE, 0xAD, 0xBE, 0xEF, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    arena.clients[1].send_raw(0, garbage);
    check_boris_is_out_and_anna_plays_on(arena);
}

TEST_CASE("a message on a channel where it is not allowed ends the connection") {
    Arena arena;
    REQUIRE(arena.start_two());
    arena.clients[1].send_raw(1, envelope(Channel::events, 1));
    check_boris_is_out_and_anna_plays_on(arena);
}

TEST_CASE("a gap in the sequence of a reliable channel ends the connection") {
    Arena arena;
    REQUIRE(arena.start_two());
    arena.clients[1].send_raw(1, command_batch(2, {1}));
    check_boris_is_out_and_anna_plays_on(arena);
    CHECK(arena.world->executed == 0);
}

TEST_CASE("a gap in the numbers of commands ends the connection") {
    Arena arena;
    REQUIRE(arena.start_two());
    arena.clients[1].send_raw(1, command_batch(1, {1, 3}));
    check_boris_is_out_and_anna_plays_on(arena);
    CHECK(arena.world->executed == 0);
}

TEST_CASE("messages before the handshake end the connection") {
    Arena arena;
    transport::EnetLink link = transport::EnetLink::outgoing().value();
    const auto server = link.connect("127.0.0.1", arena.host->port()).value();
    std::vector<transport::LinkEvent> events;
    bool sent = false, closed = false;
    const auto pump = [&] {
        arena.pump();
        events.clear();
        REQUIRE(link.poll(0, events));
        for (const auto& e : events) {
            if (e.kind == transport::LinkEvent::Kind::connected && !sent)
                sent = link.send(server, Channel::events, command_batch(1, {1}));
            closed = closed || e.kind == transport::LinkEvent::Kind::closed;
        }
    };
    REQUIRE(pump_until(pump, [&] { return closed; }));
    CHECK(arena.room->session().players().all().empty());
}

TEST_CASE("a command sent twice is executed once and answered once") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 300, 300));
    arena.clients[0].pump(0);
    arena.clients[0].resend_unanswered();
    arena.clients[0].pump(0);
    arena.clients[0].resend_unanswered();
    REQUIRE(arena.until([&] { return anna.find(SessionEventKind::result) != nullptr; }));
    REQUIRE(arena.ticks(20));
    CHECK(arena.world->executed == 1);
    CHECK(anna.count(SessionEventKind::result) == 1);
}

TEST_CASE("of many commands 30 enter the world in 50 ticks and the rest is answered rate_limited") {
    Arena arena;
    REQUIRE(arena.start_two());
    EventLog anna(arena.clients[0]);
    for (int i = 0; i < 40; ++i) arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 300, 300));
    REQUIRE(arena.until([&] { return anna.count(SessionEventKind::result) == 40; }));
    CHECK(arena.world->executed == 30);
    std::size_t limited = 0;
    for (std::uint32_t s = 1; s <= 40; ++s)
        if (anna.find(SessionEventKind::result, [&](const SessionEvent& e) {
                return e.sequence == s && e.code == protocol::ResultCode::rate_limited;
            }) != nullptr)
            ++limited;
    CHECK(limited == 10);
    REQUIRE(arena.ticks(60));
    arena.clients[0].send(move_order(ToyWorld::unit(0, 0), 300, 300));
    REQUIRE(arena.until([&] { return anna.count(SessionEventKind::result) == 41; }));
    CHECK(arena.world->executed == 31);
}

TEST_CASE("who floods the server is disconnected") {
    ArenaOptions options{toy_room(), {}, 3, nullptr};
    options.host.limits.inbound_messages = 50;
    Arena arena(std::move(options));
    REQUIRE(arena.start_two());
    for (int i = 0; i < 200; ++i) arena.clients[1].chat("flood");
    check_boris_is_out_and_anna_plays_on(arena);
    CHECK(arena.host->counters().misuses == 1);
}

TEST_CASE("datagrams that are no ENet packets are ignored") {
    Arena arena;
    REQUIRE(arena.start_two());
    const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
    REQUIRE(fd >= 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(arena.host->port());
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Rng rng(11, 1);
    for (int i = 0; i < 300; ++i) {
        Bytes junk(rng.below(1400));
        for (auto& byte : junk) byte = static_cast<std::uint8_t>(rng.next());
        static_cast<void>(::sendto(fd, junk.data(), junk.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to));
        if (i % 50 == 0) arena.pump();
    }
    ::close(fd);
    REQUIRE(arena.ticks(60));
    for (ClientSession& c : arena.clients) {
        CHECK(c.phase() == SessionPhase::running);
        CHECK(c.stats().hashes_different == 0);
    }
}

TEST_CASE("damaged copies of a good packet never do more than end the connection") {
    Arena arena;
    REQUIRE(arena.start_two());
    const Bytes good = command_batch(1, {1});
    Rng rng(5, 1);
    for (int round = 0; round < 12; ++round) {
        Bytes bad = good;
        bad[rng.below(static_cast<std::uint32_t>(bad.size()))] ^= static_cast<std::uint8_t>(1 + rng.below(255));
        arena.clients[1].send_raw(1, bad);
        for (int i = 0; i < 5; ++i) arena.pump();
        if (arena.clients[1].phase() != SessionPhase::ended) break;
        arena.clients.pop_back();
        auto settings = arena.settings("boris" + std::to_string(round));
        settings.role = protocol::Role::spectator;
        arena.join(std::move(settings));
        REQUIRE(arena.until([&] { return arena.clients[1].phase() == SessionPhase::running; }));
    }
    CHECK(arena.clients[0].phase() == SessionPhase::running);
}
