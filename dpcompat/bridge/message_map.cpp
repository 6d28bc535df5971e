#include "dpcompat/bridge/message_map.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "dpcompat/wire/basics.hpp"
#include "shared/base/file.hpp"
#include "shared/base/text.hpp"
#include "shared/settings/toml_file.hpp"

namespace iron::dpcompat {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMaxFields = 64, kMaxMessages = 1024;

struct KindRow {
    MapFieldKind kind;
    std::string_view name;
    int bytes;
    bool is_signed;
};
constexpr KindRow kKinds[] = {{MapFieldKind::u8, "u8", 1, false},     {MapFieldKind::u16, "u16", 2, false},
                              {MapFieldKind::u32, "u32", 4, false},   {MapFieldKind::i16, "i16", 2, true},
                              {MapFieldKind::i32, "i32", 4, true},    {MapFieldKind::utf16z, "utf16z", 0, false},
                              {MapFieldKind::cp1251z, "cp1251z", 0, false}, {MapFieldKind::rest, "rest", 0, false}};
constexpr std::pair<MapAction, std::string_view> kActions[] = {
    {MapAction::chat, "chat"},   {MapAction::pause, "pause"}, {MapAction::order, "order"}, {MapAction::player_data, "player_data"},
    {MapAction::game_started, "game_started"}, {MapAction::ignore, "ignore"}};

const KindRow& row_of(MapFieldKind kind) {
    for (const KindRow& row : kKinds)
        if (row.kind == kind) return row;
    return kKinds[0];
}

Result<MapField> parse_field(const Json& j, std::string_view label) {
    const auto bad = [&](const char* what) { return fail("bad_setting", std::string(label) + ": a field " + what); };
    if (!j.is_object() || !j.contains("kind") || !j["kind"].is_string()) return bad("without kind");
    MapField f;
    const std::string kind = j["kind"].get<std::string>();
    bool known = false;
    for (const KindRow& row : kKinds)
        if (row.name == kind) f.kind = row.kind, known = true;
    if (!known) return bad("of unknown kind");
    if (j.contains("name")) {
        if (!j["name"].is_string()) return bad("whose name is no text");
        f.name = j["name"].get<std::string>();
    }
    if (j.contains("value")) {
        if (!j["value"].is_number_integer() || row_of(f.kind).bytes == 0) return bad("whose value is no number");
        f.constant = j["value"].get<std::int64_t>();
    }
    if (j.contains("list")) {
        if (!j["list"].is_boolean() || row_of(f.kind).bytes == 0) return bad("that cannot be a list");
        f.list = j["list"].get<bool>();
    }
    return f;
}

std::optional<std::int64_t> read_number(ByteReader& in, MapFieldKind kind) {
    const KindRow& row = row_of(kind);
    const auto bytes = in.view(static_cast<std::uint64_t>(row.bytes), "field");
    if (!bytes) return {};
    std::uint32_t value = 0;
    for (int i = 0; i < row.bytes; ++i) value |= static_cast<std::uint32_t>((*bytes)[static_cast<std::size_t>(i)]) << (8 * i);
    if (!row.is_signed) return value;
    return row.bytes == 2 ? std::int64_t{static_cast<std::int16_t>(value)} : std::int64_t{static_cast<std::int32_t>(value)};
}

bool put_number(ByteWriter& out, MapFieldKind kind, std::int64_t value) {
    const KindRow& row = row_of(kind);
    const std::int64_t low = row.is_signed ? -(std::int64_t{1} << (8 * row.bytes - 1)) : 0;
    const std::int64_t high = row.is_signed ? (std::int64_t{1} << (8 * row.bytes - 1)) - 1 : (std::int64_t{1} << (8 * row.bytes)) - 1;
    if (value < low || value > high) return false;
    for (int i = 0; i < row.bytes; ++i) out.u8(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
    return true;
}

}  // namespace

const MapMessage* MessageMap::find(ByteView plain, bool to_server) const {
    if (plain.size() < 4 || number_at > plain.size() - 4) return nullptr;
    const auto number = load_le<std::uint32_t>(plain.data() + number_at);
    for (const MapMessage& m : messages)
        if (m.number == number && m.to_server == to_server) return &m;
    return nullptr;
}

const MapMessage* MessageMap::find_action(MapAction action) const {
    for (const MapMessage& m : messages)
        if (m.action == action && !m.to_server) return &m;
    return nullptr;
}

Result<MessageMap> parse_message_map(std::string_view toml, std::string_view label, bool allow_synthetic) {
    IRON_TRY(const Json file, settings::parse_toml(toml, label));
    const auto bad = [&](const std::string& what) { return fail("bad_setting", std::string(label) + ": " + what); };
    MessageMap out;
    if (!file.contains("name") || !file["name"].is_string()) return bad("'name' is missing");
    out.name = file["name"].get<std::string>();
    out.synthetic = file.contains("synthetic") && file["synthetic"] == true;
    if (out.synthetic && !allow_synthetic)
        return fail("synthetic_map", std::string(label) + " holds invented layouts for tests; an original client does not understand them");
    for (const auto& [key, member] : {std::pair("number_at", &out.number_at), std::pair("payload_at", &out.payload_at)}) {
        if (!file.contains(key)) continue;
        if (!file[key].is_number_integer() || file[key].get<std::int64_t>() < 0 || file[key].get<std::int64_t>() > 1024)
            return bad(std::string("'") + key + "' is not a small number");
        *member = file[key].get<std::size_t>();
    }
    if (!file.contains("message")) return out;
    if (!file["message"].is_array() || file["message"].size() > kMaxMessages) return bad("'message' is not a list of tables");
    for (const Json& j : file["message"]) {
        MapMessage m;
        if (!j.is_object() || !j.contains("number") || !j["number"].is_number_integer() || j["number"].get<std::int64_t>() < 0 ||
            j["number"].get<std::int64_t>() > std::numeric_limits<std::uint32_t>::max())
            return bad("a message without number");
        m.number = static_cast<std::uint32_t>(j["number"].get<std::int64_t>());
        m.name = j.value("name", std::string());
        m.evidence = j.value("evidence", std::string());
        const std::string direction = j.value("direction", std::string("to_server"));
        if (direction != "to_server" && direction != "to_original") return bad("message " + std::to_string(m.number) + " has no direction");
        m.to_server = direction == "to_server";
        const std::string action = j.value("action", std::string("ignore"));
        bool known = false;
        for (const auto& [value, name] : kActions)
            if (name == action) m.action = value, known = true;
        if (!known) return bad("message " + std::to_string(m.number) + " has an unknown action");
        if (j.contains("fields")) {
            if (!j["fields"].is_array() || j["fields"].size() > kMaxFields) return bad("'fields' is not a list");
            for (const Json& f : j["fields"]) {
                IRON_TRY(MapField field, parse_field(f, label));
                m.fields.push_back(std::move(field));
            }
        }
        out.messages.push_back(std::move(m));
    }
    return out;
}

Result<MessageMap> load_message_map(const std::filesystem::path& path, bool allow_synthetic) {
    IRON_TRY(const Bytes bytes, read_file(path, 1u << 20));
    return parse_message_map(as_text(bytes), path.string(), allow_synthetic);
}

Result<MapValues> read_mapped(const MessageMap& map, const MapMessage& message, ByteView plain) {
    const auto mismatch = [&](const char* why) { return fail("map_mismatch", "message " + std::to_string(message.number) + ": " + why); };
    if (plain.size() < map.payload_at) return mismatch("too short");
    ByteReader in(plain.subspan(map.payload_at));
    MapValues out;
    for (const MapField& f : message.fields) {
        MapValue value;
        if (f.list) {
            const auto count = in.u32("count");
            if (!count || *count > in.remaining() / static_cast<std::size_t>(row_of(f.kind).bytes)) return mismatch("a list longer than the message");
            std::vector<std::int64_t> list;
            for (std::uint32_t i = 0; i < *count; ++i) list.push_back(*read_number(in, f.kind));
            value = std::move(list);
        } else if (f.kind == MapFieldKind::rest) {
            const ByteView rest = *in.view(in.remaining(), "rest");
            value = Bytes(rest.begin(), rest.end());
        } else if (f.kind == MapFieldKind::utf16z) {
            Text16 text;
            for (;;) {
                const auto unit = in.u16("text");
                if (!unit) return mismatch("a text without end");
                if (*unit == 0) break;
                text += static_cast<char16_t>(*unit);
            }
            value = to_utf8(text);
        } else if (f.kind == MapFieldKind::cp1251z) {
            std::string text;
            for (;;) {
                const auto c = in.u8("text");
                if (!c) return mismatch("a text without end");
                if (*c == 0) break;
                text += static_cast<char>(*c);
            }
            value = cp1251_to_utf8(text);
        } else {
            const auto number = read_number(in, f.kind);
            if (!number) return mismatch("too short");
            if (f.constant && *f.constant != *number) return mismatch("a constant differs");
            value = *number;
        }
        if (!f.name.empty()) out.insert_or_assign(f.name, std::move(value));
    }
    if (!in.at_end()) return mismatch("bytes behind the last field");
    return out;
}

Result<Bytes> write_mapped(const MessageMap& map, const MapMessage& message, const MapValues& values) {
    ByteWriter out;
    out.zeros(std::max(map.payload_at, map.number_at + 4));
    out.patch(map.number_at, message.number);
    Bytes head = out.take();
    head.resize(map.payload_at);
    out.bytes(head);
    for (const MapField& f : message.fields) {
        const auto found = values.find(f.name);
        const auto missing = [&] { return fail("map_missing", "message " + std::to_string(message.number) + " needs '" + f.name + "'"); };
        if (f.constant && !f.list) {
            if (!put_number(out, f.kind, *f.constant)) return missing();
            continue;
        }
        if (found == values.end()) return missing();
        if (f.list) {
            const auto* list = std::get_if<std::vector<std::int64_t>>(&found->second);
            if (list == nullptr) return missing();
            out.u32(static_cast<std::uint32_t>(list->size()));
            for (std::int64_t v : *list)
                if (!put_number(out, f.kind, v)) return missing();
        } else if (f.kind == MapFieldKind::rest) {
            const auto* bytes = std::get_if<Bytes>(&found->second);
            if (bytes == nullptr) return missing();
            out.bytes(*bytes);
        } else if (f.kind == MapFieldKind::utf16z || f.kind == MapFieldKind::cp1251z) {
            const auto* text = std::get_if<std::string>(&found->second);
            if (text == nullptr) return missing();
            if (f.kind == MapFieldKind::cp1251z) {
                out.text(utf8_to_cp1251(*text));
                out.u8(0);
            } else {
                for (char16_t unit : to_text16(*text)) out.u16(static_cast<std::uint16_t>(unit));
                out.u16(0);
            }
        } else {
            const auto* number = std::get_if<std::int64_t>(&found->second);
            if (number == nullptr || !put_number(out, f.kind, *number)) return missing();
        }
    }
    return out.take();
}

}  // namespace iron::dpcompat
