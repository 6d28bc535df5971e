// A short input gets the 4116-byte head in front, so that small seeds reach the texture.
#include "shared/asset/font.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes file(kFontHeadSize, 0x5A);
    if (size >= kFontHeadSize) file.clear();
    file.insert(file.end(), data, data + size);
    fuzz::check_roundtrip(
        file, [](ByteView b, ReadContext& ctx) { return read_font(b, ctx); },
        [](const Font& f) { return write_font(f); }, [](Font&) {});
    return 0;
}
