// Everything a prototype leads to: parents, references, model, materials, textures. Source: objects.md 2,
// mission.md 5.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "shared/interchange/json_values.hpp"
#include "shared/mission/prototype_registry.hpp"

namespace iron::interchange {

/// The tree of one key. A broken link is in the tree with its status and cause; `broken` counts them.
/// A lightmap or material that is missing is one, a resource nobody needs is a warning only.
struct PrototypeTree {
    Json json;
    bool resolved = false;   ///< the registry resolved the key (maybe without geometry)
    std::uint64_t broken = 0, warnings = 0;
};
PrototypeTree prototype_tree(mission::PrototypeRegistry& registry, mission::ResourceLocator& locator, std::string_view key);

}  // namespace iron::interchange
