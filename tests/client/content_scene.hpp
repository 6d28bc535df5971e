// The built-in mission single.01, generated in memory and loaded for drawing once a binary.
#pragma once

#include "client/view/scene.hpp"

namespace iron::client::test {

/// Throws with the chain when the content cannot be made or loaded.
view::Scene& mission_scene();

}  // namespace iron::client::test
