#include "shared/interchange/corpus_scan.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "shared/archive/nres_edit.hpp"
#include "shared/archive/rsli_edit.hpp"
#include "shared/asset/material.hpp"
#include "shared/base/text.hpp"
#include "shared/interchange/archive_folder.hpp"
#include "shared/interchange/diagnostics_json.hpp"

namespace iron::interchange {
namespace {

bool same(ByteView a, const Result<Bytes>& b) { return b && std::equal(a.begin(), a.end(), b->begin(), b->end()); }

ReadContext context_of(ReadProfile profile, const AssetSource& source) {
    ReadContext context;
    context.profile = profile;
    context.path = source.path;
    context.entry = source.entry;
    return context;
}

/// Reads a part by both profiles if need be; fills everything but name and type.
/// Returns the bytes its writer gives.
std::optional<Bytes> scan_part(const AssetSource& source, PartReport& part, Facts& facts) {
    part.kind = detect_asset_kind(source);
    part.bytes = source.bytes.size();
    part.sha256 = sha256(source.bytes);
    part.type_id = source.type_id;
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext context = context_of(profile, source);
        auto loaded = load_asset(part.kind, source, context);
        part.diagnostics = std::move(context.diagnostics);
        if (!loaded) {
            if (!part.error) part.error = std::move(loaded).error();
            part.health = profile == ReadProfile::strict ? Health::quirk : Health::error;
            continue;
        }
        if (part.kind == AssetKind::raw) part.health = Health::unknown;
        (*loaded)->count(facts);
        auto rewritten = (*loaded)->rewrite();
        part.rewritten = same(source.bytes, rewritten);
        if (rewritten) return std::move(*rewritten);
        return std::nullopt;
    }
    return std::nullopt;
}

/// Data that can settle open questions of the formats (objects.md 4, 8; materials.md 2.5).
void count_evidence(const AssetSource& source, const PartReport& part, Facts& facts) {
    const std::string tag = source.type_id ? tag_text(*source.type_id) : std::string();
    if (part.kind == AssetKind::prototype || part.kind == AssetKind::fort) facts["evidence_objects_type_" + tag] += 1;
    if (part.kind == AssetKind::expl) facts["evidence_expl_attr2_" + std::to_string(std::min<std::uint32_t>(source.attributes.attr2, 4))] += 1;
    if (part.kind == AssetKind::texture || part.kind == AssetKind::font) facts["evidence_texture_tag_" + tag] += 1;
    if (part.kind != AssetKind::material) return;
    ReadContext context = context_of(ReadProfile::compatible, source);
    const auto material = asset::read_material(source.bytes, source.attributes, context);
    if (!material) return;
    for (const asset::PhaseBlock& block : material->blocks) {
        if (block.keys.size() < 2) continue;
        const auto less = [](const asset::PhaseKey& a, const asset::PhaseKey& b) { return a.duration_ms < b.duration_ms; };
        const bool rises = std::is_sorted(block.keys.begin(), block.keys.end(), less);
        const bool constant = block.keys.front().duration_ms == block.keys.back().duration_ms && rises;
        facts["evidence_mat0_blocks"] += 1;
        facts["evidence_mat0_may_be_start_times"] += rises && block.keys.front().duration_ms == 0 ? 1 : 0;
        facts["evidence_mat0_may_be_end_times"] += rises && block.keys.front().duration_ms > 0 && !constant ? 1 : 0;
    }
}

std::string fact_key(std::string_view prefix, AssetKind kind) { return std::string(prefix) + std::string(asset_kind_name(kind)); }

void scan_entries(const archive::Nres& nres, FileReport& report, ByteView image) {
    archive::NresEditor editor(nres);
    bool whole = true;
    for (std::size_t i = 0; i < nres.size(); ++i) {
        const archive::NresEntry& entry = nres.entry(i);
        AssetSource source{report.self.name, std::string(entry.name()), entry.type_id, {entry.attr1, entry.attr2, entry.attr3}, nres.payload(i)};
        PartReport part;
        part.name = source.entry;
        auto rewritten = scan_part(source, part, report.facts);
        count_evidence(source, part, report.facts);
        report.facts[fact_key("entries ", part.kind)] += 1;
        report.facts[fact_key("all ", part.kind)] += 1;
        if (part.kind == AssetKind::prototype || part.kind == AssetKind::fort) report.facts["prototypes"] += 1;
        if (rewritten)
            whole = whole && editor.set_payload(i, std::move(*rewritten)).has_value();
        report.entries.push_back(std::move(part));
    }
    // Every payload written by its writer, put back into the archive.
    report.self.rewritten = whole && same(image, editor.finish());
}

void scan_records(const archive::Rsli& rsli, FileReport& report, ByteView image) {
    for (std::size_t i = 0; i < rsli.size(); ++i) {
        PartReport part;
        part.name = std::string(rsli.record(i).name());
        ReadContext context;
        context.profile = ReadProfile::compatible;
        auto plain = rsli.load(i, context);
        if (!plain) {
            part.health = Health::error;
            part.error = std::move(plain).error();
        } else {
            const AssetSource source{report.self.name, part.name, {}, {}, *plain};
            scan_part(source, part, report.facts);
            part.diagnostics.insert(part.diagnostics.begin(), context.diagnostics.begin(), context.diagnostics.end());
        }
        report.facts[fact_key("records ", part.kind)] += 1;
        report.entries.push_back(std::move(part));
    }
    report.self.rewritten = same(image, archive::RsliEditor(rsli).finish());
}

void scan_archive(FileReport& report, ByteView bytes) {
    PartReport& self = report.self;
    self.bytes = bytes.size();
    self.sha256 = sha256(bytes);
    for (const ReadProfile profile : {ReadProfile::strict, ReadProfile::compatible}) {
        ReadContext context = context_of(profile, {self.name, {}, {}, {}, {}});
        auto opened = read_archive(Bytes(bytes.begin(), bytes.end()), context);
        self.diagnostics = std::move(context.diagnostics);
        if (!opened) {
            if (!self.error) self.error = std::move(opened).error();
            self.health = profile == ReadProfile::strict ? Health::quirk : Health::error;
            continue;
        }
        if (const archive::Nres* nres = opened->nres())
            scan_entries(*nres, report, bytes);
        else
            scan_records(*opened->rsli(), report, bytes);
        return;
    }
}

/// Counts and gaps of any NRes file, outer archive or not.
void count_container(FileReport& report, ByteView bytes) {
    const auto kind = detect_container(bytes);
    if (!kind) return;
    if (*kind == ContainerKind::rsli) {
        report.facts["rsli_files"] += 1;
        return;
    }
    report.facts["nres_files"] += 1;
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto nres = archive::view_nres(bytes, context, archive::NresRole::file);
    if (!nres) return;
    report.facts["nres_entries"] += nres->size();
    for (const archive::NresRegion& region : nres->regions()) {
        if (region.padding) continue;
        report.unknown_ranges.push_back(region);
        report.facts[region.zero ? "unknown_ranges_zero" : "unknown_ranges_nonzero"] += 1;
    }
}

}  // namespace

