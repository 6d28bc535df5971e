// Unit DAT: lossless, and the derived tree never runs away.
#include <cstdlib>

#include "shared/asset/unit_dat.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    ReadContext context;
    const auto dat = asset::read_unit_dat(bytes, context);
    if (!dat) return 0;
    if (asset::write_unit_dat(*dat) != Bytes(bytes.begin(), bytes.end())) std::abort();
    const auto tree = asset::build_unit_tree(*dat);
    if (tree.parent.size() != dat->records.size()) std::abort();
    for (std::size_t i = 0; i < tree.parent.size(); ++i)
        if (tree.parent[i] >= static_cast<std::int32_t>(i)) std::abort();
    return 0;
}
