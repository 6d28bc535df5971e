// `Comp.ini`: the component registry, `<id> <DLL> <function> [comment]`. Source: config.md 3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/asset/config_text.hpp"

namespace iron::asset {

struct Component {
    std::uint32_t id = 0;
    std::string dll;       ///< compare ASCII-case-insensitively
    std::string function;  ///< compare exactly
    std::uint32_t line = 0;  ///< 0-based
};

struct CompIni {
    TextDocument text;
    std::vector<Component> components;  ///< file order

    const Component* find(std::uint32_t id) const;  ///< first with that id, or null
};

/// Errors: `comp_bad_id`, `comp_missing_function`, `comp_duplicate_id` (warning in compatible).
/// Warning: `comp_unknown_function`.
Result<CompIni> read_comp_ini(ByteView bytes, ReadContext& context);
inline Bytes write_comp_ini(const CompIni& value) { return write_text(value.text); }

/// A canonical file (CRLF) from components.
CompIni make_comp_ini(const std::vector<Component>& components);
/// The eight components of the specification.
std::vector<Component> default_components();

}  // namespace iron::asset
