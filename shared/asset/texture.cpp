// Container and layout of Texm; pixel conversion is in texture_pixels.cpp.
#include "shared/asset/texture.hpp"

#include <algorithm>
#include <string>

#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

constexpr std::size_t kPaletteSize = 1024;
constexpr std::uint32_t kFullChain = 32;  // no 32-bit size has more halvings

/// Bytes of `levels` levels; false on overflow of 64 bits.
bool chain_size(std::uint32_t width, std::uint32_t height, std::uint32_t bpp, std::uint32_t levels,
                std::uint64_t& out) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < std::min(levels, kFullChain); ++i) {
        std::uint64_t size = 0;
        const std::uint64_t w = std::max(1u, width >> i), h = std::max(1u, height >> i);
        if (!checked_mul(w, h, size) || !checked_mul(size, bpp, size) || !checked_add(sum, size, sum))
            return false;
    }
    if (levels > kFullChain) {  // only 1x1 levels are left
        if (!checked_add(sum, std::uint64_t{levels - kFullChain} * bpp, sum)) return false;
    }
    out = sum;
    return true;
}

Result<std::vector<PageRect>> read_page(ByteView tail) {
    const auto bad = [](const char* why) { return fail("texm_bad_page", why); };
    if (tail.size() < 8) return bad("the bytes after the pixels are too short for a page");
    if (as_text(tail.first(4)) != "Page") return bad("the bytes after the pixels are not a page");
    const auto count = load_le<std::uint32_t>(tail.data() + 4);
    if (tail.size() - 8 != std::uint64_t{count} * 8) return bad("the page has another size than its count says");
    return codec::decode_array<PageRect>(tail.subspan(8));
}

void check_rects(const Texture& t, ReadContext& ctx) {
    codec::Tally outside;
    for (std::size_t i = 0; i < t.page->size(); ++i) {
        const PageRect& r = (*t.page)[i];
        if (r.x < 0 || r.y < 0 || r.width < 0 || r.height < 0 ||
            std::int64_t{r.x} + r.width > std::int64_t{t.width} ||
            std::int64_t{r.y} + r.height > std::int64_t{t.height})
            outside.hit(i);
    }
    outside.warn(ctx, "texm_page_rect", "page rectangles outside the image");
}

}  // namespace

bool is_known_format(std::uint32_t number) {
    switch (static_cast<TexmFormat>(number)) {
        case TexmFormat::indexed:
        case TexmFormat::rgb565:
        case TexmFormat::rgb556:
        case TexmFormat::argb4444:
        case TexmFormat::la88:
        case TexmFormat::rgb888:
        case TexmFormat::argb8888: return true;
    }
    return false;
}

std::uint32_t bytes_per_pixel(TexmFormat format) {
    switch (format) {
        case TexmFormat::indexed: return 1;
        case TexmFormat::rgb888:
        case TexmFormat::argb8888: return 4;
        default: return 2;
    }
}

