// The rows of net-messages.md section 8, copied by hand: key, name, channels of the client and of the server.
#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>

#include "protocol/registry.hpp"

using namespace iron::protocol;

namespace {

struct Row {
    std::uint16_t key;
    const char* name;
    const char* client;  ///< channels it may use
    const char* server;
};

constexpr Row kPage[] = {
    {0x0001, "Hello", "0", ""}, {0x0002, "Welcome", "", "0"}, {0x0003, "Reject", "", "0"},
    {0x0004, "Ping", "5", "2"}, {0x0005, "Pong", "5", "2"}, {0x0006, "Goodbye", "0", "0"},
    {0x0011, "PlayerData", "0", ""}, {0x0012, "PlayerJoined", "", "0"}, {0x0013, "PlayerDataConfirmed", "", "0"},
    {0x0014, "MissionPath", "", "0"}, {0x0015, "PlayerRemoved", "", "0"}, {0x0016, "GameStarted", "", "0"},
    {0x0017, "PlayerStatus", "", "0"}, {0x0020, "PauseRequest", "0", ""}, {0x0021, "PauseState", "", "0"},
    {0x0022, "TimeSync", "", "0"}, {0x0040, "SnapshotRequest", "4", ""}, {0x0041, "SnapshotBegin", "", "4"},
    {0x0042, "SnapshotChunk", "", "4"}, {0x0043, "SnapshotEnd", "", "4"}, {0x0044, "RulesData", "", "4"},
    {0x0045, "RulesRequest", "4", ""}, {0x0070, "Text", "3", "3"}, {0x0092, "ClientContentError", "0", ""},
    {0x0101, "TickEnd", "", "1"}, {0x0102, "MirrorCreate", "", "1"}, {0x0103, "ObjectKill", "", "1"},
    {0x0104, "MirrorHide", "", "1"}, {0x0110, "ObjectSetState", "", "1"}, {0x0111, "ObjectOwner", "", "1"},
    {0x0112, "ObjectTaken", "", "1"}, {0x0120, "ObjectAttach", "", "1"}, {0x0121, "ObjectDetach", "", "1"},
    {0x0122, "LandscapeChild", "", "1"}, {0x0130, "ResourceAppend", "", "1"}, {0x0131, "ResourceRemove", "", "1"},
    {0x0140, "ItemState", "", "1"}, {0x0141, "LifePieces", "", "1"}, {0x0142, "CriticalDecay", "", "1"},
    {0x0143, "UnitDetail", "", "2"}, {0x0144, "UnitOrders", "", "1"}, {0x0150, "EnvironmentToggle", "", "1"},
    {0x0151, "EnvironmentState", "", "1"}, {0x0160, "ContactEvent", "", "2"}, {0x0170, "ShotFired", "", "2"},
    {0x0171, "ProjectileEnd", "", "2"}, {0x0172, "EffectEvent", "", "2"}, {0x0173, "SoundEvent", "", "12"},
    {0x0180, "BuildingState", "", "1"}, {0x0181, "ClanState", "", "1"}, {0x0182, "ResearchState", "", "1"},
    {0x0183, "ResourceTransfer", "", "1"}, {0x0184, "ResourceTransferResult", "", "1"},
    {0x0185, "DepositState", "", "1"}, {0x0186, "SchemeList", "", "1"}, {0x0190, "ScriptMessage", "", "1"},
    {0x0191, "MissionOutcome", "", "0"}, {0x0192, "MatchSummary", "", "0"}, {0x0200, "MirrorState", "", "2"},
    {0x0300, "CommandBatch", "1", ""}, {0x0301, "ManualInput", "5", ""}, {0x0302, "CommandResult", "", "1"},
    {0x0303, "OrderEvent", "", "1"}, {0x0304, "ClientState", "5", ""},
};

/// Ours, beyond the page: reconnect, lobby, saves, designs, content list, reports.
constexpr Row kOurs[] = {
    {0x0007, "Resume", "0", ""}, {0x0008, "ResumeState", "", "0"}, {0x0023, "ScaleRequest", "0", ""},
    {0x0024, "SaveRequest", "0", ""}, {0x0025, "SaveResult", "", "0"}, {0x0026, "SaveListRequest", "0", ""},
    {0x0027, "SaveList", "", "0"}, {0x0030, "RoomListRequest", "0", ""}, {0x0031, "RoomList", "", "0"},
    {0x0032, "RoomCreate", "0", ""}, {0x0033, "RoomJoin", "0", ""}, {0x0034, "RoomLeave", "0", ""},
    {0x0035, "LobbyState", "", "0"}, {0x0036, "SlotChange", "0", ""}, {0x0037, "ReadyChange", "0", ""},
    {0x0038, "MissionListRequest", "0", ""}, {0x0039, "MissionList", "", "0"}, {0x003A, "MissionChoice", "0", ""},
    {0x003B, "RulesListRequest", "0", ""}, {0x003C, "RulesList", "", "0"}, {0x003D, "RulesChoice", "0", ""},
    {0x003E, "StartRequest", "0", ""}, {0x003F, "LobbyResult", "", "0"}, {0x0046, "ContentListRequest", "4", ""},
    {0x0047, "ContentList", "", "4"}, {0x0093, "ViewHashMismatch", "0", ""}, {0x0310, "DesignBegin", "4", ""},
    {0x0311, "DesignChunk", "4", ""}, {0x0312, "DesignResult", "", "4"},
};

std::uint8_t mask_of(const char* channels) {
    std::uint8_t mask = 0;
    for (; *channels; ++channels) mask = static_cast<std::uint8_t>(mask | 1u << (*channels - '0'));
    return mask;
}

void check_row(const Row& row) {
    INFO(row.name);
    const MessageInfo* info = find_message(row.key);
    REQUIRE(info != nullptr);
    CHECK(info->name == row.name);
    CHECK(info->client_channels == mask_of(row.client));
    CHECK(info->server_channels == mask_of(row.server));
}

}  // namespace

