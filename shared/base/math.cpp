#include "shared/base/math.hpp"

#include <bit>

namespace iron {
namespace {

// pi/2 split so that k * kPio2Hi is exact for |k| < 2^30 (the low 30 bits of kPio2Hi are zero).
constexpr double kPio2Hi = 1.5707963267341256;
constexpr double kPio2Lo = 6.077100506506192e-11;
constexpr double kTwoOverPi = 0.63661977236758134308;
constexpr double kLimit = 1073741824.0;  // 2^30

// Taylor polynomials on [-pi/4, pi/4]; the first omitted term is below 1e-17.
double sin_poly(double r) {
    const double z = r * r;
    double p = -1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r + r * (p * z);
}

double cos_poly(double r) {
    const double z = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + p * z;
}

struct Reduced {
    double r;
    int quadrant;
};

Reduced reduce(float rad) {
    double x = rad;
    if (!is_finite(rad) || x > kLimit || x < -kLimit) x = 0.0;
    const std::int64_t k = floor_i64(x * kTwoOverPi + 0.5);
    const double kd = static_cast<double>(k);
    return {(x - kd * kPio2Hi) - kd * kPio2Lo, static_cast<int>(k & 3)};
}

double sin_reduced(Reduced v) {
    switch (v.quadrant) {
        case 0: return sin_poly(v.r);
        case 1: return cos_poly(v.r);
        case 2: return -sin_poly(v.r);
        default: return -cos_poly(v.r);
    }
}

double cos_reduced(Reduced v) {
    switch (v.quadrant) {
        case 0: return cos_poly(v.r);
        case 1: return -sin_poly(v.r);
        case 2: return -cos_poly(v.r);
        default: return sin_poly(v.r);
    }
}

// atan(k/8), k = 0..8, correctly rounded.
constexpr double kAtanEighths[9] = {0.0,
                                    0.12435499454676144,
                                    0.24497866312686414,
                                    0.35877067027057225,
                                    0.46364760900080609,
                                    0.55859931534356244,
                                    0.64350110879328437,
                                    0.71882999962162453,
                                    0.78539816339744828};

// atan on [0, 1]: nearest eighth plus a short series on |r| <= 1/16.
double atan_unit(double t) {
    const int k = static_cast<int>(t * 8.0 + 0.5);
    const double c = k / 8.0;
    const double r = (t - c) / (1.0 + t * c);
    const double z = r * r;
    double p = -1.0 / 11.0 + z * (1.0 / 13.0);
    p = 1.0 / 9.0 + z * p;
    p = -1.0 / 7.0 + z * p;
    p = 1.0 / 5.0 + z * p;
    p = -1.0 / 3.0 + z * p;
    return kAtanEighths[k] + (r + r * (z * p));
}

constexpr double kPiD = 3.14159265358979323846;

template <class Int>
Int saturate(double v) {
    if (v != v) return 0;
    constexpr double lo = static_cast<double>(std::numeric_limits<Int>::min());
    if (v <= lo) return std::numeric_limits<Int>::min();
    if (v >= -lo) return std::numeric_limits<Int>::max();  // -lo = 2^(bits-1), exact
    return static_cast<Int>(v);
}

}  // namespace

bool is_finite(float v) { return (std::bit_cast<std::uint32_t>(v) & 0x7F800000u) != 0x7F800000u; }
bool is_finite(double v) {
    return (std::bit_cast<std::uint64_t>(v) & 0x7FF0000000000000ull) != 0x7FF0000000000000ull;
}

float det_sin(float rad) { return static_cast<float>(sin_reduced(reduce(rad))); }
float det_cos(float rad) { return static_cast<float>(cos_reduced(reduce(rad))); }
float det_tan(float rad) {
    const Reduced v = reduce(rad);
    return static_cast<float>(sin_reduced(v) / cos_reduced(v));
}

float det_atan2(float y, float x) {
    if (!is_finite(y) || !is_finite(x)) return 0.0f;
    const double ay = y < 0 ? -static_cast<double>(y) : static_cast<double>(y);
    const double ax = x < 0 ? -static_cast<double>(x) : static_cast<double>(x);
    if (ax == 0.0 && ay == 0.0) return 0.0f;
    double a = ay <= ax ? atan_unit(ay / ax) : kPiD / 2 - atan_unit(ax / ay);
    if (x < 0) a = kPiD - a;
    if (y < 0) a = -a;
    const float out = static_cast<float>(a);
    // -pi is outside the half-open range; a tiny negative y beside a negative x would round to it.
    return out <= -kPi ? kPi : out;
}

float wrap_angle(float rad) {
    if (!is_finite(rad)) return 0.0f;
    if (rad > -kPi && rad <= kPi) return rad;
    if (rad == -kPi) return kPi;
    double x = rad;
    const std::int64_t turns = floor_i64((x + kPiD) / (2 * kPiD));
    x -= static_cast<double>(turns) * (2 * kPiD);
    const float out = static_cast<float>(x);
    return out <= -kPi ? kPi : (out > kPi ? kPi : out);
}

std::int64_t trunc_i64(double v) { return saturate<std::int64_t>(v); }
std::int32_t trunc_i32(double v) { return saturate<std::int32_t>(v); }
std::uint32_t trunc_low32(double v) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(trunc_i64(v)) & 0xFFFFFFFFu);
}

std::int64_t floor_i64(double v) {
    const std::int64_t t = trunc_i64(v);
    return v < 0 && static_cast<double>(t) > v && t != std::numeric_limits<std::int64_t>::min() ? t - 1 : t;
}

std::int32_t floor_i32(double v) {
    const std::int64_t t = floor_i64(v);
    if (t < std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::min();
    if (t > std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(t);
}

std::int64_t round_i64(double v) {
    if (v != v) return 0;
    const std::int64_t t = trunc_i64(v);
    const double rest = v - static_cast<double>(t);
    if (rest >= 0.5 && t != std::numeric_limits<std::int64_t>::max()) return t + 1;
    if (rest <= -0.5 && t != std::numeric_limits<std::int64_t>::min()) return t - 1;
    return t;
}

Mat3 rotation_zyx(Vec3 e) {
    const float sx = det_sin(e.x), cx = det_cos(e.x);
    const float sy = det_sin(e.y), cy = det_cos(e.y);
    const float sz = det_sin(e.z), cz = det_cos(e.z);
    return {{{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
             {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
             {-sy, cy * sx, cy * cx}}};
}

Vec3 operator*(const Mat3& m, Vec3 v) {
    return {m.m[0][0] * v.x + m.m[0][1] * v.y + m.m[0][2] * v.z,
            m.m[1][0] * v.x + m.m[1][1] * v.y + m.m[1][2] * v.z,
            m.m[2][0] * v.x + m.m[2][1] * v.y + m.m[2][2] * v.z};
}

}  // namespace iron
