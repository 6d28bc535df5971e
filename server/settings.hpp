// Settings of iron3d-server. Order of weight: default < settings file < environment < command line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/error.hpp"

namespace iron::server {

struct ServerSettings {
    std::string root;
    std::string mission = "missions/single.01";
    std::string edition = "builtin";
    std::string mode = "multiplayer";
    std::string address = "0.0.0.0";
    std::uint16_t port = 27300;      ///< UDP; 0 = a free one
    std::string name = "iron3d-server";
    std::string password;
    std::uint32_t max_players = 0;   ///< 0 = as many as the mission has clans for
    std::uint32_t max_spectators = 16;
    std::uint32_t wait_players = 1;  ///< the match starts when so many have joined; 0 = at once
    std::optional<std::uint64_t> seed;
    std::uint64_t ticks = 0;         ///< stop after so many, 0 = never
    std::uint32_t grace_s = 60;
    std::uint32_t state_bytes_per_s = 3000;
    bool record_objects = false;  ///< the log can name the object that differs; about 50 bytes per object and second
    std::string record;
    std::string port_file;
    std::string json_status;
    std::string log_level = "info";
    bool quiet = false;
};

/// Reads one variable of the environment; nothing if it is not set.
using EnvironmentFn = std::function<std::optional<std::string>(const std::string& name)>;
EnvironmentFn process_environment();

/// The settings of this start, or nothing when --help or --version was asked for and printed. Every
/// option has a line of the settings file (`wait_players` for --wait-players) and a variable
/// (IRON3D_WAIT_PLAYERS). Errors `usage` (command line) and `bad_setting` (file, environment: the
/// message names which and where).
Result<std::optional<ServerSettings>> load_settings(int argc, const char* const* argv,
                                                    const EnvironmentFn& environment);

/// "iron3d-server 0.1.0 (protocol 1.0, simulation 1)".
std::string version_text();

}  // namespace iron::server
