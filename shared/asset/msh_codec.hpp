// Shared between the model and the landscape reader: plain arrays, slots, index range maxima and
// warnings that are counted instead of repeated. Internal to this room.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shared/asset/msh.hpp"

namespace iron::asset::codec {

inline constexpr std::size_t kSlotHeaderSize = 0x8C;
inline constexpr std::size_t kSlotSize = 68;

// These types have the layout of the disk record, so an array of them is one copy.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(MshNode) == 38 && sizeof(MshHeader) == kSlotHeaderSize &&
              sizeof(MshSlot) == kSlotSize && sizeof(MshTriangle) == 16 && sizeof(MshKey) == 24 &&
              sizeof(Vec3) == 12 && sizeof(PackedNormal) == 4 && sizeof(PackedUv) == 4);

/// `bytes.size()` must be a multiple of sizeof(T).
template <class T>
std::vector<T> decode_array(ByteView bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), bytes.data(), bytes.size());
    return out;
}
template <class T>
Bytes encode_array(const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    Bytes out(items.size() * sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), items.data(), out.size());
    return out;
}

/// Error `msh_bad_size` unless the payload is whole records.
Status check_stride(const Stream& stream, std::size_t stride);

/// Type 2: header and slots. Error `msh_bad_size`.
Status decode_slots(const Stream& stream, MshHeader& header, std::vector<MshSlot>& slots);
Bytes encode_slots(const MshHeader& header, const std::vector<MshSlot>& slots);

/// Box, sphere, area and volume from a box (models.md 3.2).
void set_slot_bounds(MshSlot& slot, const Aabb& box);
/// The 35 header floats from a box (3.1); zeros for an empty one.
MshHeader header_from_box(const Aabb& box);

/// Unit normal of a triangle, (0, 0, 0) when it has no area.
Vec3 triangle_normal(Vec3 a, Vec3 b, Vec3 c);
std::array<std::int16_t, 3> pack_face_normal(Vec3 n);

/// A triangle edge, direction dropped; edges with equal ends meet when sorted.
struct Edge {
    std::uint64_t key = 0;  ///< lower vertex << 32 | higher vertex
    std::uint32_t triangle = 0;
    std::uint8_t side = 0;
};
/// For 3 vertices a triangle: the lowest other triangle across each side, or kNone32.
inline constexpr std::uint32_t kNone32 = 0xFFFFFFFFu;
std::vector<std::array<std::uint32_t, 3>> find_neighbours(
    const std::vector<std::array<std::uint32_t, 3>>& triangles);

/// Largest value of any range of a u16 array in constant time and little memory, so that a file
/// with many overlapping batches costs no more than its size.
class RangeMax {
public:
    explicit RangeMax(const std::vector<std::uint16_t>& values);
    /// Maximum of [first, first + count); count > 0 and the range inside the array.
    std::uint16_t max(std::uint64_t first, std::uint64_t count) const;

private:
    static constexpr std::uint64_t kBlock = 64;
    const std::vector<std::uint16_t>& values_;
    std::vector<std::vector<std::uint16_t>> levels_;  // levels_[k][i] = max of blocks i .. i + 2^k - 1
};

/// One diagnostic for many equal findings: hostile files must not flood the log.
class Tally {
public:
    void hit(std::uint64_t index) {
        if (count_++ == 0) first_ = index;
    }
    bool any() const { return count_ != 0; }
    std::uint64_t count() const { return count_; }
    std::uint64_t first() const { return first_; }
    std::string text(std::string_view what) const;
    /// Warning "<what>: first at <index>, <count> in all".
    void warn(ReadContext& ctx, std::string_view code, std::string_view what) const {
        if (any()) ctx.warn(code, text(what));
    }

private:
    std::uint64_t count_ = 0, first_ = 0;
};

/// Strict: error; compatible: warning with the same code.
Status strict_only(ReadContext& ctx, const Tally& tally, std::string_view code,
                   std::string_view what);

}  // namespace iron::asset::codec
