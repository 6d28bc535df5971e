// A small game root held in memory, built file by file, for the tests of this room.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/archive/nres.hpp"
#include "shared/archive/vfs.hpp"
#include "shared/asset/tma.hpp"
#include "shared/asset/unit_dat.hpp"
#include "shared/base/bytes.hpp"

namespace iron::mission::kit {

using Names = std::vector<std::pair<std::string, std::string>>;  // archive, entry

struct Entry {
    std::uint32_t type = 0, attr1 = 0, attr2 = 0, attr3 = 0;
    Bytes payload;
};

/// Archives are kept as entries until files() writes them, so that a test can damage one of them.
class Root {
public:
    std::map<std::string, Bytes> plain;
    std::map<std::string, std::vector<std::pair<std::string, Entry>>> archives;
    asset::Tma tma;

    Bytes& file(const std::string& path) { return plain[path]; }
    void entry(const std::string& archive, const std::string& name, Entry entry);
    Entry* find(const std::string& archive, const std::string& name);
    void remove(const std::string& archive, const std::string& name);

    /// An `objects.rlb` entry with these references.
    void prototype(const std::string& key, const Names& references);
    /// A one-triangle model of the given XY size, and its WEAR with these rows.
    void model(const std::string& archive, const std::string& stem, float size = 2,
               const std::vector<std::string>& materials = {"WALL"},
               const std::vector<std::string>& lightmaps = {});
    /// A unit scheme whose records are children of the first one.
    void scheme(const std::string& path, std::uint32_t type, const std::vector<std::string>& keys);
    /// Adds a placed object and returns it.
    asset::TmaObject& place(const std::string& resource,
                            asset::ObjectKind kind = asset::ObjectKind::war_robot);
    /// Adds a clan with a script that needs its files.
    asset::TmaClan& clan(const std::string& name, const std::string& script_base = {});

    std::map<std::string, Bytes> files() const;
    archive::Vfs vfs() const;
};

inline constexpr char kMissionKey[] = "missions/single.01";

/// Terrain, BuildDat.lst, settings, material archives and an empty mission: loads as it is.
Root minimal_root();

/// The root of the worked count of mission.md 5: nine objects of every kind of reference.
Root worked_root();

Bytes text_bytes(std::string_view text);

}  // namespace iron::mission::kit
