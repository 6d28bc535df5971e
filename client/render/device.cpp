#include "client/render/device.hpp"

#include <cstdlib>
#include <string_view>

#include <SDL.h>
#include <glad/gl.h>

namespace iron::client::render {
namespace {

GLADapiproc load_gl(const char* name) {
    return reinterpret_cast<GLADapiproc>(SDL_GL_GetProcAddress(name));
}

std::string sdl_reason() {
    const char* text = SDL_GetError();
    return text && *text ? std::string(text) : std::string("no reason given");
}

tl::unexpected<Error> no_display(const std::string& reason, bool offscreen) {
    std::string text = "cannot open a window: " + reason;
    if (!offscreen)
        text += "; without a display use --offscreen together with --screenshot FILE, --after-ticks N or --frames N";
    return fail("no_display", std::move(text));
}

}  // namespace

Result<std::unique_ptr<Device>> Device::open(const DeviceOptions& options) {
    SDL_SetMainReady();
    if (options.offscreen) SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    std::unique_ptr<Device> device(new Device);
    device->options_ = options;
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) return no_display(sdl_reason(), options.offscreen);
    // Without a display SDL may choose a driver that shows nothing; only take that when asked to.
    const char* driver = SDL_GetCurrentVideoDriver();
    const std::string_view chosen = driver ? driver : "";
    const bool asked = options.offscreen || std::getenv("SDL_VIDEODRIVER") != nullptr;
    if (!asked && (chosen == "offscreen" || chosen == "dummy")) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return no_display("no display was found", false);
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    Uint32 flags = SDL_WINDOW_OPENGL;
    flags |= options.offscreen ? SDL_WINDOW_HIDDEN : SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    device->window_ = SDL_CreateWindow(options.title.c_str(), SDL_WINDOWPOS_CENTERED,
                                       SDL_WINDOWPOS_CENTERED, options.width, options.height, flags);
    if (!device->window_) return no_display(sdl_reason(), options.offscreen);
    device->context_ = SDL_GL_CreateContext(device->window_);
    if (!device->context_)
        return fail("no_device", "this machine gives no OpenGL 3.3 core context: " + sdl_reason());
    if (gladLoadGL(load_gl) == 0)
        return fail("no_device", "the OpenGL functions cannot be loaded");
    SDL_GL_SetSwapInterval(options.vsync && !options.offscreen ? 1 : 0);
    return device;
}

Device::~Device() {
    if (context_) SDL_GL_DeleteContext(context_);
    if (window_) SDL_DestroyWindow(window_);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

void Device::drawable_size(int& width, int& height) const {
    if (options_.offscreen) {
        width = options_.width;
        height = options_.height;
        return;
    }
    SDL_GL_GetDrawableSize(window_, &width, &height);
}

float Device::pixel_ratio() const {
    int drawable = 0, unused = 0, window = 0;
    drawable_size(drawable, unused);
    SDL_GetWindowSize(window_, &window, &unused);
    return window > 0 ? static_cast<float>(drawable) / static_cast<float>(window) : 1.0f;
}

void Device::swap() { SDL_GL_SwapWindow(window_); }

std::string Device::description() const {
    const auto text = [](GLenum name) {
        const auto* value = reinterpret_cast<const char*>(glGetString(name));
        return std::string(value ? value : "?");
    };
    return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

}  // namespace iron::client::render
