#include <catch2/catch.hpp>

#include "dpcompat/bridge/evidence.hpp"
#include "dpcompat/bridge/message_map.hpp"
#include "tests/dpcompat/fixture.hpp"

using namespace iron;
using namespace iron::dpcompat;
using namespace iron::test;

TEST_CASE("the shipped map of the game translates nothing") {
    const auto map = load_message_map(std::filesystem::path(IRON_SOURCE_DIR) / "dpcompat/map/parkan.toml", false);
    REQUIRE(map);
    CHECK(map->messages.empty());
    CHECK_FALSE(map->synthetic);
}

TEST_CASE("a synthetic map needs permission") {
    const auto path = fixture_path("synthetic_map.toml");
    CHECK(load_message_map(path, false).error().code() == "synthetic_map");
    const auto map = load_message_map(path, true);
    REQUIRE(map);
    CHECK(map->synthetic);
    CHECK(map->messages.size() == 6);
}

TEST_CASE("fields are read in order to the very end, and written back to the same bytes") {
    const auto map = load_message_map(fixture_path("synthetic_map.toml"), true);
    REQUIRE(map);
    // order: number, kind 1 (move), two subjects, target none, x, y
    const Bytes order{0xB9, 0x0B, 0, 0, 1, 2, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x10, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
    const MapMessage* message = map->find(order, true);
    REQUIRE(message);
    CHECK(message->action == MapAction::order);
    const auto values = read_mapped(*map, *message, order);
    REQUIRE(values);
    CHECK(std::get<std::int64_t>(values->at("order")) == 1);
    CHECK(std::get<std::vector<std::int64_t>>(values->at("subjects")) == std::vector<std::int64_t>{7, 8});
    CHECK(std::get<std::int64_t>(values->at("target")) == 0xFFFFFFFF);
    CHECK(std::get<std::int64_t>(values->at("x")) == 0x1000);
    CHECK(std::get<std::int64_t>(values->at("y")) == -1);
    CHECK(*write_mapped(*map, *message, *values) == order);

    Bytes longer = order, shorter = order, many = order;
    longer.push_back(0);
    shorter.pop_back();
    many[8] = 0x7F;
    for (const Bytes* bad : {&longer, &shorter, &many}) CHECK(read_mapped(*map, *message, *bad).error().code() == "map_mismatch");
    CHECK(map->find(order, false) == nullptr);
    CHECK(map->find(Bytes{1, 2}, true) == nullptr);
}

TEST_CASE("text crosses the border of CP1251 and UTF-8") {
    const auto map = load_message_map(fixture_path("synthetic_map.toml"), true);
    REQUIRE(map);
    const Bytes line{0xB8, 0x0B, 0, 0, 5, 0, 0xC8, 0xE3, 0xF0, 0xEE, 0xEA, 0};
    const auto values = read_mapped(*map, *map->find(line, true), line);
    REQUIRE(values);
    CHECK(std::get<std::string>(values->at("text")) == "\xD0\x98\xD0\xB3\xD1\x80\xD0\xBE\xD0\xBA");
    CHECK(std::get<std::int64_t>(values->at("to")) == 5);
    const MapMessage* back = map->find_action(MapAction::chat);
    REQUIRE(back);
    CHECK(write_mapped(*map, *back, {{"text", std::string("x")}}).error().code() == "map_missing");
    CHECK(*write_mapped(*map, *back, {{"text", std::string("ab")}, {"from", std::int64_t{3}}}) == Bytes{0xA0, 0x0F, 0, 0, 3, 0, 'a', 'b', 0});
    CHECK(write_mapped(*map, *back, {{"text", std::string("ab")}, {"from", std::int64_t{70'000}}}).error().code() == "map_missing");
}

TEST_CASE("a constant that differs is a mismatch, broken map files are settings errors") {
    const char* text = "name = 'x'\n[[message]]\nnumber = 5\naction = 'pause'\nfields = [{kind = 'u16', value = 9}, {kind = 'u8', name = 'paused'}]\n";
    const auto map = parse_message_map(text, "x", false);
    REQUIRE(map);
    CHECK(read_mapped(*map, map->messages[0], Bytes{5, 0, 0, 0, 9, 0, 1}));
    CHECK(read_mapped(*map, map->messages[0], Bytes{5, 0, 0, 0, 8, 0, 1}).error().code() == "map_mismatch");
    for (const char* bad : {"", "name = 5", "name = 'x'\nnumber_at = -1", "name = 'x'\n[[message]]\nname = 'no number'",
                            "name = 'x'\n[[message]]\nnumber = 5\naction = 'fly'", "name = 'x'\n[[message]]\nnumber = 5\nfields = [{kind = 'f80'}]",
                            "name = 'x'\n[[message]]\nnumber = 5\nfields = [{kind = 'utf16z', list = true}]", "name = 'x'\nmessage = 3"}) {
        INFO(bad);
        const auto broken = parse_message_map(bad, "bad", true);
        REQUIRE_FALSE(broken);
        CHECK(broken.error().code() == "bad_setting");
    }
}

TEST_CASE("no message is called proven with the game") {
    CHECK(evidence_of(0x05) == Evidence::exchanged);
    CHECK(evidence_of(0x1A) == Evidence::captured);
    CHECK(evidence_of(0x35) == Evidence::described);
    CHECK(evidence_of(0x33) == Evidence::open);
    CHECK(kVerification == "no original client verified");
}
