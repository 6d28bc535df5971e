// Pictures on the GPU: one texture an image, an array for the terrain layers, the noise that
// breaks up repetition.
#pragma once

#include <cstdint>
#include <vector>

#include "client/render/gl_objects.hpp"
#include "client/view/material.hpp"

namespace iron::client::render {

class TextureStore {
public:
    /// Uploads the images that were added since the last call.
    void sync(const view::MaterialSet& set);
    /// Texture of a material; white when it has no image.
    GLuint texture_of(const view::Material& material) const;
    GLuint white() const { return white_.get(); }

private:
    std::vector<GlTexture> images_;
    GlTexture white_;
};

/// sRGB texture with all levels of the image, repeating.
GlTexture upload_image(const view::Image& image);
/// All layers resampled to one size; `layers` are material indices.
GlTexture upload_layers(const view::MaterialSet& set, const std::vector<std::uint32_t>& layers, int size);
/// Repeating noise: R fine, G coarse, B and A the slope of R (0.5 = flat). Always the same.
GlTexture make_noise_texture(int size);

}  // namespace iron::client::render
