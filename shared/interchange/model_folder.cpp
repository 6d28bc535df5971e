#include "shared/interchange/model_folder.hpp"

#include <bit>
#include <set>

#include <nlohmann/json.hpp>

#include "shared/asset/msh_build.hpp"
#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/gltf_read.hpp"

namespace iron::interchange {
namespace fs = std::filesystem;
using namespace asset;

namespace {

constexpr std::string_view kFormat = "iron3d model folder";

tl::unexpected<Error> topology(std::string message) { return fail("model_topology", std::move(message)); }
tl::unexpected<Error> sidecar(std::string message) { return fail("model_sidecar", std::move(message)); }

OutputFile file_of(std::string_view name, std::string_view text) {
    const ByteView bytes = as_bytes(text);
    return {std::string(name), Bytes(bytes.begin(), bytes.end())};
}

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

/// What the exporter wrote for the original, against what the folder holds now.
class ModelEditor {
public:
    ModelEditor(MshModel& model, const GltfDocument& now, const GltfDocument& before, const MshProfile& profile)
        : model_(model), now_(now), before_(before), profile_(profile) {}

    Result<ModelChanges> run() {
        if (now_.list("nodes").size() != before_.list("nodes").size() || now_.list("meshes").size() != before_.list("meshes").size())
            return topology("nodes or meshes were added or removed");
        IRON_CHECK(structure());
        for (std::size_t m = 0; m < before_.list("meshes").size(); ++m) IRON_CHECK(mesh(m));
        for (std::size_t n = 0; n < model_.nodes.size(); ++n) IRON_CHECK(node(n));
        finish();
        return changes_;
    }

private:
    /// An accessor of both documents as floats; same length or an error.
    Status pair(const Json& now, const Json& before, const char* key, unsigned components, std::vector<float>& a, std::vector<float>& b) {
        IRON_TRY(const std::uint64_t first, gltf_index(now, key, now_.list("accessors").size()));
        IRON_TRY(const std::uint64_t second, gltf_index(before, key, before_.list("accessors").size()));
        IRON_TRY(a, now_.floats(first, components));
        IRON_TRY(b, before_.floats(second, components));
        if (a.size() != b.size()) return topology(std::string(key) + " has another count");
        return {};
    }

    /// What a folder cannot edit must not have been edited: the work would be lost silently.
    Status structure() {
        for (std::size_t n = 0; n < before_.list("nodes").size(); ++n)
            for (const char* key : {"name", "children", "mesh"}) {
                const Json* a = json_member(now_.list("nodes")[n], key);
                const Json* b = json_member(before_.list("nodes")[n], key);
                const bool scene = n >= model_.nodes.size() && std::string_view(key) == "name";
                if (!scene && ((a == nullptr) != (b == nullptr) || (a != nullptr && *a != *b)))
                    return topology("node " + std::to_string(n) + " has another " + key);
            }
        const Json &a = now_.list("animations"), &b = before_.list("animations");
        if (a.size() != b.size()) return topology("animations were added or removed");
        for (std::size_t i = 0; i < b.size(); ++i) {
            const Json* samplers = json_member(a[i], "samplers");
            if (samplers == nullptr || !samplers->is_array() || samplers->size() != b[i]["samplers"].size())
                return topology("an animation has other samplers");
            for (std::size_t k = 0; k < samplers->size(); ++k) {
                const unsigned components = b[i]["channels"][k]["target"]["path"] == "rotation" ? 4 : 3;
                std::vector<float> first, second;
                IRON_CHECK(pair((*samplers)[k], b[i]["samplers"][k], "output", components, first, second));
                if (first != second) return topology("an animation was edited; only rest poses can be");
            }
        }
        return {};
    }

    Status mesh(std::size_t index) {
        const Json* now = json_member(now_.list("meshes")[index], "primitives");
        const Json* before = json_member(before_.list("meshes")[index], "primitives");
        if (now == nullptr || !now->is_array() || now->size() != before->size()) return topology("a mesh has other primitives");
        for (std::size_t p = 0; p < before->size(); ++p) {
            const Json* attributes = json_member((*now)[p], "attributes");
            if (attributes == nullptr) return topology("a primitive has no attributes");
            // The streams are shared by all primitives: once is enough.
            if (!streams_done_) IRON_CHECK(streams(*attributes, (*before)[p]["attributes"]));
            streams_done_ = true;
            IRON_CHECK(primitive((*now)[p], (*before)[p]));
        }
        return {};
    }

