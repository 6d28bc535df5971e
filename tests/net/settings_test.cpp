// Settings of the server: the command line wins over the environment, that over the file.
#include <filesystem>
#include <map>

#include <unistd.h>

#include <catch2/catch.hpp>

#include "server/settings.hpp"
#include "shared/base/exit_code.hpp"
#include "shared/base/file.hpp"

using namespace iron;

namespace {

using Variables = std::map<std::string, std::string>;

Result<std::optional<server::ServerSettings>> load(std::vector<const char*> arguments, const Variables& variables = {}) {
    arguments.insert(arguments.begin(), "iron3d-server");
    return server::load_settings(static_cast<int>(arguments.size()), arguments.data(),
                                 [&](const std::string& name) -> std::optional<std::string> {
                                     const auto it = variables.find(name);
                                     if (it == variables.end()) return std::nullopt;
                                     return it->second;
                                 });
}

struct SettingsFile {
    std::string path = (std::filesystem::temp_directory_path() / ("iron3d_settings_" + std::to_string(::getpid()))).string();
    explicit SettingsFile(std::string_view text) { REQUIRE(write_file_atomic(path, as_bytes(text))); }
    ~SettingsFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("every source of settings is read and the nearer one wins") {
    const SettingsFile file("root = \"/game\"\nport = 1000\nname = \"from file\"\nquiet = true\nwait_players = 3\n");
    const auto settings = load({"--config", file.path.c_str(), "--port", "3000"},
                               {{"IRON3D_PORT", "2000"}, {"IRON3D_NAME", "from environment"}});
    REQUIRE(settings);
    REQUIRE(*settings);
    CHECK((*settings)->root == "/game");
    CHECK((*settings)->port == 3000);
    CHECK((*settings)->name == "from environment");
    CHECK((*settings)->quiet);
    CHECK((*settings)->wait_players == 3);
    CHECK((*settings)->mission == "missions/single.01");
}

TEST_CASE("a wrong setting is named with its place") {
    const auto message = [](const auto& result) { return result.error().code() + "|" + result.error().message(); };
    CHECK(message(load({"--root", "x", "--port", "70000"})).find("usage|--port: '70000'") == 0);
    CHECK(message(load({"--root", "x", "--nonsense"})).find("usage|") == 0);
    CHECK(message(load({"--root", "x"}, {{"IRON3D_WAIT_PLAYERS", "many"}})).find("bad_setting|IRON3D_WAIT_PLAYERS: 'many'") == 0);
    CHECK(message(load({"--root", "x", "--edition", "part9"})).find("none of: part1") != std::string::npos);
    CHECK(message(load({})).find("--root") != std::string::npos);
    CHECK(exit_code_for(load({}).error()) == ExitCode::usage);
    CHECK(message(load({"--config", "/no/such/file"})).find("bad_setting|settings file") == 0);
    {
        const SettingsFile file("\nport = 1000\nprot = 5\n");
        CHECK(message(load({"--config", file.path.c_str()})).find(":3: unknown setting 'prot'") != std::string::npos);
    }
    {
        const SettingsFile file("root = [1]\n");
        CHECK(message(load({"--config", file.path.c_str()})).find(":1: 'root' must be") != std::string::npos);
    }
    {
        const SettingsFile file("root = \n");
        CHECK(message(load({"--config", file.path.c_str()})).find("bad_setting|") == 0);
    }
}

TEST_CASE("a settings file with stray characters is a bad setting, never a crash") {
    for (const char* text : {"[,x\n", "[\xC3\xA9]\n", "a = \xC3\xA9\n", "\xFF\n", "root = \"\n", "= 1\n", "\x01\n"}) {
        CAPTURE(text);
        const SettingsFile file(text);
        const auto loaded = load({"--config", file.path.c_str()});
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code() == "bad_setting");
    }
}
