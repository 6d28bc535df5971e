// Variable sets, text and binary: lossless.
#include <cstdlib>

#include "shared/asset/varset.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    const Bytes copy(bytes.begin(), bytes.end());
    for (const auto profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext context{profile, {}, {}, {}};
        const auto set = asset::read_variable_set(bytes, context);
        if (set && asset::write_variable_set(*set) != copy) std::abort();
    }
    ReadContext context;
    const auto binary = asset::read_binary_variables(bytes, context);
    if (binary && asset::write_binary_variables(*binary) != copy) std::abort();
    return 0;
}
