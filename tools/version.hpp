#pragma once

#include <string>

namespace iron::tools {

/// "iron3d 0.1.0 (protocol 1.0, simulation 1)".
std::string version_text();

}  // namespace iron::tools
