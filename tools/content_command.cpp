// `iron3d content build --out DIR [--profile demo] [--seed N] [--json]`: writes the built-in game.
#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/content/content.hpp"
#include "tools/command.hpp"

namespace iron::tools {
namespace {

struct BuildArguments {
    std::string out;
    std::string profile = "demo";
    std::uint64_t seed = content::kDefaultSeed;
    bool json = false;
};

ExitCode build(const BuildArguments& arguments) {
    content::ContentOptions options;
    options.seed = arguments.seed;
    Progress line("content", arguments.json);
    const auto progress = [&](const content::Progress& p) {
        line.update(p.done, p.total, p.bytes, p.item.empty() ? p.phase : p.item);
    };
    const auto report_or = content::build_content(arguments.out, options, progress);
    line.finish();
    if (!report_or) return report(report_or.error());
    if (arguments.json) {
        nlohmann::ordered_json out;
        out["out"] = arguments.out;
        out["profile"] = arguments.profile;
        out["seed"] = arguments.seed;
        out["files"] = nlohmann::ordered_json::array();
        for (const content::FileSummary& f : report_or->files)
            out["files"].push_back({{"path", f.path}, {"bytes", f.bytes}, {"sha256", to_hex(f.sha256)}});
        out["total_bytes"] = report_or->total_bytes;
        out["manifest"] = to_hex(report_or->manifest);
        std::printf("%s\n", out.dump(2).c_str());
        return ExitCode::ok;
    }
    for (const content::FileSummary& f : report_or->files)
        std::printf("%10llu  %s\n", static_cast<unsigned long long>(f.bytes), f.path.c_str());
    std::printf("%10llu  bytes in %zu files, manifest %s\n", static_cast<unsigned long long>(report_or->total_bytes),
                report_or->files.size(), to_hex(report_or->manifest).c_str());
    return ExitCode::ok;
}

}  // namespace

void register_content_command(CLI::App& app, CommandContext& context) {
    CLI::App* content = app.add_subcommand("content", "The built-in game \"Proving Grounds\" in the original formats");
    content->require_subcommand(1);
    CLI::App* sub = content->add_subcommand("build", "Write a complete game directory");
    auto arguments = std::make_shared<BuildArguments>();
    sub->add_option("--out", arguments->out, "Directory to write; replaced only if it is empty or was written by this command")->required();
    sub->add_option("--profile", arguments->profile, "File layout")->check(CLI::IsMember({"demo"}))->capture_default_str();
    sub->add_option("--seed", arguments->seed, "Seed of terrain, textures and forests; equal seeds give equal bytes")->capture_default_str();
    sub->add_flag("--json", arguments->json, "Print files, sizes and digests as JSON");
    sub->footer("Example: iron3d content build --out ./proving-grounds");
    on_run(*sub, context, [arguments] { return build(*arguments); });
}

}  // namespace iron::tools
