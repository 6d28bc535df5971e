// PNG through libpng: textures out, pictures in.
#pragma once

#include "shared/asset/texture.hpp"
#include "shared/base/bytes.hpp"

namespace iron::interchange {

inline constexpr std::uint32_t kMaxPictureSide = 16384;  ///< pixels

/// RGBA, 8 bits a channel, straight alpha. Error `png_error`: sizes that do not match.
Result<Bytes> encode_png(const asset::RgbaImage& image);
/// Any PNG as RGBA. Errors `png_error`, `limit_exceeded` (kMaxPictureSide).
Result<asset::RgbaImage> decode_png(ByteView bytes);

}  // namespace iron::interchange
