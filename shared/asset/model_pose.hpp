// Poses of a model over time: sampling, blending, hierarchy, attachment. Presentation only (libm);
// the simulation links pose_math.hpp and msh.hpp instead. Source: models.md 8 and 9.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/asset/msh.hpp"

namespace iron::asset {

/// Spherical interpolation of the original, not normalised (9.3).
Quat interpolate(const Quat& q0, const Quat& q1, float a);

/// Frame number of a time: nearest integer to t - 0.5, ties to even, as unsigned (9.3 step 1).
std::uint32_t frame_of_time(float t_frames);

/// Local pose of one node at time t in frames (9.3).
Pose sample_node(const MshModel& model, std::size_t node, float t_frames, const MshProfile& profile);

/// Two times with weight b of the second (9.4). `*undefined` is set when neither time is usable
/// (the fallback key is returned then).
Pose blend_node(const MshModel& model, std::size_t node, float ta, float tb, float b,
                const MshProfile& profile, bool* undefined = nullptr);

/// world(node) for local poses and the object's transform (8.1), parents before children.
std::vector<Mat34> pose_hierarchy(const MshModel& model, std::span<const Pose> local,
                                  const Mat34& object);

/// Whole model at one time.
std::vector<Mat34> sample_model(const MshModel& model, float t_frames, const Mat34& object,
                                const MshProfile& profile);
/// Whole model between two times.
std::vector<Mat34> blend_model(const MshModel& model, float ta, float tb, float b,
                               const Mat34& object, const MshProfile& profile);

inline constexpr std::int32_t kNoPiece = -1;

/// One entry of the flat run-time piece list of an object (8.2).
struct Piece {
    std::uint32_t load = 0;            ///< number of the load that created it
    std::uint32_t tag = 0;             ///< 0: main model
    std::uint32_t node = 0;            ///< node index in that load's model
    std::int32_t parent = kNoPiece;    ///< absolute piece index
};

/// Flat list of the pieces of one object: the main model and what is attached to it.
class PieceList {
public:
    /// Adds the pieces of a model. tag 0: node i -> piece i; otherwise node 0 is the attach root
    /// and is skipped. Error `bad_attach_piece`, `bad_parent`.
    Result<std::uint32_t> add(const MshModel& model, std::uint32_t tag, std::int32_t attach_piece);
    /// Absolute piece of a node of load `load` (CTPT, NDPR and CTLD numbers map the same way);
    /// node 0 of an attached model maps to the attach piece.
    std::int32_t piece_of(std::uint32_t load, std::uint32_t node) const;
    const std::vector<Piece>& pieces() const { return pieces_; }

private:
    struct Load {
        std::uint32_t tag = 0, first = 0, nodes = 0;
        std::int32_t attach = kNoPiece;
    };
    std::vector<Piece> pieces_;
    std::vector<Load> loads_;
};

/// World matrices of pieces from their local poses.
std::vector<Mat34> pose_pieces(std::span<const Piece> pieces, std::span<const Pose> local,
                               const Mat34& object);

}  // namespace iron::asset
