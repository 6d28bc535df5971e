#include "shared/asset/mission_cfg.hpp"

#include "shared/base/text.hpp"

namespace iron::asset {

std::vector<std::string> MissionCfg::prebuild_schemes() const {
    std::vector<std::string> out;
    for (const auto& block : document.blocks) {
        if (!ascii_iequals(block.name, "prebuild")) continue;
        for (const auto& entry : block.entries) {
            // A line that is only a quoted or bare path has the path as its key.
            if (ascii_iends_with(entry.value, ".dat")) {
                out.push_back(entry.value);
            } else if (entry.value.empty()) {
                std::string_view key = entry.key;
                if (key.size() >= 2 && key.front() == '"' && key.back() == '"')
                    key = key.substr(1, key.size() - 2);
                if (ascii_iends_with(key, ".dat")) out.emplace_back(key);
            }
        }
    }
    return out;
}

Result<MissionCfg> read_mission_cfg(ByteView bytes, ReadContext& context) {
    MissionCfg out;
    IRON_TRY(out.document, read_blocks(bytes, BlockGrammar{}, context));
    for (const auto& block : out.document.blocks) {
        const BlockEntry* type = block.find("type");
        std::int64_t number = 0;
        if (type && !parse_i64(type->value, number, true))
            context.warn("config_bad_value", "line " + std::to_string(type->line + 1) + ": type '" +
                                                 type->value + "' is not a number");
    }
    return out;
}

MissionCfg make_mission_cfg(const std::vector<MissionCfgObject>& objects) {
    std::string text;
    const auto quote = [](const std::string& value) {
        const bool plain = !value.empty() && value.find_first_of(" \t\"") == std::string::npos &&
                           value.find("//") == std::string::npos && value.front() != '=';
        if (plain) return value;
        std::string out = "\"";
        for (const char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        return out + "\"";
    };
    for (const auto& object : objects) {
        text += "object " + quote(object.name) + "\r\n";
        for (const auto& [key, value] : object.entries)
            text += "   " + key + " " + quote(value) + "\r\n";
        text += "end\r\n";
    }
    MissionCfg out;
    ReadContext quiet{ReadProfile::compatible, {}, {}, {}};
    if (auto document = read_blocks(as_bytes(text), BlockGrammar{}, quiet))
        out.document = std::move(*document);
    return out;
}

}  // namespace iron::asset
