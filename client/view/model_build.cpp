#include "client/view/model_build.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "shared/asset/model_pose.hpp"

namespace iron::client::view {
namespace {

glm::mat4 to_mat4(const asset::Mat34& m) {
    glm::mat4 out(1.0f);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            out[column][row] = m.m[static_cast<std::size_t>(row * 4 + column)];
    return out;
}

/// Pieces that always run: the radar of a post, the drill of a mine. Other tracks belong to states
/// of the object (walking, opening) and stay in the fallback pose.
constexpr std::array<std::string_view, 4> kLoopingNames{"core", "drill", "radar", "ring"};
constexpr std::uint32_t kMaxLoopFrames = 1024;

void add_loop(Model& out, const asset::MshModel& source, std::size_t node, const asset::MshProfile& profile) {
    const std::string& name = out.nodes[node].name;
    if (std::find(kLoopingNames.begin(), kLoopingNames.end(), name) == kLoopingNames.end()) return;
    if (source.flat_hierarchy || source.frame_count < 2 || source.frame_count > kMaxLoopFrames ||
        source.nodes[node].map_start == asset::kNone16)
        return;
    ModelLoop loop;
    loop.node = static_cast<std::uint32_t>(node);
    for (std::uint32_t f = 0; f < source.frame_count; ++f)
        loop.frames.push_back(to_mat4(asset::pose_matrix(asset::sample_node(source, node, static_cast<float>(f), profile))));
    out.loops.push_back(std::move(loop));
}

/// The winding of original models is not published: turn a part's triangles when most of them
/// look away from their own vertex normals.
void face_outward(Model& model, const ModelPart& part) {
    int votes = 0;
    const auto corner = [&](std::uint32_t i) -> const ModelVertex& { return model.vertices[model.indices[i]]; };
    for (std::uint32_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
        const glm::vec3 face = glm::cross(corner(i + 1).position - corner(i).position,
                                          corner(i + 2).position - corner(i).position);
        const float agree = glm::dot(face, corner(i).normal + corner(i + 1).normal + corner(i + 2).normal);
        votes += agree > 0 ? 1 : agree < 0 ? -1 : 0;
    }
    if (votes >= 0) return;
    for (std::uint32_t i = part.first_index; i < part.first_index + part.index_count; i += 3)
        std::swap(model.indices[i + 1], model.indices[i + 2]);
}

}  // namespace

Model build_model(const asset::MshModel& source, std::span<const std::uint32_t> wear,
                  const asset::MshProfile& profile, std::string key) {
    Model out;
    out.key = std::move(key);
    out.nodes.resize(source.nodes.size());
    out.node_bounds.resize(source.nodes.size());
    std::map<std::uint32_t, std::uint32_t> seen;  // source vertex -> own vertex
    const auto vertex = [&](std::uint32_t v) {
        const auto [found, fresh] = seen.emplace(v, static_cast<std::uint32_t>(out.vertices.size()));
        if (fresh) {
            ModelVertex mv;
            mv.position = to_glm(source.positions[v]);
            if (v < source.normals.size()) mv.normal = to_glm(asset::unpack_normal(source.normals[v]));
            if (const float length = glm::length(mv.normal); length > 1e-4f)
                mv.normal /= length;
            else
                mv.normal = {0, 0, 1};
            if (v < source.uvs.size()) {
                const Vec2 uv = asset::unpack_uv(source.uvs[v]);
                mv.uv = {uv.x, uv.y};
            }
            out.vertices.push_back(mv);
        }
        return found->second;
    };
    for (std::size_t n = 0; n < source.nodes.size(); ++n) {
        const asset::MshNode& node = source.nodes[n];
        ModelNode& mine = out.nodes[n];
        mine.parent = node.parent == asset::kNone16 || source.flat_hierarchy || node.parent >= n
                          ? -1
                          : static_cast<std::int32_t>(node.parent);
        if (!source.flat_hierarchy)
            mine.local = to_mat4(asset::pose_matrix(asset::fallback_local_pose(source, n, profile)));
        mine.name = std::string(source.node_string(n));
        add_loop(out, source, n, profile);
        const std::uint16_t slot_index = node.slot(0, 0);
        if (slot_index == asset::kNone16 || slot_index >= source.slots.size()) continue;
        const asset::MshSlot& slot = source.slots[slot_index];
        for (std::uint32_t b = 0; b < slot.batch_count; ++b) {
            const std::size_t batch_index = std::size_t{slot.first_batch} + b;
            if (batch_index >= source.batches.size()) break;
            const asset::MshBatch& batch = source.batches[batch_index];
            ModelPart part;
            part.node = static_cast<std::uint32_t>(n);
            part.first_index = static_cast<std::uint32_t>(out.indices.size());
            part.two_sided = (batch.flags & asset::batch_flag::kTwoSided) != 0;
            part.casts_shadow = (node.flags & asset::node_flag::kNoShadow) == 0;
            const std::uint32_t row = batch.row(profile.batch_row);
            part.material = wear[row < wear.size() ? row : 0];
            const std::uint32_t whole = batch.index_count - batch.index_count % 3u;
            for (std::uint32_t i = 0; i < whole; ++i) {
                const std::size_t at = std::size_t{batch.first_index} + i;
                if (at >= source.indices.size()) break;
                const std::uint32_t v = batch.base_vertex + source.indices[at];
                if (v >= source.positions.size()) break;
                const std::uint32_t mine_index = vertex(v);
                out.indices.push_back(mine_index);
                out.node_bounds[n].add(out.vertices[mine_index].position);
            }
            out.indices.resize(out.indices.size() - (out.indices.size() - part.first_index) % 3);
            part.index_count = static_cast<std::uint32_t>(out.indices.size()) - part.first_index;
            if (part.index_count == 0) continue;
            face_outward(out, part);
            out.parts.push_back(part);
        }
    }
    std::vector<glm::mat4> pose(out.nodes.size());
    pose_model(out, glm::mat4(1.0f), pose);
    for (std::size_t n = 0; n < out.nodes.size(); ++n) out.bounds.add(out.node_bounds[n].transformed(pose[n]));
    return out;
}

Model placeholder_model(std::uint32_t material, float size) {
    Model out;
    out.key = "(placeholder)";
    out.nodes.resize(1);
    const float h = size * 0.5f;
    for (int axis = 0; axis < 3; ++axis)
        for (int sign = -1; sign <= 1; sign += 2) {
            glm::vec3 n(0);
            n[axis] = static_cast<float>(sign);
            const glm::vec3 u = axis == 0 ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
            const glm::vec3 v = glm::cross(n, u);
            const auto first = static_cast<std::uint32_t>(out.vertices.size());
            for (int corner = 0; corner < 4; ++corner) {
                const float a = corner == 0 || corner == 3 ? -1.0f : 1.0f, b = corner < 2 ? -1.0f : 1.0f;
                out.vertices.push_back({(n + u * a + v * b) * h + glm::vec3(0, 0, h), n, {a, b}});
            }
            out.indices.insert(out.indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
        }
    out.parts.push_back({0, 0, static_cast<std::uint32_t>(out.indices.size()), material, false, true});
    Box box;
    for (const ModelVertex& v : out.vertices) box.add(v.position);
    out.node_bounds.push_back(box);
    out.bounds = box;
    return out;
}

}  // namespace iron::client::view
