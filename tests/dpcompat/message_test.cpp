// Expected values: the byte tables of directplay.md 14.
#include <catch2/catch.hpp>

#include "dpcompat/wire/messages.hpp"
#include "tests/dpcompat/fixture.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

namespace {

Block block_of(const std::string& name) {
    auto block = read_block(fixture(name));
    REQUIRE(block);
    return *block;
}
template <class T>
T body_as(const Block& block) {
    REQUIRE(block.message() != nullptr);
    const T* body = block.message()->as<T>();
    REQUIRE(body != nullptr);
    return *body;
}

const Guid kInstance = *parse_guid("{5A3C0F9E-7B21-4D66-9A10-0C55D2E4B801}");

void check_desc(const SessionDesc& desc, std::uint32_t players) {
    CHECK(desc.flags == (session_flag::kKeepAlive | session_flag::kMigrateHost));
    CHECK(desc.instance == kInstance);
    CHECK(desc.application == kGameGuid);
    CHECK(desc.max_players == 4);
    CHECK(desc.current_players == players);
    CHECK(desc.key == kKey);
    CHECK(desc.reserved2 == 0);
    CHECK(desc.user == std::array<std::uint32_t, 4>{0x11111111, 0x22222222, 0x33333333, 0x44444444});
}

}  // namespace

TEST_CASE("every worked packet decodes and encodes back to the same bytes, laid out the usual way") {
    for (const char* name : kMessageFixtures) {
        INFO(name);
        const Bytes bytes = fixture(name);
        CHECK(check_block(bytes, true, {}));
        const auto block = read_block(bytes);
        REQUIRE(block);
        CHECK(write_block(*block) == bytes);
        if (const Message* m = block->message()) {
            CHECK(m->irregular.empty());
            CHECK(m->trailing.empty());
            CHECK(m->version == 14);
            CHECK(frame_message(*m, 2300) == bytes);
        }
    }
}

TEST_CASE("the application GUID has the wire bytes of the page") {
    CHECK(to_string(kGameGuid) == "{3C1D1F01-A870-11D1-8400-000021B14415}");
    CHECK(*parse_guid("3C1D1F01-A870-11D1-8400-000021B14415") == kGameGuid);
    CHECK_FALSE(parse_guid("{3C1D1F01-A870-11D1-8400-000021B1441}"));
    CHECK_FALSE(parse_guid("{3C1D1F01-A870-11D1-8400-000021B1441G}"));
}

TEST_CASE("14.1 an enumeration request") {
    const Block block = block_of("enum_sessions_request");
    CHECK(block.header.size == 52);
    CHECK(block.header.token == 0xFAB);
    CHECK(block.header.address.family == 2);
    CHECK(block.header.address.endpoint == Endpoint{0, 2300});
    CHECK(block.message()->command == 2);
    const auto body = body_as<EnumSessionsBody>(block);
    CHECK(body.application == kGameGuid);
    CHECK(body.flags == enum_flag::kAvailable);
    CHECK_FALSE(body.password);
    const auto secret = body_as<EnumSessionsBody>(block_of("enum_sessions_request_password"));
    CHECK(secret.password == Text16(u"secret"));
    CHECK(secret.flags == (enum_flag::kAll | enum_flag::kPasswordRequired));
}

TEST_CASE("14.2 an enumeration reply") {
    const auto body = body_as<EnumSessionsReplyBody>(block_of("enum_sessions_reply"));
    check_desc(body.desc, 2);
    CHECK(body.name == Text16(u"Iron test"));
}

TEST_CASE("14.3 id requests and replies") {
    CHECK(body_as<RequestIdBody>(block_of("request_player_id_system")).flags == 9);
    CHECK(body_as<RequestIdBody>(block_of("request_player_id")).flags == 8);
    const auto system = body_as<RequestReplyBody>(block_of("request_player_reply_system"));
    CHECK(system.id == kJoinerSystem);
    CHECK(system.result == kDpOk);
    CHECK(body_as<RequestReplyBody>(block_of("request_player_reply")).id == kJoinerPlayer);
    const auto full = body_as<RequestReplyBody>(block_of("request_player_reply_full"));
    CHECK(full.id == 0);
    CHECK(full.result == 0x8877014A);
    CHECK(result_name(full.result) == "NONEWPLAYERS");
}

