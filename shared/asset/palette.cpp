#include "shared/asset/palette.hpp"

#include <algorithm>

#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

constexpr std::size_t kColours = 1024, kTable = 65536;
constexpr std::string_view kTableMagic = "Ipol";

}  // namespace

Result<std::optional<int>> palette_index(std::string_view name, ReadContext& ctx) {
    const std::size_t dot = name.substr(0, 17).find('.');
    if (dot == std::string_view::npos)
        return fail("bad_texture_name", "Bad texture name. '" + std::string(name) + "'");
    const auto at = [&](std::size_t i) {  // past the end the original reads the NUL
        return i < name.size() ? static_cast<int>(static_cast<unsigned char>(name[i])) : 0;
    };
    const int letter = at(dot + 1) >= 'a' && at(dot + 1) <= 'z' ? at(dot + 1) - 32 : at(dot + 1);
    const int digit = at(dot + 2);
    const auto bad = [&](const char* why) -> Result<std::optional<int>> {
        const std::string text = "texture name '" + std::string(name) + "': " + why;
        if (ctx.strict()) return fail("bad_palette_suffix", text);
        ctx.warn("bad_palette_suffix", text);
        return std::optional<int>{};
    };
    const bool is_digit = digit >= '0' && digit <= '9';
    if (letter >= 'A' && letter <= 'Z' && digit != 0 && !is_digit)
        return bad("the second character of the suffix is not a digit");
    const int index = (letter - 'A') * 11 + (is_digit ? digit - '0' + 1 : 0);
    if (index < 0) return std::optional<int>{};
    if (index >= kPaletteCount) return bad("there is no palette of that number");
    return std::optional<int>{index};
}

std::string palette_entry_name(int index) {
    std::string out(1, static_cast<char>('A' + index / 11));
    if (index % 11 > 0) out += static_cast<char>('0' + index % 11 - 1);
    return out + ".PAL";
}

Bytes Palette::to_rgba() const {
    Bytes out(colours.begin(), colours.end());
    for (std::size_t i = 0; i < out.size(); i += 4) std::swap(out[i], out[i + 2]);
    return out;
}

Result<Palette> read_palette(ByteView bytes, ReadContext&) {
    if (bytes.size() != kPaletteFileSize)
        return fail("palette_bad_size", std::to_string(bytes.size()) + " bytes, a palette has 66564");
    if (as_text(bytes.subspan(kColours, kTableMagic.size())) != kTableMagic)
        return fail("bad_magic", "the blend table does not begin with Ipol", kColours);
    Palette out;
    std::copy_n(bytes.begin(), kColours, out.colours.begin());
    const ByteView table = bytes.subspan(kColours + kTableMagic.size());
    out.blend_table.assign(table.begin(), table.end());
    return out;
}

Result<Bytes> write_palette(const Palette& palette) {
    if (palette.blend_table.size() != kTable)
        return fail("palette_authoring", "the blend table has 65 536 bytes");
    ByteWriter out;
    out.bytes(palette.colours);
    out.text(kTableMagic);
    out.bytes(palette.blend_table);
    return out.take();
}

}  // namespace iron::asset
