// The window (or the offscreen surface) and its OpenGL 3.3 core context.
#pragma once

#include <memory>
#include <string>

#include "shared/base/error.hpp"

struct SDL_Window;

namespace iron::client::render {

struct DeviceOptions {
    int width = 1280, height = 720;  ///< pixels
    bool offscreen = false;          ///< no display needed: SDL's offscreen driver
    bool vsync = true;
    std::string title = "Iron3D";
};

/// Owns SDL's video part, the window and the current context of this thread.
class Device {
public:
    /// Error `no_display` (the sentence says how to use --offscreen) or `no_device`.
    static Result<std::unique_ptr<Device>> open(const DeviceOptions& options);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Size of the drawable in pixels (larger than the window on a dense screen).
    void drawable_size(int& width, int& height) const;
    /// Pixels of the drawable per unit of mouse coordinates.
    float pixel_ratio() const;
    void swap();
    SDL_Window* window() const { return window_; }
    bool offscreen() const { return options_.offscreen; }
    /// For the log: renderer and version as the driver names them.
    std::string description() const;

private:
    Device() = default;
    DeviceOptions options_;
    SDL_Window* window_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace iron::client::render
