#include "shared/asset/model_pose.hpp"

#include <cmath>
#include <string>

namespace iron::asset {

namespace {

constexpr float kParallel = 9.9999997e-6f;  // below this distance from 1 the blend is linear (9.3)

float dot(const Quat& a, const Quat& b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
Quat scaled_sum(const Quat& a, float wa, const Quat& b, float wb) {
    return {wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z};
}

}  // namespace

Quat interpolate(const Quat& q0, const Quat& q1, float a) {
    float d = dot(q0, q1), sign = 1;
    if (d < 0) {
        d = -d;
        sign = -1;
    }
    float w0 = 1 - a, w1 = a;
    if (!(1 - d <= kParallel)) {
        const float theta = std::acos(d);
        w1 = std::sin(a * theta) / std::sin(theta);
        w0 = std::cos(a * theta) - w1 * d;
    }
    return scaled_sum(q0, w0, q1, sign * w1);
}

std::uint32_t frame_of_time(float t_frames) {
    const float shifted = t_frames - 0.5f;
    // The original's conversion gives this value for everything that 32 bits cannot hold.
    if (!(shifted > -2147483648.0f && shifted < 2147483648.0f)) return 0x80000000u;
    // Ties to even by hand: floor, then up when the rest is above a half or a tie at an odd number.
    const std::int64_t low = floor_i64(shifted);
    const double rest = static_cast<double>(shifted) - static_cast<double>(low);
    const bool up = rest > 0.5 || (rest == 0.5 && low % 2 != 0);
    return static_cast<std::uint32_t>(low + (up ? 1 : 0));
}

Pose sample_node(const MshModel& model, std::size_t node, float t, const MshProfile& profile) {
    const Pose fallback = fallback_local_pose(model, node, profile);
    if (node >= model.nodes.size()) return fallback;
    const MshNode& n = model.nodes[node];
    const std::uint32_t frame = frame_of_time(t);
    const std::uint64_t word = std::uint64_t{n.map_start} + frame;
    if (frame >= model.frame_count || n.map_start == kNone16 || word >= model.frame_map.size())
        return fallback;
    const std::size_t left = model.frame_map[static_cast<std::size_t>(word)];
    if (left >= n.fallback_key || left + 1 >= model.keys.size()) return fallback;
    const MshKey &k0 = model.keys[left], &k1 = model.keys[left + 1];
    const Pose p0 = decode_key(k0, profile.quat_order);
    if (t == k0.time || k0.time == k1.time) return p0;
    const Pose p1 = decode_key(k1, profile.quat_order);
    if (t == k1.time) return p1;
    const float a = (t - k0.time) / (k1.time - k0.time);
    return {p0.position + (p1.position - p0.position) * a, interpolate(p0.rotation, p1.rotation, a)};
}

Pose blend_node(const MshModel& model, std::size_t node, float ta, float tb, float b,
                const MshProfile& profile, bool* undefined) {
    const bool has_a = b < 1 && ta >= 0, has_b = b > 0 && tb >= 0;
    if (undefined) *undefined = !has_a && !has_b;
    if (!has_a && !has_b) return fallback_local_pose(model, node, profile);
    if (!has_b) return sample_node(model, node, ta, profile);
    if (!has_a) return sample_node(model, node, tb, profile);
    const Pose pa = sample_node(model, node, ta, profile);
    Pose pb = sample_node(model, node, tb, profile);
    const Quat sum = scaled_sum(pa.rotation, 1, pb.rotation, 1);
    const Quat difference = scaled_sum(pa.rotation, 1, pb.rotation, -1);
    if (dot(sum, sum) < dot(difference, difference)) pb.rotation = scaled_sum(pb.rotation, -1, {}, 0);
    return {pa.position * (1 - b) + pb.position * b, interpolate(pa.rotation, pb.rotation, b)};
}

std::vector<Mat34> pose_hierarchy(const MshModel& model, std::span<const Pose> local, const Mat34& object) {
    std::vector<Mat34> out(model.nodes.size(), object);
    if (model.flat_hierarchy) return out;  // no invented hierarchy (8.1)
    for (std::size_t i = 0; i < out.size() && i < local.size(); ++i) {
        const std::uint16_t parent = model.nodes[i].parent;
        out[i] = (parent < i ? out[parent] : object) * pose_matrix(local[i]);
    }
    return out;
}

std::vector<Mat34> sample_model(const MshModel& model, float t, const Mat34& object, const MshProfile& profile) {
    std::vector<Pose> local;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) local.push_back(sample_node(model, i, t, profile));
    return pose_hierarchy(model, local, object);
}

std::vector<Mat34> blend_model(const MshModel& model, float ta, float tb, float b, const Mat34& object,
                               const MshProfile& profile) {
    std::vector<Pose> local;
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
        local.push_back(blend_node(model, i, ta, tb, b, profile));
    return pose_hierarchy(model, local, object);
}

Result<std::uint32_t> PieceList::add(const MshModel& model, std::uint32_t tag, std::int32_t attach_piece) {
    Load load{tag, static_cast<std::uint32_t>(pieces_.size()),
              static_cast<std::uint32_t>(model.nodes.size()), attach_piece};
    if (tag != 0 && (attach_piece < 0 || static_cast<std::size_t>(attach_piece) >= pieces_.size()))
        return fail("bad_attach_piece", "piece " + std::to_string(attach_piece) + " of " +
                                            std::to_string(pieces_.size()));
    const std::uint32_t number = static_cast<std::uint32_t>(loads_.size());
    std::vector<Piece> added;
    for (std::uint32_t i = tag == 0 ? 0 : 1; i < model.nodes.size(); ++i) {
        Piece piece{number, tag, i, kNoPiece};
        const std::uint16_t parent = model.nodes[i].parent;
        if (parent != kNone16 && !model.flat_hierarchy) {
            if (parent >= i) return fail("bad_parent", "node " + std::to_string(i) + " comes before its parent");
            if (tag == 0) piece.parent = static_cast<std::int32_t>(load.first + parent);
            else piece.parent = parent == 0 ? attach_piece : static_cast<std::int32_t>(load.first + parent - 1);
        }
        added.push_back(piece);
    }
    pieces_.insert(pieces_.end(), added.begin(), added.end());
    loads_.push_back(load);
    return number;
}

std::int32_t PieceList::piece_of(std::uint32_t load, std::uint32_t node) const {
    if (load >= loads_.size() || node >= loads_[load].nodes) return kNoPiece;
    const Load& l = loads_[load];
    if (l.tag == 0) return static_cast<std::int32_t>(l.first + node);
    return node == 0 ? l.attach : static_cast<std::int32_t>(l.first + node - 1);
}

std::vector<Mat34> pose_pieces(std::span<const Piece> pieces, std::span<const Pose> local, const Mat34& object) {
    std::vector<Mat34> out(pieces.size(), object);
    for (std::size_t i = 0; i < pieces.size() && i < local.size(); ++i) {
        const std::int32_t parent = pieces[i].parent;
        const bool known = parent >= 0 && static_cast<std::size_t>(parent) < i;
        out[i] = (known ? out[static_cast<std::size_t>(parent)] : object) * pose_matrix(local[i]);
    }
    return out;
}

}  // namespace iron::asset
