// Order of the stages, progress and reporting.
#include "shared/mission/load_session.hpp"

#include <algorithm>

#include "shared/base/text.hpp"

namespace iron::mission {

namespace {

// Failures are counted without limit and listed up to here.
constexpr std::size_t kMaxListed = 10000;
// Failures after the first one that are spelled out in the error text.
constexpr std::size_t kMaxInError = 20;

bool has_failure(const std::vector<Problem>& problems) {
    return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return !p.warning; });
}

std::string part(std::string_view label, std::string_view value) {
    return std::string(label) + "'" + cp1251_to_utf8(value) + "'";
}

// The links of a failure's chain, innermost first.
std::vector<ErrorFrame> frames_of(const LoadFailure& failure) {
    std::vector<ErrorFrame> out;
    ErrorFrame cause;
    cause.message = failure.cause;
    cause.path = cp1251_to_utf8(failure.archive);
    cause.entry = cp1251_to_utf8(failure.entry);
    cause.offset = failure.offset;
    out.push_back(std::move(cause));
    const auto add = [&](std::string message) {
        ErrorFrame frame;
        frame.message = std::move(message);
        out.push_back(std::move(frame));
    };
    if (!failure.key.empty()) add(part("prototype ", failure.key));
    if (failure.record_index >= 0) add("record " + std::to_string(failure.record_index));
    if (!failure.scheme_path.empty()) add(part("unit scheme ", failure.scheme_path));
    if (failure.object_index >= 0)
        add("object " + std::to_string(failure.object_index) + part(" ", failure.object_name));
    return out;
}

Error chain(std::string code, const std::vector<ErrorFrame>& frames) {
    const ErrorFrame& inner = frames.front();
    Error error(std::move(code), inner.message);
    // The setters change the error they are called on and hand it back.
    (void)std::move(error).in(inner.path).entry(inner.entry);
    if (inner.offset) (void)std::move(error).at(*inner.offset);
    for (std::size_t i = 1; i < frames.size(); ++i) (void)std::move(error).wrap(frames[i]);
    return error;
}

}  // namespace

std::string_view load_stage_name(LoadStage stage) {
    switch (stage) {
        case LoadStage::context: return "context";
        case LoadStage::foundation: return "world foundation";
        case LoadStage::description: return "mission description";
        case LoadStage::prototypes: return "prototype resolution";
        case LoadStage::resources: return "resource preparation";
    }
    return "stage";
}

std::string LoadFailure::to_string() const {
    auto frames = frames_of(*this);
    if (!mission.empty()) {
        ErrorFrame frame;
        frame.message = part("mission ", mission);
        frames.push_back(std::move(frame));
    }
    return chain(code, frames).to_string();
}

std::string resource_identity(const ResourceName& name) {
    return ascii_lower(name.archive) + "::" + ascii_lower(name.entry);
}

bool PrototypeUse::usable() const {
    return resolution->ok() && !has_failure(resolution_problems) && !has_failure(resource_problems) &&
           (!model || (!has_failure(model->problems) && !has_failure(model->wear.problems)));
}

bool SchemeUse::usable() const {
    return assembly && !has_failure(problems) &&
           std::all_of(parts.begin(), parts.end(), [](const PrototypeUse* p) { return p && p->usable(); });
}

LoadSession::LoadSession(const archive::Vfs& vfs, const LoadOptions& options,
                         const LoadProgressFn& progress, bool keep_going)
    : vfs_(vfs),
      options_(options),
      progress_fn_(progress),
      keep_going_(keep_going),
      archives_(vfs, options.profile),
      locator_(archives_, options.profile),
      registry_(locator_) {}

Status LoadSession::run(std::string_view mission) {
    IRON_CHECK(stage_context(mission));
    IRON_CHECK(stage_foundation());
    IRON_CHECK(stage_description());
    IRON_CHECK(stage_prototypes());
    IRON_CHECK(stage_resources());
    return {};
}

void LoadSession::enter(LoadStage stage, std::uint64_t total) {
    progress_ = {stage, 0, total, {}};
    stage_first_failure_ = graph_->failures.size();
    if (progress_fn_) progress_fn_(progress_);
}

void LoadSession::step(std::string_view current) {
    ++progress_.done;
    progress_.current = current;
    if (progress_fn_) progress_fn_(progress_);
}

