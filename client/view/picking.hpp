// What lies under the cursor or inside a box on the screen.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "client/view/camera.hpp"
#include "client/view/draw_list.hpp"
#include "client/view/height_field.hpp"

namespace iron::client::view {

struct PickHit {
    std::optional<std::uint32_t> object;  ///< id, none = ground
    glm::vec3 point{0};                   ///< where the ray ends, wu
    float distance = 0;
};

/// Nearest of the objects' oriented boxes and the ground; nothing if the ray leaves the map.
/// Boxes are tested a little enlarged (small units must be easy to hit).
std::optional<PickHit> pick(const Ray& ray, std::span<const Pickable> objects, const HeightField& ground);

/// A rectangle on the screen in pixels, any two opposite corners.
struct ScreenBox {
    glm::vec2 a{0}, b{0};
    glm::vec2 low() const { return glm::min(a, b); }
    glm::vec2 high() const { return glm::max(a, b); }
    /// Small enough to be a click.
    bool is_click(float tolerance_px = 5.0f) const {
        return glm::length(b - a) < tolerance_px;
    }
};

/// Ids of the own mobile objects whose centre is drawn inside the box, ascending.
std::vector<std::uint32_t> pick_box(const ScreenBox& box, std::span<const Pickable> objects,
                                    const StrategicCamera& camera, glm::vec2 screen);

/// Pixel rectangle (left, top, right, bottom) around a world box; nothing if it is behind the camera.
std::optional<glm::vec4> screen_bounds(const Box& world, const StrategicCamera& camera, glm::vec2 screen);

}  // namespace iron::client::view
