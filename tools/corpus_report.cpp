// What a corpus run looks like as JSON and on a terminal.
#include <map>

#include <nlohmann/json.hpp>

#include "shared/interchange/diagnostics_json.hpp"
#include "tools/corpus_run.hpp"
#include "tools/version.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

/// Occurrences of every diagnostic code over all parts, quirks apart from warnings.
std::map<std::string, std::uint64_t> code_counts(const CorpusRun& run, Severity severity) {
    std::map<std::string, std::uint64_t> out;
    const auto add = [&](const PartReport& part) {
        for (const Diagnostic& d : part.diagnostics)
            if (d.severity == severity) out[d.code] += 1;
    };
    for (const FileReport& file : run.files) {
        add(file.self);
        for (const PartReport& entry : file.entries) add(entry);
    }
    return out;
}

Json evidence_json(const Facts& facts) {
    Json out = Json::object();
    for (const auto& [key, value] : facts)
        if (key.rfind("evidence_", 0) == 0 || key.rfind("ctld_", 0) == 0 || key.rfind("expl_version_", 0) == 0) out[key] = value;
    return out;
}

Json profile_json(const CorpusRun& run) {
    return Json{{"quat_order", run.profile.quat_order == asset::QuatOrder::xyzw ? "xyzw" : "wxyz"},
                {"batch_row", run.profile.batch_row == asset::BatchRow::word2 ? "word2" : "byte4"},
                {"diagnostics", diagnostics_json(run.profile_diagnostics)}};
}

void put_part(std::string& out, const std::string& label, const PartReport& part) {
    if (part.error) out += std::string(part.health == Health::quirk ? "quirk" : "ERROR") + "  " + display_text(label) + ": " + display_text(part.error->to_string()) + "\n";
    if (part.rewritten == false) out += "DIFFERS  " + display_text(label) + ": the writer gives other bytes\n";
}

}  // namespace

Json corpus_json(const CorpusRun& run, const PublishedTotals& totals) {
    const EditionMatch match = recognise_edition(totals, run.facts);
    Json out{{"format", "iron3d corpus report"}, {"version", 1}, {"tool", version_text()}};
    out.update(totals_json(totals, match, run.facts));
    out["health"] = {{"ok", run.count(Health::strict)}, {"quirk", run.count(Health::quirk)}, {"error", run.count(Health::error)},
                     {"unknown", run.count(Health::unknown)}, {"not_rewritten", run.not_rewritten()},
                     {"warnings", code_counts(run, Severity::warning)}, {"quirks", code_counts(run, Severity::quirk)}};
    out["model_profile"] = profile_json(run);
    out["registry"] = registry_json(run.registry);
    Json missions = Json::array();
    for (const MissionReach& mission : run.missions) missions.push_back(reach_json(mission));
    out["reachability"] = {{"sound", run.missions_sound()}, {"missions", std::move(missions)}};
    out["evidence"] = evidence_json(run.facts);
    out["facts"] = run.facts;
    Json files = Json::array();
    for (const FileReport& file : run.files) files.push_back(file_json(file));
    out["files"] = std::move(files);
    return out;
}

std::string corpus_text(const CorpusRun& run, const PublishedTotals& totals) {
    const EditionMatch match = recognise_edition(totals, run.facts);
    std::string out = "edition: " + match.text + "\n\n" + totals_text(totals, match, run.facts) + "\narchive health\n";
    for (const FileReport& file : run.files) {
        put_part(out, file.self.name, file.self);
        for (const PartReport& entry : file.entries) put_part(out, file.self.name + "::" + entry.name, entry);
    }
    out += std::to_string(run.count(Health::strict)) + " parts ok, " + std::to_string(run.count(Health::quirk)) + " with a quirk, " +
           std::to_string(run.count(Health::error)) + " with an error, " + std::to_string(run.count(Health::unknown)) + " of unknown kind\n";
    for (const auto& [code, count] : code_counts(run, Severity::warning)) out += "warning " + code + ": " + std::to_string(count) + "\n";
    for (const auto& [code, count] : code_counts(run, Severity::quirk)) out += "quirk " + code + ": " + std::to_string(count) + "\n";
    out += "\nmission reachability\n";
    for (const MissionReach& mission : run.missions) {
        if (mission.error) out += "ERROR  " + display_text(mission.data_path) + ": " + display_text(mission.error->to_string()) + "\n";
        for (const auto& failure : mission.failures) out += "FAILED  " + display_text(failure.to_string()) + "\n";
    }
    std::size_t sound = 0;
    for (const MissionReach& mission : run.missions) sound += !mission.error && mission.failures.empty() ? 1 : 0;
    out += std::to_string(sound) + " of " + std::to_string(run.missions.size()) + " missions reach everything they need\n";
    out += "prototypes: " + std::to_string(run.registry.keys);
    for (const auto& [status, count] : run.registry.statuses) out += ", " + std::to_string(count) + " " + status;
    return out + "\n";
}

}  // namespace iron::tools
