// JSON views of models and terrain.
#pragma once

#include "shared/asset/land_map.hpp"
#include "shared/asset/land_mesh.hpp"
#include "shared/asset/msh.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions;

Json view_json(const asset::MshModel& model, const ViewOptions& options);
Json view_json(const asset::LandMesh& mesh, const ViewOptions& options);
Json view_json(const asset::LandMap& map, const ViewOptions& options);

}  // namespace iron::interchange
