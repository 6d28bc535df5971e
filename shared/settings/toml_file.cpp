#include "shared/settings/toml_file.hpp"

#include <sstream>

#include <nlohmann/json.hpp>
#define TOML_EXCEPTIONS 0
// The parser asserts things that a wrong file can make false, and reports them properly when it may go on.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include "shared/base/file.hpp"
#include "shared/base/text.hpp"

namespace iron::settings {
namespace {

using Json = nlohmann::ordered_json;

Result<Json> convert(const toml::node& node, std::string_view label) {
    if (const auto* table = node.as_table()) {
        Json out = Json::object();
        for (const auto& [key, value] : *table) {
            IRON_TRY(out[std::string(key.str())], convert(value, label));
        }
        return out;
    }
    if (const auto* array = node.as_array()) {
        Json out = Json::array();
        for (const auto& value : *array) {
            IRON_TRY(Json item, convert(value, label));
            out.push_back(std::move(item));
        }
        return out;
    }
    if (const auto* text = node.as_string()) return Json(text->get());
    if (const auto* number = node.as_integer()) return Json(number->get());
    if (const auto* real = node.as_floating_point()) return Json(real->get());
    if (const auto* truth = node.as_boolean()) return Json(truth->get());
    return fail("bad_setting", std::string(label) + " line " + std::to_string(node.source().begin.line) + ": dates are not used here");
}

/// The parser asserts and worse on characters where none may be; they are refused before it sees them.
Status check_characters(std::string_view text, std::string_view label) {
    if (!is_valid_utf8(text)) return fail("bad_setting", std::string(label) + ": not UTF-8");
    for (const char c : text)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7F)
            return fail("bad_setting", std::string(label) + ": a control character");
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '#') {
            while (i < text.size() && text[i] != '\n') ++i;
            continue;
        }
        if (c == '"' || c == '\'') {
            const std::string fence(text.substr(i, 3) == std::string(3, c) ? 3 : 1, c);
            i += fence.size();
            while (i < text.size() && text.substr(i, fence.size()) != fence) {
                if (text[i] == '\n') ++line;
                if (fence.size() == 1 && text[i] == '\n') break;  // the parser reports the open text
                i += c == '"' && text[i] == '\\' ? 2 : 1;
            }
            i += fence.size();
            continue;
        }
        if (static_cast<unsigned char>(c) >= 0x80)
            return fail("bad_setting", std::string(label) + " line " + std::to_string(line) + ": a character outside ASCII, and not in a text");
        if (c == '\n') ++line;
        ++i;
    }
    return {};
}

Result<Json> parse(std::string_view text, std::string_view label, TomlLines* lines) {
    IRON_CHECK(check_characters(text, label));
    const toml::parse_result parsed = toml::parse(text, label);
    if (!parsed) {
        const auto& where = parsed.error().source().begin;
        return fail("bad_setting", std::string(label) + " line " + std::to_string(where.line) + " column " + std::to_string(where.column) +
                                       ": " + std::string(parsed.error().description()));
    }
    if (lines != nullptr)
        for (const auto& [key, value] : parsed.table()) (*lines)[std::string(key.str())] = value.source().begin.line;
    return convert(parsed.table(), label);
}

}  // namespace

Result<Json> parse_toml(std::string_view text, std::string_view label) { return parse(text, label, nullptr); }

Result<Json> read_toml_file(const std::filesystem::path& path) {
    IRON_TRY(const Bytes bytes, read_file(path, 4u << 20));
    return parse_toml(as_text(bytes), path.string());
}

Result<Json> read_toml_file(const std::filesystem::path& path, TomlLines& lines) {
    IRON_TRY(const Bytes bytes, read_file(path, 4u << 20));
    return parse(as_text(bytes), path.string(), &lines);
}

}  // namespace iron::settings
