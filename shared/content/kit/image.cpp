#include "shared/content/kit/image.hpp"

#include "shared/content/kit/noise.hpp"

namespace iron::content {

Color mix(Color a, Color b, float t) {
    return {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t), mix(a.a, b.a, t)};
}
Color scale(Color c, float s) { return {c.r * s, c.g * s, c.b * s, c.a}; }

Image::Image(int width, int height, Color fill)
    : width_(width), height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill) {}

void Image::blend(int x, int y, Color c, float t) {
    Color& p = at(x, y);
    const float alpha = p.a;
    p = mix(p, c, clamp01(t));
    p.a = alpha;
}

void Image::shade(int x, int y, float factor) {
    Color& p = at(x, y);
    p.r = clamp01(p.r * factor);
    p.g = clamp01(p.g * factor);
    p.b = clamp01(p.b * factor);
}

void Image::fill_rect(int x, int y, int w, int h, Color c, float t) {
    for (int j = y; j < y + h; ++j)
        for (int i = x; i < x + w; ++i) blend(i, j, c, t);
}

void Image::plate(int x, int y, int w, int h, float depth) {
    const float light = 1.0f + 0.35f * depth, dark = 1.0f - 0.35f * depth;
    for (int i = x; i < x + w; ++i) {
        shade(i, y, light);
        shade(i, y + h - 1, dark);
    }
    for (int j = y + 1; j < y + h - 1; ++j) {
        shade(x, j, light);
        shade(x + w - 1, j, dark);
    }
}

void Image::groove(int x, int y, int w, int h) {
    for (int i = x; i < x + w; ++i) {
        shade(i, y, 0.5f);
        shade(i, y + 1, 1.18f);
        shade(i, y + h, 0.5f);
        shade(i, y + h + 1, 1.18f);
    }
    for (int j = y; j < y + h; ++j) {
        shade(x, j, 0.5f);
        shade(x + 1, j, 1.18f);
        shade(x + w, j, 0.5f);
        shade(x + w + 1, j, 1.18f);
    }
}

void Image::rivet(int x, int y, float radius) {
    const int r = static_cast<int>(floor_i32(radius)) + 2;
    for (int j = -r; j <= r; ++j) {
        for (int i = -r; i <= r; ++i) {
            const float d = sqrt_f(static_cast<float>(i * i + j * j));
            if (d > radius + 1.0f) continue;
            const float lit = static_cast<float>(-i - j) / (radius + 1.0f);
            shade(x + i, y + j, d <= radius ? 1.0f + 0.25f * lit : 0.72f);
        }
    }
}

void Image::disc(float cx, float cy, float radius, Color c, float t) {
    const int x0 = floor_i32(cx - radius) - 1, x1 = floor_i32(cx + radius) + 1;
    const int y0 = floor_i32(cy - radius) - 1, y1 = floor_i32(cy + radius) + 1;
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            const float dx = static_cast<float>(x) + 0.5f - cx, dy = static_cast<float>(y) + 0.5f - cy;
            const float d = sqrt_f(dx * dx + dy * dy);
            blend(x, y, c, t * clamp01(radius - d + 0.5f));
        }
    }
}

void Image::line(float x0, float y0, float x1, float y1, float width, Color c, float t) {
    const float half = width * 0.5f;
    const float lo_x = x0 < x1 ? x0 : x1, hi_x = x0 < x1 ? x1 : x0;
    const float lo_y = y0 < y1 ? y0 : y1, hi_y = y0 < y1 ? y1 : y0;
    const float dx = x1 - x0, dy = y1 - y0, len2 = dx * dx + dy * dy;
    for (int y = floor_i32(lo_y - half) - 1; y <= floor_i32(hi_y + half) + 1; ++y) {
        for (int x = floor_i32(lo_x - half) - 1; x <= floor_i32(hi_x + half) + 1; ++x) {
            const float px = static_cast<float>(x) + 0.5f - x0, py = static_cast<float>(y) + 0.5f - y0;
            const float s = len2 > 0 ? clamp01((px * dx + py * dy) / len2) : 0.0f;
            const float ex = px - dx * s, ey = py - dy * s;
            blend(x, y, c, t * clamp01(half - sqrt_f(ex * ex + ey * ey) + 0.5f));
        }
    }
}

void Image::vent(int x, int y, int w, int h, int slats) {
    fill_rect(x, y, w, h, {0.05f, 0.05f, 0.06f, 1}, 0.75f);
    const int step = h / slats > 1 ? h / slats : 2;
    for (int s = 0; s < slats; ++s) {
        const int row = y + s * step;
        for (int i = x + 1; i < x + w - 1; ++i) {
            blend(i, row + step / 2, {0.62f, 0.62f, 0.6f, 1}, 0.55f);
            for (int k = 1; k < step / 2; ++k) blend(i, row + step / 2 + k, {0.3f, 0.3f, 0.31f, 1}, 0.5f);
        }
    }
    groove(x - 1, y - 1, w + 1, h + 1);
}

void Image::hazard(int x, int y, int w, int h, int period, Color a, Color b) {
    for (int j = y; j < y + h; ++j)
        for (int i = x; i < x + w; ++i)
            blend(i, j, ((i + j) % period) * 2 < period ? a : b, 1.0f);
}

std::vector<std::uint8_t> Image::rgba8() const {
    std::vector<std::uint8_t> out;
    out.reserve(pixels_.size() * 4);
    const auto byte = [](float v) { return static_cast<std::uint8_t>(trunc_i32(clamp01(v) * 255.0f + 0.5f)); };
    for (const Color& p : pixels_) {
        out.push_back(byte(p.r));
        out.push_back(byte(p.g));
        out.push_back(byte(p.b));
        out.push_back(byte(p.a));
    }
    return out;
}

Image Image::half() const {
    const int w = width_ > 1 ? width_ / 2 : 1, h = height_ > 1 ? height_ / 2 : 1;
    Image out(w, h);
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            // Colour is weighted by alpha so that cut-out borders keep the leaf colour.
            Color sum{0, 0, 0, 0};
            float weight = 0;
            for (int j = 0; j < 2; ++j) {
                for (int i = 0; i < 2; ++i) {
                    const Color& p = at(x * width_ / w + i * (width_ > 1), y * height_ / h + j * (height_ > 1));
                    const float k = p.a + 1e-3f;
                    sum.r += p.r * k;
                    sum.g += p.g * k;
                    sum.b += p.b * k;
                    sum.a += p.a * 0.25f;
                    weight += k;
                }
            }
            out.at(x, y) = {sum.r / weight, sum.g / weight, sum.b / weight, sum.a};
        }
    }
    return out;
}

}  // namespace iron::content
