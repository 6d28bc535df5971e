#include "shared/asset/packed.hpp"

#include <algorithm>

namespace iron::asset {

namespace {

float unpack_byte(std::int8_t c) {
    return std::clamp(static_cast<float>(c) / 127.0f, -1.0f, 1.0f);
}

/// round(v * scale), halves away from zero, clamped; NaN gives 0.
std::int64_t scaled(float v, double scale, std::int64_t low, std::int64_t high) {
    return std::clamp(round_i64(static_cast<double>(v) * scale), low, high);
}

}  // namespace

Vec3 unpack_normal(PackedNormal n) { return {unpack_byte(n.x), unpack_byte(n.y), unpack_byte(n.z)}; }

PackedNormal pack_normal(Vec3 n) {
    const auto pack = [](float v) { return static_cast<std::int8_t>(scaled(v, 127, -128, 127)); };
    return {pack(n.x), pack(n.y), pack(n.z), 0};
}

Vec2 unpack_uv(PackedUv uv) {
    return {static_cast<float>(uv.u) / 1024.0f, static_cast<float>(uv.v) / 1024.0f};
}

PackedUv pack_uv(Vec2 uv) {
    const auto pack = [](float v) {
        return static_cast<std::int16_t>(scaled(v, 1024, -32768, 32767));
    };
    return {pack(uv.x), pack(uv.y)};
}

float unpack_unit(std::int16_t c) { return static_cast<float>(c) / 32767.0f; }

std::int16_t pack_unit(float v) {
    return static_cast<std::int16_t>(scaled(v, 32767, -32767, 32767));
}

}  // namespace iron::asset
