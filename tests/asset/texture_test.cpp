#include "tests/asset/visual_kit.hpp"

#include "shared/asset/font.hpp"
#include "shared/asset/palette.hpp"
#include "shared/asset/texture.hpp"

using namespace iron;
using namespace iron::asset;
using namespace iron::asset::kit;

namespace {

/// 2x2, two levels, 565, one rectangle (materials.md 3.6).
Bytes worked_texture() {
    return hex("54 65 78 6D 02 00 00 00 02 00 00 00 02 00 00 00"
               "00 00 00 00 00 00 00 00 00 00 00 00 35 02 00 00"
               "00 F8 E0 07 1F 00 FF FF 10 84 50 61 67 65 01 00"
               "00 00 00 00 01 00 00 00 02 00");
}
template <class T>
Bytes poked(std::size_t at, T value) {
    Bytes p = worked_texture();
    poke(p, at, value);
    return p;
}
std::string error_of(const Bytes& p) {
    ReadContext ctx;
    return code_of(read_texture(p, ctx));
}
bool warns(std::string_view code, const Bytes& p) {
    ReadContext ctx;
    return read_texture(p, ctx) && ctx.has(code);
}
/// One pixel of a format, decoded.
Bytes decoded(TexmFormat format, const char* bytes, TexmSwitches switches = {}) {
    Texture t;
    t.width = t.height = t.mip_count = 1;
    t.format = format;
    t.pixels = hex(bytes);
    if (format == TexmFormat::indexed) {
        t.palette.resize(1024);
        for (std::size_t i = 0; i < 1024; ++i) t.palette[i] = static_cast<std::uint8_t>(i);
    }
    return decode_level(t, 0, switches).value().pixels;
}
constexpr TexmFormat kFormats[] = {TexmFormat::indexed, TexmFormat::rgb565, TexmFormat::rgb556,
                                   TexmFormat::argb4444, TexmFormat::la88, TexmFormat::rgb888,
                                   TexmFormat::argb8888};

}  // namespace

TEST_CASE("the worked texture reads level by level and is written back unchanged") {
    REQUIRE(worked_texture().size() == 58);
    ReadContext ctx;
    const auto t = read_texture(worked_texture(), ctx);
    REQUIRE(code_of(t) == "");
    CHECK(ctx.diagnostics.empty());
    CHECK(t->format == TexmFormat::rgb565);
    CHECK(decode_level(*t, 0)->pixels ==
          Bytes{255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255});
    CHECK(decode_level(*t, 1)->pixels == Bytes{132, 130, 132, 255});
    CHECK(code_of(decode_level(*t, 2)) == "texm_bad_level");
    REQUIRE(t->page);
    CHECK(t->page->at(0) == PageRect{0, 1, 0, 2});
    CHECK(page_rect_uv(*t, t->page->at(0)).u1 == 0.5f);
    CHECK(write_texture(*t).value() == worked_texture());
}

TEST_CASE("every pixel format has its own bit layout") {
    CHECK(decoded(TexmFormat::rgb565, "00 F8") == Bytes{255, 0, 0, 255});
    CHECK(decoded(TexmFormat::rgb556, "3F 00") == Bytes{0, 0, 255, 255});
    CHECK(decoded(TexmFormat::rgb556, "C0 07") == Bytes{0, 255, 0, 255});
    CHECK(decoded(TexmFormat::argb4444, "34 12") == Bytes{34, 51, 68, 17});
    CHECK(decoded(TexmFormat::la88, "40 80") == Bytes{128, 128, 128, 64});
    CHECK(decoded(TexmFormat::rgb888, "01 02 03 04") == Bytes{1, 2, 3, 255});
    CHECK(decoded(TexmFormat::rgb888, "01 02 03 04", {true, false}) == Bytes{3, 2, 1, 255});
    CHECK(decoded(TexmFormat::argb8888, "01 02 03 04") == Bytes{3, 2, 1, 4});
    CHECK(decoded(TexmFormat::indexed, "02") == Bytes{8, 9, 10, 11});
    CHECK(decoded(TexmFormat::indexed, "02", {false, true}) == Bytes{10, 9, 8, 11});
}

TEST_CASE("channels are expanded by repeating their bits") {
    // 5-bit 3 -> 24 and 24 -> 198; 6-bit 32 -> 130.
    CHECK(decoded(TexmFormat::rgb565, "18 18") == Bytes{24, 0, 198, 255});
    CHECK(decoded(TexmFormat::rgb565, "00 04") == Bytes{0, 130, 0, 255});
}

