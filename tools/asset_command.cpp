// `iron3d asset inspect|export|import`: one asset of a game directory or of a file.
#include <cstdio>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/asset_export.hpp"
#include "shared/interchange/asset_import.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "shared/interchange/loaded_asset.hpp"
#include "shared/interchange/safe_name.hpp"
#include "shared/interchange/view_options.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

namespace fs = std::filesystem;
using namespace interchange;

struct Arguments {
    std::string place, name, out;
    bool json = false, full = false, strict = false;
    // export
    std::string format = "auto", quat_order, batch_row;
    std::uint32_t level = 0, state = 0, lod = 0;
    bool all_levels = false;
    float frames_per_second = 30;
    // import
    std::string file, kind, archive, entry;
    std::string texture_format;
    std::uint32_t mips = 0;
    bool adpcm = false;
};

ReadContext context_of(const Arguments& arguments) {
    ReadContext context;
    context.profile = arguments.strict ? ReadProfile::strict : ReadProfile::compatible;
    return context;
}

ExitCode inspect(const Arguments& arguments) {
    ReadContext context = context_of(arguments);
    const auto located = locate_asset(arguments.place, raw_name(arguments.name), context);
    if (!located) return fail_with(located.error(), arguments.json);
    const auto loaded = load_asset(located->kind, located->source, context);
    if (!loaded) return fail_with(loaded.error(), arguments.json);
    const AssetSource& source = located->source;
    Json out{{"asset", display_text(source.label())}, {"kind", asset_kind_name(located->kind)}, {"bytes", source.bytes.size()},
             {"sha256", to_hex(sha256(source.bytes))}};
    if (source.type_id) {
        out["type"] = tag_json(*source.type_id);
        out["entry_attributes"] = {source.attributes.attr1, source.attributes.attr2, source.attributes.attr3};
    }
    out.update((*loaded)->view({arguments.full, 8}));
    if (arguments.json) {
        out["diagnostics"] = diagnostics_json(context.diagnostics);
        print_json(out);
    } else {
        print(json_to_text(out));
        print_diagnostics(context.diagnostics);
    }
    return ExitCode::ok;
}

Result<std::optional<asset::MshProfile>> profile_of(const Arguments& arguments) {
    if (arguments.quat_order.empty() && arguments.batch_row.empty()) return std::nullopt;
    asset::MshProfile profile;
    if (arguments.quat_order == "wxyz") profile.quat_order = asset::QuatOrder::wxyz;
    if (arguments.batch_row == "byte4") profile.batch_row = asset::BatchRow::byte4;
    return profile;
}

/// `--out` is a folder, or a file name whose extension may name the format.
Result<ExportOptions> export_options(const Arguments& arguments, const std::string& label, fs::path& folder) {
    ExportOptions options;
    IRON_TRY(options.format, parse_export_format(arguments.format));
    options.level = arguments.level;
    options.all_levels = arguments.all_levels;
    options.state = arguments.state;
    options.lod = arguments.lod;
    options.frames_per_second = arguments.frames_per_second;
    IRON_TRY(options.profile, profile_of(arguments));
    const fs::path out = arguments.out;
    std::error_code code;
    if (out.has_extension() && !fs::is_directory(out, code)) {
        if (options.format == ExportFormat::automatic) {
            if (const auto named = parse_export_format(out.extension().string().substr(1))) options.format = *named;
        }
        options.stem = out.stem().string();
        folder = out.parent_path();
    } else {
        const std::size_t slash = label.find_last_of("/\\:");
        std::string name = slash == std::string::npos ? label : label.substr(slash + 1);
        if (ascii_iends_with(name, ".wav")) name.resize(name.size() - 4);
        options.stem = safe_file_name(name);
        folder = out;
    }
    return options;
}

