#include "shared/asset/texture.hpp"
#include "tests/fuzz/asset_roundtrip.hpp"

using namespace iron;
using namespace iron::asset;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::check_roundtrip(
        {data, size}, [](ByteView b, ReadContext& ctx) { return read_texture(b, ctx); },
        [](const Texture& t) { return write_texture(t); },
        [](Texture& t) {
            if (mip_skip(t) >= t.mip_count) std::abort();
            for (std::uint32_t level = 0; level < t.mip_count && level < 16; ++level) {
                const auto image = decode_level(t, level);
                if (!image) std::abort();
                // Everything but the opaque fourth byte of 888, lossy luminance and repeated palette
                // colours is encoded to what was stored.
                if (t.format == TexmFormat::rgb888 || t.format == TexmFormat::indexed) continue;
                const auto again = encode_pixels(*image, t.format);
                const ByteView stored = t.level(level);
                if (!again || !std::equal(again->begin(), again->end(), stored.begin(), stored.end()))
                    std::abort();
            }
            if (t.page)
                for (const PageRect& r : *t.page) (void)page_rect_on_level(r, 2);
        });
    return 0;
}
