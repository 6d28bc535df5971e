#include "dpcompat/toml_file.hpp"

#include <sstream>

#include <nlohmann/json.hpp>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "shared/base/file.hpp"

namespace iron::dpcompat {
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

}  // namespace

Result<Json> parse_toml(std::string_view text, std::string_view label) {
    const toml::parse_result parsed = toml::parse(text, label);
    if (!parsed) {
        const auto& where = parsed.error().source().begin;
        return fail("bad_setting", std::string(label) + " line " + std::to_string(where.line) + " column " + std::to_string(where.column) +
                                       ": " + std::string(parsed.error().description()));
    }
    return convert(parsed.table(), label);
}

Result<Json> read_toml_file(const std::filesystem::path& path) {
    IRON_TRY(const Bytes bytes, read_file(path, 4u << 20));
    return parse_toml(as_text(bytes), path.string());
}

}  // namespace iron::dpcompat
