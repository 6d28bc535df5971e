// Small valid packets for the tests of this room.
#pragma once

#include <array>
#include <string>

#include "protocol/envelope.hpp"
#include "protocol/version.hpp"

namespace iron::protocol::test {

inline flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> bytes(flatbuffers::FlatBufferBuilder& b, std::size_t n,
                                                                    std::uint8_t fill = 0) {
    return b.CreateVector(std::vector<std::uint8_t>(n, fill));
}

struct HelloFields {
    std::uint16_t major = kVersion.major, minor = kVersion.minor;
    std::string client = "Vasja";
    std::array<std::uint8_t, 16> app_id = kAppId;
    std::array<std::uint8_t, 32> fingerprint{};
    std::string password = {};
    bool token = false;
    Role role = Role::player;
};

inline flatbuffers::Offset<Hello> hello(flatbuffers::FlatBufferBuilder& b, const HelloFields& f = {}) {
    const auto app = b.CreateVector(f.app_id.data(), f.app_id.size());
    const auto client = b.CreateString(f.client);
    const auto fingerprint = b.CreateVector(f.fingerprint.data(), f.fingerprint.size());
    flatbuffers::Offset<flatbuffers::String> password;
    if (!f.password.empty()) password = b.CreateString(f.password);
    flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> token;
    if (f.token) token = bytes(b, 32, 7);
    return CreateHello(b, app, f.major, f.minor, client, fingerprint, Profile::part1, f.role, 99, password, token);
}

inline Bytes hello_packet(const HelloFields& f = {}) {
    flatbuffers::FlatBufferBuilder b;
    return pack(b, hello(b, f), {}, Channel::control);
}

struct CommandFields {
    std::uint8_t order = 1;
    std::uint8_t flags = 0;
    std::size_t subjects = 2;
    Pos2 at{100 * 256, 200 * 256};
    std::string key = {};
    std::size_t data = 0;
    std::size_t points = 0;
};

inline Bytes command_packet(const CommandFields& f = {}, std::size_t count = 1) {
    flatbuffers::FlatBufferBuilder b;
    std::vector<flatbuffers::Offset<Command>> list;
    for (std::size_t i = 0; i < count; ++i) {
        const auto subjects = b.CreateVector(std::vector<std::uint32_t>(f.subjects, 0x00014001u));
        const auto points = b.CreateVectorOfStructs(std::vector<Pos2>(f.points, Pos2(256, 256)));
        const auto key = b.CreateString(f.key);
        const auto data = bytes(b, f.data);
        list.push_back(CreateCommand(b, static_cast<std::uint32_t>(i + 1), static_cast<OrderCode>(f.order), f.flags,
                                     subjects, kNoObject, &f.at, 0, 0, 0, points, key, data));
    }
    return pack(b, CreateCommandBatch(b, 40, b.CreateVector(list)), {1, 7, 0}, Channel::events);
}

}  // namespace iron::protocol::test
