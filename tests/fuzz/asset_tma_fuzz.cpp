// data.tma: whatever is accepted is written back byte for byte.
#include <cstdlib>

#include "shared/asset/tma.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    for (const auto profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext context{profile, {}, {}, {}};
        const auto tma = asset::read_tma(bytes, context);
        if (tma && asset::write_tma(*tma) != Bytes(bytes.begin(), bytes.end())) std::abort();
        ReadContext prefix_context{profile, {}, {}, {}};
        const auto prefix = asset::read_tma_prefix(bytes, prefix_context);
        if (tma && (!prefix || prefix->land_path != tma->land_path)) std::abort();
    }
    return 0;
}
