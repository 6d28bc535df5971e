// Reading and writing of the container; the checks are in msh_check.cpp.
#include "shared/asset/msh.hpp"

#include <algorithm>
#include <string>

#include "shared/asset/msh_check.hpp"
#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

namespace st = stream_type;

/// Canonical order of models.md 1 and 11.1; optional ones are written only when present.
struct StreamRule {
    std::uint32_t type;
    std::uint32_t attr3;
    bool typed;
};
constexpr StreamRule kRules[] = {
    {st::kNodes, 38, true},     {st::kSlots, 68, true},       {st::kPositions, 12, true},
    {st::kNormals, 4, true},    {st::kUvs, 4, true},          {st::kVertexExtra, 4, false},
    {st::kAuxiliary, 8, false}, {st::kBatches, 20, true},     {st::kIndices, 2, true},
    {st::kTriangles, 16, true}, {st::kKeys, 4, true},         {st::kFrameMap, 2, true},
    {st::kService, 0, false},   {st::kNodeStrings, 0, true},  {st::kExtra, 0, false},
    {st::kLights, 48, false}};

const StreamRule* find_rule(std::uint32_t type) {
    for (const auto& r : kRules)
        if (r.type == type) return &r;
    return nullptr;
}

std::vector<MshBatch> decode_batches(ByteView bytes) {
    std::vector<MshBatch> out(bytes.size() / 20);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint8_t* p = bytes.data() + i * 20;
        out[i] = {load_le<std::uint16_t>(p),      load_le<std::uint16_t>(p + 2), p[4], p[5],
                  load_le<std::uint16_t>(p + 6),  load_le<std::uint16_t>(p + 8),
                  load_le<std::uint32_t>(p + 10), load_le<std::uint16_t>(p + 14),
                  load_le<std::uint32_t>(p + 16)};
    }
    return out;
}

Bytes encode_batches(const std::vector<MshBatch>& batches) {
    ByteWriter out;
    for (const MshBatch& b : batches) {
        out.u16(b.flags);
        out.u16(b.word2);
        out.u8(b.byte4);
        out.u8(b.lightmap_row);
        out.u16(b.local_number);
        out.u16(b.index_count);
        out.u32(b.first_index);
        out.u16(b.vertex_count);
        out.u32(b.base_vertex);
    }
    return out.take();
}

/// The 24-byte records have eight slot words; the other seven read as "none" (models.md 2.3).
std::vector<MshNode> decode_nodes(ByteView bytes, std::uint32_t stride) {
    if (stride == 38) return codec::decode_array<MshNode>(bytes);
    std::vector<MshNode> out(bytes.size() / stride);
    for (std::size_t i = 0; i < out.size(); ++i)
        std::memcpy(static_cast<void*>(&out[i]), bytes.data() + i * stride, stride);
    return out;
}

Result<std::vector<MshNodeString>> decode_strings(ByteView bytes, std::size_t nodes, Bytes& tail,
                                                  ReadContext& ctx) {
    ByteReader in(bytes);
    IRON_CHECK(in.require_count(nodes, 4, "node strings"));
    std::vector<MshNodeString> out;
    out.reserve(nodes);
    codec::Tally no_nul, inner_nul;
    for (std::size_t i = 0; i < nodes; ++i) {
        IRON_TRY(const std::uint32_t size, in.u32("node string length"));
        MshNodeString s;
        if (size > 0) {
            IRON_TRY(const ByteView raw, in.view(size, "node string"));
            s.raw = as_text(raw);
            IRON_TRY(s.terminator, in.u8("node string terminator"));
            if (s.terminator != 0) no_nul.hit(i);
            if (s.raw.find('\0') != std::string::npos) inner_nul.hit(i);
        }
        out.push_back(std::move(s));
    }
    IRON_CHECK(codec::strict_only(ctx, no_nul, "msh_bad_string", "node strings without their NUL"));
    inner_nul.warn(ctx, "msh_string_nul", "node strings with a NUL inside");
    if (!in.at_end()) {
        if (ctx.strict()) return tl::unexpected(in.expect_end("node strings").error());
        ctx.warn("trailing_bytes", std::to_string(in.remaining()) + " bytes after the node strings");
        const ByteView rest = bytes.subspan(in.position());
        tail.assign(rest.begin(), rest.end());
    }
    return out;
}

