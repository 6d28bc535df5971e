#include <catch2/catch.hpp>

#include "shared/base/hash.hpp"

using namespace iron;

TEST_CASE("digests match their published values for known input") {
    CHECK(to_hex(sha256(as_bytes("abc"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(crc32(as_bytes("123456789")) == 0xCBF43926u);
    CHECK(to_hex(Sha256().update("a").update("bc").finish()) == to_hex(sha256(as_bytes("abc"))));
    CHECK(xxh3_64({}) == 0x2D06800538D394C2ull);
}

TEST_CASE("hexadecimal text is parsed strictly") {
    CHECK(from_hex("00fF").value() == Bytes{0, 255});
    CHECK_FALSE(from_hex("0"));
    CHECK(from_hex("0g").error().frames().front().offset == 0u);
}
