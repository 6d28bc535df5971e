#include "client/render/png.hpp"

#include <algorithm>
#include <cstdlib>

#include <png.h>

#include "shared/base/file.hpp"

namespace iron::client::render {

Status write_png(const std::filesystem::path& path, const Picture& picture) {
    if (picture.width < 1 || picture.height < 1)
        return fail("io_error", "an empty picture cannot be written");
    std::vector<std::uint8_t> rgb;
    rgb.reserve(picture.rgba.size() / 4 * 3);
    for (std::size_t i = 0; i + 3 < picture.rgba.size(); i += 4)
        rgb.insert(rgb.end(), {picture.rgba[i], picture.rgba[i + 1], picture.rgba[i + 2]});
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t bytes = 0;
    if (!png_image_write_to_memory(&image, nullptr, &bytes, 0, rgb.data(), 0, nullptr))
        return fail("io_error", std::string("the picture cannot be encoded: ") + image.message);
    Bytes out(bytes);
    if (!png_image_write_to_memory(&image, out.data(), &bytes, 0, rgb.data(), 0, nullptr))
        return fail("io_error", std::string("the picture cannot be encoded: ") + image.message);
    out.resize(bytes);
    return write_file_atomic(path, out);
}

std::uint64_t count_different(const Picture& a, const Picture& b, PixelRect rect, int threshold) {
    rect.left = std::clamp(rect.left, 0, a.width);
    rect.right = std::clamp(rect.right, rect.left, a.width);
    rect.top = std::clamp(rect.top, 0, a.height);
    rect.bottom = std::clamp(rect.bottom, rect.top, a.height);
    if (a.width != b.width || a.height != b.height)
        return static_cast<std::uint64_t>(rect.right - rect.left) *
               static_cast<std::uint64_t>(rect.bottom - rect.top);
    std::uint64_t count = 0;
    for (int y = rect.top; y < rect.bottom; ++y)
        for (int x = rect.left; x < rect.right; ++x) {
            const std::uint8_t *p = a.at(x, y), *q = b.at(x, y);
            int worst = 0;
            for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(int{p[c]} - int{q[c]}));
            count += worst > threshold ? 1 : 0;
        }
    return count;
}

bool looks_empty(const Picture& picture) {
    std::vector<std::uint32_t> histogram(1u << 15, 0);
    const std::size_t pixels = picture.rgba.size() / 4;
    if (pixels == 0) return true;
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::uint8_t* p = picture.rgba.data() + i * 4;
        ++histogram[static_cast<std::size_t>(p[0] >> 3) << 10 | static_cast<std::size_t>(p[1] >> 3) << 5 |
                    static_cast<std::size_t>(p[2] >> 3)];
    }
    std::size_t colours = 0, most = 0;
    for (std::uint32_t count : histogram) {
        colours += count > 0 ? 1 : 0;
        most = std::max(most, static_cast<std::size_t>(count));
    }
    return colours < 16 || most > pixels - pixels / 50;
}

}  // namespace iron::client::render