TEST_CASE("encoding what was decoded gives the stored bytes") {
    for (const TexmFormat format : kFormats) {
        INFO(static_cast<std::uint32_t>(format));
        Texture t;
        t.format = format;
        t.width = 256;
        t.height = 256;
        t.mip_count = 1;
        const std::size_t bpp = bytes_per_pixel(format);
        for (std::uint32_t i = 0; i < 65536; ++i) {
            t.pixels.push_back(static_cast<std::uint8_t>(i));
            if (bpp >= 2) t.pixels.push_back(static_cast<std::uint8_t>(i >> 8));
            if (bpp == 4) {
                t.pixels.push_back(static_cast<std::uint8_t>(i * 7));
                t.pixels.push_back(format == TexmFormat::rgb888 ? 0 : static_cast<std::uint8_t>(i * 13));
            }
        }
        if (format == TexmFormat::indexed)
            for (std::uint32_t i = 0; i < 256; ++i)
                for (const std::uint32_t k : {i, 255 - i, i * 3, 255u}) t.palette.push_back(static_cast<std::uint8_t>(k));
        const RgbaImage image = decode_level(t, 0).value();
        CHECK(encode_pixels(image, format, t.palette).value() == t.pixels);
    }
}

TEST_CASE("luminance weighs the channels") {
    CHECK(encode_pixels({1, 1, {255, 0, 0, 9}}, TexmFormat::la88).value() == Bytes{9, 77});
    CHECK(encode_pixels({1, 1, {0, 255, 0, 9}}, TexmFormat::la88).value() == Bytes{9, 149});
    CHECK(encode_pixels({1, 1, {255, 255, 255, 0}}, TexmFormat::la88).value() == Bytes{0, 255});
}

TEST_CASE("texture headers are checked before anything is allocated") {
    CHECK(error_of({}) == "truncated");
    CHECK(error_of(poked(0, 'X')) == "bad_magic");
    for (const std::size_t at : {4, 8, 12}) {
        CHECK(error_of(poked(at, 0u)) == "texm_bad_size");
        CHECK(error_of(poked(at, 0xFFFFFFFFu)) != "");
    }
    CHECK(error_of(poked(28, 566u)) == "texm_unknown_format");
    CHECK(error_of(poked(12, 14u)) == "count_too_large");  // 26 bytes remain, 2 for each level
    CHECK(error_of(poked(4, 100u)) == "truncated");
    Bytes huge = poked(4, 0xFFFFFFFFu);
    poke(huge, 8, 0xFFFFFFFFu);
    CHECK(error_of(huge) == "truncated");
    CHECK(error_of(poked(28, 0u)) == "truncated");  // no room for a palette
}

TEST_CASE("what follows the pixels must be a whole page") {
    Bytes p = worked_texture();
    p.resize(45);
    CHECK(error_of(p) == "texm_bad_page");           // three bytes
    CHECK(error_of(poked(42, 'p')) == "texm_bad_page");
    CHECK(error_of(poked(46, 2u)) == "texm_bad_page");
    CHECK(error_of(poked(46, 0xFFFFFFFFu)) == "texm_bad_page");
    p = worked_texture();
    p.resize(42);
    CHECK(error_of(p) == "");
    p = poked(46, 0u);
    p.resize(50);
    ReadContext ctx;
    const auto empty = read_texture(p, ctx);
    REQUIRE(code_of(empty) == "");
    CHECK(empty->page->empty());
    CHECK(write_texture(*empty).value() == p);
    CHECK(warns("texm_page_rect", poked(52, std::int16_t{3})));
    CHECK(warns("texm_page_rect", poked(52, std::int16_t{-1})));
}

TEST_CASE("extra levels repeat 1x1 with a warning") {
    Bytes p = hex("54 65 78 6D 02 00 00 00 01 00 00 00 04 00 00 00"
                  "00 00 00 00 00 00 00 00 00 00 00 00 35 02 00 00"
                  "00 00 01 00 02 00 03 00 04 00");
    ReadContext ctx;
    const auto t = read_texture(p, ctx);
    REQUIRE(code_of(t) == "");
    CHECK(ctx.has("texm_many_mips"));
    CHECK(t->level_offset(3) == 8);
    CHECK(t->level(3)[0] == 4);
    CHECK(write_texture(*t).value() == p);
}

TEST_CASE("new textures have a full chain and neutral flags") {
    RgbaImage image{4, 2, Bytes(32, 0)};
    for (std::size_t i = 0; i < 16; ++i) image.pixels[i] = 200;  // the upper row
    const auto t = make_texture(image, TexmFormat::argb8888).value();
    CHECK(t.mip_count == 3);
    CHECK(t.flags4 == 0);
    CHECK(decode_level(t, 1)->pixels == Bytes{100, 100, 100, 100, 100, 100, 100, 100});
    CHECK(decode_level(t, 2)->pixels == Bytes{100, 100, 100, 100});
    ReadContext ctx;
    CHECK(code_of(read_texture(write_texture(t).value(), ctx)) == "");
    CHECK(ctx.diagnostics.empty());
    CHECK(make_texture(image, TexmFormat::rgb565, 1)->mip_count == 1);
    CHECK(code_of(make_texture(image, TexmFormat::indexed)) == "texm_authoring");
    CHECK(code_of(make_texture({}, TexmFormat::rgb565)) == "texm_authoring");
    CHECK(code_of(make_texture({2, 2, {1}}, TexmFormat::rgb565)) == "texm_authoring");
    auto broken = t;
    broken.pixels.pop_back();
    CHECK(code_of(write_texture(broken)) == "texm_authoring");
    CHECK(full_mip_count(256, 1) == 9);
}

