// Content lists from the other side: what is accepted is written back byte for byte.
#include <cstdlib>

#include "shared/mission/manifest_bytes.hpp"

using namespace iron;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView bytes(data, size);
    const auto manifest = mission::read_manifest(bytes);
    if (!manifest) return 0;
    if (mission::write_manifest(*manifest) != Bytes(bytes.begin(), bytes.end())) std::abort();
    if (mission::fingerprint(*manifest) != sha256(bytes)) std::abort();
    return 0;
}
