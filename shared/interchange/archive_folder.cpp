#include "shared/interchange/archive_folder.hpp"

#include <nlohmann/json.hpp>

#include "shared/base/file.hpp"
#include "shared/base/hash.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/folder_output.hpp"
#include "shared/interchange/safe_name.hpp"

namespace iron::interchange {
namespace fs = std::filesystem;
using archive::Nres;
using archive::Rsli;

namespace {

constexpr std::string_view kFormat = "iron3d archive folder";
constexpr std::uint64_t kVersion = 1;

struct MethodRow {
    archive::RsliMethod method;
    std::string_view name;
};
constexpr std::array<MethodRow, 7> kMethods{{{archive::RsliMethod::stored, "stored"},
                                             {archive::RsliMethod::xored, "xor"},
                                             {archive::RsliMethod::lzss, "lzss"},
                                             {archive::RsliMethod::xored_lzss, "xor + lzss"},
                                             {archive::RsliMethod::lzhuf, "lzhuf"},
                                             {archive::RsliMethod::xored_lzhuf, "xor + lzhuf"},
                                             {archive::RsliMethod::deflate, "deflate"}}};

Json nres_entry_json(const archive::NresEntry& entry, const std::string& file) {
    return Json{{"file", file},
                {"name", fixed_json(ByteView(entry.name_field.raw))},
                {"type", tag_json(entry.type_id)},
                {"attributes", {entry.attr1, entry.attr2, entry.attr3}},
                {"size", entry.size},
                {"source_offset", entry.offset}};
}

Json rsli_record_json(const archive::RsliRecord& record, const std::string& file) {
    return Json{{"file", file},
                {"name", fixed_json(ByteView(record.name_field.raw))},
                {"method", method_name(record.method_bits())},
                {"flags", record.flags},
                {"service", to_hex(record.service)},
                {"size", record.unpacked_size},
                {"packed_size", record.packed_size},
                {"source_offset", record.raw_offset}};
}

Json regions_json(const Nres& source) {
    Json out = Json::array();
    for (const archive::NresRegion& region : source.regions()) {
        if (region.padding) continue;
        out.push_back({{"begin", region.begin},
                       {"end", region.end},
                       {"zero", region.zero},
                       {"sha256", to_hex(sha256(source.image().subspan(region.begin, region.size())))}});
    }
    return out;
}

Json header_json(const AnyArchive& source) {
    Json out{{"format", kFormat}, {"version", kVersion}, {"container", container_name(source.kind())}};
    if (const Nres* nres = source.nres()) {
        out["source"] = {{"bytes", nres->image().size()}, {"sha256", to_hex(sha256(nres->image()))}};
        out["unindexed"] = regions_json(*nres);
        out["note"] = "Packing writes the canonical layout: payloads in this order, 8-aligned; the unindexed "
                      "ranges of the source are listed for information and not written.";
        return out;
    }
    const Rsli& rsli = *source.rsli();
    out["source"] = {{"bytes", rsli.image().size()}, {"sha256", to_hex(sha256(rsli.image()))}};
    out["seed"] = rsli.seed();
    out["header"] = to_hex(rsli.header());
    if (rsli.overlay()) out["overlay"] = *rsli.overlay();
    out["note"] = "Packing writes the canonical layout: methods are kept, service bytes, opaque flags and the "
                  "trailer of the source are listed for information and not written.";
    return out;
}

/// The bytes of one entry's file, which must lie directly in the folder.
Result<Bytes> read_entry_file(const fs::path& folder, const std::string& name) {
    if (!is_safe_file_name(name))
        return fail("unsafe_name", "'" + name + "' is not one plain file name");
    std::error_code code;
    if (fs::is_symlink(folder / name, code)) return fail("symlink", "'" + name + "' is a symbolic link");
    return read_file(folder / name);
}

Result<std::uint32_t> attribute(const Json& list, std::size_t index) {
    const Json& value = list[index];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xFFFFFFFF)
        return fail("json_bad_value", "attributes: not numbers of 32 bits");
    return value.get<std::uint32_t>();
}

Result<archive::NresEntry> nres_entry(const Json& item) {
    archive::NresEntry entry;
    const Json* name = json_member(item, "name");
    const Json* type = json_member(item, "type");
    if (name == nullptr || type == nullptr) return fail("json_missing", "an entry needs 'name' and 'type'");
    IRON_CHECK(fixed_from_json(*name, entry.name_field.raw, "name"));
    IRON_TRY(entry.type_id, tag_from_json(*type));
    IRON_TRY(const Json* attributes, json_array(item, "attributes"));
    if (attributes->size() != 3) return fail("json_bad_value", "attributes: not three numbers");
    IRON_TRY(entry.attr1, attribute(*attributes, 0));
    IRON_TRY(entry.attr2, attribute(*attributes, 1));
    IRON_TRY(entry.attr3, attribute(*attributes, 2));
    return entry;
}

tl::unexpected<Error> in_entry(Error error, std::size_t index) {
    return tl::unexpected(std::move(error).wrap("entry " + std::to_string(index) + " of the manifest"));
}

Result<Bytes> pack_nres(const fs::path& folder, const Json& entries, const EntryProgress& progress) {
    archive::NresBuilder builder;
    std::vector<archive::NresEntry> records;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto entry = nres_entry(entries[i]);
        if (!entry) return in_entry(std::move(entry).error(), i);
        auto file = json_string(entries[i], "file");
        if (!file) return in_entry(std::move(file).error(), i);
        if (progress) progress(i, entries.size(), bytes, *file);
        auto payload = read_entry_file(folder, *file);
        if (!payload) return in_entry(std::move(payload).error(), i);
        bytes += payload->size();
        builder.add(entry->type_id, entry->attr1, entry->attr2, entry->attr3, entry->name(), std::move(*payload));
        records.push_back(*entry);
    }
    IRON_TRY(Bytes image, builder.build());
    // The builder zero-fills name fields; the tails of the source come back here.
    const std::size_t directory = image.size() - records.size() * archive::kNresRecordSize;
    for (std::size_t i = 0; i < records.size(); ++i)
        std::memcpy(image.data() + directory + i * archive::kNresRecordSize + offsetof(archive::NresEntry, name_field),
                    records[i].name_field.raw.data(), records[i].name_field.raw.size());
    return image;
}

