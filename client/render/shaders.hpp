// The GLSL sources. `kShade` is the common part: light, sky, fog, shadow, tone curve; every
// fragment shader starts with it, so that the sky, the fog and the water agree about colours.
#pragma once

#include <string>

namespace iron::client::render {

struct ShaderSource {
    std::string vertex, fragment;
};

ShaderSource terrain_shader();
ShaderSource water_shader();
ShaderSource model_shader();
ShaderSource depth_shader();    ///< shadow map, terrain
ShaderSource model_depth_shader();
ShaderSource sky_shader();
ShaderSource mark_shader();     ///< rings and lines on the ground
ShaderSource contact_shader();  ///< darkness under objects
ShaderSource streak_shader();   ///< tracers

}  // namespace iron::client::render
