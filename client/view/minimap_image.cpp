#include "client/view/minimap_image.hpp"

#include <algorithm>
#include <cmath>

namespace iron::client::view {
namespace {

struct MapFrame {
    glm::vec2 low;
    float side;
};

MapFrame frame_of(const Box& map) {
    const glm::vec2 size(map.size());
    const float side = std::max({size.x, size.y, 1e-3f});
    return {glm::vec2(map.center()) - glm::vec2(side * 0.5f), side};
}

std::uint8_t to_byte(float v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f); }

}  // namespace

glm::vec2 minimap_position(const Box& map, glm::vec2 world) {
    const MapFrame f = frame_of(map);
    const glm::vec2 t = (world - f.low) / f.side;
    return {t.x, 1.0f - t.y};
}

glm::vec2 minimap_world(const Box& map, glm::vec2 position) {
    const MapFrame f = frame_of(map);
    return f.low + glm::vec2(position.x, 1.0f - position.y) * f.side;
}

glm::vec3 mean_color(const Material& material, const MaterialSet& set) {
    glm::vec3 c(0.6f);
    if (material.image < set.images.size() && !set.images[material.image].levels.empty()) {
        const auto& last = set.images[material.image].levels.back();
        c = glm::vec3(last[0], last[1], last[2]) / 255.0f;
    }
    return c * material.diffuse;
}

namespace {

template <class Plot>
void raster(const glm::vec2 (&p)[3], int size, Plot&& plot) {
    const float det = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    if (std::abs(det) < 1e-9f) return;
    const auto low = [&](float a, float b, float c) {
        return std::clamp(static_cast<int>(std::floor(std::min({a, b, c}))), 0, size - 1);
    };
    const auto high = [&](float a, float b, float c) {
        return std::clamp(static_cast<int>(std::ceil(std::max({a, b, c}))), 0, size - 1);
    };
    for (int y = low(p[0].y, p[1].y, p[2].y); y <= high(p[0].y, p[1].y, p[2].y); ++y)
        for (int x = low(p[0].x, p[1].x, p[2].x); x <= high(p[0].x, p[1].x, p[2].x); ++x) {
            const glm::vec2 q(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
            const float u = ((q.x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (q.y - p[0].y)) / det;
            const float v = ((p[1].x - p[0].x) * (q.y - p[0].y) - (q.x - p[0].x) * (p[1].y - p[0].y)) / det;
            if (u >= -1e-3f && v >= -1e-3f && u + v <= 1.001f) plot(x, y, u, v);
        }
}

}  // namespace

Image draw_minimap(const TerrainMesh& terrain, const MaterialSet& materials, int size) {
    Image out;
    out.name = "minimap";
    out.width = out.height = size;
    out.has_alpha = true;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4, 0);
    std::vector<float> top(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), -1e9f);
    std::vector<glm::vec3> colors;
    for (std::uint32_t layer : terrain.layers) colors.push_back(mean_color(materials.materials[layer], materials));
    const auto put = [&](int x, int y, float z, glm::vec3 c) {
        const auto at = static_cast<std::size_t>(y * size + x);
        if (z < top[at]) return;
        top[at] = z;
        for (int k = 0; k < 3; ++k) pixels[at * 4 + static_cast<std::size_t>(k)] = to_byte(c[k]);
        pixels[at * 4 + 3] = 255;
    };
    const auto place = [&](const glm::vec3& p) {
        return minimap_position(terrain.bounds, glm::vec2(p)) * static_cast<float>(size);
    };
    for (const TerrainTile& tile : terrain.tiles)
        for (std::uint32_t i = tile.fine.first; i + 2 < tile.fine.first + tile.fine.count; i += 3) {
            const TerrainVertex* v[3];
            for (std::uint32_t k = 0; k < 3; ++k) v[k] = &terrain.vertices[terrain.indices[i + k]];
            const glm::vec2 p[3] = {place(v[0]->position), place(v[1]->position), place(v[2]->position)};
            raster(p, size, [&](int x, int y, float u, float w) {
                const float z = v[0]->position.z + (v[1]->position.z - v[0]->position.z) * u +
                                (v[2]->position.z - v[0]->position.z) * w;
                const glm::vec3 weights = v[0]->weights * (1 - u - w) + v[1]->weights * u + v[2]->weights * w;
                glm::vec3 c(0);
                for (int k = 0; k < 3; ++k) {
                    const auto layer = static_cast<std::size_t>(v[0]->layers[k]);
                    c += (layer < colors.size() ? colors[layer] : glm::vec3(0.5f)) * weights[k];
                }
                const glm::vec3 n = glm::normalize(v[0]->normal * (1 - u - w) + v[1]->normal * u + v[2]->normal * w);
                const float light = 0.62f + 0.62f * std::max(0.0f, glm::dot(n, glm::normalize(glm::vec3(-0.6f, 0.6f, 0.7f))));
                put(x, y, z, c * light);
            });
        }
    for (std::size_t i = 0; i + 2 < terrain.water_indices.size(); i += 3) {
        const WaterVertex* v[3];
        for (std::size_t k = 0; k < 3; ++k) v[k] = &terrain.water_vertices[terrain.water_indices[i + k]];
        const glm::vec2 p[3] = {place(v[0]->position), place(v[1]->position), place(v[2]->position)};
        raster(p, size, [&](int x, int y, float u, float w) {
            const float depth = v[0]->depth + (v[1]->depth - v[0]->depth) * u + (v[2]->depth - v[0]->depth) * w;
            if (depth < 0) return;
            const float deep = 1.0f - std::exp(-depth * 0.4f);
            put(x, y, v[0]->position.z + 0.01f, glm::mix(glm::vec3(0.30f, 0.50f, 0.52f), glm::vec3(0.10f, 0.26f, 0.36f), deep));
        });
    }
    out.levels.push_back(std::move(pixels));
    return out;
}

}  // namespace iron::client::view
