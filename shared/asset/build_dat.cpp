#include "shared/asset/build_dat.hpp"

#include <algorithm>

#include "shared/asset/config_text.hpp"
#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

constexpr BuildCategoryName kCategories[] = {
    {"Bunker_Small", 0x80010000u}, {"Bunker_Medium", 0x80020000u}, {"Bunker_Large", 0x80040000u},
    {"Generator", 0x80000002u},    {"Mine", 0x80000004u},          {"Storage", 0x80000008u},
    {"Hangar", 0x80000040u},       {"MainTeleport", 0x80000200u},  {"Institute", 0x80000400u},
    {"Tower_Medium", 0x80100000u}, {"Tower_Large", 0x80200000u},   {"Plant", 0x80000010u},
};

bool is_path_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/' || c == '\\' || c == '-';
}

tl::unexpected<Error> corrupted(std::size_t line, std::string_view why) {
    return tl::unexpected(Error("build_dat_corrupted",
                                "BuildDat.lst is corrupted: " + std::string(why))
                              .object("line " + std::to_string(line + 1)));
}

// "name count": the two tokens and nothing else.
bool split_header(std::string_view line, std::string_view& name, std::string_view& count) {
    const auto is_space = [](char c) { return ascii_trim(std::string_view(&c, 1)).empty(); };
    const auto gap = std::find_if(line.begin(), line.end(), is_space);
    if (gap == line.end()) return false;
    name = line.substr(0, static_cast<std::size_t>(gap - line.begin()));
    count = ascii_trim(line.substr(name.size()));
    return std::none_of(count.begin(), count.end(), is_space);
}

// The lines [first, end) of the text that one section takes.
struct Section {
    std::string name;
    std::vector<std::string> paths;
    std::size_t first = 0, end = 0;
};

Result<std::vector<Section>> parse(const TextDocument& text, ReadContext& context) {
    std::vector<Section> out;
    std::size_t line = 0;
    const auto trimmed = [&](std::size_t n) { return ascii_trim(text.lines[n].bytes); };
    while (line < text.lines.size()) {
        const std::string_view header = trimmed(line);
        if (header.empty() || header.starts_with("//")) {
            ++line;
            continue;
        }
        std::string_view name, count_text;
        std::int64_t count = 0;
        if (!split_header(header, name, count_text)) return corrupted(line, "a section needs a name and a count");
        if (!std::all_of(count_text.begin(), count_text.end(),
                         [](char c) { return c >= '0' && c <= '9'; }) ||
            !parse_i64(count_text, count))
            return corrupted(line, "the count of a section is not a decimal number");
        const auto known = std::find_if(std::begin(kCategories), std::end(kCategories),
                                        [&](const auto& c) { return c.name == name; });
        if (known == std::end(kCategories))
            return tl::unexpected(Error("build_dat_unknown_category",
                                        "unknown category '" + std::string(name) + "'")
                                      .object("line " + std::to_string(line + 1)));
        if (std::any_of(out.begin(), out.end(), [&](const Section& c) { return c.name == name; })) {
            std::string message = "category '" + std::string(name) + "' occurs twice (line " +
                                  std::to_string(line + 1) + ")";
            if (context.strict()) return fail("build_dat_duplicate_category", std::move(message));
            context.warn("build_dat_duplicate_category", std::move(message));
        }
        Section section{std::string(name), {}, line, 0};
        ++line;
        if (static_cast<std::uint64_t>(count) > text.lines.size() - line)
            return corrupted(line - 1, "the file ends inside a section");
        for (std::int64_t i = 0; i < count; ++i, ++line) {
            const std::string_view path = trimmed(line);
            if (path.size() < 3 || path.front() != '"' || path.back() != '"')
                return corrupted(line, "a path line must be a path in double quotes");
            const std::string_view inner = path.substr(1, path.size() - 2);
            if (!std::all_of(inner.begin(), inner.end(), is_path_byte))
                return corrupted(line, "a path holds a byte that is not allowed");
            section.paths.emplace_back(inner);
        }
        section.end = line;
        out.push_back(std::move(section));
    }
    return out;
}

