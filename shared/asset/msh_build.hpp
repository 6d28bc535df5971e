// Authoring of models: everything a canonical model derives from its meshes, by the recipes of
// models.md 3.1, 3.2, 5.3, 6 and 9.7.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shared/asset/msh.hpp"

namespace iron::asset {

struct MshVertex {
    Vec3 position;
    Vec3 normal{0, 0, 1};
    Vec2 uv;
};

/// Appends vertices, indices (relative to the first of them) and one batch; returns the batch
/// index. The batch belongs to a slot only after the slot's range covers it. Errors
/// `msh_authoring`: too many indices, an index out of range, a non-finite vertex.
Result<std::uint16_t> append_batch(MshModel& model, std::span<const MshVertex> vertices,
                                   std::span<const std::uint16_t> indices, std::uint16_t wear_row,
                                   std::uint16_t flags = 0, const MshProfile& profile = {});

/// Appends a slot over batches [first_batch, first_batch + batch_count); bounds and triangles are
/// filled by finish_model. Returns the slot index.
std::uint16_t append_slot(MshModel& model, std::uint16_t first_batch, std::uint16_t batch_count);

/// Appends a node with its string and one fallback key; `slot` becomes state 0 / LOD 0.
std::uint16_t append_node(MshModel& model, std::string_view name, std::uint16_t parent,
                          std::uint16_t slot, const Pose& pose = {}, std::uint16_t flags = 0,
                          const MshProfile& profile = {});

/// Box, sphere, area and volume of the vertices used by the slot's batches (3.2).
void update_slot_bounds(MshModel& model, std::size_t slot);
/// Rebuilds type 7 for all slots: face normals and neighbours inside each slot (6).
Status rebuild_triangles(MshModel& model);
/// Vertex count and local number of every batch that a slot uses (5.3).
void number_batches(MshModel& model);
/// Header around state 0 / LOD 0 of all nodes in the fallback pose (3.1).
MshHeader canonical_header(const MshModel& model, const MshProfile& profile = {});
/// All of the above, and the per-vertex streams brought to one length.
Status finish_model(MshModel& model, const MshProfile& profile = {});

struct MshTrackKey {
    float time = 0;  ///< whole frames, strictly increasing, first 0
    Pose pose;
};
/// One key: static node. The last key is the pose at rest (fallback).
using MshTrack = std::vector<MshTrackKey>;
/// Replaces keys, frame map, frame count and the nodes' indices (9.7). One track per node.
/// Errors `msh_authoring`.
Status set_tracks(MshModel& model, std::span<const MshTrack> tracks, const MshProfile& profile = {});

}  // namespace iron::asset