ExitCode export_one(const Arguments& arguments) {
    ReadContext context = context_of(arguments);
    const auto located = locate_asset(arguments.place, raw_name(arguments.name), context);
    if (!located) return fail_with(located.error(), arguments.json);
    fs::path folder;
    const auto options = export_options(arguments, located->source.label(), folder);
    if (!options) return fail_with(options.error(), arguments.json);
    const auto files = export_asset(*located, *options, context);
    if (!files) return fail_with(Error(files.error()).wrap({"exporting", {}, {}, display_text(located->source.label()), {}, {}}), arguments.json);
    Json list = Json::array();
    // The main file last: whoever sees it finds its companions.
    for (auto it = files->rbegin(); it != files->rend(); ++it) {
        const Status written = write_file_atomic(folder / it->name, it->bytes);
        if (!written) return fail_with(written.error(), arguments.json);
    }
    for (const OutputFile& file : *files) list.push_back({{"file", (folder / file.name).string()}, {"bytes", file.bytes.size()}});
    print_diagnostics(context.diagnostics);
    if (arguments.json)
        print_json({{"asset", display_text(located->source.label())}, {"kind", asset_kind_name(located->kind)}, {"files", list}});
    else
        for (const Json& file : list) print(file["file"].get<std::string>() + "\n");
    return ExitCode::ok;
}

Result<ImportOptions> import_options(const Arguments& arguments) {
    ImportOptions options;
    options.mip_count = arguments.mips;
    options.adpcm = arguments.adpcm;
    if (arguments.texture_format.empty()) return options;
    const std::uint32_t number = arguments.texture_format == "indexed" ? 0 : static_cast<std::uint32_t>(std::stoul(arguments.texture_format));
    options.format = static_cast<asset::TexmFormat>(number);
    return options;
}

/// Puts the payload into an archive: the entry of that name gets the new bytes, or one is added.
Result<Bytes> put_into(const Arguments& arguments, AddedEntry entry) {
    IRON_TRY(Bytes image, read_file(arguments.archive));
    ReadContext context = context_of(arguments);
    context.path = arguments.archive;
    IRON_TRY(const AnyArchive source, read_archive(std::move(image), context));
    ArchiveEdit edit;
    const std::string name = raw_name(arguments.entry);
    if (source.find(name)) {
        edit.replace.emplace_back(name, std::move(entry.payload));
        edit.tags.push_back({name, entry.type, entry.attr1, entry.attr2, entry.attr3});
    } else {
        entry.name = name;
        edit.add.push_back(std::move(entry));
    }
    return edit_archive(source, std::move(edit));
}

ExitCode import_one(const Arguments& arguments) {
    if (arguments.archive.empty() == arguments.out.empty() || arguments.archive.empty() != arguments.entry.empty())
        return fail_with(Error("usage", "import wants either --out FILE or --archive FILE with --name NAME"), arguments.json);
    const auto bytes = read_file(arguments.file);
    if (!bytes) return fail_with(bytes.error(), arguments.json);
    std::optional<ImportKind> kind = guess_import_kind(arguments.file, *bytes);
    if (!arguments.kind.empty()) kind = parse_import_kind(arguments.kind).value();
    if (!kind) return fail_with(Error("usage", "cannot tell what the file is; give --as"), arguments.json);
    const auto options = import_options(arguments);
    if (!options) return fail_with(options.error(), arguments.json);
    auto entry = import_asset(*kind, *bytes, *options);
    if (!entry) return fail_with(Error(entry.error()).wrap({"importing", {}, arguments.file, {}, {}, {}}), arguments.json);
    Json out{{"file", arguments.file}, {"type", tag_json(entry->type)}, {"attributes", {entry->attr1, entry->attr2, entry->attr3}},
             {"bytes", entry->payload.size()}, {"sha256", to_hex(sha256(entry->payload))}};
    const std::string target = arguments.archive.empty() ? arguments.out : arguments.archive;
    Status written;
    if (arguments.archive.empty()) {
        written = write_file_atomic(target, entry->payload);
    } else {
        const auto image = put_into(arguments, std::move(*entry));
        if (!image) return fail_with(Error(image.error()).wrap({"editing", {}, target, {}, {}, {}}), arguments.json);
        written = write_file_atomic(target, *image);
    }
    if (!written) return fail_with(written.error(), arguments.json);
    out["out"] = target;
    if (arguments.json)
        print_json(out);
    else
        std::printf("%s: %s\n", target.c_str(), tag_text(entry->type).c_str());
    return ExitCode::ok;
}

