// Writes the seed corpus of the protocol fuzz targets: `test_protocol "[seeds]"`. Not part of a normal run.
#include <catch2/catch.hpp>

#include <algorithm>

#include "protocol/discovery.hpp"
#include "protocol/log_format.hpp"
#include "protocol/state_stream.hpp"
#include "shared/base/file.hpp"
#include "tests/protocol/packets.hpp"

using namespace iron;
using namespace iron::protocol;

namespace {

void write_seed(const std::string& target, const std::string& name, Bytes bytes) {
    REQUIRE(write_file_atomic(std::string(IRON_SOURCE_DIR) + "/tests/fuzz/corpus/protocol_" + target + "/" + name, bytes));
}

Bytes with_first(std::uint8_t first, const Bytes& rest) {
    Bytes out(rest.size() + 1, first);
    std::copy(rest.begin(), rest.end(), out.begin() + 1);
    return out;
}

}  // namespace

TEST_CASE("write the seed corpus", "[.seeds]") {
    write_seed("envelope", "hello", with_first(0, test::hello_packet({.password = "p", .token = true})));
    write_seed("envelope", "commands", with_first(1, test::command_packet({.key = "key", .data = 20, .points = 3}, 2)));
    {
        flatbuffers::FlatBufferBuilder b;
        const auto prototype = b.CreateString("r_m_01");
        const auto part_archive = b.CreateString("robots.rlb");
        const auto part_entry = b.CreateString("r_m_01.msh");
        const auto part = CreateMirrorPart(b, 0, 0, part_archive, part_entry);
        const auto parts = b.CreateVector(std::vector{part});
        const auto name = b.CreateString("ClanID");
        const auto properties = b.CreateVector(std::vector{CreateMirrorProperty(b, name, 1, 2, 3, 4)});
        const Pos3 at(2560, 2560, 10);
        const Vec3 one(1, 1, 1);
        write_seed("envelope", "mirror_create",
                   with_first(0x81, pack(b, CreateMirrorCreate(b, 0x00014001, 1, 0, 4, 0x01008000, prototype, parts, &at, &one, &one, 100, 200, 1, 0,
                                                               properties, 3, 9),
                                         {}, Channel::events)));
    }
    {
        flatbuffers::FlatBufferBuilder b;
        write_seed("envelope", "pong", with_first(0x82, pack(b, CreatePong(b, 1, 2, 3), {}, Channel::state)));
    }
    write_seed("envelope", "query", with_first(0, pack_server_query(5)));
    {
        std::vector<StateSource> sources(3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            sources[i].id = 3 + 2 * i;
            sources[i].on_terrain = i != 0;
            sources[i].teleported = i == 2;
            sources[i].now = {100, 200, 30, 4, 5, 6, 700, 80, 900, 10, 11, 12, 13, 14, 15, 16, 17, 18};
        }
        const auto out = encode_state(nullptr, sources, {10, 1, 20, 1100});
        write_seed("state_stream", "three", with_first(7, out.data));
        write_seed("envelope", "state", with_first(0x82, pack_state(StateHeader(1, 2, 3, 4), out.data)));
    }
    {
        flatbuffers::FlatBufferBuilder b;
        const auto note = record::CreateNote(b, 3, b.CreateString("note"));
        record::FinishSizePrefixedRecordBuffer(b, record::CreateRecord(b, record::Body::Note, note.Union()));
        Bytes raw(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
        raw.resize((raw.size() + 7) / 8 * 8);
        write_seed("log", "note_block", frame_log_block(0, raw));
        write_seed("log", "note_raw", raw);
    }
}
