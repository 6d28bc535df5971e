#include "shared/asset/base_contour.hpp"

namespace iron::asset {

namespace {

class ContourReader {
public:
    ContourReader(ByteView bytes, ReadContext& context) : in_(bytes), context_(context) {}

    Result<BaseContour> read() {
        BaseContour out;
        IRON_TRY(const std::uint32_t inner, count(16, "inner contours"));
        out.inner.reserve(inner);
        for (std::uint32_t i = 0; i < inner; ++i) {
            InnerContour contour;
            IRON_TRY(contour.points, points(20));
            const std::size_t segments = contour.points.size() - 1;
            IRON_TRY(contour.a, words(segments));
            IRON_TRY(contour.b, words(segments));
            out.inner.push_back(std::move(contour));
        }
        IRON_TRY(const std::uint32_t outer, count(16, "outer contours"));
        out.outer.reserve(outer);
        for (std::uint32_t i = 0; i < outer; ++i) {
            OuterContour contour;
            IRON_TRY(contour.points, points(12));
            out.outer.push_back(std::move(contour));
        }
        IRON_CHECK(in_.expect_end("contours"));
        if (out.inner.size() + out.outer.size() != 1)
            context_.note(Severity::information, "base_contour_count",
                          std::to_string(out.inner.size()) + " inner and " +
                              std::to_string(out.outer.size()) + " outer contours");
        return out;
    }

private:
    Result<std::uint32_t> count(std::uint64_t min_size, std::string_view what) {
        IRON_TRY(const std::uint32_t n, in_.u32(what));
        IRON_CHECK(in_.require_count(n, min_size, what));
        return n;
    }

    // `per_segment` bytes follow for each segment, and 12 more for the closing point.
    Result<std::vector<Vec3>> points(std::uint64_t per_segment) {
        const auto offset = in_.offset();
        IRON_TRY(const std::uint32_t segments, count(per_segment, "contour segments"));
        IRON_CHECK(in_.require_count(std::uint64_t{segments} + 1, 12, "contour points"));
        std::vector<Vec3> out;
        out.reserve(std::size_t{segments} + 1);
        bool finite = true;
        for (std::uint64_t i = 0; i <= segments; ++i) {
            Vec3 p;
            IRON_TRY(p.x, in_.f32("contour point"));
            IRON_TRY(p.y, in_.f32("contour point"));
            IRON_TRY(p.z, in_.f32("contour point"));
            finite = finite && is_finite(p);
            out.push_back(p);
        }
        if (!finite) {
            std::string message = "a contour point is not finite";
            if (context_.strict()) return fail("base_non_finite", std::move(message), offset);
            context_.warn("base_non_finite", std::move(message), offset);
        }
        if (!(out.front() == out.back()))
            context_.warn("base_open_contour", "the last contour point differs from the first", offset);
        return out;
    }

    Result<std::vector<std::uint32_t>> words(std::size_t n) {
        IRON_CHECK(in_.require_count(n, 4, "segment words"));
        std::vector<std::uint32_t> out(n);
        for (auto& word : out) {
            IRON_TRY(word, in_.u32("segment word"));
        }
        return out;
    }

    ByteReader in_;
    ReadContext& context_;
};

void put_points(ByteWriter& out, const std::vector<Vec3>& points) {
    out.u32(static_cast<std::uint32_t>(points.empty() ? 0 : points.size() - 1));
    for (const auto& p : points) {
        out.f32(p.x);
        out.f32(p.y);
        out.f32(p.z);
    }
    if (points.empty()) out.zeros(12);  // a contour always has one point
}

}  // namespace

Result<BaseContour> read_base_contour(ByteView bytes, ReadContext& context) {
    return ContourReader(bytes, context).read();
}

Bytes write_base_contour(const BaseContour& value) {
    ByteWriter out;
    out.u32(static_cast<std::uint32_t>(value.inner.size()));
    for (const auto& contour : value.inner) {
        put_points(out, contour.points);
        for (const auto word : contour.a) out.u32(word);
        for (const auto word : contour.b) out.u32(word);
    }
    out.u32(static_cast<std::uint32_t>(value.outer.size()));
    for (const auto& contour : value.outer) put_points(out, contour.points);
    return out.take();
}

InnerContour make_inner_contour(std::vector<Vec3> points) {
    InnerContour out;
    out.points = std::move(points);
    for (std::uint32_t i = 0; i + 1 < out.points.size(); ++i) {
        out.a.push_back(i);
        out.b.push_back(i);
    }
    return out;
}

}  // namespace iron::asset
