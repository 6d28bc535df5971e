#include "shared/asset/land_mesh.hpp"

#include <algorithm>
#include <string>

#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

namespace st = stream_type;

struct StreamRule {
    std::uint32_t type;
    std::uint32_t stride;
};
/// Physical order of all shipped maps (terrain.md 1).
constexpr StreamRule kRules[] = {{st::kNodes, 38},    {st::kSlots, 68},        {st::kPositions, 12},
                                 {st::kNormals, 4},   {st::kUvs, 4},           {st::kVertexExtra, 4},
                                 {st::kLandAuxiliary, 4}, {st::kFaceRefs, 4},  {st::kFaces, 28}};

static_assert(sizeof(LandFace) == 28 && sizeof(LandFaceRef) == 4 && sizeof(OpaqueWord) == 4);

std::size_t element_count(const Stream& s, std::uint32_t stride) {
    return s.type == st::kSlots ? (s.payload.size() - codec::kSlotHeaderSize) / codec::kSlotSize
                                : s.payload.size() / stride;
}

Status check_table(const StreamSource& source, ReadContext& ctx) {
    std::vector<std::uint32_t> order;
    for (const auto& s : source.streams) {
        const auto rule = std::find_if(std::begin(kRules), std::end(kRules),
                                       [&](const StreamRule& r) { return r.type == s.type; });
        if (rule == std::end(kRules)) {
            if (!ctx.has("land_unknown_stream"))
                ctx.warn("land_unknown_stream", "unknown stream type " + std::to_string(s.type));
            continue;
        }
        order.push_back(s.type);
    }
    for (const StreamRule& rule : kRules) {
        const auto n = std::count(order.begin(), order.end(), rule.type);
        if (n > 1)
            return fail("land_duplicate_stream", "stream " + std::to_string(rule.type) + " occurs twice");
        if (n == 1) continue;
        if (rule.type == st::kLandAuxiliary) {
            ctx.warn("land_missing_stream", "stream 14 is missing");
            continue;
        }
        return fail("land_missing_stream", rule.type == st::kVertexExtra
                                               ? "Unable to find microtexture mapping chunk"
                                               : "stream " + std::to_string(rule.type) + " is missing");
    }
    // All types are there once, except perhaps 14: the order is right if it is that of the table.
    const bool in_order = std::equal(order.begin(), order.end(), std::begin(kRules),
                                     std::begin(kRules) + static_cast<std::ptrdiff_t>(order.size()),
                                     [](std::uint32_t type, const StreamRule& r) { return type == r.type; });
    if (!in_order && !ctx.has("land_missing_stream"))
        ctx.warn("land_stream_order", "the streams are not in the usual order");
    return {};
}

Status check_attributes(const Stream& s, std::uint32_t stride, ReadContext& ctx) {
    const std::string label = "stream " + std::to_string(s.type);
    const std::size_t count = element_count(s, stride);
    if (s.attr1 != count)
        return fail("land_bad_count", label + ": attr1 is " + std::to_string(s.attr1) + " for " +
                                          std::to_string(count) + " elements");
    if (s.attr3 != stride)
        return fail("land_bad_stride", label + ": attr3 is " + std::to_string(s.attr3) + ", not " +
                                           std::to_string(stride));
    if (s.type != st::kNodes && s.attr2 != 0)
        ctx.warn("land_attr2", label + ": attr2 is " + std::to_string(s.attr2));
    if (s.type == st::kNodes && (s.attr2 == 0 || s.attr1 % s.attr2 != 0))
        return fail("land_bad_tiles", std::to_string(s.attr1) + " tiles in " +
                                          std::to_string(s.attr2) + " columns");
    return {};
}

