// JSON views of prototypes, schemes and the service resources beside a model.
#pragma once

#include "shared/asset/base_contour.hpp"
#include "shared/asset/control_points.hpp"
#include "shared/asset/control_resource.hpp"
#include "shared/asset/damage_records.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/asset/raw_resource.hpp"
#include "shared/asset/research_tree.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

struct ViewOptions;

Json view_json(const asset::BaseContour& value, const ViewOptions& options);
Json view_json(const asset::ControlPoints& value, const ViewOptions& options);
Json view_json(const asset::ControlResource& value, const ViewOptions& options);
Json view_json(const asset::DamageRecords& value, const ViewOptions& options);
Json view_json(const asset::ReferenceArray& value, const ViewOptions& options);
Json view_json(const asset::Fort& value, const ViewOptions& options);
Json view_json(const asset::RawResource& value, const ViewOptions& options);
Json view_json(const asset::ResearchTree& value, const ViewOptions& options);
Json view_json(const asset::UnitDat& value, const ViewOptions& options);

}  // namespace iron::interchange
