// `iron3d script inspect FILE`: disassembly of a script package.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "shared/interchange/script_listing.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

namespace fs = std::filesystem;
using namespace interchange;

struct Arguments {
    std::string file, variables;
    bool json = false, strict = false;
};

/// The own `<stem>.var`, else the shared `varset.var` of the same folder (config.md 10.1); letter case does
/// not count.
std::optional<fs::path> find_variables(const fs::path& script) {
    const fs::path folder = script.has_parent_path() ? script.parent_path() : fs::path(".");
    std::error_code code;
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(folder, code)) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    for (const std::string& wanted : {script.stem().string() + ".var", std::string("varset.var")})
        for (const fs::path& name : names)
            if (ascii_iequals(name.filename().string(), wanted)) return name;
    return std::nullopt;
}

ExitCode inspect(const Arguments& arguments) {
    const auto bytes = read_file(arguments.file);
    if (!bytes) return fail_with(bytes.error(), arguments.json);
    ReadContext context;
    context.profile = arguments.strict ? ReadProfile::strict : ReadProfile::compatible;
    context.path = arguments.file;
    const auto package = asset::read_script_package(*bytes, context);
    if (!package) return fail_with(Error(package.error()).wrap({"reading the package", {}, arguments.file, {}, {}, {}}), arguments.json);
    std::optional<asset::VariableSet> variables;
    const auto path = arguments.variables.empty() ? find_variables(arguments.file) : std::optional<fs::path>(arguments.variables);
    if (path) {
        const auto text = read_file(*path);
        if (!text) return fail_with(text.error(), arguments.json);
        ReadContext quiet = context;
        quiet.path = path->string();
        auto set = asset::read_variable_set(*text, quiet);
        if (!set) return fail_with(Error(set.error()).wrap({"reading the variables", {}, path->string(), {}, {}, {}}), arguments.json);
        variables = std::move(*set);
    }
    const asset::VariableSet* set = variables ? &*variables : nullptr;
    if (arguments.json) {
        Json out{{"file", arguments.file}, {"variable_file", path ? Json(path->string()) : Json(nullptr)}};
        out.update(script_listing_json(*package, set));
        out["diagnostics"] = diagnostics_json(context.diagnostics);
        print_json(out);
    } else {
        if (path) print("variables from " + path->string() + "\n");
        print(script_listing_text(*package, set));
        print_diagnostics(context.diagnostics);
    }
    return ExitCode::ok;
}

}  // namespace

void register_script_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("script", "Script packages (*.scr)");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* sub = group->add_subcommand("inspect", "Print events and records with selectors and variable names");
    sub->add_option("file", arguments->file, "Script package")->required();
    sub->add_option("--vars", arguments->variables, "Variable set; by default <stem>.var, then varset.var beside the package");
    sub->add_flag("--strict", arguments->strict, "Stop at named quirks instead of reporting them");
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->footer("Marks: X executable, R operands known, U unsupported.\nExample: iron3d script inspect ./game/MISSIONS/SCRIPTS/default.scr");
    on_run(*sub, context, [arguments] { return inspect(*arguments); });
}

}  // namespace iron::tools
