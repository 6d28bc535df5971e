// Resolution of prototype keys through `objects.rlb`. Source: objects.md 2.2-2.4.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/archive/archive_cache.hpp"
#include "shared/mission/blueprint.hpp"

namespace iron::mission {

/// objects.md 2.4.
enum class PrototypeStatus : std::uint8_t {
    resolved, non_geometric, missing_prototype, missing_archive, missing_resource,
    broken_mesh_reference, missing_parent, inheritance_cycle, inheritance_depth, inheritance_size,
    parse_failure
};
/// The name as written in the specification, e.g. "missing_parent"; it is the failure code.
std::string_view status_code(PrototypeStatus status);

/// `archive::entry`.
struct ResourceName {
    std::string archive;
    std::string entry;
    bool operator==(const ResourceName&) const = default;
};

struct PrototypeResolution {
    PrototypeStatus status = PrototypeStatus::missing_prototype;
    std::string key;         ///< name of the entry found, or the key as asked
    std::string folded_key;  ///< of `key`
    std::vector<EffectiveReference> references;  ///< empty when the resolution failed
    std::vector<std::pair<std::string, std::string>> parents;  ///< child key, parent key; each once
    ResourceName model;      ///< only when `resolved`
    bool bas_stem_mesh = false;  ///< quirk: the model was found through a `.bas` stem
    /// Where it failed: prototype, archive and entry at fault, and why.
    std::string failed_key;
    ResourceName failed;
    std::string cause;

    bool ok() const {
        return status == PrototypeStatus::resolved || status == PrototypeStatus::non_geometric;
    }
};

/// Outcome of looking for `archive::entry`.
struct Located {
    PrototypeStatus status = PrototypeStatus::missing_archive;  ///< resolved, missing_*, parse_failure
    archive::NresResource resource;  ///< only when `resolved`
    std::string cause;               ///< why not
};

/// Looks entries up; archives that could not be opened are remembered and not read again.
class ResourceLocator {
public:
    ResourceLocator(archive::ArchiveCache& archives, ReadProfile profile)
        : archives_(archives), profile_(profile) {}

    /// Strict paths in the strict profile (archives.md 2.2); a missing file is `missing_archive`,
    /// any other error of the path, the file or the container is `parse_failure`.
    Located locate(std::string_view archive, std::string_view entry);
    /// The archive itself, or null with `cause` set; `missing` tells an absent file from a bad one.
    std::shared_ptr<const archive::Nres> open(std::string_view archive, bool& missing,
                                              std::string& cause);
    const archive::Vfs& vfs() const { return archives_.vfs(); }
    archive::ArchiveCache& archives() { return archives_; }
    ReadProfile profile() const { return profile_; }

private:
    struct Bad {
        bool missing;
        std::string cause;
    };
    archive::ArchiveCache& archives_;
    ReadProfile profile_;
    std::map<std::string, Bad, std::less<>> bad_;
    /// Opened archives are kept for the life of the locator (one load).
    std::map<std::string, std::shared_ptr<const archive::Nres>, std::less<>> open_;
};

inline constexpr std::uint32_t kMaxInheritanceDepth = 32;
inline constexpr std::size_t kMaxEffectiveReferences = 4096;

class PrototypeRegistry {
public:
    explicit PrototypeRegistry(ResourceLocator& locator, std::string archive = "objects.rlb");

    /// Never null; cached by folded key. Quirk `bas_stem_mesh` in the compatible profile only.
    std::shared_ptr<const PrototypeResolution> resolve(std::string_view key);

    /// A unit record that names another archive: key, then key + `.msh`, is the mesh there.
    std::shared_ptr<const PrototypeResolution> resolve_in(std::string_view archive,
                                                          std::string_view key);

    /// All keys of the registry in directory order; empty when it cannot be opened.
    std::vector<std::string> keys();
    /// Name of the entry that `key` finds (itself, or with or without `.msh`); empty when missing.
    std::string find_name(std::string_view key);

    /// Warnings of the payload readers, in reading order.
    const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

private:
    struct Effective {
        std::vector<EffectiveReference> references;
        std::vector<std::pair<std::string, std::string>> parents;
        std::uint32_t height = 0;  ///< longest chain of parents below
    };
    struct Walk;

    const archive::Nres* container(PrototypeResolution& failure);
    std::optional<std::size_t> find(const archive::Nres& container, std::string_view key) const;
    std::shared_ptr<const Effective> expand(const archive::Nres& container, std::size_t index,
                                            Walk& walk, PrototypeResolution& failure);
    bool append_parent(const archive::Nres& container, std::string_view parent_key, Effective& out,
                       Walk& walk, PrototypeResolution& failure);
    void choose_model(PrototypeResolution& out);

    ResourceLocator& locator_;
    std::string archive_;
    std::shared_ptr<const archive::Nres> container_;
    std::map<std::string, std::shared_ptr<const PrototypeResolution>, std::less<>> cache_;
    std::map<std::size_t, std::shared_ptr<const Effective>> effective_;  ///< by directory index
    std::vector<Diagnostic> diagnostics_;
};

}  // namespace iron::mission
