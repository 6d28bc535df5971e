// The strategic camera: looks at a point of the ground from a distance, turns around it, zooms
// toward it and never leaves the map (frame.md 5; smoothing in real time, picture only).
#pragma once

#include <functional>
#include <utility>

#include <glm/glm.hpp>

#include "client/view/geometry.hpp"

namespace iron::client::view {

/// Where the camera looks and from where.
struct CameraPose {
    glm::vec2 focus{0};       ///< ground point, wu
    float yaw = 0;            ///< rad; 0 looks along +Y, positive turns left like a unit's yaw
    float pitch = 0.92f;      ///< rad below the horizon
    float distance = 90.0f;   ///< wu from the focus
};

/// What the player asks for during one frame; all axes are -1..1 unless a unit is given.
struct CameraInput {
    float pan_right = 0, pan_forward = 0;
    float turn = 0;           ///< positive = counter-clockwise seen from above
    float zoom_steps = 0;     ///< wheel steps, positive = nearer
    glm::vec2 drag_rad{0};    ///< yaw and pitch change by dragging
    bool fast = false;
};

struct CameraLimits {
    glm::vec2 map_min{0}, map_max{1000};  ///< wu
    float min_distance = 12.0f, max_distance = 420.0f;
    float min_pitch = 0.30f, max_pitch = 1.45f;
};

class StrategicCamera {
public:
    /// Height of the ground at a point, wu; must answer everywhere (outside the map: any constant).
    using Ground = std::function<float(glm::vec2)>;

    void set_limits(const CameraLimits& limits);
    void set_ground(Ground ground) { ground_ = std::move(ground); }
    /// Jumps there at once.
    void jump_to(const CameraPose& pose);
    /// Glides there.
    void glide_to(const CameraPose& pose);
    void glide_to(glm::vec2 focus);
    /// Applies input and smoothing for `seconds` of real time. The result depends on the sum of
    /// the seconds, not on how many frames they were cut into.
    void update(const CameraInput& input, float seconds);

    const CameraPose& pose() const { return shown_; }
    const CameraPose& wanted() const { return wanted_; }
    const CameraLimits& limits() const { return limits_; }

    glm::vec3 eye() const;
    glm::vec3 target() const;
    glm::mat4 view() const;
    glm::mat4 projection(float aspect) const;
    float near_plane() const;
    float far_plane() const;
    static constexpr float vertical_fov() { return 0.80f; }

    /// The ray through a pixel; (0, 0) is the top left corner of a `size` picture.
    Ray ray_through(glm::vec2 pixel, glm::vec2 size) const;
    /// Pixel of a world point and its depth (clip w); w <= 0 means behind the camera.
    glm::vec3 project(glm::vec3 world, glm::vec2 size) const;

private:
    CameraPose clamped(CameraPose pose) const;

    CameraLimits limits_;
    Ground ground_;
    CameraPose shown_, wanted_;
    float shown_ground_ = 0;
};

/// Forward and right on the ground for a yaw (DD-SIM-02: forward = (-sin, cos)).
glm::vec2 forward_of(float yaw);
glm::vec2 right_of(float yaw);

}  // namespace iron::client::view
