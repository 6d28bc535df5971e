#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "protocol/binary_schema.hpp"
#include "protocol/envelope.hpp"
#include "protocol/limits.hpp"
#include "protocol/semantics.hpp"
#include "tests/protocol/packets.hpp"

#include <flatbuffers/reflection_generated.h>

using namespace iron;
using namespace iron::protocol;
using test::command_packet;
using test::hello_packet;

namespace {

std::string code(const Bytes& packet, Direction from, Channel channel) {
    const auto r = Message::receive(packet, from, channel);
    return r ? "ok" : r.error().code();
}
std::string hello_code(const test::HelloFields& f) { return code(hello_packet(f), Direction::from_client, Channel::control); }
std::string command_code(const test::CommandFields& f, std::size_t count = 1) {
    return code(command_packet(f, count), Direction::from_client, Channel::events);
}
template <class Table>
std::string server_code(flatbuffers::FlatBufferBuilder& b, flatbuffers::Offset<Table> body, Channel channel) {
    return code(pack(b, body, {}, channel), Direction::from_server, channel);
}

}  // namespace

TEST_CASE("strings are UTF-8 without control bytes and within their length") {
    CHECK(hello_code({.client = "\xD0\x92\xD0\xB0\xD1\x81\xD1\x8F"}) == "ok");
    CHECK(hello_code({.client = std::string(64, 'a')}) == "ok");
    CHECK(hello_code({.client = std::string(65, 'a')}) == "bad_size");
    CHECK(hello_code({.client = "a\nb"}) == "bad_text");
    CHECK(hello_code({.client = "a\x7F"}) == "bad_text");
    CHECK(hello_code({.client = "\xC0\x80"}) == "bad_text");
    CHECK(hello_code({.client = "\xED\xA0\x80"}) == "bad_text");
    CHECK(hello_code({.client = std::string("a\0b", 3)}) == "bad_text");
}

TEST_CASE("hashes and tokens have exactly their length") {
    for (const std::size_t n : {0, 31, 33}) {
        flatbuffers::FlatBufferBuilder b;
        const auto hash = test::bytes(b, n);
        const auto text = b.CreateString("missions/a");
        const auto rules = test::bytes(b, 32);
        CHECK(server_code(b, CreateMissionPath(b, text, hash, rules), Channel::control) == "bad_size");
    }
}

TEST_CASE("a mission key is a logical path") {
    const auto path_code = [](const char* path) {
        flatbuffers::FlatBufferBuilder b;
        const auto text = b.CreateString(path);
        return code(pack(b, CreateMissionChoice(b, text), {}, Channel::control), Direction::from_client, Channel::control);
    };
    CHECK(path_code("missions/single.01") == "ok");
    CHECK(path_code("MISSIONS\\Campaign\\CAMPAIGN.00\\Mission.01") == "ok");
    CHECK(path_code("a..b/c") == "ok");
    CHECK(path_code("/etc") == "bad_path");
    CHECK(path_code("\\\\host\\share") == "bad_path");
    CHECK(path_code("c:\\x") == "bad_path");
    CHECK(path_code("missions/../../x") == "bad_path");
    CHECK(path_code("..") == "bad_path");
    CHECK(path_code("a/..") == "bad_path");
    CHECK(path_code("") == "bad_size");
}

TEST_CASE("floats are finite") {
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity()};
    const Pos3 at(0, 0, 0);
    for (const float value : bad) {
        flatbuffers::FlatBufferBuilder scalar;
        CHECK(server_code(scalar, CreateLandscapeChild(scalar, 1, LandscapeChildKind::ruin, &at, value), Channel::events) == "bad_float");
        flatbuffers::FlatBufferBuilder in_struct;
        const Vec3 normal(0, value, 0);
        CHECK(server_code(in_struct, CreateContactEvent(in_struct, 1, 2, &at, &normal, 0), Channel::state) == "bad_float");
        flatbuffers::FlatBufferBuilder in_list;
        const auto values = in_list.CreateVector(std::vector<float>{1, value});
        CHECK(server_code(in_list, CreateEnvironmentState(in_list, 0, 0, values), Channel::events) == "bad_float");
    }
}

TEST_CASE("coordinates lie within 0 and 10000 wu") {
    CHECK(command_code({.at = Pos2(0, 10000 * 256)}) == "ok");
    CHECK(command_code({.at = Pos2(-1, 0)}) == "bad_coordinate");
    CHECK(command_code({.at = Pos2(0, 10000 * 256 + 1)}) == "bad_coordinate");
    // Height may be below zero, but not farther than the map is wide.
    flatbuffers::FlatBufferBuilder b;
    const Pos3 deep(5, 5, -100);
    CHECK(server_code(b, CreateLandscapeChild(b, 1, LandscapeChildKind::basement, &deep, 0), Channel::events) == "ok");
    flatbuffers::FlatBufferBuilder c;
    const Pos3 hell(5, 5, std::numeric_limits<std::int32_t>::min());
    CHECK(server_code(c, CreateLandscapeChild(c, 1, LandscapeChildKind::basement, &hell, 0), Channel::events) == "bad_coordinate");
}

