#include "shared/asset/msh_codec.hpp"

#include <algorithm>

namespace iron::asset::codec {

Status check_stride(const Stream& stream, std::size_t stride) {
    if (stream.payload.size() % stride == 0) return {};
    return fail("msh_bad_size", "stream " + std::to_string(stream.type) + " has " +
                                    std::to_string(stream.payload.size()) +
                                    " bytes, not a multiple of " + std::to_string(stride));
}

Status decode_slots(const Stream& stream, MshHeader& header, std::vector<MshSlot>& slots) {
    const ByteView bytes = stream.payload;
    if (bytes.size() < kSlotHeaderSize || (bytes.size() - kSlotHeaderSize) % kSlotSize != 0)
        return fail("msh_bad_size", "stream 2 has " + std::to_string(bytes.size()) +
                                        " bytes, not 140 and a multiple of 68");
    std::memcpy(static_cast<void*>(&header), bytes.data(), kSlotHeaderSize);
    slots = decode_array<MshSlot>(bytes.subspan(kSlotHeaderSize));
    return {};
}

Bytes encode_slots(const MshHeader& header, const std::vector<MshSlot>& slots) {
    Bytes out(kSlotHeaderSize);
    std::memcpy(out.data(), &header, kSlotHeaderSize);
    const Bytes body = encode_array(slots);
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

void set_slot_bounds(MshSlot& slot, const Aabb& box) {
    const Vec3 extent = box.extent();
    slot.box_min = box.min;
    slot.box_max = box.max;
    slot.sphere_centre = box.centre();
    slot.sphere_radius = length(extent) * 0.5f;
    slot.base_area = extent.x * extent.y;
    slot.base_volume = slot.base_area * extent.z;
}

MshHeader header_from_box(const Aabb& box) {
    MshHeader h;
    if (box.empty()) return h;
    const Vec3 a = box.min, b = box.max, centre = box.centre(), extent = box.extent();
    h.corners = {Vec3{a.x, a.y, a.z}, Vec3{b.x, a.y, a.z}, Vec3{b.x, b.y, a.z},
                 Vec3{a.x, b.y, a.z}, Vec3{a.x, a.y, b.z}, Vec3{b.x, a.y, b.z},
                 Vec3{b.x, b.y, b.z}, Vec3{a.x, b.y, b.z}};
    h.sphere_centre = centre;
    h.sphere_radius = length(extent) * 0.5f;
    h.segment_bottom = {centre.x, centre.y, a.z};
    h.segment_top = {centre.x, centre.y, b.z};
    h.segment_radius = length(Vec2{extent.x, extent.y}) * 0.5f;
    return h;
}

Vec3 triangle_normal(Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 n = cross(b - a, c - a);
    const float len = length(n);
    return len > 0 && is_finite(len) ? n * (1.0f / len) : Vec3{};
}

std::array<std::int16_t, 3> pack_face_normal(Vec3 n) {
    return {pack_unit(n.x), pack_unit(n.y), pack_unit(n.z)};
}

std::vector<std::array<std::uint32_t, 3>> find_neighbours(
    const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    std::vector<Edge> edges;
    edges.reserve(triangles.size() * 3);
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        for (std::uint8_t side = 0; side < 3; ++side) {
            const std::uint64_t a = triangles[t][side], b = triangles[t][(side + 1u) % 3];
            edges.push_back({std::min(a, b) << 32 | std::max(a, b), t, side});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.key != b.key ? a.key < b.key
                              : a.triangle != b.triangle ? a.triangle < b.triangle : a.side < b.side;
    });
    std::vector<std::array<std::uint32_t, 3>> out(triangles.size(), {kNone32, kNone32, kNone32});
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end].key == edges[i].key) ++end;
        // The lowest other triangle: the first of the run, or for the first one its successor.
        for (std::size_t k = i; k < end; ++k)
            for (std::size_t other = i; other < end && other < i + 4; ++other)
                if (edges[other].triangle != edges[k].triangle) {
                    out[edges[k].triangle][edges[k].side] = edges[other].triangle;
                    break;
                }
        i = end;
    }
    return out;
}

RangeMax::RangeMax(const std::vector<std::uint16_t>& values) : values_(values) {
    std::vector<std::uint16_t> level;
    for (std::uint64_t i = 0; i < values.size(); i += kBlock) {
        const auto end = std::min<std::uint64_t>(i + kBlock, values.size());
        level.push_back(*std::max_element(values.begin() + static_cast<std::ptrdiff_t>(i),
                                          values.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    // A batch has at most 65 535 indices, that is 1 024 blocks: eleven levels are enough.
    for (std::uint64_t width = 1; !level.empty() && levels_.size() < 11; width *= 2) {
        levels_.push_back(level);
        if (level.size() <= width) break;
        for (std::uint64_t i = 0; i + width < level.size(); ++i)
            level[i] = std::max(level[i], level[i + width]);
        level.resize(level.size() - width);
    }
}

std::uint16_t RangeMax::max(std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t end = first + count;
    std::uint16_t best = 0;
    const std::uint64_t first_block = (first + kBlock - 1) / kBlock, end_block = end / kBlock;
    if (first_block >= end_block) {
        for (std::uint64_t i = first; i < end; ++i) best = std::max(best, values_[i]);
        return best;
    }
    for (std::uint64_t i = first; i < first_block * kBlock; ++i) best = std::max(best, values_[i]);
    for (std::uint64_t i = end_block * kBlock; i < end; ++i) best = std::max(best, values_[i]);
    std::uint64_t at = first_block;
    while (at < end_block) {
        std::size_t k = static_cast<std::size_t>(std::bit_width(end_block - at)) - 1;
        k = std::min(k, levels_.size() - 1);
        const std::uint64_t width = std::uint64_t{1} << k;
        best = std::max(best, levels_[k][at]);
        // The rest is one overlapping look-up of the same width, unless the table is too low.
        if (end_block - at <= 2 * width) {
            best = std::max(best, levels_[k][end_block - width]);
            break;
        }
        at += width;
    }
    return best;
}

std::string Tally::text(std::string_view what) const {
    return std::string(what) + ": first at " + std::to_string(first_) + ", " +
           std::to_string(count_) + " in all";
}

Status strict_only(ReadContext& ctx, const Tally& tally, std::string_view code,
                   std::string_view what) {
    if (!tally.any()) return {};
    if (ctx.strict()) return fail(std::string(code), tally.text(what));
    tally.warn(ctx, code, what);
    return {};
}

}  // namespace iron::asset::codec
