#include "shared/content/model.hpp"

#include <algorithm>

#include "shared/asset/base_contour.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/wear.hpp"

namespace iron::content {

std::uint32_t Model::row(std::string_view material) {
    const auto it = std::find(materials.begin(), materials.end(), material);
    if (it != materials.end()) return static_cast<std::uint32_t>(it - materials.begin());
    materials.emplace_back(material);
    return static_cast<std::uint32_t>(materials.size() - 1);
}

int Model::add(std::string_view name, int parent, Vec3 at) {
    ModelNode node;
    node.name = name;
    node.parent = parent;
    node.at = at;
    nodes.push_back(std::move(node));
    return static_cast<int>(nodes.size()) - 1;
}

MeshKit& Model::on(int node, std::string_view material, float repeat_wu) {
    const std::uint32_t r = row(material);
    return (*this)[node].mesh.use(r, repeat_wu);
}
MeshKit& Model::on_fitted(int node, std::string_view material) {
    const std::uint32_t r = row(material);
    return (*this)[node].mesh.use_fitted(r);
}

namespace {

Result<Bytes> encode_msh(const Model& model) {
    asset::MshModel out;
    std::vector<asset::MshTrack> tracks;
    bool animated = false;
    for (const ModelNode& node : model.nodes) {
        std::uint16_t slot = asset::kNone16;
        if (!node.mesh.empty()) {
            const MeshData mesh = node.mesh.finish();
            const auto first = static_cast<std::uint16_t>(out.batches.size());
            for (const MeshBatch& batch : mesh.batches) {
                // The vertices of a batch are contiguous (kit/mesh.hpp), so a slice addresses them.
                std::uint32_t low = 0xFFFFFFFFu, high = 0;
                for (std::uint32_t i = 0; i < batch.index_count; ++i) {
                    low = std::min(low, mesh.indices[batch.first_index + i]);
                    high = std::max(high, mesh.indices[batch.first_index + i]);
                }
                std::vector<asset::MshVertex> vertices;
                std::vector<std::uint16_t> indices;
                for (std::uint32_t v = low; v <= high; ++v)
                    vertices.push_back({mesh.vertices[v].p, mesh.vertices[v].n, mesh.vertices[v].uv});
                for (std::uint32_t i = 0; i < batch.index_count; ++i)
                    indices.push_back(static_cast<std::uint16_t>(mesh.indices[batch.first_index + i] - low));
                IRON_CHECK(asset::append_batch(out, vertices, indices,
                                               static_cast<std::uint16_t>(batch.material)));
            }
            slot = asset::append_slot(out, first, static_cast<std::uint16_t>(mesh.batches.size()));
        }
        asset::Pose pose;
        pose.position = node.at;
        asset::append_node(out, node.name,
                           node.parent < 0 ? asset::kNone16 : static_cast<std::uint16_t>(node.parent),
                           slot, pose);
        if (node.track.empty()) {
            tracks.push_back({{0, pose}});
        } else {
            tracks.push_back(node.track);
            animated = true;
        }
    }
    if (animated) IRON_CHECK(asset::set_tracks(out, tracks));
    IRON_CHECK(asset::finish_model(out));
    return asset::write_msh_canonical(out);
}

}  // namespace

void fit_radius(Model& model, float wu) {
    Vec2 lo{1e9f, 1e9f}, hi{-1e9f, -1e9f};
    std::vector<Vec3> at(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const ModelNode& node = model.nodes[i];
        at[i] = node.at + (node.parent < 0 ? Vec3{} : at[static_cast<std::size_t>(node.parent)]);
        if (node.mesh.empty()) continue;
        const MeshData mesh = node.mesh.finish();
        lo = {std::min(lo.x, at[i].x + mesh.lo.x), std::min(lo.y, at[i].y + mesh.lo.y)};
        hi = {std::max(hi.x, at[i].x + mesh.hi.x), std::max(hi.y, at[i].y + mesh.hi.y)};
    }
    const float factor = wu * 2 / length(hi - lo);
    for (ModelNode& node : model.nodes) {
        node.at = node.at * factor;
        node.mesh.scale(factor);
        for (asset::MshTrackKey& key : node.track) key.pose.position = key.pose.position * factor;
    }
    for (ModelPoint& point : model.points) point.at = point.at * factor;
}

Bytes encode_contour(const std::vector<Vec2>& outline) {
    std::vector<Vec3> points;
    for (const Vec2& p : outline) points.push_back({p.x, p.y, 0});
    points.push_back(points.front());
    asset::BaseContour base;
    base.inner.push_back(asset::make_inner_contour(points));
    base.outer.push_back({points});
    return asset::write_base_contour(base);
}

Result<ModelFiles> encode_model(const Model& model) {
    ModelFiles out;
    IRON_TRY(out.msh, encode_msh(model));

    asset::Wear wear;
    for (const std::string& name : model.materials) wear.add_material(name);
    if (model.materials.empty()) wear.add_material("DEFAULT");
    IRON_TRY(out.wea, asset::write_wear(wear));

    if (!model.points.empty()) {
        asset::ControlPoints points;
        for (const ModelPoint& p : model.points) {
            asset::ControlPoint point;
            point.owner_piece = p.owner;
            point.target_piece = p.target;
            point.position = p.at;
            point.direction = p.direction;
            point.name.assign(p.name);
            points.points.push_back(point);
        }
        out.cpt = asset::write_control_points(points);
    }
    if (std::any_of(model.nodes.begin(), model.nodes.end(), [](const ModelNode& n) { return n.life > 0; })) {
        asset::DamageRecords records;
        for (const ModelNode& n : model.nodes) {
            asset::DamageRecord record;
            record.maximum_volume = n.life;
            record.mobility = n.mobility;
            records.records.push_back(record);
        }
        out.ndp = asset::write_damage_records(records);
    }
    if (model.control) out.ctl = asset::write_control_resource(*model.control);
    if (!model.contour.empty()) out.bas = encode_contour(model.contour);
    return out;
}

}  // namespace iron::content