std::uint32_t Texture::level_width(std::uint32_t level) const {
    return level < kFullChain ? std::max(1u, width >> level) : 1;
}
std::uint32_t Texture::level_height(std::uint32_t level) const {
    return level < kFullChain ? std::max(1u, height >> level) : 1;
}
std::uint64_t Texture::level_offset(std::uint32_t level) const {
    std::uint64_t out = 0;
    return chain_size(width, height, bytes_per_pixel(format), level, out) ? out : pixels.size();
}
std::uint64_t Texture::level_size(std::uint32_t level) const {
    std::uint64_t out = 0;
    return chain_size(level_width(level), level_height(level), bytes_per_pixel(format), 1, out) ? out : 0;
}
ByteView Texture::level(std::uint32_t level) const {
    const std::uint64_t begin = std::min<std::uint64_t>(level_offset(level), pixels.size());
    const std::uint64_t size = std::min<std::uint64_t>(level_size(level), pixels.size() - begin);
    return ByteView(pixels).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

std::uint32_t full_mip_count(std::uint32_t width, std::uint32_t height) {
    return static_cast<std::uint32_t>(std::bit_width(std::max({width, height, 1u})));
}

Result<Texture> read_texture(ByteView bytes, ReadContext& ctx) {
    ByteReader in(bytes);
    IRON_TRY(const ByteView magic, in.view(4, "Texm magic"));
    if (as_text(magic) != "Texm") return fail("bad_magic", "not a Texm texture", 0);
    Texture t;
    IRON_TRY(t.width, in.u32("width"));
    IRON_TRY(t.height, in.u32("height"));
    IRON_TRY(t.mip_count, in.u32("mip count"));
    IRON_TRY(t.flags4, in.u32("flags4"));
    IRON_TRY(t.flags5, in.u32("flags5"));
    IRON_TRY(t.unknown6, in.u32("unknown6"));
    IRON_TRY(const std::uint32_t number, in.u32("format"));
    if (t.width == 0 || t.height == 0 || t.mip_count == 0)
        return fail("texm_bad_size", "width, height and mip count must not be 0");
    if (!is_known_format(number))
        return fail("texm_unknown_format", "format " + std::to_string(number), 28);
    t.format = static_cast<TexmFormat>(number);
    if (t.format == TexmFormat::indexed) {
        IRON_TRY(const ByteView palette, in.view(kPaletteSize, "palette"));
        t.palette.assign(palette.begin(), palette.end());
    }
    const std::uint32_t bpp = bytes_per_pixel(t.format);
    IRON_CHECK(in.require_count(t.mip_count, bpp, "mip levels"));
    std::uint64_t size = 0;
    if (!chain_size(t.width, t.height, bpp, t.mip_count, size) || size > in.remaining())
        return fail("truncated", "the pixel levels do not fit in the payload", in.offset());
    IRON_TRY(const ByteView pixels, in.view(size, "pixels"));
    t.pixels.assign(pixels.begin(), pixels.end());
    if (t.mip_count > full_mip_count(t.width, t.height))
        ctx.warn("texm_many_mips", "more levels than a full chain has");
    if (!in.at_end()) {
        IRON_TRY(t.page, read_page(bytes.subspan(in.position())));
        check_rects(t, ctx);
    }
    return t;
}

Result<Bytes> write_texture(const Texture& t) {
    std::uint64_t size = 0;
    if (t.width == 0 || t.height == 0 || t.mip_count == 0 ||
        !chain_size(t.width, t.height, bytes_per_pixel(t.format), t.mip_count, size) || size != t.pixels.size())
        return fail("texm_authoring", "the pixels do not match the size and the level count");
    if (t.palette.size() != (t.format == TexmFormat::indexed ? kPaletteSize : 0))
        return fail("texm_authoring", "only indexed textures have a palette, of 1024 bytes");
    ByteWriter out;
    out.text("Texm");
    for (const std::uint32_t word : {t.width, t.height, t.mip_count, t.flags4, t.flags5, t.unknown6,
                                     static_cast<std::uint32_t>(t.format)})
        out.u32(word);
    out.bytes(t.palette);
    out.bytes(t.pixels);
    if (t.page) {
        out.text("Page");
        out.u32(static_cast<std::uint32_t>(t.page->size()));
        out.bytes(codec::encode_array(*t.page));
    }
    return out.take();
}

std::uint32_t mip_skip(const Texture& t) {
    if (t.mip_count <= 1) return 0;
    const std::uint32_t two = t.mip_count > 2 ? 2 : 1;
    switch (t.flags5 & 0x72000000u) {
        case 0x02000000u: return two;
        case 0x10000000u: return 1;
        case 0x20000000u: return t.width >= 256 || t.height >= 256 ? 1 : 0;
        case 0x40000000u:
            if (t.width > 128 && t.height > 128) return two;
            return t.width == 128 || t.height == 128 ? 1 : 0;
        default: return 0;
    }
}

PixelRect page_rect_on_level(const PageRect& r, std::uint32_t skip) {
    const auto down = [skip](std::int32_t v) { return v >> skip; };
    const auto up = [skip](std::int32_t v) { return (v + (1 << skip) - 1) >> skip; };
    return {down(r.x), down(r.y), up(r.x + r.width), up(r.y + r.height)};
}

UvRect page_rect_uv(const Texture& t, const PageRect& r) {
    const float w = static_cast<float>(t.width), h = static_cast<float>(t.height);
    return {static_cast<float>(r.x) / w, static_cast<float>(r.y) / h,
            static_cast<float>(r.x + r.width) / w, static_cast<float>(r.y + r.height) / h};
}

}  // namespace iron::asset
