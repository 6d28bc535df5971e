// Lossless edits of either container by entry name. Source: archives.md 3.7, 4.12.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shared/interchange/archive_folder.hpp"

namespace iron::interchange {

/// A new entry. `type` and attributes are for NRes, `method` for RsLi.
struct AddedEntry {
    std::string name;
    Bytes payload;
    std::uint32_t type = 0;
    std::uint32_t attr1 = 0, attr2 = 0, attr3 = 0;
    archive::RsliMethod method = archive::RsliMethod::stored;
};

/// Type and attributes of an NRes entry that stays.
struct EntryTags {
    std::string name;
    std::uint32_t type = 0;
    std::uint32_t attr1 = 0, attr2 = 0, attr3 = 0;
};

/// Names are those of the source archive, whatever else the same edit does; `#12` is the entry with
/// that index when no entry is called so.
struct ArchiveEdit {
    std::vector<std::pair<std::string, Bytes>> replace;
    std::vector<std::pair<std::string, std::string>> rename;  ///< old name, new name
    std::vector<std::string> remove;
    std::vector<EntryTags> tags;   ///< NRes only, ignored for RsLi
    std::vector<AddedEntry> add;

    bool empty() const { return replace.empty() && rename.empty() && remove.empty() && tags.empty() && add.empty(); }
};

/// The edited image; without edits the original bytes. Errors `entry_missing`, `edit_conflict` (an entry
/// that is removed and also replaced or renamed, or named twice), `name_exists` (a new name that is
/// taken), and those of the editors.
Result<Bytes> edit_archive(const AnyArchive& source, ArchiveEdit edit);

/// Index of a name or of `#index`. Error `entry_missing`.
Result<std::size_t> find_entry(const AnyArchive& source, std::string_view name);

/// Type and attributes that fit a payload, by its first bytes and the extension of its name
/// (archives.md 3.2); zeros when nothing fits.
AddedEntry guess_entry(std::string name, Bytes payload);

}  // namespace iron::interchange