Bytes encode_strings(const MshModel& m) {
    ByteWriter out;
    const std::size_t count = m.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const MshNodeString empty;
        const MshNodeString& s = i < m.node_strings.size() ? m.node_strings[i] : empty;
        out.u32(static_cast<std::uint32_t>(s.raw.size()));
        if (s.raw.empty()) continue;
        out.text(s.raw);
        out.u8(s.terminator);
    }
    out.bytes(m.node_strings_tail);
    return out.take();
}

struct Encoded {
    Bytes payload;
    std::size_t count = 0;
};
Encoded encode_typed(const MshModel& m, std::uint32_t type) {
    switch (type) {
        case st::kNodes: return {codec::encode_array(m.nodes), m.nodes.size()};
        case st::kSlots: return {codec::encode_slots(m.header, m.slots), m.slots.size()};
        case st::kPositions: return {codec::encode_array(m.positions), m.positions.size()};
        case st::kNormals: return {codec::encode_array(m.normals), m.normals.size()};
        case st::kUvs: return {codec::encode_array(m.uvs), m.uvs.size()};
        case st::kIndices: return {codec::encode_array(m.indices), m.indices.size()};
        case st::kTriangles: return {codec::encode_array(m.triangles), m.triangles.size()};
        case st::kKeys: return {codec::encode_array(m.keys), m.keys.size()};
        case st::kNodeStrings: return {encode_strings(m), m.nodes.size()};
        case st::kBatches: return {encode_batches(m.batches), m.batches.size()};
        default: return {codec::encode_array(m.frame_map), m.frame_map.size()};
    }
}

bool has_content(const MshModel& m, std::uint32_t type) {
    switch (type) {
        case st::kNormals: return !m.normals.empty();
        case st::kUvs: return !m.uvs.empty();
        case st::kTriangles: return !m.triangles.empty();
        case st::kKeys: return !m.keys.empty();
        case st::kNodeStrings: return !m.node_strings.empty();
        case st::kFrameMap: return !m.frame_map.empty();
        default: return false;  // the required streams are always there
    }
}

Status check_authoring(const MshModel& m) {
    const auto limit = [](std::size_t n, std::size_t max, const char* what) -> Status {
        if (n <= max) return {};
        return fail("msh_authoring", "more than " + std::to_string(max) + " " + what);
    };
    IRON_CHECK(limit(m.nodes.size(), 65535, "nodes"));
    IRON_CHECK(limit(m.slots.size(), 65535, "slots"));
    IRON_CHECK(limit(m.triangles.size(), 65535, "triangle descriptors"));
    IRON_CHECK(limit(m.batches.size(), 65535, "batches"));
    return limit(m.keys.size(), 65536, "keys");
}

Stream make_typed(const MshModel& m, const StreamRule& rule, std::string_view name) {
    Encoded e = encode_typed(m, rule.type);
    return {rule.type, static_cast<std::uint32_t>(e.count),
            rule.type == st::kFrameMap ? m.frame_count : 0, rule.attr3, std::string(name),
            std::move(e.payload)};
}

}  // namespace

Pose decode_key(const MshKey& key, QuatOrder order) {
    const auto c = [&](std::size_t i) { return unpack_unit(key.rotation[i]); };
    if (order == QuatOrder::xyzw) return {key.position, {c(3), c(0), c(1), c(2)}};
    return {key.position, {c(0), c(1), c(2), c(3)}};
}

std::array<std::int16_t, 4> encode_rotation(const Quat& q, QuatOrder order) {
    const std::int16_t w = pack_unit(q.w), x = pack_unit(q.x), y = pack_unit(q.y), z = pack_unit(q.z);
    if (order == QuatOrder::xyzw) return {x, y, z, w};
    return {w, x, y, z};
}

