#include "tools/version.hpp"


namespace iron::tools {

std::string version_text() { return std::string("iron3d ") + IRON_VERSION; }

}  // namespace iron::tools
