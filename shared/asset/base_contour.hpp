// BASE (`.bas`): ground contours of a building. Source: objects.md 5.
#pragma once

#include <cstdint>
#include <vector>

#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"
#include "shared/base/math.hpp"

namespace iron::asset {

/// n segments: n + 1 points (the last one is expected to repeat the first) and two opaque words a
/// segment.
struct InnerContour {
    std::vector<Vec3> points;  ///< never empty
    std::vector<std::uint32_t> a, b;  ///< points.size() - 1 each
    bool operator==(const InnerContour&) const = default;
};

struct OuterContour {
    std::vector<Vec3> points;  ///< never empty
    bool operator==(const OuterContour&) const = default;
};

struct BaseContour {
    std::vector<InnerContour> inner;
    std::vector<OuterContour> outer;
    bool operator==(const BaseContour&) const = default;
};

/// Errors: `truncated`, `count_too_large`, `trailing_bytes`, `base_non_finite` (warning in
/// compatible). Warning: `base_open_contour`. Information: `base_contour_count`.
Result<BaseContour> read_base_contour(ByteView bytes, ReadContext& context);
Bytes write_base_contour(const BaseContour& value);

/// An inner contour of these points (closed by the caller) with a[i] = b[i] = i (placeholder).
InnerContour make_inner_contour(std::vector<Vec3> points);

}  // namespace iron::asset