Result<MshVariant> detect_msh_variant(const StreamSource& source) {
    const auto has = [&](std::uint32_t type) { return source.find(type) != nullptr; };
    if (has(st::kPositions) && has(st::kIndices) && has(st::kBatches)) return MshVariant::model;
    if (has(st::kPositions) && has(st::kFaces) && !has(st::kIndices)) return MshVariant::landscape;
    return fail("unknown_msh_variant", "the container is neither a model nor a landscape");
}

Result<MshVariant> detect_msh_variant(ByteView container, ReadContext& ctx) {
    IRON_TRY(const StreamSource source, read_streams(container, ctx));
    return detect_msh_variant(source);
}

Result<MshModel> read_msh(ByteView container, ReadContext& ctx) {
    MshModel m;
    IRON_TRY(m.source, read_streams(container, ctx));
    IRON_TRY(const MshVariant variant, detect_msh_variant(m.source));
    if (variant != MshVariant::model)
        return fail("unknown_msh_variant", "the container is a landscape, not a model");
    IRON_CHECK(codec::check_stream_table(m.source, ctx));

    const Stream& nodes = *m.source.find(st::kNodes);
    m.node_stride = nodes.attr3;
    m.nodes = decode_nodes(nodes.payload, m.node_stride);
    IRON_CHECK(codec::decode_slots(*m.source.find(st::kSlots), m.header, m.slots));
    m.positions = codec::decode_array<Vec3>(m.source.find(st::kPositions)->payload);
    m.indices = codec::decode_array<std::uint16_t>(m.source.find(st::kIndices)->payload);
    m.batches = decode_batches(m.source.find(st::kBatches)->payload);
    if (const Stream* s = m.source.find(st::kNormals)) m.normals = codec::decode_array<PackedNormal>(s->payload);
    if (const Stream* s = m.source.find(st::kUvs)) m.uvs = codec::decode_array<PackedUv>(s->payload);
    if (const Stream* s = m.source.find(st::kTriangles)) m.triangles = codec::decode_array<MshTriangle>(s->payload);
    if (const Stream* s = m.source.find(st::kKeys)) m.keys = codec::decode_array<MshKey>(s->payload);
    if (const Stream* s = m.source.find(st::kFrameMap)) {
        m.frame_map = codec::decode_array<std::uint16_t>(s->payload);
        m.frame_count = s->attr2;
    }
    if (const Stream* s = m.source.find(st::kNodeStrings)) {
        IRON_TRY_WRAP(m.node_strings, decode_strings(s->payload, m.nodes.size(), m.node_strings_tail, ctx),
                      "node strings");
    }
    IRON_CHECK(codec::check_model(m, ctx));
    return m;
}

Result<Bytes> write_msh(const MshModel& model) {
    if (model.source.image.empty()) return write_msh_canonical(model);
    std::vector<Stream> streams = model.source.streams;
    bool edited = false;
    for (const StreamRule& rule : kRules) {
        if (!rule.typed) continue;
        const auto at = std::find_if(streams.begin(), streams.end(),
                                     [&](const Stream& s) { return s.type == rule.type; });
        if (at == streams.end()) {
            if (!has_content(model, rule.type)) continue;
            streams.push_back(make_typed(model, rule, streams.front().name));
            edited = true;
            continue;
        }
        // A table of the 24-byte variant is copied through (models.md 2.3).
        if (rule.type == st::kNodes && model.node_stride != 38) continue;
        if (rule.type == st::kFrameMap) at->attr2 = model.frame_count;
        Encoded e = encode_typed(model, rule.type);
        if (e.payload == at->payload) continue;
        at->payload = std::move(e.payload);
        at->attr1 = static_cast<std::uint32_t>(e.count);
        edited = true;
    }
    if (edited) IRON_CHECK(check_authoring(model));
    return rewrite_streams(model.source, streams);
}

