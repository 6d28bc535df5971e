#include "shared/interchange/facts.hpp"

#include <algorithm>

namespace iron::interchange {
namespace {

void at_most(Facts& facts, const char* key, std::uint64_t value) {
    std::uint64_t& most = facts[key];
    most = std::max(most, value);
}

}  // namespace

using namespace asset;

void count_facts(const MshModel& m, Facts& facts) {
    const bool animated = std::any_of(m.nodes.begin(), m.nodes.end(), [](const MshNode& n) { return n.map_start != kNone16; });
    facts["models_animated"] += animated ? 1 : 0;
    // One sample for every frame of every animated node is what an animation gate visits.
    for (const MshNode& n : m.nodes) facts["model_nodes"] += 1, facts["model_nodes_animated"] += n.map_start != kNone16 ? 1u : 0u;
    facts["models_stride_24"] += m.node_stride == 24 ? 1 : 0;
    facts["models_with_type_18"] += m.source.find(stream_type::kVertexExtra) != nullptr ? 1 : 0;
    facts["model_vertices"] += m.positions.size();
    facts["model_batches"] += m.batches.size();
    at_most(facts, "most_model_nodes", m.nodes.size());
    at_most(facts, "most_model_slots", m.slots.size());
    at_most(facts, "most_model_vertices", m.positions.size());
    at_most(facts, "most_model_batches", m.batches.size());
    const Stream* extra = m.source.find(stream_type::kExtra);
    facts["models_with_type_17"] += extra != nullptr && !extra->payload.empty() ? 1 : 0;
    facts["models_with_type_20"] += m.source.find(stream_type::kLights) != nullptr ? 1 : 0;
}

void count_facts(const LandMesh& m, Facts& facts) {
    facts["terrain_vertices"] += m.positions.size();
    facts["terrain_faces"] += m.faces.size();
}

void count_facts(const LandMap& m, Facts& facts) {
    facts["areals"] += m.areals.size();
    for (const Areal& a : m.areals) facts["areal_vertices"] += a.vertices.size();
    for (std::size_t i = 0; i + 1 < m.cell_start.size(); ++i)
        at_most(facts, "most_cell_candidates", m.cell_start[i + 1] - m.cell_start[i]);
}

void count_facts(const Effect& e, Facts& facts) {
    for (const EffectCommand& c : e.commands) facts["effect_opcode_" + std::to_string(c.opcode())] += 1;
}

void count_facts(const Sound& s, Facts& facts) {
    if (s.status == SoundStatus::entry_empty) facts["sounds_empty"] += 1;
    if (s.status != SoundStatus::decoded_sample) return;
    facts[s.info.codec == WaveCodec::pcm ? "sounds_pcm" : "sounds_adpcm"] += 1;
}

void count_facts(const ControlPoints& p, Facts& facts) { facts["control_points"] += p.points.size(); }
void count_facts(const DamageRecords& r, Facts& facts) { facts["damage_records"] += r.records.size(); }

void count_facts(const ControlResource& c, Facts& facts) {
    if (c.parsed()) return;
    facts["ctld_unparsed"] += 1;
    facts["ctld_residual_" + (c.residual ? std::to_string(*c.residual) : std::string("none"))] += 1;
}

void count_facts(const ReferenceArray& a, Facts& facts) { facts["references"] += a.references.size(); }

void count_facts(const RawResource& r, Facts& facts) {
    if (r.family == RawFamily::expl) facts["expl_version_" + std::to_string(std::min<std::uint32_t>(r.version, 4))] += 1;
}

void count_facts(const UnitDat& d, Facts& facts) { facts["unit_dat_records"] += d.records.size(); }

void count_facts(const Tma& t, Facts& facts) {
    facts["paths"] += t.paths.size();
    facts["clans"] += t.clans.size();
    facts["objects"] += t.objects.size();
    facts["extras"] += t.extras.size();
    for (const TmaObject& o : t.objects) facts[o.is_unit_scheme() ? "object_schemes" : "object_keys"] += 1;
}

void count_facts(const ScriptPackage& s, Facts& facts) {
    for (const ScriptEvent& e : s.events)
        for (const ScriptRecord& r : e.records) facts[r.w0 == kScriptSentinel ? "script_sentinels" : "script_selectors"] += 1;
}

void count_facts(const BuildDat& b, Facts& facts) {
    facts["build_categories"] += b.categories.size();
    for (const BuildCategory& c : b.categories) facts["build_paths"] += c.paths.size();
}

}  // namespace iron::interchange
