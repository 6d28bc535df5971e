// The codec search as two commands offer it.
#pragma once

#include <string>
#include <vector>

#include "dpcompat/netzip/identify.hpp"
#include "tools/command.hpp"

namespace iron::tools {

struct IdentifyArguments {
    std::string profile_out, profile_name = "identified";
    bool deep = false;
};
void add_identify_options(CLI::App& sub, IdentifyArguments& arguments);
/// Searches, prints the ranking, writes the winner. Exit code `mismatch` when nothing fits.
ExitCode run_identify(const std::vector<dpcompat::PackSample>& samples, const IdentifyArguments& arguments, bool json);

}  // namespace iron::tools
