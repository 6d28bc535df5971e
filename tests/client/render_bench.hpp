// One offscreen device and renderer for the tests of this binary.
#pragma once

#include <memory>

#include "client/render/device.hpp"
#include "client/render/framebuffer.hpp"
#include "client/render/png.hpp"
#include "client/render/renderer.hpp"

namespace iron::client::test {

struct RenderBench {
    std::unique_ptr<render::Device> device;
    std::unique_ptr<render::Renderer> renderer;
    render::FrameTarget target;

    /// Made once; throws with the reason when the machine cannot draw offscreen.
    static RenderBench& get();
    render::Picture draw(const render::RenderScene& scene, const view::DrawList& list,
                         const view::StrategicCamera& camera);
};

/// The pixels around a world box, or an empty rectangle if it is not in view.
render::PixelRect pixels_of(const view::Box& world, const view::StrategicCamera& camera,
                            const render::Picture& picture);

}  // namespace iron::client::test
