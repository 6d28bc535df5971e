// What a surface looks like: the first phase of a MAT0 with its decoded texture.
// Source: materials.md 1-3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "client/view/image.hpp"

namespace iron::client::view {

enum class Blend : std::uint8_t { opaque, cutout, alpha, additive };

struct Material {
    std::string name;
    glm::vec3 diffuse{1}, specular{0}, emissive{0};  ///< display values 0..1
    float alpha = 1;
    float shininess = 16;
    std::uint32_t image = 0xFFFFFFFFu;  ///< index into MaterialSet::images, or none
    Blend blend = Blend::opaque;
    bool team = false;  ///< takes the colour of its owner's clan
};

/// All materials and pictures of one scene; indices stay valid while it grows.
struct MaterialSet {
    std::vector<Material> materials;
    std::vector<Image> images;
};

}  // namespace iron::client::view
