#include "shared/interchange/archive_edit.hpp"

#include <algorithm>
#include <set>

#include "shared/archive/nres_edit.hpp"
#include "shared/archive/rsli_edit.hpp"
#include "shared/base/text.hpp"

namespace iron::interchange {
namespace {

/// The edit with indices of the source instead of names.
struct Plan {
    std::vector<std::pair<std::size_t, Bytes>> replace;
    std::vector<std::pair<std::size_t, std::string>> rename;
    std::vector<std::size_t> remove;  // descending, so that removing does not move the next
};

Status once(std::set<std::size_t>& seen, std::size_t index, const std::string& name, std::string_view what) {
    if (seen.insert(index).second) return {};
    return fail("edit_conflict", "entry '" + display_text(name) + "' is " + std::string(what) + " twice");
}

Result<Plan> make_plan(const AnyArchive& source, ArchiveEdit& edit) {
    Plan plan;
    std::set<std::size_t> replaced, renamed, removed;
    for (auto& [name, payload] : edit.replace) {
        IRON_TRY(const std::size_t index, find_entry(source, name));
        IRON_CHECK(once(replaced, index, name, "replaced"));
        plan.replace.emplace_back(index, std::move(payload));
    }
    for (auto& [name, to] : edit.rename) {
        IRON_TRY(const std::size_t index, find_entry(source, name));
        IRON_CHECK(once(renamed, index, name, "renamed"));
        plan.rename.emplace_back(index, to);
    }
    for (const std::string& name : edit.remove) {
        IRON_TRY(const std::size_t index, find_entry(source, name));
        IRON_CHECK(once(removed, index, name, "removed"));
        if (replaced.count(index) != 0 || renamed.count(index) != 0)
            return fail("edit_conflict", "entry '" + display_text(name) + "' is removed and also changed");
        plan.remove.push_back(index);
    }
    std::sort(plan.remove.rbegin(), plan.remove.rend());

    // Lookups of the game find one entry a name: an edit must not make a second one.
    std::set<std::string> names;
    for (std::size_t i = 0; i < source.size(); ++i)
        if (removed.count(i) == 0 && renamed.count(i) == 0) names.insert(ascii_lower(source.name(i)));
    const auto claim = [&](const std::string& name) -> Status {
        if (names.insert(ascii_lower(name)).second) return {};
        return fail("name_exists", "there is an entry '" + display_text(name) + "' already");
    };
    for (const auto& [index, to] : plan.rename) IRON_CHECK(claim(to));
    for (const AddedEntry& added : edit.add) IRON_CHECK(claim(added.name));
    return plan;
}

template <class Editor, class Add>
Result<Bytes> apply(Editor editor, Plan plan, std::vector<AddedEntry>& added, Add&& add) {
    for (auto& [index, payload] : plan.replace) IRON_CHECK(editor.set_payload(index, std::move(payload)));
    for (const auto& [index, to] : plan.rename) IRON_CHECK(editor.rename(index, to));
    for (AddedEntry& entry : added) IRON_CHECK(add(editor, entry));
    for (const std::size_t index : plan.remove) IRON_CHECK(editor.remove(index));
    return editor.finish();
}

}  // namespace

Result<std::size_t> find_entry(const AnyArchive& source, std::string_view name) {
    if (const auto index = source.find(name)) return *index;
    std::int64_t number = -1;
    if (name.size() > 1 && name.front() == '#' && parse_i64(name.substr(1), number) && number >= 0 &&
        static_cast<std::uint64_t>(number) < source.size())
        return static_cast<std::size_t>(number);
    return tl::unexpected(Error("entry_missing", "there is no such entry").entry(display_text(name)));
}

Result<Bytes> edit_archive(const AnyArchive& source, ArchiveEdit edit) {
    IRON_TRY(Plan plan, make_plan(source, edit));
    if (const archive::Nres* nres = source.nres()) {
        archive::NresEditor tagged(*nres);
        for (const EntryTags& tags : edit.tags) {
            IRON_TRY(const std::size_t index, find_entry(source, tags.name));
            IRON_CHECK(tagged.set_type(index, tags.type));
            IRON_CHECK(tagged.set_attributes(index, tags.attr1, tags.attr2, tags.attr3));
        }
        return apply(std::move(tagged), std::move(plan), edit.add,
                     [](archive::NresEditor& editor, AddedEntry& entry) -> Status {
                         IRON_TRY([[maybe_unused]] const std::size_t index,
                                  editor.add(entry.type, entry.attr1, entry.attr2, entry.attr3, entry.name, std::move(entry.payload)));
                         return {};
                     });
    }
    return apply(archive::RsliEditor(*source.rsli()), std::move(plan), edit.add,
                 [](archive::RsliEditor& editor, AddedEntry& entry) -> Status {
                     IRON_TRY([[maybe_unused]] const std::size_t index,
                              editor.add(entry.name, std::move(entry.payload), entry.method));
                     return {};
                 });
}

AddedEntry guess_entry(std::string name, Bytes payload) {
    AddedEntry entry;
    const auto ends = [&](std::string_view suffix) { return ascii_iends_with(name, suffix); };
    const auto starts = [&](std::string_view magic) {
        return payload.size() >= magic.size() && as_text(ByteView(payload).first(magic.size())) == magic;
    };
    struct Row {
        std::string_view extension;
        std::uint32_t type;
    };
    static const Row kRows[] = {
        {".msh", archive::type_tag("MESH")}, {".wea", archive::type_tag("WEAR")}, {".cpt", archive::type_tag("CTPT")},
        {".ndp", archive::type_tag("NDPR")}, {".ctl", archive::type_tag("CTLD")}, {".bas", archive::type_tag("BASE")},
        {".exp", archive::type_tag("EXPL")}, {".sun", archive::type_tag("SUND")}, {".wav", archive::type_tag("SWAV")}};
    for (const Row& row : kRows)
        if (ends(row.extension)) entry.type = row.type;
    if (starts("Texm")) entry.type = archive::type_tag("Texm");
    if (entry.type == archive::type_tag("WEAR")) entry.attr3 = 1;
    entry.name = std::move(name);
    entry.payload = std::move(payload);
    return entry;
}

}  // namespace iron::interchange
