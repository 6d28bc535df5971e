// Exit codes of every program (documented in docs/exit-codes.md).
#pragma once

#include <string_view>

#include "shared/base/error.hpp"

namespace iron {

enum class ExitCode : int {
    ok = 0,
    failure = 1,       ///< unexpected failure, with its chain
    usage = 2,         ///< wrong command line or settings file
    data = 3,          ///< missing or damaged game data, mission, archive, log
    environment = 4,   ///< port in use, no display, disk full, no permission
    refused = 5,       ///< the other side refused: version, content, full, banned
    mismatch = 6,      ///< a verification found a difference
    incompatible = 7   ///< made by another sim_version or protocol major
};

/// The exit code that fits an error's stable code.
ExitCode exit_code_for(const Error& error);

}  // namespace iron
