// What one frame shows: immutable once built (frame.md 4.1). The renderer asks nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/view/geometry.hpp"
#include "client/view/model.hpp"

namespace iron::client::view {

/// One placed model with its node matrices (`first_matrix` .. + node count of the model).
struct DrawModel {
    std::uint32_t model = 0;
    std::uint32_t first_matrix = 0;
    bool skip_root_node = false;  ///< attached models do not draw node 0
    glm::vec3 team{0.7f};         ///< display colour of the owner's clan
    float flash = 0;              ///< 0..1 brightening (hover, hit)
    float fade = 1;               ///< 0..1, below 1 for ghosts and sites
};

/// A circle or line on the ground.
struct GroundMark {
    enum class Kind : std::uint8_t { ring, dashed_ring, disc, line, arrow } kind = Kind::ring;
    glm::vec2 at{0}, to{0};  ///< `to` only for lines
    float radius = 2;        ///< wu; half width of a line
    glm::vec4 color{1};
};

/// Soft darkness where something stands on the ground: the footprint of `local` placed by `world`.
struct ContactShade {
    glm::mat4 world{1.0f};
    Box local;
    float margin = 1.0f;   ///< wu the darkness reaches beyond the footprint
    float strength = 0.5f; ///< 0..1
};

/// A beam or tracer in the air, drawn additively.
struct Streak {
    glm::vec3 from{0}, to{0};
    float width = 0.25f;  ///< wu
    glm::vec4 color{1};
};

/// A bar above a unit.
struct LifeBar {
    glm::vec3 at{0};
    float life = 1;       ///< 0..1
    float width = 4;      ///< wu
    bool selected = false;
    bool building = false;
};

/// What a click can hit.
struct Pickable {
    std::uint32_t id = 0;
    glm::mat4 world{1.0f};
    Box local;            ///< object space
    glm::vec3 center{0};
    float radius = 1;
    bool own = false, mobile = false;
};

struct DrawList {
    std::vector<DrawModel> models;
    std::vector<glm::mat4> matrices;
    std::vector<ContactShade> contacts;
    std::vector<GroundMark> marks;
    std::vector<Streak> streaks;
    std::vector<LifeBar> bars;
    std::vector<Pickable> pickables;
    bool terrain = true;

    void clear();
    /// Appends a posed unit.
    void add_unit(const UnitModel& unit, std::span<const Model> models, const UnitPose& pose,
                  glm::vec3 team, float flash = 0, float fade = 1);
};

}  // namespace iron::client::view
