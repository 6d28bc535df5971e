// Settings of iron3d-bridge. Order of weight: default < settings file < environment < command line.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "dpcompat/session/socket_transport.hpp"

namespace iron::dpcompat {

enum class BridgeMode : std::uint8_t { native, translate, relay };

struct BridgeSettings {
    BridgeMode mode = BridgeMode::native;
    std::string address = "0.0.0.0";
    std::uint16_t tcp_first = kTcpFirst, tcp_last = kTcpLast, udp_first = kUdpFirst, udp_last = kUdpLast, enum_port = kEnumPort;
    bool reuse_address = false, lan_only = true;
    std::string session_name = "iron3d-bridge", session_password;
    std::uint32_t max_players = 4;
    std::uint32_t session_flags = 0x40;       ///< KEEPALIVE; MIGRATEHOST stays off (directplay.md 12 [dd])
    std::array<std::uint32_t, 4> user{};      ///< the game's own values are open; a recording shows them
    std::string host_player;                  ///< name of a player of the bridge itself; empty = none
    std::string server = "127.0.0.1:27300", server_password, root, edition = "builtin";
    std::string profile = "opaque", profiles_folder, map_file;
    bool allow_synthetic = false;
    std::string relay;                        ///< relay mode: HOST[:PORT] of the original host
    std::string record, status_file, port_file;
    std::string log_level = "info";
    bool quiet = false;
};

using EnvironmentFn = std::function<std::optional<std::string>(const std::string& name)>;

/// The settings of this start, or nothing when --help or --version was printed. Every option has a line of the
/// settings file (`session_name` for --session-name) and a variable (IRON3D_BRIDGE_SESSION_NAME). Errors `usage`,
/// `bad_setting`.
Result<std::optional<BridgeSettings>> load_bridge_settings(int argc, const char* const* argv, const EnvironmentFn& environment);
EnvironmentFn process_environment();

/// "host:port" with an IPv4 address; the port may be left out. Error `bad_setting`.
Result<Endpoint> parse_endpoint(const std::string& text, std::uint16_t default_port);

}  // namespace iron::dpcompat
