#include "client/ui/font.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <tuple>

#include <ft2build.h>
#include FT_FREETYPE_H

namespace iron::client::ui {
namespace {

constexpr int kAtlasSize = 2048;

constexpr std::array<std::string_view, 3> kFolders{
    "/usr/share/fonts/truetype/dejavu", "/usr/local/share/fonts/dejavu", "/usr/share/fonts/dejavu"};
constexpr std::array<std::string_view, 3> kFiles{"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"};

}  // namespace

std::u32string decode_utf8(std::string_view text) {
    std::u32string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        std::size_t count = lead < 0x80 ? 1 : lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
        if (lead >= 0xF5) count = 0;
        if (count == 0 || i + count > text.size()) {
            out.push_back(0xFFFD);
            ++i;
            continue;
        }
        char32_t code = count == 1 ? lead : lead & (0xFFu >> (count + 1));
        bool ok = true;
        for (std::size_t k = 1; k < count; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            ok = ok && (next & 0xC0) == 0x80;
            code = code << 6 | (next & 0x3F);
        }
        out.push_back(ok ? code : 0xFFFD);
        i += ok ? count : 1;
    }
    return out;
}

struct FontSet::Impl {
    FT_Library library = nullptr;
    std::array<FT_Face, 3> faces{};
    std::array<int, 3> current_size{};
    std::map<std::tuple<Face, int, char32_t>, Glyph> glyphs;
    std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(static_cast<std::size_t>(kAtlasSize) * kAtlasSize, 0);
    int pen_x = 1, pen_y = 1, shelf = 0;
    bool dirty = true;
    render::GlTexture atlas;

    ~Impl() {
        for (FT_Face face : faces)
            if (face) FT_Done_Face(face);
        if (library) FT_Done_FreeType(library);
    }
    FT_Face sized(Face face, int size) {
        const auto i = static_cast<std::size_t>(face);
        if (current_size[i] != size) {
            FT_Set_Pixel_Sizes(faces[i], 0, static_cast<FT_UInt>(std::max(1, size)));
            current_size[i] = size;
        }
        return faces[i];
    }
};

FontSet::FontSet() : impl_(std::make_unique<Impl>()) {}
FontSet::~FontSet() = default;

Result<std::unique_ptr<FontSet>> FontSet::open(const std::string& folder) {
    std::unique_ptr<FontSet> set(new FontSet);
    if (FT_Init_FreeType(&set->impl_->library) != 0) return fail("no_device", "FreeType cannot be initialised");
    std::vector<std::string> folders;
    if (!folder.empty()) folders.push_back(folder);
    for (std::string_view f : kFolders) folders.emplace_back(f);
    for (std::size_t i = 0; i < kFiles.size(); ++i) {
        for (const std::string& f : folders) {
            const std::string path = f + "/" + std::string(kFiles[i]);
            if (FT_New_Face(set->impl_->library, path.c_str(), 0, &set->impl_->faces[i]) == 0) break;
            set->impl_->faces[i] = nullptr;
        }
        if (!set->impl_->faces[i])
            return fail("not_found", "the font " + std::string(kFiles[i]) +
                                         " was not found: install the package fonts-dejavu-core or name its "
                                         "folder with font_folder in the settings");
    }
    return set;
}

