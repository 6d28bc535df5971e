// The INI grammar. Source: config.md 1.2, 1.3.
#include <algorithm>
#include <set>

#include "shared/asset/config_text.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

// End of the content before a `//` comment. Unquoted, `//` begins a comment only at the start or
// after white space: a path may hold it.
std::size_t content_end(std::string_view line, std::size_t from) {
    bool quoted = false;
    for (std::size_t i = from; i < line.size(); ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (!quoted && line.substr(i).starts_with("//") && (i == 0 || is_space(line[i - 1]))) return i;
    }
    // A quote that never closes is an ordinary character: look again without quoting.
    if (quoted)
        for (std::size_t i = from; i < line.size(); ++i)
            if (line.substr(i).starts_with("//") && (i == 0 || is_space(line[i - 1]))) return i;
    return line.size();
}

struct Range {
    std::size_t begin = 0, end = 0;
};
Range trim_range(std::string_view line, std::size_t begin, std::size_t end) {
    while (begin < end && is_space(line[begin])) ++begin;
    while (end > begin && is_space(line[end - 1])) --end;
    return {begin, end};
}

std::string needs_quotes(std::string_view value) {
    const bool outer_space = ascii_trim(value).size() != value.size();
    const bool comment = content_end(value, 0) != value.size();
    const bool looks_quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    const bool looks_like_head = value.ends_with(']');  // behind a key that begins with '['
    if (!outer_space && !comment && !looks_quoted && !looks_like_head) return std::string(value);
    return "\"" + std::string(value) + "\"";
}

// Fills value, raw, quoted and the range from the text after '='.
void take_value(IniEntry& entry, std::string_view line, std::size_t after_equals) {
    const std::size_t end = content_end(line, after_equals);
    const Range range = trim_range(line, after_equals, end);
    entry.value_begin = range.begin;
    entry.value_end = range.end;
    entry.raw = line.substr(range.begin, range.end - range.begin);
    entry.quoted = entry.raw.size() >= 2 && entry.raw.front() == '"' && entry.raw.back() == '"';
    entry.value = entry.quoted ? entry.raw.substr(1, entry.raw.size() - 2) : entry.raw;
}

bool parse_entry(std::string_view line, IniEntry& entry) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || content_end(line, 0) <= equals) return false;
    const Range key = trim_range(line, 0, equals);
    if (key.begin == key.end) return false;
    entry.key = line.substr(key.begin, key.end - key.begin);
    take_value(entry, line, equals + 1);
    return true;
}

}  // namespace

IniDocument read_ini(ByteView bytes, ReadContext& context) {
    IniDocument out;
    out.text = read_text(bytes);
    std::string section;
    std::set<std::string> seen;  // "section\n" and "section\nkey", folded; no line holds a LF
    for (std::size_t i = 0; i < out.text.lines.size(); ++i) {
        const std::string_view line = out.text.lines[i].bytes;
        const std::string_view content = ascii_trim(line.substr(0, content_end(line, 0)));
        if (content.empty() || content.front() == ';' || content.front() == '#') continue;
        if (content.front() == '[' && content.back() == ']' && content.size() >= 2) {
            section = ascii_trim(content.substr(1, content.size() - 2));
            if (seen.insert(ascii_lower(section) + '\n').second) out.sections.push_back(section);
            continue;
        }
        IniEntry entry;
        entry.section = section;
        entry.line = static_cast<std::uint32_t>(i);
        if (!parse_entry(line, entry)) {
            context.warn("config_opaque_line", "line " + std::to_string(i + 1) + " is not an entry");
            continue;
        }
        if (!seen.insert(ascii_lower(section) + '\n' + ascii_lower(entry.key)).second)
            context.warn("config_duplicate_key", "line " + std::to_string(i + 1) + ": key '" +
                                                     entry.key + "' occurs again; the first counts");
        out.entries.push_back(std::move(entry));
    }
    return out;
}

const IniEntry* IniDocument::find(std::string_view section, std::string_view key) const {
    for (const auto& entry : entries)
        if (ascii_iequals(entry.section, section) && ascii_iequals(entry.key, key)) return &entry;
    return nullptr;
}

