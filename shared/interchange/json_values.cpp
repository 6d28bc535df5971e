#include "shared/interchange/json_values.hpp"

#include <bit>
#include <charconv>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/base/hash.hpp"
#include "shared/base/math.hpp"
#include "shared/base/text.hpp"

namespace iron::interchange {
namespace {

bool has_control(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
    return false;
}

tl::unexpected<Error> bad(std::string_view what, std::string_view why) {
    return fail("json_bad_value", std::string(what) + ": " + std::string(why));
}

bool is_scalar_list(const Json& value) {
    if (!value.is_array() || value.size() > 16) return false;
    for (const Json& item : value)
        if (item.is_structured() || (item.is_string() && value.size() > 4)) return false;
    return true;
}

std::string scalar_text(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void put_text(const Json& value, int depth, std::string& out) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    const auto put_member = [&](const std::string& label, const Json& item) {
        out += indent + label;
        if (is_scalar_list(item)) {
            out += ' ';
            if (item.empty()) out += "(none)";
            for (std::size_t i = 0; i < item.size(); ++i) out += (i == 0 ? "" : ", ") + scalar_text(item[i]);
            out += '\n';
        } else if (item.is_structured()) {
            out += item.empty() ? " (none)\n" : "\n";
            put_text(item, depth + 1, out);
        } else {
            out += ' ' + scalar_text(item) + '\n';
        }
    };
    if (value.is_object()) {
        for (const auto& [key, item] : value.items()) put_member(key + ":", item);
    } else if (value.is_array()) {
        std::size_t number = 0;
        for (const Json& item : value) put_member("#" + std::to_string(number++), item);
    } else {
        out += indent + scalar_text(value) + '\n';
    }
}

}  // namespace

std::string display_text(std::string_view raw) {
    return is_valid_utf8(raw) ? std::string(raw) : cp1251_to_utf8(raw);
}

Json text_json(std::string_view raw) {
    std::string text = cp1251_to_utf8(raw);
    if (!has_control(raw) && utf8_to_cp1251(text) == raw) return text;
    return Json{{"hex", to_hex(as_bytes(raw))}};
}

Result<std::string> text_from_json(const Json& value, std::string_view what) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        std::string raw = utf8_to_cp1251(text);
        if (cp1251_to_utf8(raw) != text) return bad(what, "a character has no place in CP1251");
        return raw;
    }
    if (const Json* hex = json_member(value, "hex"); hex != nullptr && hex->is_string()) {
        IRON_TRY(const Bytes bytes, from_hex(hex->get_ref<const std::string&>()));
        return std::string(as_text(bytes));
    }
    return bad(what, "not a string");
}

Json fixed_json(ByteView field) {
    const std::string_view all = as_text(field);
    const std::string_view text = all.substr(0, all.find('\0'));
    const std::string_view tail = text.size() == all.size() ? std::string_view{} : all.substr(text.size() + 1);
    if (tail.find_first_not_of('\0') == std::string_view::npos) return text_json(text);
    return Json{{"text", text_json(text)}, {"tail", to_hex(as_bytes(tail))}};
}

Status fixed_from_json(const Json& value, std::span<std::uint8_t> field, std::string_view what) {
    const Json* inner = json_member(value, "text");
    IRON_TRY(const std::string text, text_from_json(inner != nullptr ? *inner : value, what));
    if (text.size() > field.size())
        return bad(what, "more than " + std::to_string(field.size()) + " bytes");
    if (text.find('\0') != std::string::npos) return bad(what, "a NUL inside the text");
    std::fill(field.begin(), field.end(), std::uint8_t{0});
    std::copy(text.begin(), text.end(), field.begin());
    if (inner == nullptr || json_member(value, "tail") == nullptr) return {};
    IRON_TRY(const Bytes tail, json_hex(value, "tail"));
    if (text.size() + 1 + tail.size() > field.size()) return bad(what, "the tail is too long");
    std::copy(tail.begin(), tail.end(), field.begin() + static_cast<std::ptrdiff_t>(text.size()) + 1);
    return {};
}

Json float_json(float value) {
    if (!is_finite(value)) return Json{{"bits", hex32(std::bit_cast<std::uint32_t>(value))}};
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value);
    double shortest = 0;
    std::from_chars(text, end.ptr, shortest);
    const bool exact = std::bit_cast<std::uint32_t>(static_cast<float>(shortest)) == std::bit_cast<std::uint32_t>(value);
    return exact ? shortest : static_cast<double>(value);
}

