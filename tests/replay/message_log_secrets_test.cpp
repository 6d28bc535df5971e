// A log may be published: no password, token, address or machine path is in it.
#include <catch2/catch.hpp>

#include <zlib.h>

#include <flatbuffers/reflection_generated.h>

#include "protocol/binary_schema.hpp"
#include "shared/base/text.hpp"
#include "tests/replay/recording.hpp"

using namespace iron;
using namespace iron::session;

namespace {

/// The decompressed bytes of all blocks.
std::string contents(const Bytes& file) {
    std::string out;
    for (std::size_t at = 0; at < file.size();) {
        const std::size_t payload = load_le<std::uint32_t>(file.data() + at + 8);
        uLongf raw = load_le<std::uint32_t>(file.data() + at + 12);
        std::string block(raw, '\0');
        REQUIRE(::uncompress(reinterpret_cast<Bytef*>(block.data()), &raw, file.data() + at + protocol::kLogBlockHeaderBytes, payload) == Z_OK);
        out += block;
        at += protocol::kLogBlockHeaderBytes + payload;
    }
    return out;
}

}  // namespace

TEST_CASE("the schema of the log has no place for a secret") {
    for (const auto* object : *protocol::log_schema().objects())
        for (const auto* field : *object->fields()) {
            const std::string name = ascii_lower(field->name()->string_view());
            INFO(object->name()->str() << "." << name);
            for (const char* word : {"password", "token", "secret", "address", "host", "ip", "nonce"}) CHECK(name != word);
        }
}

TEST_CASE("a recorded match holds no path of the machine and no string but the ones that belong to it") {
    const std::string text = contents(test::record());
    CHECK(text.find("missions/synthetic.01") != std::string::npos);  // the search works
    CHECK(text.find("Vasja") != std::string::npos);
    CHECK(text.find(IRON_SOURCE_DIR) == std::string::npos);
    CHECK(text.find(IRON_BINARY_DIR) == std::string::npos);
    CHECK(text.find(std::filesystem::temp_directory_path().string()) == std::string::npos);
    CHECK(text.find("/home/") == std::string::npos);
    CHECK(text.find("127.0.0.1") == std::string::npos);
}
