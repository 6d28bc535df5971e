// replay_check LOG ROOT: replays a log on a game directory and prints "TICKS HASH" of the end. For variant builds
// (other compilers, -O0, sanitizers, AArch64 under emulation): no command line library, no logging library.
// Exit codes as of every program: 0 equal, 6 different, 7 other sim_version, 3 data, 2 usage.
#include <cstdio>

#include "server/session/replay_source.hpp"
#include "shared/base/exit_code.hpp"

namespace {

int stop(const iron::Error& error) {
    std::fprintf(stderr, "replay_check: %s\n", error.to_string().c_str());
    return static_cast<int>(iron::exit_code_for(error));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace iron;
    if (argc != 3) {
        std::fprintf(stderr, "usage: replay_check LOG ROOT\n");
        return static_cast<int>(ExitCode::usage);
    }
    auto log = session::MessageLogReader::open_file(argv[1]);
    if (!log) return stop(log.error());
    auto source = session::ReplaySource::open(argv[2]);
    if (!source) return stop(source.error());
    session::ReplayOptions options;
    options.manifest = source->manifest();
    const auto report = session::replay_log(*log, source->loader(), options);
    if (!report) return stop(report.error());
    std::printf("%llu %s\n", static_cast<unsigned long long>(report->final_tick), to_hex(report->final_hash).c_str());
    if (report->verified()) return static_cast<int>(ExitCode::ok);
    std::fprintf(stderr, "replay_check: %s\n", report->divergence->to_string().c_str());
    return static_cast<int>(ExitCode::mismatch);
}