Status LoadSession::end_of_stage() {
    const auto& failures = graph_->failures;
    if (keep_going_ || failures.size() == stage_first_failure_) return {};
    const LoadFailure& first = failures[stage_first_failure_];
    const std::size_t count = failures.size() - stage_first_failure_;
    std::string text = "stage " + std::to_string(static_cast<int>(first.stage)) + ", " +
                       std::string(load_stage_name(first.stage));
    if (count > 1) {
        text += ", " + std::to_string(count) + " failures (also: ";
        for (std::size_t i = 1; i < count && i <= kMaxInError; ++i) {
            const LoadFailure& other = failures[stage_first_failure_ + i];
            if (i > 1) text += "; ";
            text += chain(other.code, frames_of(other)).to_string();
        }
        if (count > kMaxInError + 1) text += "; and more";
        text += ")";
    }
    auto frames = frames_of(first);
    ErrorFrame stage, outer;
    stage.message = std::move(text);
    outer.message = part("cannot load mission ", first.mission);
    frames.push_back(std::move(stage));
    frames.push_back(std::move(outer));
    return tl::unexpected(chain(first.code, frames));
}

void LoadSession::report(const Problem& problem, const UseContext& use) {
    const bool warning = problem.warning || !use.placed;
    auto& count = warning ? graph_->totals.warnings : graph_->totals.failures;
    auto& list = warning ? graph_->warnings : graph_->failures;
    ++count;
    if (list.size() >= kMaxListed) return;
    LoadFailure out;
    out.stage = progress_.stage;
    out.code = problem.code;
    // The same gap has another name when a unit scheme asks (mission.md 5).
    const bool absent = problem.code == "missing_prototype" || problem.code == "missing_archive" ||
                        problem.code == "missing_resource";
    if (absent && !problem.warning && use.record_index >= 0 &&
        problem.edge == EdgeKind::object_prototype)
        out.code = "missing_component";
    out.mission = blueprint_->key;
    out.object_index = use.object_index;
    out.object_name = use.object_name;
    out.scheme_path = use.scheme_path;
    out.record_index = use.record_index;
    out.key = problem.key;
    out.archive = problem.at.archive;
    out.entry = problem.at.entry;
    out.edge = edge_kind_name(problem.edge == EdgeKind::object_prototype && use.record_index >= 0
                                  ? EdgeKind::component_prototype
                                  : problem.edge);
    out.offset = problem.offset;
    out.cause = problem.cause;
    if (warning)
        blueprint_->diagnostics.push_back({Severity::warning, out.code, out.to_string(), out.archive,
                                           out.entry, out.offset});
    list.push_back(std::move(out));
}

void LoadSession::report_all(const std::vector<Problem>& problems, const UseContext& use) {
    for (const auto& problem : problems) report(problem, use);
}

// Failures of shared things are reported for every use, their warnings once.
void LoadSession::report_prototype(const PrototypeUse& use, const UseContext& context,
                                   bool resources) {
    const auto failures = [&](const std::vector<Problem>& problems) {
        for (const auto& problem : problems) {
            if (problem.warning) continue;
            Problem copy = problem;
            if (copy.key.empty()) copy.key = use.resolution->key;
            report(copy, context);
        }
    };
    if (!resources) {
        failures(use.resolution_problems);
        return;
    }
    failures(use.resource_problems);
    if (!use.model) return;
    failures(use.model->problems);
    failures(use.model->wear.problems);
}

ReadContext LoadSession::read_context(std::string path, std::string entry) const {
    return {options_.profile, std::move(path), std::move(entry), {}};
}

void LoadSession::keep(const ReadContext& context) {
    auto& all = blueprint_->diagnostics;
    all.insert(all.end(), context.diagnostics.begin(), context.diagnostics.end());
}

archive::PathProfile LoadSession::path_profile() const {
    return options_.profile == ReadProfile::strict ? archive::PathProfile::strict
                                                   : archive::PathProfile::host_compatible;
}

std::optional<archive::SharedBytes> LoadSession::read_file(std::string_view path, Problem& problem,
                                                           std::string_view missing_code) {
    problem.at = {std::string(path), {}};
    const auto normal = archive::normalize_path(path, path_profile());
    if (!normal) {
        problem.code = "bad_path";
        problem.cause = normal.error().to_string();
        return std::nullopt;
    }
    auto bytes = vfs_.read_shared(normal->text);
    if (bytes) return std::move(*bytes);
    const bool missing = bytes.error().code() == "not_found";
    problem.code = missing ? std::string(missing_code) : bytes.error().code();
    problem.cause = missing ? "the file does not exist" : bytes.error().message();
    return std::nullopt;
}

}  // namespace iron::mission
