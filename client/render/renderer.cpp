#include "client/render/renderer.hpp"

#include <algorithm>

namespace iron::client::render {

Result<std::unique_ptr<Renderer>> Renderer::create(const RenderOptions& options) {
    auto out = std::make_unique<Renderer>();
    out->options_ = options;
    IRON_CHECK(out->terrain_.create());
    IRON_CHECK(out->water_.create());
    IRON_CHECK(out->models_.create());
    IRON_CHECK(out->sky_.create());
    IRON_CHECK(out->overlay_.create());
    // A map of one pixel keeps the sampler legal when shadows are off.
    IRON_CHECK(out->shadow_.create(std::max(1, options.shadow_size)));
    out->noise_ = make_noise_texture(512);
    return out;
}

void Renderer::load(const RenderScene& scene) {
    textures_.sync(*scene.materials);
    terrain_.upload(*scene.terrain, *scene.materials);
    water_.upload(*scene.terrain);
    models_.sync(*scene.models);
}

void Renderer::draw(FrameTarget& target, const RenderScene& scene, const view::DrawList& list,
                    const view::StrategicCamera& camera, float seconds) {
    textures_.sync(*scene.materials);
    models_.sync(*scene.models);

    FrameState frame;
    frame.environment = environment_;
    frame.eye = camera.eye();
    frame.seconds = seconds;
    const float aspect = static_cast<float>(target.width()) / static_cast<float>(std::max(1, target.height()));
    frame.view_projection = camera.projection(aspect) * camera.view();
    frame.environment.fog_start = environment_.fog_start + camera.pose().distance;
    const view::Frustum frustum = view::Frustum::from_matrix(frame.view_projection);

    glActiveTexture(GL_TEXTURE0 + kNoiseUnit);
    glBindTexture(GL_TEXTURE_2D, noise_.get());
    glActiveTexture(GL_TEXTURE0);

    view::Frustum shadow_volume = frustum;
    if (options_.shadow_size > 0) {
        // A little beyond the focus, where most of the picture is.
        const float radius = std::clamp(camera.pose().distance * 1.35f, 40.0f, 420.0f);
        const glm::vec2 ahead = view::forward_of(camera.pose().yaw) * radius * 0.35f;
        shadow_.aim(frame, camera.target() + glm::vec3(ahead, 0), radius, scene.terrain->bounds.min.z,
                    scene.terrain->bounds.max.z);
        shadow_volume = view::Frustum::from_matrix(frame.shadow_matrix);
    }
    models_.prepare(list, *scene.models, *scene.materials, frustum, shadow_volume, frame.eye);

    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    if (options_.shadow_size > 0) {
        shadow_.begin();
        glDisable(GL_CULL_FACE);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.6f, 2.0f);
        if (list.terrain) terrain_.draw_depth(frame, *scene.terrain);
        models_.draw_depth(frame, *scene.materials, textures_);
        glDisable(GL_POLYGON_OFFSET_FILL);
    }
    shadow_.bind_texture();

    target.begin();
    glClearColor(0, 0, 0, 1);
    glDepthMask(GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (list.terrain) {
        const auto tiles = view::choose_tiles(*scene.terrain, frustum, glm::vec2(frame.eye), options_.coarse_distance_sq);
        terrain_.draw(frame, *scene.terrain, tiles);
        // Before the models: it must darken the ground only.
        overlay_.draw_contacts(frame, list, *scene.ground);
    }
    models_.draw_opaque(frame, *scene.materials, textures_);
    sky_.draw(frame);
    if (list.terrain) water_.draw(frame);
    models_.draw_transparent(frame, *scene.materials, textures_);
    overlay_.draw(frame, list, *scene.ground);
    target.resolve();
    glDisable(GL_DEPTH_TEST);
}

}  // namespace iron::client::render
