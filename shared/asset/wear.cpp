#include "shared/asset/wear.hpp"

#include <optional>
#include <utility>

#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

constexpr std::string_view kMarker = "LIGHTMAPS";

/// A line without its end and carriage returns, trimmed (materials.md 1).
std::string clean(std::string_view line) {
    std::string out;
    for (const char c : line)
        if (c != '\r' && c != '\n') out.push_back(c);
    return std::string(ascii_trim(out));
}

/// Raw lines, each with its LF; the last one may have none.
std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const std::size_t lf = text.find('\n');
        const std::size_t size = lf == std::string_view::npos ? text.size() : lf + 1;
        out.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return out;
}

struct Tokens {
    std::string_view id, name, rest;  ///< rest: everything after the id, trimmed
};
std::optional<Tokens> split_row(std::string_view cleaned) {
    const std::size_t gap = cleaned.find_first_of(" \t");
    if (gap == std::string_view::npos) return std::nullopt;
    Tokens t;
    t.id = cleaned.substr(0, gap);
    t.rest = ascii_trim(cleaned.substr(gap));
    t.name = t.rest.substr(0, t.rest.find_first_of(" \t"));
    return t;
}

class Reader {
public:
    Reader(std::string_view text, ReadContext& ctx) : lines_(split_lines(text)), ctx_(ctx) {}

    Result<Wear> read() {
        if (lines_.empty()) return fail("wear_bad_count", "Illegal wear length.");
        Wear wear;
        if (const auto first = lines_.front(); first.ends_with('\n') && !first.ends_with("\r\n"))
            wear.line_end = "\n";
        wear.count_line = lines_[at_++];
        std::int64_t count = 0;
        if (!parse_i64(clean(wear.count_line), count) || count < 1)
            return fail("wear_bad_count", "Illegal wear length.", 0);
        IRON_CHECK(rows(count, "material", wear.materials));
        IRON_CHECK(lightmaps(wear));
        return wear;
    }

private:
    Status rows(std::int64_t count, const char* what, std::vector<WearRow>& out) {
        // `count` comes from the file; the loop ends with the lines at the latest.
        for (std::int64_t i = 0; i < count; ++i) {
            const std::string label = std::string(what) + " row " + std::to_string(i);
            if (at_ >= lines_.size()) return fail("wear_missing_row", label + " is missing");
            const std::string_view raw = lines_[at_++];
            const std::string line = clean(raw);
            const auto tokens = split_row(line);
            if (!tokens) return fail("wear_bad_row", label + " is not an id and a name");
            if (tokens->rest != tokens->name)
                ctx_.warn("wear_name_spaces", label + ": text after the name is ignored");
            std::int64_t id = 0;
            if (!parse_i64(tokens->id, id)) {
                if (ctx_.strict()) return fail("wear_bad_id", label + ": the id is not a number");
                ctx_.warn("wear_bad_id", label + ": the id is not a number");
            } else if (id != i && !ctx_.has("wear_id_position")) {
                ctx_.warn("wear_id_position", label + ": the id differs from the position");
            }
            out.push_back({std::string(tokens->id), std::string(tokens->name), std::string(raw)});
        }
        return {};
    }

