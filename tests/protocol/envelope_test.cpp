#include <catch2/catch.hpp>

#include <cstring>

#include "protocol/envelope.hpp"
#include "protocol/limits.hpp"
#include "tests/protocol/packets.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

std::string code_of(const Result<Message>& r) { return r ? "ok" : r.error().code(); }

/// A buffer in which the union type of the envelope is `type`.
Bytes with_body_type(Bytes packet, std::uint8_t type) {
    std::vector<std::uint64_t> words((packet.size() + 7) / 8);
    std::memcpy(words.data(), packet.data(), packet.size());
    auto* root = flatbuffers::GetMutableRoot<flatbuffers::Table>(reinterpret_cast<std::uint8_t*>(words.data()) + 4);
    root->SetField<std::uint8_t>(Envelope::VT_BODY_TYPE, type, 0);
    std::memcpy(packet.data(), words.data(), packet.size());
    return packet;
}

}  // namespace

TEST_CASE("a packed message is received with its head and body") {
    flatbuffers::FlatBufferBuilder b;
    const Bytes packet = pack(b, CreateTickEnd(b, 3, 0x1122334455667788u), {0, 17, 150, 6}, Channel::events);
    auto message = Message::receive(packet, Direction::from_server, Channel::events);
    REQUIRE(message);
    CHECK(message->envelope().sequence() == 17);
    CHECK(message->envelope().tick() == 150);
    CHECK(message->envelope().native() == 6);
    CHECK(message->info().key == 0x0101);
    REQUIRE(message->as<TickEnd>() != nullptr);
    CHECK(message->as<TickEnd>()->count() == 3);
    CHECK(message->as<TickEnd>()->view_hash().value() == 0x1122334455667788u);
    CHECK(message->as<TickEnd>()->state_hash() == nullptr);
    CHECK(message->as<Hello>() == nullptr);
}

TEST_CASE("the wire form is a size prefix, a root offset and the identifier I3D1") {
    const Bytes packet = test::hello_packet();
    CHECK(load_le<std::uint32_t>(packet.data()) == packet.size() - 4);
    CHECK(as_text(ByteView(packet).subspan(8, 4)) == "I3D1");
}

TEST_CASE("an absent objid reads as none") {
    flatbuffers::FlatBufferBuilder b;
    ShotFiredBuilder shot(b);
    const Pos3 origin(1, 2, 3);
    const Vec3 direction(1, 0, 0);
    shot.add_origin(&origin);
    shot.add_direction(&direction);
    const auto shot_at = shot.Finish();
    const Bytes packet = pack(b, shot_at, {}, Channel::state);
    auto message = Message::receive(packet, Direction::from_server, Channel::state);
    REQUIRE(message);
    CHECK(message->as<ShotFired>()->shooter() == 0xFFFFFFFFu);
    CHECK(message->as<ShotFired>()->target() == 0xFFFFFFFFu);
    CHECK(message->envelope().native() == 0xFFFFFFFFu);
}

TEST_CASE("a packet whose length differs from its size prefix is refused") {
    Bytes longer = test::hello_packet();
    longer.push_back(0);
    CHECK(code_of(Message::receive(longer, Direction::from_client, Channel::control)) == "bad_length");
    Bytes shorter = test::hello_packet();
    shorter.pop_back();
    CHECK(code_of(Message::receive(shorter, Direction::from_client, Channel::control)) == "bad_length");
    CHECK(code_of(Message::receive(Bytes{1, 2, 3}, Direction::from_client, Channel::control)) == "bad_length");
    CHECK(code_of(Message::receive({}, Direction::from_client, Channel::control)) == "bad_length");
}

TEST_CASE("every prefix of a packet with a fitting size is refused without reading outside") {
    const Bytes whole = test::command_packet();
    for (std::size_t n = 12; n < whole.size(); ++n) {
        Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        const auto prefix = static_cast<std::uint32_t>(n - 4);
        std::memcpy(cut.data(), &prefix, 4);
        CHECK(!Message::receive(cut, Direction::from_client, Channel::events));
    }
}

TEST_CASE("another identifier is refused") {
    Bytes packet = test::hello_packet();
    packet[11] = '2';
    CHECK(code_of(Message::receive(packet, Direction::from_client, Channel::control)) == "bad_identifier");
}

TEST_CASE("the limits of the channels are checked first") {
    CHECK(code_of(Message::receive(Bytes(kMaxPacketBytes + 1), Direction::from_client, Channel::events)) == "packet_too_large");
    CHECK(code_of(Message::receive(Bytes(1201, 1), Direction::from_client, Channel::input)) == "packet_too_large");
    CHECK(code_of(Message::receive(Bytes(1201, 1), Direction::from_server, Channel::state)) == "packet_too_large");
}

