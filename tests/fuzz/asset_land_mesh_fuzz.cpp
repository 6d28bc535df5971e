#include "shared/asset/land_build.hpp"
#include "shared/asset/land_mesh.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_land_mesh(b, ctx); },
        [](const LandMesh& m) { return write_land_mesh(m); },
        [](LandMesh& m) {
            (void)face_lods(m);
            (void)water_level(m);
            if (const auto tile = tile_at(m, 10, 1e30f))
                if (const MshSlot* slot = tile_slot(m, m.tile_index(tile->tx, tile->ty), 1))
                    (void)slot_faces(m, *slot);
            ReadContext ctx;
            check_land_materials(m, 1, 1, ctx);
            if (m.slots.size() <= 64) (void)finish_land_mesh(m);
            (void)write_land_mesh(m);
        });
    return 0;
}