Result<Bytes> pack_rsli(const fs::path& folder, const Json& manifest, const Json& entries, const EntryProgress& progress) {
    IRON_TRY(const std::uint64_t seed, json_unsigned(manifest, "seed", 0xFFFFFFFF));
    archive::RsliBuilder builder(static_cast<std::uint32_t>(seed));
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Json& item = entries[i];
        const auto add = [&]() -> Status {
            const Json* name = json_member(item, "name");
            if (name == nullptr) return fail("json_missing", "'name' is missing");
            FixedString<12> field;
            IRON_CHECK(fixed_from_json(*name, field.raw, "name"));
            IRON_TRY(const std::string method_text, json_string(item, "method"));
            IRON_TRY(const archive::RsliMethod method, parse_method(method_text));
            IRON_TRY(const std::string file, json_string(item, "file"));
            if (progress) progress(i, entries.size(), bytes, file);
            IRON_TRY(Bytes payload, read_entry_file(folder, file));
            bytes += payload.size();
            builder.add(field.view(), std::move(payload), method);
            return {};
        };
        Status status = add();
        if (!status) return in_entry(std::move(status).error(), i);
    }
    return builder.build();
}

}  // namespace

std::string_view container_name(ContainerKind kind) { return kind == ContainerKind::nres ? "NRes" : "RsLi"; }

std::optional<ContainerKind> detect_container(ByteView bytes) {
    if (bytes.size() >= 4 && as_text(bytes.first(4)) == "NRes") return ContainerKind::nres;
    if (bytes.size() >= 4 && bytes[0] == 'N' && bytes[1] == 'L' && bytes[2] == 0 && bytes[3] == 1) return ContainerKind::rsli;
    return std::nullopt;
}

