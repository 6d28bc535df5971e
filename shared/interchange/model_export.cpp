// Models as glTF and OBJ.
#include <nlohmann/json.hpp>

#include "shared/asset/model_pose.hpp"
#include "shared/interchange/mesh_export.hpp"
#include "shared/interchange/surface_export.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

constexpr std::uint32_t kMostFrames = 100'000;

/// Indices of a batch's whole triangles into the vertex streams.
std::vector<std::uint32_t> batch_indices(const MshModel& model, const MshBatch& batch) {
    std::vector<std::uint32_t> out;
    const std::uint32_t count = batch.index_count - batch.index_count % 3u;
    out.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(batch.base_vertex + model.indices[batch.first_index + i]);
    return out;
}

/// glTF rotates by the quaternion itself, the game by its conjugate (models.md 9.5).
std::array<float, 4> export_rotation(const Quat& q) {
    const float size = sqrt_f(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(size > 1e-6f)) return {0, 0, 0, 1};
    return {-q.x / size, -q.y / size, -q.z / size, q.w / size};
}

std::string node_name(const MshModel& model, std::size_t node) {
    const std::string_view text = model.node_string(node);
    return text.empty() ? "node " + std::to_string(node) : display_text(text);
}

class ModelWriter {
public:
    ModelWriter(const MshModel& model, const ModelExport& options)
        : model_(model), options_(options), surfaces_(gltf_, SurfaceNames(options.wear, options.materials)) {}

    Result<Gltf> run() {
        add_streams();
        std::vector<int> roots;
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            IRON_CHECK(add_node(i));
        }
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            const std::uint16_t parent = model_.nodes[i].parent;
            if (parent == kNone16 || model_.flat_hierarchy)
                roots.push_back(static_cast<int>(i));
            else
                gltf_.item("nodes", parent)["children"].push_back(i);
        }
        add_animation();
        gltf_.set_scene(options_.name, std::move(roots));
        return std::move(gltf_);
    }

private:
    void add_streams() {
        const std::size_t vertices = model_.positions.size();
        if (vertices == 0) return;
        std::vector<float> positions;
        positions.reserve(vertices * 3);
        for (const Vec3 p : model_.positions) positions.insert(positions.end(), {p.x, p.y, p.z});
        attributes_["POSITION"] = gltf_.add_floats(positions, 3, true, Gltf::Use::vertex);
        if (!model_.normals.empty())
            attributes_["NORMAL"] = gltf_.add_floats(export_normals(model_.normals, vertices), 3, false, Gltf::Use::vertex);
        if (!model_.uvs.empty())
            attributes_["TEXCOORD_0"] = gltf_.add_floats(export_uvs(model_.uvs, vertices), 2, false, Gltf::Use::vertex);
    }

    /// Index of the mesh of a slot, -1 when nothing of it is drawn.
    Result<int> add_mesh(std::uint16_t slot, const std::string& name) {
        Json primitives = Json::array();
        const MshSlot& s = model_.slots[slot];
        for (std::uint32_t b = s.first_batch; b < std::uint32_t{s.first_batch} + s.batch_count; ++b) {
            const MshBatch& batch = model_.batches[b];
            const std::vector<std::uint32_t> indices = batch_indices(model_, batch);
            if (indices.empty()) continue;
            const bool two_sided = (batch.flags & batch_flag::kTwoSided) != 0;
            IRON_TRY(const int material, surfaces_.material(batch.row(options_.profile.batch_row), two_sided));
            primitives.push_back({{"attributes", attributes_}, {"indices", gltf_.add_indices(indices)}, {"material", material},
                                  {"extras", {{"batch", b}, {"flags", batch.flags}}}});
        }
        if (primitives.empty()) return -1;
        return gltf_.add("meshes", Json{{"name", name}, {"primitives", std::move(primitives)}, {"extras", {{"slot", slot}}}});
    }

    Status add_node(std::size_t index) {
        const MshNode& node = model_.nodes[index];
        const Pose pose = fallback_local_pose(model_, index, options_.profile);
        Json out{{"name", node_name(model_, index)}};
        const std::array<float, 4> rotation = export_rotation(pose.rotation);
        if (rotation != std::array<float, 4>{-0.0f, -0.0f, -0.0f, 1}) out["rotation"] = rotation;
        if (pose.position != Vec3{}) out["translation"] = {pose.position.x, pose.position.y, pose.position.z};
        out["extras"] = {{"node", index}, {"flags", node.flags}};
        const std::uint16_t slot = node.slot(options_.state, options_.lod);
        if (slot != kNone16) {
            IRON_TRY(const int mesh, add_mesh(slot, node_name(model_, index)));
            if (mesh >= 0) out["mesh"] = mesh;
        }
        gltf_.add("nodes", std::move(out));
        return {};
    }

    void add_animation() {
        const std::uint32_t frames = std::min(model_.frame_count, kMostFrames);
        if (frames < 2 || model_.frame_map.empty()) return;
        std::vector<float> times(frames);
        for (std::uint32_t f = 0; f < frames; ++f) times[f] = static_cast<float>(f) / options_.frames_per_second;
        int input = -1;
        Json samplers = Json::array(), channels = Json::array();
        const auto add_channel = [&](std::size_t node, const char* path, int output) {
            channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", path}}}});
            samplers.push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
        };
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            if (model_.nodes[i].map_start == kNone16) continue;
            std::vector<float> positions, rotations;
            for (std::uint32_t f = 0; f < frames; ++f) {
                const Pose pose = sample_node(model_, i, static_cast<float>(f), options_.profile);
                positions.insert(positions.end(), {pose.position.x, pose.position.y, pose.position.z});
                const auto q = export_rotation(pose.rotation);
                rotations.insert(rotations.end(), q.begin(), q.end());
            }
            if (input < 0) input = gltf_.add_floats(times, 1, true, Gltf::Use::animation);
            add_channel(i, "translation", gltf_.add_floats(positions, 3, false, Gltf::Use::animation));
            add_channel(i, "rotation", gltf_.add_floats(rotations, 4, false, Gltf::Use::animation));
        }
        if (!channels.empty())
            gltf_.add("animations", Json{{"name", options_.name}, {"channels", std::move(channels)}, {"samplers", std::move(samplers)}});
    }

    const MshModel& model_;
    const ModelExport& options_;
    Gltf gltf_;
    GltfSurfaces surfaces_;
    Json attributes_ = Json::object();
};

