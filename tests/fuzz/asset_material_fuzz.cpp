// The first byte is the payload version (attr2), the rest the payload.
#include "shared/asset/material.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const EntryAttributes attributes{0, data[0], 0};
    fuzz::check_roundtrip(
        {data + 1, size - 1},
        [&](ByteView b, ReadContext& ctx) { return read_material(b, attributes, ctx); },
        [](const Material& m) { return write_material(m); },
        [](Material& m) {
            for (std::size_t block = 0; block <= m.blocks.size(); ++block)
                for (const std::uint32_t now : {0u, 999u, 0xFFFFFFFFu}) {
                    std::uint32_t start = 17;
                    (void)evaluate_material(m, block, now, start, 12345);
                    const auto sample = select_phase_at(m, block, 0.999f);
                    if (sample && (sample->current >= m.phases.size() || !(sample->a >= 0 && sample->a <= 1)))
                        std::abort();
                }
        });
    return 0;
}
