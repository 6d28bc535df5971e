// From an MSH to a model ready to draw.
#pragma once

#include <span>
#include <string>

#include "client/view/model.hpp"
#include "shared/asset/msh.hpp"

namespace iron::client::view {

/// The state 0 / LOD 0 geometry of every node. `wear` are the materials of the model's WEAR rows
/// (not empty); a row beyond it is drawn with row 0 (models.md 5.1).
Model build_model(const asset::MshModel& source, std::span<const std::uint32_t> wear,
                  const asset::MshProfile& profile, std::string key);

/// A small grey box: what is shown for a model that cannot be loaded (frame.md 10.5).
Model placeholder_model(std::uint32_t material, float size_wu = 2.0f);

}  // namespace iron::client::view
