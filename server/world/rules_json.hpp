// The rules file as a checked tree: every token keeps its text, so that numbers are converted
// once and exactly. Internal to the rules loader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/world/rules.hpp"
#include "shared/base/error.hpp"

namespace iron::world {

struct RuleNode {
    enum class Kind : std::uint8_t { object, array, number, string, flag };
    Kind kind = Kind::object;
    std::string key;              ///< as a member of an object
    std::vector<RuleNode> items;  ///< of an array, or members of an object in file order
    std::string text;             ///< number token or string value
    bool flag = false;

    const RuleNode* find(std::string_view member) const;
};

/// Parses one JSON object. Errors `rules_syntax`, `rules_duplicate_key`, `rules_type` (null).
Result<RuleNode> parse_rules(std::string_view text);

/// `base` with the values of `given`; errors `rules_unknown_key`, `rules_type`.
Status merge_rules(RuleNode& base, const RuleNode& given, const std::string& path);

/// A JSON number token in all forms. Error `rules_range`.
Result<RuleNumber> convert_number(std::string_view token);

}  // namespace iron::world
