#include <catch2/catch.hpp>

#include "shared/base/rng.hpp"

using iron::Rng;
using iron::RngStream;

TEST_CASE("PCG32 gives the published vector (runtime.md 12)") {
    Rng r(42, 54);
    for (std::uint32_t want : {0xA15C02B7u, 0x7B47F409u, 0xBA1D3330u, 0x83D2F293u, 0xBFA4784Bu, 0xCBED606Eu})
        CHECK(r.next() == want);
    CHECK(r.draws() == 6);
}

TEST_CASE("splitmix64 and the four match streams give the published vectors") {
    CHECK(iron::splitmix64(0) == 0xE220A8397B1DCDAFull);
    CHECK(Rng::for_match(12345, RngStream::world).next() == 0x34F37F2Bu);
    CHECK(Rng::for_match(12345, RngStream::ai).next() == 0x3988939Eu);
    CHECK(Rng::for_match(12345, RngStream::fx).next() == 0x4B4A95CAu);
    CHECK(Rng::for_match(12345, RngStream::atmosphere).next() == 0xD60339D0u);
}

TEST_CASE("a restored stream continues where it stopped") {
    Rng a(7, 3);
    a.next();
    Rng b = Rng::restore(a.state(), a.increment(), a.draws());
    CHECK(a == b);
    CHECK(a.next() == b.next());
}

TEST_CASE("bounded draws stay below the bound and reach both ends") {
    Rng r(1, 1);
    bool low = false, high = false;
    for (int i = 0; i < 200; ++i) {
        const auto v = r.below(5);
        REQUIRE(v < 5);
        low |= v == 0;
        high |= v == 4;
        const float u = r.unit();
        REQUIRE((u >= 0.0f && u < 1.0f));
    }
    CHECK((low && high));
}
