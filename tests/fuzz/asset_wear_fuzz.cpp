#include "shared/asset/wear.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_wear(b, ctx); },
        [](const Wear& w) { return write_wear(w); },
        [](Wear& w) {
            // An added row must leave a table that reads back with one row more.
            w.add_material("NEW");
            const auto bytes = write_wear(w);
            if (!bytes) std::abort();
            ReadContext ctx;
            ctx.profile = ReadProfile::compatible;
            const auto again = read_wear(*bytes, ctx);
            if (!again || again->materials.size() != w.materials.size()) std::abort();
        });
    return 0;
}
