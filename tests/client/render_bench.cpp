#include "tests/client/render_bench.hpp"

#include <cmath>
#include <stdexcept>

#include "client/view/picking.hpp"

namespace iron::client::test {

RenderBench& RenderBench::get() {
    static RenderBench bench = [] {
        RenderBench out;
        render::DeviceOptions options;
        options.width = 480;
        options.height = 320;
        options.offscreen = true;
        auto opened = render::Device::open(options);
        if (!opened) throw std::runtime_error(opened.error().to_string());
        out.device = std::move(*opened);
        auto made = render::Renderer::create({1, 1.0f, 1024, view::kCoarseTileDistanceSq});
        if (!made) throw std::runtime_error(made.error().to_string());
        out.renderer = std::move(*made);
        if (auto sized = out.target.resize(480, 320, 1); !sized) throw std::runtime_error(sized.error().to_string());
        return out;
    }();
    return bench;
}

render::Picture RenderBench::draw(const render::RenderScene& scene, const view::DrawList& list,
                                  const view::StrategicCamera& camera) {
    renderer->draw(target, scene, list, camera, 1.0f);
    return target.read();
}

render::PixelRect pixels_of(const view::Box& world, const view::StrategicCamera& camera,
                            const render::Picture& picture) {
    const auto bounds = view::screen_bounds(world, camera, {picture.width, picture.height});
    if (!bounds) return {};
    return {static_cast<int>(std::floor(bounds->x)), static_cast<int>(std::floor(bounds->y)),
            static_cast<int>(std::ceil(bounds->z)), static_cast<int>(std::ceil(bounds->w))};
}

}  // namespace iron::client::test
