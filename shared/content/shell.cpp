// Root configuration, interface resources and the two RsLi libraries.
#include "shared/archive/nres.hpp"
#include "shared/archive/rsli.hpp"
#include "shared/asset/comp_ini.hpp"
#include "shared/asset/texture.hpp"
#include "shared/asset/wear.hpp"
#include "shared/content/art/art.hpp"
#include "shared/content/missions.hpp"
#include "shared/content/texts.hpp"

namespace iron::content {
namespace {

using archive::type_tag;

Result<Bytes> texm(const Image& image, asset::TexmFormat format, std::uint32_t mips) {
    const asset::RgbaImage rgba{static_cast<std::uint32_t>(image.width()), static_cast<std::uint32_t>(image.height()), image.rgba8()};
    IRON_TRY(const asset::Texture texture, asset::make_texture(rgba, format, mips));
    return asset::write_texture(texture);
}

Image clear(int size) { return Image(size, size, {0, 0, 0, 0}); }

void dot(Image& image, float x, float y, float radius, Color c) {
    for (int j = floor_i32(y - radius); j <= floor_i32(y + radius) + 1; ++j)
        for (int i = floor_i32(x - radius); i <= floor_i32(x + radius) + 1; ++i) {
            const float dx = static_cast<float>(i) + 0.5f - x, dy = static_cast<float>(j) + 0.5f - y;
            if (dx * dx + dy * dy <= radius * radius) image.at(i, j) = c;
        }
}

Image arrow_cursor() {
    Image out = clear(32);
    for (int y = 2; y < 26; ++y)
        for (int x = 2; x < 2 + (y - 2) * 3 / 4; ++x) {
            const bool edge = x == 2 || x >= 2 + (y - 2) * 3 / 4 - 2 || y >= 24;
            out.at(x, y) = edge ? rgb(0x101418) : rgb(0xe8eef2);
        }
    return out;
}

Image ring_cursor(Color c) {
    Image out = clear(32);
    for (int i = 0; i < 96; ++i) {
        const float a = kTwoPi * static_cast<float>(i) / 96.0f;
        dot(out, 16 + 11 * det_cos(a), 16 + 11 * det_sin(a), 1.2f, c);
    }
    for (int i = 0; i < 4; ++i) {
        const float a = kHalfPi * static_cast<float>(i);
        for (int k = 6; k < 16; ++k) dot(out, 16 + static_cast<float>(k) * det_cos(a), 16 + static_cast<float>(k) * det_sin(a), 0.8f, c);
    }
    return out;
}

/// Sixteen-segment shapes: eight strokes around a cell and eight through its middle.
struct Glyph {
    char letter;
    std::uint16_t segments;
};
// Bits: 0 top left, 1 top right, 2 right upper, 3 right lower, 4 bottom right, 5 bottom left, 6 left lower,
// 7 left upper, 8 middle left, 9 middle right, 10 up left, 11 up, 12 up right, 13 down right, 14 down, 15 down left.
constexpr Glyph kGlyphs[] = {
    {'0', 0x90FF}, {'1', 0x100C}, {'2', 0x0377}, {'3', 0x023F}, {'4', 0x038C}, {'5', 0x03BB}, {'6', 0x03FB}, {'7', 0x000F},
    {'8', 0x03FF}, {'9', 0x03BF}, {'A', 0x03CF}, {'B', 0x4A3F}, {'C', 0x00F3}, {'D', 0x483F}, {'E', 0x03F3}, {'F', 0x03C3},
    {'G', 0x02FB}, {'H', 0x03CC}, {'I', 0x4833}, {'J', 0x007C}, {'K', 0x31C0}, {'L', 0x00F0}, {'M', 0x14CC}, {'N', 0x24CC},
    {'O', 0x00FF}, {'P', 0x03C7}, {'Q', 0x20FF}, {'R', 0x23C7}, {'S', 0x03BB}, {'T', 0x4803}, {'U', 0x00FC}, {'V', 0x90C0},
    {'W', 0xA0CC}, {'X', 0xB400}, {'Y', 0x5400}, {'Z', 0x9033}, {'-', 0x0300}, {'+', 0x4B00}, {'/', 0x9000}, {'.', 0x0020}};

/// 256 glyphs of `w` x `h` pixels, one byte a pixel (0..255), after a 16-byte head (our layout).
Bytes font(int w, int h) {
    ByteWriter out;
    out.text("IFNT");
    out.u32(static_cast<std::uint32_t>(w));
    out.u32(static_cast<std::uint32_t>(h));
    out.u32(256);
    for (int code = 0; code < 256; ++code) {
        std::uint16_t segments = 0;
        const char upper = code >= 'a' && code <= 'z' ? static_cast<char>(code - 32) : static_cast<char>(code);
        for (const Glyph& g : kGlyphs)
            if (code < 128 && g.letter == upper) segments = g.segments;
        const float x0 = 1, x1 = static_cast<float>(w) - 2, y0 = 1, y1 = static_cast<float>(h) - 2;
        const float xm = (x0 + x1) * 0.5f, ym = (y0 + y1) * 0.5f;
        const float lines[16][4] = {{x0, y0, xm, y0}, {xm, y0, x1, y0}, {x1, y0, x1, ym}, {x1, ym, x1, y1}, {xm, y1, x1, y1}, {x0, y1, xm, y1},
                                    {x0, ym, x0, y1}, {x0, y0, x0, ym}, {x0, ym, xm, ym}, {xm, ym, x1, ym}, {x0, y0, xm, ym}, {xm, y0, xm, ym},
                                    {x1, y0, xm, ym}, {xm, ym, x1, y1}, {xm, ym, xm, y1}, {xm, ym, x0, y1}};
        Image cell(16, 16, {0, 0, 0, 1});
        for (int s = 0; s < 16; ++s)
            if (segments & (1u << s))
                cell.line(lines[s][0] + 0.5f, lines[s][1] + 0.5f, lines[s][2] + 0.5f, lines[s][3] + 0.5f, 1.2f, {1, 1, 1, 1});
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) out.u8(static_cast<std::uint8_t>(trunc_i32(cell.at(x, y).r * 255.0f + 0.5f)));
    }
    return out.take();
}

Status interface_library(Game& game) {
    // A page texture: panel frame, bar, button in one picture, with its rectangles.
    Image page(64, 64, rgb(0x23282c));
    page.plate(0, 0, 64, 32, 1.2f);
    page.hazard(0, 32, 64, 8, 16, rgb(0xd9a520), rgb(0x1d1c1a));
    page.fill_rect(0, 40, 64, 24, rgb(0x3a444a));
    page.plate(0, 40, 64, 24, 1.2f);
    asset::RgbaImage rgba{64, 64, page.rgba8()};
    IRON_TRY(asset::Texture texture, asset::make_texture(rgba, asset::TexmFormat::argb8888, 1));
    texture.page = std::vector<asset::PageRect>{{0, 64, 0, 32}, {0, 64, 32, 8}, {0, 64, 40, 24}};
    IRON_TRY(Bytes bytes, asset::write_texture(texture));
    game.entry("ui/ui.lib", type_tag("Texm"), 0, 0, 0, "PANEL.0", std::move(bytes));
    IRON_TRY(Bytes cursor, texm(arrow_cursor(), asset::TexmFormat::argb8888, 1));
    game.entry("ui/ui.lib", type_tag("Texm"), 0, 0, 0, "CURSOR.0", std::move(cursor));
    IRON_TRY(Bytes ring, texm(ring_cursor(rgb(0xf0f4f6)), asset::TexmFormat::argb8888, 1));
    game.entry("ui/ui.lib", type_tag("Texm"), 0, 0, 0, "TARGET.0", std::move(ring));
    const std::pair<const char*, std::uint32_t> marks[] = {{"M_UNIT.0", 0xf0f0f0}, {"M_BASE.0", 0xc0d0e0}, {"M_ORE.0", 0xd9a520}, {"M_GEN.0", 0x59e0ff}};
    for (const auto& [name, color] : marks) {
        Image mark = clear(8);
        dot(mark, 4, 4, name == std::string_view("M_BASE.0") ? 3.6f : 2.6f, rgb(color));
        IRON_TRY(Bytes mark_bytes, texm(mark, asset::TexmFormat::argb4444, 1));
        game.entry("ui/minimap.lib", type_tag("Texm"), 0, 0, 0, name, std::move(mark_bytes));
    }
    Image letters(256, 256, {1, 1, 1, 0});
    const Bytes glyphs = font(8, 12);
    for (int code = 0; code < 256; ++code)
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 8; ++x)
                letters.at((code % 16) * 16 + x, (code / 16) * 16 + y).a =
                    static_cast<float>(glyphs[static_cast<std::size_t>(16 + code * 96 + y * 8 + x)]) / 255.0f;
    IRON_TRY(Bytes letter_bytes, texm(letters, asset::TexmFormat::argb4444, 1));
    game.entry("ui/font.lib", type_tag("Texm"), 0, 0, 0, "FONT.0", std::move(letter_bytes));
    return {};
}

}  // namespace

