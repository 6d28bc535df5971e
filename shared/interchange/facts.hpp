// What a corpus counts in each kind of asset. The names are keys of the published totals
// (tools/data/published_totals.json).
#pragma once

#include "shared/interchange/loaded_asset.hpp"
#include "shared/interchange/view_mission.hpp"
#include "shared/interchange/view_model.hpp"
#include "shared/interchange/view_object.hpp"
#include "shared/interchange/view_visual.hpp"

namespace iron::interchange {

/// Most kinds count nothing inside.
template <class T>
void count_facts(const T&, Facts&) {}

void count_facts(const asset::MshModel& model, Facts& facts);
void count_facts(const asset::LandMesh& mesh, Facts& facts);
void count_facts(const asset::LandMap& map, Facts& facts);
void count_facts(const asset::Effect& effect, Facts& facts);
void count_facts(const asset::Sound& sound, Facts& facts);
void count_facts(const asset::ControlPoints& points, Facts& facts);
void count_facts(const asset::DamageRecords& records, Facts& facts);
void count_facts(const asset::ControlResource& control, Facts& facts);
void count_facts(const asset::ReferenceArray& array, Facts& facts);
void count_facts(const asset::RawResource& raw, Facts& facts);
void count_facts(const asset::UnitDat& dat, Facts& facts);
void count_facts(const asset::Tma& tma, Facts& facts);
void count_facts(const asset::ScriptPackage& script, Facts& facts);
void count_facts(const asset::BuildDat& build, Facts& facts);

}  // namespace iron::interchange
