#include "dpcompat/bridge/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "dpcompat/bridge/evidence.hpp"
#include "protocol/version.hpp"
#include "shared/base/text.hpp"
#include "shared/settings/toml_file.hpp"

#ifndef IRON_VERSION
#define IRON_VERSION "0"
#endif

namespace iron::dpcompat {
namespace {

using Setter = std::function<Status(BridgeSettings&, const std::string&)>;

struct Row {
    const char* key;
    const char* help;
    Setter set;
    bool is_switch = false;
};

Setter text(std::string BridgeSettings::*member) {
    return [member](BridgeSettings& s, const std::string& v) -> Status {
        s.*member = v;
        return {};
    };
}
Setter truth(bool BridgeSettings::*member) {
    return [member](BridgeSettings& s, const std::string& v) -> Status {
        if (v == "true" || v == "1") s.*member = true;
        else if (v == "false" || v == "0") s.*member = false;
        else return fail("bad_setting", "'" + v + "' is neither true nor false");
        return {};
    };
}
Result<std::int64_t> whole(const std::string& v, std::int64_t low, std::int64_t high) {
    std::int64_t n = 0;
    if (!parse_i64(v, n, true) || n < low || n > high)
        return fail("bad_setting", "'" + v + "' is no whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return n;
}
template <class T>
Setter number(T BridgeSettings::*member, std::int64_t low, std::int64_t high) {
    return [member, low, high](BridgeSettings& s, const std::string& v) -> Status {
        IRON_TRY(const std::int64_t n, whole(v, low, high));
        s.*member = static_cast<T>(n);
        return {};
    };
}
/// "2300-2349", or one port; 0 = any free one.
Setter ports(std::uint16_t BridgeSettings::*first, std::uint16_t BridgeSettings::*last) {
    return [first, last](BridgeSettings& s, const std::string& v) -> Status {
        const std::size_t dash = v.find('-');
        IRON_TRY(const std::int64_t low, whole(v.substr(0, dash), 0, 65'535));
        std::int64_t high = low;
        if (dash != std::string::npos) {
            IRON_TRY(high, whole(v.substr(dash + 1), low, 65'535));
        }
        s.*first = static_cast<std::uint16_t>(low);
        s.*last = static_cast<std::uint16_t>(high);
        return {};
    };
}
Status set_mode(BridgeSettings& s, const std::string& v) {
    if (v == "native") s.mode = BridgeMode::native;
    else if (v == "translate") s.mode = BridgeMode::translate;
    else if (v == "relay") s.mode = BridgeMode::relay;
    else return fail("bad_setting", "'" + v + "' is none of: native, translate, relay");
    return {};
}
Status set_relay(BridgeSettings& s, const std::string& v) {
    s.relay = v;
    s.mode = BridgeMode::relay;
    return {};
}
Status set_user(BridgeSettings& s, const std::string& v) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t comma = v.find(',', at);
        if ((comma == std::string::npos) != (i == 3)) return fail("bad_setting", "four numbers with commas are needed");
        IRON_TRY(const std::int64_t n, whole(v.substr(at, comma == std::string::npos ? comma : comma - at), 0, 0xFFFFFFFF));
        s.user[i] = static_cast<std::uint32_t>(n);
        at = comma + 1;
    }
    return {};
}
Status set_level(BridgeSettings& s, const std::string& v) {
    for (const char* level : {"trace", "debug", "info", "warn", "error", "off"})
        if (v == level) {
            s.log_level = v;
            return {};
        }
    return fail("bad_setting", "'" + v + "' is none of: trace, debug, info, warn, error, off");
}

const std::vector<Row>& rows() {
    using S = BridgeSettings;
    static const std::vector<Row> table = {
        {"mode", "native: originals play with each other, byte for byte; translate: they join a server; relay: stand between two and record",
         set_mode},
        {"relay", "address of an original host to stand in front of (sets the mode)", set_relay},
        {"address", "IPv4 address to listen on", text(&S::address)},
        {"tcp_ports", "TCP ports to try, e.g. 2300-2349; 0 = any free one", ports(&S::tcp_first, &S::tcp_last)},
        {"udp_ports", "UDP ports to try, e.g. 2350-2399; 0 = any free one", ports(&S::udp_first, &S::udp_last)},
        {"enum_port", "UDP port of enumerations", number(&S::enum_port, 0, 65'535)},
        {"reuse_address", "share the enumeration port with another program", truth(&S::reuse_address), true},
        {"lan_only", "answer private addresses only: true or false", truth(&S::lan_only)},
        {"session_name", "name of the session in the game's list", text(&S::session_name)},
        {"session_password", "password of the session; empty = none", text(&S::session_password)},
        {"max_players", "players of the session", number(&S::max_players, 1, 64)},
        {"session_flags", "DirectPlay session flags, e.g. 0x44", number(&S::session_flags, 0, 0xFFFFFFFF)},
        {"user_values", "the game's four session values, e.g. 0x1,0,0,0; not known, see docs/capture-guide.md", set_user},
        {"host_player", "name of a player of the bridge itself, if the game insists on one", text(&S::host_player)},
        {"server", "translate: HOST:PORT of the server", text(&S::server)},
        {"server_password", "translate: password of the server", text(&S::server_password)},
        {"root", "translate: game directory, whose fingerprint the server compares", text(&S::root)},
        {"edition", "translate: part1, part2, demo, gog, builtin", text(&S::edition)},
        {"netzip_profile", "name of a measured packing; opaque = payloads stay as they are", text(&S::profile)},
        {"profiles", "folder of packing profiles", text(&S::profiles_folder)},
        {"map", "translate: message map (TOML)", text(&S::map_file)},
        {"allow_synthetic", "accept a map of invented layouts, for tests", truth(&S::allow_synthetic), true},
        {"record", "write every native message to this log; must not exist", text(&S::record)},
        {"json_status", "write the state to this file once a second and at the end", text(&S::status_file)},
        {"port_file", "write the ports really used to this file: enumeration, TCP, UDP", text(&S::port_file)},
        {"log_level", "trace, debug, info, warn, error, off", set_level},
        {"quiet", "only warnings and errors", truth(&S::quiet), true},
    };
    return table;
}

std::string option_name(const char* key) {
    std::string out = std::string("--") + key;
    for (char& c : out)
        if (c == '_') c = '-';
    return out;
}

Status apply(BridgeSettings& s, const Row& row, const std::string& value, const std::string& where, const char* code) {
    if (auto done = row.set(s, value); !done) return fail(code, where + ": " + done.error().message());
    return {};
}

Status apply_file(BridgeSettings& s, const std::string& path) {
    const auto file = settings::read_toml_file(path);
    if (!file) return fail("bad_setting", "settings file: " + file.error().to_string());
    for (const auto& [key, value] : file->items()) {
        const Row* row = nullptr;
        for (const Row& r : rows())
            if (key == r.key) row = &r;
        if (row == nullptr) return fail("bad_setting", path + ": no setting '" + key + "'");
        std::string text_value;
        if (value.is_string()) text_value = value.get<std::string>();
        else if (value.is_boolean()) text_value = value.get<bool>() ? "true" : "false";
        else if (value.is_number_integer()) text_value = std::to_string(value.get<std::int64_t>());
        else return fail("bad_setting", path + ": '" + key + "' must be a text, a number, true or false");
        IRON_CHECK(apply(s, *row, text_value, path + ": " + key, "bad_setting"));
    }
    return {};
}

}  // namespace

EnvironmentFn process_environment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
}

Result<Endpoint> parse_endpoint(const std::string& value, std::uint16_t default_port) {
    const std::size_t colon = value.find(':');
    Endpoint out;
    const auto ip = parse_ipv4(value.substr(0, colon));
    if (!ip) return fail("bad_setting", ip.error().message());
    out.ip = *ip;
    out.port = default_port;
    if (colon != std::string::npos) {
        IRON_TRY(const std::int64_t port, whole(value.substr(colon + 1), 1, 65'535));
        out.port = static_cast<std::uint16_t>(port);
    }
    return out;
}

Result<std::optional<BridgeSettings>> load_bridge_settings(int argc, const char* const* argv, const EnvironmentFn& environment) {
    CLI::App app{"iron3d-bridge: original DirectPlay clients and this project's servers\nStatus: " + std::string(kVerification)};
    app.set_version_flag("--version", "iron3d-bridge " IRON_VERSION " (DirectPlay dialect " + std::to_string(kNewestVersion) + ", protocol " +
                                          protocol::to_string(protocol::kVersion) + ")");
    app.footer("Example: iron3d-bridge --mode native --session-name Evening --record evening.i3dlog\nExit codes: docs/exit-codes.md");
    std::string config;
    app.add_option("--config", config, "settings file (TOML); its keys are the option names with underscores");
    std::map<std::string, std::string> given;
    std::map<std::string, bool> switches;
    for (const Row& row : rows()) {
        if (row.is_switch) app.add_flag(option_name(row.key), switches[row.key], row.help);
        else app.add_option(option_name(row.key), given[row.key], row.help);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            app.exit(error);
            return std::optional<BridgeSettings>();
        }
        return fail("usage", error.what());
    }
    BridgeSettings s;
    if (config.empty())
        if (const auto variable = environment("IRON3D_BRIDGE_CONFIG")) config = *variable;
    if (!config.empty()) IRON_CHECK(apply_file(s, config));
    for (const Row& row : rows()) {
        const std::string variable = "IRON3D_BRIDGE_" + ascii_upper(row.key);
        if (const auto value = environment(variable)) IRON_CHECK(apply(s, row, *value, variable, "bad_setting"));
    }
    for (const Row& row : rows()) {
        if (app.count(option_name(row.key)) == 0) continue;
        IRON_CHECK(apply(s, row, row.is_switch ? "true" : given[row.key], option_name(row.key), "usage"));
    }
    if (s.mode == BridgeMode::relay && s.relay.empty()) return fail("usage", "relay mode needs --relay HOST");
    return std::optional<BridgeSettings>(std::move(s));
}

}  // namespace iron::dpcompat
