// Identity of the content: SHA-256 over the sorted manifest of the gameplay files of a root, mods
// included. Sources: net-messages.md (fingerprint), saves.md, design 5.
//
// Line of the manifest: folded path, NUL, size (u64 LE), SHA-256 of the bytes (32 bytes).
// Gameplay files are those that can change a simulation result, wherever data may point to them:
//   *.rlb (prototypes, models, control, collision and damage data), *.dat (unit schemes), *.tma,
//   *.scr, *.var, *.fml, *.trf, *.msh and *.map (terrain), any mission.cfg (prebuild schemes), and at
//   the root BuildDat.lst, Behavior.ini, Comp.ini.
// Left out: save/, textures, materials, light maps, fonts, sounds, user interface, texts, settings of
// the user, executables.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/base/error.hpp"
#include "shared/base/hash.hpp"

namespace iron::archive {
class Vfs;
}

namespace iron::mission {

struct ManifestEntry {
    std::string path;  ///< ASCII lower case, '/'
    std::uint64_t size = 0;
    Hash256 digest{};
    bool operator==(const ManifestEntry&) const = default;
};

/// Sorted by path bytes, no duplicates.
struct ContentManifest {
    std::vector<ManifestEntry> files;
    bool operator==(const ContentManifest&) const = default;
};

/// True if the file of that folded path can change a simulation result (rule above).
bool is_gameplay_file(std::string_view folded_path);

using ManifestProgressFn =
    std::function<void(std::uint64_t done, std::uint64_t total, std::uint64_t bytes)>;

/// Reads and hashes every gameplay file. Errors: those of the file system.
Result<ContentManifest> build_manifest(const archive::Vfs& vfs, const ManifestProgressFn& progress = {});

Hash256 fingerprint(const ContentManifest& manifest);
/// build_manifest + fingerprint.
Result<Hash256> content_fingerprint(const archive::Vfs& vfs);

/// The first path (in order) that only one side has, or that differs in size or digest.
struct ManifestDifference {
    enum class Kind : std::uint8_t { only_in_a, only_in_b, size, content } kind;
    std::string path;
    std::uint64_t size_a = 0, size_b = 0;

    /// E.g. "objects.rlb: sizes differ (10 and 12 bytes)".
    std::string to_string() const;
};
std::optional<ManifestDifference> first_difference(const ContentManifest& a,
                                                   const ContentManifest& b);

}  // namespace iron::mission
