#include "shared/asset/varset.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "shared/base/math.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

tl::unexpected<Error> bad_line(std::string code, std::size_t line, std::string message) {
    return tl::unexpected(Error(std::move(code), "line " + std::to_string(line + 1) + ": " + message)
                              .object("line " + std::to_string(line + 1)));
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool ends_as_declaration(std::string_view content) {
    return content.ends_with(')') || content.ends_with(");");
}

// `) ;`: the closing parenthesis, white space, the semicolon.
bool ends_with_gap(std::string_view content) {
    return content.ends_with(';') && ascii_trim(content.substr(0, content.size() - 1)).ends_with(')');
}

// Fields of `HEAD(a, b, c)`; `open` is the index behind the parenthesis.
std::vector<std::string> split_fields(std::string_view content, std::size_t open) {
    content = content.substr(open, content.rfind(')') - open);
    std::vector<std::string> out;
    while (true) {
        const std::size_t comma = content.find(',');
        out.emplace_back(ascii_trim(content.substr(0, comma)));
        if (comma == std::string_view::npos) return out;
        content.remove_prefix(comma + 1);
    }
}

bool parse_dword(std::string_view text, std::uint32_t& out) {
    std::int64_t value = 0;
    if (text.starts_with('-') || text.starts_with('+') || !parse_i64(text, value, true)) return false;
    if (value < 0 || value > 0xFFFFFFFFll) return false;
    out = static_cast<std::uint32_t>(value);
    return true;
}

bool is_decimal_float(std::string_view text) {
    if (text.starts_with("+-")) return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'E';
    });
}

Result<Variable> parse_var(std::string_view content, std::size_t line, ReadContext& context) {
    if (!ends_as_declaration(content)) {
        if (context.strict() || !ends_with_gap(content))
            return bad_line("var_unterminated", line, "VAR( without ) or ); at the end of the line");
        context.warn("var_unterminated",
                     "line " + std::to_string(line + 1) + ": white space before the semicolon");
    }
    auto fields = split_fields(content, 4);
    if (fields.size() < 3 || fields[0].empty() || fields[1].empty() || fields[2].empty())
        return bad_line("var_missing_field", line, "a VAR needs a type, a name and a default");
    if (!is_ascii(fields[0]) || !is_ascii(fields[1]) || !is_ascii(fields[2]))
        return bad_line("var_non_ascii", line, "type, name and default must be ASCII");

    Variable out;
    out.line = static_cast<std::uint32_t>(line);
    out.name = fields[1];
    if (fields[0] == "float") {
        out.type = VariableType::real;
        float value = 0;
        if (!is_decimal_float(fields[2]) || !parse_f32(fields[2], value) || !is_finite(value))
            return bad_line("var_bad_float", line, "'" + fields[2] + "' is not a finite decimal number");
        out.bits = std::bit_cast<std::uint32_t>(value);
    } else if (fields[0] == "DWORD") {
        out.type = VariableType::dword;
        if (!parse_dword(fields[2], out.bits))
            return bad_line("var_bad_dword", line, "'" + fields[2] + "' is not in 0..2^32-1");
    } else {
        if (context.strict())
            return bad_line("var_bad_type", line, "unknown type '" + fields[0] + "'");
        context.warn("var_bad_type",
                     "line " + std::to_string(line + 1) + ": unknown type '" + fields[0] + "'");
        out.type = VariableType::opaque;
    }
    out.extra_fields.assign(fields.begin() + 3, fields.end());
    return out;
}

// A head is letters, digits and '_' directly before '('.
std::string_view head_of(std::string_view content) {
    const std::size_t open = content.find('(');
    if (open == std::string_view::npos || open == 0) return {};
    const std::string_view head = content.substr(0, open);
    const bool word = std::all_of(head.begin(), head.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    return word ? head : std::string_view{};
}

}  // namespace

std::int32_t VariableSet::index_of(std::string_view name) const {
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (variables[i].name == name) return static_cast<std::int32_t>(i);
    return -1;
}

