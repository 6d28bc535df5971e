// Lossless edits of an NRes container: only what was edited and what is derived from it changes;
// gaps, tails and unindexed regions survive. Source: archives.md 3.7 (segment algorithm).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shared/archive/nres.hpp"

namespace iron::archive {

/// Edits address entries by their current directory index. The source archive's image is shared
/// and never changed. Index arguments must be below size(), else error `bad_index`.
class NresEditor {
public:
    explicit NresEditor(const Nres& source);

    std::size_t size() const { return items_.size(); }
    /// The current record; offset, size and sort_index are those of the source until finish().
    const NresEntry& entry(std::size_t index) const { return items_[index].entry; }
    ByteView payload(std::size_t index) const;

    Status set_payload(std::size_t index, Bytes payload);
    /// Zero-fills and rewrites the name field. Errors as check_nres_name.
    Status rename(std::size_t index, std::string_view name);
    Status set_type(std::size_t index, std::uint32_t type_id);
    Status set_attributes(std::size_t index, std::uint32_t attr1, std::uint32_t attr2,
                          std::uint32_t attr3);
    /// Appends a record; its payload goes behind the last segment. Returns its index.
    Result<std::size_t> add(std::uint32_t type_id, std::uint32_t attr1, std::uint32_t attr2,
                            std::uint32_t attr3, std::string_view name, Bytes payload);
    /// Removes record, payload and the padding after it; later indices move down by one.
    Status remove(std::size_t index);
    /// Moves a record inside the directory; payloads stay where they are.
    Status move(std::size_t from, std::size_t to);

    /// The edited container. Without edits: the original bytes. Error `size_overflow`.
    Result<Bytes> finish() const;

private:
    struct Item {
        NresEntry entry;
        std::optional<std::uint32_t> source;  // directory index in the source; none = added
        std::optional<Bytes> payload;         // replaced or added bytes
    };
    Status check_index(std::size_t index) const;

    Nres source_;
    std::vector<Item> items_;
    bool resort_ = false;
};

}  // namespace iron::archive