TEST_CASE("14.4 a join request ends with the session key") {
    const auto body = body_as<AddForwardRequestBody>(block_of("add_forward_request"));
    CHECK(body.id == kJoinerSystem);
    CHECK(body.player.flags == (player_flag::kSystem | player_flag::kLocal));
    CHECK(body.player.id == kJoinerSystem);
    CHECK(body.player.system_id == kJoinerSystem);
    CHECK(body.player.version == 14);
    CHECK(body.player.fixed_size == 48);
    REQUIRE(body.player.sp_data);
    CHECK(body.player.sp_data->tcp.endpoint == Endpoint{0, 2300});
    CHECK(body.player.sp_data->udp.endpoint == Endpoint{0, 2350});
    CHECK(body.password == Text16());
    CHECK(body.key == kKey);
    const auto secret = body_as<AddForwardRequestBody>(block_of("add_forward_request_password"));
    CHECK(secret.password == Text16(u"secret"));
    CHECK(secret.key == kKey);
}

TEST_CASE("14.5 the player table") {
    const auto body = body_as<SuperEnumReplyBody>(block_of("super_enum_players_reply"));
    check_desc(body.desc, 2);
    CHECK(body.name == Text16(u"Iron test"));
    CHECK_FALSE(body.password);
    REQUIRE(body.players.size() == 5);
    REQUIRE(body.groups.size() == 1);
    CHECK(body.shortcuts.empty());
    CHECK(body.players[0].flags == 5);
    CHECK(body.players[0].id == kJoinerSystem);
    CHECK(body.players[0].version_or_system == 14);
    CHECK(body.players[0].sp_data->tcp.endpoint == Endpoint{0xC0000214, 2300});
    CHECK(body.players[0].sp_data->udp.endpoint == Endpoint{0xC0000214, 2350});
    CHECK(body.players[1].flags == 0xF);
    CHECK(body.players[1].id == kHostSystem);
    CHECK(body.players[1].sp_data->tcp.endpoint == Endpoint{0, 2300});
    CHECK(body.players[2].flags == 0xC);
    CHECK(body.players[2].id == kHostPlayer);
    CHECK(body.players[2].version_or_system == kHostSystem);
    CHECK(body.players[2].short_name == Text16(u"Host"));
    CHECK(body.players[2].long_name == Text16(u"Host player"));
    CHECK(body.players[2].data == Bytes{1, 2, 3, 4});
    CHECK(body.players[3].id == kThirdSystem);
    CHECK(body.players[3].sp_data->tcp.endpoint == Endpoint{0xC000021E, 2300});
    CHECK(body.players[4].id == kThirdPlayer);
    CHECK(body.players[4].flags == 4);
    CHECK(body.players[4].short_name == Text16(u"Third"));
    CHECK(body.players[4].version_or_system == kThirdSystem);
    CHECK(body.groups[0].id == kTeam);
    CHECK(body.groups[0].short_name == Text16(u"Team"));
    CHECK(body.groups[0].ids == std::vector<DpId>{kHostPlayer, kThirdPlayer});
    CHECK(body.groups[0].parent == 0u);
}

TEST_CASE("14.6 a new player with a Cyrillic name") {
    const auto body = body_as<CreateBody>(block_of("create_player"));
    CHECK(body.id == kJoinerPlayer);
    CHECK(body.player.flags == player_flag::kLocal);
    CHECK(body.player.system_id == kJoinerSystem);
    CHECK(body.player.short_name == Text16(u"\u0418\u0433\u0440\u043e\u043a"));
    CHECK(to_utf8(*body.player.short_name) == "\xD0\x98\xD0\xB3\xD1\x80\xD0\xBE\xD0\xBA");
    CHECK(body.player.long_name == Text16(u"Player two"));
    CHECK(body.player.data == Bytes{1, 2, 3, 4});
    CHECK(body.reserved_tail);
    const auto group = body_as<CreateBody>(block_of("create_group"));
    CHECK(group.id == kTeam);
    CHECK(group.player.short_name == Text16(u"Team"));
    CHECK_FALSE(group.reserved_tail);
    CHECK_FALSE(group.player.sp_data);
}

