// The ground as the picture needs it: height, normal and rays over the fine faces of the land
// mesh, the largest z where several cover a point (terrain.md 8). Presentation only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "client/view/geometry.hpp"

namespace iron::client::view {

class HeightField {
public:
    HeightField() = default;
    /// `triangles` are corner indices into `positions`.
    HeightField(std::vector<glm::vec3> positions, std::vector<std::array<std::uint32_t, 3>> triangles);

    /// Height of the ground, or nothing where there is none.
    std::optional<float> height(glm::vec2 at) const;
    /// Height, of the nearest point of the map when `at` lies outside, 0 without any ground.
    float height_or_nearest(glm::vec2 at) const;
    /// Upward normal of the face under a point; (0, 0, 1) without one.
    glm::vec3 normal(glm::vec2 at) const;
    /// Mean normal over a footprint (four samples at +-radius / 2, simulation.md 13.4).
    glm::vec3 footprint_normal(glm::vec2 at, float radius) const;
    /// First hit of the ray with the ground.
    std::optional<float> hit(const Ray& ray) const;
    const Box& bounds() const { return bounds_; }

private:
    struct Hit {
        float z;
        std::uint32_t triangle;
    };
    std::optional<Hit> top(glm::vec2 at) const;
    glm::ivec2 cell_of(glm::vec2 at) const;

    std::vector<glm::vec3> positions_;
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    Box bounds_;
    glm::ivec2 cells_{0};
    glm::vec2 cell_size_{1};
    std::vector<std::uint32_t> cell_start_;
    std::vector<std::uint32_t> cell_faces_;
};

}  // namespace iron::client::view
