// Pixel formats of Texm (materials.md 3.2).
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "shared/asset/texture.hpp"

namespace iron::asset {

namespace {

using Rgba = std::array<std::uint8_t, 4>;

/// An n-bit channel to 8 bits by bit replication, as the seed has it.
constexpr std::uint8_t expand(std::uint32_t v, unsigned bits) {
    if (bits == 4) return static_cast<std::uint8_t>(v * 17);
    return static_cast<std::uint8_t>((v << (8 - bits)) | (v >> (2 * bits - 8)));
}
/// 8 bits to n: returns every expanded value unchanged.
constexpr std::uint32_t reduce(std::uint8_t v, unsigned bits) {
    return (v * ((1u << bits) - 1) + 127) / 255;
}

Rgba decode_pixel(const std::uint8_t* p, const Texture& t, const TexmSwitches& s) {
    const auto word = [p] { return static_cast<std::uint32_t>(p[0] | (p[1] << 8)); };
    switch (t.format) {
        case TexmFormat::indexed: {
            const std::uint8_t* c = t.palette.data() + std::size_t{*p} * 4;
            return s.texm_palette_bgr ? Rgba{c[2], c[1], c[0], c[3]} : Rgba{c[0], c[1], c[2], c[3]};
        }
        case TexmFormat::rgb565: {
            const auto v = word();
            return {expand(v >> 11, 5), expand((v >> 5) & 63, 6), expand(v & 31, 5), 255};
        }
        case TexmFormat::rgb556: {
            const auto v = word();
            return {expand(v >> 11, 5), expand((v >> 6) & 31, 5), expand(v & 63, 6), 255};
        }
        case TexmFormat::argb4444: {
            const auto v = word();
            return {expand((v >> 8) & 15, 4), expand((v >> 4) & 15, 4), expand(v & 15, 4), expand(v >> 12, 4)};
        }
        case TexmFormat::la88: return {p[1], p[1], p[1], p[0]};
        case TexmFormat::rgb888:
            return s.texm_888_bgr ? Rgba{p[2], p[1], p[0], 255} : Rgba{p[0], p[1], p[2], 255};
        case TexmFormat::argb8888: break;
    }
    return {p[2], p[1], p[0], p[3]};
}

void put_word(Bytes& out, std::uint32_t v) {
    out.push_back(static_cast<std::uint8_t>(v & 255));
    out.push_back(static_cast<std::uint8_t>(v >> 8));
}

void encode_pixel(Bytes& out, Rgba c, TexmFormat format, const TexmSwitches& s) {
    const auto [r, g, b, a] = c;
    switch (format) {
        case TexmFormat::rgb565:
            return put_word(out, reduce(r, 5) << 11 | reduce(g, 6) << 5 | reduce(b, 5));
        case TexmFormat::rgb556:
            return put_word(out, reduce(r, 5) << 11 | reduce(g, 5) << 6 | reduce(b, 6));
        case TexmFormat::argb4444:
            return put_word(out, reduce(a, 4) << 12 | reduce(r, 4) << 8 | reduce(g, 4) << 4 | reduce(b, 4));
        case TexmFormat::la88:
            return put_word(out, ((77u * r + 150u * g + 29u * b + 128u) / 256u) << 8 | a);
        case TexmFormat::rgb888: {
            const Rgba stored = s.texm_888_bgr ? Rgba{b, g, r, 0} : Rgba{r, g, b, 0};
            out.insert(out.end(), stored.begin(), stored.end());
            return;
        }
        default: {
            const Rgba stored{b, g, r, a};
            out.insert(out.end(), stored.begin(), stored.end());
        }
    }
}

/// Palette entry with the smallest squared distance over R, G, B, A; the lowest index wins.
class NearestColour {
public:
    NearestColour(ByteView palette, bool bgr) : palette_(palette), bgr_(bgr) {}