CLI::App* add(CLI::App& parent, CommandContext& context, const char* name, const char* help, const char* example,
              ExitCode (*action)(const Arguments&), const std::shared_ptr<Arguments>& arguments) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->add_flag("--json", arguments->json, "Print JSON");
    sub->add_flag("--strict", arguments->strict, "Stop at named quirks instead of reporting them");
    sub->footer(std::string("Example: ") + example);
    on_run(*sub, context, [action, arguments] { return action(*arguments); });
    return sub;
}

}  // namespace

void register_asset_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("asset", "Models, textures, sounds and all other formats, one at a time");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* inspecting = add(*group, context, "inspect", "Show an asset as text or JSON",
                               "iron3d asset inspect ./game robots.rlb::r_l_01.msh", inspect, arguments);
    inspecting->add_flag("--full", arguments->full, "All vertices, indices, samples ... instead of their beginning");
    CLI::App* exporting = add(*group, context, "export", "Write an asset as glTF, OBJ, PNG, WAV or JSON",
                              "iron3d asset export ./game robots.rlb::r_l_01.msh --out robot.gltf", export_one, arguments);
    for (CLI::App* sub : {inspecting, exporting}) {
        sub->add_option("place", arguments->place, "Game directory, archive or file")->required();
        sub->add_option("name", arguments->name, "ARCHIVE::NAME or path in the directory; entry of the archive; nothing for a file");
    }
    exporting->add_option("--out", arguments->out, "Folder, or a file name whose extension may choose the format")->required();
    exporting->add_option("--format", arguments->format, "Format")
        ->check(CLI::IsMember({"auto", "gltf", "glb", "obj", "png", "wav", "json", "raw"}))->capture_default_str();
    exporting->add_option("--level", arguments->level, "Mip level of a texture")->check(CLI::Range(0, 31))->capture_default_str();
    exporting->add_flag("--all-levels", arguments->all_levels, "All mip levels of a texture");
    exporting->add_option("--state", arguments->state, "State of a model: 0 regular, 1 collapsed")->check(CLI::Range(0, 2))->capture_default_str();
    exporting->add_option("--lod", arguments->lod, "Level of detail, 0 is the finest")->check(CLI::Range(0, 4))->capture_default_str();
    exporting->add_option("--fps", arguments->frames_per_second, "Frames a second of a model's animation")
        ->check(CLI::Range(1.0, 1000.0))->capture_default_str();
    exporting->add_option("--quat-order", arguments->quat_order, "Component order of rotations instead of the directory's verdict")
        ->check(CLI::IsMember({"xyzw", "wxyz"}));
    exporting->add_option("--batch-row", arguments->batch_row, "Batch field with the material row instead of the directory's verdict")
        ->check(CLI::IsMember({"word2", "byte4"}));

    CLI::App* importing = add(*group, context, "import", "Make a payload from PNG (Texm), a sound file (SWAV) or JSON (MAT0, WEAR)",
                              "iron3d asset import wall.png --archive ./Textures.lib --name WALL.0", import_one, arguments);
    importing->add_option("file", arguments->file, "File to import")->required();
    importing->add_option("--as", arguments->kind, "What it becomes; by default its extension says it")->check(CLI::IsMember({"texm", "swav", "wear", "mat0"}));
    importing->add_option("--out", arguments->out, "Payload file to write");
    importing->add_option("--archive", arguments->archive, "Archive to put it into (losslessly, the file is replaced whole)");
    importing->add_option("--name", arguments->entry, "Entry of that archive, replaced or added");
    importing->add_option("--texture-format", arguments->texture_format, "Stored format; by default 8888 with transparency, else 565")
        ->check(CLI::IsMember({"indexed", "565", "556", "4444", "88", "888", "8888"}));
    importing->add_option("--mips", arguments->mips, "Mip levels, 0 for the full chain")->check(CLI::Range(0, 16))->capture_default_str();
    importing->add_flag("--adpcm", arguments->adpcm, "Sounds: MS ADPCM instead of PCM");
}

}  // namespace iron::tools