Status check_references(const LandMesh& m) {
    for (std::size_t i = 0; i < m.tiles.size(); ++i)
        for (const std::uint16_t slot : m.tiles[i].slots)
            if (slot != kNone16 && slot >= m.slots.size())
                return fail("land_bad_reference", "tile " + std::to_string(i) + " names slot " +
                                                      std::to_string(slot));
    for (std::size_t i = 0; i < m.slots.size(); ++i) {
        const std::size_t end = std::size_t{m.slots[i].first_triangle} + m.slots[i].triangle_count;
        if (end > m.faces.size() || end > m.face_refs.size())
            return fail("land_bad_reference", "the faces of slot " + std::to_string(i) + " end at " +
                                                  std::to_string(end));
    }
    for (std::size_t i = 0; i < m.faces.size(); ++i) {
        for (const std::uint16_t v : m.faces[i].vertices)
            if (v >= m.positions.size())
                return fail("land_bad_reference", "face " + std::to_string(i) + " names vertex " +
                                                      std::to_string(v));
        for (const std::uint16_t n : m.faces[i].neighbours)
            if (n != kNone16 && n >= m.faces.size())
                return fail("land_bad_reference", "face " + std::to_string(i) + " names neighbour " +
                                                      std::to_string(n));
    }
    return {};
}

Status check_vertices(const LandMesh& m, ReadContext& ctx) {
    codec::Tally non_finite;
    for (std::size_t i = 0; i < m.positions.size(); ++i)
        if (!is_finite(m.positions[i])) non_finite.hit(i);
    IRON_CHECK(codec::strict_only(ctx, non_finite, "msh_non_finite", "non-finite positions"));
    const std::pair<std::uint32_t, std::size_t> parallel[] = {
        {st::kNormals, m.normals.size()},
        {st::kUvs, m.uvs.size()},
        {st::kVertexExtra, m.microtexture.size()},
        {st::kLandAuxiliary, m.auxiliary.size()}};
    for (const auto& [type, count] : parallel) {
        if (count == m.positions.size() || !m.source.find(type)) continue;
        codec::Tally differs;
        differs.hit(count);
        IRON_CHECK(codec::strict_only(ctx, differs, "land_bad_count",
                                      "stream " + std::to_string(type) +
                                          " has another element count than the positions"));
    }
    return {};
}

void note_oddities(const LandMesh& m, ReadContext& ctx) {
    codec::Tally word6, one_sided, key, unused, shared;
    for (std::size_t i = 0; i < m.faces.size(); ++i) {
        if (m.faces[i].word6 != 0xFFFF) word6.hit(i);
        for (const std::uint16_t n : m.faces[i].neighbours)
            if (n != kNone16) {
                const auto& back = m.faces[n].neighbours;
                if (std::find(back.begin(), back.end(), i) == back.end()) one_sided.hit(i);
            }
    }
    for (std::size_t i = 0; i < m.face_refs.size(); ++i)
        if (m.face_refs[i].face >= m.faces.size()) key.hit(i);
    std::vector<std::int64_t> change(m.faces.size() + 1, 0);
    for (const auto& s : m.slots) {
        ++change[s.first_triangle];
        --change[std::size_t{s.first_triangle} + s.triangle_count];
    }
    std::int64_t covered = 0;
    for (std::size_t i = 0; i < m.faces.size(); ++i) {
        covered += change[i];
        if (covered == 0) unused.hit(i);
        if (covered > 1) shared.hit(i);
    }
    word6.warn(ctx, "land_face_word6", "faces whose word at 0x06 is not 0xFFFF");
    one_sided.warn(ctx, "land_one_sided_neighbour", "faces with a neighbour that does not name them");
    key.warn(ctx, "land_face_ref_key", "type 11 keys beyond the faces");
    unused.warn(ctx, "land_face_in_no_slot", "faces in no slot");
    shared.warn(ctx, "land_face_in_many_slots", "faces in several slots");
    if (m.face_refs.size() != m.faces.size())
        ctx.warn("land_face_ref_count", std::to_string(m.face_refs.size()) + " type 11 records for " +
                                            std::to_string(m.faces.size()) + " faces");
}

Bytes encode_stream(const LandMesh& m, std::uint32_t type) {
    switch (type) {
        case st::kNodes: return codec::encode_array(m.tiles);
        case st::kSlots: return codec::encode_slots(m.header, m.slots);
        case st::kPositions: return codec::encode_array(m.positions);
        case st::kNormals: return codec::encode_array(m.normals);
        case st::kUvs: return codec::encode_array(m.uvs);
        case st::kVertexExtra: return codec::encode_array(m.microtexture);
        case st::kLandAuxiliary: return codec::encode_array(m.auxiliary);
        case st::kFaceRefs: return codec::encode_array(m.face_refs);
        default: return codec::encode_array(m.faces);
    }
}