    Status lightmaps(Wear& wear) {
        std::size_t empty = 0;
        std::string gap;
        while (at_ < lines_.size() && clean(lines_[at_]).empty()) {
            gap += lines_[at_++];
            ++empty;
        }
        if (at_ == lines_.size()) {
            wear.tail = std::move(gap);
            return {};
        }
        const std::string marker = clean(lines_[at_]);
        if (!ascii_iequals(marker, kMarker))
            return fail("wear_unexpected_text", "the text after the rows is not LIGHTMAPS");
        if (marker != kMarker) {
            if (ctx_.strict()) return fail("wear_bad_marker", "the marker is not upper case");
            ctx_.warn("wear_bad_marker", "the marker is not upper case");
        }
        if (empty != 1) {
            const char* code = empty == 0 ? "wear_no_separator" : "wear_extra_separator";
            const char* text = "exactly one empty line stands before LIGHTMAPS";
            if (ctx_.strict()) return fail(code, text);
            ctx_.note(Severity::quirk, code, text);
        }
        wear.separator = std::move(gap);
        wear.marker_line = lines_[at_++];
        std::int64_t count = -1;
        if (at_ < lines_.size()) wear.lightmap_count_line = lines_[at_++];
        if (!parse_i64(clean(wear.lightmap_count_line), count) || count < 0 || (count == 0 && ctx_.strict()))
            return fail("wear_bad_lightmap_count", "Illegal lightmaps length.");
        if (count == 0) ctx_.warn("wear_bad_lightmap_count", "a LIGHTMAPS section without rows");
        IRON_CHECK(rows(count, "lightmap", wear.lightmaps));
        bool text = false;
        for (; at_ < lines_.size(); ++at_) {
            text = text || !clean(lines_[at_]).empty();
            wear.tail += lines_[at_];
        }
        if (!text) return {};
        if (ctx_.strict()) return fail("wear_trailing_text", "text after the last lightmap row");
        ctx_.warn("wear_trailing_text", "text after the last lightmap row");
        return {};
    }

    std::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    ReadContext& ctx_;
};

class Writer {
public:
    explicit Writer(const Wear& wear) : wear_(wear) {}

    Result<Bytes> write() {
        if (wear_.materials.empty()) return fail("wear_authoring", "Illegal wear length.");
        count_line(wear_.count_line, wear_.materials.size());
        IRON_CHECK(rows(wear_.materials));
        const bool empty_section = !wear_.marker_line.empty() && count_of(wear_.lightmap_count_line) == 0;
        if (!wear_.lightmaps.empty() || empty_section) {
            const bool original = !wear_.marker_line.empty();
            line(original ? wear_.separator : wear_.line_end);
            line(original ? wear_.marker_line : std::string(kMarker) + wear_.line_end);
            count_line(wear_.lightmap_count_line, wear_.lightmaps.size());
            IRON_CHECK(rows(wear_.lightmaps));
        }
        if (!wear_.tail.empty()) line(wear_.tail);
        const auto bytes = as_bytes(out_);
        return Bytes(bytes.begin(), bytes.end());
    }

private:
    static std::optional<std::int64_t> count_of(std::string_view raw) {
        std::int64_t n = 0;
        if (!parse_i64(clean(raw), n)) return std::nullopt;
        return n;
    }
    /// Appends whole lines; a last line without an end gets one before anything follows it.
    void line(std::string_view text) {
        if (text.empty()) return;
        if (!out_.empty() && out_.back() != '\n') out_ += wear_.line_end;
        out_ += text;
    }
    void count_line(std::string_view raw, std::size_t n) {
        const auto old = count_of(raw);
        if (old && *old == static_cast<std::int64_t>(n)) line(raw);
        else line(std::to_string(n) + wear_.line_end);
    }
    Status rows(const std::vector<WearRow>& list) {
        for (const WearRow& row : list) {
            const std::string cleaned = clean(row.line);
            const auto old = split_row(cleaned);
            if (old && old->id == row.id && old->name == row.name) {
                line(row.line);
                continue;
            }
            for (const std::string& token : {row.id, row.name})
                if (token.empty() || token.find_first_of(" \t\r\n\v\f") != std::string::npos)
                    return fail("wear_authoring", "ids and names are one word each");
            line(row.id + " " + row.name + wear_.line_end);
        }
        return {};
    }

    const Wear& wear_;
    std::string out_;
};

}  // namespace

void Wear::add_material(std::string_view name) {
    materials.push_back({std::to_string(materials.size()), std::string(name), {}});
}
void Wear::add_lightmap(std::string_view name) {
    lightmaps.push_back({std::to_string(lightmaps.size()), std::string(name), {}});
}

Result<Wear> read_wear(ByteView bytes, ReadContext& ctx) { return Reader(as_text(bytes), ctx).read(); }

Result<Bytes> write_wear(const Wear& wear) { return Writer(wear).write(); }

}  // namespace iron::asset
