#include "shared/asset/msh_build.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "shared/asset/msh_codec.hpp"

namespace iron::asset {

namespace {

constexpr float kMaxFrame = 65535;

tl::unexpected<Error> authoring(std::string message) { return fail("msh_authoring", std::move(message)); }

/// Batches of a slot, cut to those that exist.
std::span<MshBatch> slot_batches(MshModel& m, const MshSlot& s) {
    const std::size_t first = std::min<std::size_t>(s.first_batch, m.batches.size());
    return std::span(m.batches).subspan(first, std::min<std::size_t>(s.batch_count, m.batches.size() - first));
}

/// Absolute vertices of a batch; empty when the batch reaches beyond the streams.
std::vector<std::uint32_t> batch_vertices(const MshModel& m, const MshBatch& b) {
    std::vector<std::uint32_t> out;
    if (std::uint64_t{b.first_index} + b.index_count > m.indices.size()) return out;
    for (std::size_t i = 0; i < b.index_count; ++i) {
        const std::uint64_t v = std::uint64_t{b.base_vertex} + m.indices[b.first_index + i];
        if (v >= m.positions.size()) return {};
        out.push_back(static_cast<std::uint32_t>(v));
    }
    return out;
}

}  // namespace

Result<std::uint16_t> append_batch(MshModel& model, std::span<const MshVertex> vertices,
                                   std::span<const std::uint16_t> indices, std::uint16_t wear_row,
                                   std::uint16_t flags, const MshProfile& profile) {
    if (indices.size() > 65535) return authoring("more than 65 535 indices in a batch");
    if (model.batches.size() >= 65535) return authoring("more than 65 535 batches");
    if (profile.batch_row == BatchRow::byte4 && wear_row > 255)
        return authoring("this layer stores WEAR rows up to 255");
    for (const std::uint16_t i : indices)
        if (i >= vertices.size()) return authoring("index " + std::to_string(i) + " has no vertex");
    for (const MshVertex& v : vertices)
        if (!is_finite(v.position) || !is_finite(v.normal) || !is_finite(v.uv.x) || !is_finite(v.uv.y))
            return authoring("a vertex is not finite");
    MshBatch b;
    b.flags = flags;
    if (profile.batch_row == BatchRow::word2) b.word2 = wear_row;
    else b.byte4 = static_cast<std::uint8_t>(wear_row);
    b.index_count = static_cast<std::uint16_t>(indices.size());
    b.first_index = static_cast<std::uint32_t>(model.indices.size());
    b.base_vertex = static_cast<std::uint32_t>(model.positions.size());
    b.vertex_count =
        static_cast<std::uint16_t>(std::set<std::uint16_t>(indices.begin(), indices.end()).size());
    model.normals.resize(model.positions.size());
    model.uvs.resize(model.positions.size());
    for (const MshVertex& v : vertices) {
        model.positions.push_back(v.position);
        model.normals.push_back(pack_normal(v.normal));
        model.uvs.push_back(pack_uv(v.uv));
    }
    model.indices.insert(model.indices.end(), indices.begin(), indices.end());
    model.batches.push_back(b);
    return static_cast<std::uint16_t>(model.batches.size() - 1);
}

std::uint16_t append_slot(MshModel& model, std::uint16_t first_batch, std::uint16_t batch_count) {
    MshSlot slot;
    slot.first_batch = first_batch;
    slot.batch_count = batch_count;
    model.slots.push_back(slot);
    return static_cast<std::uint16_t>(model.slots.size() - 1);
}

std::uint16_t append_node(MshModel& model, std::string_view name, std::uint16_t parent,
                          std::uint16_t slot, const Pose& pose, std::uint16_t flags,
                          const MshProfile& profile) {
    MshNode node;
    node.flags = flags;
    node.parent = parent;
    node.fallback_key = static_cast<std::uint16_t>(model.keys.size());
    node.slots[0] = slot;
    model.keys.push_back({pose.position, 0, encode_rotation(pose.rotation, profile.quat_order)});
    model.nodes.push_back(node);
    model.node_strings.resize(model.nodes.size());
    model.node_strings.back().raw = name;
    return static_cast<std::uint16_t>(model.nodes.size() - 1);
}

void update_slot_bounds(MshModel& model, std::size_t slot) {
    MshSlot& s = model.slots[slot];
    Aabb box;
    for (const MshBatch& b : slot_batches(model, s))
        for (const std::uint32_t v : batch_vertices(model, b)) box.add(model.positions[v]);
    codec::set_slot_bounds(s, box);
}

Status rebuild_triangles(MshModel& model) {
    std::vector<MshTriangle> all;
    for (MshSlot& s : model.slots) {
        std::vector<std::array<std::uint32_t, 3>> corners;
        for (const MshBatch& b : slot_batches(model, s)) {
            const auto v = batch_vertices(model, b);
            for (std::size_t i = 0; i + 2 < v.size(); i += 3) corners.push_back({v[i], v[i + 1], v[i + 2]});
        }
        if (all.size() + corners.size() > 65535) return authoring("more than 65 535 triangle descriptors");
        s.first_triangle = static_cast<std::uint16_t>(all.size());
        s.triangle_count = static_cast<std::uint16_t>(corners.size());
        const auto neighbours = codec::find_neighbours(corners);
        for (std::size_t t = 0; t < corners.size(); ++t) {
            MshTriangle d;
            const auto& c = corners[t];
            d.normal = codec::pack_face_normal(codec::triangle_normal(
                model.positions[c[0]], model.positions[c[1]], model.positions[c[2]]));
            for (std::size_t e = 0; e < 3; ++e)
                if (neighbours[t][e] != codec::kNone32)
                    d.neighbours[e] = static_cast<std::uint16_t>(s.first_triangle + neighbours[t][e]);
            all.push_back(d);
        }
    }
    model.triangles = std::move(all);
    return {};
}

void number_batches(MshModel& model) {
    for (const MshSlot& s : model.slots) {
        std::uint16_t number = 0;
        for (MshBatch& b : slot_batches(model, s)) {
            b.local_number = number++;
            const auto v = batch_vertices(model, b);
            b.vertex_count = static_cast<std::uint16_t>(std::set<std::uint32_t>(v.begin(), v.end()).size());
        }
    }
}

MshHeader canonical_header(const MshModel& model, const MshProfile& profile) {
    const auto matrices = fallback_pose(model, profile);
    Aabb box;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const std::uint16_t slot = model.nodes[i].slots[0];
        if (slot < model.slots.size()) box.add(transform_box(matrices[i], model.slots[slot].box()));
    }
    return codec::header_from_box(box);
}

