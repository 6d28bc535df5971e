#include "tests/tools/tool_kit.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "shared/content/content.hpp"

extern char** environ;

namespace iron::kit {

Run iron3d(const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    const std::string program = std::string(IRON_BINARY_DIR) + "/bin/iron3d";
    const std::string out = folder.at("out"), err = folder.at("err");
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid = 0;
    const int failed = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    REQUIRE(failed == 0);
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), folder.text("out"), folder.text("err")};
}

const std::string& game_root() {
    static const TemporaryFolder folder;
    static const std::string root = [] {
        std::string path = folder.at("game");
        REQUIRE(content::build_content(path, {}));
        return path;
    }();
    return root;
}

}  // namespace iron::kit
