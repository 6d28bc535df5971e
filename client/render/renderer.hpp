// The whole picture of the world in the order of frame.md 4.2: shadow map, opaque terrain and
// models, sky, water, transparent models, marks. The UI is drawn afterwards by client/ui.
#pragma once

#include "client/render/framebuffer.hpp"
#include "client/render/frame_state.hpp"
#include "client/render/model_renderer.hpp"
#include "client/render/overlay_renderer.hpp"
#include "client/render/shadow_map.hpp"
#include "client/render/sky_renderer.hpp"
#include "client/render/terrain_renderer.hpp"
#include "client/render/texture_store.hpp"
#include "client/render/water_renderer.hpp"
#include "client/view/camera.hpp"
#include "client/view/scene.hpp"

namespace iron::client::render {

struct RenderOptions {
    int samples = 4;            ///< anti-aliasing, 1 = off
    float scale = 1;            ///< world pixels per picture pixel, below 1 only without samples
    int shadow_size = 2048;     ///< pixels, 0 = no shadows
    /// Squared tile distance of the coarse terrain level; the original's 8 was for the machines of
    /// its time and shows.
    std::uint32_t coarse_distance_sq = 64;
};

/// What the renderer needs of a scene; the tests fill it without game data.
struct RenderScene {
    const view::TerrainMesh* terrain = nullptr;
    const view::HeightField* ground = nullptr;
    const view::MaterialSet* materials = nullptr;
    const std::vector<view::Model>* models = nullptr;
};
inline RenderScene render_scene(const view::Scene& scene) {
    return {&scene.terrain(), &scene.ground(), &scene.materials(), &scene.models()};
}

class Renderer {
public:
    /// Compiles everything for the current context. Error `no_device`.
    static Result<std::unique_ptr<Renderer>> create(const RenderOptions& options);

    /// Takes over a scene's terrain; call again only for another scene.
    void load(const RenderScene& scene);
    /// Draws the world into `target` and resolves it. `seconds` moves water and clouds.
    void draw(FrameTarget& target, const RenderScene& scene, const view::DrawList& list,
              const view::StrategicCamera& camera, float seconds);

    Environment& environment() { return environment_; }
    const RenderOptions& options() const { return options_; }
    std::size_t drawn_instances() const { return models_.drawn_instances(); }

private:
    RenderOptions options_;
    Environment environment_;
    TextureStore textures_;
    GlTexture noise_;
    ShadowMap shadow_;
    TerrainRenderer terrain_;
    WaterRenderer water_;
    ModelRenderer models_;
    SkyRenderer sky_;
    OverlayRenderer overlay_;
};

}  // namespace iron::client::render
