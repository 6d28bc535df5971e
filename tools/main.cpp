// `iron3d`: archives, missions, content, replays, captures on the command line.
#include <cstdio>

#include "tools/command.hpp"
#include "tools/version.hpp"

int main(int argc, char** argv) {
    using namespace iron;
    CLI::App app{"iron3d: tools for the data, the content and the recorded matches of Iron3D"};
    app.set_version_flag("--version", tools::version_text());
    app.require_subcommand(1);
    app.footer("Every command explains itself with --help. Exit codes: docs/exit-codes.md");

    tools::CommandContext context;
#define IRON_TOOL(name) tools::register_##name##_command(app, context);
#include "tools_list.inc"
#undef IRON_TOOL

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
    }
    return static_cast<int>(context.run ? context.run() : ExitCode::usage);
}