    Status streams(const Json& now, const Json& before) {
        std::vector<float> a, b;
        IRON_CHECK(pair(now, before, "POSITION", 3, a, b));
        for (std::size_t v = 0; v < model_.positions.size() && v * 3 + 2 < a.size(); ++v) {
            const float* p = a.data() + v * 3;
            if (same_bits(p[0], b[v * 3]) && same_bits(p[1], b[v * 3 + 1]) && same_bits(p[2], b[v * 3 + 2])) continue;
            const Vec3 position{p[0], p[1], p[2]};
            if (!is_finite(position)) return fail("msh_authoring", "a position is not finite");
            model_.positions[v] = position;
            moved_.insert(static_cast<std::uint32_t>(v));
            ++changes_.positions;
        }
        if (!model_.normals.empty()) {
            IRON_CHECK(pair(now, before, "NORMAL", 3, a, b));
            for (std::size_t v = 0; v < model_.normals.size() && v * 3 + 2 < a.size(); ++v) {
                const float* n = a.data() + v * 3;
                if (same_bits(n[0], b[v * 3]) && same_bits(n[1], b[v * 3 + 1]) && same_bits(n[2], b[v * 3 + 2])) continue;
                const std::uint8_t fourth = model_.normals[v].w;
                model_.normals[v] = pack_normal({n[0], n[1], n[2]});
                model_.normals[v].w = fourth;
                ++changes_.normals;
            }
        }
        if (!model_.uvs.empty()) {
            IRON_CHECK(pair(now, before, "TEXCOORD_0", 2, a, b));
            for (std::size_t v = 0; v < model_.uvs.size() && v * 2 + 1 < a.size(); ++v) {
                if (same_bits(a[v * 2], b[v * 2]) && same_bits(a[v * 2 + 1], b[v * 2 + 1])) continue;
                model_.uvs[v] = pack_uv({a[v * 2], a[v * 2 + 1]});
                ++changes_.uvs;
            }
        }
        return {};
    }

    Status primitive(const Json& now, const Json& before) {
        const std::size_t number = before["extras"]["batch"].get<std::size_t>();  // our own export
        IRON_TRY(const std::uint64_t first, gltf_index(now, "indices", now_.list("accessors").size()));
        IRON_TRY(const std::uint64_t second, gltf_index(before, "indices", before_.list("accessors").size()));
        IRON_TRY(const std::vector<std::uint32_t> a, now_.indices(first));
        IRON_TRY(const std::vector<std::uint32_t> b, before_.indices(second));
        if (a.size() != b.size()) return topology("a primitive has another number of triangles");
        const MshBatch& batch = model_.batches[number];
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i] == b[i]) continue;
            if (a[i] >= model_.positions.size()) return topology("an index is beyond the vertices");
            if (a[i] < batch.base_vertex || a[i] - batch.base_vertex > 0xFFFF)
                return fail("msh_authoring", "an index does not fit its batch's base vertex");
            model_.indices[batch.first_index + i] = static_cast<std::uint16_t>(a[i] - batch.base_vertex);
            ++changes_.indices;
        }
        return {};
    }

    /// Floats of a node's member, defaults when absent.
    static Result<std::vector<float>> member(const Json& node, const char* key, std::vector<float> defaults) {
        const Json* value = json_member(node, key);
        if (value == nullptr) return defaults;
        if (!value->is_array() || value->size() != defaults.size()) return fail("gltf_invalid", std::string("a node's ") + key + " is malformed");
        for (std::size_t i = 0; i < defaults.size(); ++i) {
            IRON_TRY(defaults[i], float_from_json((*value)[i], key));
        }
        return defaults;
    }

    Status node(std::size_t index) {
        const Json& now = now_.list("nodes")[index];
        const Json& before = before_.list("nodes")[index];
        if (json_member(now, "matrix") != nullptr || json_member(now, "scale") != nullptr)
            return fail("gltf_unsupported", "a node has a matrix or a scale; models know position and rotation only");
        IRON_TRY(const auto t, member(now, "translation", {0, 0, 0}));
        IRON_TRY(const auto old_t, member(before, "translation", {0, 0, 0}));
        IRON_TRY(const auto r, member(now, "rotation", {0, 0, 0, 1}));
        IRON_TRY(const auto old_r, member(before, "rotation", {0, 0, 0, 1}));
        if (t == old_t && r == old_r) return {};
        if (model_.keys.empty()) return topology("the model has no keys to hold a changed pose");
        MshKey& key = model_.keys[model_.nodes[index].fallback_key];
        if (t != old_t) key.position = {t[0], t[1], t[2]};
        if (r != old_r) key.rotation = encode_rotation({r[3], -r[0], -r[1], -r[2]}, profile_.quat_order);
        ++changes_.poses;
        return {};
    }

    /// Bounds of the slots that use a moved vertex; the header when anything moved.
    void finish() {
        if (changes_.positions != 0)
            for (std::size_t s = 0; s < model_.slots.size(); ++s)
                if (uses_moved(model_.slots[s])) update_slot_bounds(model_, s);
        if (changes_.positions != 0 || changes_.poses != 0) model_.header = canonical_header(model_, profile_);
    }

    bool uses_moved(const MshSlot& slot) const {
        for (std::uint32_t b = slot.first_batch; b < std::uint32_t{slot.first_batch} + slot.batch_count; ++b) {
            const MshBatch& batch = model_.batches[b];
            for (std::uint32_t i = 0; i < batch.index_count; ++i)
                if (moved_.count(batch.base_vertex + model_.indices[batch.first_index + i]) != 0) return true;
        }
        return false;
    }

    MshModel& model_;
    const GltfDocument& now_;
    const GltfDocument& before_;
    MshProfile profile_;
    ModelChanges changes_;
    std::set<std::uint32_t> moved_;
    bool streams_done_ = false;
};

