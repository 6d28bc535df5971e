#include "tools/corpus_diff.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "shared/archive/nres.hpp"
#include "shared/base/hash.hpp"
#include "shared/base/text.hpp"

namespace iron::tools {
namespace {

using namespace interchange;

struct Counts {
    std::uint64_t same = 0, changed = 0, added = 0, removed = 0;
    Json json() const { return Json{{"same", same}, {"changed", changed}, {"added", added}, {"removed", removed}}; }
    std::string text() const {
        return std::to_string(same) + " same, " + std::to_string(changed) + " changed, " + std::to_string(added) + " added, " +
               std::to_string(removed) + " removed";
    }
    bool equal() const { return changed == 0 && added == 0 && removed == 0; }
};

/// What identifies a side's parts: folded name (with a number for repeated names) to digest.
using Digests = std::map<std::string, Hash256>;

void put(Digests& out, const std::string& name, const Hash256& digest) {
    std::string key = name;
    for (int number = 2; !out.emplace(key, digest).second; ++number) key = name + " (" + std::to_string(number) + ")";
}

/// Payload, type and attributes of every entry; nullopt when it is no readable NRes file.
std::optional<Digests> entry_digests(ByteView bytes) {
    ReadContext context;
    context.profile = ReadProfile::compatible;
    const auto nres = archive::view_nres(bytes, context, archive::NresRole::file);
    if (!nres) return std::nullopt;
    Digests out;
    for (std::size_t i = 0; i < nres->size(); ++i) {
        const archive::NresEntry& e = nres->entry(i);
        Sha256 hash;
        hash.put(e.type_id).put(e.attr1).put(e.attr2).put(e.attr3).update(nres->payload(i));
        put(out, ascii_lower(e.name()), hash.finish());
    }
    return out;
}

template <class Changed>
Json compare(const Digests& a, const Digests& b, Counts& counts, const Changed& changed) {
    Json out = Json::array();
    const auto note = [&](const std::string& name, const char* what, Json details) {
        Json item{{"name", display_text(name)}, {"state", what}};
        item.update(details);
        out.push_back(std::move(item));
    };
    for (const auto& [name, digest] : a) {
        const auto other = b.find(name);
        if (other == b.end()) {
            ++counts.removed;
            note(name, "removed", Json::object());
        } else if (other->second != digest) {
            ++counts.changed;
            note(name, "changed", changed(name));
        } else {
            ++counts.same;
        }
    }
    for (const auto& [name, digest] : b)
        if (a.find(name) == a.end()) {
            ++counts.added;
            note(name, "added", Json::object());
        }
    return out;
}

struct Side {
    Digests files;
    std::map<std::string, std::string> paths;  // folded to real
    std::map<std::string, Digests> archives;   // folded path to entries
};

Result<Side> read_side(const archive::Vfs& vfs) {
    Side side;
    IRON_TRY(const std::vector<archive::VfsFile> files, vfs.list());
    for (const archive::VfsFile& file : files) {
        IRON_TRY(const archive::SharedBytes bytes, vfs.read_shared(file.path));
        const std::string key = ascii_lower(file.path);
        side.files.emplace(key, sha256(bytes.view));
        side.paths.emplace(key, file.path);
        if (auto entries = entry_digests(bytes.view)) side.archives.emplace(key, std::move(*entries));
    }
    return side;
}

}  // namespace

Result<CorpusDiff> diff_corpora(const archive::Vfs& a, const archive::Vfs& b) {
    IRON_TRY(const Side left, read_side(a));
    IRON_TRY(const Side right, read_side(b));
    Counts files, entries;
    const Digests none;
    const auto entries_of = [&](const Side& side, const std::string& path) -> const Digests& {
        const auto it = side.archives.find(path);
        return it == side.archives.end() ? none : it->second;
    };
    Json changes = compare(left.files, right.files, files, [&](const std::string& path) {
        if (left.archives.count(path) == 0 || right.archives.count(path) == 0) return Json::object();
        Counts inner;
        Json list = compare(left.archives.at(path), right.archives.at(path), inner, [](const std::string&) { return Json::object(); });
        return Json{{"entry_counts", inner.json()}, {"entries", std::move(list)}};
    });
    // Entries over all archives, also of files that only one side has.
    Digests paths;
    for (const auto& [path, digests] : left.archives) paths.emplace(path, Hash256{});
    for (const auto& [path, digests] : right.archives) paths.emplace(path, Hash256{});
    for (const auto& [path, unused] : paths)
        compare(entries_of(left, path), entries_of(right, path), entries, [](const std::string&) { return Json::object(); });

    CorpusDiff out;
    out.equal = files.equal();
    for (const Json& item : changes) {
        out.text += item["state"].get<std::string>() + "  " + item["name"].get<std::string>();
        if (item.contains("entries")) {
            out.text += "\n";
            for (const Json& entry : item["entries"])
                out.text += "    " + entry["state"].get<std::string>() + "  " + entry["name"].get<std::string>() + "\n";
        } else {
            out.text += "\n";
        }
    }
    out.text += "files: " + files.text() + "\nNRes entries: " + entries.text() + "\n";
    out.json = Json{{"equal", out.equal}, {"files", files.json()}, {"nres_entries", entries.json()}, {"changes", std::move(changes)}};
    return out;
}

}  // namespace iron::tools
