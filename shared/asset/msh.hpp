// Models: MSH containers with geometry, hierarchy and animation keys. Source: models.md.
// Poses over time are in model_pose.hpp, authoring helpers in msh_build.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/asset/packed.hpp"
#include "shared/asset/pose_math.hpp"
#include "shared/asset/stream.hpp"
#include "shared/base/bytes.hpp"
#include "shared/base/diagnostics.hpp"

namespace iron::asset {

/// Stream types of models and landscapes (models.md 1, terrain.md 1).
namespace stream_type {
inline constexpr std::uint32_t kNodes = 1, kSlots = 2, kPositions = 3, kNormals = 4, kUvs = 5,
                               kIndices = 6, kTriangles = 7, kKeys = 8, kService = 9,
                               kNodeStrings = 10, kFaceRefs = 11, kAreals = 12, kBatches = 13,
                               kLandAuxiliary = 14, kAuxiliary = 15, kTangents = 16, kExtra = 17,
                               kVertexExtra = 18, kFrameMap = 19, kLights = 20, kFaces = 21;
}  // namespace stream_type

/// Disputed readings, decided once per content layer (head of models.md); never per model.
enum class QuatOrder : std::uint8_t { xyzw, wxyz };
enum class BatchRow : std::uint8_t { word2, byte4 };
struct MshProfile {
    QuatOrder quat_order = QuatOrder::xyzw;
    BatchRow batch_row = BatchRow::word2;
    bool operator==(const MshProfile&) const = default;
};

/// Bits of MshNode::flags (models.md 2.2, inferred).
namespace node_flag {
inline constexpr std::uint16_t kCentral = 0x0001, kStopBounds = 0x0004, kStopChildren = 0x0010,
                               kLod4Mode = 0x0020, kNoShadow = 0x0040, kNoCentralDamage = 0x0100,
                               kFatal = 0x0200, kInheritLife = 0x0400, kCheckCentral = 0x0800;
}  // namespace node_flag

/// Type 1. Slot word `state * 5 + lod`; states: 0 regular, 1 collapsed, 2 unknown (models.md 2.1).
struct MshNode {
    std::uint16_t flags = 0;
    std::uint16_t parent = kNone16;      ///< smaller than the node's own index
    std::uint16_t map_start = kNone16;   ///< first word of this node's block in the frame map
    std::uint16_t fallback_key = 0;      ///< index into keys
    std::array<std::uint16_t, 15> slots{
        kNone16, kNone16, kNone16, kNone16, kNone16, kNone16, kNone16, kNone16,
        kNone16, kNone16, kNone16, kNone16, kNone16, kNone16, kNone16};

    /// kNone16 = no geometry; state 0..2, lod 0 (finest)..4.
    std::uint16_t slot(unsigned state, unsigned lod) const {
        return state < 3 && lod < 5 ? slots[state * 5 + lod] : kNone16;
    }
    bool operator==(const MshNode&) const = default;
};

/// First 0x8C bytes of type 2 (models.md 3.1); floats bit-exact.
struct MshHeader {
    std::array<Vec3, 8> corners{};
    Vec3 sphere_centre;
    float sphere_radius = 0;
    Vec3 segment_bottom, segment_top;
    float segment_radius = 0;
};

/// Slot: 68 bytes of type 2 (models.md 3.2), bounds local to the node.
struct MshSlot {
    std::uint16_t first_triangle = 0;  ///< type 7; on landscapes: type 11 and type 21
    std::uint16_t triangle_count = 0;
    std::uint16_t first_batch = 0;
    std::uint16_t batch_count = 0;
    Vec3 box_min, box_max;
    Vec3 sphere_centre;
    float sphere_radius = 0;
    float base_area = 0;    ///< inferred: XY area before scale
    float base_volume = 0;  ///< inferred
    std::array<std::uint32_t, 3> opaque{};

    Aabb box() const { return {box_min, box_max, true}; }
};

/// Bits of MshBatch::flags (models.md 5.2, inferred).
namespace batch_flag {
inline constexpr std::uint16_t kImmediate = 0x0001, kTwoSided = 0x0002, kObjectPhase = 0x0004,
                               kSpecial = 0x0008, kSuppressed = 0x0020, kSecondPass = 0x0100,
                               kCpuLights = 0x0800, kLightmap = 0x2000, kFacingEarlyOut = 0x4000;
}  // namespace batch_flag

/// Type 13, 20 bytes (models.md 5). vertex = base_vertex + indices[first_index + i].
struct MshBatch {
    std::uint16_t flags = 0;
    std::uint16_t word2 = 0;         ///< WEAR row or table (BatchRow)
    std::uint8_t byte4 = 0;          ///< 0 or WEAR row (BatchRow)
    std::uint8_t lightmap_row = 0;   ///< only with batch_flag::kLightmap
    std::uint16_t local_number = 0;  ///< position inside its slot (inferred)
    std::uint16_t index_count = 0;
    std::uint32_t first_index = 0;
    std::uint16_t vertex_count = 0;  ///< distinct indices used (inferred)
    std::uint32_t base_vertex = 0;