TEST_CASE("a player announcement without the six reserved bytes is accepted") {
    Bytes bytes = fixture("create_player");
    bytes.resize(bytes.size() - 6);
    const auto message = read_message(body_of(bytes));
    REQUIRE(message);
    CHECK_FALSE(message->as<CreateBody>()->reserved_tail);
    CHECK(write_message(*message) == Bytes(bytes.begin() + 20, bytes.end()));
}

TEST_CASE("14.7 to 14.11 and 14.13: the remaining bodies") {
    const auto desc = body_as<SessionDescChangedBody>(block_of("session_desc_changed"));
    check_desc(desc.desc, 3);
    CHECK(desc.name == Text16(u"Iron test"));
    CHECK_FALSE(desc.password);

    const Block data = block_of("player_message_tcp");
    REQUIRE(data.player() != nullptr);
    CHECK(*data.player() == PlayerMessage{kJoinerPlayer, kHostPlayer, {0xDE, 0xAD, 0xBE, 0xEF, 0, 1, 2, 3}});
    CHECK(*read_bare_player_message(fixture("player_message_udp")) == *data.player());
    CHECK(write_bare_player_message(*data.player()) == fixture("player_message_udp"));

    CHECK(body_as<PingBody>(block_of("ping")) == PingBody{kHostSystem, 74565});
    CHECK(body_as<PingBody>(block_of("ping_reply")) == PingBody{kHostSystem, 74565});

    const auto piece = body_as<PacketBody>(block_of("packet_fragment_0"));
    CHECK(piece.index == 0);
    CHECK(piece.total == 2);
    CHECK(piece.offset == 0);
    CHECK(piece.whole_bytes == 84);
    CHECK(piece.piece.size() == 48);
    CHECK(body_as<PacketAckBody>(block_of("packet2_ack")) == PacketAckBody{piece.message, 0});

    CHECK(body_as<MembershipBody>(block_of("delete_player")) == MembershipBody{kJoinerPlayer, 0});
    CHECK(body_as<MembershipBody>(block_of("delete_player_system")) == MembershipBody{kJoinerSystem, 0});
    CHECK(body_as<MembershipBody>(block_of("add_player_to_group")) == MembershipBody{kJoinerPlayer, kTeam});
    CHECK(body_as<MembershipBody>(block_of("delete_player_from_group")) == MembershipBody{kJoinerPlayer, kTeam});
    CHECK(body_as<AddForwardAckBody>(block_of("add_forward_ack")).id == kJoinerSystem);
    CHECK(body_as<ResultBody>(block_of("add_forward_reply_bad_password")).result == kDpInvalidPassword);

    const auto forward = body_as<AddForwardBody>(block_of("add_forward"));
    CHECK(forward.player.flags == 5);
    CHECK(forward.player.sp_data->udp.endpoint == Endpoint{0xC0000214, 2350});

    CHECK(body_as<DataChangedBody>(block_of("player_data_changed")) ==
          DataChangedBody{kJoinerPlayer, {10, 11, 12, 13, 14, 15, 16, 17}});
    const auto name = body_as<NameChangedBody>(block_of("player_name_changed"));
    CHECK(name.short_name == Text16(u"New"));
    CHECK(name.long_name == Text16(u"New name"));

    const auto chat = body_as<ChatBody>(block_of("chat"));
    CHECK(chat.from == kJoinerPlayer);
    CHECK(chat.to == kHostPlayer);
    CHECK(chat.flags == 1);
    CHECK(chat.text == Text16(u"hello"));

    const auto server = body_as<NameServerBody>(block_of("i_am_name_server"));
    CHECK(server.to == kThirdSystem);
    CHECK(server.system_id == kJoinerSystem);
    CHECK(server.flags == 7);
    CHECK(server.sp_data->tcp.endpoint == Endpoint{0, 2300});
    CHECK(std::holds_alternative<EmptyBody>(block_of("you_are_dead").message()->body));
}

