// iron3d-bridge: original DirectPlay clients on one side, each other or a server on the other.
#include <cstdio>
#include <functional>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "dpcompat/bridge/bridge.hpp"
#include "dpcompat/bridge/evidence.hpp"
#include "dpcompat/bridge/relay.hpp"
#include "shared/base/exit_code.hpp"
#include "shared/base/file.hpp"

namespace {

using namespace iron;
using namespace iron::dpcompat;

std::shared_ptr<spdlog::logger> make_logger(const BridgeSettings& settings) {
    auto logger = spdlog::stderr_color_mt("bridge");
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    logger->set_level(spdlog::level::from_str(settings.log_level));
    if (settings.quiet && logger->level() < spdlog::level::warn) logger->set_level(spdlog::level::warn);
    logger->flush_on(spdlog::level::info);
    return logger;
}

Status write_text(const std::string& path, const std::string& text) {
    if (path.empty()) return {};
    return write_file_atomic(path, as_bytes(text));
}

/// Runs until a signal; `status` is written once a second, `stop` at the end, and the farewells get a moment.
Status run(NetContext& net, const BridgeSettings& settings, spdlog::logger& log, const std::function<std::string()>& status,
           const std::function<Status()>& stop) {
    Status result;
    net.on_signal([&](int) { net.stop(); });
    net.every(1000, [&] {
        if (auto written = write_text(settings.status_file, status()); !written) log.warn("{}", written.error().to_string());
    });
    IRON_CHECK(write_text(settings.status_file, status()));
    net.run();
    const Status stopped = stop();
    net.restart();
    for (int i = 0; i < 20; ++i) net.poll(10);
    IRON_CHECK(write_text(settings.status_file, status()));
    return stopped;
}

Status serve(const BridgeSettings& settings, spdlog::logger& log) {
    NetContext net;
    const auto logging = [&log](const std::string& level, const std::string& text) {
        if (level == "warn") log.warn("{}", text);
        else log.info("{}", text);
    };
    log.info("{}", kVerification);
    if (settings.mode == BridgeMode::relay) {
        IRON_TRY(const std::unique_ptr<Relay> relay, Relay::open(net, settings));
        relay->on_log = logging;
        log.info("relay: originals ask for sessions at UDP {}; the host is {}", relay->enum_port(), settings.relay);
        IRON_CHECK(write_text(settings.port_file, std::to_string(relay->enum_port()) + " " + std::to_string(relay->client_side_tcp()) + " " +
                                                      std::to_string(relay->host_side_tcp()) + "\n"));
        return run(net, settings, log, [&] { return relay->status_json(); }, [&] { return relay->stop(); });
    }
    IRON_TRY(const std::unique_ptr<Bridge> bridge, Bridge::open(net, settings));
    bridge->on_log = logging;
    log.info("session '{}': originals ask at UDP {}, join at TCP {}, UDP {}", settings.session_name, bridge->enum_port(), bridge->tcp_port(),
             bridge->udp_port());
    IRON_CHECK(write_text(settings.port_file, std::to_string(bridge->enum_port()) + " " + std::to_string(bridge->tcp_port()) + " " +
                                                  std::to_string(bridge->udp_port()) + "\n"));
    net.every(20, [&] { bridge->pump(); });
    return run(net, settings, log, [&] { return bridge->status_json(); }, [&] { return bridge->stop(); });
}

int fail_with(const Error& error) {
    std::fprintf(stderr, "iron3d-bridge: %s\n", error.to_string().c_str());
    return static_cast<int>(exit_code_for(error));
}

}  // namespace

int main(int argc, char** argv) {
    const auto settings = load_bridge_settings(argc, argv, process_environment());
    if (!settings) return fail_with(settings.error());
    if (!*settings) return static_cast<int>(ExitCode::ok);
    const auto logger = make_logger(**settings);
    if (const auto served = serve(**settings, *logger); !served) return fail_with(served.error());
    return static_cast<int>(ExitCode::ok);
}
