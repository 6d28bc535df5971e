#include "shared/interchange/png.hpp"

#include <png.h>

namespace iron::interchange {
namespace {

/// libpng's simplified interface: no long jumps, everything is freed at the end.
struct Image {
    Image() {
        std::memset(&value, 0, sizeof value);
        value.version = PNG_IMAGE_VERSION;
    }
    ~Image() { png_image_free(&value); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    tl::unexpected<Error> failure() const { return fail("png_error", value.message); }
    png_image value;
};

}  // namespace

Result<Bytes> encode_png(const asset::RgbaImage& image) {
    const std::uint64_t want = std::uint64_t{image.width} * image.height * 4;
    if (image.width == 0 || image.height == 0 || image.pixels.size() != want)
        return fail("png_error", "the pixels do not fit the size");
    Image png;
    png.value.width = image.width;
    png.value.height = image.height;
    png.value.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = 0;
    if (png_image_write_get_memory_size(png.value, size, 0, image.pixels.data(), 0, nullptr) == 0) return png.failure();
    Bytes out(size);
    if (png_image_write_to_memory(&png.value, out.data(), &size, 0, image.pixels.data(), 0, nullptr) == 0) return png.failure();
    out.resize(size);
    return out;
}

Result<asset::RgbaImage> decode_png(ByteView bytes) {
    Image png;
    if (bytes.empty() || png_image_begin_read_from_memory(&png.value, bytes.data(), bytes.size()) == 0)
        return bytes.empty() ? Result<asset::RgbaImage>(fail("png_error", "no bytes")) : Result<asset::RgbaImage>(png.failure());
    if (png.value.width > kMaxPictureSide || png.value.height > kMaxPictureSide)
        return fail("limit_exceeded", "a picture of " + std::to_string(png.value.width) + " x " + std::to_string(png.value.height) + " pixels");
    png.value.format = PNG_FORMAT_RGBA;
    asset::RgbaImage out;
    out.width = png.value.width;
    out.height = png.value.height;
    out.pixels.resize(PNG_IMAGE_SIZE(png.value));
    if (png_image_finish_read(&png.value, nullptr, out.pixels.data(), 0, nullptr) == 0) return png.failure();
    return out;
}

}  // namespace iron::interchange