TEST_CASE("a message on a wrong channel or from the wrong side is refused") {
    const Bytes hello = test::hello_packet();
    CHECK(code_of(Message::receive(hello, Direction::from_client, Channel::events)) == "not_allowed");
    CHECK(code_of(Message::receive(hello, Direction::from_server, Channel::control)) == "not_allowed");
    CHECK(code_of(Message::receive(hello, Direction::from_client, Channel::control)) == "ok");
}

TEST_CASE("an unknown union member is named and the policy depends on minor and channel") {
    const Bytes packet = with_body_type(test::hello_packet(), 254);
    CHECK(code_of(Message::receive(packet, Direction::from_client, Channel::control)) == "unknown_message");
    CHECK(unknown_message_policy(Channel::control, kVersion.minor) == UnknownPolicy::disconnect);
    CHECK(unknown_message_policy(Channel::events, static_cast<std::uint16_t>(kVersion.minor + 1)) == UnknownPolicy::skip);
    CHECK(unknown_message_policy(Channel::state, kVersion.minor) == UnknownPolicy::skip);
}

TEST_CASE("a body of another type than the union says does not pass") {
    // A Hello read as CommandBatch: its second field would be a vector offset.
    const Bytes packet = with_body_type(test::hello_packet(), static_cast<std::uint8_t>(Body::CommandBatch));
    CHECK(!Message::receive(packet, Direction::from_client, Channel::events));
}

TEST_CASE("a missing required field is refused by the verifier") {
    flatbuffers::FlatBufferBuilder b;
    flatbuffers::FlatBufferBuilder raw;
    const auto start = raw.StartTable();
    raw.AddElement<std::uint16_t>(Hello::VT_MAJOR, 1, 0);
    const flatbuffers::Offset<void> body(raw.EndTable(start));
    const Bytes packet = finish_packet(raw, Body::Hello, body, {}, Channel::control);
    CHECK(code_of(Message::receive(packet, Direction::from_client, Channel::control)) == "bad_flatbuffer");
}

TEST_CASE("packets of the state channel carry a tag byte") {
    flatbuffers::FlatBufferBuilder b;
    const Bytes pong = pack(b, CreatePong(b, 1, 2, 3), {}, Channel::state);
    CHECK(pong[0] == 1);
    CHECK_FALSE(is_state_packet(pong));
    CHECK(code_of(Message::receive(pong, Direction::from_server, Channel::state)) == "ok");

    const Bytes data = {1, 2, 3};
    const Bytes state = pack_state(StateHeader(5, 6, 7, 8), data);
    CHECK(state.size() == 1 + 24 + 3);
    CHECK(state[0] == 0);
    CHECK(is_state_packet(state));
    CHECK(code_of(Message::receive(state, Direction::from_server, Channel::state)) == "not_an_envelope");
    auto packet = read_state_packet(state);
    REQUIRE(packet);
    CHECK(packet->header.sequence() == 5);
    CHECK(packet->header.input_tick() == 6);
    CHECK(packet->header.tick() == 7);
    CHECK(packet->header.base() == 8);
    CHECK(Bytes(packet->data.begin(), packet->data.end()) == data);
}

TEST_CASE("the header of a state datagram has its bytes in a fixed order") {
    const Bytes state = pack_state(StateHeader(0x04030201, 0x08070605, 0x100F0E0D0C0B0A09, 0x1817161514131211), {});
    Bytes expected = {0};
    for (std::uint8_t i = 1; i <= 24; ++i) expected.push_back(i);
    CHECK(state == expected);
}

TEST_CASE("short, oversized and foreign state datagrams are refused") {
    CHECK(read_state_packet(Bytes(24, 0)).error().code() == "bad_length");
    CHECK(read_state_packet(Bytes(1201, 0)).error().code() == "packet_too_large");
    CHECK(read_state_packet(Bytes(1 + 24 + 1101, 0)).error().code() == "packet_too_large");
    CHECK(read_state_packet(Bytes(40, 1)).error().code() == "not_a_state");
}

TEST_CASE("an unaligned buffer is refused, a received packet may start anywhere") {
    const Bytes packet = test::hello_packet();
    std::vector<std::uint64_t> words((packet.size() + 16) / 8);
    auto* shifted = reinterpret_cast<std::uint8_t*>(words.data()) + 1;
    std::memcpy(shifted, packet.data(), packet.size());
    CHECK(verify({shifted, packet.size()}, Direction::from_client, Channel::control).error().code() == "unaligned");
    CHECK(Message::receive({shifted, packet.size()}, Direction::from_client, Channel::control));
}
