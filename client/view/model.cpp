#include "client/view/model.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

namespace iron::client::view {

glm::mat4 local_matrix(const Model& model, std::uint32_t node, float loop_seconds) {
    const auto loop = std::lower_bound(model.loops.begin(), model.loops.end(), node,
                                       [](const ModelLoop& l, std::uint32_t n) { return l.node < n; });
    if (loop == model.loops.end() || loop->node != node || loop->frames.empty()) return model.nodes[node].local;
    const auto count = loop->frames.size();
    const float length = static_cast<float>(count);
    float frame = std::fmod(std::max(0.0f, loop_seconds) * kFramesPerSecond, length);
    if (!(frame >= 0.0f && frame < length)) frame = 0.0f;
    const auto first = static_cast<std::size_t>(frame);
    const float t = frame - static_cast<float>(first);
    const glm::mat4 &a = loop->frames[first], &b = loop->frames[(first + 1) % count];
    return a + (b - a) * t;  // neighbouring frames differ little
}

void pose_model(const Model& model, const glm::mat4& root, std::span<glm::mat4> out, float loop_seconds) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const ModelNode& node = model.nodes[i];
        const glm::mat4& parent = node.parent < 0 ? root : out[static_cast<std::size_t>(node.parent)];
        out[i] = parent * local_matrix(model, static_cast<std::uint32_t>(i), loop_seconds);
    }
}

namespace {

glm::mat4 component_turn(ComponentRole role, const UnitPose& pose) {
    glm::mat4 m(1.0f);
    if (role == ComponentRole::turret) m = glm::rotate(m, pose.turret_yaw, glm::vec3(0, 0, 1));
    if (role == ComponentRole::cannon) m = glm::rotate(m, pose.turret_pitch, glm::vec3(1, 0, 0));
    return m;
}

}  // namespace

void pose_unit(const UnitModel& unit, std::span<const Model> models, const UnitPose& pose,
               std::vector<glm::mat4>& out) {
    std::vector<std::size_t> first(unit.components.size());
    for (std::size_t c = 0; c < unit.components.size(); ++c) {
        const UnitComponent& component = unit.components[c];
        const Model& model = models[component.model];
        first[c] = out.size();
        out.resize(out.size() + model.nodes.size(), glm::mat4(1.0f));
        const std::span<glm::mat4> block(out.data() + first[c], model.nodes.size());
        if (component.parent < 0) {
            pose_model(model, pose.root, block, pose.loop_seconds);
            continue;
        }
        const auto parent = static_cast<std::size_t>(component.parent);
        const std::size_t parent_nodes = models[unit.components[parent].model].nodes.size();
        const glm::mat4 attach =
            (component.attach_node < parent_nodes ? out[first[parent] + component.attach_node] : pose.root) *
            component_turn(component.role, pose);
        for (std::size_t i = 0; i < model.nodes.size(); ++i) {
            const ModelNode& node = model.nodes[i];
            if (i == 0)
                block[0] = attach;
            else
                block[i] = (node.parent < 0 ? attach : block[static_cast<std::size_t>(node.parent)]) *
                           local_matrix(model, static_cast<std::uint32_t>(i), pose.loop_seconds);
        }
    }
}

Box rest_bounds(const UnitModel& unit, std::span<const Model> models) {
    std::vector<glm::mat4> matrices;
    pose_unit(unit, models, {}, matrices);
    Box out;
    std::size_t at = 0;
    for (const UnitComponent& component : unit.components) {
        const Model& model = models[component.model];
        for (std::size_t i = 0; i < model.nodes.size(); ++i)
            if (component.parent < 0 || i > 0) out.add(model.node_bounds[i].transformed(matrices[at + i]));
        at += model.nodes.size();
    }
    return out;
}

}  // namespace iron::client::view
