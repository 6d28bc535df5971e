// CTLD: parsed or raw, it is written back byte for byte.
#include <cstdlib>

#include "shared/asset/control_resource.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace iron;
    const ByteView bytes(data, size);
    ReadContext context;
    const auto control = asset::read_control_resource(bytes, context);
    if (!control) return 0;
    if (asset::write_control_resource(*control) != Bytes(bytes.begin(), bytes.end())) std::abort();
    asset::check_control_resource(*control, 3, 3, context);
    return 0;
}