TEST_CASE("lists keep their limits") {
    CHECK(command_code({}, 16) == "ok");
    CHECK(command_code({}, 17) == "bad_count");
    CHECK(command_code({}, 0) == "bad_count");
    CHECK(command_code({.subjects = 128}) == "ok");
    CHECK(command_code({.subjects = 129}) == "bad_count");
    CHECK(command_code({.points = 16}) == "ok");
    CHECK(command_code({.points = 17}) == "bad_count");
    CHECK(command_code({.data = 8192}) == "ok");
    CHECK(command_code({.data = 8193}) == "bad_size");
    CHECK(command_code({.key = std::string(65, 'k')}) == "bad_size");
}

TEST_CASE("enumerations and bounded numbers are in range") {
    CHECK(command_code({.order = 36}) == "ok");
    CHECK(command_code({.order = 37}) == "bad_enum");
    CHECK(command_code({.flags = 31}) == "ok");
    CHECK(command_code({.flags = 32}) == "bad_value");
    const auto manual = [](ManualSample sample, std::size_t count = 1) {
        flatbuffers::FlatBufferBuilder b;
        const auto list = b.CreateVectorOfStructs(std::vector<ManualSample>(count, sample));
        return code(pack(b, CreateManualInput(b, 1, list), {}, Channel::input), Direction::from_client, Channel::input);
    };
    CHECK(manual(ManualSample(1, 127, -127, 0, 32767, -32767, 0x1FF, kNoObject)) == "ok");
    CHECK(manual(ManualSample(1, -128, 0, 0, 0, 0, 0, kNoObject)) == "bad_value");
    CHECK(manual(ManualSample(1, 0, 0, 0, -32768, 0, 0, kNoObject)) == "bad_value");
    CHECK(manual(ManualSample(1, 0, 0, 0, 0, 0, 0x200, kNoObject)) == "bad_value");
    CHECK(manual({}, 4) == "ok");
    CHECK(manual({}, 5) == "bad_count");
}

TEST_CASE("a bool is 0 or 1") {
    flatbuffers::FlatBufferBuilder b;
    const auto start = b.StartTable();
    b.AddElement<std::uint8_t>(PauseRequest::VT_PAUSED, 2, 0);
    const flatbuffers::Offset<void> body(b.EndTable(start));
    CHECK(code(finish_packet(b, Body::PauseRequest, body, {}, Channel::control), Direction::from_client, Channel::control) == "bad_value");
}

TEST_CASE("a text has a key or words, not both and not none") {
    const auto text = [](bool key, bool words) {
        flatbuffers::FlatBufferBuilder b;
        flatbuffers::Offset<flatbuffers::String> k, w;
        if (key) k = b.CreateString("hello");
        if (words) w = b.CreateString(std::string(512, 'w'));
        return code(pack(b, CreateText(b, 0, 1, k, w), {}, Channel::text), Direction::from_client, Channel::text);
    };
    CHECK(text(true, false) == "ok");
    CHECK(text(false, true) == "ok");
    CHECK(text(true, true) == "bad_value");
    CHECK(text(false, false) == "bad_value");
}

TEST_CASE("a sound is at an object or at a place") {
    flatbuffers::FlatBufferBuilder b;
    const auto key = b.CreateString("boom");
    CHECK(server_code(b, CreateSoundEvent(b, key), Channel::state) == "bad_value");
    flatbuffers::FlatBufferBuilder c;
    const auto key2 = c.CreateString("boom");
    CHECK(server_code(c, CreateSoundEvent(c, key2, 17), Channel::events) == "ok");
}

TEST_CASE("the error names the field") {
    const auto r = Message::receive(command_packet({.flags = 32}), Direction::from_client, Channel::events);
    REQUIRE(!r);
    CHECK(r.error().frames().front().object == "Command.flags");
}

TEST_CASE("every list of bytes in the schema has an explicit limit and every required rule of the page holds") {
    for (const auto* schema : {&envelope_schema(), &discovery_schema(), &log_schema()}) {
        for (const auto* object : *schema->objects()) {
            for (const auto* field : *object->fields()) {
                INFO(object->name()->str() << "." << field->name()->str());
                if (field->type()->base_type() != reflection::Vector) continue;
                if (field->type()->element() != reflection::UByte) continue;
                REQUIRE(field->attributes() != nullptr);
                CHECK((field->attributes()->LookupByKey("exact_bytes") != nullptr ||
                       field->attributes()->LookupByKey("max_bytes") != nullptr));
            }
        }
    }
}
