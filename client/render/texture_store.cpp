#include "client/render/texture_store.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::render {
namespace {

void repeat_trilinear(GLenum target) {
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

float lattice(int x, int y, int period, std::uint32_t seed) {
    x = ((x % period) + period) % period;
    y = ((y % period) + period) % period;
    auto h = static_cast<std::uint32_t>(x) * 0x9E3779B1u ^ static_cast<std::uint32_t>(y) * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return static_cast<float>(h & 0xFFFFu) / 65535.0f;
}

/// Value noise on a torus; `period` lattice cells over the whole picture.
float noise(float u, float v, int period, std::uint32_t seed) {
    const float x = u * static_cast<float>(period), y = v * static_cast<float>(period);
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    float tx = x - static_cast<float>(x0), ty = y - static_cast<float>(y0);
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    const float a = lattice(x0, y0, period, seed), b = lattice(x0 + 1, y0, period, seed),
                c = lattice(x0, y0 + 1, period, seed), d = lattice(x0 + 1, y0 + 1, period, seed);
    return a + (b - a) * tx + (c - a) * ty + (a - b - c + d) * tx * ty;
}

float fractal(float u, float v, int period, int octaves, std::uint32_t seed) {
    float sum = 0, weight = 0, amplitude = 1;
    for (int i = 0; i < octaves; ++i) {
        sum += noise(u, v, period << i, seed + static_cast<std::uint32_t>(i)) * amplitude;
        weight += amplitude;
        amplitude *= 0.55f;
    }
    return sum / weight;
}

void stretch(std::vector<float>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const float a = *low, range = std::max(1e-6f, *high - *low);
    for (float& v : values) v = (v - a) / range;
}

std::uint8_t to_byte(float v) {
    return static_cast<std::uint8_t>(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f);
}

}  // namespace

GlTexture upload_image(const view::Image& image) {
    GlTexture out = GlTexture::make();
    glBindTexture(GL_TEXTURE_2D, out.get());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (std::size_t i = 0; i < image.levels.size(); ++i)
        glTexImage2D(GL_TEXTURE_2D, static_cast<GLint>(i), GL_SRGB8_ALPHA8, std::max(1, image.width >> i),
                     std::max(1, image.height >> i), 0, GL_RGBA, GL_UNSIGNED_BYTE, image.levels[i].data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, static_cast<GLint>(image.levels.size()) - 1);
    repeat_trilinear(GL_TEXTURE_2D);
    return out;
}

void TextureStore::sync(const view::MaterialSet& set) {
    if (!white_) {
        view::Image image;
        image.width = image.height = 1;
        image.levels.push_back({255, 255, 255, 255});
        white_ = upload_image(image);
    }
    while (images_.size() < set.images.size()) images_.push_back(upload_image(set.images[images_.size()]));
}

GLuint TextureStore::texture_of(const view::Material& material) const {
    return material.image < images_.size() ? images_[material.image].get() : white_.get();
}

GlTexture upload_layers(const view::MaterialSet& set, const std::vector<std::uint32_t>& layers, int size) {
    GlTexture out = GlTexture::make();
    glBindTexture(GL_TEXTURE_2D_ARRAY, out.get());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    const auto count = static_cast<GLsizei>(std::max<std::size_t>(1, layers.size()));
    int levels = 1;
    while ((size >> levels) > 0) ++levels;
    for (int i = 0; i < levels; ++i)
        glTexImage3D(GL_TEXTURE_2D_ARRAY, i, GL_SRGB8_ALPHA8, std::max(1, size >> i), std::max(1, size >> i),
                     count, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    for (GLint layer = 0; layer < count; ++layer) {
        view::Image image;
        const auto l = static_cast<std::size_t>(layer);
        const std::uint32_t picture = l < layers.size() && layers[l] < set.materials.size()
                                          ? set.materials[layers[l]].image
                                          : 0xFFFFFFFFu;
        if (picture < set.images.size()) {
            image = view::resized(set.images[picture], size);
        } else {
            view::Image plain;
            plain.width = plain.height = 1;
            plain.levels.push_back({200, 200, 200, 255});
            image = view::resized(plain, size);
        }
        for (int i = 0; i < levels; ++i)
            glTexSubImage3D(GL_TEXTURE_2D_ARRAY, i, 0, 0, layer, std::max(1, size >> i), std::max(1, size >> i), 1,
                            GL_RGBA, GL_UNSIGNED_BYTE, image.levels[static_cast<std::size_t>(i)].data());
    }
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, levels - 1);
    repeat_trilinear(GL_TEXTURE_2D_ARRAY);
    return out;
}

GlTexture make_noise_texture(int size) {
    const auto n = static_cast<std::size_t>(size);
    std::vector<float> fine(n * n), coarse(n * n);
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x) {
            const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(size);
            const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(size);
            fine[y * n + x] = fractal(u, v, 8, 5, 11);
            coarse[y * n + x] = fractal(u, v, 3, 5, 77);
        }
    stretch(fine);
    stretch(coarse);
    view::Image image;
    image.width = image.height = size;
    std::vector<std::uint8_t> pixels(n * n * 4);
    for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x) {
            const auto at = [&](std::size_t px, std::size_t py) { return fine[(py % n) * n + px % n]; };
            const float dx = at(x + n - 1, y) - at(x + 1, y), dy = at(x, y + n - 1) - at(x, y + 1);
            std::uint8_t* p = pixels.data() + (y * n + x) * 4;
            p[0] = to_byte(fine[y * n + x]);
            p[1] = to_byte(coarse[y * n + x]);
            p[2] = to_byte(0.5f + dx * 5.0f);
            p[3] = to_byte(0.5f + dy * 5.0f);
        }
    image.levels.push_back(std::move(pixels));
    view::complete_mips(image);
    GlTexture out = GlTexture::make();
    glBindTexture(GL_TEXTURE_2D, out.get());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (std::size_t i = 0; i < image.levels.size(); ++i)
        glTexImage2D(GL_TEXTURE_2D, static_cast<GLint>(i), GL_RGBA8, std::max(1, size >> i), std::max(1, size >> i), 0,
                     GL_RGBA, GL_UNSIGNED_BYTE, image.levels[i].data());
    repeat_trilinear(GL_TEXTURE_2D);
    return out;
}

}  // namespace iron::client::render