std::vector<BuildCategory> join(const std::vector<Section>& sections) {
    std::vector<BuildCategory> out;
    for (const auto& section : sections) {
        auto at = std::find_if(out.begin(), out.end(),
                               [&](const BuildCategory& c) { return c.name == section.name; });
        if (at == out.end()) {
            const auto known = std::find_if(std::begin(kCategories), std::end(kCategories),
                                            [&](const auto& c) { return c.name == section.name; });
            at = out.insert(out.end(), {section.name, known->mask, {}});
        }
        at->paths.insert(at->paths.end(), section.paths.begin(), section.paths.end());
    }
    return out;
}

void put_section(ByteWriter& out, std::string_view name, const std::vector<std::string>& paths) {
    out.text(std::string(name) + " " + std::to_string(paths.size()) + "\r\n");
    for (const auto& path : paths) out.text("\"" + path + "\"\r\n");
}

void put_lines(ByteWriter& out, const TextDocument& text, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
        out.text(text.lines[i].bytes);
        out.text(text.lines[i].end == LineEnd::lf ? "\n" : "\r\n");
    }
}

}  // namespace

std::vector<BuildCategoryName> known_build_categories() {
    return {std::begin(kCategories), std::end(kCategories)};
}

const BuildCategory* BuildDat::find(std::string_view name) const {
    for (const auto& category : categories)
        if (category.name == name) return &category;
    return nullptr;
}

const BuildCategory* BuildDat::find_mask(std::uint32_t mask) const {
    for (const auto& category : categories)
        if (category.mask == mask) return &category;
    return nullptr;
}

Result<BuildDat> read_build_dat(ByteView bytes, ReadContext& context) {
    BuildDat out;
    IRON_TRY(const std::vector<Section> sections, parse(read_text(bytes), context));
    out.categories = join(sections);
    for (const auto& known : kCategories)
        if (!out.find(known.name))
            context.warn("build_dat_missing_category",
                         "category '" + std::string(known.name) + "' is missing");
    out.original.assign(bytes.begin(), bytes.end());
    return out;
}

Bytes write_build_dat(const BuildDat& value) {
    ByteWriter out;
    const TextDocument text = read_text(value.original);
    ReadContext quiet{ReadProfile::compatible, {}, {}, {}};
    const auto sections = parse(text, quiet);
    const std::vector<BuildCategory> before = sections ? join(*sections) : std::vector<BuildCategory>{};
    if (sections && before == value.categories) return value.original;

    // Comments and the lines of unchanged sections stay; a changed category is written at its first
    // section (joining duplicates), a new one at the end.
    const auto written_before = [&](std::string_view name, std::size_t end) {
        return std::any_of(sections->begin(), sections->begin() + static_cast<std::ptrdiff_t>(end),
                           [&](const Section& s) { return s.name == name; });
    };
    std::size_t line = 0;
    for (std::size_t i = 0; sections && i < sections->size(); ++i) {
        const Section& section = (*sections)[i];
        put_lines(out, text, line, section.first);
        line = section.end;
        const BuildCategory* now = value.find(section.name);
        const auto was = std::find_if(before.begin(), before.end(),
                                      [&](const BuildCategory& c) { return c.name == section.name; });
        if (now && *now == *was) {
            put_lines(out, text, section.first, section.end);
        } else if (now && !written_before(section.name, i)) {
            put_section(out, now->name, now->paths);
        }
    }
    put_lines(out, text, line, text.lines.size());
    for (const auto& category : value.categories)
        if (!sections || !written_before(category.name, sections->size()))
            put_section(out, category.name, category.paths);
    return out.take();
}

}  // namespace iron::asset
