// Texm: textures, lightmaps, atlas pages. Source: materials.md 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

enum class TexmFormat : std::uint32_t {
    indexed = 0,
    rgb565 = 565,
    rgb556 = 556,
    argb4444 = 4444,
    la88 = 88,
    rgb888 = 888,
    argb8888 = 8888,
};
/// False for numbers outside the enumeration.
bool is_known_format(std::uint32_t number);
std::uint32_t bytes_per_pixel(TexmFormat format);

/// R, G, B, A bytes, rows top to bottom without padding.
struct RgbaImage {
    std::uint32_t width = 0, height = 0;
    Bytes pixels;
};

/// Rectangle in level 0 pixels; on disk the order is x, width, y, height.
struct PageRect {
    std::int16_t x = 0, width = 0, y = 0, height = 0;
    bool operator==(const PageRect&) const = default;
};

/// Undecided byte orders (materials.md 3.2), both off by default.
struct TexmSwitches {
    bool texm_888_bgr = false;
    bool texm_palette_bgr = false;
};

struct Texture {
    std::uint32_t width = 0, height = 0;
    std::uint32_t mip_count = 0;
    std::uint32_t flags4 = 0, flags5 = 0, unknown6 = 0;
    TexmFormat format = TexmFormat::argb8888;
    Bytes palette;  ///< 1024 bytes for the indexed format, else empty
    Bytes pixels;   ///< all levels one after the other, as stored
    std::optional<std::vector<PageRect>> page;

    std::uint32_t level_width(std::uint32_t level) const;
    std::uint32_t level_height(std::uint32_t level) const;
    /// Byte range of a level in `pixels`; level < mip_count.
    std::uint64_t level_offset(std::uint32_t level) const;
    std::uint64_t level_size(std::uint32_t level) const;
    ByteView level(std::uint32_t level) const;
};

/// Errors `bad_magic`, `truncated`, `texm_bad_size`, `texm_unknown_format`, `count_too_large`,
/// `texm_bad_page`.
Result<Texture> read_texture(ByteView bytes, ReadContext& ctx);
/// Errors `texm_authoring`: sizes that do not match the fields.
Result<Bytes> write_texture(const Texture& texture);

/// One level as RGBA8. Error `texm_bad_level`.
Result<RgbaImage> decode_level(const Texture& texture, std::uint32_t level,
                               const TexmSwitches& switches = {});
/// Stored bytes of an image; `palette` (1024 bytes, nearest colour) for the indexed format only.
/// Error `texm_authoring`.
Result<Bytes> encode_pixels(const RgbaImage& image, TexmFormat format, ByteView palette = {},
                            const TexmSwitches& switches = {});

/// A new texture; `mip_count` 0 = full chain down to 1x1 (2x2 box filter). Error `texm_authoring`.
Result<Texture> make_texture(const RgbaImage& image, TexmFormat format, std::uint32_t mip_count = 0,
                             ByteView palette = {}, const TexmSwitches& switches = {});
/// Number of levels down to 1x1.
std::uint32_t full_mip_count(std::uint32_t width, std::uint32_t height);
/// Half size (at least 1), rounded averages.
RgbaImage half_size(const RgbaImage& image);

/// Levels the original leaves out at load time (materials.md 3.5); a policy, decoders never skip.
std::uint32_t mip_skip(const Texture& texture);

/// Pixel rectangle of a page rectangle on the level after `skip` skipped ones (materials.md 3.4).
struct PixelRect {
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< end exclusive
};
PixelRect page_rect_on_level(const PageRect& rect, std::uint32_t skip);
/// Fractions of the whole texture: u0, v0, u1, v1.
struct UvRect {
    float u0 = 0, v0 = 0, u1 = 1, v1 = 1;
};
UvRect page_rect_uv(const Texture& texture, const PageRect& rect);

}  // namespace iron::asset
