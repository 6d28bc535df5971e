#include <catch2/catch.hpp>

#include "protocol/handshake.hpp"
#include "tests/protocol/packets.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

HandshakeVerdict judge(const test::HelloFields& fields, const HandshakePolicy& policy) {
    const auto message = Message::receive(test::hello_packet(fields), Direction::from_client, Channel::control);
    REQUIRE(message);
    return judge_hello(*message->as<Hello>(), policy);
}

HandshakePolicy open_server() {
    HandshakePolicy policy;
    policy.free_player_slots = 1;
    return policy;
}

}  // namespace

TEST_CASE("a fitting Hello is welcome") { CHECK(judge({}, open_server()).welcome()); }

TEST_CASE("another major is rejected and both versions are named") {
    const auto verdict = judge({.major = 2, .minor = 7}, open_server());
    CHECK(verdict.code == RejectCode::version);
    CHECK(verdict.text.find("2.7") != std::string::npos);
    CHECK(verdict.text.find("1.0") != std::string::npos);
}

TEST_CASE("another minor of the same major is welcome") {
    CHECK(judge({.major = kVersion.major, .minor = 9}, open_server()).welcome());
}

TEST_CASE("another application is rejected") {
    std::array<std::uint8_t, 16> other{};
    CHECK(judge({.app_id = other}, open_server()).code == RejectCode::version);
}

TEST_CASE("other content is rejected with both fingerprints named") {
    HandshakePolicy policy = open_server();
    policy.fingerprint.fill(0xAB);
    const auto verdict = judge({}, policy);
    CHECK(verdict.code == RejectCode::fingerprint);
    CHECK(verdict.text.find("abababab") != std::string::npos);
    CHECK(verdict.text.find("00000000") != std::string::npos);
}

TEST_CASE("a full server rejects players and spectators by their own count") {
    HandshakePolicy policy;
    CHECK(judge({}, policy).code == RejectCode::full);
    policy.free_spectator_slots = 1;
    CHECK(judge({.role = Role::spectator}, policy).welcome());
    CHECK(judge({}, policy).code == RejectCode::full);
}

TEST_CASE("the password must match") {
    HandshakePolicy policy = open_server();
    policy.password = "sesame";
    CHECK(judge({}, policy).code == RejectCode::password);
    CHECK(judge({.password = "Sesame"}, policy).code == RejectCode::password);
    CHECK(judge({.password = "sesame"}, policy).welcome());
}

TEST_CASE("banned clients, taken names and closed matches are rejected") {
    HandshakePolicy policy = open_server();
    policy.banned = true;
    CHECK(judge({}, policy).code == RejectCode::banned);
    policy = open_server();
    const std::vector<std::string> names = {"petja", "VASJA"};
    policy.names = names;
    CHECK(judge({}, policy).code == RejectCode::name_taken);
    policy = open_server();
    policy.joinable = false;
    CHECK(judge({}, policy).code == RejectCode::bad_state);
}

TEST_CASE("a returning player needs no password, room or free name, but the right version and content") {
    HandshakePolicy policy;
    policy.password = "sesame";
    policy.joinable = false;
    policy.returning_player = 3;
    const auto verdict = judge({.token = true}, policy);
    CHECK(verdict.welcome());
    CHECK(verdict.returning_player == 3);
    CHECK(judge({.major = 2, .token = true}, policy).code == RejectCode::version);
    CHECK(judge({.token = false}, policy).code == RejectCode::password);
}

TEST_CASE("the public seed is the start of a digest and hides the match seed") {
    // SHA-256 of "i3d-public" and eight zero bytes, first eight bytes little-endian (worked out with sha256sum).
    CHECK(public_seed(0) == 0x2460bbfb572284e3ull);
    CHECK(public_seed(1) != public_seed(0));
}

TEST_CASE("player numbers have their ranges") {
    CHECK_FALSE(is_player(0));
    CHECK(is_player(1));
    CHECK(is_player(64));
    CHECK_FALSE(is_player(65));
    CHECK(is_spectator(0x0100));
    CHECK(is_spectator(0x01FF));
    CHECK_FALSE(is_spectator(0x0200));
    CHECK_FALSE(is_player(kInvalidPlayer));
}
