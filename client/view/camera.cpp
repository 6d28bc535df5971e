#include "client/view/camera.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace iron::client::view {
namespace {
constexpr float kSmoothPerSecond = 9.0f;   ///< closing speed of the glide
constexpr float kTurnRadPerSecond = 1.7f;
constexpr float kZoomPerStep = 0.86f;
constexpr float kEyeClearance = 3.0f;      ///< wu the eye keeps above the ground
}  // namespace

glm::vec2 forward_of(float yaw) { return {-std::sin(yaw), std::cos(yaw)}; }
glm::vec2 right_of(float yaw) { return {std::cos(yaw), std::sin(yaw)}; }

CameraPose StrategicCamera::clamped(CameraPose pose) const {
    pose.focus = glm::clamp(pose.focus, limits_.map_min, limits_.map_max);
    pose.pitch = std::clamp(pose.pitch, limits_.min_pitch, limits_.max_pitch);
    pose.distance = std::clamp(pose.distance, limits_.min_distance, limits_.max_distance);
    return pose;
}

void StrategicCamera::set_limits(const CameraLimits& limits) {
    limits_ = limits;
    wanted_ = clamped(wanted_);
    shown_ = clamped(shown_);
}

void StrategicCamera::jump_to(const CameraPose& pose) {
    wanted_ = shown_ = clamped(pose);
    shown_ground_ = ground_ ? ground_(shown_.focus) : 0.0f;
}

void StrategicCamera::glide_to(const CameraPose& pose) { wanted_ = clamped(pose); }
void StrategicCamera::glide_to(glm::vec2 focus) {
    wanted_.focus = focus;
    wanted_ = clamped(wanted_);
}

void StrategicCamera::update(const CameraInput& input, float seconds) {
    seconds = std::clamp(seconds, 0.0f, 1.0f);
    const float speed = wanted_.distance * 0.85f * (input.fast ? 2.5f : 1.0f);
    wanted_.yaw += input.turn * kTurnRadPerSecond * seconds + input.drag_rad.x;
    wanted_.pitch += input.drag_rad.y;
    wanted_.distance *= std::pow(kZoomPerStep, input.zoom_steps);
    glm::vec2 pan = right_of(wanted_.yaw) * input.pan_right + forward_of(wanted_.yaw) * input.pan_forward;
    if (const float length = glm::length(pan); length > 1.0f) pan /= length;
    wanted_.focus += pan * speed * seconds;
    wanted_ = clamped(wanted_);

    const float t = 1.0f - std::exp(-kSmoothPerSecond * seconds);
    shown_.focus = glm::mix(shown_.focus, wanted_.focus, t);
    shown_.yaw += (wanted_.yaw - shown_.yaw) * t;
    shown_.pitch += (wanted_.pitch - shown_.pitch) * t;
    shown_.distance += (wanted_.distance - shown_.distance) * t;
    if (ground_) shown_ground_ += (ground_(shown_.focus) - shown_ground_) * t;
    // Both turn without limit; bring them back together so that they stay small.
    if (std::abs(wanted_.yaw) > kTwoPi) {
        const float turn = wanted_.yaw > 0 ? kTwoPi : -kTwoPi;
        wanted_.yaw -= turn;
        shown_.yaw -= turn;
    }
}

glm::vec3 StrategicCamera::target() const { return {shown_.focus, shown_ground_}; }

glm::vec3 StrategicCamera::eye() const {
    const glm::vec2 back = -forward_of(shown_.yaw) * std::cos(shown_.pitch) * shown_.distance;
    glm::vec3 eye = target() + glm::vec3(back, std::sin(shown_.pitch) * shown_.distance);
    if (ground_) eye.z = std::max(eye.z, ground_(glm::vec2(eye)) + kEyeClearance);
    return eye;
}

glm::mat4 StrategicCamera::view() const { return glm::lookAt(eye(), target(), glm::vec3(0, 0, 1)); }

float StrategicCamera::near_plane() const { return std::max(0.5f, shown_.distance * 0.03f); }
float StrategicCamera::far_plane() const { return 900.0f + shown_.distance * 4.0f; }

glm::mat4 StrategicCamera::projection(float aspect) const {
    return glm::perspective(vertical_fov(), std::max(aspect, 0.01f), near_plane(), far_plane());
}

Ray StrategicCamera::ray_through(glm::vec2 pixel, glm::vec2 size) const {
    const glm::vec2 ndc{pixel.x / size.x * 2.0f - 1.0f, 1.0f - pixel.y / size.y * 2.0f};
    const glm::mat4 inverse = glm::inverse(projection(size.x / size.y) * view());
    glm::vec4 a = inverse * glm::vec4(ndc, -1.0f, 1.0f), b = inverse * glm::vec4(ndc, 1.0f, 1.0f);
    a /= a.w;
    b /= b.w;
    return {glm::vec3(a), glm::normalize(glm::vec3(b - a))};
}

glm::vec3 StrategicCamera::project(glm::vec3 world, glm::vec2 size) const {
    const glm::vec4 clip = projection(size.x / size.y) * view() * glm::vec4(world, 1.0f);
    if (clip.w <= 0.0f) return {0, 0, clip.w};
    return {(clip.x / clip.w * 0.5f + 0.5f) * size.x, (0.5f - clip.y / clip.w * 0.5f) * size.y, clip.w};
}

}  // namespace iron::client::view
