// Script packages: lossless, trailing bytes included.
#include <cstdlib>

#include "shared/asset/script_package.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    ReadContext context;
    const auto package = asset::read_script_package(bytes, context);
    if (package && asset::write_script_package(*package) != Bytes(bytes.begin(), bytes.end())) std::abort();
    return 0;
}
