#include "shared/mission/fingerprint.hpp"

#include <algorithm>
#include <array>

#include "shared/archive/vfs.hpp"
#include "shared/base/text.hpp"

namespace iron::mission {

namespace {

bool has_extension(std::string_view path, std::initializer_list<std::string_view> extensions) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](std::string_view e) { return path.ends_with(e); });
}

}  // namespace

bool is_gameplay_file(std::string_view path) {
    if (path.starts_with("save/")) return false;
    if (path == "builddat.lst" || path == "behavior.ini" || path == "comp.ini") return true;
    return has_extension(path, {".rlb", ".dat", ".tma", ".scr", ".var", ".fml", ".trf", ".msh", ".map",
                                "/mission.cfg"});
}

Result<ContentManifest> build_manifest(const archive::Vfs& vfs, const ManifestProgressFn& progress) {
    IRON_TRY(const auto files, vfs.list());
    std::vector<std::pair<std::string, std::string>> wanted;  // folded path, path
    for (const auto& file : files) {
        std::string folded = ascii_lower(file.path);
        if (is_gameplay_file(folded)) wanted.emplace_back(std::move(folded), file.path);
    }
    std::sort(wanted.begin(), wanted.end());

    ContentManifest out;
    out.files.reserve(wanted.size());
    std::uint64_t bytes_done = 0;
    for (const auto& [folded, path] : wanted) {
        if (progress) progress(out.files.size(), wanted.size(), bytes_done);
        IRON_TRY(const archive::SharedBytes bytes, vfs.read_shared(path));
        out.files.push_back({folded, bytes.view.size(), sha256(bytes.view)});
        bytes_done += bytes.view.size();
    }
    if (progress) progress(out.files.size(), wanted.size(), bytes_done);
    return out;
}

Hash256 fingerprint(const ContentManifest& manifest) {
    Sha256 hash;
    for (const auto& file : manifest.files) {
        hash.update(file.path).put<std::uint8_t>(0).put<std::uint64_t>(file.size);
        hash.update(ByteView(file.digest));
    }
    return hash.finish();
}

Result<Hash256> content_fingerprint(const archive::Vfs& vfs) {
    IRON_TRY(const ContentManifest manifest, build_manifest(vfs));
    return fingerprint(manifest);
}

std::string ManifestDifference::to_string() const {
    switch (kind) {
        case Kind::only_in_a: return path + ": only on the first side";
        case Kind::only_in_b: return path + ": only on the second side";
        case Kind::size:
            return path + ": sizes differ (" + std::to_string(size_a) + " and " +
                   std::to_string(size_b) + " bytes)";
        case Kind::content: return path + ": contents differ";
    }
    return path;
}

std::optional<ManifestDifference> first_difference(const ContentManifest& a,
                                                   const ContentManifest& b) {
    using Kind = ManifestDifference::Kind;
    for (std::size_t i = 0; i < a.files.size() || i < b.files.size(); ++i) {
        const ManifestEntry* x = i < a.files.size() ? &a.files[i] : nullptr;
        const ManifestEntry* y = i < b.files.size() ? &b.files[i] : nullptr;
        if (!y || (x && x->path < y->path)) return ManifestDifference{Kind::only_in_a, x->path, x->size, 0};
        if (!x || y->path < x->path) return ManifestDifference{Kind::only_in_b, y->path, 0, y->size};
        if (x->size != y->size) return ManifestDifference{Kind::size, x->path, x->size, y->size};
        if (x->digest != y->digest)
            return ManifestDifference{Kind::content, x->path, x->size, y->size};
    }
    return std::nullopt;
}

}  // namespace iron::mission
