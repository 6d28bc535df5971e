#include "shared/asset/font.hpp"

namespace iron::asset {

Result<Font> read_font(ByteView bytes, ReadContext& ctx) {
    ByteReader in(bytes);
    IRON_TRY(const ByteView head, in.view(kFontHeadSize, "font head"));
    IRON_TRY_WRAP(auto texture, read_texture(bytes.subspan(kFontHeadSize), ctx), "font texture");
    return Font{Bytes(head.begin(), head.end()), std::move(texture)};
}

Result<Bytes> write_font(const Font& font) {
    if (font.head.size() != kFontHeadSize)
        return fail("font_authoring", "the head of a font has 4116 bytes");
    IRON_TRY(const Bytes texture, write_texture(font.texture));
    Bytes out = font.head;
    out.insert(out.end(), texture.begin(), texture.end());
    return out;
}

}  // namespace iron::asset
