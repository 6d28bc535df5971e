#include "shared/interchange/safe_name.hpp"

#include <array>

#include "shared/base/text.hpp"

namespace iron::interchange {
namespace {

constexpr std::string_view kPlain = "_-.+@()[],=#!$&';^{}~";
constexpr std::size_t kMost = 150;

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kPlain.find(c) != std::string_view::npos;
}

void put_escaped(std::string& out, char c) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
}

// Windows reserves these with any extension, also with blanks before the dot.
bool is_device(std::string_view name) {
    const std::string_view stem = name.substr(0, name.find('.'));
    static constexpr std::array<std::string_view, 6> kNames{"con", "prn", "aux", "nul", "conin$", "conout$"};
    for (const std::string_view device : kNames)
        if (ascii_iequals(stem, device)) return true;
    if (stem.size() != 4 || stem[3] < '0' || stem[3] > '9') return false;
    return ascii_iequals(stem.substr(0, 3), "com") || ascii_iequals(stem.substr(0, 3), "lpt");
}

}  // namespace

std::string safe_file_name(std::string_view raw) {
    if (raw.empty()) return "%";
    // A name that would get too long keeps its beginning; SafeNames makes it unique.
    const std::string_view used = raw.substr(0, kMost / 3);
    const std::size_t solid = used.find_last_not_of('.') == std::string_view::npos ? 0 : used.find_last_not_of('.') + 1;
    const bool device = is_device(used);
    std::string out;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const char c = used[i];
        const bool first = i == 0 && (c == '.' || c == '-' || c == '~' || device);
        if (is_plain(c) && !first && i < solid)
            out += c;
        else
            put_escaped(out, c);
    }
    return out;
}

void SafeNames::reserve(std::string_view name) { taken_.insert(ascii_lower(name)); }

std::string SafeNames::take(std::string_view raw) {
    const std::string wanted = safe_file_name(raw);
    const std::size_t dot = wanted.rfind('.');
    const bool extension = dot != std::string::npos && dot != 0;
    std::string name = wanted;
    for (std::size_t number = 2; !taken_.insert(ascii_lower(name)).second; ++number) {
        const std::string suffix = "~" + std::to_string(number);
        name = extension ? wanted.substr(0, dot) + suffix + wanted.substr(dot) : wanted + suffix;
    }
    return name;
}

bool is_safe_file_name(std::string_view name) {
    if (name.empty() || name.size() > kMost + 16) return false;
    if (name.front() == '.' || name.front() == '-' || name.back() == '.' || is_device(name)) return false;
    for (const char c : name)
        if (!is_plain(c) && c != '%' && c != ' ') return false;
    return name.back() != ' ' && name.front() != ' ';
}

}  // namespace iron::interchange
