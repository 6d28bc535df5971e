#include "shared/asset/control_points.hpp"

#include "shared/base/text.hpp"

namespace iron::asset {

namespace {
constexpr std::uint64_t kPointSize = 68;  // record 36 + name 32

Result<Vec3> read_vec3(ByteReader& in, std::string_view what) {
    Vec3 v;
    IRON_TRY(v.x, in.f32(what));
    IRON_TRY(v.y, in.f32(what));
    IRON_TRY(v.z, in.f32(what));
    return v;
}

void put_vec3(ByteWriter& out, const Vec3& v) {
    out.f32(v.x);
    out.f32(v.y);
    out.f32(v.z);
}
}  // namespace

const ControlPoint* ControlPoints::find(std::string_view name) const {
    for (const auto& point : points)
        if (ascii_iequals(point.name.view(), name)) return &point;
    return nullptr;
}

Result<ControlPoints> read_control_points(ByteView bytes, ReadContext& context) {
    ByteReader in(bytes);
    IRON_TRY(const std::uint32_t count, in.u32("control point count"));
    if (bytes.size() != 4 + kPointSize * count)
        return fail("ctpt_bad_size", "size " + std::to_string(bytes.size()) + " is not 4 + 68 * " +
                                         std::to_string(count));
    ControlPoints out;
    out.points.resize(count);
    for (auto& point : out.points) {
        const auto offset = in.offset();
        IRON_TRY(point.flags, in.u32("flags"));
        IRON_TRY(point.owner_piece, in.i32("owner piece"));
        IRON_TRY(point.target_piece, in.i32("target piece"));
        IRON_TRY(point.position, read_vec3(in, "position"));
        IRON_TRY(point.direction, read_vec3(in, "direction"));
        if (!is_finite(point.position) || !is_finite(point.direction))
            context.warn("ctpt_non_finite", "a control point is not finite", offset);
    }
    for (auto& point : out.points) {
        const auto offset = in.offset();
        IRON_TRY(point.name, read_fixed_string<32>(in, "name"));
        if (!point.name.terminated())
            context.warn("ctpt_no_terminator", "a control point name fills its 32 bytes", offset);
    }
    return out;
}

Bytes write_control_points(const ControlPoints& value) {
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(value.points.size()));
    for (const auto& point : value.points) {
        out.u32(point.flags);
        out.i32(point.owner_piece);
        out.i32(point.target_piece);
        put_vec3(out, point.position);
        put_vec3(out, point.direction);
    }
    for (const auto& point : value.points) out.bytes(point.name.raw);
    return out.take();
}

void check_control_points(const ControlPoints& value, std::uint32_t node_count, ReadContext& context) {
    for (std::size_t i = 0; i < value.points.size(); ++i) {
        const auto& point = value.points[i];
        if (static_cast<std::uint32_t>(point.owner_piece) >= node_count ||
            static_cast<std::uint32_t>(point.target_piece) >= node_count)
            context.warn("ctpt_piece_range", "control point " + std::to_string(i) +
                                                 " names a piece the model does not have");
    }
}

}  // namespace iron::asset
