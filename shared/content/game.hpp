// Collects the files of the game directory: plain files, archives, prototypes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shared/asset/ref64.hpp"
#include "shared/base/bytes.hpp"
#include "shared/content/content.hpp"
#include "shared/content/model.hpp"

namespace iron::content {

/// How a model is registered in `objects.rlb`.
struct ModelEntry {
    std::string archive;  ///< e.g. `robots.rlb`
    std::string stem;     ///< model `<stem>.msh`
    std::string key;      ///< prototype key; empty: no prototype
};

class Game {
public:
    /// A plain file; a repeated path is an authoring error reported by finish().
    void file(std::string path, Bytes bytes);
    void text(std::string path, std::string_view utf8);  ///< stored as CP1251 with CRLF

    void entry(const std::string& archive, std::uint32_t type, std::uint32_t attr1,
               std::uint32_t attr2, std::uint32_t attr3, std::string name, Bytes payload);
    /// Model, WEAR and companions into the archive; a prototype that refers to them in the order
    /// .msh .wea .cpt .ndp .ctl .bas.
    Status model(const ModelEntry& where, const Model& model);
    /// A fortification: `fr_*` consists of a parent prototype and its own ground contour.
    Status fort(const std::string& key, const std::string& parent_key, const std::string& archive,
                const Bytes& contour);
    void prototype(const std::string& key, const std::vector<asset::Ref64>& references);

    /// All files sorted by path. Errors `content_duplicate` and those of the archive writers.
    Result<std::vector<GeneratedFile>> finish() const;

private:
    struct Entry {
        std::uint32_t type, attr1, attr2, attr3;
        std::string name;
        Bytes payload;
    };
    std::map<std::string, Bytes> files_;
    std::vector<std::string> duplicates_;
    std::map<std::string, std::vector<Entry>> archives_;
};

}  // namespace iron::content
