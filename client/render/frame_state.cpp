#include "client/render/frame_state.hpp"

namespace iron::client::render {

void FrameState::apply(Program& program) const {
    program.set("u_view_projection", view_projection);
    program.set("u_eye", eye);
    program.set("u_sun_dir", environment.sun_direction);
    program.set("u_sun_color", environment.sun_color);
    program.set("u_sky_zenith", environment.sky_zenith);
    program.set("u_sky_horizon", environment.sky_horizon);
    program.set("u_bounce", environment.bounce);
    program.set("u_fog", glm::vec2(environment.fog_start, 1.0f / environment.fog_reach));
    program.set("u_time", seconds);
    program.set("u_shadow", kShadowUnit);
    program.set("u_shadow_matrix", shadow_matrix);
    program.set("u_shadow_area", shadow_area);
    program.set("u_shadow_texel", shadow_texel);
}

}  // namespace iron::client::render