Status add_shell(Game& game, std::uint64_t) {
    game.file("Comp.ini", asset::write_comp_ini(asset::make_comp_ini(asset::default_components())));
    const std::pair<const char*, const char*> texts[] = {
        {"Iron_3D.ini", "iron_3d_ini.txt"},          {"Behavior.ini", "behavior_ini.txt"},
        {"ArealMap.ini", "arealmap_ini.txt"},        {"MISSIONS/dispatcher.ini", "dispatcher_ini.txt"},
        {"DATA/TextRes.cfg", "textres_cfg.txt"},     {"ui/game_resources.cfg", "ui_game_resources_cfg.txt"},
        {"ui/menu_resources.cfg", "ui_menu_resources_cfg.txt"}, {"ui/cursor.cfg", "ui_cursor_cfg.txt"},
        {"ui/shell_ctrls.cfg", "ui_shell_ctrls_cfg.txt"},       {"ui/hq.cfg", "ui_hq_cfg.txt"}};
    for (const auto& [path, source] : texts) game.text(path, text_source(source));

    IRON_CHECK(interface_library(game));

    archive::RsliBuilder fonts(0x1A2B);
    fonts.add("FONT8.FNT", font(8, 12), archive::RsliMethod::lzss);
    fonts.add("FONT12.FNT", font(12, 16), archive::RsliMethod::lzss);
    IRON_TRY(Bytes font_bytes, fonts.build());
    game.file("gamefont.rlb", std::move(font_bytes));

    archive::RsliBuilder sprites(0x3C4D);
    IRON_TRY(Bytes arrow, texm(arrow_cursor(), asset::TexmFormat::argb8888, 1));
    IRON_TRY(Bytes attack, texm(ring_cursor(rgb(0xe04030)), asset::TexmFormat::argb8888, 1));
    IRON_TRY(Bytes go, texm(ring_cursor(rgb(0x50d060)), asset::TexmFormat::argb8888, 1));
    sprites.add("CURSOR.TEX", arrow, archive::RsliMethod::deflate);
    sprites.add("ATTACK.TEX", attack, archive::RsliMethod::deflate);
    sprites.add("MOVE.TEX", go, archive::RsliMethod::deflate);
    IRON_TRY(Bytes sprite_bytes, sprites.build());
    game.file("sprites.lib", std::move(sprite_bytes));

    // The shade manager's table (terrain.md 6).
    asset::Wear shade;
    shade.add_material("LIGHT1");
    IRON_TRY(Bytes shade_bytes, asset::write_wear(shade));
    game.entry("system.rlb", type_tag("WEAR"), 0, 0, 1, "Shade.wea", std::move(shade_bytes));
    return {};
}

}  // namespace iron::content
