// The block grammar of mission.cfg and ui/*.cfg. Source: config.md 1.4, mission.md 7.1.
#include <algorithm>

#include "shared/asset/config_text.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

// End of a quoted string that begins at `from` (behind its closing quote), or npos.
std::size_t quoted_end(std::string_view line, std::size_t from) {
    for (std::size_t i = from + 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '\\' || line[i + 1] == '"')) {
            ++i;
        } else if (line[i] == '"') {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

std::size_t content_end(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            const std::size_t end = quoted_end(line, i);
            if (end != std::string_view::npos) i = end - 1;
        } else if (line.substr(i).starts_with("//") && (i == 0 || is_space(line[i - 1]))) {
            return i;
        }
    }
    return line.size();
}

std::string unescape(std::string_view raw) {
    if (raw.empty() || raw.front() != '"' || quoted_end(raw, 0) != raw.size()) return std::string(raw);
    raw = raw.substr(1, raw.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == '\\' || raw[i + 1] == '"')) ++i;
        out += raw[i];
    }
    return out;
}


// `key value` or `key = value`; false when the line has no key.
bool parse_line(std::string_view line, std::size_t end, BlockEntry& entry) {
    std::size_t begin = 0;
    while (begin < end && is_space(line[begin])) ++begin;
    std::size_t key_end = begin;
    while (key_end < end && !is_space(line[key_end]) && line[key_end] != '=') ++key_end;
    if (key_end == begin) return false;
    entry.key = line.substr(begin, key_end - begin);
    std::size_t value = key_end;
    while (value < end && is_space(line[value])) ++value;
    if (value < end && line[value] == '=') {
        ++value;
        while (value < end && is_space(line[value])) ++value;
    }
    while (end > value && is_space(line[end - 1])) --end;
    entry.value_begin = value;
    entry.value_end = end;
    entry.raw = line.substr(value, end - value);
    entry.value = unescape(entry.raw);
    return true;
}

tl::unexpected<Error> unbalanced(std::size_t line, std::string_view why) {
    return tl::unexpected(Error("config_block_unbalanced", std::string(why))
                              .object("line " + std::to_string(line + 1)));
}

}  // namespace

const BlockEntry* ConfigBlock::find(std::string_view key) const {
    for (const auto& entry : entries)
        if (ascii_iequals(entry.key, key)) return &entry;
    return nullptr;
}

Result<BlockDocument> read_blocks(ByteView bytes, const BlockGrammar& grammar, ReadContext& context) {
    BlockDocument out;
    out.text = read_text(bytes);
    std::vector<ConfigBlock> open;
    for (std::size_t i = 0; i < out.text.lines.size(); ++i) {
        const std::string_view line = out.text.lines[i].bytes;
        const std::size_t end = content_end(line);
        const std::string_view content = ascii_trim(line.substr(0, end));
        if (content.empty() || content.front() == ';' || content.front() == '#') continue;
        const auto number = static_cast<std::uint32_t>(i);
        if (ascii_iequals(content, "end")) {
            if (open.empty()) return unbalanced(i, "'end' without a block");
            open.back().last_line = number;
            ConfigBlock done = std::move(open.back());
            open.pop_back();
            (open.empty() ? out.blocks : open.back().children).push_back(std::move(done));
            continue;
        }
        BlockEntry entry;
        entry.line = number;
        if (!parse_line(line, end, entry)) {
            context.warn("config_opaque_line", "line " + std::to_string(i + 1) + " is not an entry");
            continue;
        }
        const bool opens = std::any_of(grammar.block_words.begin(), grammar.block_words.end(),
                                       [&](const auto& w) { return ascii_iequals(w, entry.key); });
        if (opens) {
            if (open.size() >= grammar.max_depth)
                return unbalanced(i, "'" + entry.key + "' inside a block");
            ConfigBlock block;
            block.word = entry.key;
            block.name = entry.value;
            block.first_line = block.last_line = number;
            open.push_back(std::move(block));
            continue;
        }
        (open.empty() ? out.entries : open.back().entries).push_back(std::move(entry));
    }
    if (!open.empty())
        return unbalanced(open.back().first_line, "the file ends inside block '" + open.back().name + "'");
    return out;
}

}  // namespace iron::asset
