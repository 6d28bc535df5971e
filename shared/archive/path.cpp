#include "shared/archive/path.hpp"

#include "shared/base/text.hpp"

namespace iron::archive {
namespace {

bool is_separator(char c) { return c == '/' || c == '\\'; }
bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

tl::unexpected<Error> bad_path(const char* code, const char* message, std::string_view raw,
                               std::size_t at) {
    return tl::unexpected(Error(code, message).at(at).in(raw));
}

}  // namespace

std::string DataPath::key() const { return ascii_lower(text); }

Result<DataPath> normalize_path(std::string_view raw, PathProfile profile) {
    if (raw.empty()) return bad_path("empty", "the path is empty", raw, 0);
    if (const auto nul = raw.find('\0'); nul != std::string_view::npos)
        return bad_path("embedded_nul", "the path contains a NUL byte", raw, nul);
    if (is_separator(raw[0]))
        return bad_path("absolute", "the path begins with a separator", raw, 0);
    if (raw.size() >= 2 && is_letter(raw[0]) && raw[1] == ':')
        return bad_path("absolute", "the path begins with a drive letter", raw, 0);

    const bool strict = profile == PathProfile::strict;
    DataPath out;
    out.text.reserve(raw.size());
    for (std::size_t begin = 0; begin <= raw.size();) {
        std::size_t end = begin;
        while (end < raw.size() && !is_separator(raw[end])) ++end;
        const std::string_view segment = raw.substr(begin, end - begin);
        if (segment == "..")
            return bad_path("parent_traversal", "the path contains a '..' segment", raw, begin);
        const bool droppable = segment.empty() || segment == ".";
        if (droppable && strict)
            return bad_path("invalid_segment", "the path contains an empty or '.' segment", raw, begin);
        if (strict && segment.find(':') != std::string_view::npos)
            return bad_path("absolute", "a path segment contains ':'", raw, begin);
        if (!droppable) {
            if (!out.text.empty()) out.text += '/';
            out.text += segment;
        }
        begin = end + 1;
    }
    if (out.text.empty()) return bad_path("empty", "the path has no segment", raw, 0);
    out.raw = raw;
    return out;
}

}  // namespace iron::archive
