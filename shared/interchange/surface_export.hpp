// Materials of an export, shared by models and landscapes. Used by the mesh_export sources only.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "shared/asset/packed.hpp"
#include "shared/asset/wear.hpp"
#include "shared/interchange/gltf.hpp"
#include "shared/interchange/material_look.hpp"

namespace iron::interchange {

/// "row 3 WALL", or "row 3" without a table; materials by the row of a WEAR table.
class SurfaceNames {
public:
    SurfaceNames(const asset::Wear* wear, MaterialLibrary* library) : wear_(wear), library_(library) {}
    /// The material of a row as a plain description; a row beyond the table is row 0 (models.md 5.1).
    MaterialLook look(std::size_t row) const;
    /// Unique and readable.
    std::string label(std::size_t row) const;

private:
    const asset::Wear* wear_;
    MaterialLibrary* library_;
};

/// Adds materials to a glTF once each.
class GltfSurfaces {
public:
    GltfSurfaces(Gltf& gltf, SurfaceNames names) : gltf_(gltf), names_(names) {}
    /// Index of the glTF material. Error `png_error`.
    Result<int> material(std::size_t row, bool two_sided);

private:
    Gltf& gltf_;
    SurfaceNames names_;
    std::map<std::pair<std::size_t, bool>, int> made_;
};

/// Unit normals for viewers: zero ones point up.
std::vector<float> export_normals(std::span<const asset::PackedNormal> normals, std::size_t vertices);
std::vector<float> export_uvs(std::span<const asset::PackedUv> uvs, std::size_t vertices);

/// Collects OBJ text; Y up.
class ObjWriter {
public:
    ObjWriter(std::string stem, SurfaceNames names);
    /// Returns the OBJ number of the vertex (from 1); position and normal already in Y up.
    std::size_t vertex(Vec3 position, Vec2 uv, Vec3 normal);
    void group(std::string_view name);
    Status use(std::size_t row);
    void face(std::size_t a, std::size_t b, std::size_t c);
    std::vector<OutputFile> finish();

private:
    std::string stem_, obj_, mtl_;
    SurfaceNames names_;
    std::map<std::size_t, std::string> used_;
    std::vector<OutputFile> files_;
    std::size_t vertices_ = 0;
};

}  // namespace iron::interchange
