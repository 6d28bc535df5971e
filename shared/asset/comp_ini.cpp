#include "shared/asset/comp_ini.hpp"

#include <algorithm>
#include <set>

#include "shared/base/text.hpp"

namespace iron::asset {

namespace {

constexpr std::string_view kFunctions[] = {"LoadLandscape",    "LoadBuilding", "LoadCamera",
                                           "LoadAgent",        "CreateAtmosphere",
                                           "CreateShader",     "LoadResearch"};

std::string_view take_token(std::string_view& rest) {
    rest = ascii_trim(rest);
    std::size_t n = 0;
    while (n < rest.size() && !ascii_trim(rest.substr(n, 1)).empty()) ++n;
    const std::string_view token = rest.substr(0, n);
    rest.remove_prefix(n);
    return token;
}

}  // namespace

const Component* CompIni::find(std::uint32_t id) const {
    for (const auto& component : components)
        if (component.id == id) return &component;
    return nullptr;
}

Result<CompIni> read_comp_ini(ByteView bytes, ReadContext& context) {
    CompIni out;
    out.text = read_text(bytes);
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < out.text.lines.size(); ++i) {
        std::string_view rest = out.text.lines[i].bytes;
        rest = ascii_trim(rest.substr(0, std::min(rest.find("//"), rest.size())));
        if (rest.empty()) continue;
        const std::string label = "line " + std::to_string(i + 1);
        Component component;
        component.line = static_cast<std::uint32_t>(i);
        const std::string_view id = take_token(rest);
        component.dll = take_token(rest);
        component.function = take_token(rest);
        std::int64_t number = 0;
        if (id.front() < '0' || id.front() > '9' || !parse_i64(id, number) || number > 0xFFFFFFFFll)
            return tl::unexpected(Error("comp_bad_id", "component id '" + std::string(id) +
                                                           "' is not a number").object(label));
        if (component.function.empty())
            return tl::unexpected(
                Error("comp_missing_function", "a component needs a DLL and a function").object(label));
        component.id = static_cast<std::uint32_t>(number);
        if (!seen.insert(component.id).second) {
            std::string message = "component id " + std::to_string(number) + " occurs twice";
            if (context.strict())
                return tl::unexpected(Error("comp_duplicate_id", std::move(message)).object(label));
            context.warn("comp_duplicate_id", label + ": " + message);
        }
        if (std::find(std::begin(kFunctions), std::end(kFunctions), component.function) ==
            std::end(kFunctions))
            context.warn("comp_unknown_function",
                         label + ": unknown function '" + component.function + "'");
        out.components.push_back(std::move(component));
    }
    return out;
}

CompIni make_comp_ini(const std::vector<Component>& components) {
    CompIni out;
    for (const auto& component : components) {
        Component copy = component;
        copy.line = static_cast<std::uint32_t>(out.text.lines.size());
        out.text.lines.push_back({std::to_string(copy.id) + " " + copy.dll + " " + copy.function,
                                  LineEnd::crlf});
        out.components.push_back(std::move(copy));
    }
    return out;
}

std::vector<Component> default_components() {
    return {{0, "terrain.dll", "LoadLandscape", 0}, {1, "terrain.dll", "LoadBuilding", 0},
            {2, "terrain.dll", "LoadCamera", 0},    {3, "animesh.dll", "LoadAgent", 0},
            {4, "animesh.dll", "LoadAgent", 0},     {5, "terrain.dll", "CreateAtmosphere", 0},
            {6, "terrain.dll", "CreateShader", 0},  {7, "misload.dll", "LoadResearch", 0}};
}

}  // namespace iron::asset
