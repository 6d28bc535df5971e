// Bit-stable mathematics for the simulation (design rule 1; runtime.md 14, DD-RT-18, DD-RT-19).
// Only these functions, the four operations and sqrt may touch simulation state.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace iron {

inline constexpr float kPi = 3.14159265358979323846f;
inline constexpr float kHalfPi = 1.57079632679489661923f;
inline constexpr float kTwoPi = 6.28318530717958647692f;

struct Vec2 {
    float x = 0, y = 0;
    bool operator==(const Vec2&) const = default;
};
struct Vec3 {
    float x = 0, y = 0, z = 0;
    bool operator==(const Vec3&) const = default;
};

constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator*(Vec2 a, float s) { return {a.x * s, a.y * s}; }
constexpr float dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// z of the 3D cross product: > 0 when b is counter-clockwise from a.
constexpr float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// IEEE square root, exact on every target.
inline float sqrt_f(float v) { return __builtin_sqrtf(v); }
inline double sqrt_d(double v) { return __builtin_sqrt(v); }
inline float length(Vec2 v) { return sqrt_f(dot(v, v)); }
inline float length(Vec3 v) { return sqrt_f(dot(v, v)); }

/// True for neither NaN nor infinity, by the bits (independent of compiler flags).
bool is_finite(float v);
bool is_finite(double v);
inline bool is_finite(Vec3 v) { return is_finite(v.x) && is_finite(v.y) && is_finite(v.z); }

/// Sine, cosine, tangent of an angle in radians, |angle| <= 2^30; beyond that or for a
/// non-finite angle the result is that of angle 0. Error below 1e-7 absolute for |angle| < 1e4.
float det_sin(float rad);
float det_cos(float rad);
float det_tan(float rad);
/// Angle of (x, y) in (-pi, pi]; (0, 0) and non-finite input give 0.
float det_atan2(float y, float x);
/// Angle moved into (-pi, pi].
float wrap_angle(float rad);

/// Truncation toward zero with saturation; NaN gives 0. The only legal float -> integer path:
/// an unchecked conversion differs between x86-64 and AArch64.
std::int64_t trunc_i64(double v);
std::int32_t trunc_i32(double v);
/// The recovered original helper: truncate through 64 bits, keep the low 32 (runtime.md 14, 5).
std::uint32_t trunc_low32(double v);
/// floor(v) with saturation; NaN gives 0.
std::int64_t floor_i64(double v);
std::int32_t floor_i32(double v);
/// Nearest integer, halves away from zero, saturated; NaN gives 0.
std::int64_t round_i64(double v);

/// 3x3 rotation Rz*Ry*Rx from Euler angles, row-major (mission.md 2.7).
struct Mat3 {
    float m[3][3];
};
Mat3 rotation_zyx(Vec3 euler_rad);
Vec3 operator*(const Mat3& m, Vec3 v);

}  // namespace iron
