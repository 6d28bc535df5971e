// CTPT (`.cpt`): named control points of a model. Source: objects.md 6.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

struct ControlPoint {
    std::uint32_t flags = 0;
    std::int32_t owner_piece = 0;
    std::int32_t target_piece = 0;
    Vec3 position;   ///< local to the owner piece, wu
    Vec3 direction;
    FixedString<32> name;
    bool operator==(const ControlPoint&) const = default;
};

struct ControlPoints {
    std::vector<ControlPoint> points;

    /// First point of that name (ASCII-case-insensitive), or null.
    const ControlPoint* find(std::string_view name) const;
    bool operator==(const ControlPoints&) const = default;
};

/// Errors: `truncated`, `ctpt_bad_size` (size != 4 + 68 * count). Warnings: `ctpt_non_finite`,
/// `ctpt_no_terminator`.
Result<ControlPoints> read_control_points(ByteView bytes, ReadContext& context);
Bytes write_control_points(const ControlPoints& value);

/// Cross-file check against the companion model: warning `ctpt_piece_range`.
void check_control_points(const ControlPoints& value, std::uint32_t node_count, ReadContext& context);

}  // namespace iron::asset