Status check_authoring(const LandMesh& m) {
    if (m.columns == 0 || m.tiles.size() % m.columns != 0)
        return fail("land_authoring", "the tiles do not fill their columns");
    if (m.positions.size() > 65535 || m.faces.size() > 65535 || m.slots.size() > 65535)
        return fail("land_authoring", "more than 65 535 vertices, faces or slots");
    return {};
}

Stream make_stream(const LandMesh& m, const StreamRule& rule) {
    Stream s{rule.type, 0, rule.type == st::kNodes ? m.columns : 0, rule.stride, "land",
             encode_stream(m, rule.type)};
    s.attr1 = static_cast<std::uint32_t>(element_count(s, rule.stride));
    return s;
}

}  // namespace

Result<LandMesh> read_land_mesh(ByteView container, ReadContext& ctx) {
    LandMesh m;
    IRON_TRY(m.source, read_streams(container, ctx));
    IRON_TRY(const MshVariant variant, detect_msh_variant(m.source));
    if (variant != MshVariant::landscape)
        return fail("unknown_msh_variant", "the container is a model, not a landscape");
    IRON_CHECK(check_table(m.source, ctx));
    for (const StreamRule& rule : kRules) {
        const Stream* s = m.source.find(rule.type);
        if (!s) continue;  // only type 14 gets here
        if (rule.type == st::kSlots) IRON_CHECK(codec::decode_slots(*s, m.header, m.slots));
        else IRON_CHECK(codec::check_stride(*s, rule.stride));
        IRON_CHECK(check_attributes(*s, rule.stride, ctx));
    }
    m.columns = m.source.find(st::kNodes)->attr2;
    m.tiles = codec::decode_array<LandTile>(m.source.find(st::kNodes)->payload);
    m.positions = codec::decode_array<Vec3>(m.source.find(st::kPositions)->payload);
    m.normals = codec::decode_array<PackedNormal>(m.source.find(st::kNormals)->payload);
    m.uvs = codec::decode_array<PackedUv>(m.source.find(st::kUvs)->payload);
    m.microtexture = codec::decode_array<OpaqueWord>(m.source.find(st::kVertexExtra)->payload);
    if (const Stream* s = m.source.find(st::kLandAuxiliary))
        m.auxiliary = codec::decode_array<OpaqueWord>(s->payload);
    m.face_refs = codec::decode_array<LandFaceRef>(m.source.find(st::kFaceRefs)->payload);
    m.faces = codec::decode_array<LandFace>(m.source.find(st::kFaces)->payload);
    IRON_CHECK(check_references(m));
    IRON_CHECK(check_vertices(m, ctx));
    note_oddities(m, ctx);
    return m;
}

Result<Bytes> write_land_mesh(const LandMesh& mesh) {
    if (mesh.source.image.empty()) return write_land_mesh_canonical(mesh);
    std::vector<Stream> streams = mesh.source.streams;
    for (const StreamRule& rule : kRules) {
        const auto at = std::find_if(streams.begin(), streams.end(),
                                     [&](const Stream& s) { return s.type == rule.type; });
        if (at == streams.end()) {
            if (!mesh.auxiliary.empty()) streams.push_back(make_stream(mesh, rule));
            continue;
        }
        Bytes payload = encode_stream(mesh, rule.type);
        if (rule.type == st::kNodes) at->attr2 = mesh.columns;
        if (payload == at->payload) continue;
        IRON_CHECK(check_authoring(mesh));
        at->payload = std::move(payload);
        at->attr1 = static_cast<std::uint32_t>(element_count(*at, rule.stride));
    }
    return rewrite_streams(mesh.source, streams);
}

Result<Bytes> write_land_mesh_canonical(const LandMesh& mesh) {
    IRON_CHECK(check_authoring(mesh));
    std::vector<Stream> streams;
    for (const StreamRule& rule : kRules) streams.push_back(make_stream(mesh, rule));
    for (const Stream& s : mesh.source.streams)
        if (std::none_of(std::begin(kRules), std::end(kRules),
                         [&](const StreamRule& r) { return r.type == s.type; }))
            streams.push_back(s);
    return write_streams(streams);
}

}  // namespace iron::asset