Result<float> float_from_json(const Json& value, std::string_view what) {
    if (value.is_number()) {
        const double number = value.get<double>();
        if (!(number >= -3.5e38 && number <= 3.5e38)) return bad(what, "beyond a 32-bit float");
        const auto single = static_cast<float>(number);
        if (!is_finite(single)) return bad(what, "beyond a 32-bit float");
        return single;
    }
    if (const Json* bits = json_member(value, "bits"); bits != nullptr && bits->is_string()) {
        std::int64_t word = 0;
        if (parse_i64(bits->get_ref<const std::string&>(), word, true) && word >= 0 && word <= 0xFFFFFFFF)
            return std::bit_cast<float>(static_cast<std::uint32_t>(word));
    }
    return bad(what, "not a number");
}

std::string tag_text(std::uint32_t type_id) {
    std::string text;
    for (int shift = 0; shift < 32; shift += 8) {
        const auto c = static_cast<char>((type_id >> shift) & 0xFF);
        if (c <= 0x20 || c >= 0x7F) return hex32(type_id);
        text += c;
    }
    // What parse_tag would take for a number stays one.
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    return digits || text.substr(0, 2) == "0x" ? hex32(type_id) : text;
}

Json tag_json(std::uint32_t type_id) {
    std::string text = tag_text(type_id);
    if (text.size() == 4) return text;
    return type_id;
}

Result<std::uint32_t> parse_tag(std::string_view text) {
    if (text.size() == 4 && text.substr(0, 2) != "0x") {
        const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
        if (!digits) return load_le<std::uint32_t>(as_bytes(text).data());
    }
    std::int64_t number = 0;
    if (parse_i64(text, number, true) && number >= 0 && number <= 0xFFFFFFFF) return static_cast<std::uint32_t>(number);
    return fail("bad_tag", "'" + std::string(text) + "' is neither a tag of four characters nor a number");
}

Result<std::uint32_t> tag_from_json(const Json& value) {
    if (value.is_string()) return parse_tag(value.get_ref<const std::string&>());
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= 0xFFFFFFFF) return value.get<std::uint32_t>();
    return bad("type", "neither a tag nor a number");
}

std::string hex32(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08X", value);
    return text;
}

Result<Json> parse_json(std::string_view text, std::string_view what) {
    constexpr int kDepth = 64;
    bool deep = false;
    Json value = Json::parse(
        text,
        [&](int depth, Json::parse_event_t, Json&) {
            deep = deep || depth > kDepth;
            return !deep;
        },
        false);
    if (value.is_discarded() || deep) return fail("json_syntax", std::string(what) + " is not JSON");
    return value;
}

const Json* json_member(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(std::string(key));
    return it == object.end() ? nullptr : &*it;
}

namespace {
Result<const Json*> member(const Json& object, std::string_view key) {
    const Json* value = json_member(object, key);
    if (value == nullptr) return fail("json_missing", "'" + std::string(key) + "' is missing");
    return value;
}
}  // namespace

Result<std::uint64_t> json_unsigned(const Json& object, std::string_view key, std::uint64_t most) {
    IRON_TRY(const Json* value, member(object, key));
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > most)
        return bad(key, "not a whole number of 0.." + std::to_string(most));
    return value->get<std::uint64_t>();
}

Result<std::int64_t> json_signed(const Json& object, std::string_view key, std::int64_t least, std::int64_t most) {
    IRON_TRY(const Json* value, member(object, key));
    const bool whole = value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > 0x7FFFFFFFFFFFFFFFull);
    if (!whole || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most)
        return bad(key, "not a whole number of " + std::to_string(least) + ".." + std::to_string(most));
    return value->get<std::int64_t>();
}

Result<std::string> json_string(const Json& object, std::string_view key) {
    IRON_TRY(const Json* value, member(object, key));
    if (!value->is_string()) return bad(key, "not a string");
    return value->get<std::string>();
}

Result<Bytes> json_hex(const Json& object, std::string_view key) {
    IRON_TRY(const std::string text, json_string(object, key));
    return from_hex(text);
}

Result<const Json*> json_array(const Json& object, std::string_view key) {
    IRON_TRY(const Json* value, member(object, key));
    if (!value->is_array()) return bad(key, "not a list");
    return value;
}

std::string dump_json(const Json& value) {
    return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_to_text(const Json& value) {
    std::string out;
    put_text(value, 0, out);
    return out;
}

}  // namespace iron::interchange
