// A model ready to draw: the state 0 / LOD 0 geometry of an MSH with its node tree in the fallback
// pose (models.md 8.1, 9.5), and a unit assembled from several such models (models.md 8.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "client/view/geometry.hpp"

namespace iron::client::view {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct ModelVertex {
    glm::vec3 position{0};
    glm::vec3 normal{0, 0, 1};
    glm::vec2 uv{0};
};

struct ModelNode {
    std::int32_t parent = -1;  ///< smaller than the own index, -1 = the object itself
    glm::mat4 local{1.0f};     ///< fallback pose
    std::string name;
};

/// A run of triangles of one node and one material.
struct ModelPart {
    std::uint32_t node = 0;
    std::uint32_t first_index = 0, index_count = 0;
    std::uint32_t material = 0;  ///< index into MaterialSet::materials
    bool two_sided = false;
    bool casts_shadow = true;
};

/// A node that moves in a loop: one local matrix a frame.
struct ModelLoop {
    std::uint32_t node = 0;
    std::vector<glm::mat4> frames;
};
inline constexpr float kFramesPerSecond = 30.0f;

struct Model {
    std::string key;  ///< "archive::entry", for messages
    std::vector<ModelVertex> vertices;   ///< in the space of their node
    std::vector<std::uint32_t> indices;  ///< into `vertices`
    std::vector<ModelPart> parts;
    std::vector<ModelNode> nodes;
    std::vector<ModelLoop> loops;      ///< ascending node
    std::vector<Box> node_bounds;  ///< geometry of each node, local; empty without geometry
    Box bounds;                    ///< whole model in the fallback pose, object space
};

/// Local matrix of a node: its loop at a time, else the fallback pose.
glm::mat4 local_matrix(const Model& model, std::uint32_t node, float loop_seconds);
/// World matrices of all nodes for a model placed at `root`.
void pose_model(const Model& model, const glm::mat4& root, std::span<glm::mat4> out, float loop_seconds = 0);

enum class ComponentRole : std::uint8_t { chassis, turret, cannon, part };

/// One model of a unit.
struct UnitComponent {
    std::uint32_t model = 0;           ///< index into Scene::models
    std::int32_t parent = -1;          ///< component it is attached to, smaller than the own index
    std::uint32_t attach_node = 0;     ///< node of the parent's model
    ComponentRole role = ComponentRole::chassis;
};

/// A unit, building or static object: the first component is the root model.
struct UnitModel {
    std::string key;    ///< prototype key or scheme path
    std::string label;  ///< for people
    std::vector<UnitComponent> components;
    Box bounds;         ///< object space, turret at rest
    std::uint32_t scheme_type = 0;
    bool building() const { return (scheme_type & 0x80000000u) != 0; }
};

/// How the moving parts stand.
struct UnitPose {
    glm::mat4 root{1.0f};
    float turret_yaw = 0, turret_pitch = 0;  ///< rad, positive pitch = muzzle up
    float loop_seconds = 0;  ///< time of the looping nodes
};

/// World matrices of every component's nodes, one block after the other; a component attached to
/// a model skips its own node 0 (its block still has that entry: the attach matrix).
void pose_unit(const UnitModel& unit, std::span<const Model> models, const UnitPose& pose,
               std::vector<glm::mat4>& out);

/// `unit.bounds` from the pose at rest.
Box rest_bounds(const UnitModel& unit, std::span<const Model> models);

}  // namespace iron::client::view
