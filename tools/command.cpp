#include "tools/command.hpp"

#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace iron::tools {
namespace {

std::int64_t now_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string human_bytes(double bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 3) {
        bytes /= 1024;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
    return text;
}

}  // namespace

void on_run(CLI::App& sub, CommandContext& context, std::function<ExitCode()> action) {
    sub.callback([&context, action = std::move(action)] { context.run = action; });
}

ExitCode report(const Error& error) {
    std::fprintf(stderr, "iron3d: %s\n", error.to_string().c_str());
    return exit_code_for(error);
}

Progress::Progress(std::string label, bool quiet)
    : label_(std::move(label)),
      active_(!quiet && ::isatty(STDERR_FILENO) != 0),
      started_ms_(now_ms()) {}

Progress::~Progress() { finish(); }

void Progress::update(std::uint64_t done, std::uint64_t total, std::uint64_t bytes,
                      std::string_view current) {
    if (!active_) return;
    const std::int64_t now = now_ms();
    if (drawn_ && now - last_ms_ < 100 && done != total) return;
    last_ms_ = now;
    drawn_ = true;
    const double seconds = static_cast<double>(now - started_ms_) / 1000.0;
    std::string line = label_ + "  " + std::to_string(done);
    if (total != 0) line += " of " + std::to_string(total);
    if (bytes != 0) {
        line += "  " + human_bytes(static_cast<double>(bytes));
        if (seconds > 0.2) line += "  " + human_bytes(static_cast<double>(bytes) / seconds) + "/s";
    }
    if (total != 0 && done != 0 && done < total && seconds > 0.5) {
        const double left = seconds * static_cast<double>(total - done) / static_cast<double>(done);
        line += "  " + std::to_string(static_cast<int>(left + 0.5)) + " s left";
    }
    if (!current.empty()) line += "  " + std::string(current.substr(0, 40));
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
}

void Progress::finish() {
    if (drawn_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
    drawn_ = false;
    active_ = false;
}

}  // namespace iron::tools
