#include "shared/mission/dependency_graph.hpp"

namespace iron::mission {

std::string_view node_kind_name(NodeKind kind) {
    switch (kind) {
        case NodeKind::mission: return "mission";
        case NodeKind::land_mesh: return "Land.msh";
        case NodeKind::land_map: return "Land.map";
        case NodeKind::build_dat: return "BuildDat.lst";
        case NodeKind::clan: return "clan";
        case NodeKind::script: return "script package";
        case NodeKind::variable_set: return "variable set";
        case NodeKind::formulas: return "formulas";
        case NodeKind::research_tree: return "research tree";
        case NodeKind::object: return "object";
        case NodeKind::unit_scheme: return "unit scheme";
        case NodeKind::component: return "component";
        case NodeKind::prototype: return "prototype";
        case NodeKind::msh: return "MSH";
        case NodeKind::wear: return "WEAR";
        case NodeKind::material_slot: return "material slot";
        case NodeKind::mat0: return "MAT0";
        case NodeKind::texm: return "Texm";
        case NodeKind::lightmap: return "lightmap";
        case NodeKind::resource: return "resource";
    }
    return "resource";
}

std::string_view edge_kind_name(EdgeKind kind) {
    switch (kind) {
        case EdgeKind::mission_terrain: return "mission -> terrain";
        case EdgeKind::mission_land_wear: return "mission -> land WEAR";
        case EdgeKind::mission_clan: return "mission -> clan";
        case EdgeKind::mission_object: return "mission -> object";
        case EdgeKind::clan_script: return "clan -> script package";
        case EdgeKind::clan_variable_set: return "clan -> variable set";
        case EdgeKind::clan_formulas: return "clan -> formulas";
        case EdgeKind::clan_research: return "clan -> research tree";
        case EdgeKind::object_scheme: return "object -> unit scheme";
        case EdgeKind::scheme_component: return "unit scheme -> component";
        case EdgeKind::component_prototype: return "component -> prototype";
        case EdgeKind::object_prototype: return "object -> prototype";
        case EdgeKind::prototype_parent: return "prototype -> parent";
        case EdgeKind::prototype_msh: return "prototype -> MSH";
        case EdgeKind::prototype_resource: return "prototype -> resource";
        case EdgeKind::msh_wear: return "MSH -> WEAR";
        case EdgeKind::wear_slot: return "WEAR -> material slot";
        case EdgeKind::slot_material: return "WEAR row -> MAT0";
        case EdgeKind::material_texture: return "MAT0 phase -> Texm";
        case EdgeKind::wear_lightmap: return "WEAR lightmap row -> Texm";
    }
    return "edge";
}

std::uint32_t DependencyGraph::node(NodeKind kind, std::string_view identity, std::string label,
                                    std::string archive, std::string entry) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    const auto [it, added] = index_.try_emplace({kind, std::string(identity)}, next);
    if (!added) return it->second;
    nodes_.push_back({kind, std::move(label), std::move(archive), std::move(entry)});
    out_.emplace_back();
    return next;
}

void DependencyGraph::edge(std::uint32_t from, std::uint32_t to, EdgeKind kind, bool required,
                           EdgeState state, std::string code, std::string detail) {
    auto& index = edge_index_[static_cast<std::size_t>(kind)];
    const auto next = static_cast<std::uint32_t>(edges_.size());
    const auto [it, added] = index.try_emplace((std::uint64_t{from} << 32) | to, next);
    if (added) {
        edges_.push_back({from, to, kind, required, state, std::move(code), std::move(detail)});
        out_[from].push_back(next);
        return;
    }
    GraphEdge& known = edges_[it->second];
    if (state <= known.state) return;
    known.state = state;
    known.code = std::move(code);
    known.detail = std::move(detail);
}

}  // namespace iron::mission
