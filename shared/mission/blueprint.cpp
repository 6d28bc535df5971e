#include "shared/mission/blueprint.hpp"

#include "shared/archive/path.hpp"
#include "shared/base/text.hpp"

namespace iron::mission {

const asset::TmaProperty* ObjectBlueprint::property(std::string_view property_name) const {
    for (const auto& item : properties)
        if (item.name == property_name) return &item;
    return nullptr;
}

std::shared_ptr<const Assembly> MissionBlueprint::find_scheme(std::string_view path) const {
    const auto normal = archive::normalize_path(path);
    if (!normal) return nullptr;
    const auto found = schemes.find(normal->key());
    return found == schemes.end() ? nullptr : found->second;
}

std::shared_ptr<const ResolvedPrototype> MissionBlueprint::find_prototype(
    std::string_view prototype_key) const {
    // The same candidates as the registry: the key, then without or with `.msh`.
    std::string folded = ascii_lower(ascii_trim(prototype_key));
    auto found = prototypes.find(folded);
    if (found == prototypes.end()) {
        if (folded.ends_with(".msh"))
            folded.resize(folded.size() - 4);
        else
            folded += ".msh";
        found = prototypes.find(folded);
    }
    return found == prototypes.end() ? nullptr : found->second;
}

}  // namespace iron::mission
