#include "shared/interchange/surface_export.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/asset/packed.hpp"
#include "shared/interchange/png.hpp"
#include "shared/interchange/safe_name.hpp"

namespace iron::interchange {
namespace {

Json pbr_json(const MaterialLook& look) {
    return Json{{"baseColorFactor", {look.colour[0], look.colour[1], look.colour[2], look.colour[3]}},
                {"metallicFactor", 0.0},
                {"roughnessFactor", 1.0}};
}

std::string number(float v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(v));
    return text;
}

}  // namespace

MaterialLook SurfaceNames::look(std::size_t row) const {
    MaterialLook plain;
    plain.name = "row " + std::to_string(row);
    if (wear_ == nullptr || wear_->materials.empty()) return plain;
    const std::string& name = wear_->materials[row < wear_->materials.size() ? row : 0].name;
    if (library_ != nullptr) return library_->look(name);
    plain.name = display_text(name);
    return plain;
}

std::string SurfaceNames::label(std::size_t row) const {
    const std::string name = look(row).name, plain = "row " + std::to_string(row);
    return name == plain ? plain : plain + " " + name;
}

Result<int> GltfSurfaces::material(std::size_t row, bool two_sided) {
    const auto [it, fresh] = made_.try_emplace({row, two_sided}, 0);
    if (!fresh) return it->second;
    const MaterialLook look = names_.look(row);
    Json material{{"name", look.name}, {"pbrMetallicRoughness", pbr_json(look)}};
    if (look.image) {
        IRON_TRY(Bytes png, encode_png(*look.image));
        material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", gltf_.add_texture(look.texture, std::move(png))}};
    }
    if (look.emissive != std::array<float, 3>{}) material["emissiveFactor"] = look.emissive;
    if (look.alpha == AlphaMode::mask) material["alphaMode"] = "MASK";
    if (look.alpha == AlphaMode::blend) material["alphaMode"] = "BLEND";
    if (two_sided) material["doubleSided"] = true;
    material["extras"] = {{"wear_row", row}};
    if (!look.problem.empty()) material["extras"]["problem"] = look.problem;
    it->second = gltf_.add("materials", std::move(material));
    return it->second;
}

std::vector<float> export_normals(std::span<const asset::PackedNormal> normals, std::size_t vertices) {
    std::vector<float> out;
    out.reserve(vertices * 3);
    for (std::size_t i = 0; i < vertices; ++i) {
        Vec3 n = i < normals.size() ? asset::unpack_normal(normals[i]) : Vec3{0, 0, 1};
        const float size = length(n);
        n = size > 1e-6f ? n * (1 / size) : Vec3{0, 0, 1};
        out.insert(out.end(), {n.x, n.y, n.z});
    }
    return out;
}

std::vector<float> export_uvs(std::span<const asset::PackedUv> uvs, std::size_t vertices) {
    std::vector<float> out;
    out.reserve(vertices * 2);
    for (std::size_t i = 0; i < vertices; ++i) {
        const Vec2 uv = i < uvs.size() ? asset::unpack_uv(uvs[i]) : Vec2{};
        out.insert(out.end(), {uv.x, uv.y});
    }
    return out;
}

ObjWriter::ObjWriter(std::string stem, SurfaceNames names) : stem_(std::move(stem)), names_(names) {
    obj_ = "# iron3d\nmtllib " + stem_ + ".mtl\n";
    mtl_ = "# iron3d\n";
}

std::size_t ObjWriter::vertex(Vec3 p, Vec2 uv, Vec3 n) {
    // The texture's first row is its top here, its bottom in OBJ.
    obj_ += "v " + number(p.x) + " " + number(p.y) + " " + number(p.z) + "\nvt " + number(uv.x) + " " + number(1 - uv.y) + "\nvn " +
            number(n.x) + " " + number(n.y) + " " + number(n.z) + "\n";
    return ++vertices_;
}

void ObjWriter::group(std::string_view name) { obj_ += "g " + safe_file_name(name) + "\n"; }

Status ObjWriter::use(std::size_t row) {
    const auto [it, fresh] = used_.try_emplace(row, safe_file_name(names_.label(row)));
    obj_ += "usemtl " + it->second + "\n";
    if (!fresh) return {};
    const MaterialLook look = names_.look(row);
    mtl_ += "newmtl " + it->second + "\nKd " + number(look.colour[0]) + " " + number(look.colour[1]) + " " + number(look.colour[2]) +
            "\nd " + number(look.colour[3]) + "\n";
    if (!look.image) return {};
    const std::string file = safe_file_name(look.texture) + ".png";
    mtl_ += "map_Kd " + file + "\n";
    for (const OutputFile& existing : files_)
        if (existing.name == file) return {};
    IRON_TRY(Bytes png, encode_png(*look.image));
    files_.push_back({file, std::move(png)});
    return {};
}

void ObjWriter::face(std::size_t a, std::size_t b, std::size_t c) {
    obj_ += "f";
    for (const std::size_t v : {a, b, c}) {
        const std::string n = std::to_string(v);
        obj_ += " " + n + "/" + n + "/" + n;
    }
    obj_ += "\n";
}

std::vector<OutputFile> ObjWriter::finish() {
    const auto bytes = [](const std::string& text) {
        const ByteView view = as_bytes(text);
        return Bytes(view.begin(), view.end());
    };
    std::vector<OutputFile> out{{stem_ + ".obj", bytes(obj_)}, {stem_ + ".mtl", bytes(mtl_)}};
    for (OutputFile& file : files_) out.push_back(std::move(file));
    return out;
}

}  // namespace iron::interchange
