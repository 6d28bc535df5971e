// Disassembly of a script package with the names of its variables. Nothing is executed or guessed:
// a selector without a known meaning stays a number. Source: script.md 2, 3, 5, 12.
#pragma once

#include <string>
#include <string_view>

#include "shared/asset/script_package.hpp"
#include "shared/asset/varset.hpp"
#include "shared/interchange/json_values.hpp"

namespace iron::interchange {

/// What is known of a handler selector (script.md 3).
struct SelectorInfo {
    std::string_view name;    ///< "raise problem"; empty when nothing is known
    char status = 'U';        ///< X executable, R operands resolvable, U unsupported
    /// Names of the operands, comma separated; empty when open.
    std::string_view operands;
};
SelectorInfo selector_info(std::uint32_t selector);

/// "unspecified", "set variable" ...; "type 9" for others.
std::string record_type_name(std::int32_t type);

/// `variables` may be null: references stay numbers.
Json script_listing_json(const asset::ScriptPackage& package, const asset::VariableSet* variables);
std::string script_listing_text(const asset::ScriptPackage& package, const asset::VariableSet* variables);

}  // namespace iron::interchange
