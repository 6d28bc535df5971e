#include <catch2/catch.hpp>

#include "shared/base/bytes.hpp"

using namespace iron;

namespace {
Result<int> inner() { return fail("truncated", "needs 4 bytes, 1 remains", 12); }
Result<int> outer() {
    IRON_TRY_WRAP(int v, inner(), (ErrorFrame{"reading model", "4", "bases.rlb", "r_h_01.msh", "r_h_01", {}}));
    return v;
}
}  // namespace

TEST_CASE("a read past the end names what, how much and where") {
    const Bytes data{1, 2, 3, 4, 5};
    ByteReader in(data, 100);
    REQUIRE(in.u32("count").value() == 0x04030201u);
    auto bad = in.u16("flags");
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code() == "truncated");
    CHECK(bad.error().frames().front().offset == 104u);
    CHECK(in.remaining() == 1);
}

TEST_CASE("counts are refused before anything is allocated, overflow included") {
    const Bytes data(16, 0);
    ByteReader in(data);
    CHECK(in.require_count(4, 4, "items"));
    CHECK_FALSE(in.require_count(5, 4, "items"));
    CHECK_FALSE(in.require_count(0x8000000000000000ull, 4, "items"));
    CHECK(in.expect_end("block").error().code() == "trailing_bytes");
}

TEST_CASE("an error chain prints from the outside in, with its code last") {
    auto r = outer();
    REQUIRE_FALSE(r);
    CHECK(r.error().to_string() ==
          "reading model (phase 4, bases.rlb, entry r_h_01.msh, object r_h_01): needs 4 bytes, 1 remains "
          "(offset 12) [truncated]");
}

TEST_CASE("fixed strings keep their tail") {
    const Bytes data{'a', 'b', 0, 'x', 'y', 'z'};
    ByteReader in(data);
    const auto s = read_fixed_string<6>(in, "name").value();
    CHECK(s.view() == "ab");
    CHECK(s.raw[3] == 'x');
    CHECK(s.terminated());
}
