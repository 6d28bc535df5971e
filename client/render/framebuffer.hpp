// Offscreen colour + depth targets: multisampled drawing and its resolve.
#pragma once

#include <cstdint>
#include <vector>

#include "client/render/gl_objects.hpp"
#include "shared/base/error.hpp"

namespace iron::client::render {

/// 8-bit RGBA rows, top row first.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    const std::uint8_t* at(int x, int y) const {
        return rgba.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x)) * 4;
    }
};

/// The picture being drawn: a multisampled target that is resolved into a plain one; what is
/// drawn after resolve() (the UI) goes to the plain target.
class FrameTarget {
public:
    /// (Re)creates the targets; `samples` 1 = no anti-aliasing (the driver's limit applies).
    /// `scale` below 1 draws the world with fewer pixels and stretches it (samples 1 only); the
    /// UI keeps all pixels. Error `no_device` when the driver refuses the size.
    Status resize(int width, int height, int samples, float scale = 1.0f);
    int width() const { return width_; }    ///< of the picture
    int height() const { return height_; }
    int samples() const { return samples_; }

    void begin();          ///< binds the multisampled target and sets the viewport
    void resolve();        ///< copies it to the plain target and binds that
    void present() const;  ///< copies the plain target to the window
    Picture read() const;  ///< the plain target

private:
    int width_ = 0, height_ = 0, samples_ = 1;
    int draw_width_ = 0, draw_height_ = 0;
    GlRenderbuffer color_, depth_;
    GlTexture resolved_;
    GlFramebuffer draw_, plain_;
};

}  // namespace iron::client::render
