#include "shared/interchange/view_model.hpp"

#include "shared/base/hash.hpp"
#include "shared/interchange/view_options.hpp"

namespace iron::interchange {
namespace {

using namespace asset;

// 0xFFFF reads as null: no slot, no parent, no neighbour.
Json index_json(std::uint16_t v) { return v == kNone16 ? Json(nullptr) : Json(v); }

Json slot_words_json(const MshNode& node) {
    Json out = Json::array();
    std::size_t used = node.slots.size();
    while (used > 0 && node.slots[used - 1] == kNone16) --used;
    for (std::size_t i = 0; i < used; ++i) out.push_back(index_json(node.slots[i]));
    return out;
}

Json header_json(const MshHeader& h) {
    return Json{{"corners", list_json(h.corners, vec_json)}, {"sphere_centre", vec_json(h.sphere_centre)},
                {"sphere_radius", float_json(h.sphere_radius)}, {"segment_bottom", vec_json(h.segment_bottom)},
                {"segment_top", vec_json(h.segment_top)}, {"segment_radius", float_json(h.segment_radius)}};
}

Json slot_json(const MshSlot& s) {
    return Json{{"first_triangle", s.first_triangle}, {"triangle_count", s.triangle_count}, {"first_batch", s.first_batch},
                {"batch_count", s.batch_count}, {"box_min", vec_json(s.box_min)}, {"box_max", vec_json(s.box_max)},
                {"sphere_centre", vec_json(s.sphere_centre)}, {"sphere_radius", float_json(s.sphere_radius)},
                {"base_area", float_json(s.base_area)}, {"base_volume", float_json(s.base_volume)}, {"opaque", words_json(s.opaque)}};
}

Json batch_json(const MshBatch& b) {
    return Json{{"flags", hex32(b.flags)}, {"word2", b.word2}, {"byte4", b.byte4}, {"lightmap_row", b.lightmap_row},
                {"local_number", b.local_number}, {"first_index", b.first_index}, {"index_count", b.index_count},
                {"base_vertex", b.base_vertex}, {"vertex_count", b.vertex_count}};
}

Json key_json(const MshKey& k) {
    return Json{{"time", float_json(k.time)}, {"position", vec_json(k.position)}, {"rotation", words_json(k.rotation)}};
}

Json streams_json(const StreamSource& source) {
    return list_json(source.streams, [](const Stream& s) {
        return Json{{"type", s.type}, {"attributes", {s.attr1, s.attr2, s.attr3}}, {"name", text_json(s.name)},
                    {"bytes", s.payload.size()}, {"sha256", to_hex(sha256(s.payload))}};
    });
}

template <class Normals>
Json normals_json(const Normals& normals, const ViewOptions& options) {
    return bulk_json(normals, options, [](const PackedNormal& n) { return Json::array({n.x, n.y, n.z, n.w}); });
}
template <class Uvs>
Json uvs_json(const Uvs& uvs, const ViewOptions& options) {
    return bulk_json(uvs, options, [](const PackedUv& t) { return Json::array({t.u, t.v}); });
}
Json neighbours_json(const std::array<std::uint16_t, 3>& n) { return list_json(n, index_json); }

}  // namespace

Json view_json(const MshModel& m, const ViewOptions& options) {
    Json out{{"streams", streams_json(m.source)}, {"node_stride", m.node_stride}, {"frame_count", m.frame_count},
             {"flat_hierarchy", m.flat_hierarchy}, {"header", header_json(m.header)}};
    Json nodes = Json::array();
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
        const MshNode& n = m.nodes[i];
        nodes.push_back({{"index", i}, {"string", text_json(m.node_string(i))}, {"parent", index_json(n.parent)},
                         {"flags", hex32(n.flags)}, {"map_start", index_json(n.map_start)}, {"fallback_key", n.fallback_key},
                         {"slots", slot_words_json(n)}});
    }
    out["nodes"] = std::move(nodes);
    out["slots"] = list_json(m.slots, slot_json);
    out["batches"] = bulk_json(m.batches, options, batch_json);
    out["positions"] = bulk_json(m.positions, options, vec_json);
    out["normals"] = normals_json(m.normals, options);
    out["uvs"] = uvs_json(m.uvs, options);
    out["indices"] = bulk_json(m.indices, options, [](std::uint16_t i) { return Json(i); });
    out["triangles"] = bulk_json(m.triangles, options, [](const MshTriangle& t) {
        return Json{{"flags", t.flags}, {"neighbours", neighbours_json(t.neighbours)}, {"normal", words_json(t.normal)}, {"selectors", t.selectors}};
    });
    out["keys"] = bulk_json(m.keys, options, key_json);
    out["frame_map"] = bulk_json(m.frame_map, options, [](std::uint16_t w) { return Json(w); });
    out["lights"] = list_json(decode_lights(m), [](const MshLight& l) {
        return Json{{"piece", l.piece}, {"position", vec_json(l.position)}, {"direction", vec_json(l.direction)},
                    {"colour", floats_json(l.colour)}, {"intensity", float_json(l.intensity)}};
    });
    return out;
}