Json sidecar_json(ByteView container, const ModelExport& options) {
    return Json{{"format", kFormat},
                {"version", 1},
                {"name", options.name},
                {"original", kModelOriginal},
                {"sha256", to_hex(sha256(container))},
                {"quat_order", options.profile.quat_order == QuatOrder::xyzw ? "xyzw" : "wxyz"},
                {"batch_row", options.profile.batch_row == BatchRow::word2 ? "word2" : "byte4"},
                {"state", options.state},
                {"lod", options.lod},
                {"frames_per_second", options.frames_per_second},
                {"note", "Edit positions, normals, texture coordinates, indices and rest poses in the glTF; counts, names and the "
                         "order of nodes, meshes, primitives and the animation must stay. Everything else comes from the original."}};
}

Result<ModelExport> options_from(const Json& json) {
    ModelExport options;
    IRON_TRY(const std::string format, json_string(json, "format"));
    IRON_TRY(const std::uint64_t version, json_unsigned(json, "version", 0xFFFF));
    if (format != kFormat || version != 1) return sidecar("the folder was not written by this version of `model unpack`");
    IRON_TRY(const std::string quat, json_string(json, "quat_order"));
    IRON_TRY(const std::string row, json_string(json, "batch_row"));
    if (quat == "wxyz") options.profile.quat_order = QuatOrder::wxyz;
    if (row == "byte4") options.profile.batch_row = BatchRow::byte4;
    IRON_TRY(const std::uint64_t state, json_unsigned(json, "state", 2));
    IRON_TRY(const std::uint64_t lod, json_unsigned(json, "lod", 4));
    options.state = static_cast<unsigned>(state);
    options.lod = static_cast<unsigned>(lod);
    return options;
}

}  // namespace

Result<std::vector<OutputFile>> unpack_model(ByteView container, const ModelExport& options, ReadContext& context) {
    IRON_TRY(const MshModel model, read_msh(container, context));
    IRON_TRY(const Gltf gltf, model_to_gltf(model, options));
    std::vector<OutputFile> out = gltf.files("model");
    out.push_back({std::string(kModelOriginal), Bytes(container.begin(), container.end())});
    out.push_back(file_of(kModelSidecar, dump_json(sidecar_json(container, options))));
    return out;
}

Result<PackedModel> pack_model(const fs::path& folder) {
    IRON_TRY(const Bytes text, read_file(folder / std::string(kModelSidecar)));
    IRON_TRY(const Json json, parse_json(as_text(text), kModelSidecar));
    IRON_TRY(const ModelExport options, options_from(json));
    IRON_TRY(Bytes original, read_file(folder / std::string(kModelOriginal)));
    IRON_TRY(const std::string digest, json_string(json, "sha256"));
    if (digest != to_hex(sha256(original))) return sidecar("original.msh is not the file the folder was made from");
    ReadContext context;
    context.profile = ReadProfile::compatible;
    IRON_TRY(MshModel model, read_msh(original, context));

    // The exporter's own output for the original is what the folder held at first.
    IRON_TRY(const Gltf exported, model_to_gltf(model, options));
    IRON_TRY(const GltfDocument before, GltfDocument::parse(exported.glb(), {}, "export"));
    IRON_TRY(const GltfDocument now, GltfDocument::read(folder / std::string(kModelGltf)));
    PackedModel out;
    IRON_TRY(out.changes, ModelEditor(model, now, before, options.profile).run());
    if (!out.changes.any()) {
        out.bytes = std::move(original);
        return out;
    }
    IRON_TRY(out.bytes, write_msh(model));
    ReadContext check;
    check.profile = ReadProfile::compatible;
    IRON_TRY([[maybe_unused]] const MshModel again, read_msh(out.bytes, check));
    return out;
}

}  // namespace iron::interchange
