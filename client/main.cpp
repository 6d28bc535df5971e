// `iron3d-client`: shows a match and lets a person play it.
#include <cstdio>
#include <memory>

#include <SDL_main.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "client/game.hpp"
#include "client/options.hpp"
#include "shared/base/exit_code.hpp"

#undef main  // SDL is started by hand: the same entry point on every system

namespace {

int report(const iron::Error& error) {
    const iron::ExitCode code = iron::exit_code_for(error);
    if (code == iron::ExitCode::usage)
        std::fprintf(stderr, "iron3d-client: %s\nTry 'iron3d-client --help'.\n", error.message().c_str());
    else
        std::fprintf(stderr, "iron3d-client: %s\n", error.to_string().c_str());
    return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace iron::client;
    auto options = parse_options(argc, argv);
    if (!options) return report(options.error());
    if (!*options) return 0;
    // Standard output belongs to the JSON lines of a check run.
    spdlog::set_default_logger(spdlog::stderr_color_mt("iron3d-client"));
    spdlog::set_pattern("iron3d-client: %^%l%$: %v");
    spdlog::set_level((*options)->log_debug ? spdlog::level::debug : spdlog::level::warn);
    auto game = Game::create(**options);
    if (!game) return report(game.error());
    if (auto ran = (*game)->run(); !ran) return report(ran.error());
    return 0;
}