Json view_json(const LandMesh& m, const ViewOptions& options) {
    Json out{{"streams", streams_json(m.source)}, {"columns", m.columns}, {"rows", m.rows()},
             {"water_level", float_json(water_level(m))}, {"header", header_json(m.header)}};
    out["tiles"] = bulk_json(m.tiles, options, [](const LandTile& t) {
        return Json{{"flags", t.flags}, {"parent", index_json(t.parent)}, {"slots", slot_words_json(t)}};
    });
    out["slots"] = bulk_json(m.slots, options, slot_json);
    out["positions"] = bulk_json(m.positions, options, vec_json);
    out["normals"] = normals_json(m.normals, options);
    out["uvs"] = uvs_json(m.uvs, options);
    out["faces"] = bulk_json(m.faces, options, [](const LandFace& f) {
        return Json{{"flags", hex32(f.flags)}, {"material", f.material}, {"blend", f.blend == kNoBlend ? Json(nullptr) : Json(f.blend)},
                    {"word6", f.word6}, {"vertices", words_json(f.vertices)}, {"neighbours", neighbours_json(f.neighbours)},
                    {"normal", words_json(f.normal)}, {"edge_classes", f.edge_classes}, {"byte1b", f.byte1b}};
    });
    out["face_refs"] = bulk_json(m.face_refs, options, [](const LandFaceRef& r) { return Json::array({r.face, r.flags}); });
    return out;
}

Json view_json(const LandMap& m, const ViewOptions& options) {
    Json out{{"cells", {m.cells_x, m.cells_y}}, {"attributes", {m.areals.size(), m.attr2, m.attr3}}};
    out["areals"] = bulk_json(m.areals, options, [](const Areal& a) {
        return Json{{"anchor", vec_json(a.anchor)}, {"area", float_json(a.area)}, {"normal", vec_json(a.normal)},
                    {"logic_flag", a.logic_flag}, {"class_id", a.class_id},
                    {"opaque", {float_json(a.word_0c), a.word_24, a.word_2c}}, {"vertices", list_json(a.vertices, vec_json)},
                    {"links", list_json(a.links, [](const ArealLink& l) { return Json::array({l.areal, l.edge}); })},
                    {"polygons", a.polygon_count}};
    });
    std::size_t most = 0;
    for (std::size_t i = 0; i + 1 < m.cell_start.size(); ++i) most = std::max<std::size_t>(most, m.cell_start[i + 1] - m.cell_start[i]);
    out["most_candidates_in_a_cell"] = most;
    out["cell_ids"] = bulk_json(m.cell_ids, options, [](std::uint16_t id) { return Json(id); });
    return out;
}

}  // namespace iron::interchange
