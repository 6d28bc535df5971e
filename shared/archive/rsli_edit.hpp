// Lossless edits of an RsLi library: only what was edited and what is derived from it changes.
// Source: archives.md 4.12.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shared/archive/rsli.hpp"

namespace iron::archive {

/// Edits address records by their current index. Index arguments must be below size(), else error
/// `bad_index`.
class RsliEditor {
public:
    explicit RsliEditor(const Rsli& source);

    std::size_t size() const { return items_.size(); }
    const RsliRecord& record(std::size_t index) const { return items_[index].record; }

    /// New plain bytes; the record keeps its method. Error `unsupported_method`.
    Status set_payload(std::size_t index, Bytes plain);
    /// Rewrites the name field, folded to upper case, zero-filled. Errors as check_rsli_name.
    Status rename(std::size_t index, std::string_view name);
    /// Appends a record; its payload goes behind the others, before the trailer. Returns its index.
    Result<std::size_t> add(std::string_view name, Bytes plain,
                            RsliMethod method = RsliMethod::stored);
    Status remove(std::size_t index);

    /// The edited library. Without edits: the original bytes. Errors: `rsli_edit_overlap` (a range
    /// that overlaps another, the table or the trailer would move apart or change its length),
    /// `size_overflow`, `too_many_records`, `rsli_offset_below_overlay`.
    Result<Bytes> finish() const;

private:
    struct Item {
        RsliRecord record;
        std::optional<std::size_t> source;  // record index in the source; none = added
        std::optional<Bytes> plain;         // replaced or added bytes
    };
    Status check_index(std::size_t index) const;

    friend class RsliEditWriter;
    Rsli source_;
    std::vector<Item> items_;
    bool changed_ = false;
    bool resort_ = false;  // names or the set of records changed
};

}  // namespace iron::archive