Status finish_model(MshModel& model, const MshProfile& profile) {
    model.normals.resize(model.positions.size());
    model.uvs.resize(model.positions.size());
    model.node_strings.resize(model.nodes.size());
    if (model.keys.empty() && !model.nodes.empty()) {
        const std::vector<MshTrack> still(model.nodes.size(), MshTrack{MshTrackKey{}});
        IRON_CHECK(set_tracks(model, still, profile));
    }
    IRON_CHECK(rebuild_triangles(model));
    for (std::size_t i = 0; i < model.slots.size(); ++i) update_slot_bounds(model, i);
    number_batches(model);
    model.header = canonical_header(model, profile);
    return {};
}

Status set_tracks(MshModel& model, std::span<const MshTrack> tracks, const MshProfile& profile) {
    if (tracks.size() != model.nodes.size()) return authoring("one track per node is needed");
    std::size_t key_count = 0;
    std::uint32_t frames = 1;
    for (const MshTrack& track : tracks) {
        if (track.empty() || track.front().time != 0) return authoring("a track starts with a key at time 0");
        for (std::size_t k = 0; k < track.size(); ++k) {
            const auto& [time, pose] = track[k];
            const Quat& q = pose.rotation;
            if (!is_finite(pose.position) || !is_finite(q.w) || !is_finite(q.x) || !is_finite(q.y) || !is_finite(q.z))
                return authoring("a key is not finite");
            if (!(time >= 0 && time <= kMaxFrame) || static_cast<float>(trunc_i32(time)) != time)
                return authoring("key times are whole frames up to 65 535");
            if (k > 0 && !(track[k - 1].time < time)) return authoring("key times must increase");
        }
        key_count += track.size();
        frames = std::max(frames, static_cast<std::uint32_t>(trunc_i32(track.back().time)) + 1);
    }
    if (key_count > 65536) return authoring("more than 65 536 keys");
    std::size_t animated = 0;
    for (const MshTrack& track : tracks) animated += track.size() > 1;
    if (animated > 0 && (animated - 1) * std::size_t{frames} > 0xFFFE)
        return authoring("a frame map block would start above 0xFFFE");

    model.keys.clear();
    model.frame_map.clear();
    model.frame_count = frames;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const MshTrack& track = tracks[i];
        const std::size_t first = model.keys.size(), last = first + track.size() - 1;
        for (const auto& [time, pose] : track)
            model.keys.push_back({pose.position, time, encode_rotation(pose.rotation, profile.quat_order)});
        model.nodes[i].fallback_key = static_cast<std::uint16_t>(last);
        model.nodes[i].map_start = kNone16;
        if (track.size() < 2) continue;
        model.nodes[i].map_start = static_cast<std::uint16_t>(model.frame_map.size());
        std::size_t left = 0;  // key of the segment that contains f
        for (std::uint32_t f = 0; f < frames; ++f) {
            while (left + 1 < track.size() && track[left + 1].time <= static_cast<float>(f)) ++left;
            model.frame_map.push_back(static_cast<std::uint16_t>(first + left));
        }
    }
    return {};
}

}  // namespace iron::asset
