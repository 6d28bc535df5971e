// The switches of Behavior.ini that reach the simulation (simulation.md 7.4). They are part of the
// content, so the content fingerprint covers them.
#pragma once

#include <string>
#include <vector>

#include "server/world/rules.hpp"

namespace iron::asset {
struct IniDocument;
}

namespace iron::world {

/// LockBehaviour, UseWizard and the PathFind_* keys replace the values of the rules, in whatever section they
/// stand. A value that is no number or out of range is left out and named in `notes`.
void apply_behavior_ini(const asset::IniDocument& document, Rules& rules, std::vector<std::string>& notes);

}  // namespace iron::world
