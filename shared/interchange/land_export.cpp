// Landscapes and areal maps as glTF and OBJ.
#include <nlohmann/json.hpp>

#include "shared/interchange/mesh_export.hpp"
#include "shared/interchange/surface_export.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

struct Surface {
    std::uint8_t material = 0, blend = kNoBlend;
    auto operator<=>(const Surface&) const = default;
};

/// Vertex indices of a slot's faces by their material selectors.
std::map<Surface, std::vector<std::uint32_t>> surfaces_of(const LandMesh& mesh, const MshSlot& slot) {
    std::map<Surface, std::vector<std::uint32_t>> out;
    for (const LandFace& face : slot_faces(mesh, slot)) {
        std::vector<std::uint32_t>& indices = out[{face.material, face.blend}];
        indices.insert(indices.end(), face.vertices.begin(), face.vertices.end());
    }
    return out;
}

const Wear* wear_of(const LandExport& options) { return options.lod == 0 ? options.wear1 : options.wear2; }

std::vector<float> flat(std::span<const Vec3> points) {
    std::vector<float> out;
    out.reserve(points.size() * 3);
    for (const Vec3 p : points) out.insert(out.end(), {p.x, p.y, p.z});
    return out;
}

}  // namespace

Result<Gltf> land_to_gltf(const LandMesh& mesh, const LandExport& options) {
    Gltf gltf;
    GltfSurfaces surfaces(gltf, SurfaceNames(wear_of(options), options.materials));
    const std::size_t vertices = mesh.positions.size();
    Json attributes = Json::object();
    if (vertices != 0) {
        attributes["POSITION"] = gltf.add_floats(flat(mesh.positions), 3, true, Gltf::Use::vertex);
        attributes["NORMAL"] = gltf.add_floats(export_normals(mesh.normals, vertices), 3, false, Gltf::Use::vertex);
        attributes["TEXCOORD_0"] = gltf.add_floats(export_uvs(mesh.uvs, vertices), 2, false, Gltf::Use::vertex);
    }
    std::vector<int> roots;
    for (std::uint32_t tile = 0; tile < mesh.tiles.size(); ++tile) {
        const MshSlot* slot = tile_slot(mesh, tile, options.lod);
        if (slot == nullptr) continue;
        Json primitives = Json::array();
        for (const auto& [surface, indices] : surfaces_of(mesh, *slot)) {
            IRON_TRY(const int material, surfaces.material(surface.material, false));
            Json extras{{"material", surface.material}};
            if (surface.blend != kNoBlend) extras["blend"] = surface.blend;
            primitives.push_back({{"attributes", attributes}, {"indices", gltf.add_indices(indices)}, {"material", material}, {"extras", std::move(extras)}});
        }
        if (primitives.empty()) continue;
        const std::string name = "tile " + std::to_string(tile / mesh.rows()) + ", " + std::to_string(tile % mesh.rows());
        const int index = gltf.add("meshes", Json{{"name", name}, {"primitives", std::move(primitives)}});
        roots.push_back(gltf.add("nodes", Json{{"name", name}, {"mesh", index}}));
    }
    gltf.set_scene(options.name, std::move(roots));
    return gltf;
}

Result<std::vector<OutputFile>> land_to_obj(const LandMesh& mesh, const LandExport& options, std::string_view stem) {
    ObjWriter out(std::string(stem), SurfaceNames(wear_of(options), options.materials));
    const std::vector<float> normals = export_normals(mesh.normals, mesh.positions.size());
    const std::vector<float> uvs = export_uvs(mesh.uvs, mesh.positions.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3 p = mesh.positions[v];
        out.vertex({p.x, p.z, -p.y}, {uvs[v * 2], uvs[v * 2 + 1]}, {normals[v * 3], normals[v * 3 + 2], -normals[v * 3 + 1]});
    }
    for (std::uint32_t tile = 0; tile < mesh.tiles.size(); ++tile) {
        const MshSlot* slot = tile_slot(mesh, tile, options.lod);
        if (slot == nullptr) continue;
        out.group("tile " + std::to_string(tile));
        for (const auto& [surface, indices] : surfaces_of(mesh, *slot)) {
            IRON_CHECK(out.use(surface.material));
            for (std::size_t i = 0; i + 2 < indices.size(); i += 3) out.face(indices[i] + 1u, indices[i + 1] + 1u, indices[i + 2] + 1u);
        }
    }
    return out.finish();
}

Gltf areals_to_gltf(const LandMap& map, std::string_view name) {
    constexpr int kLineLoop = 2;
    Gltf gltf;
    std::vector<int> roots;
    for (std::size_t i = 0; i < map.areals.size(); ++i) {
        const Areal& areal = map.areals[i];
        if (areal.vertices.size() < 2) continue;
        const std::string label = "areal " + std::to_string(i);
        const int positions = gltf.add_floats(flat(areal.vertices), 3, true, Gltf::Use::vertex);
        const int mesh = gltf.add("meshes", Json{{"name", label}, {"primitives", Json::array({Json{{"attributes", {{"POSITION", positions}}}, {"mode", kLineLoop}}})}});
        Json links = Json::array();
        for (const ArealLink& link : areal.links) links.push_back(link.areal);
        roots.push_back(gltf.add("nodes", Json{{"name", label}, {"mesh", mesh},
                                               {"extras", {{"logic_flag", areal.logic_flag}, {"class_id", areal.class_id}, {"neighbours", std::move(links)}}}}));
    }
    gltf.set_scene(name, std::move(roots));
    return gltf;
}

}  // namespace iron::interchange
