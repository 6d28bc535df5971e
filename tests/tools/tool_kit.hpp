// Starts the real `iron3d` and hands back what it said.
#pragma once

#include <string>
#include <vector>

#include "tests/interchange/kit.hpp"

namespace iron::kit {

struct Run {
    int exit = -1;
    std::string out, err;
};

/// Runs `iron3d arguments...`; stdout and stderr go to files, so nothing can block.
Run iron3d(const std::vector<std::string>& arguments);

/// The built-in game, written once a test program; removed at the end.
const std::string& game_root();

}  // namespace iron::kit
