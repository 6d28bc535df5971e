#include "shared/base/exit_code.hpp"

#include <array>

namespace iron {

ExitCode exit_code_for(const Error& error) {
    struct Row {
        std::string_view code;
        ExitCode exit;
    };
    static constexpr std::array kRows = {
        Row{"usage", ExitCode::usage},
        Row{"bad_setting", ExitCode::usage},
        Row{"io_error", ExitCode::environment},
        Row{"port_in_use", ExitCode::environment},
        Row{"no_device", ExitCode::environment},
        Row{"no_display", ExitCode::environment},
        Row{"connection_failed", ExitCode::environment},
        Row{"rejected_version", ExitCode::refused},
        Row{"rejected_fingerprint", ExitCode::refused},
        Row{"rejected", ExitCode::refused},
        Row{"replay_mismatch", ExitCode::mismatch},
        Row{"verify_failed", ExitCode::mismatch},
        Row{"other_sim_version", ExitCode::incompatible},
        Row{"other_protocol", ExitCode::incompatible},
        Row{"internal", ExitCode::failure},
    };
    for (const Row& row : kRows)
        if (row.code == error.code()) return row.exit;
    return ExitCode::data;
}

}  // namespace iron