Result<VariableSet> read_variable_set(ByteView bytes, ReadContext& context) {
    VariableSet out;
    out.text = read_text(bytes);
    std::set<std::string> names;
    for (std::size_t i = 0; i < out.text.lines.size(); ++i) {
        std::string_view content = out.text.lines[i].bytes;
        content = ascii_trim(content.substr(0, std::min(content.find("//"), content.size())));
        if (content.empty()) continue;
        const std::string label = "line " + std::to_string(i + 1) + ": ";

        Variable variable;
        if (content.starts_with("VAR(")) {
            IRON_TRY(variable, parse_var(content, i, context));
        } else if (content.starts_with("STRING(") && ends_as_declaration(content)) {
            context.warn("var_other_head", label + "STRING takes an index but has no number");
            auto fields = split_fields(content, 7);
            variable.type = VariableType::string;
            variable.line = static_cast<std::uint32_t>(i);
            if (fields.size() > 1) variable.name = fields[1];
            if (fields.size() > 3) variable.extra_fields.assign(fields.begin() + 3, fields.end());
        } else {
            const std::string_view head = ascii_trim(content.substr(0, content.find('(')));
            if (content.find('(') != std::string_view::npos && ascii_iequals(head, "VAR"))
                context.warn("var_near_miss", label + "looks like VAR( but is not; takes no index");
            else if (!head_of(content).empty())
                context.warn("var_other_head", label + "declaration head other than VAR");
            else
                context.note(Severity::information, "config_opaque_line",
                             label + "not a declaration");
            continue;
        }
        if (out.variables.size() == kMaxVariables)
            return bad_line("var_too_many", i, "more than 4096 declarations");
        if (!names.insert(variable.name).second)
            context.warn("var_duplicate_name", label + "name '" + variable.name + "' occurs again");
        out.variables.push_back(std::move(variable));
    }
    return out;
}

VariableSet make_variable_set(const std::vector<Variable>& variables) {
    VariableSet out;
    for (const auto& variable : variables) {
        Variable copy = variable;
        copy.line = static_cast<std::uint32_t>(out.text.lines.size());
        const bool real = copy.type == VariableType::real;
        std::string value = std::to_string(copy.bits);
        if (real) {
            char shortest[32];
            const auto r = std::to_chars(std::begin(shortest), std::end(shortest), copy.as_float());
            value.assign(std::begin(shortest), r.ptr);
        }
        std::string line = std::string("VAR( ") + (real ? "float" : "DWORD") + ", " + copy.name + ", " +
                           value + ")";
        out.text.lines.push_back({std::move(line), LineEnd::crlf});
        out.variables.push_back(std::move(copy));
    }
    return out;
}

namespace {

Result<std::string> read_counted(ByteReader& in, std::string_view what) {
    const auto offset = in.offset();
    IRON_TRY(const std::int32_t length, in.i32(what));
    if (length < 0) return fail("var_negative_length", std::string(what) + ": negative length", offset);
    IRON_TRY(const ByteView bytes, in.view(static_cast<std::uint32_t>(length), what));
    return std::string(as_text(bytes));
}

}  // namespace

Result<std::vector<BinaryVariable>> read_binary_variables(ByteView bytes, ReadContext& context) {
    ByteReader in(bytes);
    IRON_TRY(const std::int32_t count, in.i32("variable count"));
    if (count < 0) return fail("var_negative_length", "negative variable count", 0);
    IRON_CHECK(in.require_count(static_cast<std::uint32_t>(count), 36, "variables"));
    std::vector<BinaryVariable> out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) {
        BinaryVariable item;
        const auto offset = in.offset();
        IRON_TRY(item.value_length, in.i32("value length"));
        if (item.value_length < 0) return fail("var_negative_length", "negative value length", offset);
        IRON_CHECK(in.require_count(static_cast<std::uint32_t>(item.value_length), 1, "value length"));
        IRON_TRY(item.type, in.i32("variable type"));
        IRON_TRY(item.value, in.u32("value"));
        IRON_TRY(item.name, read_counted(in, "variable name"));
        IRON_TRY(item.second, read_counted(in, "second string"));
        for (auto& word : item.values) {
            IRON_TRY(word, in.u32("variable values"));
        }
        if (item.value_length != 4)
            context.warn("var_value_length", "value length of '" + item.name + "' is not 4", offset);
        if (item.type != 2 && item.type != 3 && item.type != 5)
            context.warn("var_raw_type", "type " + std::to_string(item.type) + " of '" + item.name +
                                             "' is kept raw", offset + 4);
        out.push_back(std::move(item));
    }
    IRON_CHECK(in.expect_end("variables"));
    return out;
}

Bytes write_binary_variables(const std::vector<BinaryVariable>& variables) {
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(variables.size()));
    for (const auto& item : variables) {
        out.i32(item.value_length);
        out.i32(item.type);
        out.u32(item.value);
        out.i32(static_cast<std::int32_t>(item.name.size()));
        out.text(item.name);
        out.i32(static_cast<std::int32_t>(item.second.size()));
        out.text(item.second);
        for (const auto word : item.values) out.u32(word);
    }
    return out.take();
}

}  // namespace iron::asset
