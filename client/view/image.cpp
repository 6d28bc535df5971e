#include "client/view/image.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::view {
namespace {

std::vector<std::uint8_t> half(const std::vector<std::uint8_t>& from, int w, int h) {
    const int nw = std::max(1, w / 2), nh = std::max(1, h / 2);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(nw) * static_cast<std::size_t>(nh) * 4);
    for (int y = 0; y < nh; ++y)
        for (int x = 0; x < nw; ++x)
            for (int c = 0; c < 4; ++c) {
                int sum = 0;
                for (int dy = 0; dy < 2; ++dy)
                    for (int dx = 0; dx < 2; ++dx) {
                        const int sx = std::min(2 * x + dx, w - 1), sy = std::min(2 * y + dy, h - 1);
                        sum += from[static_cast<std::size_t>((sy * w + sx) * 4 + c)];
                    }
                out[static_cast<std::size_t>((y * nw + x) * 4 + c)] = static_cast<std::uint8_t>((sum + 2) / 4);
            }
    return out;
}

}  // namespace

void complete_mips(Image& image) {
    if (image.levels.empty()) return;
    for (;;) {
        const int i = static_cast<int>(image.levels.size()) - 1;
        const int w = std::max(1, image.width >> i), h = std::max(1, image.height >> i);
        if (w == 1 && h == 1) return;
        image.levels.push_back(half(image.levels.back(), w, h));
    }
}

Image resized(const Image& image, int size) {
    Image out;
    out.name = image.name;
    out.width = out.height = size;
    out.has_alpha = image.has_alpha;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4, 255);
    if (!image.levels.empty() && image.width > 0 && image.height > 0) {
        // Start from the level that is nearest in size, so that shrinking does not alias.
        std::size_t level = 0;
        while (level + 1 < image.levels.size() && (image.width >> (level + 1)) >= size) ++level;
        const int w = std::max(1, image.width >> level), h = std::max(1, image.height >> level);
        const auto& from = image.levels[level];
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const float fx = (static_cast<float>(x) + 0.5f) * static_cast<float>(w) / static_cast<float>(size) - 0.5f;
                const float fy = (static_cast<float>(y) + 0.5f) * static_cast<float>(h) / static_cast<float>(size) - 0.5f;
                const int x0 = static_cast<int>(std::floor(fx)), y0 = static_cast<int>(std::floor(fy));
                const float tx = fx - static_cast<float>(x0), ty = fy - static_cast<float>(y0);
                for (int c = 0; c < 4; ++c) {
                    const auto at = [&](int px, int py) {
                        px = ((px % w) + w) % w;
                        py = ((py % h) + h) % h;
                        return static_cast<float>(from[static_cast<std::size_t>((py * w + px) * 4 + c)]);
                    };
                    const float top = at(x0, y0) + (at(x0 + 1, y0) - at(x0, y0)) * tx;
                    const float bottom = at(x0, y0 + 1) + (at(x0 + 1, y0 + 1) - at(x0, y0 + 1)) * tx;
                    pixels[static_cast<std::size_t>((y * size + x) * 4 + c)] =
                        static_cast<std::uint8_t>(top + (bottom - top) * ty + 0.5f);
                }
            }
    }
    out.levels.push_back(std::move(pixels));
    complete_mips(out);
    return out;
}

Image placeholder_image() {
    Image out;
    out.name = "(missing)";
    out.width = out.height = 8;
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
            const std::uint8_t v = ((x / 4 + y / 4) & 1) ? 150 : 110;
            pixels.insert(pixels.end(), {v, v, v, 255});
        }
    out.levels.push_back(std::move(pixels));
    complete_mips(out);
    return out;
}

}  // namespace iron::client::view
