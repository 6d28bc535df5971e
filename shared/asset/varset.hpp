// Variable sets: `varset.var` (text) and the binary form. Source: config.md 10, script.md 5.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/asset/config_text.hpp"

namespace iron::asset {

enum class VariableType : std::uint8_t {
    real,    ///< `float`
    dword,   ///< `DWORD`
    string,  ///< a STRING line: takes an index, has no number
    opaque   ///< unknown type (compatible profile): keeps its index
};

struct Variable {
    VariableType type = VariableType::dword;
    std::string name;
    std::uint32_t bits = 0;  ///< default value: binary32 bits or the word; 0 for string and opaque
    std::vector<std::string> extra_fields;  ///< after the third, trimmed
    std::uint32_t line = 0;  ///< 0-based

    float as_float() const { return std::bit_cast<float>(bits); }
};

struct VariableSet {
    TextDocument text;
    std::vector<Variable> variables;  ///< position = the index scripts use

    /// Index of the first variable of that name, exact case; -1 if there is none.
    std::int32_t index_of(std::string_view name) const;
};

inline constexpr std::size_t kMaxVariables = 4096;

/// Errors (message and `object` carry the 1-based line): `var_unterminated`, `var_missing_field`,
/// `var_bad_type` (compatible: warning), `var_non_ascii`, `var_bad_float`, `var_bad_dword`,
/// `var_too_many`. Warnings: `var_unterminated`, `var_bad_type`, `var_near_miss`,
/// `var_duplicate_name`, `var_other_head`. Information: `config_opaque_line`.
Result<VariableSet> read_variable_set(ByteView bytes, ReadContext& context);
inline Bytes write_variable_set(const VariableSet& value) { return write_text(value.text); }

/// A canonical file: `VAR( <type>, <name>, <default>)` CRLF per variable (real and dword only).
VariableSet make_variable_set(const std::vector<Variable>& variables);

/// One item of the binary form; raw words are preserved.
struct BinaryVariable {
    std::int32_t value_length = 4;
    std::int32_t type = 5;  ///< 0 old float, 1 int, 2 bool, 3 float, 4 string pointer, 5 dword
    std::uint32_t value = 0;
    std::string name;
    std::string second;
    std::array<std::uint32_t, 4> values{};  ///< the last two are minimum and maximum
    bool operator==(const BinaryVariable&) const = default;
};

/// Errors: `truncated`, `count_too_large`, `var_negative_length`, `trailing_bytes`. Warning:
/// `var_raw_type`, `var_value_length`.
Result<std::vector<BinaryVariable>> read_binary_variables(ByteView bytes, ReadContext& context);
Bytes write_binary_variables(const std::vector<BinaryVariable>& variables);

}  // namespace iron::asset
