// Text: FreeType glyphs in one atlas texture, any pixel size, UTF-8 (Latin and Cyrillic).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "client/render/gl_objects.hpp"
#include "shared/base/error.hpp"

namespace iron::client::ui {

enum class Face : std::uint8_t { regular, bold, mono };

/// A drawn glyph: its place in the atlas and how it sits on the line, pixels.
struct Glyph {
    glm::vec2 uv_low{0}, uv_high{0};
    glm::vec2 offset{0};  ///< from the pen to the top left corner, y down
    glm::vec2 size{0};
    float advance = 0;
};

/// The code points of UTF-8 text; malformed bytes become U+FFFD.
std::u32string decode_utf8(std::string_view text);

class FontSet {
public:
    /// Opens the packaged DejaVu faces, or those in `folder` if it is not empty. Error `not_found`
    /// with what to install or set.
    static Result<std::unique_ptr<FontSet>> open(const std::string& folder);
    ~FontSet();

    /// Rasterised on first use. Unknown characters show the font's own replacement box.
    const Glyph& glyph(Face face, int pixels, char32_t code);
    float width(Face face, int pixels, std::string_view text);
    /// Distance from the top of a line to its baseline, and between lines.
    float ascent(Face face, int pixels);
    float line_height(Face face, int pixels);
    /// `text` shortened with "…" to fit.
    std::string fitted(Face face, int pixels, std::string_view text, float max_width);
    /// `text` broken at spaces into lines that fit.
    std::vector<std::string> wrapped(Face face, int pixels, std::string_view text, float max_width);
    /// The atlas; uploads what changed.
    GLuint texture();

private:
    FontSet();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace iron::client::ui