Result<Bytes> write_msh_canonical(const MshModel& model, std::string_view entry_name) {
    IRON_CHECK(check_authoring(model));
    if (model.node_stride != 38)
        return fail("msh_authoring", "a 24-byte node table is only ever copied");
    std::vector<Stream> streams;
    for (const StreamRule& rule : kRules) {
        const Stream* kept = model.source.find(rule.type);
        const std::string_view name = kept && !kept->name.empty() ? std::string_view(kept->name) : entry_name;
        if (rule.typed) {
            streams.push_back(make_typed(model, rule, name));
        } else if (kept) {
            streams.push_back(*kept);
            streams.back().name = name;
        } else if (rule.type == st::kAuxiliary) {
            const std::size_t count = model.positions.size();
            streams.push_back({rule.type, static_cast<std::uint32_t>(count), 0, 8, std::string(name),
                               Bytes(count * 8, 0)});
        } else if (rule.type == st::kService || rule.type == st::kExtra) {
            streams.push_back({rule.type, 0, 0, 0, std::string(name), {}});
        }
    }
    for (const Stream& s : model.source.streams)
        if (!find_rule(s.type)) {
            streams.push_back(s);
            if (s.name.empty()) streams.back().name = entry_name;
        }
    return write_streams(streams);
}

Pose fallback_local_pose(const MshModel& model, std::size_t node, const MshProfile& profile) {
    if (node >= model.nodes.size()) return {};
    const std::size_t key = model.nodes[node].fallback_key;
    return key < model.keys.size() ? decode_key(model.keys[key], profile.quat_order) : Pose{};
}

std::vector<Mat34> fallback_pose(const MshModel& model, const MshProfile& profile) {
    std::vector<Mat34> out(model.nodes.size());
    if (model.flat_hierarchy) return out;  // no invented hierarchy (8.1)
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Mat34 local = pose_matrix(fallback_local_pose(model, i, profile));
        const std::uint16_t parent = model.nodes[i].parent;
        out[i] = parent < i ? out[parent] * local : local;
    }
    return out;
}

Aabb joint_box(const MshModel& model, std::span<const Mat34> matrices, std::size_t node, bool single,
               unsigned state) {
    Aabb box;
    if (node >= model.nodes.size() || matrices.size() < model.nodes.size()) return box;
    const auto piece_box = [&](std::size_t i) {
        Aabb own;
        const std::uint16_t slot = model.nodes[i].slot(state, 0);
        if (slot < model.slots.size()) own = transform_box(matrices[i], model.slots[slot].box());
        else own.add(transform_point(matrices[i], {}));
        return own;
    };
    if (single) return piece_box(node);
    if (node == 0) {
        for (const Vec3& corner : model.header.corners) box.add(corner);
        return box;
    }
    // Parents precede children, so one pass collects the subtree.
    std::vector<bool> inside(model.nodes.size(), false);
    inside[node] = true;
    box = piece_box(node);
    if (model.flat_hierarchy) return box;
    for (std::size_t i = node + 1; i < model.nodes.size(); ++i) {
        const std::uint16_t parent = model.nodes[i].parent;
        if (parent >= i || !inside[parent]) continue;
        if (model.nodes[parent].flags & (node_flag::kStopBounds | node_flag::kStopChildren)) continue;
        inside[i] = true;
        box.add(piece_box(i));
    }
    return box;
}

BoundingSphere joint_sphere(const MshModel& model, std::span<const Mat34> matrices, std::size_t node,
                            bool single, unsigned state) {
    if (node >= model.nodes.size() || matrices.size() < model.nodes.size()) return {};
    if (single) {
        const std::uint16_t slot = model.nodes[node].slot(state, 0);
        if (slot >= model.slots.size()) return {transform_point(matrices[node], {}), 0};
        const MshSlot& s = model.slots[slot];
        return transform_sphere(matrices[node], {s.sphere_centre, s.sphere_radius});
    }
    if (node == 0) return {model.header.sphere_centre, model.header.sphere_radius};
    const Aabb box = joint_box(model, matrices, node, false, state);
    return {box.centre(), length(box.extent()) * 0.5f};
}

std::vector<MshLight> decode_lights(const MshModel& model) {
    static_assert(sizeof(MshLight) == 48);
    const Stream* s = model.source.find(st::kLights);
    if (!s) return {};
    const std::size_t whole = s->payload.size() / sizeof(MshLight) * sizeof(MshLight);
    return codec::decode_array<MshLight>(ByteView(s->payload).first(whole));
}

}  // namespace iron::asset
