#include "shared/interchange/archive_report.hpp"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "shared/archive/nres_edit.hpp"
#include "shared/archive/rsli_edit.hpp"
#include "shared/base/hash.hpp"
#include "shared/interchange/diagnostics_json.hpp"

namespace iron::interchange {
namespace {

bool same(ByteView a, const Result<Bytes>& b) { return b && std::equal(a.begin(), a.end(), b->begin(), b->end()); }

/// Reads everything of one profile. Returns the errors; fills counts and diagnostics of `verdict`.
std::vector<Error> check_profile(ByteView bytes, std::string_view path, ReadProfile profile, ArchiveVerdict& verdict,
                                 const EntryProgress& progress) {
    std::vector<Error> errors;
    ReadContext context;
    context.profile = profile;
    context.path = path;
    auto source = read_archive(Bytes(bytes.begin(), bytes.end()), context);
    if (!source) {
        errors.push_back(std::move(source).error().wrap({"reading the archive", {}, std::string(path), {}, {}, {}}));
        verdict.diagnostics = std::move(context.diagnostics);
        return errors;
    }
    verdict.kind = source->kind();
    verdict.entries = source->size();
    verdict.inner = 0;
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < source->size(); ++i) {
        const std::string name = display_text(source->name(i));
        if (progress) progress(i, source->size(), done, name);
        context.entry = name;
        auto payload = source->load(i, context);
        if (!payload) {
            errors.push_back(std::move(payload).error().wrap({"decoding", {}, std::string(path), name, {}, {}}));
            continue;
        }
        done += payload->size();
        if (detect_container(*payload) != ContainerKind::nres) continue;
        ++verdict.inner;
        auto inner = archive::view_nres(*payload, context, archive::NresRole::inner);
        if (!inner) errors.push_back(std::move(inner).error().wrap({"reading the inner container", {}, std::string(path), name, {}, {}}));
    }
    verdict.diagnostics = std::move(context.diagnostics);
    if (const archive::Nres* nres = source->nres()) {
        verdict.lossless = same(bytes, archive::NresEditor(*nres).finish());
        verdict.canonical = same(bytes, archive::write_nres_canonical(*nres));
    } else {
        verdict.lossless = same(bytes, archive::RsliEditor(*source->rsli()).finish());
        verdict.canonical = same(bytes, archive::write_rsli_canonical(*source->rsli()));
    }
    return errors;
}

}  // namespace

Json archive_list_json(const AnyArchive& source) {
    Json out{{"container", container_name(source.kind())}};
    Json entries = Json::array();
    if (const archive::Nres* nres = source.nres()) {
        out["bytes"] = nres->image().size();
        for (std::size_t i = 0; i < nres->size(); ++i) {
            const archive::NresEntry& e = nres->entry(i);
            entries.push_back({{"index", i}, {"name", text_json(e.name())}, {"type", tag_json(e.type_id)}, {"size", e.size},
                               {"offset", e.offset}, {"attributes", {e.attr1, e.attr2, e.attr3}}});
        }
    } else {
        const archive::Rsli& rsli = *source.rsli();
        out["bytes"] = rsli.image().size();
        out["presorted"] = rsli.presorted();
        for (std::size_t i = 0; i < rsli.size(); ++i) {
            const archive::RsliRecord& r = rsli.record(i);
            entries.push_back({{"index", i}, {"name", text_json(r.name())}, {"method", method_name(r.method_bits())},
                               {"size", r.unpacked_size}, {"packed_size", r.packed_size}, {"offset", rsli.effective_offset(i)}});
        }
    }
    out["entries"] = std::move(entries);
    return out;
}

std::string archive_list_text(const AnyArchive& source) {
    std::string out;
    char line[160];
    std::uint64_t total = 0;
    const archive::Nres* nres = source.nres();
    out += nres != nullptr ? "index  type             size      offset  attributes             name\n"
                           : "index  method           size      packed    offset  name\n";
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (nres != nullptr) {
            const archive::NresEntry& e = nres->entry(i);
            char attributes[40];
            std::snprintf(attributes, sizeof attributes, "%u/%u/%u", e.attr1, e.attr2, e.attr3);
            std::snprintf(line, sizeof line, "%5zu  %-10s %10u  %10u  %-22s ", i, tag_text(e.type_id).c_str(), e.size, e.offset, attributes);
            total += e.size;
        } else {
            const archive::RsliRecord& r = source.rsli()->record(i);
            std::snprintf(line, sizeof line, "%5zu  %-11s %9u  %10u  %8llu  ", i, method_name(r.method_bits()).c_str(), r.unpacked_size,
                          r.packed_size, static_cast<unsigned long long>(source.rsli()->effective_offset(i)));
            total += r.unpacked_size;
        }
        out += line + display_text(source.name(i)) + "\n";
    }
    std::snprintf(line, sizeof line, "%s, %zu entries, %llu bytes of payloads\n", std::string(container_name(source.kind())).c_str(),
                  source.size(), static_cast<unsigned long long>(total));
    return out + line;
}

Result<ArchiveVerdict> verify_archive(ByteView bytes, std::string_view path, const EntryProgress& progress) {
    const auto kind = detect_container(bytes);
    if (!kind) return tl::unexpected(Error("unknown_container", "neither NRes nor RsLi").at(0).in(path));
    ArchiveVerdict verdict;
    verdict.kind = *kind;
    verdict.errors = check_profile(bytes, path, ReadProfile::strict, verdict, progress);
    verdict.strict_ok = verdict.errors.empty();
    verdict.compatible_ok = verdict.strict_ok;
    if (!verdict.strict_ok) verdict.compatible_ok = check_profile(bytes, path, ReadProfile::compatible, verdict, progress).empty();
    return verdict;
}

Json archive_verdict_json(const ArchiveVerdict& verdict) {
    Json errors = Json::array();
    for (const Error& error : verdict.errors) errors.push_back(error_json(error));
    return Json{{"container", container_name(verdict.kind)},
                {"strict", verdict.strict_ok ? "ok" : "error"},
                {"compatible", verdict.compatible_ok ? "ok" : "error"},
                {"lossless", verdict.lossless},
                {"canonical", verdict.canonical},
                {"entries", verdict.entries},
                {"inner_containers", verdict.inner},
                {"errors", std::move(errors)},
                {"diagnostics", diagnostics_json(verdict.diagnostics)}};
}

}  // namespace iron::interchange
