// Screenshots, and the comparison that shows whether something is really in the picture.
#pragma once

#include <cstdint>
#include <filesystem>

#include "client/render/framebuffer.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

/// Writes an opaque RGB PNG (a crash leaves no half file). Error `io_error`.
Status write_png(const std::filesystem::path& path, const Picture& picture);

/// A rectangle of pixels, right and bottom exclusive.
struct PixelRect {
    int left = 0, top = 0, right = 0, bottom = 0;
};

/// Pixels inside `rect` whose largest channel difference exceeds `threshold` (0..255). Pictures
/// of different size differ everywhere.
std::uint64_t count_different(const Picture& a, const Picture& b, PixelRect rect, int threshold = 16);

/// True if the picture shows nothing: fewer than 16 distinct colours (5 bits a channel), or nearly
/// all pixels equal.
bool looks_empty(const Picture& picture);

}  // namespace iron::client::render
