#include "shared/asset/land_map.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_land_map(b, ctx); },
        [](const LandMap& m) { return write_land_map(m); },
        [](LandMap& m) {
            const MapRect extent = areal_bounds(m);
            (void)locate_areal(m, extent, extent.x0, extent.y1);
            (void)locate_areal(m, {}, 1, 1);
            link_areals(m);
            (void)build_areal_grid(m, 8, 8, extent);
            (void)write_land_map(m);
        });
    return 0;
}
