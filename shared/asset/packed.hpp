// Packed vertex attributes shared by models and landscapes. Source: models.md 4.
#pragma once

#include <array>
#include <cstdint>

#include "shared/base/math.hpp"

namespace iron::asset {

/// Type 4: signed bytes x, y, z and an opaque fourth byte.
struct PackedNormal {
    std::int8_t x = 0, y = 0, z = 0;
    std::uint8_t w = 0;
    bool operator==(const PackedNormal&) const = default;
};
/// Type 5: signed u, v in units of 1/1024.
struct PackedUv {
    std::int16_t u = 0, v = 0;
    bool operator==(const PackedUv&) const = default;
};
/// Bytes nobody has given a meaning (types 14, 18).
using OpaqueWord = std::array<std::uint8_t, 4>;

/// Components in [-1, 1].
Vec3 unpack_normal(PackedNormal n);
/// Rounds halves away from zero and clamps; non-finite components give 0.
PackedNormal pack_normal(Vec3 n);
Vec2 unpack_uv(PackedUv uv);
PackedUv pack_uv(Vec2 uv);

/// c / 32767 and back (face normals, quaternion components); clamps to +/-32767.
float unpack_unit(std::int16_t c);
std::int16_t pack_unit(float v);

}  // namespace iron::asset