std::string_view health_name(Health health) {
    switch (health) {
        case Health::strict: return "ok";
        case Health::quirk: return "quirk";
        case Health::error: return "error";
        case Health::unknown: return "unknown";
    }
    return "";
}

FileReport scan_file(const std::string& path, ByteView bytes) {
    FileReport report;
    report.self.name = path;
    const AssetSource source{path, {}, {}, {}, bytes};
    report.self.kind = detect_asset_kind(source);
    if (report.self.kind == AssetKind::nres || report.self.kind == AssetKind::rsli)
        scan_archive(report, bytes);
    else
        scan_part(source, report.self, report.facts);
    report.facts["files"] += 1;
    report.facts["bytes"] += bytes.size();
    report.facts[fact_key("files ", report.self.kind)] += 1;
    report.facts[fact_key("all ", report.self.kind)] += 1;
    count_container(report, bytes);
    return report;
}

void merge_facts(Facts& into, const Facts& from) {
    for (const auto& [key, value] : from) {
        std::uint64_t& total = into[key];
        total = key.rfind("most_", 0) == 0 ? std::max(total, value) : total + value;
    }
}

Json part_json(const PartReport& part) {
    Json out{{"name", display_text(part.name)}};
    if (part.type_id) out["type"] = tag_json(*part.type_id);
    out["kind"] = asset_kind_name(part.kind);
    out["bytes"] = part.bytes;
    out["sha256"] = to_hex(part.sha256);
    out["health"] = health_name(part.health);
    if (part.error) out["error"] = error_json(*part.error);
    if (!part.diagnostics.empty()) out["diagnostics"] = diagnostics_json(part.diagnostics);
    out["rewritten"] = part.rewritten ? Json(*part.rewritten) : Json(nullptr);
    return out;
}

Json file_json(const FileReport& file) {
    Json out = part_json(file.self);
    if (!file.unknown_ranges.empty()) {
        Json ranges = Json::array();
        for (const archive::NresRegion& r : file.unknown_ranges) ranges.push_back({{"begin", r.begin}, {"end", r.end}, {"zero", r.zero}});
        out["unknown_ranges"] = std::move(ranges);
    }
    if (!file.entries.empty()) {
        Json entries = Json::array();
        for (const PartReport& entry : file.entries) entries.push_back(part_json(entry));
        out["entries"] = std::move(entries);
    }
    return out;
}

}  // namespace iron::interchange