TEST_CASE("ids are slot and uniqueness under the session key") {
    CHECK(make_id({6, 1}, kKey) == kJoinerPlayer);
    CHECK(make_id({0, 1}, kKey) == kHostSystem);
    CHECK(split_id(kTeam, kKey) == IdParts{4, 1});
}

TEST_CASE("an unknown command and bytes behind a message are carried") {
    const Bytes unknown{0x70, 0x6c, 0x61, 0x79, 0x32, 0x00, 0x0b, 0x00, 9, 8, 7};
    const auto message = read_message(unknown);
    REQUIRE(message);
    CHECK(message->command == 0x32);
    CHECK(command_name(message->command) == "UNKNOWN");
    CHECK(message->version == 11);
    CHECK(message->as<UnknownBody>()->bytes == Bytes{9, 8, 7});
    CHECK(write_message(*message) == unknown);

    Bytes tail = fixture("session_desc_changed");
    tail.insert(tail.end(), 80, 0);  // a host of another game does this (4.13)
    const auto longer = read_message(body_of(tail));
    REQUIRE(longer);
    CHECK(longer->trailing.size() == 80);
    CHECK(write_message(*longer) == Bytes(tail.begin() + 20, tail.end()));
}

TEST_CASE("an unusual layout survives until the message is edited") {
    // The name of a reply two bytes further than usual, with a filled gap; offsets are followed, not assumed.
    const Bytes usual = fixture("enum_sessions_reply");
    Bytes moved(usual.begin() + 20, usual.begin() + 112);
    moved[88] = 94;
    moved.insert(moved.end(), {0xAA, 0xBB});
    moved.insert(moved.end(), usual.begin() + 112, usual.end());
    auto message = read_message(moved);
    REQUIRE(message);
    CHECK(message->as<EnumSessionsReplyBody>()->name == Text16(u"Iron test"));
    CHECK_FALSE(message->irregular.empty());
    CHECK(write_message(*message) == moved);

    std::get<EnumSessionsReplyBody>(message->body).desc.current_players = 3;
    Bytes expected(usual.begin() + 20, usual.end());
    expected[8 + 44] = 3;
    CHECK(write_message(*message) == expected);
}

TEST_CASE("words that should be zero are carried when they are not") {
    Bytes bytes = fixture("delete_player");
    bytes[28] = 0x55;
    const auto block = read_block(bytes);
    REQUIRE(block);
    CHECK(write_block(*block) == bytes);
    Bytes padded = changed(fixture("ping"), 12, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto other = read_block(padded);
    REQUIRE(other);
    CHECK(write_block(*other) == padded);
}

TEST_CASE("lone surrogates stay in names") {
    Bytes bytes = fixture("create_player");
    bytes[96] = 0x00;
    bytes[97] = 0xD8;
    const auto block = read_block(bytes);
    REQUIRE(block);
    CHECK(write_block(*block) == bytes);
    CHECK(to_utf8(Text16{char16_t{0xD800}, u'a'}) == "\xEF\xBF\xBD" "a");
    CHECK(to_text16("a\xF0\x9F\x98\x80\xFF") == Text16{u'a', char16_t{0xD83D}, char16_t{0xDE00}, char16_t{0xFFFD}});
}

TEST_CASE("without message ids a player message is header and data") {
    const PlayerMessage message{0, 0, {1, 2, 3}};
    const Bytes bytes = frame_player_message(message, 2300, true);
    CHECK(bytes.size() == 23);
    HeaderPolicy policy;
    policy.no_message_id = true;
    CHECK(check_block(bytes, true, policy));
    CHECK_FALSE(check_block(bytes, true, {}));
    CHECK(*read_block(bytes, true)->player() == message);
    CHECK(write_bare_player_message(message, true) == message.data);
}
