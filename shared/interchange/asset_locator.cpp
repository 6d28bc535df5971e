#include "shared/interchange/asset_locator.hpp"

#include <filesystem>

#include "shared/base/file.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/archive_edit.hpp"

namespace iron::interchange {
namespace {

/// Fills kind and source of an entry of an archive image.
Result<LocatedAsset> locate_entry(Bytes image, std::string path, std::string_view name, ReadContext& context) {
    auto opened = read_archive(std::move(image), context);
    if (!opened) return tl::unexpected(std::move(opened).error().wrap({"reading the archive", {}, path, {}, {}, {}}));
    auto index = find_entry(*opened, name);
    if (!index) return tl::unexpected(std::move(index).error().wrap({"looking for an entry", {}, path, {}, {}, {}}));
    LocatedAsset out;
    out.source.path = std::move(path);
    out.source.entry = std::string(opened->name(*index));
    if (const archive::Nres* nres = opened->nres()) {
        const archive::NresEntry& entry = nres->entry(*index);
        out.bytes = nres->shared_payload(*index);
        out.source.type_id = entry.type_id;
        out.source.attributes = {entry.attr1, entry.attr2, entry.attr3};
    } else {
        IRON_TRY(Bytes plain, opened->load(*index, context));
        out.bytes = archive::SharedBytes::own(std::move(plain));
    }
    out.source.bytes = out.bytes.view;
    out.kind = detect_asset_kind(out.source);
    return out;
}

LocatedAsset whole_file(Bytes bytes, std::string path) {
    LocatedAsset out;
    out.bytes = archive::SharedBytes::own(std::move(bytes));
    out.source.path = std::move(path);
    out.source.bytes = out.bytes.view;
    out.kind = detect_asset_kind(out.source);
    return out;
}

Result<LocatedAsset> locate_in_folder(const std::string& root, std::string_view name, ReadContext& context) {
    if (name.empty()) return fail("usage", "name a file of the directory or ARCHIVE::NAME");
    IRON_TRY(const archive::Vfs vfs, archive::Vfs::open(root));
    const std::size_t colons = name.find("::");
    const std::string_view file = name.substr(0, colons);
    IRON_TRY(const archive::VfsFile found, vfs.resolve(file));
    IRON_TRY(Bytes bytes, vfs.read(file));
    LocatedAsset out;
    if (colons == std::string_view::npos) {
        out = whole_file(std::move(bytes), found.path);
    } else {
        IRON_TRY(out, locate_entry(std::move(bytes), found.path, name.substr(colons + 2), context));
    }
    out.archives = std::make_shared<archive::ArchiveCache>(vfs);
    return out;
}

std::optional<asset::Wear> read_table(ByteView bytes) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    auto wear = asset::read_wear(bytes, context);
    if (!wear) return std::nullopt;
    return std::move(*wear);
}

}  // namespace

Result<LocatedAsset> locate_asset(const std::string& place, std::string_view name, ReadContext& context) {
    std::error_code code;
    if (std::filesystem::is_directory(place, code)) return locate_in_folder(place, name, context);
    IRON_TRY(Bytes bytes, read_file(place));
    if (name.substr(0, 2) == "::") name.remove_prefix(2);
    const std::string file = std::filesystem::path(place).filename().string();
    if (name.empty()) return whole_file(std::move(bytes), file);
    return locate_entry(std::move(bytes), file, name, context);
}

std::optional<asset::Wear> companion_wear(const LocatedAsset& model) {
    if (!model.archives || model.source.entry.empty()) return std::nullopt;
    const std::string& entry = model.source.entry;
    const std::string stem = ascii_iends_with(entry, ".msh") ? entry.substr(0, entry.size() - 4) : entry;
    const auto found = model.archives->find(model.source.path, stem + ".wea");
    if (!found) return std::nullopt;
    return read_table(found->bytes);
}

std::optional<asset::Wear> land_wear(const LocatedAsset& land, unsigned table) {
    if (!land.archives || !land.source.entry.empty()) return std::nullopt;
    const std::string& path = land.source.path;
    const std::string stem = path.substr(0, path.rfind('.'));
    const auto bytes = land.archives->vfs().read(stem + std::to_string(table) + ".wea");
    if (!bytes) return std::nullopt;
    return read_table(*bytes);
}

asset::MshProfile scan_profile(archive::ArchiveCache& archives, ReadContext& context) {
    asset::MshProfileScan scan;
    const auto files = archives.vfs().list();
    if (!files) return scan.verdict(context);
    for (const archive::VfsFile& file : *files) {
        if (!ascii_iends_with(file.path, ".rlb")) continue;
        const auto opened = archives.open_nres(file.path);
        if (!opened) continue;
        const archive::Nres& nres = **opened;
        for (std::size_t i = 0; i < nres.size(); ++i) {
            const archive::NresEntry& entry = nres.entry(i);
            if (!ascii_iends_with(entry.name(), ".msh")) continue;
            ReadContext quiet;
            quiet.profile = ReadProfile::compatible;
            const auto model = asset::read_msh(nres.payload(i), quiet);
            if (!model) continue;
            std::optional<std::size_t> rows;
            const std::string stem(entry.name().substr(0, entry.name().size() - 4));
            if (const auto wear = nres.find(stem + ".wea"))
                if (const auto table = read_table(nres.payload(*wear))) rows = table->materials.size();
            scan.add(*model, rows);
        }
    }
    return scan.verdict(context);
}

}  // namespace iron::interchange
