// The check tables of models.md 1, 2.4, 3.2, 4, 5.3, 6, 9.8. Internal to this room.
#pragma once

#include "shared/asset/msh.hpp"

namespace iron::asset::codec {

/// Presence, duplicates, strides and attributes of the streams (models.md 1, 2.3).
Status check_stream_table(const StreamSource& source, ReadContext& ctx);

/// Everything that needs the decoded streams; may set `flat_hierarchy`.
Status check_model(MshModel& model, ReadContext& ctx);

}  // namespace iron::asset::codec
