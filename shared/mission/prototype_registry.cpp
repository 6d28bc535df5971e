#include "shared/mission/prototype_registry.hpp"

#include <algorithm>

#include "shared/archive/path.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/base/text.hpp"

namespace iron::mission {

std::string_view status_code(PrototypeStatus status) {
    switch (status) {
        case PrototypeStatus::resolved: return "resolved";
        case PrototypeStatus::non_geometric: return "non_geometric";
        case PrototypeStatus::missing_prototype: return "missing_prototype";
        case PrototypeStatus::missing_archive: return "missing_archive";
        case PrototypeStatus::missing_resource: return "missing_resource";
        case PrototypeStatus::broken_mesh_reference: return "broken_mesh_reference";
        case PrototypeStatus::missing_parent: return "missing_parent";
        case PrototypeStatus::inheritance_cycle: return "inheritance_cycle";
        case PrototypeStatus::inheritance_depth: return "inheritance_depth";
        case PrototypeStatus::inheritance_size: return "inheritance_size";
        case PrototypeStatus::parse_failure: return "parse_failure";
    }
    return "parse_failure";
}

std::shared_ptr<const archive::Nres> ResourceLocator::open(std::string_view archive, bool& missing,
                                                           std::string& cause) {
    const auto path = archive::normalize_path(archive, profile_ == ReadProfile::strict
                                                           ? archive::PathProfile::strict
                                                           : archive::PathProfile::host_compatible);
    if (!path) {
        missing = archive.empty();  // an empty name is nothing to look for
        cause = "archive name '" + cp1251_to_utf8(archive) + "': " + path.error().to_string();
        return nullptr;
    }
    const std::string key = path->key();
    if (const auto found = open_.find(key); found != open_.end()) return found->second;
    if (const auto known = bad_.find(key); known != bad_.end()) {
        missing = known->second.missing;
        cause = known->second.cause;
        return nullptr;
    }
    auto opened = archives_.open_nres(path->text);
    if (opened) {
        open_.emplace(key, *opened);
        return *opened;
    }
    missing = opened.error().code() == "not_found";
    cause = opened.error().to_string();
    bad_.emplace(key, Bad{missing, cause});
    return nullptr;
}

Located ResourceLocator::locate(std::string_view archive, std::string_view entry) {
    Located out;
    bool missing = false;
    const auto container = open(archive, missing, out.cause);
    if (!container) {
        out.status = missing ? PrototypeStatus::missing_archive : PrototypeStatus::parse_failure;
        return out;
    }
    const auto index = container->find(entry);
    if (!index || entry.empty()) {
        out.status = PrototypeStatus::missing_resource;
        out.cause = "the archive has no such entry";
        return out;
    }
    out.status = PrototypeStatus::resolved;
    out.resource = {container, *index, container->payload(*index)};
    return out;
}

// The recursion path of one resolution.
struct PrototypeRegistry::Walk {
    std::vector<std::size_t> path;  // directory indices
};

PrototypeRegistry::PrototypeRegistry(ResourceLocator& locator, std::string archive)
    : locator_(locator), archive_(std::move(archive)) {}

const archive::Nres* PrototypeRegistry::container(PrototypeResolution& failure) {
    if (container_) return container_.get();
    bool missing = false;
    container_ = locator_.open(archive_, missing, failure.cause);
    if (!container_)
        failure.status = missing ? PrototypeStatus::missing_prototype : PrototypeStatus::parse_failure;
    return container_.get();
}

std::optional<std::size_t> PrototypeRegistry::find(const archive::Nres& container,
                                                   std::string_view key) const {
    if (key.empty()) return std::nullopt;
    if (const auto index = container.find(key)) return index;
    if (ascii_iends_with(key, ".msh")) return container.find(key.substr(0, key.size() - 4));
    return container.find(std::string(key) + ".msh");
}

std::vector<std::string> PrototypeRegistry::keys() {
    PrototypeResolution ignored;
    std::vector<std::string> out;
    if (const auto* entries = container(ignored))
        for (const auto& entry : entries->entries()) out.emplace_back(entry.name());
    return out;
}

std::string PrototypeRegistry::find_name(std::string_view key) {
    PrototypeResolution ignored;
    const auto* entries = container(ignored);
    if (!entries) return {};
    const auto index = find(*entries, ascii_trim(key));
    return index ? std::string(entries->entry(*index).name()) : std::string{};
}

bool PrototypeRegistry::append_parent(const archive::Nres& entries, std::string_view parent_key,
                                      Effective& out, Walk& walk, PrototypeResolution& failure) {
    const std::string child(entries.entry(walk.path.back()).name());
    const auto fail_at = [&](PrototypeStatus status, std::string cause) {
        failure.status = status;
        failure.failed_key = child;
        failure.failed = {archive_, std::string(parent_key)};
        failure.cause = std::move(cause);
        return false;
    };
    const auto index = find(entries, parent_key);
    if (!index)
        return fail_at(PrototypeStatus::missing_parent,
                       "prototype '" + cp1251_to_utf8(child) + "' has the parent '" +
                           cp1251_to_utf8(parent_key) +
                           "', which does not exist");
    const std::string parent(entries.entry(*index).name());
    if (const auto at = std::find(walk.path.begin(), walk.path.end(), *index); at != walk.path.end()) {
        std::string ring;
        for (auto it = at; it != walk.path.end(); ++it)
            ring += "'" + cp1251_to_utf8(entries.entry(*it).name()) + "' -> ";
        return fail_at(PrototypeStatus::inheritance_cycle, "parents form a ring: " + ring + "'" +
                                                               cp1251_to_utf8(parent) + "'");
    }
    const auto too_deep = [&] {
        return fail_at(PrototypeStatus::inheritance_depth,
                       "more than " + std::to_string(kMaxInheritanceDepth) + " levels of parents");
    };
    if (walk.path.size() > kMaxInheritanceDepth) return too_deep();
    const auto effective = expand(entries, *index, walk, failure);
    if (!effective) return false;
    if (walk.path.size() + effective->height > kMaxInheritanceDepth) return too_deep();
    if (out.references.size() + effective->references.size() > kMaxEffectiveReferences)
        return fail_at(PrototypeStatus::inheritance_size,
                       "the effective list has more than " +
                           std::to_string(kMaxEffectiveReferences) + " references");

    out.height = std::max(out.height, effective->height + 1);
    for (const auto& reference : effective->references) {
        out.references.push_back(reference);
        ++out.references.back().depth;
    }
    const auto add_edge = [&](std::pair<std::string, std::string> edge) {
        if (std::find(out.parents.begin(), out.parents.end(), edge) == out.parents.end())
            out.parents.push_back(std::move(edge));
    };
    add_edge({child, parent});
    for (const auto& edge : effective->parents) add_edge(edge);
    return true;
}

// Recursion ends at kMaxInheritanceDepth; successes are kept, so a parent is expanded once.
std::shared_ptr<const PrototypeRegistry::Effective> PrototypeRegistry::expand(
    const archive::Nres& entries, std::size_t index, Walk& walk, PrototypeResolution& failure) {
    if (const auto known = effective_.find(index); known != effective_.end()) return known->second;
    const std::string name(entries.entry(index).name());
    ReadContext context{locator_.profile(), archive_, name, {}};
    const auto payload = asset::read_prototype(entries.payload(index), context);
    diagnostics_.insert(diagnostics_.end(), context.diagnostics.begin(), context.diagnostics.end());
    if (!payload) {
        failure.status = PrototypeStatus::parse_failure;
        failure.failed_key = name;
        failure.failed = {archive_, name};
        failure.cause = payload.error().to_string();
        return nullptr;
    }
    walk.path.push_back(index);
    auto out = std::make_shared<Effective>();
    for (const auto& reference : payload->references) {
        if (ascii_iequals(reference.archive_name(), archive_)) {
            if (!append_parent(entries, reference.resource_name(), *out, walk, failure)) return nullptr;
            continue;
        }
        if (out->references.size() == kMaxEffectiveReferences) {
            failure.status = PrototypeStatus::inheritance_size;
            failure.failed_key = name;
            failure.failed = {archive_, name};
            failure.cause = "the effective list has more than " +
                            std::to_string(kMaxEffectiveReferences) + " references";
            return nullptr;
        }
        out->references.push_back({std::string(reference.archive_name()),
                                   std::string(reference.resource_name()), name, 0});
    }
    walk.path.pop_back();
    effective_.emplace(index, out);
    return out;
}

void PrototypeRegistry::choose_model(PrototypeResolution& out) {
    out.status = PrototypeStatus::non_geometric;
    std::string tried;
    const EffectiveReference* first_base = nullptr;
    for (const auto& reference : out.references) {
        if (!first_base && ascii_iends_with(reference.resource, ".bas")) first_base = &reference;
        if (!ascii_iends_with(reference.resource, ".msh")) continue;
        const Located found = locator_.locate(reference.archive, reference.resource);
        if (found.status == PrototypeStatus::resolved) {
            out.status = PrototypeStatus::resolved;
            out.model = {reference.archive, std::string(found.resource.entry().name())};
            return;
        }
        if (found.status == PrototypeStatus::parse_failure) {
            out.status = PrototypeStatus::parse_failure;
            out.failed_key = reference.source;
            out.failed = {reference.archive, reference.resource};
            out.cause = found.cause;
            return;
        }
        if (out.status == PrototypeStatus::non_geometric) {
            out.status = PrototypeStatus::broken_mesh_reference;
            out.failed_key = reference.source;
            out.failed = {reference.archive, reference.resource};
        }
        if (!tried.empty()) tried += ", ";
        tried += cp1251_to_utf8(reference.archive + "::" + reference.resource);
    }
    if (out.status == PrototypeStatus::broken_mesh_reference) {
        out.cause = "no model exists: " + tried;
        return;
    }
    // Quirk bas_stem_mesh: only without any mesh reference (objects.md 2.2).
    if (locator_.profile() == ReadProfile::strict || !first_base) return;
    const std::string stem = first_base->resource.substr(0, first_base->resource.size() - 4);
    const Located found = locator_.locate(first_base->archive, stem + ".msh");
    if (found.status != PrototypeStatus::resolved) return;
    out.status = PrototypeStatus::resolved;
    out.bas_stem_mesh = true;
    out.model = {first_base->archive, std::string(found.resource.entry().name())};
    Diagnostic quirk{Severity::quirk, "bas_stem_mesh",
                     "prototype '" + out.key + "' takes its model from the stem of its contour",
                     first_base->archive, first_base->resource, {}};
    diagnostics_.push_back(std::move(quirk));
}

std::shared_ptr<const PrototypeResolution> PrototypeRegistry::resolve(std::string_view asked) {
    const std::string_view key = ascii_trim(asked);
    std::string folded = ascii_lower(key);
    if (const auto known = cache_.find(folded); known != cache_.end()) return known->second;

    auto out = std::make_shared<PrototypeResolution>();
    out->key = key;
    out->folded_key = folded;
    out->failed_key = key;
    out->failed = {archive_, std::string(key)};
    if (const auto* entries = container(*out)) {
        if (const auto index = find(*entries, key)) {
            out->key = entries->entry(*index).name();
            out->folded_key = ascii_lower(out->key);
            Walk walk;
            if (const auto effective = expand(*entries, *index, walk, *out)) {
                out->references = effective->references;
                out->parents = effective->parents;
                choose_model(*out);
            }
        } else {
            out->cause = key.empty() ? "the key is empty" : "objects.rlb has no such prototype";
        }
    }
    cache_.emplace(std::move(folded), out);
    return out;
}

std::shared_ptr<const PrototypeResolution> PrototypeRegistry::resolve_in(std::string_view archive,
                                                                         std::string_view asked) {
    if (ascii_iequals(archive, archive_)) return resolve(asked);
    const std::string_view key = ascii_trim(asked);
    std::string folded = ascii_lower(archive) + "::" + ascii_lower(key);
    if (const auto known = cache_.find(folded); known != cache_.end()) return known->second;

    auto out = std::make_shared<PrototypeResolution>();
    out->key = std::string(archive) + "::" + std::string(key);
    out->folded_key = folded;
    out->failed_key = key;
    out->failed = {std::string(archive), std::string(key)};
    Located found = locator_.locate(archive, key);
    if (found.status == PrototypeStatus::missing_resource)
        found = locator_.locate(archive, std::string(key) + ".msh");
    out->status = found.status;
    out->cause = found.cause;
    if (found.status == PrototypeStatus::resolved) {
        out->model = {std::string(archive), std::string(found.resource.entry().name())};
        out->references.push_back({std::string(archive), out->model.entry, out->key, 0});
    }
    cache_.emplace(std::move(folded), out);
    return out;
}

}  // namespace iron::mission