Vec3 y_up(Vec3 v) { return {v.x, v.z, -v.y}; }

}  // namespace

Result<Gltf> model_to_gltf(const MshModel& model, const ModelExport& options) { return ModelWriter(model, options).run(); }

Result<std::vector<OutputFile>> model_to_obj(const MshModel& model, const ModelExport& options, std::string_view stem) {
    ObjWriter out(std::string(stem), SurfaceNames(options.wear, options.materials));
    const std::vector<Mat34> matrices = fallback_pose(model, options.profile);
    const std::vector<float> normals = export_normals(model.normals, model.positions.size());
    const std::vector<float> uvs = export_uvs(model.uvs, model.positions.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const std::uint16_t slot = model.nodes[n].slot(options.state, options.lod);
        if (slot == kNone16) continue;
        out.group(node_name(model, n));
        std::map<std::uint32_t, std::size_t> numbers;  // a vertex may belong to several nodes
        const auto vertex = [&](std::uint32_t v) {
            const auto [it, fresh] = numbers.try_emplace(v, 0);
            if (fresh)
                it->second = out.vertex(y_up(transform_point(matrices[n], model.positions[v])), {uvs[v * 2], uvs[v * 2 + 1]},
                                        y_up(transform_direction(matrices[n], {normals[v * 3], normals[v * 3 + 1], normals[v * 3 + 2]})));
            return it->second;
        };
        const MshSlot& s = model.slots[slot];
        for (std::uint32_t b = s.first_batch; b < std::uint32_t{s.first_batch} + s.batch_count; ++b) {
            const std::vector<std::uint32_t> indices = batch_indices(model, model.batches[b]);
            for (std::size_t i = 0; i < indices.size(); ++i) vertex(indices[i]);
            if (!indices.empty()) IRON_CHECK(out.use(model.batches[b].row(options.profile.batch_row)));
            for (std::size_t i = 0; i < indices.size(); i += 3) out.face(vertex(indices[i]), vertex(indices[i + 1]), vertex(indices[i + 2]));
        }
    }
    return out.finish();
}

}  // namespace iron::interchange
