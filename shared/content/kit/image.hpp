// A float RGBA picture that wraps at its borders, and the brushes the textures are made with.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/math.hpp"

namespace iron::content {

/// Display-space colour, components 0..1.
struct Color {
    float r = 0, g = 0, b = 0, a = 1;
};
Color mix(Color a, Color b, float t);
Color scale(Color c, float s);
constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<float>((hex >> 16) & 255) / 255.0f, static_cast<float>((hex >> 8) & 255) / 255.0f,
            static_cast<float>(hex & 255) / 255.0f, 1.0f};
}

/// Width and height are powers of two; rows run top to bottom.
class Image {
public:
    Image(int width, int height, Color fill = {});
    int width() const { return width_; }
    int height() const { return height_; }
    Color& at(int x, int y) { return pixels_[index(x, y)]; }
    const Color& at(int x, int y) const { return pixels_[index(x, y)]; }

    /// Blends `c` over the pixel with weight `t`.
    void blend(int x, int y, Color c, float t);
    /// Multiplies colour (not alpha).
    void shade(int x, int y, float factor);

    void fill_rect(int x, int y, int w, int h, Color c, float t = 1.0f);
    /// A raised (depth > 0) or sunken plate: light on the upper left edge, dark on the lower right.
    void plate(int x, int y, int w, int h, float depth);
    void groove(int x, int y, int w, int h);  ///< dark line with a light lower lip around a rectangle
    void rivet(int x, int y, float radius);
    void disc(float cx, float cy, float radius, Color c, float t = 1.0f);
    void line(float x0, float y0, float x1, float y1, float width, Color c, float t = 1.0f);
    void vent(int x, int y, int w, int h, int slats);
    /// Diagonal warning stripes in a rectangle.
    void hazard(int x, int y, int w, int h, int period, Color a, Color b);

    /// 8-bit R, G, B, A, rounded.
    std::vector<std::uint8_t> rgba8() const;
    /// Half-size picture by box filter (at least 1x1).
    Image half() const;

private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y & (height_ - 1)) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x & (width_ - 1));
    }
    int width_, height_;
    std::vector<Color> pixels_;
};

}  // namespace iron::content
