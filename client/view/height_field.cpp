#include "client/view/height_field.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::view {

HeightField::HeightField(std::vector<glm::vec3> positions,
                         std::vector<std::array<std::uint32_t, 3>> triangles)
    : positions_(std::move(positions)), triangles_(std::move(triangles)) {
    for (const auto& t : triangles_)
        for (std::uint32_t v : t) bounds_.add(positions_[v]);
    if (triangles_.empty()) return;
    // About two faces a cell.
    const auto side = static_cast<int>(std::sqrt(static_cast<double>(triangles_.size()) / 2.0)) + 1;
    cells_ = glm::clamp(glm::ivec2(side), glm::ivec2(1), glm::ivec2(256));
    cell_size_ = glm::max(glm::vec2(bounds_.size()) / glm::vec2(cells_), glm::vec2(1e-3f));

    const auto each_cell = [&](const std::array<std::uint32_t, 3>& t, auto&& visit) {
        glm::vec2 low(positions_[t[0]]), high = low;
        for (std::uint32_t v : t) {
            low = glm::min(low, glm::vec2(positions_[v]));
            high = glm::max(high, glm::vec2(positions_[v]));
        }
        const glm::ivec2 a = cell_of(low - 1e-3f), b = cell_of(high + 1e-3f);
        for (int y = a.y; y <= b.y; ++y)
            for (int x = a.x; x <= b.x; ++x) visit(static_cast<std::size_t>(y * cells_.x + x));
    };
    cell_start_.assign(static_cast<std::size_t>(cells_.x * cells_.y) + 1, 0);
    for (const auto& t : triangles_) each_cell(t, [&](std::size_t c) { ++cell_start_[c + 1]; });
    for (std::size_t i = 1; i < cell_start_.size(); ++i) cell_start_[i] += cell_start_[i - 1];
    cell_faces_.resize(cell_start_.back());
    std::vector<std::uint32_t> next(cell_start_.begin(), cell_start_.end() - 1);
    for (std::uint32_t i = 0; i < triangles_.size(); ++i)
        each_cell(triangles_[i], [&](std::size_t c) { cell_faces_[next[c]++] = i; });
}

glm::ivec2 HeightField::cell_of(glm::vec2 at) const {
    const glm::vec2 c = glm::floor((at - glm::vec2(bounds_.min)) / cell_size_);
    return glm::ivec2(glm::clamp(c, glm::vec2(0), glm::vec2(cells_ - 1)));
}

std::optional<HeightField::Hit> HeightField::top(glm::vec2 at) const {
    if (triangles_.empty() || !std::isfinite(at.x) || !std::isfinite(at.y)) return std::nullopt;
    const glm::ivec2 c = cell_of(at);
    const auto cell = static_cast<std::size_t>(c.y * cells_.x + c.x);
    std::optional<Hit> best;
    for (std::uint32_t i = cell_start_[cell]; i < cell_start_[cell + 1]; ++i) {
        const auto& t = triangles_[cell_faces_[i]];
        const glm::vec3 &a = positions_[t[0]], &b = positions_[t[1]], &d = positions_[t[2]];
        const float det = (b.x - a.x) * (d.y - a.y) - (d.x - a.x) * (b.y - a.y);
        if (std::abs(det) <= 1e-6f) continue;
        const float u = ((at.x - a.x) * (d.y - a.y) - (d.x - a.x) * (at.y - a.y)) / det;
        const float v = ((b.x - a.x) * (at.y - a.y) - (at.x - a.x) * (b.y - a.y)) / det;
        if (u < -1e-4f || v < -1e-4f || u + v > 1.0001f) continue;
        const float z = a.z + (b.z - a.z) * u + (d.z - a.z) * v;
        if (!best || z > best->z) best = Hit{z, cell_faces_[i]};
    }
    return best;
}

std::optional<float> HeightField::height(glm::vec2 at) const {
    const auto hit = top(at);
    return hit ? std::optional(hit->z) : std::nullopt;
}

float HeightField::height_or_nearest(glm::vec2 at) const {
    if (triangles_.empty()) return 0.0f;
    const glm::vec2 margin(1e-2f);
    const auto hit = top(glm::clamp(at, glm::vec2(bounds_.min) + margin, glm::vec2(bounds_.max) - margin));
    return hit ? hit->z : bounds_.min.z;
}

glm::vec3 HeightField::normal(glm::vec2 at) const {
    const auto hit = top(at);
    if (!hit) return {0, 0, 1};
    const auto& t = triangles_[hit->triangle];
    glm::vec3 n = glm::cross(positions_[t[1]] - positions_[t[0]], positions_[t[2]] - positions_[t[0]]);
    if (n.z < 0) n = -n;
    const float length = glm::length(n);
    return length > 0 ? n / length : glm::vec3(0, 0, 1);
}

glm::vec3 HeightField::footprint_normal(glm::vec2 at, float radius) const {
    const float d = std::max(radius * 0.5f, 0.25f);
    const auto h = [&](float x, float y) { return height_or_nearest(at + glm::vec2(x, y)); };
    const glm::vec3 n(h(-d, 0) - h(d, 0), h(0, -d) - h(0, d), 2 * d);
    return glm::normalize(n);
}

std::optional<float> HeightField::hit(const Ray& ray) const {
    const auto enter = hit_box(ray, Box{bounds_.min - 0.1f, bounds_.max + 0.1f});
    if (triangles_.empty() || !enter) return std::nullopt;
    // Walk the cells under the ray; a face may reach into later cells, so a hit counts only once
    // no nearer one can follow.
    glm::vec3 p = ray.at(*enter);
    glm::ivec2 cell = cell_of(p);
    std::optional<float> best;
    float t = *enter;
    for (int guard = 0; guard < cells_.x + cells_.y + 4; ++guard) {
        const auto c = static_cast<std::size_t>(cell.y * cells_.x + cell.x);
        for (std::uint32_t i = cell_start_[c]; i < cell_start_[c + 1]; ++i) {
            const auto& f = triangles_[cell_faces_[i]];
            const auto at = hit_triangle(ray, positions_[f[0]], positions_[f[1]], positions_[f[2]]);
            if (at && (!best || *at < *best)) best = at;
        }
        float next = std::numeric_limits<float>::max();
        int axis = -1;
        for (int k = 0; k < 2; ++k) {
            if (std::abs(ray.direction[k]) < 1e-9f) continue;
            const int step = ray.direction[k] > 0 ? 1 : 0;
            const float edge = bounds_.min[k] + static_cast<float>(cell[k] + step) * cell_size_[k];
            const float at = (edge - ray.origin[k]) / ray.direction[k];
            if (at < next) {
                next = at;
                axis = k;
            }
        }
        if (best && *best <= next) return best;
        if (axis < 0) return best;
        t = std::max(t, next);
        cell[axis] += ray.direction[axis] > 0 ? 1 : -1;
        if (cell.x < 0 || cell.y < 0 || cell.x >= cells_.x || cell.y >= cells_.y) return best;
    }
    return best;
}

}  // namespace iron::client::view