void IniDocument::set(std::string_view section, std::string_view key, std::string_view value) {
    const std::string raw = needs_quotes(value);
    for (auto& entry : entries) {
        if (!ascii_iequals(entry.section, section) || !ascii_iequals(entry.key, key)) continue;
        auto& line = text.lines[entry.line].bytes;
        std::string kept = entry.quoted && !raw.starts_with('"') ? "\"" + raw + "\"" : raw;
        // A comment that begins right behind an empty value needs white space before it.
        if (entry.value_end < line.size() && !is_space(line[entry.value_end])) kept += ' ';
        line.replace(entry.value_begin, entry.value_end - entry.value_begin, kept);
        take_value(entry, line, entry.value_begin);
        return;
    }

    // A new key goes behind the last line of its section that is not blank.
    std::size_t at = 0;
    bool have_section = section.empty();
    std::string current;
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
        const std::string_view line = text.lines[i].bytes;
        const std::string_view content = ascii_trim(line.substr(0, content_end(line, 0)));
        const bool head = content.size() >= 2 && content.front() == '[' && content.back() == ']';
        if (head) current = ascii_trim(content.substr(1, content.size() - 2));
        if (!ascii_iequals(current, section)) continue;
        have_section = true;
        if (head || !content.empty()) at = i + 1;
    }
    const LineEnd end = text.lines.empty() || text.lines.front().end == LineEnd::none
                            ? LineEnd::crlf
                            : text.lines.front().end;
    if (!have_section) {
        if (!text.lines.empty() && text.lines.back().end == LineEnd::none) text.lines.back().end = end;
        text.lines.push_back({"[" + std::string(section) + "]", end});
        sections.emplace_back(section);
        at = text.lines.size();
    }
    if (at > 0 && text.lines[at - 1].end == LineEnd::none) text.lines[at - 1].end = end;
    text.lines.insert(text.lines.begin() + static_cast<std::ptrdiff_t>(at),
                      {std::string(key) + " = " + raw, end});
    for (auto& entry : entries)
        if (entry.line >= at) ++entry.line;
    IniEntry entry;
    entry.section = section;
    entry.line = static_cast<std::uint32_t>(at);
    parse_entry(text.lines[at].bytes, entry);
    const auto place = std::find_if(entries.begin(), entries.end(),
                                    [&](const IniEntry& e) { return e.line > at; });
    entries.insert(place, std::move(entry));
}

namespace {

template <class T, class Parse>
Setting<T> typed(const IniDocument& document, std::string_view section, std::string_view key,
                 std::optional<T> fallback, ReadContext* context, Parse parse) {
    Setting<T> out;
    const auto use_fallback = [&] {
        out.effective = fallback;
        out.origin = fallback ? SettingOrigin::built_in_default : SettingOrigin::unset;
    };
    const IniEntry* entry = document.find(section, key);
    if (!entry) {
        use_fallback();
        return out;
    }
    out.present = true;
    out.raw = entry->raw;
    out.line = entry->line + 1;
    T value{};
    if (parse(std::string_view(entry->value), value)) {
        out.effective = std::move(value);
        out.origin = SettingOrigin::file;
        return out;
    }
    if (context)
        context->warn("config_bad_value", "line " + std::to_string(out.line) + ": value '" +
                                              entry->value + "' of '" + entry->key +
                                              "' cannot be used");
    use_fallback();
    return out;
}

}  // namespace

Setting<std::int64_t> IniDocument::integer(std::string_view section, std::string_view key,
                                           std::optional<std::int64_t> fallback,
                                           ReadContext& context) const {
    return typed<std::int64_t>(*this, section, key, fallback, &context,
                               [](std::string_view raw, std::int64_t& out) {
                                   return parse_i64(raw, out, true);
                               });
}

Setting<float> IniDocument::real(std::string_view section, std::string_view key,
                                 std::optional<float> fallback, ReadContext& context) const {
    return typed<float>(*this, section, key, fallback, &context,
                        [](std::string_view raw, float& out) { return parse_f32(raw, out); });
}

Setting<bool> IniDocument::boolean(std::string_view section, std::string_view key,
                                   std::optional<bool> fallback, ReadContext& context) const {
    return typed<bool>(*this, section, key, fallback, &context,
                       [](std::string_view raw, bool& out) {
                           out = raw == "1";
                           return raw == "0" || raw == "1";
                       });
}

Setting<std::string> IniDocument::string(std::string_view section, std::string_view key,
                                         std::optional<std::string> fallback) const {
    return typed<std::string>(*this, section, key, std::move(fallback), nullptr,
                              [](std::string_view raw, std::string& out) {
                                  out = raw;
                                  return true;
                              });
}

}  // namespace iron::asset
