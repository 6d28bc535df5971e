// Headers that hold for every sample; internal to netzip/.
#pragma once

#include "dpcompat/netzip/identify.hpp"

namespace iron::dpcompat {

struct FramingCandidate {
    Framing framing;
    std::size_t uncovered = 0;  ///< header bytes without a meaning
};
/// All framings of 0..16 bytes that contradict no sample, those with fewer unexplained bytes first.
std::vector<FramingCandidate> find_framings(const std::vector<const PackSample*>& samples);

}  // namespace iron::dpcompat
