// The work of `iron3d corpus`: every file and every mission on several threads, results in path order
// whatever the number of threads.
#pragma once

#include <string>
#include <vector>

#include "shared/archive/vfs.hpp"
#include "shared/asset/msh.hpp"
#include "shared/interchange/corpus_missions.hpp"
#include "shared/interchange/corpus_scan.hpp"
#include "shared/interchange/corpus_totals.hpp"

namespace iron::tools {

struct CorpusOptions {
    unsigned jobs = 0;       ///< threads, 0 = as many as the machine has
    bool missions = true;    ///< reachability, registry and the disputed readings, too
};

/// Everything that was found in a game directory.
struct CorpusRun {
    std::vector<interchange::FileReport> files;      ///< by path
    std::vector<interchange::MissionReach> missions; ///< by path
    interchange::RegistryHealth registry;
    asset::MshProfile profile;                       ///< verdict over all models
    std::vector<Diagnostic> profile_diagnostics;
    interchange::Facts facts;

    /// Health of all files and entries.
    std::size_t count(interchange::Health health) const;
    /// Files and entries whose writer gave other bytes.
    std::vector<std::string> not_rewritten() const;
    bool missions_sound() const;
};

using CorpusProgress = std::function<void(std::uint64_t done, std::uint64_t total, std::uint64_t bytes, const std::string& current)>;

/// Errors of the file system listing only; a file that cannot be read is a report.
Result<CorpusRun> run_corpus(const archive::Vfs& vfs, const CorpusOptions& options, const CorpusProgress& progress);

/// The totals file embedded at build time.
Result<interchange::PublishedTotals> published_totals();

/// The whole report, equal on every run over equal bytes.
interchange::Json corpus_json(const CorpusRun& run, const interchange::PublishedTotals& totals);
/// The summary for a terminal.
std::string corpus_text(const CorpusRun& run, const interchange::PublishedTotals& totals);

}  // namespace iron::tools