TEST_CASE("levels are left out at load time by flags5") {
    const auto skip = [](std::uint32_t flags5, std::uint32_t w, std::uint32_t h, std::uint32_t mips) {
        Texture t;
        t.flags5 = flags5;
        t.width = w;
        t.height = h;
        t.mip_count = mips;
        return mip_skip(t);
    };
    CHECK(skip(0x02000000, 256, 256, 1) == 0);
    CHECK(skip(0x02000000, 256, 256, 2) == 1);
    CHECK(skip(0x02000000, 256, 256, 3) == 2);
    CHECK(skip(0x10000000, 8, 8, 2) == 1);
    CHECK(skip(0x20000000, 256, 8, 4) == 1);
    CHECK(skip(0x20000000, 255, 255, 4) == 0);
    CHECK(skip(0x40000000, 256, 256, 2) == 1);
    CHECK(skip(0x40000000, 256, 256, 9) == 2);
    CHECK(skip(0x40000000, 128, 64, 4) == 1);
    CHECK(skip(0x40000000, 256, 64, 4) == 0);
    CHECK(skip(0x72000000, 256, 256, 9) == 0);
    CHECK(skip(0x04000000, 256, 256, 9) == 0);
}

TEST_CASE("page rectangles never vanish on smaller levels") {
    const PixelRect r = page_rect_on_level({5, 1, 6, 3}, 2);  // x 5..6, y 6..9
    CHECK(r.x0 == 1);
    CHECK(r.x1 == 2);
    CHECK(r.y0 == 1);
    CHECK(r.y1 == 3);
}

TEST_CASE("the suffix of a texture name selects its palette") {
    ReadContext ctx;
    const auto index = [&ctx](std::string_view name) { return palette_index(name, ctx).value(); };
    CHECK_FALSE(index("WALL.0"));
    CHECK(index("WALL.A") == 0);
    CHECK(index("WALL.A0") == 1);
    CHECK(index("WALL.B3") == 15);
    CHECK(index("WALL.Z9") == 285);
    CHECK(index("wall.b3tail") == 15);
    CHECK_FALSE(index("x.00"));
    CHECK_FALSE(index("x."));
    CHECK(index("0123456789abcdef.A") == 0);  // the dot at position 16
    CHECK(code_of(palette_index("0123456789abcdefg.A", ctx)) == "bad_texture_name");
    CHECK(code_of(palette_index("WALL", ctx)) == "bad_texture_name");
    CHECK(code_of(palette_index("WALL.AX", ctx)) == "bad_palette_suffix");
    CHECK(code_of(palette_index("WALL.[", ctx)) == "bad_palette_suffix");
    auto loose = compatible();
    CHECK_FALSE(palette_index("WALL.AX", loose).value());
    CHECK(loose.has("bad_palette_suffix"));
    CHECK(palette_entry_name(0) == "A.PAL");
    CHECK(palette_entry_name(1) == "A0.PAL");
    CHECK(palette_entry_name(15) == "B3.PAL");
    CHECK(palette_entry_name(285) == "Z9.PAL");
}

TEST_CASE("palette files keep every byte and give colours in texture order") {
    Bytes file(kPaletteFileSize, 0);
    for (std::size_t i = 0; i < 1024; ++i) file[i] = static_cast<std::uint8_t>(i * 5);
    for (std::size_t i = 0; i < 4; ++i) file[1024 + i] = static_cast<std::uint8_t>("Ipol"[i]);
    file[2000] = 7;
    ReadContext ctx;
    const auto palette = read_palette(file, ctx);
    REQUIRE(code_of(palette) == "");
    CHECK(write_palette(*palette).value() == file);
    const Bytes rgba = palette->to_rgba();
    CHECK(rgba[0] == file[2]);
    CHECK(rgba[1] == file[1]);
    CHECK(rgba[2] == file[0]);
    CHECK(rgba[3] == file[3]);
    CHECK(code_of(read_palette(ByteView(file).first(100), ctx)) == "palette_bad_size");
    file[1024] = 'i';
    CHECK(code_of(read_palette(file, ctx)) == "bad_magic");
    CHECK(code_of(write_palette({})) == "palette_authoring");
}

TEST_CASE("a font is a raw head and a texture to the exact end") {
    Bytes head(kFontHeadSize, 0);
    for (std::size_t i = 0; i < head.size(); ++i) head[i] = static_cast<std::uint8_t>(i * 3);
    const Bytes file = join({head, worked_texture()});
    ReadContext ctx;
    auto font = read_font(file, ctx);
    REQUIRE(code_of(font) == "");
    CHECK(font->texture.width == 2);
    CHECK(write_font(*font).value() == file);
    CHECK(code_of(read_font(head, ctx)) == "truncated");
    CHECK(code_of(read_font(join({file, {0}}), ctx)) == "texm_bad_page");
    font->head.pop_back();
    CHECK(code_of(write_font(*font)) == "font_authoring");
}
