#include "client/view/picking.hpp"

#include <algorithm>

namespace iron::client::view {

std::optional<PickHit> pick(const Ray& ray, std::span<const Pickable> objects, const HeightField& ground) {
    std::optional<PickHit> best;
    if (const auto t = ground.hit(ray)) best = PickHit{std::nullopt, ray.at(*t), *t};
    for (const Pickable& object : objects) {
        const glm::mat4 inverse = glm::inverse(object.world);
        const glm::vec3 origin(inverse * glm::vec4(ray.origin, 1));
        const glm::vec3 direction(inverse * glm::vec4(ray.direction, 0));
        const float stretch = glm::length(direction);  // object scale
        if (stretch < 1e-9f) continue;
        Box box = object.local;
        const glm::vec3 extra = glm::max(box.size() * 0.08f, glm::vec3(0.25f));
        box.min -= extra;
        box.max += extra;
        const auto t = hit_box({origin, direction / stretch}, box);
        if (!t) continue;
        const float distance = *t / stretch;
        // An object wins over the ground it stands on, even if its lower edge is buried a little.
        if (best && !best->object ? distance > best->distance + 1.0f : best && distance > best->distance)
            continue;
        best = PickHit{object.id, ray.at(distance), distance};
    }
    return best;
}

std::vector<std::uint32_t> pick_box(const ScreenBox& box, std::span<const Pickable> objects,
                                    const StrategicCamera& camera, glm::vec2 screen) {
    std::vector<std::uint32_t> out;
    for (const Pickable& object : objects) {
        if (!object.own || !object.mobile) continue;
        const glm::vec3 p = camera.project(object.center, screen);
        if (p.z <= 0) continue;
        const glm::vec2 low = box.low(), high = box.high();
        if (p.x >= low.x && p.y >= low.y && p.x <= high.x && p.y <= high.y) out.push_back(object.id);
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::optional<glm::vec4> screen_bounds(const Box& world, const StrategicCamera& camera, glm::vec2 screen) {
    if (world.empty()) return std::nullopt;
    glm::vec2 low(1e9f), high(-1e9f);
    for (const glm::vec3& corner : world.corners()) {
        const glm::vec3 p = camera.project(corner, screen);
        if (p.z <= 0) return std::nullopt;
        low = glm::min(low, glm::vec2(p));
        high = glm::max(high, glm::vec2(p));
    }
    return glm::vec4(low, high);
}

}  // namespace iron::client::view
