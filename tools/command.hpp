// The frame of the `iron3d` tool box: one file per command registers itself on the CLI; every
// command has --json, help with an example, progress on a terminal and a meaningful exit code.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "shared/base/error.hpp"
#include "shared/base/exit_code.hpp"

namespace iron::tools {

/// What main() hands to every command; the chosen command stores its action in `run`.
struct CommandContext {
    std::function<ExitCode()> run;
};

/// Makes `sub` run `action` when it is chosen on the command line.
void on_run(CLI::App& sub, CommandContext& context, std::function<ExitCode()> action);

/// Prints "iron3d: <chain>" to stderr and returns the exit code of the error.
ExitCode report(const Error& error);

/// Progress of long work on stderr: items done of items, bytes, rate, time left. Silent when
/// stderr is not a terminal or `quiet` is set. The line is erased by finish() and by the destructor.
class Progress {
public:
    Progress(std::string label, bool quiet = false);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// total 0 = unknown. Draws at most ten times a second.
    void update(std::uint64_t done, std::uint64_t total, std::uint64_t bytes = 0,
                std::string_view current = {});
    void finish();

private:
    std::string label_;
    bool active_ = false;
    bool drawn_ = false;
    std::int64_t started_ms_ = 0, last_ms_ = 0;
};

// One function per command file.
void register_archive_command(CLI::App& app, CommandContext& context);
void register_asset_command(CLI::App& app, CommandContext& context);
void register_corpus_command(CLI::App& app, CommandContext& context);
void register_model_command(CLI::App& app, CommandContext& context);
void register_prototype_command(CLI::App& app, CommandContext& context);
void register_script_command(CLI::App& app, CommandContext& context);
void register_content_command(CLI::App& app, CommandContext& context);
void register_mission_command(CLI::App& app, CommandContext& context);
void register_replay_command(CLI::App& app, CommandContext& context);
void register_capture_command(CLI::App& app, CommandContext& context);
void register_netzip_command(CLI::App& app, CommandContext& context);

}  // namespace iron::tools
