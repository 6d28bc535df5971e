// `iron3d model unpack|pack`: a model as an editable folder, losslessly.
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/archive_edit.hpp"
#include "shared/interchange/asset_locator.hpp"
#include "shared/interchange/diagnostics_json.hpp"
#include "shared/interchange/folder_output.hpp"
#include "shared/interchange/model_folder.hpp"
#include "tools/output.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

struct Arguments {
    std::string place, name, out, folder, archive, entry;
    unsigned state = 0, lod = 0;
    bool json = false;
};

Result<std::vector<OutputFile>> make_files(const Arguments& arguments, ReadContext& context) {
    IRON_TRY(const LocatedAsset located, locate_asset(arguments.place, raw_name(arguments.name), context));
    if (located.kind != AssetKind::model)
        return fail("no_export", display_text(located.source.label()) + " is not a model but " + std::string(asset_kind_name(located.kind)));
    const auto wear = companion_wear(located);
    std::optional<MaterialLibrary> library;
    ModelExport options;
    options.name = display_text(located.source.label());
    options.state = arguments.state;
    options.lod = arguments.lod;
    options.wear = wear ? &*wear : nullptr;
    if (located.archives) {
        library.emplace(*located.archives);
        options.materials = &*library;
        options.profile = scan_profile(*located.archives, context);
    }
    return unpack_model(located.source.bytes, options, context);
}

ExitCode unpack(const Arguments& arguments) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto files = make_files(arguments, context);
    if (!files) return fail_with(files.error(), arguments.json);
    auto folder = FolderOutput::create(arguments.out);
    if (!folder) return fail_with(folder.error(), arguments.json);
    Json list = Json::array();
    for (const OutputFile& file : *files) {
        const Status written = folder->write(file.name, file.bytes);
        if (!written) return fail_with(written.error(), arguments.json);
        list.push_back(file.name);
    }
    const Status done = folder->commit();
    if (!done) return fail_with(done.error(), arguments.json);
    print_diagnostics(context.diagnostics);
    if (arguments.json)
        print_json({{"folder", arguments.out}, {"files", list}});
    else
        std::printf("%zu files in %s\n", files->size(), arguments.out.c_str());
    return ExitCode::ok;
}

/// The archive with the model's new bytes in its entry.
Result<Bytes> put_into(const Arguments& arguments, const Bytes& model) {
    IRON_TRY(Bytes image, read_file(arguments.archive));
    ReadContext context;
    context.profile = ReadProfile::compatible;
    context.path = arguments.archive;
    IRON_TRY(const AnyArchive source, read_archive(std::move(image), context));
    ArchiveEdit edit;
    edit.replace.emplace_back(raw_name(arguments.entry), model);
    return edit_archive(source, std::move(edit));
}

ExitCode pack(const Arguments& arguments) {
    if (arguments.archive.empty() == arguments.out.empty() || arguments.archive.empty() != arguments.entry.empty())
        return fail_with(Error("usage", "pack wants either --out FILE or --archive FILE with --name NAME"), arguments.json);
    const auto packed = pack_model(arguments.folder);
    if (!packed) return fail_with(Error(packed.error()).wrap({"packing", {}, arguments.folder, {}, {}, {}}), arguments.json);
    const std::string target = arguments.archive.empty() ? arguments.out : arguments.archive;
    Bytes bytes = packed->bytes;
    if (!arguments.archive.empty()) {
        auto image = put_into(arguments, packed->bytes);
        if (!image) return fail_with(Error(image.error()).wrap({"editing", {}, target, {}, {}, {}}), arguments.json);
        bytes = std::move(*image);
    }
    const Status written = write_file_atomic(target, bytes);
    if (!written) return fail_with(written.error(), arguments.json);
    const ModelChanges& c = packed->changes;
    if (arguments.json)
        print_json({{"out", target}, {"bytes", packed->bytes.size()}, {"sha256", to_hex(sha256(packed->bytes))},
                    {"edited", {{"positions", c.positions}, {"normals", c.normals}, {"uvs", c.uvs}, {"indices", c.indices}, {"poses", c.poses}}}});
    else
        std::printf("%s: %s\n", target.c_str(), c.any() ? "edited" : "identical to the original");
    return ExitCode::ok;
}

}  // namespace

void register_model_command(CLI::App& app, CommandContext& context) {
    CLI::App* group = app.add_subcommand("model", "Models as editable folders");
    group->require_subcommand(1);
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* unpacking = group->add_subcommand("unpack", "Write a model as glTF with a sidecar and its original bytes");
    unpacking->add_option("place", arguments->place, "Game directory, archive or file")->required();
    unpacking->add_option("name", arguments->name, "ARCHIVE::NAME; entry of the archive; nothing for a file");
    unpacking->add_option("--out", arguments->out, "Folder; must not exist or be empty")->required();
    unpacking->add_option("--state", arguments->state, "State whose geometry is edited")->check(CLI::Range(0, 2))->capture_default_str();
    unpacking->add_option("--lod", arguments->lod, "Level of detail whose geometry is edited")->check(CLI::Range(0, 4))->capture_default_str();
    unpacking->footer("Example: iron3d model unpack ./game robots.rlb::r_l_01.msh --out ./robot");
    CLI::App* packing = group->add_subcommand("pack", "Build the model of such a folder; without edits the identical bytes");
    packing->add_option("folder", arguments->folder, "Folder written by unpack")->required();
    packing->add_option("--out", arguments->out, "Model file to write");
    packing->add_option("--archive", arguments->archive, "Archive to put it into (losslessly, the file is replaced whole)");
    packing->add_option("--name", arguments->entry, "Entry of that archive");
    packing->footer("Example: iron3d model pack ./robot --archive ./game/robots.rlb --name r_l_01.msh");
    for (CLI::App* sub : {unpacking, packing}) sub->add_flag("--json", arguments->json, "Print JSON");
    on_run(*unpacking, context, [arguments] { return unpack(*arguments); });
    on_run(*packing, context, [arguments] { return pack(*arguments); });
}

}  // namespace iron::tools
