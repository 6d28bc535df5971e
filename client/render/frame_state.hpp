// What all passes of one frame share: camera, light, fog, shadow.
#pragma once

#include <glm/glm.hpp>

#include "client/render/program.hpp"

namespace iron::client::render {

/// Light and air in linear colour; one clear afternoon unless the server says otherwise.
struct Environment {
    glm::vec3 sun_direction = glm::normalize(glm::vec3(-0.56f, -0.46f, 0.69f));  ///< toward the sun
    glm::vec3 sun_color{2.34f, 2.12f, 1.76f};
    glm::vec3 sky_zenith{0.17f, 0.34f, 0.68f};
    glm::vec3 sky_horizon{0.60f, 0.72f, 0.86f};
    glm::vec3 bounce{0.20f, 0.17f, 0.125f};
    glm::vec3 water_deep{0.010f, 0.060f, 0.085f};
    glm::vec3 water_shallow{0.055f, 0.165f, 0.165f};
    float fog_start = 130.0f;  ///< wu
    float fog_reach = 780.0f;  ///< wu
};

struct FrameState {
    glm::mat4 view_projection{1.0f};
    glm::vec3 eye{0};
    float seconds = 0;  ///< presentation time
    Environment environment;
    glm::mat4 shadow_matrix{1.0f};
    glm::vec3 shadow_area{0};   ///< centre x, y, radius (0 = off)
    float shadow_texel = 1;     ///< wu

    /// Sets the common uniforms of the program in use; the shadow map sits in unit `kShadowUnit`.
    void apply(Program& program) const;
};

inline constexpr int kColorUnit = 0, kNoiseUnit = 1, kShadowUnit = 2;

}  // namespace iron::client::render
