// `iron3d corpus verify|roundtrip|report|diff`: a whole game directory at once.
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "tools/corpus_diff.hpp"
#include "tools/corpus_run.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

struct Arguments {
    std::vector<std::string> roots;
    std::string against, out;
    unsigned jobs = 0;
    bool json = false;
};

Result<archive::Vfs> open_roots(const Arguments& arguments) {
    return archive::Vfs::open_layers({arguments.roots.begin(), arguments.roots.end()});
}

Result<CorpusRun> run(const Arguments& arguments, bool missions) {
    IRON_TRY(const archive::Vfs vfs, open_roots(arguments));
    Progress line("corpus", arguments.json);
    auto result = run_corpus(vfs, {arguments.jobs, missions},
                             [&](std::uint64_t done, std::uint64_t total, std::uint64_t bytes, const std::string& current) {
                                 line.update(done, total, bytes, current);
                             });
    line.finish();
    return result;
}

ExitCode verify(const Arguments& arguments) {
    const auto result = run(arguments, true);
    if (!result) return fail_with(result.error(), arguments.json);
    const auto totals = published_totals();
    if (!totals) return fail_with(totals.error(), arguments.json);
    if (arguments.json) {
        Json report = corpus_json(*result, *totals);
        report.erase("files");  // `report` has them
        print_json(report);
    } else {
        print(corpus_text(*result, *totals));
    }
    const bool sound = result->count(Health::error) == 0 && result->missions_sound();
    if (!sound) return ExitCode::data;
    return result->not_rewritten().empty() ? ExitCode::ok : ExitCode::mismatch;
}

ExitCode roundtrip(const Arguments& arguments) {
    const auto result = run(arguments, false);
    if (!result) return fail_with(result.error(), arguments.json);
    std::uint64_t equal = 0, differ = 0, unreadable = 0;
    Json unread = Json::array();
    const auto count = [&](const std::string& label, const PartReport& part) {
        if (!part.rewritten) {
            ++unreadable;
            unread.push_back(display_text(label));
            return;
        }
        ++(*part.rewritten ? equal : differ);
    };
    for (const FileReport& file : result->files) {
        count(file.self.name, file.self);
        for (const PartReport& entry : file.entries) count(file.self.name + "::" + entry.name, entry);
    }
    const std::vector<std::string> names = result->not_rewritten();
    if (arguments.json) {
        Json list = Json::array();
        for (const std::string& name : names) list.push_back(display_text(name));
        print_json({{"files", result->files.size()}, {"equal", equal}, {"differ", differ}, {"unreadable", unreadable},
                    {"differing", std::move(list)}, {"not_read", std::move(unread)}});
    } else {
        for (const std::string& name : names) print("DIFFERS  " + display_text(name) + "\n");
        for (const Json& name : unread) print("unreadable  " + name.get<std::string>() + "\n");
        std::printf("%zu files: %llu parts rewritten to the same bytes, %llu to others, %llu unreadable\n", result->files.size(),
                    static_cast<unsigned long long>(equal), static_cast<unsigned long long>(differ), static_cast<unsigned long long>(unreadable));
    }
    if (differ != 0) return ExitCode::mismatch;
    return unreadable != 0 ? ExitCode::data : ExitCode::ok;
}

ExitCode report_all(const Arguments& arguments) {
    const auto result = run(arguments, true);
    if (!result) return fail_with(result.error(), arguments.json);
    const auto totals = published_totals();
    if (!totals) return fail_with(totals.error(), arguments.json);
    const Json report = corpus_json(*result, *totals);
    if (arguments.out.empty()) {
        print_json(report);
        return ExitCode::ok;
    }
    const Status written = write_file_atomic(arguments.out, as_bytes(dump_json(report)));
    if (!written) return fail_with(written.error(), arguments.json);
    if (!arguments.json) std::printf("%s: edition %s\n", arguments.out.c_str(), report["edition"].get<std::string>().c_str());
    return ExitCode::ok;
}

ExitCode diff(const Arguments& arguments) {
    const auto a = open_roots(arguments);
    if (!a) return fail_with(a.error(), arguments.json);
    const auto b = archive::Vfs::open(arguments.against);
    if (!b) return fail_with(b.error(), arguments.json);
    const auto result = diff_corpora(*a, *b);
    if (!result) return fail_with(result.error(), arguments.json);
    if (arguments.json)
        print_json(result->json);
    else
        print(result->text);
    return result->equal ? ExitCode::ok : ExitCode::mismatch;
}

CLI::App* add(CLI::App& parent, CommandContext& context, const char* name, const char* help, const char* example,
              ExitCode (*action)(const Arguments&), const std::shared_ptr<Arguments>& arguments) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->add_option("--root", arguments->roots, "Game directory; give it again for layers, the winning one first")
        ->required()->allow_extra_args(false);
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->footer(std::string("Example: ") + example);
    on_run(*sub, context, [action, arguments] { return action(*arguments); });
    return sub;
}

}  // namespace

void register_corpus_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("corpus", "A whole game directory: health, totals, round trip, differences");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verifying = add(*group, context, "verify",
                              "Read every file, follow every mission, compare with the published totals; exit code 3 when something is broken",
                              "iron3d corpus verify --root ./game", verify, arguments);
    CLI::App* rewriting = add(*group, context, "roundtrip", "Rewrite every file and entry in memory and compare; exit code 6 when bytes differ",
                              "iron3d corpus roundtrip --root ./game", roundtrip, arguments);
    CLI::App* reporting = add(*group, context, "report", "The whole report as JSON: hashes, totals, variants, warnings, unknown ranges, missions",
                              "iron3d corpus report --root ./game --out report.json", report_all, arguments);
    CLI::App* comparing = add(*group, context, "diff", "Compare two game directories by file and by archive entry; exit code 6 when they differ",
                              "iron3d corpus diff --root ./part1 --against ./part2", diff, arguments);
    for (CLI::App* sub : {verifying, rewriting, reporting})
        sub->add_option("--jobs", arguments->jobs, "Threads, 0 = all")->check(CLI::Range(0, 256))->capture_default_str();
    reporting->add_option("--out", arguments->out, "File to write instead of standard output");
    comparing->add_option("--against", arguments->against, "The other game directory")->required();
}

}  // namespace iron::tools