    std::uint32_t row(BatchRow field) const { return field == BatchRow::word2 ? word2 : byte4; }
    std::uint32_t table(BatchRow field) const { return field == BatchRow::word2 ? 0u : word2; }
    bool operator==(const MshBatch&) const = default;
};

/// Type 7, 16 bytes (models.md 6). Triangle i of a slot is the i-th index triple over its batches.
struct MshTriangle {
    std::uint16_t flags = 0;
    std::array<std::uint16_t, 3> neighbours{kNone16, kNone16, kNone16};  ///< indices into type 7
    std::array<std::int16_t, 3> normal{};                                ///< c / 32767
    std::uint16_t selectors = 0x003F;  ///< three 2-bit values, 3 = none
    bool operator==(const MshTriangle&) const = default;
};

/// Type 8, 24 bytes (models.md 9.1). The four raw words are kept; decode with `decode_key`.
struct MshKey {
    Vec3 position;
    float time = 0;  ///< frames
    std::array<std::int16_t, 4> rotation{};
};
/// Position and rotation of a key; not normalised.
Pose decode_key(const MshKey& key, QuatOrder order);
/// Raw words of a rotation: round(q * 32767), clamped.
std::array<std::int16_t, 4> encode_rotation(const Quat& q, QuatOrder order);

/// Type 10 record. `raw` are the L bytes (CP1251), the value ends at the first NUL inside.
struct MshNodeString {
    std::string raw;
    std::uint8_t terminator = 0;  ///< the byte after them; present only when raw is not empty

    std::string_view view() const { return std::string_view(raw).substr(0, raw.find('\0')); }
};

enum class MshVariant : std::uint8_t { model, landscape };
/// Decides by the streams present. Error `unknown_msh_variant`.
Result<MshVariant> detect_msh_variant(const StreamSource& source);
Result<MshVariant> detect_msh_variant(ByteView container, ReadContext& ctx);

/// A whole model. Typed streams win over `source` when written; the streams without a type here
/// (9, 15, 16, 17, 18, 20, unknown ones) live in `source.streams` only.
struct MshModel {
    std::vector<MshNode> nodes;
    std::uint32_t node_stride = 38;  ///< 24 in one known file: its records are copied through
    MshHeader header;
    std::vector<MshSlot> slots;
    std::vector<Vec3> positions;
    std::vector<PackedNormal> normals;
    std::vector<PackedUv> uvs;
    std::vector<std::uint16_t> indices;
    std::vector<MshTriangle> triangles;
    std::vector<MshBatch> batches;
    std::vector<MshKey> keys;
    std::vector<std::uint16_t> frame_map;
    std::uint32_t frame_count = 1;  ///< attr2 of type 19
    std::vector<MshNodeString> node_strings;  ///< one per node, or empty when type 10 is missing
    Bytes node_strings_tail;                  ///< compatible profile: bytes after the last record
    bool flat_hierarchy = false;  ///< compatible profile: a parent is not below its child (8.1)

    StreamSource source;

    /// Text of a node's string, empty when there is none.
    std::string_view node_string(std::size_t node) const {
        return node < node_strings.size() ? node_strings[node].view() : std::string_view{};
    }
};

/// Reads a model container. Errors: those of NRes, `unknown_msh_variant`, `msh_missing_stream`,
/// `msh_duplicate_stream`, `msh_bad_stride`, `msh_bad_size`, `msh_bad_reference`, `msh_bad_bounds`,
/// `msh_non_finite`, `msh_bad_parent`, `msh_bad_times`, `msh_bad_string`, `trailing_bytes`.
Result<MshModel> read_msh(ByteView container, ReadContext& ctx);

/// Lossless: an unchanged model gives its original bytes; edits change the streams concerned and
/// their attr1 (type 19: also attr2). A model without an image is written canonically.
/// Errors: authoring limits of models.md 11 (`msh_authoring`).
Result<Bytes> write_msh(const MshModel& model);

/// A fresh container with the streams 1 2 3 4 5 [18] 15 13 6 7 8 19 9 10 17 [20] and then any
/// unknown ones. `entry_name` is given to every stream that has no name of its own.
Result<Bytes> write_msh_canonical(const MshModel& model, std::string_view entry_name = "one");

/// Matrix of every node in model space with every node in its fallback key (8.1, 9.5), the root's
/// own pose included. Identity keys when type 8 is missing.
std::vector<Mat34> fallback_pose(const MshModel& model, const MshProfile& profile);
/// Local pose of one node's fallback key; identity when there are no keys.
Pose fallback_local_pose(const MshModel& model, std::size_t node, const MshProfile& profile);

/// Bounds of one joint in model space (8.3). `matrices` as from fallback_pose or a sampled pose;
/// `single` stops at the piece itself.
Aabb joint_box(const MshModel& model, std::span<const Mat34> matrices, std::size_t node,
               bool single, unsigned state = 0);

/// Sphere of one joint (8.3): its slot's when `single`, the cached model sphere for node 0, else the
/// sphere around the subtree box (not a tight one). Radius 0 at the origin without geometry.
BoundingSphere joint_sphere(const MshModel& model, std::span<const Mat34> matrices, std::size_t node,
                            bool single, unsigned state = 0);

/// Type 20 record (models.md 10, inferred); the raw words stay in `source`.
struct MshLight {
    std::int32_t piece = 0;
    Vec3 position, direction;       ///< local to the piece
    std::array<float, 4> colour{};
    float intensity = 0;            ///< used times 3
};
/// Lights of a model; empty without type 20. Bytes after the last whole record are ignored.
std::vector<MshLight> decode_lights(const MshModel& model);

/// Evidence for the disputed readings, collected over all models of one content layer.
class MshProfileScan {
public:
    /// `wear_rows`: row count of the model's WEAR, nullopt when it has none.
    void add(const MshModel& model, std::optional<std::size_t> wear_rows);
    /// Diagnostics `batch_row_undecided`, `quat_order_undecided` when the data give no verdict.
    MshProfile verdict(ReadContext& ctx) const;

private:
    std::uint64_t keys_w_first_ = 0, keys_w_last_ = 0;   // A and B of models.md 9.1
    std::uint64_t word2_used_ = 0, byte4_used_ = 0;      // W and Y of models.md 5.1
    bool word2_in_range_ = true, byte4_in_range_ = true;
};

}  // namespace iron::asset