TEST_CASE("every message of the page is in the schema with its key, side and channel") {
    for (const Row& row : kPage) check_row(row);
    for (const Row& row : kOurs) check_row(row);
}

TEST_CASE("keys and union members are one to one and nothing is unlisted") {
    std::set<std::uint16_t> keys;
    std::set<std::string> names;
    for (const auto& info : messages()) {
        CHECK(keys.insert(info.key).second);
        CHECK(names.insert(info.name).second);
        CHECK(info.key != 0);
        CHECK((info.client_channels | info.server_channels) != 0);
        CHECK(find_message(info.body) == &info);
    }
    CHECK(messages().size() == std::size(kPage) + std::size(kOurs));
    CHECK(messages().size() == static_cast<std::size_t>(Body::MAX));
    CHECK(messages().size() <= 255);
}

TEST_CASE("channels 2 and 5 are unreliable and the others reliable") {
    const std::map<Channel, bool> expected = {{Channel::control, true}, {Channel::events, true},
                                              {Channel::state, false},  {Channel::text, true},
                                              {Channel::bulk, true},    {Channel::input, false}};
    for (const auto& [channel, reliable] : expected) CHECK(is_reliable(channel) == reliable);
}

TEST_CASE("a message is allowed only from its side and on its channel") {
    CHECK(is_allowed(Body::Hello, Direction::from_client, Channel::control));
    CHECK_FALSE(is_allowed(Body::Hello, Direction::from_server, Channel::control));
    CHECK_FALSE(is_allowed(Body::Hello, Direction::from_client, Channel::events));
    CHECK(is_allowed(Body::SoundEvent, Direction::from_server, Channel::events));
    CHECK(is_allowed(Body::SoundEvent, Direction::from_server, Channel::state));
    CHECK(find_message(Body::SoundEvent)->usual_channel(Direction::from_server) == Channel::state);
    CHECK_FALSE(is_allowed(Body::NONE, Direction::from_server, Channel::control));
    CHECK_FALSE(is_allowed(static_cast<Body>(250), Direction::from_server, Channel::control));
}
