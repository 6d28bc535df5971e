// `iron3d archive list|verify|extract|pack|edit`: NRes and RsLi archives, told apart by their first bytes.
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/archive_edit.hpp"
#include "shared/interchange/archive_report.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

namespace fs = std::filesystem;
using namespace interchange;

struct Arguments {
    std::string file, folder, out;
    bool json = false, strict = false, in_place = false;
    std::vector<std::string> replace, add, remove, rename;
    std::string type, method;
    std::vector<std::uint32_t> attributes;
};

struct Opened {
    AnyArchive archive;
    ReadContext context;
};

// Everything but `verify` accepts named quirks and says so.
Result<Opened> open(const Arguments& arguments) {
    IRON_TRY(Bytes bytes, read_file(arguments.file));
    ReadContext context;
    context.profile = arguments.strict ? ReadProfile::strict : ReadProfile::compatible;
    context.path = arguments.file;
    auto archive = read_archive(std::move(bytes), context);
    if (!archive) return tl::unexpected(std::move(archive).error().wrap({"reading the archive", {}, arguments.file, {}, {}, {}}));
    return Opened{std::move(*archive), std::move(context)};
}

EntryProgress show(Progress& line) {
    return [&line](std::size_t done, std::size_t total, std::uint64_t bytes, std::string_view name) {
        line.update(done, total, bytes, display_text(name));
    };
}

ExitCode list(const Arguments& arguments) {
    const auto opened = open(arguments);
    if (!opened) return fail_with(opened.error(), arguments.json);
    if (arguments.json) {
        Json out{{"file", arguments.file}};
        out.update(archive_list_json(opened->archive));
        out["diagnostics"] = diagnostics_json(opened->context.diagnostics);
        print_json(out);
    } else {
        print(archive_list_text(opened->archive));
        print_diagnostics(opened->context.diagnostics);
    }
    return ExitCode::ok;
}

ExitCode verify(const Arguments& arguments) {
    const auto bytes = read_file(arguments.file);
    if (!bytes) return fail_with(bytes.error(), arguments.json);
    Progress line("verify", arguments.json);
    const auto verdict = verify_archive(*bytes, arguments.file, show(line));
    line.finish();
    if (!verdict) return fail_with(verdict.error(), arguments.json);
    if (arguments.json) {
        Json out{{"file", arguments.file}, {"bytes", bytes->size()}, {"sha256", to_hex(sha256(*bytes))}};
        out.update(archive_verdict_json(*verdict));
        print_json(out);
    } else {
        for (const Diagnostic& d : verdict->diagnostics) print(diagnostic_text(d) + "\n");
        for (const Error& error : verdict->errors) print("error: " + display_text(error.to_string()) + "\n");
        std::printf("%s: %s, %zu entries, %zu inner containers: strict %s, compatible %s, lossless %s, layout %s\n", arguments.file.c_str(),
                    std::string(container_name(verdict->kind)).c_str(), verdict->entries, verdict->inner,
                    verdict->strict_ok ? "ok" : "ERROR", verdict->compatible_ok ? "ok" : "ERROR",
                    verdict->lossless ? "yes" : "no", verdict->canonical ? "canonical" : "not canonical");
    }
    return verdict->strict_ok ? ExitCode::ok : ExitCode::data;
}

ExitCode extract(const Arguments& arguments) {
    auto opened = open(arguments);
    if (!opened) return fail_with(opened.error(), arguments.json);
    Progress line("extract", arguments.json);
    const auto manifest = extract_archive(opened->archive, arguments.out, opened->context, show(line));
    line.finish();
    if (!manifest) return fail_with(manifest.error(), arguments.json);
    print_diagnostics(opened->context.diagnostics);
    if (arguments.json)
        print_json(*manifest);
    else
        std::printf("%zu files and %s in %s\n", opened->archive.size(), std::string(kManifestFile).c_str(), arguments.out.c_str());
    return ExitCode::ok;
}

ExitCode write_image(const Arguments& arguments, const std::string& path, const Bytes& image, Json out) {
    const Status written = write_file_atomic(path, image);
    if (!written) return fail_with(written.error(), arguments.json);
    if (arguments.json) {
        out["out"] = path;
        out["bytes"] = image.size();
        out["sha256"] = to_hex(sha256(image));
        print_json(out);
    } else {
        std::printf("%s: %zu bytes\n", path.c_str(), image.size());
    }
    return ExitCode::ok;
}

ExitCode pack(const Arguments& arguments) {
    Progress line("pack", arguments.json);
    const auto image = pack_archive(arguments.folder, show(line));
    line.finish();
    if (!image) return fail_with(image.error(), arguments.json);
    return write_image(arguments, arguments.out, *image, Json::object());
}

