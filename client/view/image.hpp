// Decoded pictures on the way to the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace iron::client::view {

/// RGBA8, rows top to bottom; level i is max(1, w >> i) x max(1, h >> i).
struct Image {
    std::string name;
    int width = 0, height = 0;
    std::vector<std::vector<std::uint8_t>> levels;
    bool has_alpha = false;  ///< some pixel of level 0 is not opaque
};

/// Fills in the missing levels of `image` down to 1 x 1 by averaging 2 x 2 pixels.
void complete_mips(Image& image);
/// `image` level 0 resampled to size x size (bilinear, repeating), with all mip levels.
Image resized(const Image& image, int size);
/// A grey checkerboard for a missing texture.
Image placeholder_image();

}  // namespace iron::client::view