std::size_t AnyArchive::size() const {
    return std::visit([](const auto& a) { return a.size(); }, value);
}
std::string_view AnyArchive::name(std::size_t index) const {
    return nres() != nullptr ? nres()->entry(index).name() : rsli()->record(index).name();
}
std::optional<std::size_t> AnyArchive::find(std::string_view name) const {
    return std::visit([&](const auto& a) { return a.find(name); }, value);
}
Result<Bytes> AnyArchive::load(std::size_t index, ReadContext& context) const {
    if (nres() == nullptr) return rsli()->load(index, context);
    const ByteView payload = nres()->payload(index);
    return Bytes(payload.begin(), payload.end());
}

Result<AnyArchive> read_archive(Bytes bytes, ReadContext& context) {
    const auto kind = detect_container(bytes);
    if (!kind) return tl::unexpected(Error("unknown_container", "neither NRes nor RsLi").at(0).in(context.path));
    auto image = archive::SharedBytes::own(std::move(bytes));
    if (*kind == ContainerKind::nres) {
        IRON_TRY(Nres nres, archive::read_nres(std::move(image), context));
        return AnyArchive{std::move(nres)};
    }
    IRON_TRY(Rsli rsli, archive::read_rsli(std::move(image), context));
    return AnyArchive{std::move(rsli)};
}

std::string method_name(std::uint16_t method_bits) {
    for (const MethodRow& row : kMethods)
        if (static_cast<std::uint16_t>(row.method) == method_bits) return std::string(row.name);
    return "method " + hex32(method_bits);
}

Result<archive::RsliMethod> parse_method(std::string_view name) {
    const auto squeeze = [](std::string_view text) {
        std::string out;
        for (const char c : text)
            if (c != ' ') out += ascii_lower(c);
        return out;
    };
    const std::string wanted = squeeze(name);
    for (const MethodRow& row : kMethods)
        if (squeeze(row.name) == wanted) return row.method;
    return fail("unsupported_method", "'" + std::string(name) + "' is no storage method");
}

Result<Json> extract_archive(const AnyArchive& source, const fs::path& folder, ReadContext& context,
                             const EntryProgress& progress) {
    IRON_TRY(FolderOutput out, FolderOutput::create(folder));
    SafeNames names;
    names.reserve(kManifestFile);
    Json manifest = header_json(source);
    Json entries = Json::array();
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (progress) progress(i, source.size(), bytes, source.name(i));
        const std::string file = names.take(source.name(i));
        auto payload = source.load(i, context);
        if (!payload)
            return tl::unexpected(std::move(payload).error().wrap(
                {"extracting entry " + std::to_string(i), {}, context.path, display_text(source.name(i)), {}, {}}));
        bytes += payload->size();
        IRON_CHECK(out.write(file, *payload));
        entries.push_back(source.nres() != nullptr ? nres_entry_json(source.nres()->entry(i), file)
                                                   : rsli_record_json(source.rsli()->record(i), file));
    }
    manifest["entries"] = std::move(entries);
    IRON_CHECK(out.write(std::string(kManifestFile), as_bytes(dump_json(manifest))));
    IRON_CHECK(out.commit());
    return manifest;
}

Result<Bytes> pack_archive(const fs::path& folder, const EntryProgress& progress) {
    const fs::path path = folder / std::string(kManifestFile);
    IRON_TRY(const Bytes text, read_file(path));
    IRON_TRY(const Json manifest, parse_json(as_text(text), path.string()));
    const auto parse = [&]() -> Result<Bytes> {
        IRON_TRY(const std::string format, json_string(manifest, "format"));
        IRON_TRY(const std::uint64_t version, json_unsigned(manifest, "version", 0xFFFFFFFF));
        if (format != kFormat || version != kVersion)
            return fail("manifest_version", "the manifest is '" + format + "' version " + std::to_string(version) + ", not '" +
                                                std::string(kFormat) + "' version 1");
        IRON_TRY(const std::string container, json_string(manifest, "container"));
        IRON_TRY(const Json* entries, json_array(manifest, "entries"));
        if (container == "NRes") return pack_nres(folder, *entries, progress);
        if (container == "RsLi") return pack_rsli(folder, manifest, *entries, progress);
        return fail("unknown_container", "container '" + container + "' is neither NRes nor RsLi");
    };
    auto packed = parse();
    if (!packed) return tl::unexpected(std::move(packed).error().wrap({"packing", {}, path.string(), {}, {}, {}}));
    return packed;
}

}  // namespace iron::interchange