Result<ArchiveEdit> read_edit(const Arguments& arguments) {
    ArchiveEdit edit;
    for (const std::string& text : arguments.replace) {
        IRON_TRY(const auto pair, split_pair(text, "--replace"));
        IRON_TRY(Bytes payload, read_file(pair.second));
        edit.replace.emplace_back(raw_name(pair.first), std::move(payload));
    }
    for (const std::string& text : arguments.add) {
        IRON_TRY(const auto pair, split_pair(text, "--add"));
        IRON_TRY(Bytes payload, read_file(pair.second));
        AddedEntry entry = guess_entry(raw_name(pair.first), std::move(payload));
        if (!arguments.type.empty()) {
            IRON_TRY(entry.type, parse_tag(arguments.type));
        }
        if (!arguments.attributes.empty()) {
            entry.attr1 = arguments.attributes[0];
            entry.attr2 = arguments.attributes[1];
            entry.attr3 = arguments.attributes[2];
        }
        if (!arguments.method.empty()) {
            IRON_TRY(entry.method, parse_method(arguments.method));
        }
        edit.add.push_back(std::move(entry));
    }
    for (const std::string& name : arguments.remove) edit.remove.push_back(raw_name(name));
    for (const std::string& text : arguments.rename) {
        IRON_TRY(const auto pair, split_pair(text, "--rename"));
        edit.rename.emplace_back(raw_name(pair.first), raw_name(pair.second));
    }
    return edit;
}

ExitCode edit(const Arguments& arguments) {
    if (arguments.in_place == !arguments.out.empty())
        return fail_with(Error("usage", "edit wants either --out FILE or --in-place"), arguments.json);
    const auto opened = open(arguments);
    if (!opened) return fail_with(opened.error(), arguments.json);
    print_diagnostics(opened->context.diagnostics);
    auto wanted = read_edit(arguments);
    if (!wanted) return fail_with(wanted.error(), arguments.json);
    if (wanted->empty()) return fail_with(Error("usage", "nothing to do: give --replace, --add, --remove or --rename"), arguments.json);
    const Json counts{{"replaced", wanted->replace.size()}, {"added", wanted->add.size()},
                      {"removed", wanted->remove.size()}, {"renamed", wanted->rename.size()}};
    const auto image = edit_archive(opened->archive, std::move(*wanted));
    if (!image) return fail_with(Error(image.error()).wrap({"editing", {}, arguments.file, {}, {}, {}}), arguments.json);
    return write_image(arguments, arguments.in_place ? arguments.file : arguments.out, *image, counts);
}

CLI::App* add(CLI::App& parent, CommandContext& context, const char* name, const char* help, const char* example,
              ExitCode (*action)(const Arguments&), const std::shared_ptr<Arguments>& arguments) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->footer(std::string("Example: ") + example);
    on_run(*sub, context, [action, arguments] { return action(*arguments); });
    return sub;
}

}  // namespace

void register_archive_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("archive", "NRes and RsLi archives (*.rlb, *.lib, models, research trees)");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* listing = add(*group, context, "list", "List the entries with types, methods, sizes and offsets",
                            "iron3d archive list ./game/objects.rlb", list, arguments);
    CLI::App* verifying = add(*group, context, "verify",
                              "Check a container strictly, decode every entry, try the writers; exit code 3 on an error",
                              "iron3d archive verify ./game/sprites.lib --json", verify, arguments);
    CLI::App* extracting = add(*group, context, "extract", "Write one file an entry and manifest.json into a new folder",
                               "iron3d archive extract ./game/Textures.lib --out ./textures", extract, arguments);
    CLI::App* packing = add(*group, context, "pack", "Build the canonical archive a folder with manifest.json describes",
                            "iron3d archive pack ./textures --out ./Textures.lib", pack, arguments);
    CLI::App* editing = add(*group, context, "edit",
                            "Change entries and leave every other byte alone (the output is written whole or not at all)",
                            "iron3d archive edit ./Material.lib --replace WALL=wall.mat --rename OLD=NEW --remove '#12' --in-place",
                            edit, arguments);
    for (CLI::App* sub : {listing, verifying, extracting, editing})
        sub->add_option("archive", arguments->file, "Archive file")->required();
    for (CLI::App* sub : {listing, extracting, editing})
        sub->add_flag("--strict", arguments->strict, "Stop at named quirks instead of reporting them");
    extracting->add_option("--out", arguments->out, "Folder; must not exist or be empty")->required();
    packing->add_option("folder", arguments->folder, "Folder written by extract")->required();
    packing->add_option("--out", arguments->out, "Archive file to write")->required();
    editing->add_option("--out", arguments->out, "Archive file to write");
    editing->add_flag("--in-place", arguments->in_place, "Replace the archive itself");
    editing->add_option("--replace", arguments->replace, "NAME=FILE: new bytes of an entry; NAME may be #INDEX")->allow_extra_args(false);
    editing->add_option("--add", arguments->add, "NAME=FILE: a new entry at the end of the directory")->allow_extra_args(false);
    editing->add_option("--remove", arguments->remove, "NAME: drop an entry")->allow_extra_args(false);
    editing->add_option("--rename", arguments->rename, "OLD=NEW: a new name")->allow_extra_args(false);
    editing->add_option("--type", arguments->type, "Type of added NRes entries: a tag (MAT0) or a number; guessed by default");
    editing->add_option("--attributes", arguments->attributes, "The three attributes of added NRes entries")->delimiter(',')->expected(3);
    editing->add_option("--method", arguments->method, "Method of added RsLi records: stored, xor, lzss, xor+lzss, lzhuf, xor+lzhuf, deflate");
}

}  // namespace iron::tools
