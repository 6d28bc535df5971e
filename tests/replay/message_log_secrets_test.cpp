// A log may be published: no password, token, address or machine path is in it.
#include <catch2/catch.hpp>

#include <flatbuffers/reflection_generated.h>

#include "protocol/binary_schema.hpp"
#include "shared/base/text.hpp"
#include "tests/replay/recording.hpp"

using namespace iron;
using namespace iron::session;

TEST_CASE("the schema of the log has no place for a secret") {
    for (const auto* object : *protocol::log_schema().objects())
        for (const auto* field : *object->fields()) {
            const std::string name = ascii_lower(field->name()->string_view());
            INFO(object->name()->str() << "." << name);
            for (const char* word : {"password", "token", "secret", "address", "host", "ip", "nonce"}) CHECK(name != word);
        }
}

TEST_CASE("a recorded match holds no path of the machine and no string but the ones that belong to it") {
    const std::string text = test::contents(test::record());
    CHECK(text.find("missions/synthetic.01") != std::string::npos);  // the search works
    CHECK(text.find("Vasja") != std::string::npos);
    CHECK(text.find(IRON_SOURCE_DIR) == std::string::npos);
    CHECK(text.find(IRON_BINARY_DIR) == std::string::npos);
    CHECK(text.find(std::filesystem::temp_directory_path().string()) == std::string::npos);
    CHECK(text.find("/home/") == std::string::npos);
    CHECK(text.find("127.0.0.1") == std::string::npos);
}
