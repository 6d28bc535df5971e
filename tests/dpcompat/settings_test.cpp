#include <catch2/catch.hpp>

#include <map>

#include "dpcompat/bridge/settings.hpp"
#include "shared/base/file.hpp"
#include "tests/dpcompat/temp_folder.hpp"

using namespace iron;
using namespace iron::dpcompat;

namespace {

Result<std::optional<BridgeSettings>> load(std::vector<const char*> arguments, std::map<std::string, std::string> variables = {}) {
    arguments.insert(arguments.begin(), "iron3d-bridge");
    return load_bridge_settings(static_cast<int>(arguments.size()), arguments.data(), [variables](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

}  // namespace

TEST_CASE("command line beats environment beats file beats default") {
    const iron::test::TempFolder folder;
    const std::string path = (folder.path() / "bridge.toml").string();
    REQUIRE(write_file_atomic(path, as_bytes("session_name = 'file'\nmax_players = 2\nenum_port = 5000\ntcp_ports = '2300-2310'\nlan_only = false\n")));
    const auto s = load({"--config", path.c_str(), "--session-name", "line"}, {{"IRON3D_BRIDGE_SESSION_NAME", "env"}, {"IRON3D_BRIDGE_MAX_PLAYERS", "3"}});
    REQUIRE(s);
    CHECK((*s)->session_name == "line");
    CHECK((*s)->max_players == 3);
    CHECK((*s)->enum_port == 5000);
    CHECK((*s)->tcp_last == 2310);
    CHECK_FALSE((*s)->lan_only);
    CHECK((*s)->mode == BridgeMode::native);
    CHECK((*s)->udp_first == 2350);
}

TEST_CASE("wrong settings name themselves and have their codes") {
    CHECK(load({"--mode", "dance"}).error().code() == "usage");
    CHECK(load({"--no-such-option"}).error().code() == "usage");
    CHECK(load({"--mode", "relay"}).error().code() == "usage");
    CHECK(load({"--user-values", "1,2,3"}).error().code() == "usage");
    CHECK(load({}, {{"IRON3D_BRIDGE_ENUM_PORT", "70000"}}).error().code() == "bad_setting");
    CHECK(load({"--config", "/no/such/file.toml"}).error().code() == "bad_setting");
    const iron::test::TempFolder folder;
    const std::string path = (folder.path() / "bridge.toml").string();
    REQUIRE(write_file_atomic(path, as_bytes("sesion_name = 'typo'\n")));
    const auto typo = load({"--config", path.c_str()});
    CHECK(typo.error().code() == "bad_setting");
    CHECK(typo.error().message().find("sesion_name") != std::string::npos);
}

TEST_CASE("values of every kind") {
    const auto s = load({"--relay", "192.0.2.7", "--user-values", "0x10,2,3,4", "--session-flags", "0x44", "--tcp-ports", "0", "--quiet"});
    REQUIRE(s);
    CHECK((*s)->mode == BridgeMode::relay);
    CHECK((*s)->user == std::array<std::uint32_t, 4>{16, 2, 3, 4});
    CHECK((*s)->session_flags == 0x44);
    CHECK((*s)->tcp_first == 0);
    CHECK((*s)->quiet);
    CHECK(*parse_endpoint("192.0.2.7", 47624) == Endpoint{0xC0000207, 47624});
    CHECK(*parse_endpoint("192.0.2.7:80", 1) == Endpoint{0xC0000207, 80});
    CHECK(parse_endpoint("host:80", 1).error().code() == "bad_setting");
}
