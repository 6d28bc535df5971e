#include <cstdlib>

#include "shared/asset/sound.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ReadContext ctx;
    const auto info = read_wave({data, size}, ctx);
    if (!info) return 0;
    // What a decoder relies on.
    if (info->data_offset > size || info->data_size > size - info->data_offset) std::abort();
    if (info->channels < 1 || info->channels > 2 || info->rate == 0 || info->block_align == 0) std::abort();
    if (info->frames > info->data_size * 2 + 2) std::abort();
    return 0;
}
