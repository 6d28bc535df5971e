#include "client/render/framebuffer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace iron::client::render {

Status FrameTarget::resize(int width, int height, int samples, float scale) {
    GLint limit = 1, size_limit = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &limit);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &size_limit);
    samples = std::clamp(samples, 1, std::max(1, static_cast<int>(limit)));
    if (samples > 1 || !(scale > 0.0f)) scale = 1.0f;
    const auto part = [&](int full) {
        return std::max(1, static_cast<int>(std::lround(static_cast<float>(full) * std::min(scale, 1.0f))));
    };
    const int draw_width = part(width), draw_height = part(height);
    if (width == width_ && height == height_ && samples == samples_ && draw_width == draw_width_ &&
        draw_height == draw_height_)
        return {};
    if (width < 1 || height < 1 || width > size_limit || height > size_limit)
        return fail("no_device", "the graphics device cannot draw a picture of " +
                                     std::to_string(width) + " x " + std::to_string(height));
    draw_ = GlFramebuffer::make();
    plain_ = GlFramebuffer::make();
    color_ = GlRenderbuffer::make();
    depth_ = GlRenderbuffer::make();
    resolved_ = GlTexture::make();
    const int store = samples > 1 ? samples : 0;
    glBindRenderbuffer(GL_RENDERBUFFER, color_.get());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, store, GL_RGBA8, draw_width, draw_height);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.get());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, store, GL_DEPTH_COMPONENT24, draw_width, draw_height);
    glBindFramebuffer(GL_FRAMEBUFFER, draw_.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.get());
    const bool first = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;

    glBindTexture(GL_TEXTURE_2D, resolved_.get());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, plain_.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, resolved_.get(), 0);
    const bool second = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!first || !second)
        return fail("no_device", "the graphics device refuses a picture of " + std::to_string(width) +
                                     " x " + std::to_string(height));
    width_ = width;
    height_ = height;
    samples_ = samples;
    draw_width_ = draw_width;
    draw_height_ = draw_height;
    return {};
}

void FrameTarget::begin() {
    glBindFramebuffer(GL_FRAMEBUFFER, draw_.get());
    glViewport(0, 0, draw_width_, draw_height_);
}

void FrameTarget::resolve() {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, draw_.get());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain_.get());
    glBlitFramebuffer(0, 0, draw_width_, draw_height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                      draw_width_ == width_ && draw_height_ == height_ ? GL_NEAREST : GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, plain_.get());
    glViewport(0, 0, width_, height_);
}

void FrameTarget::present() const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, plain_.get());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

Picture FrameTarget::read() const {
    Picture out;
    out.width = width_;
    out.height = height_;
    const std::size_t row = static_cast<std::size_t>(width_) * 4;
    std::vector<std::uint8_t> raw(row * static_cast<std::size_t>(height_));
    glBindFramebuffer(GL_FRAMEBUFFER, plain_.get());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, raw.data());
    out.rgba.resize(raw.size());
    for (std::size_t y = 0; y < static_cast<std::size_t>(height_); ++y)
        std::copy_n(raw.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(height_) - 1 - y) * row),
                    row, out.rgba.begin() + static_cast<std::ptrdiff_t>(y * row));
    return out;
}

}  // namespace iron::client::render
