#include "server/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "protocol/version.hpp"
#include "server/world/sim_version.hpp"
#include "shared/base/text.hpp"
#include "shared/settings/toml_file.hpp"

namespace iron::server {

namespace {

using Setter = std::function<Status(ServerSettings&, const std::string&)>;

struct Row {
    std::string key;   ///< as in the settings file
    std::string help;
    Setter set;
    bool is_switch = false;
};

Setter text(std::string ServerSettings::*member) {
    return [member](ServerSettings& s, const std::string& value) -> Status {
        s.*member = value;
        return {};
    };
}

Setter one_of(std::string ServerSettings::*member, std::vector<std::string> allowed) {
    return [member, allowed = std::move(allowed)](ServerSettings& s, const std::string& value) -> Status {
        std::string list;
        for (const std::string& word : allowed) {
            if (word == value) {
                s.*member = value;
                return {};
            }
            list += (list.empty() ? "" : ", ") + word;
        }
        return fail("bad_setting", "'" + value + "' is none of: " + list);
    };
}

Result<std::int64_t> whole(const std::string& value, std::int64_t low, std::int64_t high) {
    std::int64_t number = 0;
    if (!parse_i64(value, number, true) || number < low || number > high)
        return fail("bad_setting", "'" + value + "' is no whole number from " + std::to_string(low) + " to " +
                                       std::to_string(high));
    return number;
}

template <class T>
Setter number(T ServerSettings::*member, std::int64_t low, std::int64_t high) {
    return [member, low, high](ServerSettings& s, const std::string& value) -> Status {
        IRON_TRY(const std::int64_t n, whole(value, low, high));
        s.*member = static_cast<T>(n);
        return {};
    };
}

Status set_seed(ServerSettings& s, const std::string& value) {
    IRON_TRY(const std::int64_t n, whole(value, 0, std::numeric_limits<std::int64_t>::max()));
    s.seed = static_cast<std::uint64_t>(n);
    return {};
}

Setter toggle(bool ServerSettings::*field) {
    return [field](ServerSettings& s, const std::string& value) -> Status {
        if (value == "true" || value == "1") s.*field = true;
        else if (value == "false" || value == "0") s.*field = false;
        else return fail("bad_setting", "'" + value + "' is neither true nor false");
        return {};
    };
}

const std::vector<Row>& rows() {
    constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
    static const std::vector<Row> table = {
        {"root", "game directory", text(&ServerSettings::root)},
        {"mission", "mission folder below the root, e.g. missions/single.01", text(&ServerSettings::mission)},
        {"edition", "edition of the game data: part1, part2, demo, gog, builtin",
         one_of(&ServerSettings::edition, {"part1", "part2", "demo", "gog", "builtin"})},
        {"mode", "rules of the match: multiplayer, single, campaign, tutorial",
         one_of(&ServerSettings::mode, {"multiplayer", "single", "campaign", "tutorial"})},
        {"address", "IPv4 address to listen on", text(&ServerSettings::address)},
        {"port", "UDP port, 0 = a free one (see --port-file)", number(&ServerSettings::port, 0, 65'535)},
        {"name", "name shown to players", text(&ServerSettings::name)},
        {"password", "players must give this password; empty = none", text(&ServerSettings::password)},
        {"max_players", "places for players, 0 = one for each clan of the mission",
         number(&ServerSettings::max_players, 0, 64)},
        {"max_spectators", "places for spectators", number(&ServerSettings::max_spectators, 0, 256)},
        {"wait_players", "the match starts when so many players have joined, 0 = at once",
         number(&ServerSettings::wait_players, 0, 64)},
        {"seed", "seed of the match; drawn at random if not given", set_seed},
        {"ticks", "stop after so many ticks (20 ms each), 0 = never", number(&ServerSettings::ticks, 0, kMany)},
        {"grace_s", "seconds a player who lost the connection keeps the place",
         number(&ServerSettings::grace_s, 0, 3600)},
        {"state_bytes_per_s", "above this rate a client gets all objects every 5 ticks only",
         number(&ServerSettings::state_bytes_per_s, 500, 1'000'000)},
        {"record", "write the message log of the match to this file; an older file is kept as FILE.old",
         text(&ServerSettings::record)},
        {"record_objects", "let the log name the object that differs in a replay (a much larger log)", toggle(&ServerSettings::record_objects), true},
        {"port_file", "write the port really used to this file once players can join",
         text(&ServerSettings::port_file)},
        {"json_status", "write the state of the server to this file once a second and at the end",
         text(&ServerSettings::json_status)},
        {"log_level", "trace, debug, info, warn, error, off",
         one_of(&ServerSettings::log_level, {"trace", "debug", "info", "warn", "error", "off"})},
        {"quiet", "only warnings and errors", toggle(&ServerSettings::quiet), true},
    };
    return table;
}

std::string option_name(const std::string& key) {
    std::string out = "--" + key;
    for (char& c : out)
        if (c == '_') c = '-';
    return out;
}

std::string variable_name(const std::string& key) { return "IRON3D_" + ascii_upper(key); }

Status apply(ServerSettings& settings, const Row& row, const std::string& value, const std::string& where,
             const char* code) {
    if (auto done = row.set(settings, value); !done)
        return fail(code, where + ": " + done.error().message());
    return {};
}

Status apply_file(ServerSettings& settings, const std::string& path) {
    iron::settings::TomlLines lines;
    const auto table = iron::settings::read_toml_file(path, lines);
    if (!table)
        return fail("bad_setting", "settings file: " + (table.error().code() == "bad_setting" ? table.error().message()
                                                                                               : table.error().to_string()));
    for (const auto& [key, node] : table->items()) {
        const std::string where = path + ":" + std::to_string(lines[key]);
        const Row* row = nullptr;
        for (const Row& candidate : rows())
            if (candidate.key == key) row = &candidate;
        if (row == nullptr) return fail("bad_setting", where + ": unknown setting '" + key + "'");
        std::string value;
        if (node.is_string()) value = node.get<std::string>();
        else if (node.is_number_integer() || node.is_boolean()) value = node.dump();
        else return fail("bad_setting", where + ": '" + row->key + "' must be a text, a whole number or true/false");
        IRON_CHECK(apply(settings, *row, value, where + ": " + row->key, "bad_setting"));
    }
    return {};
}

}  // namespace

EnvironmentFn process_environment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return std::string(value);
    };
}

std::string version_text() {
    return std::string("iron3d-server " IRON_VERSION " (protocol ") + protocol::to_string(protocol::kVersion) +
           ", simulation " + std::to_string(world::kSimVersion) + ")";
}

Result<std::optional<ServerSettings>> load_settings(int argc, const char* const* argv,
                                                    const EnvironmentFn& environment) {
    CLI::App app{"iron3d-server: hosts a match; no window, no sound, no graphics card"};
    app.set_version_flag("--version", version_text());
    app.footer("Every option is also a line of the settings file (wait_players = 2) and a variable of the\n"
               "environment (IRON3D_WAIT_PLAYERS=2). The command line wins over the environment, that over the\n"
               "file. SIGINT and SIGTERM end the match in order. Exit codes: docs/exit-codes.md");
    std::map<std::string, std::string> given;
    std::map<std::string, bool> switches;
    std::string config;
    app.add_option("--config", config, "settings file (TOML); also IRON3D_CONFIG")->type_name("FILE");
    for (const Row& row : rows()) {
        const std::string help = row.help + " [" + variable_name(row.key) + "]";
        if (row.is_switch) app.add_flag(option_name(row.key), switches[row.key], help);
        else app.add_option(option_name(row.key), given[row.key], help)->type_name("");
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            app.exit(error);
            return std::optional<ServerSettings>{};
        }
        return fail("usage", error.what());
    }

    ServerSettings settings;
    if (config.empty()) config = environment("IRON3D_CONFIG").value_or("");
    if (!config.empty()) IRON_CHECK(apply_file(settings, config));
    for (const Row& row : rows())
        if (const auto value = environment(variable_name(row.key)))
            IRON_CHECK(apply(settings, row, *value, variable_name(row.key), "bad_setting"));
    for (const Row& row : rows()) {
        const std::string option = option_name(row.key);
        if (app.count(option) == 0) continue;
        IRON_CHECK(apply(settings, row, row.is_switch ? "true" : given[row.key], option, "usage"));
    }
    if (settings.root.empty())
        return fail("usage", "no game directory given: use --root DIR (or IRON3D_ROOT, or root in the settings file)");
    return std::optional<ServerSettings>(std::move(settings));
}

}  // namespace iron::server
