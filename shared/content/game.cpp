#include "shared/content/game.hpp"

#include "shared/archive/nres.hpp"
#include "shared/asset/prototype.hpp"
#include "shared/base/text.hpp"

namespace iron::content {

using archive::type_tag;

void Game::file(std::string path, Bytes bytes) {
    if (!files_.emplace(path, std::move(bytes)).second) duplicates_.push_back(std::move(path));
}

void Game::text(std::string path, std::string_view utf8) {
    std::string lines;
    for (const char c : utf8) {
        if (c == '\r') continue;
        if (c == '\n') lines += '\r';
        lines += c;
    }
    const std::string bytes = utf8_to_cp1251(lines);
    file(std::move(path), Bytes(bytes.begin(), bytes.end()));
}

void Game::entry(const std::string& archive, std::uint32_t type, std::uint32_t attr1,
                 std::uint32_t attr2, std::uint32_t attr3, std::string name, Bytes payload) {
    archives_[archive].push_back({type, attr1, attr2, attr3, std::move(name), std::move(payload)});
}

Status Game::model(const ModelEntry& where, const Model& model) {
    IRON_TRY_WRAP(ModelFiles files, encode_model(model), "model " + where.stem);
    std::vector<asset::Ref64> references;
    const auto add = [&](std::string_view suffix, std::uint32_t type, std::uint32_t attr3, Bytes& bytes) {
        if (bytes.empty()) return;
        const std::string name = where.stem + std::string(suffix);
        references.push_back(asset::make_ref64(where.archive, name));
        entry(where.archive, type, 0, 0, attr3, name, std::move(bytes));
    };
    add(".msh", type_tag("MESH"), 0, files.msh);
    add(".wea", type_tag("WEAR"), 1, files.wea);
    add(".cpt", type_tag("CTPT"), 0, files.cpt);
    add(".ndp", type_tag("NDPR"), 0, files.ndp);
    add(".ctl", type_tag("CTLD"), 0, files.ctl);
    add(".bas", type_tag("BASE"), 0, files.bas);
    if (!where.key.empty()) prototype(where.key, references);
    return {};
}

Status Game::fort(const std::string& key, const std::string& parent_key, const std::string& archive,
                  const Bytes& contour) {
    const std::string name = key + ".bas";
    entry(archive, type_tag("BASE"), 0, 0, 0, name, contour);
    prototype(key, {asset::make_ref64("objects.rlb", parent_key), asset::make_ref64(archive, name)});
    return {};
}

void Game::prototype(const std::string& key, const std::vector<asset::Ref64>& references) {
    asset::Prototype value;
    value.references = references;
    entry("objects.rlb", 0, 0, 0, 0, key, asset::write_prototype(value));
}

Result<std::vector<GeneratedFile>> Game::finish() const {
    if (!duplicates_.empty()) return fail("content_duplicate", "two files named " + duplicates_.front());
    std::map<std::string, Bytes> all = files_;
    for (const auto& [name, entries] : archives_) {
        archive::NresBuilder builder;
        std::map<std::string, int> seen;
        for (const Entry& e : entries) {
            if (seen[ascii_lower(e.name)]++ != 0)
                return fail("content_duplicate", name + " has two entries named " + e.name);
            builder.add(e.type, e.attr1, e.attr2, e.attr3, e.name, e.payload);
        }
        IRON_TRY_WRAP(Bytes bytes, builder.build(), "archive " + name);
        if (!all.emplace(name, std::move(bytes)).second)
            return fail("content_duplicate", "two files named " + name);
    }
    std::vector<GeneratedFile> out;
    out.reserve(all.size());
    for (auto& [path, bytes] : all) out.push_back({path, std::move(bytes)});
    return out;
}

}  // namespace iron::content
