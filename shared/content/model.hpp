// A model under construction with everything that belongs to it: nodes, material rows, control
// points, life, control resource, ground contour. Encoded into the original formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/asset/control_resource.hpp"
#include "shared/asset/msh_build.hpp"
#include "shared/base/bytes.hpp"
#include "shared/content/kit/mesh.hpp"

namespace iron::content {

struct ModelNode {
    std::string name;
    int parent = -1;
    Vec3 at{};            ///< position in the parent, wu
    MeshKit mesh;         ///< in the node's space
    float life = 0;       ///< damage volume of the piece
    float mobility = 0;   ///< mobility contribution per unit of life
    std::vector<asset::MshTrackKey> track;  ///< empty: static
};

struct ModelPoint {
    std::string name;
    int owner = 0, target = 0;
    Vec3 at{}, direction{0, 1, 0};
};

struct Model {
    std::vector<std::string> materials;  ///< WEAR rows
    std::vector<ModelNode> nodes;
    std::vector<ModelPoint> points;
    std::optional<asset::ControlResource> control;
    std::vector<Vec2> contour;           ///< ground outline, counter-clockwise; empty: none

    /// Row of a material, added on first use.
    std::uint32_t row(std::string_view material);
    /// Appends a node and returns its index.
    int add(std::string_view name, int parent = -1, Vec3 at = {});
    ModelNode& operator[](int i) { return nodes[static_cast<std::size_t>(i)]; }
    /// Sets the current material of a node's mesh: texture repeats every `repeat_wu`.
    MeshKit& on(int node, std::string_view material, float repeat_wu);
    MeshKit& on_fitted(int node, std::string_view material);
};

/// Scales a whole model so that half the diagonal of its box on the ground is `wu`: what the rules
/// take as the radius of a unit (simulation.md 11).
void fit_radius(Model& model, float wu);

/// The resources of one model; the optional ones are empty when the model lacks them.
struct ModelFiles {
    Bytes msh, wea, cpt, ndp, ctl, bas;
};
Result<ModelFiles> encode_model(const Model& model);
/// BASE payload of a closed ground outline.
Bytes encode_contour(const std::vector<Vec2>& outline);

}  // namespace iron::content
