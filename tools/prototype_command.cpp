// `iron3d prototype inspect KEY --root DIR`: what a key of objects.rlb leads to.
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "shared/interchange/prototype_tree.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

struct Arguments {
    std::vector<std::string> roots, keys;
    bool json = false, strict = false, all = false;
};

ExitCode inspect(const Arguments& arguments) {
    const auto vfs = archive::Vfs::open_layers({arguments.roots.begin(), arguments.roots.end()});
    if (!vfs) return fail_with(vfs.error(), arguments.json);
    const ReadProfile profile = arguments.strict ? ReadProfile::strict : ReadProfile::compatible;
    archive::ArchiveCache archives(*vfs, profile);
    mission::ResourceLocator locator(archives, profile);
    mission::PrototypeRegistry registry(locator);
    std::vector<std::string> keys;
    for (const std::string& key : arguments.keys) keys.push_back(raw_name(key));
    if (arguments.all) keys = registry.keys();
    if (keys.empty()) return fail_with(Error("usage", "give a prototype key or --all"), arguments.json);
    Json list = Json::array();
    bool sound = true;
    Progress line("prototypes", arguments.json || keys.size() < 2);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        line.update(i, keys.size(), 0, display_text(keys[i]));
        PrototypeTree tree = prototype_tree(registry, locator, keys[i]);
        sound = sound && tree.resolved && tree.broken == 0;
        list.push_back(std::move(tree.json));
    }
    line.finish();
    if (arguments.json)
        print_json(list.size() == 1 && !arguments.all ? list[0] : list);
    else
        for (const Json& item : list) print(json_to_text(item) + (list.size() > 1 ? "\n" : ""));
    return sound ? ExitCode::ok : ExitCode::data;
}

}  // namespace

void register_prototype_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("prototype", "Keys of objects.rlb and the resources behind them");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* sub = group->add_subcommand("inspect", "Print parents, references, model, materials and textures of a key as a tree");
    sub->add_option("key", arguments->keys, "Prototype key");
    sub->add_option("--root", arguments->roots, "Game directory; give it again for layers, the winning one first")
        ->required()->allow_extra_args(false);
    sub->add_flag("--all", arguments->all, "Every key of the registry");
    sub->add_flag("--strict", arguments->strict, "Stop at named quirks instead of accepting them");
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->footer("Exit code 3 when a needed link is broken.\nExample: iron3d prototype inspect r_h_01 --root ./game");
    on_run(*sub, context, [arguments] { return inspect(*arguments); });
}

}  // namespace iron::tools
