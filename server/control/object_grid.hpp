// Uniform grid over the mobile objects: who is near, ids ascending inside a cell.
// Source: simulation.md 12 (broad phase), 27. Derived, rebuilt from positions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/base/math.hpp"

namespace iron::control {

class ObjectGrid {
public:
    void configure(Vec2 low, Vec2 high, float cell);
    /// Items in ascending order of their key (id); positions parallel to `slots`.
    void rebuild(std::span<const std::uint32_t> slots, std::span<const Vec2> positions);

    /// Calls `visit(slot)` for every item whose cell meets the square around `p`: cells by column, then
    /// row; inside a cell in the order given to rebuild.
    template <class Visit>
    void near(Vec2 p, float reach, Visit&& visit) const {
        const std::int32_t x0 = column(p.x - reach), x1 = column(p.x + reach);
        const std::int32_t y0 = row(p.y - reach), y1 = row(p.y + reach);
        for (std::int32_t x = x0; x <= x1; ++x)
            for (std::int32_t y = y0; y <= y1; ++y) {
                const auto c = static_cast<std::size_t>(x) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(y);
                for (std::uint32_t i = start_[c]; i < start_[c + 1]; ++i) visit(items_[i]);
            }
    }

private:
    std::int32_t column(float x) const;
    std::int32_t row(float y) const;

    Vec2 low_{};
    float cell_ = 16;
    std::int32_t columns_ = 1, rows_ = 1;
    std::vector<std::uint32_t> start_{0, 0}, items_, cell_of_;
};

}  // namespace iron::control
