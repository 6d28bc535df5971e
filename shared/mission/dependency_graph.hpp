// The dependency graph of a mission: what it needs, why, and what is broken. Source: mission.md 5.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shared/mission/mission_loader.hpp"

namespace iron::mission {

enum class NodeKind : std::uint8_t {
    mission, land_mesh, land_map, build_dat, clan, script, variable_set, formulas, research_tree,
    object, unit_scheme, component, prototype, msh, wear, material_slot, mat0, texm, lightmap,
    resource  ///< control, contour, damage and other entries a prototype names
};
std::string_view node_kind_name(NodeKind kind);

enum class EdgeKind : std::uint8_t {
    mission_terrain, mission_land_wear, mission_clan, mission_object, clan_script,
    clan_variable_set, clan_formulas, clan_research, object_scheme, scheme_component,
    component_prototype, object_prototype, prototype_parent, prototype_msh, prototype_resource,
    msh_wear, wear_slot, slot_material, material_texture, wear_lightmap
};
/// "prototype -> MSH" and so on, as in the specification.
std::string_view edge_kind_name(EdgeKind kind);

enum class EdgeState : std::uint8_t { ok, warning, failed };

/// One thing; shared things are one node however often they are used.
struct GraphNode {
    NodeKind kind = NodeKind::mission;
    std::string label;    ///< key, path, "#3 r_h_01" ...
    std::string archive;  ///< empty for files
    std::string entry;
};

struct GraphEdge {
    std::uint32_t from = 0, to = 0;
    EdgeKind kind = EdgeKind::mission_object;
    bool required = true;
    EdgeState state = EdgeState::ok;
    std::string code;    ///< of a warning or failure
    std::string detail;  ///< its cause
};

/// Counts by the rules of mission.md 5: shared resources count once per use.
struct GraphTotals {
    std::uint64_t paths = 0, clans = 0, objects = 0, extras = 0;
    std::uint64_t direct_references = 0, unit_references = 0, components = 0;
    std::uint64_t prototype_requests = 0, non_geometric = 0;
    std::uint64_t msh_requests = 0, wear_requests = 0;
    std::uint64_t material_slots = 0, texture_requests = 0, lightmap_requests = 0;
    /// The terrain's WEAR tables, outside the object chain.
    std::uint64_t environment_slots = 0, environment_textures = 0;
    std::uint64_t failures = 0, warnings = 0;
};

class DependencyGraph {
public:
    const std::vector<GraphNode>& nodes() const { return nodes_; }
    const std::vector<GraphEdge>& edges() const { return edges_; }
    GraphTotals totals;
    std::vector<LoadFailure> failures;  ///< one per use
    std::vector<LoadFailure> warnings;  ///< one per use

    /// The node of that kind and identity, added on first sight.
    std::uint32_t node(NodeKind kind, std::string_view identity, std::string label,
                       std::string archive = {}, std::string entry = {});
    /// Adds an edge; the same (from, to, kind) is kept once, with the worse state.
    void edge(std::uint32_t from, std::uint32_t to, EdgeKind kind, bool required,
              EdgeState state = EdgeState::ok, std::string code = {}, std::string detail = {});

    /// Indices of the edges that leave a node, in the order they were added.
    const std::vector<std::uint32_t>& out_edges(std::uint32_t node_index) const {
        return out_[node_index];
    }

private:
    std::vector<GraphNode> nodes_;
    std::vector<GraphEdge> edges_;
    std::vector<std::vector<std::uint32_t>> out_;
    std::map<std::pair<NodeKind, std::string>, std::uint32_t> index_;
    std::map<std::uint64_t, std::uint32_t> edge_index_[20];  ///< per kind, (from << 32 | to)
};

/// Builds the graph of a mission and goes on after failures: they are in the graph. Only a mission
/// that cannot be read at all is an error (stages 1 and 3 of load_mission).
Result<std::shared_ptr<const DependencyGraph>> build_graph(const archive::Vfs& vfs,
                                                           std::string_view mission,
                                                           const LoadOptions& options = {},
                                                           const LoadProgressFn& progress = {});

}  // namespace iron::mission