const Glyph& FontSet::glyph(Face face, int pixels, char32_t code) {
    const auto key = std::make_tuple(face, pixels, code);
    if (const auto found = impl_->glyphs.find(key); found != impl_->glyphs.end()) return found->second;
    Glyph out;
    FT_Face ft = impl_->sized(face, pixels);
    if (FT_Load_Char(ft, code, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) == 0) {
        const FT_GlyphSlot slot = ft->glyph;
        const int w = static_cast<int>(slot->bitmap.width), h = static_cast<int>(slot->bitmap.rows);
        out.advance = static_cast<float>(slot->advance.x) / 64.0f;
        if (impl_->pen_x + w + 1 > kAtlasSize) {
            impl_->pen_x = 1;
            impl_->pen_y += impl_->shelf + 1;
            impl_->shelf = 0;
        }
        if (impl_->pen_y + h + 1 > kAtlasSize) {  // full: start again, the next frame refills it
            std::fill(impl_->pixels.begin(), impl_->pixels.end(), std::uint8_t{0});
            impl_->glyphs.clear();
            impl_->pen_x = impl_->pen_y = 1;
            impl_->shelf = 0;
        }
        for (int y = 0; y < h; ++y)
            std::copy_n(slot->bitmap.buffer + y * slot->bitmap.pitch, w,
                        impl_->pixels.begin() + (impl_->pen_y + y) * kAtlasSize + impl_->pen_x);
        out.size = glm::vec2(w, h);
        out.offset = glm::vec2(slot->bitmap_left, -slot->bitmap_top);
        out.uv_low = glm::vec2(impl_->pen_x, impl_->pen_y) / static_cast<float>(kAtlasSize);
        out.uv_high = glm::vec2(impl_->pen_x + w, impl_->pen_y + h) / static_cast<float>(kAtlasSize);
        impl_->pen_x += w + 1;
        impl_->shelf = std::max(impl_->shelf, h);
        impl_->dirty = true;
    }
    return impl_->glyphs.emplace(key, out).first->second;
}

float FontSet::width(Face face, int pixels, std::string_view text) {
    float sum = 0;
    for (char32_t c : decode_utf8(text)) sum += glyph(face, pixels, c).advance;
    return sum;
}

float FontSet::ascent(Face face, int pixels) {
    return std::round(static_cast<float>(impl_->sized(face, pixels)->size->metrics.ascender) / 64.0f);
}

float FontSet::line_height(Face face, int pixels) {
    return std::round(static_cast<float>(impl_->sized(face, pixels)->size->metrics.height) / 64.0f);
}

namespace {

std::string encode(std::u32string_view text) {
    std::string out;
    for (char32_t c : text) {
        if (c < 0x80) {
            out.push_back(static_cast<char>(c));
        } else if (c < 0x800) {
            out.push_back(static_cast<char>(0xC0 | c >> 6));
            out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
        } else if (c < 0x10000) {
            out.push_back(static_cast<char>(0xE0 | c >> 12));
            out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
            out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
        } else {
            out.push_back(static_cast<char>(0xF0 | c >> 18));
            out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
            out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
            out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
        }
    }
    return out;
}

}  // namespace

std::string FontSet::fitted(Face face, int pixels, std::string_view text, float max_width) {
    if (width(face, pixels, text) <= max_width) return std::string(text);
    std::u32string codes = decode_utf8(text);
    const float dots = glyph(face, pixels, U'…').advance;
    float sum = dots;
    std::size_t keep = 0;
    while (keep < codes.size() && sum + glyph(face, pixels, codes[keep]).advance <= max_width)
        sum += glyph(face, pixels, codes[keep++]).advance;
    codes.resize(keep);
    while (!codes.empty() && codes.back() == U' ') codes.pop_back();
    return encode(codes) + "…";
}

std::vector<std::string> FontSet::wrapped(Face face, int pixels, std::string_view text, float max_width) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t at = 0;
    while (at <= text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word(text.substr(at, end - at));
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && width(face, pixels, longer) > max_width) {
            lines.push_back(line);
            line = fitted(face, pixels, word, max_width);
        } else {
            line = width(face, pixels, longer) > max_width ? fitted(face, pixels, longer, max_width) : longer;
        }
        at = end + 1;
    }
    if (!line.empty() || lines.empty()) lines.push_back(line);
    return lines;
}

GLuint FontSet::texture() {
    if (!impl_->atlas) {
        impl_->atlas = render::GlTexture::make();
        glBindTexture(GL_TEXTURE_2D, impl_->atlas.get());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        impl_->dirty = true;
    }
    if (impl_->dirty) {
        glBindTexture(GL_TEXTURE_2D, impl_->atlas.get());
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, kAtlasSize, kAtlasSize, 0, GL_RED, GL_UNSIGNED_BYTE, impl_->pixels.data());
        impl_->dirty = false;
    }
    return impl_->atlas.get();
}

}  // namespace iron::client::ui