    std::uint8_t index(Rgba c) {
        const auto known = cache_.find(c);
        if (known != cache_.end()) return known->second;
        int best = 0, best_distance = 1 << 30;
        for (int i = 0; i < 256; ++i) {
            const std::uint8_t* p = palette_.data() + i * 4;
            const Rgba e = bgr_ ? Rgba{p[2], p[1], p[0], p[3]} : Rgba{p[0], p[1], p[2], p[3]};
            int distance = 0;
            for (std::size_t k = 0; k < 4; ++k) distance += (e[k] - c[k]) * (e[k] - c[k]);
            if (distance < best_distance) best = i, best_distance = distance;
        }
        return cache_[c] = static_cast<std::uint8_t>(best);
    }

private:
    ByteView palette_;
    bool bgr_;
    std::map<Rgba, std::uint8_t> cache_;
};

}  // namespace

Result<RgbaImage> decode_level(const Texture& t, std::uint32_t level, const TexmSwitches& switches) {
    if (level >= t.mip_count)
        return fail("texm_bad_level", "level " + std::to_string(level) + " of " + std::to_string(t.mip_count));
    const ByteView raw = t.level(level);
    if (raw.size() != t.level_size(level) || (t.format == TexmFormat::indexed && t.palette.size() != 1024))
        return fail("texm_bad_level", "the texture's pixels do not match its size");
    RgbaImage image{t.level_width(level), t.level_height(level), {}};
    const std::size_t bpp = bytes_per_pixel(t.format);
    image.pixels.resize(raw.size() / bpp * 4);
    for (std::size_t i = 0; i < raw.size() / bpp; ++i) {
        const Rgba c = decode_pixel(raw.data() + i * bpp, t, switches);
        std::copy(c.begin(), c.end(), image.pixels.begin() + static_cast<std::ptrdiff_t>(i * 4));
    }
    return image;
}

Result<Bytes> encode_pixels(const RgbaImage& image, TexmFormat format, ByteView palette,
                            const TexmSwitches& switches) {
    if (std::uint64_t{image.width} * image.height * 4 != image.pixels.size())
        return fail("texm_authoring", "the image's pixels do not match its size");
    if (format == TexmFormat::indexed && palette.size() != 1024)
        return fail("texm_authoring", "an indexed texture needs a palette of 1024 bytes");
    Bytes out;
    out.reserve(image.pixels.size() / 4 * bytes_per_pixel(format));
    NearestColour nearest(palette, switches.texm_palette_bgr);
    for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
        const Rgba c{image.pixels[i], image.pixels[i + 1], image.pixels[i + 2], image.pixels[i + 3]};
        if (format == TexmFormat::indexed) out.push_back(nearest.index(c));
        else encode_pixel(out, c, format, switches);
    }
    return out;
}

RgbaImage half_size(const RgbaImage& image) {
    RgbaImage out{std::max(1u, image.width / 2), std::max(1u, image.height / 2), {}};
    out.pixels.resize(std::size_t{out.width} * out.height * 4);
    for (std::uint32_t y = 0; y < out.height; ++y)
        for (std::uint32_t x = 0; x < out.width; ++x)
            for (std::size_t c = 0; c < 4; ++c) {
                std::uint32_t sum = 0;
                for (std::uint32_t dy = 0; dy < 2; ++dy)
                    for (std::uint32_t dx = 0; dx < 2; ++dx) {
                        const std::size_t sx = std::min(x * 2 + dx, image.width - 1);
                        const std::size_t sy = std::min(y * 2 + dy, image.height - 1);
                        sum += image.pixels[(sy * image.width + sx) * 4 + c];
                    }
                out.pixels[(std::size_t{y} * out.width + x) * 4 + c] = static_cast<std::uint8_t>((sum + 2) / 4);
            }
    return out;
}

Result<Texture> make_texture(const RgbaImage& image, TexmFormat format, std::uint32_t mip_count,
                             ByteView palette, const TexmSwitches& switches) {
    if (image.width == 0 || image.height == 0)
        return fail("texm_authoring", "a texture has at least one pixel");
    Texture t;
    t.width = image.width;
    t.height = image.height;
    t.format = format;
    const std::uint32_t full = full_mip_count(image.width, image.height);
    t.mip_count = mip_count == 0 ? full : std::min(mip_count, full);
    if (format == TexmFormat::indexed) t.palette.assign(palette.begin(), palette.end());
    RgbaImage level = image;
    for (std::uint32_t i = 0; i < t.mip_count; ++i) {
        IRON_TRY(const Bytes encoded, encode_pixels(level, format, palette, switches));
        t.pixels.insert(t.pixels.end(), encoded.begin(), encoded.end());
        if (i + 1 < t.mip_count) level = half_size(level);
    }
    return t;
}

}  // namespace iron::asset
