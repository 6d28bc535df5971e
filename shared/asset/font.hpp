// TFNT: a raw head and a texture. Source: materials.md 5.
#pragma once

#include "shared/asset/texture.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

inline constexpr std::size_t kFontHeadSize = 4116;  ///< 20 + 256 * 16 (inferred)

struct Font {
    Bytes head;  ///< bytes 0..4115, never interpreted
    Texture texture;
};

/// Errors `truncated` and those of read_texture.
Result<Font> read_font(ByteView bytes, ReadContext& ctx);
/// Error `font_authoring` when the head has another size.
Result<Bytes> write_font(const Font& font);

}  // namespace iron::asset
