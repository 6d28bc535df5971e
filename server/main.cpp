// iron3d-server: the authority of a match. Headless; one simulation thread.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "server/net/server_loop.hpp"
#include "server/start_match.hpp"
#include "shared/base/exit_code.hpp"
#include "shared/base/file.hpp"
#include "shared/base/text.hpp"

namespace {

using namespace iron;

// A signal handler can reach nothing but a variable of the program.
std::atomic<bool> g_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) { g_stop.store(true, std::memory_order_relaxed); }

/// Names of the game's files are CP1251; a terminal wants UTF-8.
std::string for_people(const std::string& text) { return is_valid_utf8(text) ? text : cp1251_to_utf8(text); }

std::shared_ptr<spdlog::logger> make_logger(const server::ServerSettings& settings) {
    auto logger = spdlog::stderr_color_mt("server");
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    logger->set_level(spdlog::level::from_str(settings.log_level));
    if (settings.quiet && logger->level() < spdlog::level::warn) logger->set_level(spdlog::level::warn);
    logger->flush_on(spdlog::level::info);
    return logger;
}

/// One line that is overwritten, on a terminal only.
server::StartProgress terminal_progress(bool quiet) {
    if (quiet || isatty(STDERR_FILENO) == 0) return {};
    return [](const std::string& what, std::uint64_t done, std::uint64_t total) {
        std::fprintf(stderr, "\r\033[Kloading: %s %llu of %llu", what.c_str(), static_cast<unsigned long long>(done),
                     static_cast<unsigned long long>(total));
        if (done == total) std::fprintf(stderr, "\r\033[K");
    };
}

std::string status_json(const net::EnetHost& host, const net::MatchRoom& room, bool ended) {
    const session::Session& session = room.session();
    nlohmann::ordered_json players = nlohmann::ordered_json::array();
    for (const auto& [number, player] : session.players().all()) {
        if (!player.entered) continue;
        players.push_back({{"number", number},
                           {"name", player.name},
                           {"clan", player.clan},
                           {"host", player.host},
                           {"state", protocol::EnumNamePlayerState(player.state)}});
    }
    nlohmann::ordered_json out = {
        {"state", ended                    ? "ended"
                  : !session.started()     ? "waiting"
                  : room.match().paused()  ? "paused"
                                           : "running"},
        {"name", session.settings().server_name},
        {"mission", session.settings().mission_key},
        {"port", host.port()},
        {"tick", room.match().tick()},
        {"players", players},
        {"dropped_ms", room.dropped_ms()},
        {"packets_in", host.counters().packets_in},
        {"packets_out", host.counters().packets_out},
        {"bytes_out", host.counters().bytes_out},
    };
    if (ended) out["state_hash"] = to_hex(room.match().state_hash().total);
    return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Status serve(const server::ServerSettings& settings, spdlog::logger& log) {
    IRON_TRY(server::PreparedMatch match, server::prepare_match(settings, terminal_progress(settings.quiet)));
    for (const std::string& warning : match.warnings) log.warn("{}", for_people(warning));
    for (const std::string& text : match.notes) log.debug("{}", for_people(text));
    log.info("mission {}: {} objects, {} content files, fingerprint {}", match.room.session.mission_key,
             match.objects, match.manifest.files.size(), to_hex(match.room.session.fingerprint).substr(0, 16));

    net::HostSettings host_settings;
    host_settings.address = settings.address;
    host_settings.port = settings.port;
    host_settings.limits = match.room.session.limits;
    // A few more connections than places, so that who is refused can be told why.
    host_settings.max_connections = match.room.session.clans.size() + match.room.session.max_spectators + 8;
    IRON_TRY(const std::unique_ptr<net::EnetHost> host, net::EnetHost::open(host_settings));
    IRON_TRY(std::unique_ptr<session::InputRecorder> recorder, server::open_recorder(settings, match));
    IRON_TRY(const std::unique_ptr<net::MatchRoom> room,
             net::MatchRoom::create(std::move(match.simulation), std::move(recorder), *host, match.room));
    room->session().on_note = [&](const session::SessionNote& note) {
        const auto level = note.level == session::SessionNote::Level::warning ? spdlog::level::warn
                           : note.level == session::SessionNote::Level::info  ? spdlog::level::info
                                                                              : spdlog::level::debug;
        log.log(level, "tick {}: {} player {}: {}", room->match().tick(), note.event, note.player, note.detail);
    };
    net::ServerLoop loop(*host);
    loop.add(*room);

    log.info("listening on {}:{} (UDP), waiting for {} of {} players", settings.address, host->port(),
             settings.wait_players, match.room.session.clans.size());
    if (!settings.port_file.empty())
        IRON_CHECK(write_file_atomic(settings.port_file, as_bytes(std::to_string(host->port()) + "\n")));
    const auto report = [&](bool ended) -> Status {
        if (settings.json_status.empty()) return {};
        return write_file_atomic(settings.json_status, as_bytes(status_json(*host, *room, ended)));
    };
    IRON_CHECK(report(false));

    const Status ran = loop.run(g_stop, [&](std::uint64_t) {
        if (auto written = report(false); !written) log.warn("{}", written.error().to_string());
    });
    const bool signalled = g_stop.load(std::memory_order_relaxed);
    const Status closed = loop.close(signalled ? protocol::GoodbyeReason::server_shutdown : protocol::GoodbyeReason::match_over,
                                     ran ? signalled ? "the server stops" : "the match is over"
                                         : "the server failed and stops");
    log.info("ended at tick {}, state {}", room->match().tick(), to_hex(room->match().state_hash().total).substr(0, 16));
    IRON_CHECK(report(true));
    IRON_CHECK(ran);
    return closed;
}

int fail_with(const Error& error) {
    std::fprintf(stderr, "iron3d-server: %s\n", for_people(error.to_string()).c_str());
    return static_cast<int>(exit_code_for(error));
}

}  // namespace

int main(int argc, char** argv) {
    auto settings = server::load_settings(argc, argv, server::process_environment());
    if (!settings) return fail_with(settings.error());
    if (!*settings) return static_cast<int>(ExitCode::ok);
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::signal(SIGPIPE, SIG_IGN);
    const auto logger = make_logger(**settings);
    if (auto served = serve(**settings, *logger); !served) return fail_with(served.error());
    return static_cast<int>(ExitCode::ok);
}
