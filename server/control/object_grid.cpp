#include "server/control/object_grid.hpp"

#include <algorithm>

namespace iron::control {

namespace {
constexpr std::int32_t kMaxCells = 256;  // per axis
}

void ObjectGrid::configure(Vec2 low, Vec2 high, float cell) {
    low_ = low;
    cell_ = std::max(cell, std::max(high.x - low.x, high.y - low.y) / static_cast<float>(kMaxCells));
    columns_ = std::clamp(floor_i32((high.x - low.x) / cell_) + 1, 1, kMaxCells + 1);
    rows_ = std::clamp(floor_i32((high.y - low.y) / cell_) + 1, 1, kMaxCells + 1);
    start_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
    items_.clear();
}

std::int32_t ObjectGrid::column(float x) const {
    return std::clamp(floor_i32((x - low_.x) / cell_), 0, columns_ - 1);
}
std::int32_t ObjectGrid::row(float y) const {
    return std::clamp(floor_i32((y - low_.y) / cell_), 0, rows_ - 1);
}

void ObjectGrid::rebuild(std::span<const std::uint32_t> slots, std::span<const Vec2> positions) {
    std::fill(start_.begin(), start_.end(), 0u);
    cell_of_.resize(slots.size());
    items_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto c = static_cast<std::size_t>(column(positions[i].x)) * static_cast<std::size_t>(rows_) +
                       static_cast<std::size_t>(row(positions[i].y));
        cell_of_[i] = static_cast<std::uint32_t>(c);
        ++start_[c + 1];
    }
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    // Filling backwards keeps the given order and leaves start_[c] at the first item of the cell.
    std::vector<std::uint32_t>& begin = start_;
    for (std::size_t i = slots.size(); i-- > 0;) items_[--begin[cell_of_[i] + 1]] = slots[i];
    for (std::size_t c = 0; c + 1 < start_.size(); ++c) start_[c] = start_[c + 1];
    start_.back() = static_cast<std::uint32_t>(slots.size());
}

}  // namespace iron::control
